// SPDX-License-Identifier: Apache-2.0
/* A run as Common Trace Format: a stream for each track of the view. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/ctf/write/ctf.h"
#include "scenario/machine/bus_spec.h"
#include "traces/format.h"
#include "traces/timeline/view.h"

#define MAX_CLASSES 4u /* of a kind of tracks */
/* Hundreds of streams may be open, each with a packet in memory. */
#define PACKET_BYTES 16384u

typedef struct ctf_trace {
    cs_view *view;
    cs_ctf *ctf;
    cs_ctf_fact facts[3];
    cs_ctf_stream_class kinds[CS_VIEW_KINDS];
    cs_ctf_event_class classes[CS_VIEW_KINDS][MAX_CLASSES];
    cs_diag diag; /* of the first failure of a stream */
} ctf_trace;

/* The view's tables as the writer wants them. */
static void fill_tables(ctf_trace *t)
{
    for (unsigned kind = 0; kind < CS_VIEW_KINDS; kind++) {
        const cs_view_kind_info *info = cs_view_kinds[kind];

        for (size_t i = 0; i < info->nr_classes; i++)
            t->classes[kind][i] = (cs_ctf_event_class){
                info->classes[i]->name, info->classes[i]->fields, info->classes[i]->nr_fields};
        t->kinds[kind] = (cs_ctf_stream_class){info->instance, t->classes[kind], info->nr_classes};
    }
}

/* Kinds of tracks that the scenario has something for: all but some of the last. */
static size_t nr_kinds(const cs_scenario *s)
{
    size_t n = CS_VIEW_KINDS;

    while (cs_view_kinds[n - 1]->wanted != NULL && !cs_view_kinds[n - 1]->wanted(s))
        n--;
    return n;
}

/* The same scenario gives the same one: FNV-1a of its text, twice, marked as a number of one's own
 * making (RFC 9562, version 8). */
static void make_uuid(const char *text, uint8_t uuid[CS_CTF_UUID_BYTES])
{
    for (unsigned half = 0; half < 2; half++) {
        uint64_t hash = 0xcbf29ce484222325u + half;

        for (const char *c = text; *c != '\0'; c++)
            hash = (hash ^ (uint8_t)*c) * 0x00000100000001b3u;
        for (unsigned i = 0; i < 8; i++)
            uuid[8 * half + i] = (uint8_t)(hash >> (8 * i));
    }
    uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x80);
    uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
}

/* "cpu 3", "hand over" -> "cpu_3.hand_over" */
static void name_stream(const cs_view_track *track, char name[2 * CS_VIEW_NAME_BYTES])
{
    snprintf(name, 2 * CS_VIEW_NAME_BYTES, "%s.%s", track->group_name, track->name);
    for (char *c = name; *c != '\0'; c++)
        if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-", *c) == NULL)
            *c = '_';
}

/* Numbers of managers and units mean something in this program only: readers are to show a name. */
static cs_status label_stream(ctf_trace *t, const cs_view_track *track, cs_ctf_stream *stream)
{
    const cs_view_owner owner = cs_view_kinds[track->kind]->owner;
    char manager[CS_VIEW_NAME_BYTES];

    if (owner == CS_VIEW_OF_MANAGER)
        return cs_ctf_label(
            stream,
            cs_probe_source_name(CS_PROBE_BUS, (uint16_t)track->instance, manager, sizeof manager),
            &t->diag);
    return owner == CS_VIEW_OF_UNIT ? cs_ctf_label(stream, track->group_name, &t->diag) : CS_OK;
}

static cs_status put(void *ctx, const cs_view_event *e)
{
    ctf_trace *t = ctx;
    cs_ctf_stream *stream = e->track->writer;

    if (!cs_view_shows(t->view, e->from)) /* the end of a counter, which has no event */
        return CS_OK;
    if (stream == NULL) {
        char name[2 * CS_VIEW_NAME_BYTES];

        name_stream(e->track, name);
        cs_status status =
            cs_ctf_open(t->ctf, e->track->kind, e->track->instance, name, &stream, &t->diag);
        if (status == CS_OK)
            status = label_stream(t, e->track, stream);
        if (status != CS_OK)
            return status;
        e->track->writer = stream;
    }
    const cs_status status = cs_ctf_put(stream, e->index, e->from, e->values);
    if (status == CS_ERR_RANGE)
        cs_diag_set(&t->diag, status, e->track->group_name,
                    "%s of cycle %" PRIu64 " does not fit behind what came before", e->type->name,
                    e->from);
    return status;
}

/* ---- the run ---- */

static cs_status end(void *ctx, cs_status status, cs_diag *diag)
{
    ctf_trace *t = ctx;
    const bool told = t->diag.status != CS_OK;
    const cs_status closed = cs_ctf_close(t->ctf, told ? NULL : &t->diag);

    t->ctf = NULL;
    status = status != CS_OK ? status : closed;
    if (status != CS_OK && diag != NULL)
        *diag = t->diag;
    return status;
}

static cs_status create(ctf_trace *t, const cs_scenario *s, const char *path, cs_diag *diag)
{
    cs_ctf_config config = {
        .clock_hz = (uint64_t)s->bus->clock_mhz * 1000000,
        .clock_name = "bus",
        .facts = t->facts,
        .nr_facts = sizeof t->facts / sizeof t->facts[0],
        .classes = t->kinds,
        .nr_classes = nr_kinds(s),
        .packet_bytes = PACKET_BYTES,
    };
    const cs_view_sink sink = {put, end, t};

    t->facts[0] = (cs_ctf_fact){"tracer_name", "countersink", 0};
    t->facts[1] = (cs_ctf_fact){"scenario", s->name, 0};
    t->facts[2] = (cs_ctf_fact){"seed", NULL, (int64_t)s->seed};
    fill_tables(t);
    make_uuid(s->yaml, config.uuid);
    cs_status status = cs_ctf_create(path, &config, &t->ctf, diag);
    if (status == CS_OK)
        status = cs_view_create(s, &sink, &t->view, diag);
    return status;
}

static void close_trace(void *state)
{
    ctf_trace *t = state;

    cs_view_destroy(t->view);
    cs_ctf_abandon(t->ctf);
    free(t);
}

static cs_status open_trace(const cs_trace_place *place, void **state, cs_run_listener *listener,
                            cs_diag *diag)
{
    ctf_trace *t = calloc(1, sizeof *t);

    *state = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    const cs_status status = create(t, place->scenario, place->path, diag);
    if (status != CS_OK) {
        close_trace(t);
        return status;
    }
    cs_view_limit(t->view, &place->request->window);
    cs_view_listen(t->view, listener);
    *state = t;
    return CS_OK;
}

const cs_trace_format cs_trace_ctf = {
    .summary =
        "Common Trace Format 1.8, a folder: all that happened, for babeltrace2 and Trace Compass",
    .windows = true,
    .check = cs_view_check,
    .open = open_trace,
    .close = close_trace,
};
