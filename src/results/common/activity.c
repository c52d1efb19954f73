// SPDX-License-Identifier: Apache-2.0
#include "results/common/activity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/bus/part.h"
#include "results/common/activity_rows.h"
#include "results/parts.h"
#include "scenario/build.h"
#include "scenario/cpus.h"
#include "scenario/machine/bus_spec.h"

#define LINES 3u /* of a unit, at most */

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

/* Something that lasts until it changes. */
typedef struct lasting {
    bool open;
    cs_cycle since;
    uint64_t value;
} lasting;

/* Of a manager: the row of `load` that it is in. */
typedef struct load {
    char name[24];
    cs_cycle start;
    uint64_t held;
} load;

/* By the number of the source. */
typedef struct unit {
    cs_truth_unit_name name;
    const cs_part_source *part; /* what its part says of it; NULL: nothing */
    lasting state;
    lasting lines[LINES];
} unit;

struct cs_activity {
    const cs_scenario *scenario;
    cs_truth_rows *rows[CS_ACTIVITY_TABLES];
    cs_cycle load_cycles;
    unit *units;
    unsigned nr_units;
    lasting software[CS_MAX_CPUS];
    load loads[CS_BUS_MANAGERS];
};

static void begin(lasting *l, uint64_t value, cs_cycle cycle)
{
    *l = (lasting){true, cycle, value};
}

/* The span that ends in `cycle`; false: there was none. */
static bool end(lasting *l, cs_cycle cycle, cs_truth_span *span)
{
    *span = (cs_truth_span){l->since, cycle > l->since ? cycle : l->since};
    const bool open = l->open;
    l->open = false;
    return open;
}

/* ---- states ---- */

static const char *state_name(const cs_part_source *part, uint64_t value, char *number,
                              size_t bytes)
{
    if (part != NULL && value < part->nr_states)
        return part->states[value];
    snprintf(number, bytes, "%" PRIu64, value);
    return number;
}

static void end_state(cs_activity *a, unit *u, cs_cycle cycle)
{
    cs_truth_span span;
    char number[24];

    if (end(&u->state, cycle, &span))
        cs_truth_state(a->rows[CS_ACTIVITY_STATE], u->name, span,
                       state_name(u->part, u->state.value, number, sizeof number));
}

static void state_changed(cs_activity *a, const cs_probe_record *r)
{
    if (r->source >= a->nr_units)
        return;
    end_state(a, &a->units[r->source], r->cycle);
    begin(&a->units[r->source].state, r->value, r->cycle);
}

/* ---- lines ---- */

static void end_line(cs_activity *a, unit *u, unsigned line, cs_cycle cycle)
{
    cs_truth_span span;

    if (end(&u->lines[line], cycle, &span))
        cs_truth_line(a->rows[CS_ACTIVITY_LINE], u->name, span, line);
}

static void line_changed(cs_activity *a, const cs_probe_record *r)
{
    if (r->source >= a->nr_units || r->index >= LINES)
        return;
    end_line(a, &a->units[r->source], r->index, r->cycle);
    if (r->value != 0)
        begin(&a->units[r->source].lines[r->index], 1, r->cycle);
}

/* ---- software ---- */

static void end_software(cs_activity *a, unsigned cpu, cs_cycle cycle)
{
    lasting *l = &a->software[cpu];
    cs_truth_span span;

    if (end(l, cycle, &span))
        cs_truth_software(a->rows[CS_ACTIVITY_SOFTWARE], cpu, span,
                          cs_scenario_track_name(a->scenario, cpu, (unsigned)l->value));
}

void cs_activity_software(cs_activity *a, unsigned cpu, cs_cycle cycle, unsigned track)
{
    if (cpu >= CS_MAX_CPUS)
        return;
    end_software(a, cpu, cycle);
    if (track != 0)
        begin(&a->software[cpu], track, cycle);
}

/* ---- the bus ---- */

static void end_load(cs_activity *a, uint16_t manager)
{
    load *l = &a->loads[manager];

    if (l->held != 0)
        cs_truth_load(a->rows[CS_ACTIVITY_LOAD], l->name,
                      (cs_truth_span){l->start, l->start + a->load_cycles}, l->held);
    l->held = 0;
}

