// SPDX-License-Identifier: Apache-2.0
/* What `coverage` prints. */
#ifndef CS_CLI_COVERAGE_REPORT_H
#define CS_CLI_COVERAGE_REPORT_H

#include <stdio.h>

#include "lockstep/coverage.h"

#define CS_COVERAGE_GROUPS 8u

typedef enum cs_coverage_format {
    CS_COVERAGE_TEXT,
    CS_COVERAGE_CSV, /* a row per point */
    CS_COVERAGE_JSON,
    CS_COVERAGE_HTML
} cs_coverage_format;

typedef struct cs_coverage_request {
    cs_coverage_format format;
    const char *unit;                       /* NULL: all */
    const char *groups[CS_COVERAGE_GROUPS]; /* none: all */
    size_t nr_groups;
    bool all;     /* the text names what was reached, too */
    bool require; /* the exit status says whether all were */
} cs_coverage_request;

bool cs_coverage_format_of(const char *name, cs_coverage_format *out);

/* True: all that is asked for was reached. */
bool cs_coverage_report(const cs_coverage *coverage, const cs_coverage_request *request, FILE *out);

#endif
