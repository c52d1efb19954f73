// SPDX-License-Identifier: Apache-2.0
/* Rows of what happened when (activity.h). */
#ifndef CS_RESULTS_COMMON_ACTIVITY_ROWS_H
#define CS_RESULTS_COMMON_ACTIVITY_ROWS_H

#include "results/truth/truth.h"
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table each; texts are valid during the call. */
typedef enum cs_activity_table {
    CS_ACTIVITY_STATE,
    CS_ACTIVITY_LINE,
    CS_ACTIVITY_ACCESS,
    CS_ACTIVITY_TRANSFER,
    CS_ACTIVITY_LOAD,
    CS_ACTIVITY_SOFTWARE,
    CS_ACTIVITY_TABLES
} cs_activity_table;
extern const cs_truth_table *const cs_activity_tables[CS_ACTIVITY_TABLES + 1]; /* ended by NULL */

/* "core" and 5: a number that the unit's part has for it, or that of the source. */
typedef struct cs_truth_unit_name {
    const char *unit; /* static */
    unsigned number;
} cs_truth_unit_name;

typedef struct cs_truth_span {
    cs_cycle start; /* the first cycle, */
    cs_cycle stop;  /* and the first one after it */
} cs_truth_span;

void cs_truth_state(cs_truth_rows *rows, cs_truth_unit_name unit, cs_truth_span span,
                    const char *state);
void cs_truth_line(cs_truth_rows *rows, cs_truth_unit_name unit, cs_truth_span span, unsigned line);
void cs_truth_access(cs_truth_rows *rows, cs_truth_unit_name unit, const cs_probe_record *record);
void cs_truth_transfer(cs_truth_rows *rows, const char *manager, const cs_probe_record *record);
/* A second one of the same manager and start is added to the first. */
void cs_truth_load(cs_truth_rows *rows, const char *manager, cs_truth_span span, uint64_t held);
void cs_truth_software(cs_truth_rows *rows, unsigned cpu, cs_truth_span span, const char *who);

#ifdef __cplusplus
}
#endif

#endif
