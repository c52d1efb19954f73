// SPDX-License-Identifier: Apache-2.0
/* The file of a sweep as JSON. */
#ifndef CS_REPORT_SWEEPS_H
#define CS_REPORT_SWEEPS_H

#include <stdio.h>

#include <countersink/base/diag.h>

/* CS_ERR_FORMAT: it is none. */
cs_status cs_report_check_sweep(const char *path, cs_diag *diag);
cs_status cs_report_put_sweep(const char *path, const char *name, FILE *out, cs_diag *diag);

#endif
