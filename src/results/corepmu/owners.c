// SPDX-License-Identifier: Apache-2.0
#include "results/corepmu/owners.h"

#include <stdlib.h>

#include "scenario/corepmu/outages.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
#include <countersink/models/corepmu/corepmu.h>
#include <countersink/regs/corepmu_regs.h>

#define CYCLE_COUNTER 31u
#define EVENT_MASK 0xffffu
#define PERF_BITS UINT32_MAX /* of a counter that perf looks at */
#define NO_ROW UINT32_MAX

const char *const cs_owner_names[CS_NR_OWNERS] = {"perf", "pmcu"};
const char *const cs_disturbing_names[CS_NR_DISTURBING] = {
    [CS_DISTURB_STOPPED] = "stopped",   [CS_DISTURB_STARTED] = "started",
    [CS_DISTURB_REPLACED] = "replaced", [CS_DISTURB_RESET] = "reset",
    [CS_DISTURB_WRITTEN] = "written",   [CS_DISTURB_FLAG] = "flag cleared",
};

typedef struct core_state {
    cs_pmu_image all;                              /* what the hardware has */
    cs_pmu_image own[CS_NR_OWNERS];                /* what each owner alone has written */
    uint32_t row[CS_NR_OWNERS][CS_IMAGE_COUNTERS]; /* of the present event; NO_ROW: to be found */
    cs_cycle from;                                 /* cycles below are told */
    size_t outage; /* its PMU has lost its registers in those below */
} core_state;

struct cs_owners {
    cs_owners_config config;
    const cs_corepmu_spec *spec;
    cs_corepmu_config core;      /* for what is counted in which mode */
    uint8_t states[CS_MAX_DIES]; /* the PMCUs' */
    unsigned nr_cpus;
    core_state *cores;
    cs_owner_row *rows;
    size_t nr_rows, room;
    uint64_t disturbances[CS_NR_OWNERS][CS_NR_DISTURBING];
    cs_status status;
};

cs_status cs_owners_create(const cs_owners_config *config, cs_owners **out, cs_diag *diag)
{
    cs_owners *o = calloc(1, sizeof *o);

    *out = o;
    if (o != NULL) {
        o->config = *config;
        o->spec = config->scenario->corepmu;
        o->core = (cs_corepmu_config){
            .hpmn = o->spec->hpmn, .hpmd = o->spec->hpmd, .spme = o->spec->spme};
        o->nr_cpus = cs_scenario_arm_cpus(config->scenario);
        o->cores = calloc(o->nr_cpus, sizeof *o->cores);
    }
    if (o == NULL || o->cores == NULL) {
        cs_owners_destroy(o);
        *out = NULL;
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the owners of counters");
    }
    for (unsigned cpu = 0; cpu < o->nr_cpus; cpu++)
        for (unsigned k = 0; k < CS_NR_OWNERS; k++)
            for (unsigned n = 0; n < CS_IMAGE_COUNTERS; n++)
                o->cores[cpu].row[k][n] = NO_ROW;
    return CS_OK;
}

void cs_owners_destroy(cs_owners *o)
{
    if (o == NULL)
        return;
    free(o->cores);
    free(o->rows);
    free(o);
}

static bool hpme(const cs_owners *o, unsigned cpu)
{
    return o->config.hpme[cs_scenario_die_of(o->config.scenario, cpu)];
}

/* ---- rows ---- */

static uint32_t event_of(const cs_pmu_image *image, unsigned n)
{
    return n == CYCLE_COUNTER ? CS_COREPMU_EVENT_CLOCK : image->type[n] & EVENT_MASK;
}

static size_t find(const cs_owners *o, cs_owner owner, unsigned cpu, unsigned n, uint32_t event)
{
    size_t i = o->nr_rows;

    while (i-- > 0) {
        const cs_owner_row *r = &o->rows[i];

        if (r->owner == owner && r->cpu == cpu && r->counter == n && r->event == event)
            return i;
    }
    return SIZE_MAX;
}

