// SPDX-License-Identifier: Apache-2.0
/* Reads the text of `perf script` (docs/script.md) a line at a time. */
#ifndef CS_FORMATS_SCRIPT_READ_SCRIPT_H
#define CS_FORMATS_SCRIPT_READ_SCRIPT_H

#include <stdbool.h>

#include "formats/common/byte_source.h"

#define CS_SCRIPT_MOST 1024u /* bytes of a line */

typedef struct cs_script {
    cs_byte_source source; /* set by the caller .. */
    const char *name;      /* .. and this, for messages; the rest is zero at first */
    unsigned line;         /* from 1 */
    char text[CS_SCRIPT_MOST], event[CS_SCRIPT_MOST];
    uint64_t time_ns, period, ip;
    unsigned pid, cpu;
} cs_script;

/* The next sample; false: there is no more. CS_ERR_FORMAT: a line is none of the format. */
cs_status cs_script_next(cs_script *script, bool *any, cs_diag *diag);

#endif
