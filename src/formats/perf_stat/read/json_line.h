// SPDX-License-Identifier: Apache-2.0
/* Internal to the reader: a line of `perf stat -j`, and the texts of a row. */
#ifndef CS_FORMATS_PERF_STAT_READ_JSON_LINE_H
#define CS_FORMATS_PERF_STAT_READ_JSON_LINE_H

#include "base/stream/perf_stat_line.h"
#include "formats/perf_stat/read/perf_stat.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_STATREAD_TEXT 256u /* bytes of a text, with its end */

/* The texts of one row, one after the other. */
typedef struct cs_statread_texts {
    char bytes[6 * CS_STATREAD_TEXT];
    size_t used;
} cs_statread_texts;

/* *out is a copy of text[0..size), or NULL where that is. False: it is too long. */
bool cs_statread_keep(cs_statread_texts *texts, const char **out, const char *text, size_t size);

/* Fills all of the row but its offset. *any false: the line has no count, but further metrics. */
cs_status cs_statread_json(const char *line, size_t bytes, const cs_perf_stat_place *place,
                           cs_statread_texts *texts, cs_statread_row *row, bool *any,
                           cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
