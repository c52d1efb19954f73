// SPDX-License-Identifier: Apache-2.0
/* Takes away a file, or a folder with all that is in it. */
#ifndef CS_BASE_FILES_REMOVE_H
#define CS_BASE_FILES_REMOVE_H

#ifdef __cplusplus
extern "C" {
#endif

/* `name` as of the folder `at` (AT_FDCWD: the current one). Follows no links. What cannot be taken away
 * stays. May be called from a signal handler. */
void cs_remove_all(int at, const char *name);

#ifdef __cplusplus
}
#endif

#endif
