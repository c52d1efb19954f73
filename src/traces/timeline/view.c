// SPDX-License-Identifier: Apache-2.0
#include "traces/timeline/view.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenario/machine/bus_spec.h"
#include "traces/timeline/view_tracks.h"
#include "traces/timeline/view_unit.h"

/* How often the load of the bus is told. */
#define LOAD_US 10u

struct cs_view {
    const cs_scenario *scenario;
    cs_view_sink sink;
    cs_view_tracks tracks;
    cs_cycle load_cycles;
    cs_cycle from, to; /* the window */
    cs_status status;
};

const cs_scenario *cs_view_scenario(const cs_view *v)
{
    return v->scenario;
}

cs_view_place *cs_view_place_of(cs_view *v, cs_view_kind kind, unsigned source, unsigned index)
{
    cs_view_place *place = NULL;

    if (v->status != CS_OK)
        return NULL;
    place = cs_view_tracks_get(&v->tracks, kind, source, index);
    if (place == NULL)
        v->status = CS_ERR_NO_MEMORY;
    return place;
}

void cs_view_limit(cs_view *v, const cs_trace_window *window)
{
    const unsigned mhz = v->scenario->bus->clock_mhz;

    if (window->to_us == 0)
        return;
    v->from = window->from_us * mhz;
    v->to = window->to_us * mhz;
}

bool cs_view_shows(const cs_view *v, cs_cycle cycle)
{
    return cycle >= v->from && cycle < v->to;
}

static const cs_view_class *class_of(const cs_view_place *place, unsigned index)
{
    return cs_view_kinds[place->track.kind]->classes[index];
}

void cs_view_tell(cs_view *v, cs_view_place *place, unsigned index, const char *name, cs_cycle from,
                  cs_cycle to, const cs_field_value *values)
{
    const cs_view_class *class = class_of(place, index);
    const cs_view_event event = {
        .track = &place->track,
        .index = index,
        .type = class,
        .name = name != NULL ? name : class->name,
        .from = from,
        .to = to,
        .values = values,
    };

    if (!cs_view_shows(v, from) && !(class->shape == CS_VIEW_COUNTER && cs_view_shows(v, to)))
        return;
    if (v->status == CS_OK)
        v->status = v->sink.event(v->sink.ctx, &event);
}

/* ---- what lasts until it changes: states, lines, software ---- */

/* The slice that is open on the track ends in `cycle`; its class is of the fields cycles, value. */
static void close_slice(cs_view *v, cs_view_place *place, cs_cycle cycle)
{
    const cs_field_value values[] = {{cycle - place->since}, {place->value}};
    const cs_view_class *class = class_of(place, place->class);

    if (!place->open)
        return;
    place->open = false;
    cs_view_tell(v, place, place->class, cs_view_label(&class->fields[1], place->value),
                 place->since, cycle, values);
}

static void open_slice(cs_view_place *place, uint64_t value, cs_cycle cycle)
{
    place->open = true;
    place->value = value;
    place->since = cycle;
}

static void state_changed(cs_view *v, const cs_probe_record *r)
{
    const cs_view_unit *unit = cs_view_unit_of(r->source);
    cs_view_place *place = unit != NULL && unit->states != NULL
                               ? cs_view_place_of(v, CS_VIEW_STATES, r->source, 0)
                               : NULL;

    if (place == NULL)
        return;
    close_slice(v, place, r->cycle);
    open_slice(place, r->value, r->cycle);
}

static void line_changed(cs_view *v, const cs_probe_record *r)
{
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_LINES, r->source, r->index % 16);

    if (place == NULL)
        return;
    close_slice(v, place, r->cycle);
    if (r->value != 0)
        open_slice(place, r->index, r->cycle);
}

/* From the record's cycle on the CPU runs another track of its timeline; 0: its workload. */
static void software_changed(cs_view *v, const cs_soft_record *r)
{
    const cs_track_change *change = cs_told_track(r);
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_SOFTWARE, r->cpu, 0);

    if (place == NULL)
        return;
    close_slice(v, place, r->cycle);
    if (change->track != 0)
        open_slice(place, change->track, r->cycle);
}

/* ---- the bus ---- */

/* The stretch of the load that is under way, [since, since + load_cycles), is over. */
static void end_stretch(cs_view *v, cs_view_place *place)
{
    const cs_field_value values[] = {{place->held}, {place->held * 100 / v->load_cycles}};

    if (place->held != 0)
        cs_view_tell(v, place, 0, place->track.name, place->since, place->since + v->load_cycles,
                     values);
    place->held = 0;
}

