// SPDX-License-Identifier: Apache-2.0
/* Which of the declared points (docs/hw/points/, docs/verification.md) the records of a run reach. It
 * looks at records only, those of the model and those of the RTL each by itself.
 *
 *     cs_coverage *coverage;
 *     cs_coverage_create(&coverage, &diag);
 *     options.coverage = coverage;                   of cs_compare: it hands over what it compares
 *     cs_compare(scenario, &options, &report, &diag);
 *     for (size_t i = 0; i < cs_coverage_count(coverage); i++)
 *         if (cs_coverage_at(coverage, i)->hits[CS_COVERAGE_MODEL] != 0) ...
 *
 * The order of the points is that of the pages in this program. */
#ifndef CS_LOCKSTEP_COVERAGE_H
#define CS_LOCKSTEP_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_coverage cs_coverage;

typedef enum cs_coverage_side {
    CS_COVERAGE_MODEL,
    CS_COVERAGE_RTL,
    CS_COVERAGE_SIDES
} cs_coverage_side;

typedef struct cs_coverage_point {
    const char *unit;   /* as the file of its points is named */
    const char *group;  /* "states", "arcs", "fields", "errors", "crossings" */
    const char *name;   /* "STORE -> SWITCH" */
    const char *page;   /* of docs/hw */
    const char *reason; /* why it is not asked for; NULL: it is */
    uint64_t hits[CS_COVERAGE_SIDES];
} cs_coverage_point;

/* CS_ERR_FORMAT: a file of points is wrong. */
cs_status cs_coverage_create(cs_coverage **out, cs_diag *diag);
void cs_coverage_destroy(cs_coverage *coverage); /* NULL is allowed */

/* A run of the scenario begins (cs_compare does so): what was reached stays, states and flags are those of
 * a reset. */
struct cs_scenario;
void cs_coverage_begin(cs_coverage *coverage, const struct cs_scenario *scenario);

/* Records of one side, in the order of a log (base/probe/probe_log.h), all of a cycle in one call. */
void cs_coverage_see(cs_coverage *coverage, cs_coverage_side side, const cs_probe_record *records,
                     size_t count);

size_t cs_coverage_count(const cs_coverage *coverage);
/* nr < count. */
const cs_coverage_point *cs_coverage_at(const cs_coverage *coverage, size_t nr);

/* Adds to what a file holds, which is made where there is none; other processes wait meanwhile. */
cs_status cs_coverage_add_to_file(const cs_coverage *coverage, const char *path, cs_diag *diag);
/* Adds what a file holds. Points that this program does not know are dropped: *unknown counts them. */
cs_status cs_coverage_read_file(cs_coverage *coverage, const char *path, size_t *unknown,
                                cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
