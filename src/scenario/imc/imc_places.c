// SPDX-License-Identifier: Apache-2.0
/* The registers of IMC and the words of the nest's control block, for people: docs/hw/imc.md,
 * docs/hw/nest.md. */
#include "scenario/imc/imc_places.h"

#define HTM "0 ENABLE, 1:2 CONTENT_SEL, 4 HPMC_IMA"
#define STATUS "0 ERROR, 1 TRACE_ACTIVE, 2 PDBAR_ERROR, 5:11 STATE, 12:15 COUNT"
#define MASK "0:9 SET0, 10:19 SET1, 20:29 SET2, 30:32 IC_TAP, 33 DISABLE_WRAP, 34 FREEZE"
#define TRACE "0:1 SAMPSEL, 2:33 CPMC_LOAD, 34:40 CPMC1SEL, 41:47 CPMC2SEL, 48:50 BUFFERSIZE"

#define HTM_TEXT "collection mode"
#define STATUS_TEXT "state of the engine"
#define PDBAR_TEXT "memory of the core's counters"
#define MASK_TEXT "what is counted, and for how long"
#define TRACE_TEXT "what trace mode counts"
#define FIR_TEXT "errors, one register for four cores"
#define ERR_TEXT "error report, likewise"

const cs_unit_place cs_imc_places[] = {
    {"power9.0.HTM_MODE", "SCOM 0x10012200", "rw", HTM_TEXT, HTM},
    {"power9.0.HTM_IMA_STATUS", "SCOM 0x1001220a", "ro", STATUS_TEXT, STATUS},
    {"power9.0.PDBAR", "SCOM 0x1001220b", "rw", PDBAR_TEXT, "1 SPLIT, 5:7 SCOPE, 8:50 ADDRESS"},
    {"power9.0.EVENT_MASK", "SCOM 0x20010aa8", "rw", MASK_TEXT, MASK},
    {"power9.0.TRACE", "SCOM 0x20010aa9", "rw", TRACE_TEXT, TRACE},
    {"power9.0.FIR", "SCOM 0x10011000", "rw", FIR_TEXT, "12 IMA_CRESP_ADDR_ERR, 13 IMA_ACK_DEAD"},
    {"power9.0.ERR_RPT", "SCOM 0x1001100e", "rw", ERR_TEXT, "24 IMA_FSM_TIMEOUT"},
    {"power10.0.HTM_MODE", "SCOM 0x20018680", "rw", HTM_TEXT, HTM},
    {"power10.0.HTM_IMA_STATUS", "SCOM 0x2001868a", "ro", STATUS_TEXT, STATUS},
    {"power10.0.PDBAR", "SCOM 0x2001868b", "rw", PDBAR_TEXT, "5:7 SCOPE, 12:52 ADDRESS"},
    {"power10.0.EVENT_MASK", "SCOM 0x20028400", "rw", MASK_TEXT,
     MASK ", 38 ONE_EVENT, 39:40 EVENT_VTID, 41:45 EVENT_SELECT"},
    {"power10.0.TRACE", "SCOM 0x20028401", "rw", TRACE_TEXT, TRACE},
    {"power10.0.FIR", "SCOM 0x20011000", "rw", FIR_TEXT, "12 IMA_CRESP_ADDR_ERR, 13 IMA_ACK_DEAD"},
    {"power10.0.ERR_RPT", "SCOM 0x2001100e", "rw", ERR_TEXT, "24 IMA_FSM_TIMEOUT"},
    {"0.0.LDBAR", "SPR 850", "rw", "memory of the thread's counters or records",
     "0 ENABLE, 1 TRACE, 4:6 SCOPE, 8:50 ADDRESS"},
    {0}};

const cs_unit_place cs_nest_places[] = {
    {"STATUS", "HOMER + 0x1bfc00", "ro", "0 INIT, 1 RUN, 2 PAUSE, 3 ERR1 (speed), 4 ERR2 (mode)",
     NULL},
    {"COMMAND", "HOMER + 0x1bfc08", "rw", "0 NOP, 1 RESUME, 2 PAUSE, 3 CLEAR; imc_cmd_0 in debugfs",
     NULL},
    {"SPEED", "HOMER + 0x1bfc10", "rw", "0..11: groups post at every so manyth visit", NULL},
    {"UNITS", "HOMER + 0x1bfc18", "rw", "availability vector", NULL},
    {"MODE", "HOMER + 0x1bfc20", "rw", "0 monitor, 1 debug; imc_mode_0 in debugfs", NULL},
    {"MODE_STATE", "HOMER + 0x1bfc28", "ro", "the mode in effect", NULL},
    {0}};
