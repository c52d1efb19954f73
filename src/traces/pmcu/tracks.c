// SPDX-License-Identifier: Apache-2.0
/* PMCUs on timelines: their states, their subsamples, and the windows in which their CPUs counted. */
#include <stdio.h>

#include "formats/pmcu/abi/aux_header.h"
#include "results/pmcu/collector.h"
#include "scenario/corepmu/arm_events.h"
#include "traces/timeline/view_unit.h"

/* docs/hw/pmcu.md, "States" */
static const cs_field_label states[] = {
    {0, "IDLE"}, {1, "INIT"}, {2, "FETCH"}, {3, "PROGRAM"}, {4, "START"},  {5, "WAIT"},
    {6, "STOP"}, {7, "READ"}, {8, "STORE"}, {9, "SWITCH"},  {10, "BREAK"},
};
static const cs_field state[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_ENUM("state", states)};
const cs_view_class cs_view_class_pmcu_state = CS_VIEW_CLASS("pmcu_state", CS_VIEW_SLICE, state);

/* ---- subsamples as they are committed ---- */

static const cs_field subsample[] = {CS_VIEW_DECIMAL("number", 64), CS_VIEW_HEX("addr", 64),
                                     CS_VIEW_DECIMAL("bytes", 32)};
static const cs_view_class subsample_class = CS_VIEW_CLASS("subsample", CS_VIEW_INSTANT, subsample);
const cs_view_kind_info cs_view_kind_samples = {.instance = "unit_id",
                                                .owner = CS_VIEW_OF_UNIT,
                                                CS_VIEW_NAMES("subsamples"),
                                                CS_VIEW_ONE(subsample_class)};

static void committed(cs_view *v, const cs_probe_record *r)
{
    const cs_field_value values[] = {{r->value}, {r->addr}, {r->bytes}};
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_SAMPLES, r->source, 0);

    if (place != NULL)
        cs_view_tell(v, place, 0, NULL, r->cycle, r->cycle, values);
}

/* ---- windows ---- */

enum { WINDOW, BLIND, COUNT };

static const cs_field window[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_DECIMAL("subsample", 64)};
static const cs_field blind[] = {CS_VIEW_DECIMAL("cycles", 64)};
static const cs_field count[] = {CS_VIEW_DECIMAL("subsample", 64), CS_VIEW_HEX("number", 16),
                                 CS_VIEW_TEXT("name"), CS_VIEW_DECIMAL("count", 64)};
static const cs_view_class window_class = CS_VIEW_CLASS("window", CS_VIEW_SLICE, window);
static const cs_view_class blind_class = CS_VIEW_CLASS("blind", CS_VIEW_SLICE, blind);
static const cs_view_class count_class = CS_VIEW_CLASS("count", CS_VIEW_COUNTER, count);
static const cs_view_class *const window_classes[] = {
    [WINDOW] = &window_class, [BLIND] = &blind_class, [COUNT] = &count_class};
const cs_view_kind_info cs_view_kind_windows = {.instance = "cpu_id",
                                                .owner = CS_VIEW_OF_CPU,
                                                CS_VIEW_NAMES("windows"),
                                                CS_VIEW_SEVERAL(window_classes)};

/* What the counters of the CPU say of its window. */
static void tell_counts(cs_view *v, cs_view_place *place, const cs_pmcu_subsample *s, unsigned cpu)
{
    for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++) {
        const bool cycle_counter = i == s->nr_events;
        const uint32_t event = cycle_counter ? CS_ARM_CPU_CYCLES : s->events[i] & 0xffff;
        char text[CS_ARM_EVENT_TEXT_BYTES];
        const char *name =
            cycle_counter ? "cycle counter" : cs_arm_event_text(event, text, sizeof text);

        if (event == CS_PMCU_AUX_NULL_EVENT)
            continue;
        const cs_field_value values[] = {
            {s->number}, {event}, {.text = name}, {s->values[i * s->nr_cpus + cpu]}};
        cs_view_tell(v, place, COUNT, name, s->windows[cpu].start, s->windows[cpu].stop, values);
    }
}

static void tell_window(cs_view *v, const cs_pmcu_subsample *s, unsigned cpu)
{
    const cs_pmcu_window *w = &s->windows[cpu];
    const cs_field_value values[] = {{w->stop - w->start}, {s->number}};
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_WINDOWS, s->first_cpu + cpu, 0);

    if (place == NULL)
        return;
    if (place->number++ != 0) {
        const cs_field_value nobody[] = {{w->start - place->since}};

        cs_view_tell(v, place, BLIND, NULL, place->since, w->start, nobody);
    }
    cs_view_tell(v, place, WINDOW, NULL, w->start, w->stop, values);
    tell_counts(v, place, s, cpu);
    place->since = w->stop;
}

static void told(cs_view *v, const cs_soft_record *record)
{
    const cs_pmcu_subsample *s = cs_told_pmcu_subsample(record);

    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++)
        if (s->windows[cpu].counted)
            tell_window(v, s, cpu);
}

const cs_view_unit cs_view_unit_pmcu = {
    .first = CS_UNIT_PMCU,
    .count = CS_MAX_DIES,
    .states = &cs_view_class_pmcu_state,
    .sample = committed,
    .soft = &cs_soft_pmcu_subsample,
    .told = told,
};
