// SPDX-License-Identifier: Apache-2.0
/* Reads what `perf stat -x SEPARATOR` and `perf stat -j` print, a count at a time (docs/traces/traces.md,
 * "Counts as perf prints them"). */
#ifndef CS_FORMATS_PERF_STAT_READ_PERF_STAT_H
#define CS_FORMATS_PERF_STAT_READ_PERF_STAT_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/common/table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_STATREAD_ALL_CPUS (-1)

/* Texts are valid until the next row. */
typedef struct cs_statread_row {
    uint64_t offset;   /* of its line in the file */
    bool timed;        /* it is of an interval (-I) .. */
    uint64_t end_ns;   /* .. which ends there */
    int32_t cpu;       /* CS_STATREAD_ALL_CPUS: of all, or of a task */
    const char *value; /* as it is printed; NULL: <not counted>, or <not supported> */
    bool whole;        /* then it is `count`, which is 0 without a value */
    uint64_t count;
    const char *unit; /* "": none */
    const char *event;
    bool has_running; /* for how long it had a counter, and how much of the time that was */
    uint64_t running_ns;
    const char *percent; /* as "100.00" */
    bool mean;           /* of several runs (-r) */
} cs_statread_row;

typedef struct cs_statread cs_statread;

/* `name` (borrowed) is for messages. CS_ERR_NO_MEMORY. */
cs_status cs_statread_open(const cs_byte_source *source, const char *name, cs_statread **out,
                           cs_diag *diag);
void cs_statread_close(cs_statread *reader); /* NULL is allowed */

/* *row is the next one, valid until the next call; NULL at the end. CS_ERR_FORMAT: the file is no such table,
 * with line and column, what was expected and found. CS_ERR_UNSUPPORTED: counts of sockets, cores, dies or threads. */
cs_status cs_statread_next(cs_statread *reader, const cs_statread_row **row, cs_diag *diag);

/* Prints a row per count, with its byte. */
cs_status cs_statread_print(cs_statread *reader, cs_table_format format, const cs_text_sink *sink,
                            cs_diag *diag);

/* Whether a file that begins so is such a table. */
bool cs_statread_looks_so(const uint8_t *look, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
