// SPDX-License-Identifier: Apache-2.0
/* Pins and settings of a core PMU (internal to foreign/corepmu): docs/hw/corepmu.md. */
#ifndef CS_FOREIGN_COREPMU_PINS_H
#define CS_FOREIGN_COREPMU_PINS_H

#include "foreign/ports/registers.h"

#define CS_COREPMU_PINS(PIN)                                                                       \
    CS_FOREIGN_CLOCK_PINS(PIN)                                                                     \
    PIN(NR_COUNTER, "nr_counter_i", .width = 5, .strap = true, .tells = "counters that are there") \
    PIN(EXT64, "ext64_i", .width = 1, .strap = true, .tells = "the register map of 64 bits")       \
    PIN(HPMN, "hpmn_i", .width = 5, .strap = true, .tells = "MDCR_EL2.HPMN")                       \
    PIN(HPME, "hpme_i", .width = 1, .strap = true, .tells = "MDCR_EL2.HPME")                       \
    PIN(HPMD, "hpmd_i", .width = 1, .strap = true, .tells = "MDCR_EL2.HPMD")                       \
    PIN(SPME, "spme_i", .width = 1, .strap = true, .tells = "MDCR_EL3.SPME")                       \
    PIN(OFFLINE, "offline_i", .width = 1, .tells = "the core has no power")                        \
    PIN(LOCKED, "locked_i", .width = 1, .tells = "the OS lock is set")                             \
    CS_FOREIGN_REG_PINS(PIN)                                                                       \
    PIN(SYS_EN, "sys_en_i", .width = 1, .tells = "an access of the core itself")                   \
    PIN(SYS_WRITE, "sys_write_i", .width = 1, .tells = "it writes")                                \
    PIN(SYS_GUEST, "sys_guest_i", .width = 1, .tells = "it comes from a guest")                    \
    PIN(SYS_ADDR, "sys_addr_i", .width = 12, .tells = "its offset in the map of 64 bits")          \
    PIN(SYS_WDATA, "sys_wdata_i", .width = 64, .tells = "what is written")                         \
    PIN(SYS_READY, "sys_ready_o", true, 1, .about = CS_PROBE_REG, .tells = "it is done")           \
    PIN(SYS_RDATA, "sys_rdata_o", true, 64, .about = CS_PROBE_REG, .tells = "what is read")        \
    PIN(IRQ, "irq_o", true, 1, .about = CS_PROBE_IRQ, .tells = "the overflow interrupt")           \
    PIN(EVENT, "event_o", true, 16 * 31, 16, .needed = true, .followed = true,                     \
        .tells = "the event of each counter")                                                      \
    PIN(MODE, "mode_i", .width = 2, .tells = "the exception level")                                \
    PIN(INC, "inc_i", .width = 8 * 31, .field = 8, .needed = true, .amount = true,                 \
        .tells = "increments, by event_o")                                                         \
    PIN(CYCLE_INC, "cycle_inc_i", .width = 8, .amount = true, .held = 1,                           \
        .tells = "clocks in this cycle")                                                           \
    PIN(PC, "pc_i", .width = 64, .tells = "the program counter")                                   \
    PIN(CID1, "cid1_i", .width = 32, .tells = "CONTEXTIDR_EL1")                                    \
    PIN(CID2, "cid2_i", .width = 32, .tells = "CONTEXTIDR_EL2")

#define CS_COREPMU_SETTINGS(SET)                                                                   \
    SET(COUNTERS, "counters", "nr_counter_i", 1, 31, 6, "event counters")                          \
    SET(EXT64, "ext64", "ext64_i", 0, 1, 0, "the register map of 64 bits")                         \
    SET(HPMN, "hpmn", "hpmn_i", 0, 31, 31, "counters of the first range")                          \
    SET(HPME, "hpme", "hpme_i", 0, 1, 1, "the second range counts")                                \
    SET(HPMD, "hpmd", "hpmd_i", 0, 1, 0, "the first range does not count in EL2")                  \
    SET(SPME, "spme", "spme_i", 0, 1, 1, "events count in EL3")                                    \
    SET(EVENT_BITS, "event_bits", NULL, 1, 16, 16, "bits of an event's number that are written")   \
    SET(MOST, "most_increment", NULL, 1, 255, 255, "of an event in a cycle")

#define ROW(name, ...) CS_COREPMU_PIN_##name,
enum { CS_COREPMU_PINS(ROW) CS_COREPMU_NR_PINS };
#undef ROW
#define ROW(name, ...) CS_COREPMU_SET_##name,
enum { CS_COREPMU_SETTINGS(ROW) CS_COREPMU_NR_SETTINGS };
#undef ROW

#endif
