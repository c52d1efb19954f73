#include "results/common/activity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/hpm/hart.h"
#include "results/bus/part.h"
#include "results/common/activity_rows.h"
#include "scenario/build.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/uncore/uncore_spec.h"

#define UNITS CS_UNIT_UNCORE_ALL(CS_UNCORE_BRIDGES) /* numbers of units are below */
#define LINES 3u                                    /* of a unit, at most */

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

/* Something that lasts until it changes. */
typedef struct lasting {
    bool open;
    cycle_t since;
    uint64_t value;
} lasting;

/* Of a manager: the row of `load` that it is in. */
typedef struct load {
    char name[24];
    cycle_t start;
    uint64_t held;
} load;

struct cs_activity {
    const cs_scenario *scenario;
    cs_truth_rows *rows[CS_ACTIVITY_TABLES];
    cycle_t load_cycles;
    unsigned uncore_of[CS_UNCORE_BRIDGES * CS_UNCORE_SLOTS]; /* number of the unit, by place */
    lasting states[UNITS];
    lasting lines[UNITS][LINES];
    lasting software[CS_MAX_CPUS];
    load loads[CS_BUS_MANAGERS];
};

/* Uncore units by their number in the scenario, as everywhere in the truth. */
static cs_truth_unit_name name_unit(const cs_activity *a, uint16_t source)
{
    cs_truth_unit_name name;

    name.unit = cs_probe_source_kind(CS_PROBE_REG, source, &name.number);
    if (source >= CS_UNIT_UNCORE(0) && source < CS_UNIT_UNCORE(COUNT_OF(a->uncore_of)))
        name.number = a->uncore_of[name.number];
    return name;
}

static void begin(lasting *l, uint64_t value, cycle_t cycle)
{
    *l = (lasting){true, cycle, value};
}

/* The span that ends in `cycle`; false: there was none. */
static bool end(lasting *l, cycle_t cycle, cs_truth_span *span)
{
    *span = (cs_truth_span){l->since, cycle > l->since ? cycle : l->since};
    const bool open = l->open;
    l->open = false;
    return open;
}

/* ---- states: docs/hw/pmcu.md, "States"; imc.md, "STATE"; nest.md, "status" ---- */

static const char *state_name(uint16_t source, uint64_t value, char *number, size_t bytes)
{
    static const char *const pmcu[] = {"IDLE", "INIT", "FETCH", "PROGRAM", "START", "WAIT",
                                       "STOP", "READ", "STORE", "SWITCH",  "BREAK"};
    static const char *const imc[] = {"OFF", "SYNC", "RUN", "DONE", "FROZEN"};
    static const char *const nest[] = {"INIT", "RUN", "PAUSE", "ERR1", "ERR2"};
    const char *const *names = source == CS_UNIT_PMCU ? pmcu : source == CS_UNIT_NEST ? nest : imc;
    const size_t count = source == CS_UNIT_PMCU   ? COUNT_OF(pmcu)
                         : source == CS_UNIT_NEST ? COUNT_OF(nest)
                                                  : COUNT_OF(imc);

    if (value < count)
        return names[value];
    snprintf(number, bytes, "%" PRIu64, value);
    return number;
}

static void end_state(cs_activity *a, uint16_t source, cycle_t cycle)
{
    lasting *l = &a->states[source];
    cs_truth_span span;
    char number[24];

    if (end(l, cycle, &span))
        cs_truth_state(a->rows[CS_ACTIVITY_STATE], name_unit(a, source), span,
                       state_name(source, l->value, number, sizeof number));
}

static void state_changed(cs_activity *a, const cs_probe_record *r)
{
    if (r->source >= UNITS)
        return;
    end_state(a, r->source, r->cycle);
    begin(&a->states[r->source], r->value, r->cycle);
}

/* ---- lines ---- */

static void end_line(cs_activity *a, uint16_t source, unsigned line, cycle_t cycle)
{
    cs_truth_span span;

    if (end(&a->lines[source][line], cycle, &span))
        cs_truth_line(a->rows[CS_ACTIVITY_LINE], name_unit(a, source), span, line);
}

static void line_changed(cs_activity *a, const cs_probe_record *r)
{
    if (r->source >= UNITS || r->index >= LINES)
        return;
    end_line(a, r->source, r->index, r->cycle);
    if (r->value != 0)
        begin(&a->lines[r->source][r->index], 1, r->cycle);
}

