// SPDX-License-Identifier: Apache-2.0
/* A run folder as JSON: its panels, filled from its truth. */
#ifndef CS_REPORT_RUN_H
#define CS_REPORT_RUN_H

#include <stdio.h>

#include <countersink/base/diag.h>

/* `group`: the folder of ways that it is in; NULL: none. CS_ERR_FORMAT: its truth is not as this program
 * writes it. */
cs_status cs_report_put_run(const char *folder, const char *name, const char *group, FILE *out,
                            cs_diag *diag);

/* A file of a folder, whole; to be freed. */
cs_status cs_report_read(const char *folder, const char *name, char **out, cs_diag *diag);

#endif
