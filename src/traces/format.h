// SPDX-License-Identifier: Apache-2.0
/* How a format is made of a run. To add one:
 *
 *  1. Write a file in a folder of src/traces/ with a `const cs_trace_format cs_trace_<name>`.
 *  2. Name it in the format's row of formats.def, which is the only place that knows of it.
 *  3. `check` says before anything is simulated whether the scenario can give such a trace.
 *  4. `open` makes the file place->path (a folder that is there already, if the format is one), and fills in
 *     the listener (results/run.h): its functions get the run as it goes on; `ctx` is the format's own.
 *  5. The listener's `end` writes what is left, and closes. A failure in between is kept for `end`.
 *  6. `close` frees, after `end` or instead of it. The caller names or removes the file.
 *
 * What formats share: traces/common/feed.h (what perf gets of a run: samples, AUX data, counts), events.h (the
 * events that a scenario's perf commands open, with names, CPUs and ids), tasks.h (processes and where their
 * functions are mapped), image.h (memory at the end); traces/timeline/view.h (all that happened, on tracks). */
#ifndef CS_TRACES_FORMAT_H
#define CS_TRACES_FORMAT_H

#include "formats/formats.h"
#include "traces/trace.h"

typedef struct cs_trace_place {
    const cs_scenario *scenario;
    const cs_trace_request *request; /* with its flavour filled in, where the format has some */
    const char *path;                /* to be written; valid as long as the trace */
} cs_trace_place;

typedef struct cs_trace_format {
    const char *summary;         /* a line for --formats; NULL: the format's own */
    const char *const *flavours; /* ended by NULL, the first is the default; NULL: none */
    bool switches;               /* it can have request->switch_events, */
    bool windows;                /* request->window */
    /* CS_ERR_SCENARIO with what is missing, CS_ERR_USAGE for a command that is none. */
    cs_status (*check)(const cs_scenario *scenario, const cs_trace_request *request, cs_diag *diag);
    /* *state NULL on failure. */
    cs_status (*open)(const cs_trace_place *place, void **state, cs_run_listener *listener,
                      cs_diag *diag);
    void (*close)(void *state);
    /* After the end: what belongs into the run folder, besides the truth. NULL: nothing. */
    cs_status (*beside)(void *state, const char *folder, cs_diag *diag);
} cs_trace_format;

/* A row of the list. */
typedef struct cs_trace_row {
    const cs_format *format;
    const cs_trace_format *made;
} cs_trace_row;

/* The rows of formats that can be made of a run, in the order of the list; NULL at `nr` and beyond. */
const cs_trace_row *cs_trace_row_at(size_t nr);

#endif