static size_t add(cs_owners *o, cs_owner owner, unsigned cpu, unsigned n, uint32_t event)
{
    if (o->nr_rows == o->room) {
        const size_t room = o->room != 0 ? 2 * o->room : 64;
        cs_owner_row *rows = realloc(o->rows, room * sizeof *rows);

        if (rows == NULL) {
            o->status = CS_ERR_NO_MEMORY;
            return SIZE_MAX;
        }
        o->rows = rows;
        o->room = room;
    }
    o->rows[o->nr_rows] = (cs_owner_row){.owner = owner, .cpu = cpu, .counter = n, .event = event};
    return o->nr_rows++;
}

/* Of what the owner has programmed; NULL: no memory. */
static cs_owner_row *row_of(cs_owners *o, cs_owner owner, unsigned cpu, unsigned n)
{
    core_state *core = &o->cores[cpu];
    uint32_t *known = &core->row[owner][n];

    if (*known == NO_ROW) {
        const uint32_t event = event_of(&core->own[owner], n);
        size_t i = find(o, owner, cpu, n, event);

        if (i == SIZE_MAX)
            i = add(o, owner, cpu, n, event);
        if (i == SIZE_MAX)
            return NULL;
        *known = (uint32_t)i;
    }
    return &o->rows[*known];
}

const cs_owner_row *cs_owners_rows(const cs_owners *o, size_t *nr)
{
    *nr = o->nr_rows;
    return o->rows;
}

const cs_owner_row *cs_owners_find(const cs_owners *o, cs_owner owner, unsigned cpu, unsigned n,
                                   uint32_t event)
{
    const size_t i = find(o, owner, cpu, n, event);

    return i != SIZE_MAX ? &o->rows[i] : NULL;
}

uint64_t cs_owners_disturbances(const cs_owners *o, cs_owner of, cs_disturbing cause)
{
    return o->disturbances[of][cause];
}

/* ---- what was counted ---- */

static uint32_t modes_of(const cs_owners *o, const cs_pmu_image *image, unsigned n)
{
    return cs_corepmu_counted_modes(&o->core, n, image->type[n], image->pmcr);
}

static uint64_t sum_of(const cs_owners *o, const cs_pmu_image *image, unsigned cpu, unsigned n,
                       cs_cycle from, cs_cycle to)
{
    return cs_timeline_sum(o->config.timelines[cpu], event_of(image, n), modes_of(o, image, n),
                           from, to);
}

/* Cycles [from, to) of a counter for one owner. `there`: what the hardware counted in them. */
static void count_for(cs_owners *o, cs_owner owner, unsigned cpu, unsigned n, bool own, bool all,
                      bool valued, uint64_t there, cs_cycle from, cs_cycle to)
{
    core_state *core = &o->cores[cpu];
    cs_pmu_image *image = &core->own[owner];
    cs_owner_row *row = row_of(o, owner, cpu, n);

    if (row == NULL)
        return;
    if (!own) {
        row->gained += there;
        return;
    }
    const uint64_t sum = sum_of(o, image, cpu, n, from, to);
    const bool same = event_of(image, n) == event_of(&core->all, n) &&
                      modes_of(o, image, n) == modes_of(o, &core->all, n);

    image->value[n] += sum;
    row->should += sum;
    if (!all) {
        row->stopped += sum;
    } else if (valued) {
        row->dropped += sum;
    } else if (same) {
        row->right += sum;
    } else {
        row->replaced += sum;
        row->foreign += there;
    }
}

/* Cycles [from, to), nobody's access in between. `valued`: counters that get a value in them, by
 * `actor`. */
