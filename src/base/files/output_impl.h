// SPDX-License-Identifier: Apache-2.0
/* Internal to base/files: the hidden folder as a place. */
#ifndef CS_BASE_FILES_OUTPUT_IMPL_H
#define CS_BASE_FILES_OUTPUT_IMPL_H

#include "base/files/output.h"

#define CS_OUTPUT_SUFFIX ".countersink"
/* Names in it: of the first thing; of the second with its suffix behind. */
#define CS_OUTPUT_MADE "made"
/* A link to the name of the first thing: all is complete, and only names are missing. */
#define CS_OUTPUT_COMPLETE "complete"

typedef enum cs_claim {
    CS_CLAIM_OURS,    /* the folder has been made, and is locked as far as it can be */
    CS_CLAIM_TAKEN,   /* by a living process */
    CS_CLAIM_FOREIGN, /* there is something of that name that is none of ours */
    CS_CLAIM_FAILED   /* errno says why */
} cs_claim;

/* The hidden folder `path`, after it has been cleared if it was left behind. *lock: to be closed, when the
 * folder is gone. */
cs_claim cs_output_claim(const char *path, int *lock);
/* Takes away what was left behind in the folder that `path` lies in. */
void cs_output_sweep(const char *path);
/* From one folder to another (open descriptors); nothing is replaced: EEXIST. */
bool cs_output_rename(int from, const char *name, int to, const char *new_name);

#endif
