// SPDX-License-Identifier: Apache-2.0
/* What a command makes appears whole or not at all. Until then it is in a hidden folder next to its
 * name, `.NAME.countersink`, which no other user can read or write:
 *
 *  - Making that folder claims the name: of two that want it one is refused at once.
 *  - Its maker keeps it locked (flock). One that is not locked was left by a process that was killed:
 *    who next makes an output in that place takes it away, and says so.
 *  - A signal that ends the process takes it away, too (base/files/ending.h).
 *  - Nothing that exists is replaced, unless that is asked for.
 *
 * An output may have a second thing beside the first, as a trace has its truth. Both get their names
 * together: if a process is killed between the two, the next one gives the second its name. */
#ifndef CS_BASE_FILES_OUTPUT_H
#define CS_BASE_FILES_OUTPUT_H

#include <stdbool.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_output cs_output;

#define CS_OUTPUT_FOLDER 1u /* it is a folder, which is made; else a file, which the caller makes */
#define CS_OUTPUT_REPLACE 2u /* a file of that name may be there: it is replaced */

/* Claims the name. CS_ERR_IO: it exists, is being made by another process, or cannot be made. `flags` of
 * the two above. */
cs_status cs_output_begin(const char *name, unsigned flags, cs_output **out, cs_diag *diag);
/* The first of stem-1, stem-2, .. that is free; a folder. */
cs_status cs_output_begin_numbered(const char *stem, cs_output **out, cs_diag *diag);
/* The second thing, a folder named as the first with `suffix` (a constant) behind it. */
cs_status cs_output_add_folder(cs_output *output, const char *suffix, cs_diag *diag);

#define CS_OUTPUT_FIRST 0u
#define CS_OUTPUT_SECOND 1u
/* The name that a thing will have, and its place until then; valid as long as the output. */
const char *cs_output_name(const cs_output *output, unsigned thing);
const char *cs_output_path(const cs_output *output, unsigned thing);
/* The hidden folder: everything else in it is removed with it. */
const char *cs_output_scratch(const cs_output *output);

/* Gives all things their names. The object is gone afterwards, and on failure all that it holds. */
cs_status cs_output_commit(cs_output *output, cs_diag *diag);
/* Takes all away. NULL is allowed. */
void cs_output_abandon(cs_output *output);

/* Called with a line for each thing that others have left, and what became of it. NULL: not called. */
void cs_output_set_listener(void (*say)(const char *text));

#ifdef __cplusplus
}
#endif

#endif
