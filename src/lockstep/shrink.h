// SPDX-License-Identifier: Apache-2.0
/* Makes a scenario that shows a difference as small as it can: keys, items of lists and values go as
 * long as model and RTL still differ in the same way (delta debugging). */
#ifndef CS_LOCKSTEP_SHRINK_H
#define CS_LOCKSTEP_SHRINK_H

#include "lockstep/trial.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_shrink_options {
    cs_die_options die;
    unsigned jobs;      /* comparisons at a time; the result does not depend on it */
    uint64_t budget_ns; /* what there is by then is the result; 0: no limit */
    unsigned seconds;   /* a comparison that takes longer has died */
    void (*progress)(void *ctx, unsigned trials, size_t bytes); /* may be NULL */
    void *progress_ctx;
} cs_shrink_options;

typedef struct cs_shrink_report {
    char *text; /* the smallest scenario; freed by the caller */
    cs_trial before, after;
    unsigned trials;
    size_t bytes_before, bytes_after;
} cs_shrink_report;

/* `text` is the scenario, `name` what messages call it; files that it names are looked up in
 * `folder`. CS_ERR_USAGE: it shows no difference. Errors of its comparison, of the scenario. */
cs_status cs_shrink(const char *text, const char *name, const char *folder,
                    const cs_shrink_options *options, cs_shrink_report *report, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