static void count(cs_owners *o, unsigned cpu, cs_cycle from, cs_cycle to, uint32_t valued,
                  cs_owner actor)
{
    core_state *core = &o->cores[cpu];
    const uint32_t all = cs_pmu_image_counting(&core->all, o->spec, hpme(o, cpu));
    uint32_t own[CS_NR_OWNERS], used = all;

    if (from >= to)
        return;
    for (unsigned k = 0; k < CS_NR_OWNERS; k++) {
        own[k] = cs_pmu_image_counting(&core->own[k], o->spec, hpme(o, cpu));
        used |= own[k];
    }
    for (; used != 0; used &= used - 1) {
        const unsigned n = (unsigned)__builtin_ctz(used);
        const uint32_t bit = UINT32_C(1) << n;
        const bool counted = (all & bit) != 0 && (valued & bit) == 0;
        const uint64_t there = counted ? sum_of(o, &core->all, cpu, n, from, to) : 0;

        core->all.value[n] += there;
        for (unsigned k = 0; k < CS_NR_OWNERS; k++) {
            const bool lost = (valued & bit) != 0;

            if ((core->own[k].enabled & bit) == 0 || (lost && k == actor))
                continue;
            count_for(o, (cs_owner)k, cpu, n, (own[k] & bit) != 0, (all & bit) != 0, lost, there,
                      from, to);
        }
    }
}

/* ---- who disturbs whom ---- */

static void disturb(cs_owners *o, unsigned cpu, unsigned n, cs_owner of, cs_disturbing cause,
                    cs_cycle cycle, uint64_t before)
{
    const cs_disturbance what = {
        .cycle = cycle,
        .cpu = cpu,
        .counter = n,
        .of = of,
        .cause = cause,
        .step = of == CS_OWNER_PERF ? o->states[cs_scenario_die_of(o->config.scenario, cpu)] : 0,
        .before = before,
        .after = o->cores[cpu].all.value[n],
    };

    o->disturbances[of][cause]++;
    if (o->config.disturbed != NULL)
        o->config.disturbed(o->config.ctx, &what);
}

/* What the write has done to a counter that the other owner has in use. */
static void compare(cs_owners *o, unsigned cpu, unsigned n, cs_owner of, const cs_pmu_image *before,
                    const cs_pmu_access *a, cs_cycle cycle)
{
    const cs_pmu_image *after = &o->cores[cpu].all;
    const uint32_t bit = UINT32_C(1) << n;
    const bool did = (cs_pmu_image_counting(before, o->spec, hpme(o, cpu)) & bit) != 0;
    const bool does = (cs_pmu_image_counting(after, o->spec, hpme(o, cpu)) & bit) != 0;
    const uint64_t value = before->value[n];

    if (did && !does)
        disturb(o, cpu, n, of, CS_DISTURB_STOPPED, cycle, value);
    if (!did && does)
        disturb(o, cpu, n, of, CS_DISTURB_STARTED, cycle, value);
    if (before->type[n] != after->type[n])
        disturb(o, cpu, n, of, CS_DISTURB_REPLACED, cycle, value);
    if (value != after->value[n])
        disturb(o, cpu, n, of, a->what == CS_PMU_CONTROL ? CS_DISTURB_RESET : CS_DISTURB_WRITTEN,
                cycle, value);
    if (a->what == CS_PMU_FLAGS && (a->value & a->visible & bit) != 0)
        disturb(o, cpu, n, of, CS_DISTURB_FLAG, cycle, value);
}

/* ---- records ---- */

static void note_reading(cs_owners *o, unsigned cpu, cs_owner owner, const cs_pmu_access *a)
{
    const core_state *core = &o->cores[cpu];
    const uint64_t value = core->all.value[a->counter];
    const uint64_t expected = core->own[owner].value[a->counter];
    const uint64_t bits = owner == CS_OWNER_PERF ? PERF_BITS : UINT64_MAX;
    cs_owner_row *row;

    if (a->what != CS_PMU_COUNTER || a->high || (a->visible >> a->counter & 1) == 0)
        return;
    row = row_of(o, owner, cpu, a->counter);
    if (row == NULL)
        return;
    row->readings++;
    row->wrong += ((value ^ expected) & bits) != 0;
    row->read += value;
    row->expected += expected;
}

