// SPDX-License-Identifier: Apache-2.0
/* A retirement trace as a file of lines, told to a golden block: docs/yours/retirement.md, "The file". */
#ifndef CS_CLI_FOLLOW_TRACE_H
#define CS_CLI_FOLLOW_TRACE_H

#include <stdint.h>

#include <countersink/base/diag.h>

typedef struct cs_followed {
    uint64_t instructions, compared, differences;
} cs_followed;

/* `tell`: called with each difference. CS_ERR_IO: the file cannot be read; CS_ERR_FORMAT, with its line: it says
 * what cannot be. */
cs_status cs_follow_file(const char *path, void (*tell)(void *ctx, const char *text), void *ctx,
                         cs_followed *out, cs_diag *diag);

#endif