/* The bus was held in [from, to); calls for one manager come in rising cycles. */
static void add_load(cs_view *v, unsigned manager, cs_cycle from, cs_cycle to)
{
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_LOAD, manager, 0);

    while (place != NULL && from < to) {
        if (from >= place->since + v->load_cycles) {
            end_stretch(v, place);
            place->since = from - from % v->load_cycles;
        }
        const cs_cycle limit = place->since + v->load_cycles;
        const cs_cycle part = to < limit ? to : limit;

        place->held += part - from;
        from = part;
    }
}

static const char *transfer_name(bool write, uint8_t resp)
{
    static const char *const names[2][3] = {{"read", "read SLVERR", "read DECERR"},
                                            {"write", "write SLVERR", "write DECERR"}};

    return names[write][resp == CS_BUS_SLVERR ? 1 : resp == CS_BUS_DECERR ? 2 : 0];
}

static void transfer(cs_view *v, const cs_probe_record *r)
{
    const cs_field_value values[] = {
        {r->cycle + 1 - r->request}, {r->grant}, {r->write}, {r->addr}, {r->bytes}, {r->resp}};
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_TRANSFERS, r->source, 0);

    if (place == NULL)
        return;
    cs_view_tell(v, place, 0, transfer_name(r->write, r->resp), r->request, r->cycle + 1, values);
    add_load(v, r->source, r->grant, r->cycle + 1);
}

/* ---- units ---- */

static void access_to(cs_view *v, const cs_probe_record *r)
{
    const cs_view_unit *unit = cs_view_unit_of(r->source);
    const cs_field_value values[] = {{r->write}, {r->addr}, {r->value}, {r->bytes}, {r->resp}};
    cs_view_place *place;

    if (unit != NULL && unit->access != NULL) {
        unit->access(v, r);
        return;
    }
    place = cs_view_place_of(v, CS_VIEW_REGISTERS, r->source, 0);
    if (place != NULL)
        cs_view_tell(v, place, 0, transfer_name(r->write, r->resp), r->cycle, r->cycle, values);
}

static void sample(cs_view *v, const cs_probe_record *r)
{
    const cs_view_unit *unit = cs_view_unit_of(r->source);

    if (unit != NULL && unit->sample != NULL)
        unit->sample(v, r);
}

void cs_view_soft(cs_view *v, const cs_soft_record *r)
{
    const cs_view_unit *unit = cs_view_unit_hearing(r->kind);

    if (r->kind == &cs_soft_track)
        software_changed(v, r);
    else if (unit != NULL)
        unit->told(v, r);
}

/* ---- the run ---- */

void cs_view_probe(cs_view *v, const cs_probe_record *r)
{
    static void (*const tellers[])(cs_view *, const cs_probe_record *) = {
        [CS_PROBE_BUS] = transfer,     [CS_PROBE_REG] = access_to, [CS_PROBE_STATE] = state_changed,
        [CS_PROBE_IRQ] = line_changed, [CS_PROBE_SAMPLE] = sample,
    };

    if (r->kind < sizeof tellers / sizeof tellers[0])
        tellers[r->kind](v, r);
}

cs_status cs_view_create(const cs_scenario *scenario, const cs_view_sink *sink, cs_view **out,
                         cs_diag *diag)
{
    cs_view *v = calloc(1, sizeof *v);

    *out = v;
    if (v == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a timeline");
    v->scenario = scenario;
    v->sink = *sink;
    v->tracks.scenario = scenario;
    v->load_cycles = (cs_cycle)LOAD_US * scenario->bus->clock_mhz;
    v->to = CS_NEVER;
    return CS_OK;
}

void cs_view_destroy(cs_view *v)
{
    if (v == NULL)
        return;
    cs_view_tracks_free(&v->tracks);
    free(v);
}

cs_status cs_view_finish(cs_view *v, cs_cycle end, cs_diag *diag)
{
    for (size_t i = 0; i < v->tracks.room; i++) {
        cs_view_place *place = v->tracks.places[i];

        if (place == NULL)
            continue;
        if (place->track.kind == CS_VIEW_LOAD)
            end_stretch(v, place);
        else
            close_slice(v, place, place->since > end ? place->since : end);
    }
    return v->sink.end(v->sink.ctx, v->status, diag);
}
