// SPDX-License-Identifier: Apache-2.0
/* Internal to a timeline's stream: what is added up by groups. */
#ifndef CS_CHECK_TIMELINE_SUMS_H
#define CS_CHECK_TIMELINE_SUMS_H

#include "check/row_hash.h"
#include "check/timeline/timeline.h"

/* ---- events ---- */

/* A row for each combination of texts, CPU and line: numbers are sums, the offset is the least. */
typedef struct cs_evsums cs_evsums;

cs_status cs_evsums_create(cs_checking *check, cs_evsums **out);
void cs_evsums_destroy(cs_evsums *sums);
/* *more: false: there are too many of them for a file of ours. */
cs_status cs_evsums_add(cs_evsums *sums, const cs_ev *ev, bool *more);
/* Into table ev. */
cs_status cs_evsums_store(cs_evsums *sums, cs_evtable *table);

/* ---- rows of the truth ---- */

/* How many rows each pair of grp and cpu has. */
typedef struct cs_evgroups cs_evgroups;

cs_status cs_evgroups_create(cs_checking *check, cs_evgroups **out);
void cs_evgroups_destroy(cs_evgroups *groups);
/* The query's row, whose columns 0 and 1, of the hash, are grp and cpu. */
cs_status cs_evgroups_add(cs_evgroups *groups, const cs_row_hash *key, sqlite3_stmt *query);
/* Table groups_NR(grp, cpu, n). */
cs_status cs_evgroups_store(cs_evgroups *groups, unsigned nr);

#endif
