// SPDX-License-Identifier: Apache-2.0
/* Pins and settings of an uncore block (internal to foreign/uncore): docs/hw/uncore.md. */
#ifndef CS_FOREIGN_UNCORE_PINS_H
#define CS_FOREIGN_UNCORE_PINS_H

#include "foreign/ports/registers.h"

#define CS_UNCORE_PINS(PIN)                                                                        \
    CS_FOREIGN_CLOCK_PINS(PIN)                                                                     \
    PIN(COUNTERS, "counters_i", .width = 5, .strap = true, .tells = "counters that are there")     \
    PIN(WIDTH, "width_i", .width = 7, .strap = true, .tells = "bits of each")                      \
    PIN(ID, "id_i", .width = 16, .strap = true, .tells = "what the unit is, for software")         \
    PIN(EXTENDED, "extended_i", .width = 1, .strap = true, .tells = "MATCH and MASK are there")    \
    CS_FOREIGN_REG_PINS(PIN)                                                                       \
    PIN(EVENT, "event_o", true, 16 * 16, 16, .needed = true, .followed = true,                     \
        .tells = "the event of each counter")                                                      \
    PIN(MATCH, "match_o", true, 64 * 16, 64, .followed = true, .tells = "its MATCH")               \
    PIN(MASK, "mask_o", true, 64 * 16, 64, .followed = true, .tells = "its MASK")                  \
    PIN(COUNTING, "counting_o", true, 16, 1, .followed = true,                                     \
        .tells = "which counters would take an increment")                                         \
    PIN(INC, "inc_i", .width = 4 * 16, .field = 4, .needed = true, .amount = true,                 \
        .tells = "increments, by event_o (and match_o, mask_o)")                                   \
    PIN(IRQ, "irq_o", true, 1, .about = CS_PROBE_IRQ, .tells = "the overflow interrupt")

#define CS_UNCORE_SETTINGS(SET)                                                                    \
    SET(COUNTERS, "counters", "counters_i", 1, 16, 4, "counters")                                  \
    SET(WIDTH, "width", "width_i", 8, 64, 48, "bits of each")                                      \
    SET(ID, "id", "id_i", 0, 65535, 0, "what the unit is, for software")                           \
    SET(EXTENDED, "extended", "extended_i", 0, 1, 0, "counters choose by tags, too")               \
    SET(EVENT_BITS, "event_bits", NULL, 1, 16, 16, "bits of an event's number that are written")   \
    SET(MOST, "most_increment", NULL, 1, 15, 15, "of an event in a cycle")

#define ROW(name, ...) CS_UNCORE_PIN_##name,
enum { CS_UNCORE_PINS(ROW) CS_UNCORE_NR_PINS };
#undef ROW
#define ROW(name, ...) CS_UNCORE_SET_##name,
enum { CS_UNCORE_SETTINGS(ROW) CS_UNCORE_NR_SETTINGS };
#undef ROW

#endif
