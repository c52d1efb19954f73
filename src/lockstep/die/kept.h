// SPDX-License-Identifier: Apache-2.0
/* Shared objects that are kept in a folder: each is code that a later run executes. */
#ifndef CS_LOCKSTEP_DIE_KEPT_H
#define CS_LOCKSTEP_DIE_KEPT_H

#include <stdbool.h>

#include <countersink/base/diag.h>

/* Whether the object `path` of `folder` is there and whole. One that is not whole is to be made again.
 * CS_ERR_IO: somebody else could have written it, or could while it is used: folder or file are another
 * user's (not root's), or others may write to them. A folder that is not there yet is good. */
cs_status cs_kept_is_usable(const char *folder, const char *path, bool *usable, cs_diag *diag);

/* Whether the object, shared or not, is there and was written to its end. */
bool cs_kept_is_whole(const char *path);

/* Gives a new object its name: all of it or, after a power cut, nothing is there. The two may be on different
 * file systems. Only its owner may write to it. CS_ERR_IO. */
cs_status cs_kept_put(const char *made, const char *path, cs_diag *diag);

#endif
