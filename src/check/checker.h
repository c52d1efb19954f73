// SPDX-License-Identifier: Apache-2.0
/* How a file of a format is held against the truth. To add one, write a `const cs_checker cs_checker_<name>`
 * and name it in the format's row of traces/formats.def. */
#ifndef CS_CHECK_CHECKER_H
#define CS_CHECK_CHECKER_H

#include <stdbool.h>

#include "formats/format.h"
#include <countersink/base/diag.h>

struct cs_checking;

typedef struct cs_checker {
    /* Reads the file and adds a row for each thing that was compared (check/impl.h). */
    cs_status (*check)(struct cs_checking *check);
    /* Of a format that may be told falsely (cs_format.weak): whether the request or the file's name says
     * that it is right; NULL: they never do. */
    bool (*is_sure)(const struct cs_checking *check);
    const cs_format_option *const *options; /* of `check`; ended by NULL; NULL: none */
} cs_checker;

#endif
