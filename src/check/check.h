// SPDX-License-Identifier: Apache-2.0
/* Holds a trace file against what really happened: reads it with the independent readers of
 * formats/ and compares with the truth of the run that wrote it (docs/traces/traces_check.md). */
#ifndef CS_CHECK_CHECK_H
#define CS_CHECK_CHECK_H

#include "formats/common/table.h"
#include "formats/format.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An option of a format, as it was given; its check has seen the text. */
typedef struct cs_check_given {
    const cs_format_option *option;
    const char *text;
} cs_check_given;

/* All borrowed. */
typedef struct cs_check_request {
    const char *path;  /* the file */
    const char *truth; /* a run folder; NULL: the one beside it (formats/common/beside.h) */
    /* A format's name (formats/formats.h); NULL: told from the file and the truth. */
    const char *as;
    /* The one perf command that the file is of, as "SECTION.perf.0"; NULL: that of
     * `path`.truth/trace.json, or all. */
    const char *command;
    const cs_check_given *given; /* the last of an option counts */
    size_t nr_given;
    cs_table_format format;
} cs_check_request;

/* The options that formats have for a check, one after the other; NULL at `nr` and beyond. */
const cs_format_option *cs_check_option_at(size_t nr);

/* Writes a row for each thing that was compared: what, event, cpu, how many were expected and found,
 * how many differ, within which bound, the verdict, and the first that differs. CS_OK: some agree, and
 * none disagrees; CS_ERR_DIFFERENCE: some do, with how many rows; CS_ERR_UNDECIDED: nothing could be
 * compared, with the reason; CS_ERR_FORMAT: the file cannot be read to its end (what was read before is
 * compared all the same, and printed), or the truth is none; CS_ERR_RANGE, CS_ERR_USAGE: a bad request; CS_ERR_IO: files,
 * database, sink; CS_ERR_NO_MEMORY. */
cs_status cs_check_trace(const cs_check_request *request, const cs_text_sink *sink, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
