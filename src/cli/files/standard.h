// SPDX-License-Identifier: Apache-2.0
/* "-" in place of a file that is written: standard output. */
#ifndef CS_CLI_STANDARD_H
#define CS_CLI_STANDARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/files/output.h"
#include <countersink/base/diag.h>

/* Where a command writes until it knows that all is good. */
typedef struct cs_standard {
    const char
        *name; /* the file to be made: the one that was asked for, or one in a temporary place */
    cs_output
        *output; /* that place, which is gone with a signal, too; NULL: a file was asked for */
    char path[4400];
} cs_standard;

/* To be ended in any case. CS_ERR_IO: there is no place. */
cs_status cs_standard_begin(cs_standard *s, const char *asked, cs_diag *diag);
static inline bool cs_standard_is(const cs_standard *s)
{
    return s->output != NULL;
}
/* After success the file goes to standard output; what was made in the temporary place is gone. Returns
 * `status`, or what went wrong here. */
cs_status cs_standard_end(cs_standard *s, cs_status status, cs_diag *diag);

#endif
