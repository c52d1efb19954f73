// SPDX-License-Identifier: Apache-2.0
/* What a RISC-V guest is brought up with, beside guest/imc/parts.h. */
#ifndef CS_GUEST_HPM_PARTS_H
#define CS_GUEST_HPM_PARTS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "guest/place.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An event of a guest's hart, as mhpmevent chooses it. */
typedef struct cs_riscv_counted {
    unsigned number;   /* 0: the end of the list */
    unsigned sbi;      /* event_idx of the SBI; 0: raw */
    unsigned kinds;    /* kinds.h, as bits */
    bool cycles;       /* of these instructions; else how many */
    unsigned outcomes; /* CS_RISCV_OUTCOME, */
    unsigned needs;    /* of these caches (CS_GUEST_L1D ..), as bits */
} cs_riscv_counted;

extern const cs_riscv_counted cs_riscv_counted_events[];

/* Names of outcomes (CS_RISCV_L1D_LOAD_MISS ..). */
extern const char *const cs_riscv_outcomes[];

/* The guest has what it needs. */
bool cs_riscv_counts(const cs_guest_spec *guest, const cs_riscv_counted *event);

/* The node riscv,pmu of a device tree: which counter counts what. Of libfdt: 0, or its error. */
int cs_riscv_add_counters(void *tree, const cs_scenario *scenario);

/* What the plugin is to know: the counters, what their events count, and where the kernel has what is
 * watched. */
cs_status cs_riscv_write_settings(const cs_scenario *scenario, const cs_guest_place *place,
                                  const char *path, cs_diag *diag);

/* Adds to the truth what perf has opened and read, of the plugin's log, from its beginning. */
cs_status cs_riscv_write_asked(sqlite3 *db, FILE *log, cs_diag *diag);

/* What an instruction of that kind (kinds.h) takes. */
unsigned cs_riscv_cycles(const cs_scenario *scenario, unsigned kind);

#ifdef __cplusplus
}
#endif

#endif
