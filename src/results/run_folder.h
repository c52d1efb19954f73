// SPDX-License-Identifier: Apache-2.0
/* A run folder appears whole or not at all (base/files/output.h). */
#ifndef CS_RESULTS_RUN_FOLDER_H
#define CS_RESULTS_RUN_FOLDER_H

#include <stdio.h>

#include "base/files/output.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_run_folder cs_run_folder;

/* Begins the folder `path`, or, when path is NULL, runs/<name>-<n> with the first free n from 1 on, which is
 * claimed at once. CS_ERR_IO when the path exists already or cannot be made. */
cs_status cs_run_folder_begin(const char *path, const char *name, cs_run_folder **out,
                              cs_diag *diag);
/* The first of stem-1, stem-2, .. that is free. */
cs_status cs_run_folder_begin_numbered(const char *stem, cs_run_folder **out, cs_diag *diag);
/* The folder is a thing of an output (CS_OUTPUT_FIRST, CS_OUTPUT_SECOND), which whoever has begun that
 * commits. */
cs_status cs_run_folder_begin_within(const cs_output *output, unsigned thing, cs_run_folder **out,
                                     cs_diag *diag);

/* Where `file` lies while the run goes on; valid until the next call. */
const char *cs_run_folder_path(cs_run_folder *folder, const char *file);

/* The name that the folder will have. */
const char *cs_run_folder_name(const cs_run_folder *folder);

/* Opens a file for writing; it is closed, and checked, by cs_run_folder_close. */
cs_status cs_run_folder_open(cs_run_folder *folder, const char *file, FILE **out, cs_diag *diag);
cs_status cs_run_folder_close(cs_run_folder *folder, const char *file, FILE *stream, cs_diag *diag);

/* A folder inside; it may be there already. */
cs_status cs_run_folder_subfolder(cs_run_folder *folder, const char *name, cs_diag *diag);

/* Copies the file `from` to `name` in the folder, whose own folders are made; `name` is relative and leads
 * nowhere else. */
cs_status cs_run_folder_copy(cs_run_folder *folder, const char *from, const char *name,
                             cs_diag *diag);

/* Gives the folder its name, if it is no one else's to give. The object is gone afterwards, also on failure. */
cs_status cs_run_folder_commit(cs_run_folder *folder, cs_diag *diag);

/* Removes all that was written. NULL is allowed. */
void cs_run_folder_abandon(cs_run_folder *folder);

#ifdef __cplusplus
}
#endif

#endif
