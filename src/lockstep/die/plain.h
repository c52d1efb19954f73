// SPDX-License-Identifier: Apache-2.0
/* Names that make, and the shell that it calls, take for one word. Others never reach them: what is made is
 * made in a folder that has such a name, of files that have such names. */
#ifndef CS_LOCKSTEP_DIE_PLAIN_H
#define CS_LOCKSTEP_DIE_PLAIN_H

#include <limits.h>

#include "base/files/output.h"

/* The folder `scratch`, as an absolute name; where that is not plain, one of our own below $TMPDIR, or /tmp,
 * that goes with *elsewhere (for cs_output_abandon; else NULL). CS_ERR_IO. */
cs_status cs_plain_folder(const char *scratch, char out[PATH_MAX], cs_output **elsewhere,
                          cs_diag *diag);

/* `path`, or where that is not plain, a link to it in the plain `folder`, of its last name with '_' for what
 * is not plain, in a folder for this `number`. CS_ERR_IO. */
cs_status cs_plain_name(const char *folder, unsigned number, const char *path, char out[PATH_MAX],
                        cs_diag *diag);

#endif
