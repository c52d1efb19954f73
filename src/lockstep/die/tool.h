// SPDX-License-Identifier: Apache-2.0
/* Other programs, and folders for their work. */
#ifndef CS_LOCKSTEP_DIE_TOOL_H
#define CS_LOCKSTEP_DIE_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <countersink/base/diag.h>

/* Whether there is such a program in PATH. */
bool cs_tool_exists(const char *program);

/* Runs a program (argv ends with NULL) with its output in the file `log`. CS_ERR_UNSUPPORTED when
 * it fails, with the first error that the log tells. */
cs_status cs_tool_run(char *const argv[], const char *log, cs_diag *diag);

/* Makes a folder and those above it; only its owner may write to it (kept.h). CS_ERR_IO. */
cs_status cs_tool_make_folder(const char *path, cs_diag *diag);

/* The folder for what is made once and kept: `own` (may be NULL), $COUNTERSINK_CACHE,
 * $XDG_CACHE_HOME/countersink, ~/.cache/countersink. CS_ERR_IO: there is none. */
cs_status cs_tool_cache(const char *own, char *out, size_t size, cs_diag *diag);

/* Opens and locks a file, and waits for who has the lock; -1: it cannot be made. Whoever unlinks it
 * before closing it gives the lock away. */
int cs_tool_lock(const char *path);

#endif
