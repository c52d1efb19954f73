#include "traces/timeline/view.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/pmcu/abi/aux_header.h"
#include "scenario/corepmu/arm_events.h"
#include "traces/timeline/view_tracks.h"

/* How often the load of the bus is told. */
#define LOAD_US 10u

/* Classes of kinds that have several, in the order of view_kinds.c. */
enum { STATE_PMCU, STATE_IMC, STATE_NEST };
enum { WINDOW, BLIND, COUNT };
enum { SOFTWARE_CPU, SOFTWARE_HART };

struct cs_view {
    const cs_scenario *scenario;
    cs_view_sink sink;
    cs_view_tracks tracks;
    cycle_t load_cycles;
    cs_status status;
};

static cs_view_place *place_of(cs_view *v, cs_view_kind kind, unsigned source, unsigned index)
{
    cs_view_place *place = NULL;

    if (v->status != CS_OK)
        return NULL;
    place = cs_view_tracks_get(&v->tracks, kind, source, index);
    if (place == NULL)
        v->status = CS_ERR_NO_MEMORY;
    return place;
}

static const cs_view_class *class_of(const cs_view_place *place, unsigned index)
{
    return &cs_view_kinds[place->track.kind].classes[index];
}

/* `name` NULL: the class's. */
static void tell(cs_view *v, cs_view_place *place, unsigned index, const char *name, cycle_t from,
                 cycle_t to, const cs_field_value *values)
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

    if (v->status == CS_OK)
        v->status = v->sink.event(v->sink.ctx, &event);
}

/* NULL where the value has none. */
static const char *label(const cs_field *field, uint64_t value)
{
    for (size_t i = 0; i < field->nr_labels; i++)
        if (field->labels[i].value == value)
            return field->labels[i].name;
    return NULL;
}

/* ---- what lasts until it changes: states, lines, software ---- */

/* The slice that is open on the track ends in `cycle`; its class is of the fields cycles, value. */
static void close_slice(cs_view *v, cs_view_place *place, unsigned index, cycle_t cycle)
{
    const cs_field_value values[] = {{cycle - place->since}, {place->value}};

    if (!place->open)
        return;
    place->open = false;
    tell(v, place, index, label(&class_of(place, index)->fields[1], place->value), place->since,
         cycle, values);
}

static void open_slice(cs_view_place *place, uint64_t value, cycle_t cycle)
{
    place->open = true;
    place->value = value;
    place->since = cycle;
}

static unsigned class_of_state(unsigned unit)
{
    if (unit == CS_UNIT_PMCU)
        return STATE_PMCU;
    return unit == CS_UNIT_NEST ? STATE_NEST : STATE_IMC;
}

static void state_changed(cs_view *v, const cs_probe_record *r)
{
    cs_view_place *place = place_of(v, CS_VIEW_STATES, r->source, 0);

    if (place == NULL)
        return;
    close_slice(v, place, class_of_state(r->source), r->cycle);
    open_slice(place, r->value, r->cycle);
}

static void line_changed(cs_view *v, const cs_probe_record *r)
{
    cs_view_place *place = place_of(v, CS_VIEW_LINES, r->source, r->index % 16);

    if (place == NULL)
        return;
    close_slice(v, place, 0, r->cycle);
    if (r->value != 0)
        open_slice(place, r->index, r->cycle);
}

static unsigned class_of_software(const cs_view *v, unsigned cpu)
{
    return cs_scenario_cpu_kind(v->scenario, cpu) == CS_CPU_HART ? SOFTWARE_HART : SOFTWARE_CPU;
}

void cs_view_software(cs_view *v, unsigned cpu, cycle_t cycle, unsigned track)
{
    cs_view_place *place = place_of(v, CS_VIEW_SOFTWARE, cpu, 0);

    if (place == NULL)
        return;
    close_slice(v, place, class_of_software(v, cpu), cycle);
    if (track != 0)
        open_slice(place, track, cycle);
}

static void close_at_end(cs_view *v, cs_view_place *place, cycle_t end)
{
    const cycle_t cycle = place->since > end ? place->since : end;

    switch (place->track.kind) {
    case CS_VIEW_STATES:
        close_slice(v, place, class_of_state(place->track.instance), cycle);
        break;
    case CS_VIEW_SOFTWARE:
        close_slice(v, place, class_of_software(v, place->track.instance), cycle);
        break;
    default:
        close_slice(v, place, 0, cycle);
        break;
    }
}

/* ---- the bus ---- */

/* The stretch of the load that is under way, [since, since + load_cycles), is over. */
static void end_stretch(cs_view *v, cs_view_place *place)
{
    const cs_field_value values[] = {{place->held}, {place->held * 100 / v->load_cycles}};

    if (place->held != 0)
        tell(v, place, 0, place->track.name, place->since, place->since + v->load_cycles, values);
    place->held = 0;
}

