// SPDX-License-Identifier: Apache-2.0
/* A run as a trace file: what perf, or another reader, gets of it (docs/traces/traces.md). */
#ifndef CS_TRACES_TRACE_H
#define CS_TRACES_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/files/output.h"
#include "results/run.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Microseconds of simulated time, [from_us, to_us); to_us 0: there is none. */
typedef struct cs_trace_window {
    uint64_t from_us, to_us;
} cs_trace_window;

#define CS_TRACE_WINDOW_MOST_US UINT64_C(1000000000000) /* 11 days */

/* What is asked for; all borrowed. */
typedef struct cs_trace_request {
    const char *format;  /* its name, or another spelling of it (formats/formats.h) */
    const char *flavour; /* NULL: the format's first */
    const char *command; /* the one perf command that is meant, "<section>.perf.0"; NULL: all */
    const char *output; /* the file, or folder; neither it nor the folder beside it may exist yet */
    bool switch_events; /* of formats that can: when CPUs go from one process to another */
    cs_trace_window window; /* of formats that can: only what begins in it */
} cs_trace_request;

typedef struct cs_trace cs_trace;

/* Behind the output's name: the run folder beside the trace. */
#define CS_TRACE_TRUTH ".truth"
/* In the run folder, of a perf.data file whose samples have addresses: the programs and the names of
 * functions, for perf's --symfs. */
#define CS_TRACE_SYMFS "/symfs"

/* Looks whether the scenario can give such a trace, and begins it under a hidden name. Errors:
 * CS_ERR_USAGE for an unknown format, flavour or command, with those there are; CS_ERR_SCENARIO
 * for a scenario that has nothing to trace; CS_ERR_IO; CS_ERR_NO_MEMORY. *out is NULL then. The
 * scenario and the request must outlive the trace. */
cs_status cs_trace_create(const cs_scenario *scenario, const cs_trace_request *request,
                          cs_trace **out, cs_diag *diag);

/* For cs_run_options.listener, and .within. */
const cs_run_listener *cs_trace_listener(cs_trace *trace);
const cs_output *cs_trace_output(const cs_trace *trace);
/* What was asked for goes into the run folder as trace.json, so that `check` need not be told; then both have
 * their names. */
cs_status cs_trace_commit(cs_trace *trace, const char *folder, cs_diag *diag);

/* Nothing is left of it, unless it has been committed. NULL is allowed. */
void cs_trace_destroy(cs_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