/* ---- software ---- */

static const char *software_name(const cs_activity *a, unsigned cpu, uint64_t track)
{
    static const char *const of_hart[] = {[CS_HART_WORKLOAD] = "workload",
                                          [CS_HART_KERNEL] = "kernel",
                                          [CS_HART_FIRMWARE] = "firmware",
                                          [CS_HART_GUEST] = "guest"};

    if (cs_scenario_is_hart(a->scenario, cpu))
        return track < COUNT_OF(of_hart) ? of_hart[track] : NULL;
    return track == CS_TRACK_HANDLER ? "handler" : NULL;
}

static void end_software(cs_activity *a, unsigned cpu, cycle_t cycle)
{
    lasting *l = &a->software[cpu];
    cs_truth_span span;

    if (end(l, cycle, &span))
        cs_truth_software(a->rows[CS_ACTIVITY_SOFTWARE], cpu, span,
                          software_name(a, cpu, l->value));
}

void cs_activity_software(cs_activity *a, unsigned cpu, cycle_t cycle, unsigned track)
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
    for (cycle_t at = r->grant; at <= r->cycle;) {
        const cycle_t start = at - at % a->load_cycles, next = start + a->load_cycles;
        const cycle_t to = r->cycle + 1 < next ? r->cycle + 1 : next;

        if (start != l->start) {
            end_load(a, r->source);
            l->start = start;
        }
        l->held += to - at;
        at = to;
    }
}

/* ---- accesses and postings ---- */

static void accessed(cs_activity *a, const cs_probe_record *r)
{
    if (r->source >= CS_UNIT_HART(0) && r->source < CS_UNIT_HART(CS_MAX_HARTS))
        cs_truth_csr(a->rows[CS_ACTIVITY_CSR], r->source - CS_UNIT_HART(0), r);
    else
        cs_truth_access(a->rows[CS_ACTIVITY_ACCESS], name_unit(a, r->source), r);
}

static void posted(cs_activity *a, const cs_probe_record *r)
{
    if (r->source == CS_UNIT_NEST)
        cs_truth_posting(a->rows[CS_ACTIVITY_POSTING], r);
}

void cs_activity_record(cs_activity *a, const cs_probe_record *r)
{
    static void (*const what[])(cs_activity *, const cs_probe_record *) = {
        [CS_PROBE_BUS] = transfer,     [CS_PROBE_REG] = accessed,  [CS_PROBE_STATE] = state_changed,
        [CS_PROBE_IRQ] = line_changed, [CS_PROBE_SAMPLE] = posted,
    };

    if (r->kind < COUNT_OF(what))
        what[r->kind](a, r);
}

/* ---- create, finish, destroy ---- */

cs_status cs_activity_create(const cs_scenario *scenario, cs_truth *truth, cs_activity **out,
                             cs_diag *diag)
{
    cs_activity *a = calloc(1, sizeof *a);

    *out = a;
    if (a == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what happened when");
    a->scenario = scenario;
    for (unsigned i = 0; i < CS_ACTIVITY_TABLES; i++)
        a->rows[i] = cs_truth_rows_of(truth, cs_activity_tables[i]);
    a->load_cycles = (cycle_t)CS_ACTIVITY_LOAD_US * scenario->bus->clock_mhz;
    for (unsigned i = 0; i < scenario->uncore->nr_units; i++)
        a->uncore_of[cs_uncore_place(&scenario->uncore->units[i])] = i;
    for (uint16_t i = 0; i < CS_BUS_MANAGERS; i++) {
        char name[sizeof a->loads[i].name];

        snprintf(a->loads[i].name, sizeof a->loads[i].name, "%s",
                 cs_probe_source_name(CS_PROBE_BUS, i, name, sizeof name));
    }
    return CS_OK;
}

void cs_activity_destroy(cs_activity *a)
{
    free(a);
}

void cs_activity_finish(cs_activity *a, cycle_t cycle)
{
    for (uint16_t unit = 0; unit < UNITS; unit++) {
        end_state(a, unit, cycle);
        for (unsigned line = 0; line < LINES; line++)
            end_line(a, unit, line, cycle);
    }
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        end_software(a, cpu, cycle);
    for (uint16_t manager = 0; manager < CS_BUS_MANAGERS; manager++)
        end_load(a, manager);
}
