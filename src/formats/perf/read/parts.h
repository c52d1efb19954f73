// SPDX-License-Identifier: Apache-2.0
/* Opens perf.data as it lies in the file system: a file, a pipe, or the folder that `perf record
 * --threads` writes, whose parts data.0, data.1 and so on are read behind `data`. */
#ifndef CS_FORMATS_PERF_READ_PARTS_H
#define CS_FORMATS_PERF_READ_PARTS_H

#include "formats/common/input.h"
#include "formats/perf/read/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_perfread_parts cs_perfread_parts;

/* As cs_perfread_open, or of what cannot be sought in as cs_perfread_open_pipe. What comes back in *parts is
 * closed after the reader, also after an error; `in` stays open as long. */
cs_status cs_perfread_open_input(cs_input *in, cs_perfread_parts **parts, cs_perfread **out,
                                 cs_diag *diag);
void cs_perfread_close_parts(cs_perfread_parts *parts); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
