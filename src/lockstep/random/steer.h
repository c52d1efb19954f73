// SPDX-License-Identifier: Apache-2.0
/* What random scenarios have seen so far, and which choices brought it. A point is something that
 * records showed: a register read in a state, an answer of the bus, a state after another. A choice
 * that was made in scenarios with new points weighs more in the next ones; none weighs nothing.
 *
 * Points below CS_STEER_DECLARED are declared ones (docs/hw/points/), by their number: each counts as many
 * others. */
#ifndef CS_LOCKSTEP_RANDOM_STEER_H
#define CS_LOCKSTEP_RANDOM_STEER_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_steer cs_steer;

#define CS_STEER_DECLARED (UINT64_C(1) << 32)
#define CS_STEER_LEAST 8u /* a choice that has long brought nothing */
#define CS_STEER_MOST 64u /* one that is new, or brings much */

cs_status cs_steer_create(cs_steer **out, cs_diag *diag);
void cs_steer_destroy(cs_steer *steer); /* NULL is allowed */

/* Of a choice, CS_STEER_LEAST..CS_STEER_MOST; of all alike where there is no steer. */
unsigned cs_steer_weight(const cs_steer *steer, uint64_t choice);

/* A scenario with these choices has shown these points. CS_ERR_NO_MEMORY. */
cs_status cs_steer_learn(cs_steer *steer, const uint64_t *choices, size_t nr_choices,
                         const uint64_t *points, size_t nr_points, cs_diag *diag);

/* How many different points there were. */
size_t cs_steer_points(const cs_steer *steer);
/* Of these, how many declared ones. */
size_t cs_steer_declared(const cs_steer *steer);

/* ---- the points of one comparison ---- */

typedef struct cs_seen cs_seen;

cs_status cs_seen_create(cs_seen **out, cs_diag *diag);
void cs_seen_destroy(cs_seen *seen); /* NULL is allowed */
/* Records come in the order of their cycles. */
void cs_seen_record(cs_seen *seen, const cs_probe_record *record);
/* A declared point, by its number. */
void cs_seen_declared(cs_seen *seen, size_t number);
/* All of them, in rising order; valid until the next record. */
size_t cs_seen_points(cs_seen *seen, const uint64_t **points);

#ifdef __cplusplus
}
#endif

#endif
