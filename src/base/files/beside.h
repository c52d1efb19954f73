// SPDX-License-Identifier: Apache-2.0
/* Files next to the running program, in a build tree or in an installation. */
#ifndef CS_BASE_FILES_BESIDE_H
#define CS_BASE_FILES_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first of these folders that has `file` into *out; they count from the program's own, then from those
 * above it. The list ends with NULL. False: none has it, and *out is "". */
bool cs_beside_program(char *out, size_t size, const char *file, const char *const folders[]);

#ifdef __cplusplus
}
#endif

#endif
