// SPDX-License-Identifier: Apache-2.0
#include "traces/common/feed.h"

#include <stdio.h>
#include <stdlib.h>

#include "drivers/told.h"
#include "traces/common/times.h"
#include "traces/family.h"

/* ---- for families ---- */

void cs_trace_feed_put(cs_trace_feed *f, const cs_trace_record *record)
{
    if (record->event != f->events->nr && f->sink.record != NULL)
        f->sink.record(f->sink.ctx, record);
}

void cs_trace_feed_throttled(cs_trace_feed *f, const cs_trace_family *family,
                             const cs_soft_record *record)
{
    const cs_throttled *t = cs_told_throttled(record);

    cs_trace_feed_put(
        f, &(cs_trace_record){.type = t->stopped ? CS_TRACE_THROTTLE : CS_TRACE_UNTHROTTLE,
                              .event = cs_trace_events_find(f->events, family, 0, t->event),
                              .cpu = record->cpu,
                              .time_ns = cs_trace_ns(f->scenario, record->cycle)});
}

void cs_trace_feed_fail(cs_trace_feed *f, cs_status status)
{
    if (f->status == CS_OK)
        f->status = status;
}

void *cs_trace_feed_state(const cs_trace_feed *f, const cs_trace_family *family)
{
    unsigned i = 0;

    while (cs_trace_families[i] != family)
        i++;
    return f->states[i];
}

/* ---- what the kernel says ---- */

static void opened(void *ctx, const cs_soft_record *record)
{
    cs_trace_feed *f = ctx;
    const cs_trace_family *family = NULL;
    cs_trace_opening opening = {0};
    cs_perf_command command;

    for (unsigned i = 0; i < CS_NR_TRACE_FAMILIES; i++)
        if (cs_trace_families[i]->opened == record->kind)
            family = cs_trace_families[i];
    family->opening(record, &opening);
    if (cs_trace_events_find(f->events, family, opening.command, opening.event) == f->events->nr)
        return; /* of another command */
    if (opening.why == NULL)
        f->good++;
    else if (f->refused++ == 0 &&
             cs_perf_command_of(f->scenario, family->section, opening.command, &command))
        snprintf(f->why, sizeof f->why, "%s: %s", command.name, opening.why);
}

cs_status cs_trace_feed_status(const cs_trace_feed *f, const char *name, const char *what,
                               cs_diag *diag)
{
    bool others = f->counts;

    if (f->status != CS_OK)
        return cs_diag_set(diag, f->status, name, "the run's records do not make %s", what);
    for (size_t i = 0; i < f->events->nr; i++)
        others |= f->events->list[i].family->opened == NULL;
    if (f->refused == 0 || f->good > 0 || others)
        return CS_OK;
    return cs_diag_set(
        diag, CS_ERR_SCENARIO, f->scenario->source,
        "the kernel refuses every event that was to sample (%s), so perf writes no file; "
        "choose another perf command with --command",
        f->why);
}

/* ---- counts ---- */

static void counted(void *ctx, const cs_soft_record *record)
{
    const cs_trace_feed *f = ctx;

    f->sink.count(f->sink.ctx, cs_told_counted(record));
}

/* ---- the run ---- */

static cs_status begin(void *ctx, cs_environment *environment, cs_diag *diag)
{
    cs_trace_feed *f = ctx;

    (void)diag;
    f->environment = environment;
    for (unsigned i = 0; i < CS_NR_TRACE_FAMILIES; i++)
        if (f->states[i] != NULL && cs_trace_families[i]->begin != NULL)
            cs_trace_families[i]->begin(f, f->states[i]);
    if (f->sink.begin != NULL)
        f->sink.begin(f->sink.ctx, environment);
    return CS_OK;
}

static cs_status end(void *ctx, cs_cycle cycle, cs_diag *diag)
{
    const cs_trace_feed *f = ctx;

    return f->sink.end(f->sink.ctx, cycle, diag);
}

static bool is_there(const cs_trace_feed *f, const cs_trace_family *family)
{
    for (size_t i = 0; i < f->events->nr; i++)
        if (f->events->list[i].family == family)
            return true;
    return false;
}

static cs_status listen(cs_trace_feed *f, cs_run_listener *listener, cs_diag *diag)
{
    cs_status status = CS_OK;

    *listener = (cs_run_listener){.begin = begin, .end = end, .ctx = f};
    if (f->counts && f->sink.count != NULL)
        cs_run_hear(listener, &cs_soft_counted, counted);
    for (unsigned i = 0; i < CS_NR_TRACE_FAMILIES && !f->counts && status == CS_OK; i++) {
        const cs_trace_family *family = cs_trace_families[i];

        if (!is_there(f, family))
            continue;
        if (family->opened != NULL)
            cs_run_hear(listener, family->opened, opened);
        if (family->listen != NULL)
            status = family->listen(f, &f->states[i], listener, diag);
    }
    return status;
}

cs_status cs_trace_feed_create(const cs_trace_place *place, const cs_trace_sink *sink,
                               cs_run_listener *listener, cs_trace_feed **out, cs_diag *diag)
{
    cs_trace_feed *f = calloc(1, sizeof *f);
    cs_status status;

    *out = NULL;
    if (f == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    f->scenario = place->scenario;
    f->request = place->request;
    f->sink = *sink;
    status = cs_trace_events_create(f->scenario, f->request, &f->counts, &f->events, diag);
    if (status == CS_OK)
        status = listen(f, listener, diag);
    if (status != CS_OK) {
        cs_trace_feed_destroy(f);
        return status;
    }
    *out = f;
    return CS_OK;
}

void cs_trace_feed_destroy(cs_trace_feed *f)
{
    if (f == NULL)
        return;
    for (unsigned i = 0; i < CS_NR_TRACE_FAMILIES; i++)
        if (f->states[i] != NULL)
            cs_trace_families[i]->destroy(f->states[i]);
    cs_trace_events_destroy(f->events);
    free(f);
}