/* A manager may read and write at the same time: what belongs to a row that is written is added to
 * it there. */
static void transfer(cs_activity *a, const cs_probe_record *r)
{
    if (r->source >= CS_BUS_MANAGERS)
        return;
    load *l = &a->loads[r->source];
    cs_truth_transfer(a->rows[CS_ACTIVITY_TRANSFER], l->name, r);
    for (cs_cycle at = r->grant; at <= r->cycle;) {
        const cs_cycle start = at - at % a->load_cycles, next = start + a->load_cycles;
        const cs_cycle to = r->cycle + 1 < next ? r->cycle + 1 : next;

        if (start != l->start) {
            end_load(a, r->source);
            l->start = start;
        }
        l->held += to - at;
        at = to;
    }
}

/* ---- accesses ---- */

static void accessed(cs_activity *a, const cs_probe_record *r)
{
    const unit *u = &a->units[r->source];

    if (r->source < a->nr_units && (u->part == NULL || !u->part->own_accesses))
        cs_truth_access(a->rows[CS_ACTIVITY_ACCESS], u->name, r);
}

void cs_activity_record(cs_activity *a, const cs_probe_record *r)
{
    static void (*const what[])(cs_activity *, const cs_probe_record *) = {
        [CS_PROBE_BUS] = transfer,
        [CS_PROBE_REG] = accessed,
        [CS_PROBE_STATE] = state_changed,
        [CS_PROBE_IRQ] = line_changed,
    };

    if (r->kind < COUNT_OF(what))
        what[r->kind](a, r);
}

/* ---- create, finish, destroy ---- */

static void name_part(cs_activity *a, const cs_part_source *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        unit *u = &a->units[part->first + i];

        u->part = part;
        if (part->number != NULL)
            u->name.number = part->number(a->scenario, i);
    }
}

static void name_units(cs_activity *a)
{
    for (unsigned i = 0; i < a->nr_units; i++) {
        cs_truth_unit_name *name = &a->units[i].name;

        name->unit = cs_probe_source_kind(CS_PROBE_REG, (uint16_t)i, &name->number);
    }
    for (unsigned i = 0; i < CS_NR_PARTS; i++)
        for (const cs_part_source *part = cs_parts[i]->sources; part != NULL && part->count != 0;
             part++)
            name_part(a, part);
}

cs_status cs_activity_create(const cs_scenario *scenario, cs_truth *truth, cs_activity **out,
                             cs_diag *diag)
{
    cs_activity *a = calloc(1, sizeof *a);

    *out = a;
    if (a == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what happened when");
    a->scenario = scenario;
    a->nr_units = cs_probe_sources(CS_PROBE_REG);
    a->units = calloc(a->nr_units, sizeof *a->units);
    if (a->units == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what happened when");
    name_units(a);
    for (unsigned i = 0; i < CS_ACTIVITY_TABLES; i++)
        a->rows[i] = cs_truth_rows_of(truth, cs_activity_tables[i]);
    a->load_cycles = (cs_cycle)CS_ACTIVITY_LOAD_US * scenario->bus->clock_mhz;
    for (uint16_t i = 0; i < CS_BUS_MANAGERS; i++) {
        char name[sizeof a->loads[i].name];

        snprintf(a->loads[i].name, sizeof a->loads[i].name, "%s",
                 cs_probe_source_name(CS_PROBE_BUS, i, name, sizeof name));
    }
    return CS_OK;
}

void cs_activity_destroy(cs_activity *a)
{
    if (a == NULL)
        return;
    free(a->units);
    free(a);
}

void cs_activity_finish(cs_activity *a, cs_cycle cycle)
{
    for (unsigned i = 0; i < a->nr_units; i++) {
        end_state(a, &a->units[i], cycle);
        for (unsigned line = 0; line < LINES; line++)
            end_line(a, &a->units[i], line, cycle);
    }
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        end_software(a, cpu, cycle);
    for (uint16_t manager = 0; manager < CS_BUS_MANAGERS; manager++)
        end_load(a, manager);
}
