// SPDX-License-Identifier: Apache-2.0
/* What a report is made of: run folders, folders of ways, files of sweeps. */
#ifndef CS_REPORT_SOURCE_H
#define CS_REPORT_SOURCE_H

#include <stdio.h>

#include <countersink/base/diag.h>

typedef enum cs_report_source {
    CS_REPORT_RUN,
    CS_REPORT_WAYS, /* a folder of runs, with ways.json */
    CS_REPORT_SWEEP
} cs_report_source;

/* CS_ERR_IO: it is not there. CS_ERR_FORMAT: it is none of the three, or a run that has not ended. */
cs_status cs_report_what(const char *path, cs_report_source *what, cs_diag *diag);

/* Writes it as JSON: an object; of ways one for each, and one for all of them, with commas between. */
cs_status cs_report_put(const char *path, cs_report_source what, FILE *out, cs_diag *diag);

/* The last part of a path. */
void cs_report_name(const char *path, char *out, size_t size);

#endif
