// SPDX-License-Identifier: Apache-2.0
/* Internal to the formats of profilers: what all of them do. They keep the run's samples with their
 * stacks (stacks.h), and write the file when the run has ended. */
#ifndef CS_TRACES_PROFILE_PROFILE_H
#define CS_TRACES_PROFILE_PROFILE_H

#include <stdio.h>

#include "traces/common/tasks.h"
#include "traces/format.h"
#include "traces/profile/stacks.h"

typedef struct cs_profile {
    const cs_scenario *scenario;
    const cs_trace_request *request;
    cs_trace_feed *feed;
    const cs_trace_events *events; /* the feed's */
    cs_trace_tasks *tasks[2];      /* of the host, of guests */
    cs_stacks stacks;
    const struct cs_profile_writer *writer;
    FILE *file;
    uint64_t end_ns;
} cs_profile;

typedef struct cs_profile_writer {
    const char *what; /* "a flame graph's stacks" */
    bool by_name;     /* frames are functions, not addresses in them */
    /* Of what fails at writing the file's error flag tells. */
    cs_status (*write)(cs_profile *profile, FILE *file, cs_diag *diag);
} cs_profile_writer;

/* As functions of a cs_trace_format. */
cs_status cs_profile_check(const cs_scenario *scenario, const cs_trace_request *request,
                           const char *what, cs_diag *diag);
cs_status cs_profile_open(const cs_trace_place *place, const cs_profile_writer *writer,
                          void **state, cs_run_listener *listener, cs_diag *diag);
void cs_profile_close(void *state);

#define CS_PROFILE_PROCESS_BYTES 32u

/* -1: nobody knows. */
static inline int64_t cs_profile_pid(uint32_t pid)
{
    return pid != UINT32_MAX ? (int64_t)pid : -1;
}

/* The process's name; "pid 12" of one that the scenario does not name. */
const char *cs_profile_process(const cs_profile *profile, uint32_t pid,
                               char out[CS_PROFILE_PROCESS_BYTES]);

/* A text in quotes, as JSON has it. */
void cs_profile_json(FILE *file, const char *text);

/* How an event is called: its name, and of the second that has it "#2". Returns `out`. */
#define CS_PROFILE_EVENT_BYTES 528u
const char *cs_profile_event(const cs_profile *profile, size_t event,
                             char out[CS_PROFILE_EVENT_BYTES]);

/* ---- sums ---- */

/* Of periods; INT64_MAX where it would be more, as no format has room for it. */
static inline uint64_t cs_profile_add(uint64_t a, uint64_t b)
{
    return a < INT64_MAX && b < INT64_MAX - a ? a + b : INT64_MAX;
}

/* Samples that are alike, added up. */
typedef struct cs_profile_total {
    uint32_t event, cpu, pid, stack;
    uint64_t samples, periods;
} cs_profile_total;

/* By rising event, CPU, process and stack; with `cpus` false the CPU is 0. To be freed. NULL: no
 * memory, or (*nr is 0 then) none. */
cs_profile_total *cs_profile_totals(cs_profile *profile, bool cpus, size_t *nr);

/* ---- order ---- */

/* A sample of stacks.samples, and what it is grouped by. */
typedef struct cs_profile_place {
    uint32_t event, cpu, pid;
    uint32_t sample;
} cs_profile_place;

/* All samples by rising event and CPU, with `processes` by process, too; those that are alike stay in
 * their order. To be freed. NULL: no memory. */
cs_profile_place *cs_profile_order(cs_profile *profile, bool processes);
/* Where the group that begins at `from` ends. */
size_t cs_profile_group_end(const cs_profile *profile, const cs_profile_place *order, size_t from,
                            bool processes);

#endif
