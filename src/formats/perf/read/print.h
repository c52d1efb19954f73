// SPDX-License-Identifier: Apache-2.0
/* A perf.data file as tables: its records, a row a record; and what its header says. */
#ifndef CS_FORMATS_PERF_READ_PRINT_H
#define CS_FORMATS_PERF_READ_PRINT_H

#include <stdbool.h>

#include "formats/common/table.h"
#include "formats/perf/read/data.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERFREAD_NR_TYPES 128u

typedef struct cs_perfread_print_options {
    cs_table_format format;
    bool some;                       /* only types that are set below */
    bool only[CS_PERFREAD_NR_TYPES]; /* by type */
    bool full;                       /* raw bytes, stacks and lists whole, not their beginning */
} cs_perfread_print_options;

/* "SAMPLE,COMM" into options->only, in upper or lower case; numbers are allowed. CS_ERR_RANGE names
 * the word that is no type. */
cs_status cs_perfread_only(const char *names, cs_perfread_print_options *options, cs_diag *diag);

/* Prints what is left of the records. Errors of cs_perfread_next and of the sink; what came before
 * is printed (and the table ended) all the same. */
cs_status cs_perfread_print(cs_perfread *reader, const cs_perfread_print_options *options,
                            const cs_text_sink *sink, cs_diag *diag);

/* Prints header facts and events, a row a fact: fact, index (of an event, a PMU ..), value. Of a
 * pipe that is what has been read so far. */
cs_status cs_perfread_print_facts(const cs_perfread *reader, cs_table_format format,
                                  const cs_text_sink *sink, cs_diag *diag);

/* What is special in a record, as "comm=ls exec" (detail.c); *text grows and is to be
 * freed, *room is its size. False: no memory. */
bool cs_perfread_detail(const cs_perfread *reader, const cs_perfread_record *record, bool full,
                        char **text, size_t *room);

#ifdef __cplusplus
}
#endif

#endif
