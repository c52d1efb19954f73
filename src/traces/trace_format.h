/* Internal to traces: what a format is. To add one:
 *
 *  1. Write src/traces/<name>.c with a `const cs_trace_format cs_trace_<name>`.
 *  2. Declare it below, and name it in the table of trace.c.
 *  3. `check` says before anything is simulated whether the scenario can give such a trace.
 *  4. `open` makes the file place->path (a folder that is there already, if `folder`), and fills in the
 *     listener (results/run.h): what it hears gets to it as the run goes on; `ctx` is the format's own.
 *  5. The listener's `end` writes what is left, and closes. A failure in between is kept for `end`.
 *  6. `close` frees, after `end` or instead of it. The caller names or removes the file.
 *
 * What formats share: perf_events.h (the events that a scenario's perf commands open, with names, CPUs and
 * ids), tasks.h (processes and where their functions are mapped), times.h (cycles as nanoseconds),
 * ring_feed.h (records of the harts' rings), pmcu_feed.h (subsamples that the driver hands over). */
#ifndef CS_TRACES_TRACE_FORMAT_H
#define CS_TRACES_TRACE_FORMAT_H

#include "traces/trace.h"

typedef struct cs_trace_place {
    const cs_scenario *scenario;
    const cs_trace_request *request; /* with its flavour filled in, where the format has some */
    const char *path;                /* to be written; valid as long as the trace */
} cs_trace_place;

struct cs_trace_format {
    const char *name;
    const char *summary;         /* a line for --help */
    const char *const *flavours; /* ended by NULL, the first is the default; NULL: none */
    bool folder;                 /* it is a folder of files */
    bool switches;               /* it can have request->switch_events */
    /* CS_ERR_SCENARIO with what is missing, CS_ERR_USAGE for a command that is none. */
    cs_status (*check)(const cs_scenario *scenario, const cs_trace_request *request, cs_diag *diag);
    /* *state NULL on failure. */
    cs_status (*open)(const cs_trace_place *place, void **state, cs_run_listener *listener,
                      cs_diag *diag);
    void (*close)(void *state);
};

extern const cs_trace_format cs_trace_perf;
extern const cs_trace_format cs_trace_ctf;
extern const cs_trace_format cs_trace_perfetto;
extern const cs_trace_format cs_trace_csv;
extern const cs_trace_format cs_trace_json;
extern const cs_trace_format cs_trace_aux;
extern const cs_trace_format cs_trace_imc;
extern const cs_trace_format cs_trace_core_imc;
extern const cs_trace_format cs_trace_thread_imc;
extern const cs_trace_format cs_trace_nest_imc;
extern const cs_trace_format cs_trace_snapshot;

#endif
