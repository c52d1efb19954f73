// SPDX-License-Identifier: Apache-2.0
/* Pins and settings of the IMC engine of a core (internal to foreign/imc): docs/hw/imc.md, "RTL". */
#ifndef CS_FOREIGN_IMC_PINS_H
#define CS_FOREIGN_IMC_PINS_H

#include "foreign/ports/manager.h"

/* A pin with a field for each thread. */
#define CS_IMC_EACH(PIN, id, text, out, bits, ...)                                                 \
    PIN(id, .name = (text), .output = (out), .width = (bits)*CS_FOREIGN_MOST_PORTS,                \
        .field = (bits), .each = "thread", .tells = __VA_ARGS__)

#define CS_IMC_PINS(PIN)                                                                           \
    CS_FOREIGN_CLOCK_PINS(PIN)                                                                     \
    PIN(POWER10, "power10_i", .width = 1, .strap = true, .tells = "POWER10's engine")              \
    PIN(THREADS, "nr_thread_i", .width = 3, .strap = true, .tells = "threads of the core")         \
    PIN(TAP, "tap_log2_i", .width = 5, .strap = true,                                              \
        .tells = "log2 of the timebase's ticks of the shortest window")                            \
    PIN(TB, "tb_i", .width = 64, .needed = true, .tells = "the timebase")                          \
    PIN(TICK, "tb_tick_i", .width = 1, .needed = true, .tells = "it is another one now")           \
    PIN(POWER, "power_i", .width = 1, .held = 1, .tells = "the core has power")                    \
    PIN(REG_EN, "reg_en_i", .width = 1, .needed = true, .tells = "an access of a register")        \
    PIN(REG_WRITE, "reg_write_i", .width = 1, .needed = true, .tells = "it writes")                \
    PIN(REG_SEL, "reg_sel_i", .width = 4, .needed = true, .address = true,                         \
        .tells = "the register's number; 8 + t is LDBAR of thread t, without ldbar_en_i")          \
    PIN(REG_WDATA, "reg_wdata_i", .width = 64, .needed = true, .tells = "what is written")         \
    PIN(REG_RDATA, "reg_rdata_o", true, 64, .needed = true, .about = CS_PROBE_REG,                 \
        .tells = "what is read")                                                                   \
    PIN(REG_ERR, "reg_err_o", true, 1, .about = CS_PROBE_REG, .tells = "the access is an error")   \
    CS_IMC_EACH(PIN, LDBAR_EN, "ldbar_en_i", false, 1, "an access of the thread's LDBAR")          \
    PIN(LDBAR_WRITE, "ldbar_write_i", .width = 1, .tells = "it writes")                            \
    PIN(LDBAR_WDATA, "ldbar_wdata_i", .width = 64, .tells = "what is written")                     \
    PIN(LDBAR_RDATA, "ldbar_rdata_o", true, 64, .about = CS_PROBE_REG, .tells = "what is read")    \
    PIN(LDBAR_ERR, "ldbar_err_o", true, 1, .about = CS_PROBE_REG,                                  \
        .tells = "the access is an error")                                                         \
    CS_IMC_EACH(PIN, ACTIVE, "active_o", true, 1, "its counters would take increments",            \
                .followed = true)                                                                  \
    CS_IMC_EACH(PIN, CODE1, "code1_o", true, 7, "the event that CPMC1 counts", .needed = true,     \
                .followed = true)                                                                  \
    CS_IMC_EACH(PIN, CODE2, "code2_o", true, 7, "that of CPMC2", .needed = true, .followed = true) \
    CS_IMC_EACH(PIN, INC1, "inc1_i", false, 4, "increments by code1_o", .needed = true)            \
    CS_IMC_EACH(PIN, INC2, "inc2_i", false, 4, "by code2_o", .needed = true)                       \
    CS_IMC_EACH(PIN, INC3, "inc3_i", false, 4, "of CPMC3", .needed = true)                         \
    CS_IMC_EACH(PIN, INC4, "inc4_i", false, 4, "of CPMC4", .needed = true)                         \
    CS_IMC_EACH(PIN, MODE, "mode_i", false, 2, "MSR[HV PR]")                                       \
    CS_IMC_EACH(PIN, CAPTURE, "capture_o", true, 1, "a snapshot", .followed = true)                \
    CS_IMC_EACH(PIN, PC, "pc_i", false, 64, "its program counter, by capture_o")                   \
    CS_IMC_EACH(PIN, PID, "pid_i", false, 32, "its process, by capture_o")                         \
    CS_IMC_EACH(PIN, LPID, "lpid_i", false, 32, "its partition, by capture_o")                     \
    CS_FOREIGN_AXI_WRITE_PINS(PIN)                                                                 \
    PIN(STATE, "state_o", true, 3, .about = CS_PROBE_STATE, .tells = "STATE")                      \
    PIN(SAMPLE_VALID, "sample_valid_o", true, 1, .about = CS_PROBE_SAMPLE,                         \
        .tells = "a record is written")                                                            \
    PIN(SAMPLE_THREAD, "sample_thread_o", true, 2, .about = CS_PROBE_SAMPLE, .tells = "of whom")   \
    PIN(SAMPLE_ADDR, "sample_addr_o", true, 64, .about = CS_PROBE_SAMPLE, .tells = "where it is")  \
    PIN(SAMPLE_RESP, "sample_resp_o", true, 2, .about = CS_PROBE_SAMPLE,                           \
        .tells = "how the bus answered")                                                           \
    PIN(SAMPLE_SNAP, "sample_snap_o", true, 64, .about = CS_PROBE_SAMPLE,                          \
        .tells = "the cycle of its snapshot")                                                      \
    PIN(SAMPLE_NUMBER, "sample_number_o", true, 32, .about = CS_PROBE_SAMPLE,                      \
        .tells = "its number")                                                                     \
    CS_IMC_EACH(PIN, LOST, "lost_o", true, 1, "a sample is lost", .about = CS_PROBE_SAMPLE)        \
    CS_IMC_EACH(PIN, DROPPED, "dropped_o", true, 1, "a waiting record is dropped",                 \
                .about = CS_PROBE_SAMPLE)                                                          \
    CS_IMC_EACH(PIN, DROPPED_ADDR, "dropped_addr_o", true, 64, "where it would be",                \
                .about = CS_PROBE_SAMPLE)                                                          \
    CS_IMC_EACH(PIN, DROPPED_SNAP, "dropped_snap_o", true, 64, "the cycle of its snapshot",        \
                .about = CS_PROBE_SAMPLE)

#define CS_IMC_SETTINGS(SET)                                                                       \
    SET(POWER10, "power10", "power10_i", 0, 1, 0, "POWER10's engine; else POWER9's")               \
    SET(THREADS, "threads", "nr_thread_i", 1, 4, 4, "threads: 1, 2 or 4")                          \
    SET(TAP, "tap_log2", "tap_log2_i", 2, 18, 18, "log2 of the ticks of the shortest window")      \
    SET(MOST, "most_increment", NULL, 1, 15, 15, "of an event in a cycle")

#define ROW(name, ...) CS_IMC_PIN_##name,
enum { CS_IMC_PINS(ROW) CS_IMC_NR_PINS };
#undef ROW
#define ROW(name, ...) CS_IMC_SET_##name,
enum { CS_IMC_SETTINGS(ROW) CS_IMC_NR_SETTINGS };
#undef ROW

#endif
