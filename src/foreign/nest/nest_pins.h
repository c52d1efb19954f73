// SPDX-License-Identifier: Apache-2.0
/* Pins and settings of a nest (internal to foreign/nest): docs/hw/nest.md, "RTL". */
#ifndef CS_FOREIGN_NEST_PINS_H
#define CS_FOREIGN_NEST_PINS_H

#include "foreign/ports/manager.h"

/* `counters`: of that engine. */
#define CS_NEST_PINS(PIN, counters)                                                                \
    CS_FOREIGN_CLOCK_PINS(PIN)                                                                     \
    PIN(BASE, "base_i", .width = 64, .strap = true, .tells = "where its window in memory is")      \
    PIN(TICK, "tick_cycles_i", .width = 32, .strap = true, .tells = "cycles of a tick")            \
    PIN(INC, "inc_i", .width = 4 * (counters), .field = 4, .needed = true,                         \
        .tells = "increments of the counters, in the order of the rows")                           \
    CS_FOREIGN_AXI_PINS(PIN)                                                                       \
    PIN(STATUS, "status_o", true, 3, .about = CS_PROBE_STATE, .tells = "the status")               \
    PIN(SAMPLE_VALID, "sample_valid_o", true, 1, .about = CS_PROBE_SAMPLE,                         \
        .tells = "a posting is over")                                                              \
    PIN(SAMPLE_GROUP, "sample_group_o", true, 4, .about = CS_PROBE_SAMPLE,                         \
        .tells = "of which group")                                                                 \
    PIN(SAMPLE_ADDR, "sample_addr_o", true, 64, .about = CS_PROBE_SAMPLE,                          \
        .tells = "where it begins")                                                                \
    PIN(SAMPLE_NUMBER, "sample_number_o", true, 32, .about = CS_PROBE_SAMPLE,                      \
        .tells = "its number")                                                                     \
    PIN(SAMPLE_BYTES, "sample_bytes_o", true, 16, .about = CS_PROBE_SAMPLE, .tells = "its bytes")  \
    PIN(SAMPLE_RESP, "sample_resp_o", true, 2, .about = CS_PROBE_SAMPLE,                           \
        .tells = "how the bus answered")                                                           \
    PIN(SAMPLE_START, "sample_start_o", true, 64, .about = CS_PROBE_SAMPLE,                        \
        .tells = "the cycle of its header")

#define CS_NEST_MOST_BASE ((UINT64_C(1) << 56) - CS_NEST_WINDOW_BYTES)

#define CS_NEST_SETTINGS(SET)                                                                      \
    SET(BASE, "base", "base_i", 0, CS_NEST_MOST_BASE, 0xbf980000, "where the window is")           \
    SET(TICK, "tick_cycles", "tick_cycles_i", CS_NEST_MIN_TICK_CYCLES, UINT32_MAX, 1000,           \
        "bus cycles of a tick")                                                                    \
    SET(MOST, "most_increment", NULL, 1, 15, 15, "of a counter in a cycle")

#define ROW(name, ...) CS_NEST_PIN_##name,
enum { CS_NEST_PINS(ROW, 0) CS_NEST_NR_PINS };
#undef ROW
#define ROW(name, ...) CS_NEST_SET_##name,
enum { CS_NEST_SETTINGS(ROW) CS_NEST_NR_SETTINGS };
#undef ROW

#endif
