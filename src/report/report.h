// SPDX-License-Identifier: Apache-2.0
/* Runs and sweeps as one page for a browser (docs/uses/report.md). The page needs no network: the plotting
 * library, the page's code and the data are in it. */
#ifndef CS_REPORT_REPORT_H
#define CS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_report_request {
    const char *const *inputs; /* run folders, folders of ways, files of sweeps */
    size_t nr_inputs;
    const char *output;  /* the page */
    bool replace;        /* it may exist */
    const char *title;   /* NULL: what the scenarios and sweeps are called */
    const char *version; /* of the program, for the page's foot */
} cs_report_request;

/* Errors: CS_ERR_FORMAT for an input that is none, CS_ERR_IO, CS_ERR_NO_MEMORY. The page appears whole or not
 * at all. */
cs_status cs_report_write(const cs_report_request *request, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