/* The bus was held in [from, to); calls for one manager come in rising cycles. */
static void add_load(cs_view *v, unsigned manager, cycle_t from, cycle_t to)
{
    cs_view_place *place = place_of(v, CS_VIEW_LOAD, manager, 0);

    while (place != NULL && from < to) {
        if (from >= place->since + v->load_cycles) {
            end_stretch(v, place);
            place->since = from - from % v->load_cycles;
        }
        const cycle_t limit = place->since + v->load_cycles;
        const cycle_t part = to < limit ? to : limit;

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
    cs_view_place *place = place_of(v, CS_VIEW_TRANSFERS, r->source, 0);

    if (place == NULL)
        return;
    tell(v, place, 0, transfer_name(r->write, r->resp), r->request, r->cycle + 1, values);
    add_load(v, r->source, r->grant, r->cycle + 1);
}

/* ---- registers ---- */

static void access_to(cs_view *v, const cs_probe_record *r)
{
    const bool csr = r->source >= CS_UNIT_HART(0) && r->source < CS_UNIT_HART(CS_MAX_HARTS);
    const cs_field_value of_csr[] = {{r->write}, {r->addr}, {r->value}, {r->resp}};
    const cs_field_value values[] = {{r->write}, {r->addr}, {r->value}, {r->bytes}, {r->resp}};
    cs_view_place *place = place_of(v, csr ? CS_VIEW_CSRS : CS_VIEW_REGISTERS, r->source, 0);

    if (place == NULL)
        return;
    if (csr)
        tell(v, place, 0, r->write ? "csr write" : "csr read", r->cycle, r->cycle, of_csr);
    else
        tell(v, place, 0, transfer_name(r->write, r->resp), r->cycle, r->cycle, values);
}

/* ---- samples ---- */

static void imc_record(cs_view *v, const cs_probe_record *r)
{
    const unsigned core = r->source - CS_UNIT_IMC(0);
    const cs_field_value values[] = {{r->resp}, {r->request}, {r->value}, {r->addr}};
    cs_view_place *place =
        place_of(v, CS_VIEW_RECORDS, cs_scenario_imc_cpu(v->scenario, core, r->index), 0);

    if (place != NULL)
        tell(v, place, 0, label(&class_of(place, 0)->fields[0], r->resp), r->cycle, r->cycle,
             values);
}

static void posting(cs_view *v, const cs_probe_record *r)
{
    const cs_field_value values[] = {
        {r->cycle + 1 - r->request}, {r->value}, {r->addr}, {r->bytes}, {r->resp}};
    cs_view_place *place = place_of(v, CS_VIEW_POSTINGS, r->index, r->index % 16);

    if (place != NULL)
        tell(v, place, 0, NULL, r->request, r->cycle + 1, values);
}

static void committed(cs_view *v, const cs_probe_record *r)
{
    const cs_field_value values[] = {{r->value}, {r->addr}, {r->bytes}};
    cs_view_place *place = place_of(v, CS_VIEW_SAMPLES, r->source, 0);

    if (place != NULL)
        tell(v, place, 0, NULL, r->cycle, r->cycle, values);
}

static void sample(cs_view *v, const cs_probe_record *r)
{
    if (r->source == CS_UNIT_PMCU)
        committed(v, r);
    else if (r->source == CS_UNIT_NEST)
        posting(v, r);
    else
        imc_record(v, r);
}

void cs_view_hart_sample(cs_view *v, const cs_riscv_which *which, const cs_riscv_sample *s)
{
    const bool guest = v->scenario->riscv->perf[which->command].guest;
    const cs_field_value values[] = {{which->command}, {which->event}, {s->ip},
                                     {s->pid},         {s->period},    {s->lost}};
    cs_view_place *place =
        place_of(v, CS_VIEW_PROFILE, cs_scenario_hart_cpu(v->scenario, which->hart), guest);

    if (place != NULL)
        tell(v, place, 0, v->scenario->riscv->perf[which->command].events[which->event], s->cycle,
             s->cycle, values);
}

/* ---- windows ---- */

/* What the counters of the CPU say of its window. */
static void tell_counts(cs_view *v, cs_view_place *place, const cs_pmcu_subsample *s, unsigned cpu)
{
    for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++) {
        const bool cycle_counter = i == s->nr_events;
        const uint32_t event = cycle_counter ? CS_ARM_CPU_CYCLES : s->events[i] & 0xffff;
        const char *name = cycle_counter ? "cycle counter" : cs_arm_event_name(event);
        char number[16];

        if (event == CS_PMCU_AUX_NULL_EVENT)
            continue;
        if (name == NULL) {
            snprintf(number, sizeof number, "0x%04x", (unsigned)event);
            name = number;
        }
        const cs_field_value values[] = {
            {s->number}, {event}, {.text = name}, {s->values[i * s->nr_cpus + cpu]}};
        tell(v, place, COUNT, name, s->windows[cpu].start, s->windows[cpu].stop, values);
    }
}

static void tell_window(cs_view *v, const cs_pmcu_subsample *s, unsigned cpu)
{
    const cs_pmcu_window *w = &s->windows[cpu];
    const cs_field_value values[] = {{w->stop - w->start}, {s->number}};
    cs_view_place *place = place_of(v, CS_VIEW_WINDOWS, cpu, 0);

    if (place == NULL)
        return;
    if (place->number++ != 0) {
        const cs_field_value blind[] = {{w->start - place->since}};

        tell(v, place, BLIND, NULL, place->since, w->start, blind);
    }
    tell(v, place, WINDOW, NULL, w->start, w->stop, values);
    tell_counts(v, place, s, cpu);
    place->since = w->stop;
}

void cs_view_subsample(cs_view *v, const cs_pmcu_subsample *s)
{
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++)
        if (s->windows[cpu].counted)
            tell_window(v, s, cpu);
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
    v->load_cycles = (cycle_t)LOAD_US * scenario->bus->clock_mhz;
    return CS_OK;
}

void cs_view_destroy(cs_view *v)
{
    if (v == NULL)
        return;
    cs_view_tracks_free(&v->tracks);
    free(v);
}

cs_status cs_view_finish(cs_view *v, cycle_t end, cs_diag *diag)
{
    for (size_t i = 0; i < v->tracks.room; i++) {
        cs_view_place *place = v->tracks.places[i];

        if (place == NULL)
            continue;
        if (place->track.kind == CS_VIEW_LOAD)
            end_stretch(v, place);
        else
            close_at_end(v, place, end);
    }
    return v->sink.end(v->sink.ctx, v->status, diag);
}
