// SPDX-License-Identifier: Apache-2.0
/* Pins and settings of the counters of a hart (internal to foreign/hpm): docs/hw/hpm.md, sections 1
 * and 2. */
#ifndef CS_FOREIGN_HPM_PINS_H
#define CS_FOREIGN_HPM_PINS_H

#include "foreign/bench.h"

#define CS_HPM_PINS(PIN)                                                                           \
    CS_FOREIGN_CLOCK_PINS(PIN)                                                                     \
    PIN(XLEN64, "xlen64_i", .width = 1, .strap = true, .tells = "XLEN is 64")                      \
    PIN(MODES, "modes_i", .width = 2, .strap = true, .tells = "which modes are there")             \
    PIN(COUNTERS, "counters_i", .width = 32, .strap = true, .tells = "which counters are there")   \
    PIN(WIDTH, "width_i", .width = 7 * 32, .field = 7, .strap = true,                              \
        .tells = "bits of the counters")                                                           \
    PIN(SSCOFPMF, "sscofpmf_i", .width = 1, .strap = true, .tells = "overflow and filters")        \
    PIN(SMCNTRPMF, "smcntrpmf_i", .width = 1, .strap = true, .tells = "mcyclecfg, minstretcfg")    \
    PIN(SMCDELEG, "smcdeleg_i", .width = 1, .strap = true, .tells = "delegation")                  \
    PIN(AIA, "aia_i", .width = 1, .strap = true, .tells = "mvien and its like")                    \
    PIN(LATENCY, "lcofi_latency_i", .width = 5, .strap = true,                                     \
        .tells = "cycles from OF to LCOFIP")                                                       \
    PIN(MODE, "mode_i", .width = 2, .held = CS_HPM_MODE_M, .tells = "the mode of the cycle")       \
    PIN(V, "v_i", .width = 1, .tells = "it is virtual")                                            \
    PIN(STATEEN_M, "stateen_m_i", .width = 1, .held = 1, .tells = "mstateen0[60]")                 \
    PIN(STATEEN_H, "stateen_h_i", .width = 1, .held = 1, .tells = "hstateen0[60]")                 \
    PIN(TIME, "time_i", .width = 64, .tells = "mtime; without it nobody reads time")               \
    PIN(CYCLE_INC, "cycle_inc_i", .width = 4, .amount = true, .lags = true, .held = 1,             \
        .tells = "clocks in this cycle")                                                           \
    PIN(INSTRET_INC, "instret_inc_i", .width = 4, .amount = true, .lags = true,                    \
        .tells = "instructions that retire")                                                       \
    PIN(EVENT, "event_o", true, 16 * 32, 16, .followed = true,                                     \
        .tells = "the event of each counter")                                                      \
    PIN(COUNTING, "counting_o", true, 32, 1, .followed = true,                                     \
        .tells = "which counters would take an increment")                                         \
    PIN(INC, "inc_i", .width = 4 * 32, .field = 4, .amount = true, .instead = "events_i",          \
        .tells = "increments, by what event_o says")                                               \
    PIN(EVENTS, "events_i", .width = 4 * 64, .field = 4, .amount = true, .lags = true,             \
        .instead = "inc_i", .tells = "increments of the events 0 to 63")                           \
    PIN(CSR_VALID, "csr_valid_i", .width = 1, .instead = "csr_addr_i", .tells = "an access")       \
    PIN(CSR_WRITE, "csr_write_i", .width = 1, .instead = "csr_op_i",                               \
        .tells = "an access that writes")                                                          \
    PIN(CSR_ADDR, "csr_addr_i", .width = 12, .needed = true, .address = true, .tells = "its CSR")  \
    PIN(CSR_OP, "csr_op_i", .width = 2, .instead = "csr_write_i",                                  \
        .tells = "0 read, 1 write, 2 set, 3 clear")                                                \
    PIN(CSR_WDATA, "csr_wdata_i", .width = 64, .instead = "csr_value_i", .tells = "the operand")   \
    PIN(CSR_VALUE, "csr_value_i", .width = 64, .instead = "csr_wdata_i",                           \
        .tells = "what is written: old and operand, by the operation")                             \
    PIN(CSR_RDATA, "csr_rdata_o", true, 64, .needed = true, .about = CS_PROBE_REG,                 \
        .tells = "the old value")                                                                  \
    PIN(CSR_EXC, "csr_exc_o", true, 2, .about = CS_PROBE_REG,                                      \
        .tells = "1 illegal, 2 virtual instruction")                                               \
    PIN(LCOFI, "lcofi_o", true, 3, .about = CS_PROBE_IRQ, .tells = "the interrupt, to M, S, VS")

#define CS_HPM_SETTINGS(SET)                                                                       \
    SET(XLEN, "xlen", "xlen64_i", 32, 64, 64, "32 or 64")                                          \
    SET(MODES, "modes", "modes_i", 0, 3, 0, "0 M; 1 M U; 2 M S U; 3 M S U VS VU")                  \
    SET(COUNTERS, "counters", "counters_i", 0, 0xfffffff8, 0xfffffff8,                             \
        "bit n: mhpmcounter n is there")                                                           \
    SET(WIDTH, "width", "width_i", 1, 64, 64, "bits of every mhpmcounter")                         \
    SET(SSCOFPMF, "sscofpmf", "sscofpmf_i", 0, 1, 0, "overflow bits, filters, the interrupt")      \
    SET(SMCNTRPMF, "smcntrpmf", "smcntrpmf_i", 0, 1, 0, "mcyclecfg and minstretcfg")               \
    SET(SMCDELEG, "smcdeleg", "smcdeleg_i", 0, 1, 0, "delegation to S mode")                       \
    SET(AIA, "aia", "aia_i", 0, 1, 0, "mvien, mvip, hvien, hvip")                                  \
    SET(LATENCY, "lcofi_latency", "lcofi_latency_i", 0, 31, 0, "cycles from OF to LCOFIP")         \
    SET(EVENT_BITS, "event_bits", NULL, 1, 16, 16, "bits of an event's number that are written")   \
    SET(EVENT_MASK, "event_mask", NULL, 1, 0xffff, 0xffff,                                         \
        "bits of an event's number that are kept; others are 0")                                   \
    SET(LEGAL, "legal_events", NULL, 0, UINT64_MAX, 0, "bit n: event n may be chosen; 0: all may") \
    SET(ILLEGAL, "illegal_event", NULL, 0, 1, 0,                                                   \
        "one that may not be: 0 becomes 0; 1 stays as it was")                                     \
    SET(EVENT_SET, "event_set", NULL, 0, 2, 0,                                                     \
        "bit k is event k + 1: 1 their sum counts; 2 any of them")                                 \
    SET(MOST, "most_increment", NULL, 1, 15, 15, "of an event in a cycle")

#define ROW(name, ...) CS_HPM_PIN_##name,
enum { CS_HPM_PINS(ROW) CS_HPM_NR_PINS };
#undef ROW
#define ROW(name, ...) CS_HPM_SET_##name,
enum { CS_HPM_SETTINGS(ROW) CS_HPM_NR_SETTINGS };
#undef ROW

#endif
