// SPDX-License-Identifier: Apache-2.0
/* What a comparison looked at: which of the hardware's parts did anything, and what. A comparison
 * in which one of them did nothing has not shown that it is alike. */
#ifndef CS_LOCKSTEP_EXERCISE_H
#define CS_LOCKSTEP_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/scenario.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A part of the scenario's hardware, as a source of records; `also` is another number of it (the
 * same where there is none). */
typedef struct cs_part {
    uint16_t source, also;
} cs_part;

/* An access that a part has answered. */
typedef struct cs_exercised_register {
    uint16_t source;
    bool write;
    uint64_t addr;
    uint64_t times, errors; /* how often; of these, without OKAY */
} cs_exercised_register;

typedef struct cs_exercised {
    cs_part part;
    char name[32]; /* "core 3" */
    uint64_t reads, writes, states, edges, samples;
    bool idle;       /* none of them */
    bool on_purpose; /* the scenario's compare.idle has it */
} cs_exercised;

typedef struct cs_exercise cs_exercise;

cs_status cs_exercise_create(cs_exercise **out, cs_diag *diag);
void cs_exercise_destroy(cs_exercise *exercise); /* NULL is allowed */

/* CS_ERR_NO_MEMORY. */
cs_status cs_exercise_add(cs_exercise *exercise, cs_part part, cs_diag *diag);
void cs_exercise_record(cs_exercise *exercise, const cs_probe_record *record);
/* After the last record. CS_ERR_NO_MEMORY: one was lost. CS_ERR_SCENARIO: compare.idle names something that is not there, or that
 * was not idle. */
cs_status cs_exercise_end(cs_exercise *exercise, const cs_scenario *scenario, cs_diag *diag);

/* The parts, in the order in which they were added; NULL behind the last. */
const cs_exercised *cs_exercise_at(const cs_exercise *exercise, size_t at);
/* All registers that were accessed, also those of parts that nobody has added: by source, address,
 * write. */
size_t cs_exercise_registers(const cs_exercise *exercise, const cs_exercised_register **out);
/* Those that did nothing and are not meant to: how many; "core 3, core 4, ..." in buffer. */
size_t cs_exercise_idle(const cs_exercise *exercise, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
