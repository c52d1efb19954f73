// SPDX-License-Identifier: Apache-2.0
/* What a random program does to the CSRs of a hart (internal to foreign/hpm). */
#ifndef CS_FOREIGN_HPM_SCRIPT_H
#define CS_FOREIGN_HPM_SCRIPT_H

#include "foreign/hpm/hpm_pins.h"
#include <countersink/models/hpm/hpm.h>

/* The events that cores have, and whether this one has a wire for it. */
unsigned cs_hpm_events(const cs_foreign_design *design, const uint32_t **events);
bool cs_hpm_has_event(const cs_foreign_design *design, uint32_t event);

/* The straps of a program: bench->setting with what does not go together mended. */
cs_hpm_config cs_hpm_draw_config(cs_foreign_bench *bench);
/* Counters that the pins have increments for; bits 2:0 zero. */
uint32_t cs_hpm_wired(const cs_foreign_design *design);
/* What does not go together in a MAP. */
cs_status cs_hpm_check(const cs_foreign_design *design, cs_diag *diag);

/* The CSR accesses of a program, one after the other. */
typedef struct cs_hpm_script {
    const cs_foreign_bench *bench;
    cs_hpm_config config;
    cs_foreign_random *random;
    unsigned there[CS_HPM_COUNTERS], nr_there; /* counters */
    unsigned favourites[3], nr_favourites;
    struct {
        uint16_t csr;
        uint8_t op;
        uint64_t value;
    } waiting[32]; /* the next one last; in M mode */
    unsigned nr_waiting;
    unsigned ended; /* accesses of its ending */
} cs_hpm_script;

void cs_hpm_script_begin(cs_hpm_script *script, cs_foreign_bench *bench,
                         const cs_hpm_config *config);

/* The access of a cycle with this mode; false: none. In the ending, in M mode, all that can be seen is
 * read in turn. */
bool cs_hpm_script_next(cs_hpm_script *script, unsigned mode, cs_hpm_access *out);

/* Accesses of a whole ending. */
unsigned cs_hpm_script_ending(void);

#endif
