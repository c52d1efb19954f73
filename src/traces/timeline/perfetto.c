// SPDX-License-Identifier: Apache-2.0
/* A run as a timeline for Perfetto, in one of two forms: a track of the view is a track of a group. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/machine/bus_spec.h"
#include "traces/format.h"
#include "traces/timeline/perfetto_forms.h"
#include "traces/timeline/view.h"
#include <countersink/base/numbers.h>

#define BUFFER_BYTES 65536u
#define MAX_GROUPS (CS_UNITS_END + 2) /* the bus's, and a unit's each */
/* Viewers show the numbers of groups and tracks beside their names: they are small, in the order in which
 * they come up. A group has less tracks than this. */
#define TRACKS_OF_GROUP 100u

typedef struct perfetto_trace {
    const char *path; /* borrowed */
    FILE *file;
    cs_view *view;
    const cs_perfetto_form *form;
    void *timeline; /* of the form */
    struct {
        unsigned number; /* 0: it has not come up */
        unsigned nr_tracks;
    } groups[MAX_GROUPS];
    unsigned nr_groups;
    cs_diag diag; /* of the file's first failure */
} perfetto_trace;

static cs_status write_text(void *ctx, const char *text, size_t bytes)
{
    perfetto_trace *t = ctx;

    if (fwrite(text, 1, bytes, t->file) == bytes)
        return CS_OK;
    return cs_diag_set(&t->diag, CS_ERR_IO, t->path, "cannot write: %s", strerror(errno));
}

/* ---- events ---- */

/* The group's number. */
static unsigned group_of(perfetto_trace *t, const cs_view_track *track)
{
    const unsigned at = track->group;

    if (t->groups[at].number == 0) {
        t->groups[at].number = ++t->nr_groups;
        t->form->name_group(t->timeline, t->nr_groups, track->group_name, track->group);
    }
    return t->groups[at].number;
}

static cs_perfetto_track track_of(perfetto_trace *t, cs_view_track *track)
{
    const unsigned group = group_of(t, track);
    const bool known = track->writer != NULL;

    if (!known)
        track->writer =
            (void *)(uintptr_t)(TRACKS_OF_GROUP * group + ++t->groups[track->group].nr_tracks);
    const cs_perfetto_track numbers = {group, (unsigned)(uintptr_t)track->writer};
    if (!known)
        t->form->name_track(t->timeline, numbers, track->name, track->number);
    return numbers;
}

/* In [from, to) the counter has the value of the last field; behind it nothing is known. */
static cs_status put_counter(perfetto_trace *t, const cs_view_event *e)
{
    const cs_view_class *class = e->type;
    const size_t last = class->nr_fields - 1;
    const double value = (double)e->values[last].number;
    const char *unit = class->fields[last].name;
    const unsigned group = group_of(t, e->track);

    if (cs_view_shows(t->view, e->from))
        t->form->counter(t->timeline, group, e->name, unit, e->from, value);
    return cs_view_shows(t->view, e->to)
               ? t->form->counter(t->timeline, group, e->name, unit, e->to, 0)
               : CS_OK;
}

static cs_status put(void *ctx, const cs_view_event *e)
{
    perfetto_trace *t = ctx;
    const cs_perfetto_args args = {e->type->fields, e->values, e->type->nr_fields};

    if (e->type->shape == CS_VIEW_COUNTER)
        return put_counter(t, e);
    const cs_perfetto_track track = track_of(t, e->track);
    if (e->type->shape == CS_VIEW_SLICE)
        return t->form->slice(t->timeline, track, e->name, e->from, e->to, &args);
    return t->form->instant(t->timeline, track, e->name, e->from, &args);
}

/* ---- the run ---- */

static cs_status end(void *ctx, cs_status status, cs_diag *diag)
{
    perfetto_trace *t = ctx;

    if (status == CS_OK)
        status = t->form->end(t->timeline);
    FILE *file = t->file;
    t->file = NULL;
    if (fclose(file) != 0 && status == CS_OK)
        status = cs_diag_set(&t->diag, CS_ERR_IO, t->path, "cannot write: %s", strerror(errno));
    if (status != CS_OK && diag != NULL)
        *diag = t->diag;
    return status;
}

static void close_trace(void *state)
{
    perfetto_trace *t = state;

    if (t->file != NULL)
        fclose(t->file);
    if (t->timeline != NULL)
        t->form->destroy(t->timeline);
    cs_view_destroy(t->view);
    free(t);
}

static cs_status begin(perfetto_trace *t, const cs_scenario *s, cs_diag *diag)
{
    static const cs_field fields[] = {
        {"tracer", CS_FIELD_TEXT, 0, NULL, 0},
        {"scenario", CS_FIELD_TEXT, 0, NULL, 0},
        {"seed", CS_FIELD_DECIMAL, 64, NULL, 0},
        {"clock_mhz", CS_FIELD_DECIMAL, 32, NULL, 0},
    };
    const cs_field_value values[] = {
        {.text = "countersink"}, {.text = s->name}, {s->seed}, {s->bus->clock_mhz}};
    const cs_perfetto_args facts = {fields, values, sizeof fields / sizeof fields[0]};
    const cs_text_sink file = {write_text, t};
    const cs_view_sink sink = {put, end, t};

    t->file = fopen(t->path, "wb");
    if (t->file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, t->path, "cannot be made: %s", strerror(errno));
    setvbuf(t->file, NULL, _IOFBF, BUFFER_BYTES);
    if (t->form->begin(&file, s->bus->clock_mhz, &facts, &t->timeline) != CS_OK)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a timeline");
    return cs_view_create(s, &sink, &t->view, diag);
}

static cs_status open_trace(const cs_trace_place *place, void **state, cs_run_listener *listener,
                            cs_diag *diag)
{
    perfetto_trace *t = calloc(1, sizeof *t);

    *state = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    t->path = place->path;
    t->form = cs_perfetto_form_of(place->request->flavour);
    const cs_status status = begin(t, place->scenario, diag);
    if (status != CS_OK) {
        close_trace(t);
        return status;
    }
    cs_view_limit(t->view, &place->request->window);
    cs_view_listen(t->view, listener);
    *state = t;
    return CS_OK;
}

const cs_trace_format cs_trace_perfetto = {
    .summary = "a timeline of all that happened, for ui.perfetto.dev (Trace Event JSON, or "
               "protocol buffers)",
    .flavours = cs_perfetto_flavours,
    .windows = true,
    .check = cs_view_check,
    .open = open_trace,
    .close = close_trace,
};
