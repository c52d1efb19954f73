// SPDX-License-Identifier: Apache-2.0
/* Comparisons in processes of their own, several at a time: SystemC has one simulation a process, and
 * RTL that is wrong may hang or crash. */
#ifndef CS_LOCKSTEP_TRIAL_H
#define CS_LOCKSTEP_TRIAL_H

#include "lockstep/compare.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_TRIAL_JOBS 32u /* at most at a time */

/* What a comparison came to. */
typedef struct cs_trial {
    uint64_t number;  /* as it was started with */
    cs_status status; /* CS_ERR_IO: its process died, which the diagnostic tells of */
    cs_diag diag;
    bool died;
    cs_compare_what what;
    cs_cycle cycle;
    char field[32];
    uint8_t kind; /* of the record that differs, and its source; UINT8_MAX: it is no record */
    uint16_t source;
    uint64_t model_value, rtl_value;
    uint64_t cycles, records, of_kind[5], perf_samples, memory_bytes;
    /* What its records showed (random/steer.h), if that was asked for; freed by cs_trial_clear. */
    uint64_t *points;
    size_t nr_points;
} cs_trial;

void cs_trial_clear(cs_trial *trial);

/* It differs, or its process died. */
bool cs_trial_differs(const cs_trial *trial);

/* "DIFFERENT at cycle 12, core 1, field 'value'": for people; returns buffer. */
const char *cs_trial_tell(const cs_trial *trial, char *buffer, size_t size);

typedef struct cs_trials cs_trials;

/* Options: of each comparison; `progress` and `warn` are not called. `seconds`: who takes more of
 * a processor's time has died. */
cs_status cs_trials_create(unsigned jobs, const cs_compare_options *options, bool points,
                           unsigned seconds, cs_trials **out, cs_diag *diag);
/* Ends those that run. NULL is allowed. */
void cs_trials_destroy(cs_trials *trials);

/* Declared points (coverage.h) that there are; 0: points were not asked for. */
size_t cs_trials_declared(const cs_trials *trials);

/* How many run, and whether one more may. */
unsigned cs_trials_running(const cs_trials *trials);
bool cs_trials_room(const cs_trials *trials);

/* Begins a comparison of a scenario's text; files that it names are looked up in `folder`. There must
 * be room. A die that is not there is made first, here. CS_ERR_IO: no process can be started; what
 * cs_die_find says. */
cs_status cs_trials_start(cs_trials *trials, uint64_t number, const char *text, const char *folder,
                          cs_diag *diag);

/* The time that went into dies so far: no comparison took it. */
uint64_t cs_trials_made_ns(const cs_trials *trials);

/* Waits for the next that is complete; one must run. CS_ERR_NO_MEMORY, CS_ERR_IO. */
cs_status cs_trials_next(cs_trials *trials, cs_trial *out, cs_diag *diag);

/* One comparison, waited for. */
cs_status cs_trial_run(const char *text, const char *folder, const cs_compare_options *options,
                       unsigned seconds, cs_trial *out, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
