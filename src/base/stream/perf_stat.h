// SPDX-License-Identifier: Apache-2.0
/* Recorded counts: the output of `perf stat -I MS -x,` as tables of one event
 * each, and as streams.
 *
 * A line is  time,[CPUn,]count,unit,event[,anything]  where `time` is the end of
 * the interval in seconds since the start and `count` what was counted in it.
 * Understood are the plain form and that of -A (a CPUn field); other ways of
 * aggregation (sockets, cores, dies, threads) are CS_ERR_UNSUPPORTED. Skipped
 * are empty lines, lines that begin with '#', and lines without an event (the
 * further metrics of the event before). An event name between slashes may
 * contain the separator. */
#ifndef CS_BASE_PERF_STAT_H
#define CS_BASE_PERF_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stream/perf_stat_line.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_perf_stat cs_perf_stat;

/* The intervals of one event (of one CPU). Owned by the cs_perf_stat. */
typedef struct cs_perf_series {
    const char *event;
    int32_t cpu; /* CS_PERF_STAT_ALL_CPUS in the plain form */
    size_t intervals;
    const uint64_t *end_ns; /* strictly ascending */
    const uint64_t *counts;
    size_t not_counted; /* intervals with <not counted> or <not supported>; their count is 0 */
    bool fractional;    /* some count had digits after the point, here rounded down */
} cs_perf_series;

/* Reads `size` bytes at `text` (no NUL needed; not kept). `name` is what
 * diagnostics call it; they carry line and column. `separator` is that of -x.
 * Errors: CS_ERR_FORMAT, CS_ERR_UNSUPPORTED, CS_ERR_NO_MEMORY; *out is NULL then.
 * A file without a single count is CS_ERR_FORMAT. */
cs_status cs_perf_stat_parse(const char *text, size_t size, const char *name, char separator,
                             cs_perf_stat **out, cs_diag *diag);

/* NULL is allowed. */
void cs_perf_stat_destroy(cs_perf_stat *stat);

/* Series in the order of their first line. NULL where index is too large. */
size_t cs_perf_stat_count(const cs_perf_stat *stat);
const cs_perf_series *cs_perf_stat_at(const cs_perf_stat *stat, size_t index);

/* NULL where there is no such series. */
const cs_perf_series *cs_perf_stat_find(const cs_perf_stat *stat, const char *event, int32_t cpu);

/* The series as a stream of `pool`, at a bus clock of clock_mhz (1..1000000);
 * an interval ends at cycle floor(ns * clock_mhz / 1000). CS_ERR_RANGE where an
 * interval has less than one cycle or more than CS_MAX_INCREMENT counts a cycle,
 * CS_ERR_UNSUPPORTED for fractional counts (msec, Joules). */
cs_status cs_perf_series_stream(const cs_perf_series *series, uint32_t clock_mhz,
                                cs_stream_after after, cs_stream_pool *pool, const cs_stream **out,
                                cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
