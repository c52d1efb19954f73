// SPDX-License-Identifier: Apache-2.0
/* Internal to golden: a model that is made of settings, words "name=number". */
#ifndef CS_GOLDEN_SETTINGS_H
#define CS_GOLDEN_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#define CS_GOLDEN_SETTINGS 16u /* of a model, at most */

typedef struct cs_golden_setting {
    const char *name;
    uint64_t value; /* where nothing is said */
    uint64_t most;
} cs_golden_setting;

typedef struct cs_golden_kind {
    const cs_golden_setting *settings;
    size_t nr_settings;
    size_t bytes; /* of the golden model */
    /* Makes the model in `golden`, which is all zero, of the settings' values. */
    cs_status (*create)(void *golden, const uint64_t *values, cs_diag *diag);
} cs_golden_kind;

#define CS_GOLDEN_ERROR_BYTES 1280u
/* Why the last of the thread's models was refused. */
extern _Thread_local char cs_golden_reason[CS_GOLDEN_ERROR_BYTES];

/* Words stand between blanks, commas and ends of lines. A golden model, for free(); NULL:
 * cs_golden_reason says what is wrong (with `text`, too: NULL). */
void *cs_golden_make(const cs_golden_kind *kind, const char *text);

#endif