/* Without power all registers are lost, whoever wrote them. */
static void lose(cs_owners *o, unsigned cpu, cs_cycle to, cs_owner actor)
{
    core_state *core = &o->cores[cpu];

    for (; core->outage < o->spec->nr_outages; core->outage++) {
        const cs_outage_spec *outage = &o->spec->outages[core->outage];
        const cs_cycle off = cs_scenario_us(o->config.scenario, outage->at_us);

        if (outage->cpu != cpu || outage->kind == CS_OUTAGE_CLOCK_STOP)
            continue;
        if (off > to)
            return;
        count(o, cpu, core->from, off, 0, actor);
        core->from = core->from > off ? core->from : off;
        core->all = (cs_pmu_image){0};
        for (unsigned k = 0; k < CS_NR_OWNERS; k++) {
            core->own[k] = (cs_pmu_image){0};
            for (unsigned n = 0; n < CS_IMAGE_COUNTERS; n++)
                core->row[k][n] = NO_ROW;
        }
    }
}

static void take(cs_owners *o, unsigned cpu, cs_owner actor, const cs_probe_record *r)
{
    const cs_pmu_access a = cs_pmu_access_of(o->spec, actor == CS_OWNER_PERF, r);
    const cs_owner other = actor == CS_OWNER_PERF ? CS_OWNER_PMCU : CS_OWNER_PERF;
    core_state *core = &o->cores[cpu];

    lose(o, cpu, r->cycle, actor);
    count(o, cpu, core->from, r->cycle, 0, actor);
    if (!a.write)
        note_reading(o, cpu, actor, &a);
    count(o, cpu, core->from > r->cycle ? core->from : r->cycle, r->cycle + 1, cs_pmu_valued(&a),
          actor);
    core->from = r->cycle + 1;
    if (!a.write)
        return;
    const cs_pmu_image before = core->all;

    cs_pmu_image_write(&core->all, &a);
    cs_pmu_image_write(&core->own[actor], &a);
    if (a.what == CS_PMU_TYPE)
        core->row[actor][a.counter] = NO_ROW;
    for (uint32_t rest = core->own[other].enabled; rest != 0; rest &= rest - 1)
        compare(o, cpu, (unsigned)__builtin_ctz(rest), other, &before, &a, r->cycle);
}

static bool answers(const cs_owners *o, unsigned cpu, cs_cycle cycle)
{
    return !cs_outages_refuse(o->config.scenario, cpu, cycle, cycle + 1) && !o->spec->absent[cpu] &&
           !o->spec->offline[cpu] && !o->spec->locked[cpu];
}

cs_status cs_owners_record(cs_owners *o, const cs_probe_record *r)
{
    const cs_scenario *s = o->config.scenario;
    const unsigned slots = s->pmcu->slots;

    if (r->kind == CS_PROBE_STATE && r->source - CS_UNIT_PMCU < s->pmcu->dies)
        o->states[r->source - CS_UNIT_PMCU] = (uint8_t)r->value;
    if (r->kind != CS_PROBE_REG || r->resp != CS_BUS_OKAY)
        return CS_OK;
    if (r->source >= CS_UNIT_SYSREGS(0) && r->source < CS_UNIT_SYSREGS(o->nr_cpus))
        take(o, r->source - CS_UNIT_SYSREGS(0), CS_OWNER_PERF, r);
    else if (r->source >= CS_UNIT_CORE(0) && r->source < CS_UNIT_CORE(o->nr_cpus))
        take(o, r->source - CS_UNIT_CORE(0), CS_OWNER_PMCU, r);
    else if (r->source >= CS_UNIT_BROADCAST(0) &&
             r->source < CS_UNIT_BROADCAST(cs_scenario_arm_clusters(s)))
        for (unsigned slot = 0; slot < slots; slot++) {
            const unsigned cpu = (r->source - CS_UNIT_BROADCAST(0)) * slots + slot;

            if (answers(o, cpu, r->cycle))
                take(o, cpu, CS_OWNER_PMCU, r);
        }
    return o->status;
}
