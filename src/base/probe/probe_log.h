// SPDX-License-Identifier: Apache-2.0
/* A growing buffer of probe records, to be taken out in order: records may come
 * in any order of cycles, a consumer takes all of the cycles that are finished. */
#ifndef CS_BASE_PROBE_LOG_H
#define CS_BASE_PROBE_LOG_H

#include <stddef.h>

#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_probe_log cs_probe_log;

cs_status cs_probe_log_create(cs_probe_log **out, cs_diag *diag);

/* NULL is allowed. */
void cs_probe_log_destroy(cs_probe_log *log);

/* Forgets all records and a failure. */
void cs_probe_log_reset(cs_probe_log *log);

/* Copies *record. CS_ERR_NO_MEMORY: it is lost, and cs_probe_log_status says so. */
cs_status cs_probe_log_append(cs_probe_log *log, const cs_probe_record *record);

/* The log as a sink, valid as long as the log. A sink cannot refuse: ask
 * cs_probe_log_status afterwards. */
cs_probe_sink cs_probe_log_sink(cs_probe_log *log);

/* CS_OK, or CS_ERR_NO_MEMORY if any record was ever lost. */
cs_status cs_probe_log_status(const cs_probe_log *log);

/* The number of records that wait. */
size_t cs_probe_log_count(const cs_probe_log *log);

/* Takes all records of cycles < below out of the log, sorted by cs_probe_order
 * and, where that says equal, by the other fields in the order of their
 * declaration: the order of arrival has no say. CS_NEVER takes everything (there
 * are no records of cycle CS_NEVER). *records is valid until the next append,
 * take or reset; the result is their number. */
size_t cs_probe_log_take(cs_probe_log *log, cs_cycle below, const cs_probe_record **records);

#ifdef __cplusplus
}
#endif

#endif
