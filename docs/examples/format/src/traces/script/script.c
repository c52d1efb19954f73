// SPDX-License-Identifier: Apache-2.0
/* The format `script`: a line for each sample that perf gets. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/script/abi/script.h"
#include "traces/common/feed.h"
#include "traces/format.h"

typedef struct script {
    cs_trace_feed *feed;
    const char *name;
    FILE *file;
} script;

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    cs_trace_events *events;
    bool counts;
    cs_status status = cs_trace_events_check(s, request, "a script", &counts, &events, diag);

    cs_trace_events_destroy(events);
    if (status == CS_OK && counts)
        status = cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                             "format script needs a perf command that samples");
    return status;
}

static void put(void *ctx, const cs_trace_record *r)
{
    const script *t = ctx;

    if (r->type == CS_TRACE_SAMPLE)
        fprintf(t->file, "%5u [%03u] %5" PRIu64 ".%09" PRIu64 ": %10" PRIu64 " %s: %16" PRIx64 "\n",
                r->pid, r->cpu, r->time_ns / 1000000000, r->time_ns % 1000000000, r->period,
                t->feed->events->list[r->event].name, r->ip);
}

static void close_script(void *state)
{
    script *t = state;

    if (t->file != NULL)
        fclose(t->file);
    cs_trace_feed_destroy(t->feed);
    free(t);
}

static cs_status end(void *ctx, cs_cycle cycle, cs_diag *diag)
{
    const script *t = ctx;

    (void)cycle;
    if (fflush(t->file) != 0 || ferror(t->file) != 0)
        return cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(errno));
    return cs_trace_feed_status(t->feed, t->name, "a script", diag);
}

static cs_status open_script(const cs_trace_place *place, void **state, cs_run_listener *listener,
                             cs_diag *diag)
{
    script *t = calloc(1, sizeof *t);
    const cs_trace_sink sink = {.record = put, .end = end, .ctx = t};

    *state = t;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    t->name = place->request->output;
    cs_status status = cs_trace_feed_create(place, &sink, listener, &t->feed, diag);
    if (status == CS_OK && (t->file = fopen(place->path, "wb")) == NULL)
        status = cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(errno));
    if (status == CS_OK)
        fputs(CS_SCRIPT_TITLE, t->file);
    if (status != CS_OK) {
        close_script(t);
        *state = NULL;
    }
    return status;
}

const cs_trace_format cs_trace_script = {
    .check = check, .open = open_script, .close = close_script};
