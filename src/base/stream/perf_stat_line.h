// SPDX-License-Identifier: Apache-2.0
/* A line of what `perf stat -x SEPARATOR` prints, one count:
 *
 *   [time,][CPUn,]count,unit,event[,running,percent[,anything]]
 *
 * An event name between slashes may contain the separator. */
#ifndef CS_BASE_PERF_STAT_LINE_H
#define CS_BASE_PERF_STAT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_STAT_ALL_CPUS (-1)

/* Part of a line, without blanks at its ends; not ended by NUL. */
typedef struct cs_perf_stat_field {
    const char *text;
    size_t size;
    unsigned column; /* from 1 */
} cs_perf_stat_field;

/* Where a line is, and what is known of its file. */
typedef struct cs_perf_stat_place {
    const char *name; /* of the file, for diagnostics */
    unsigned line;
    char separator;
    bool timed; /* -I: each line begins with a time */
} cs_perf_stat_place;

typedef struct cs_perf_stat_line {
    bool any;        /* false: the line has no count; nothing else is said then */
    uint64_t end_ns; /* of the interval, since the start; 0: not timed */
    int32_t cpu;     /* CS_PERF_STAT_ALL_CPUS in the plain form */
    uint64_t count;  /* rounded down */
    bool counted;    /* false: <not counted> or <not supported>; the count is 0 */
    bool fractional; /* it had digits after the point */
    cs_perf_stat_field time, value, unit, event;
    cs_perf_stat_field more[2]; /* after the event; size 0: nothing */
} cs_perf_stat_line;

/* Reads text[0..size), without the end of the line. Empty lines, those that begin with '#' and those without
 * an event (further metrics of the event before) have no count.
 * CS_ERR_FORMAT, with line and column; CS_ERR_UNSUPPORTED: counts of sockets, cores, dies or threads. */
cs_status cs_perf_stat_line_read(const char *text, size_t size, const cs_perf_stat_place *place,
                                 cs_perf_stat_line *out, cs_diag *diag);

/* All of it are decimal digits, of a number of at most 64 bits. */
bool cs_perf_stat_whole(const char *text, size_t size, uint64_t *out);

/* Seconds with nine digits after the point, as -I prints them. */
bool cs_perf_stat_is_time(const char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
