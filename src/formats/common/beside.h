// SPDX-License-Identifier: Apache-2.0
/* The run folder that a file belongs to. */
#ifndef CS_FORMATS_COMMON_BESIDE_H
#define CS_FORMATS_COMMON_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first of these folders that has a truth.sqlite: PATH.truth, which a trace has beside it, the
 * file's own folder, and the one above, as of records/ in a run folder. False: none has, or the name is
 * longer than `size`. */
bool cs_run_folder_beside(const char *path, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
