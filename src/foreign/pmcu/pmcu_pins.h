// SPDX-License-Identifier: Apache-2.0
/* Pins and settings of a PMCU (internal to foreign/pmcu): docs/hw/pmcu.md. */
#ifndef CS_FOREIGN_PMCU_PINS_H
#define CS_FOREIGN_PMCU_PINS_H

#include "foreign/ports/manager.h"
#include "foreign/ports/registers.h"

#define CS_PMCU_PINS(PIN)                                                                          \
    CS_FOREIGN_CLOCK_PINS(PIN)                                                                     \
    PIN(DIE, "die_i", .width = 2, .strap = true, .tells = "the number of the die")                 \
    PIN(CLUSTERS, "nr_cluster_i", .width = 5, .strap = true, .tells = "clusters of the die")       \
    PIN(SLOTS, "nr_slot_i", .width = 4, .strap = true, .tells = "CPU slots of a cluster")          \
    PIN(LANES, "nr_lane_i", .width = 3, .strap = true, .tells = "lanes that are used")             \
    PIN(BROADCAST, "broadcast_i", .width = 1, .strap = true,                                       \
        .tells = "start and stop by one write a cluster")                                          \
    PIN(PREFETCH, "prefetch_i", .width = 1, .strap = true,                                         \
        .tells = "the next events are read in WAIT")                                               \
    PIN(ORDER, "order_i", .width = 2, .strap = true, .tells = "when counters are stopped")         \
    PIN(EXT64, "ext64_i", .width = 1, .strap = true,                                               \
        .tells = "the cores' register map of 64 bits")                                             \
    PIN(POSTED, "posted_i", .width = 1, .strap = true, .tells = "the bridges post writes")         \
    PIN(TICK, "tick_cycles_i", .width = 16, .strap = true, .tells = "cycles of a tick")            \
    CS_FOREIGN_REG_PINS(PIN)                                                                       \
    PIN(IRQ, "irq_o", true, 1, .about = CS_PROBE_IRQ, .tells = "the interrupt line")               \
    PIN(STATE, "state_o", true, 4, .about = CS_PROBE_STATE, .tells = "STATE")                      \
    PIN(SAMPLE_VALID, "sample_valid_o", true, 1, .about = CS_PROBE_SAMPLE,                         \
        .tells = "a subsample is committed")                                                       \
    PIN(SAMPLE_ADDR, "sample_addr_o", true, 64, .about = CS_PROBE_SAMPLE,                          \
        .tells = "where it begins")                                                                \
    PIN(SAMPLE_NUMBER, "sample_number_o", true, 32, .about = CS_PROBE_SAMPLE,                      \
        .tells = "its number since the trigger")                                                   \
    PIN(SAMPLE_BYTES, "sample_bytes_o", true, 16, .about = CS_PROBE_SAMPLE, .tells = "its bytes")  \
    CS_FOREIGN_AXI_PINS(PIN)

#define CS_PMCU_SETTINGS(SET)                                                                      \
    SET(DIE, "die", "die_i", 0, 3, 0, "the number of the die")                                     \
    SET(CLUSTERS, "clusters", "nr_cluster_i", 1, 16, 4, "clusters")                                \
    SET(SLOTS, "slots", "nr_slot_i", 1, 8, 8, "CPU slots of a cluster")                            \
    SET(LANES, "lanes", NULL, 1, 4, 1, "ports of the bus; with nr_lane_i, used at most")           \
    SET(BROADCAST, "broadcast", "broadcast_i", 0, 1, 0, "start and stop by one write a cluster")   \
    SET(PREFETCH, "prefetch", "prefetch_i", 0, 1, 0, "the next events are read in WAIT")           \
    SET(ORDER, "order", "order_i", 0, 3, 0, "0 die, 1 core, 2 counter, 3 running")                 \
    SET(EXT64, "ext64", "ext64_i", 0, 1, 0, "the cores' register map of 64 bits")                  \
    SET(POSTED, "posted", "posted_i", 0, 1, 0, "the bridges post writes")                          \
    SET(TICK, "tick_cycles", "tick_cycles_i", 1, 65535, 1, "bus cycles of a tick")                 \
    SET(MOST_CLUSTERS, "most_clusters", NULL, 1, 16, 16, "with nr_cluster_i: drawn at most")       \
    SET(MOST_SLOTS, "most_slots", NULL, 1, 8, 8, "with nr_slot_i: drawn at most")

#define ROW(name, ...) CS_PMCU_PIN_##name,
enum { CS_PMCU_PINS(ROW) CS_PMCU_NR_PINS };
#undef ROW
#define ROW(name, ...) CS_PMCU_SET_##name,
enum { CS_PMCU_SETTINGS(ROW) CS_PMCU_NR_SETTINGS };
#undef ROW

#endif
