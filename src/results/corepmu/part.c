// SPDX-License-Identifier: Apache-2.0
/* The part of perf by the kernel's own driver: what it got, and, beside a PMCU, who disturbed whom. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/corepmu/arm_pmu.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "results/corepmu/owners.h"
#include "results/part.h"
#include "results/pmcu/part.h"
#include "results/summary.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/arm_pmu_spec.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

/* What perf printed of an event of a CPU. */
typedef struct printed {
    unsigned cpu, counter;
    uint32_t event;
    uint64_t value, should;
    uint64_t enabled, running;
} printed;

typedef struct owners_part {
    cs_part_run *run;
    cs_owners *owners;
    printed *list;
    size_t nr, room;
    uint64_t wrong; /* counts that are not what they should be */
    double worst;   /* relative error of the worst */
} owners_part;

/* ---- the truth ---- */

static const cs_truth_table owner_table = {
    "CREATE TABLE owner(owner TEXT, cpu INTEGER, counter INTEGER, event INTEGER, name TEXT, should "
    "INTEGER, counted INTEGER, stopped INTEGER, replaced INTEGER, dropped INTEGER, foreign_counted "
    "INTEGER, gained INTEGER, readings INTEGER, wrong_readings INTEGER, read INTEGER, expected "
    "INTEGER)",
    "INSERT INTO owner VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table disturbance_table = {
    "CREATE TABLE disturbance(cycle INTEGER, cpu INTEGER, counter INTEGER, of TEXT, by TEXT, cause "
    "TEXT, step TEXT, before INTEGER, after INTEGER)",
    "INSERT INTO disturbance VALUES(?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table count_table = {
    "CREATE TABLE arm_count(cpu INTEGER, event INTEGER, name TEXT, counter INTEGER, start INTEGER, "
    "stop INTEGER, running INTEGER, value INTEGER, should INTEGER, final INTEGER)",
    "INSERT INTO arm_count VALUES(?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table sample_table = {
    "CREATE TABLE arm_sample(seq INTEGER PRIMARY KEY, cycle INTEGER, cpu INTEGER, event INTEGER, "
    "number INTEGER, pid INTEGER, mode INTEGER, pc INTEGER, period INTEGER)",
    "INSERT INTO arm_sample(cycle,cpu,event,number,pid,mode,pc,period) VALUES(?,?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&owner_table, &disturbance_table, &count_table,
                                                   &sample_table, NULL};

static const char *event_name(uint32_t event, char *buffer, size_t size)
{
    return event == CS_EVENT_ARM_CLOCK ? "cycles" : cs_arm_event_text(event, buffer, size);
}

static void disturbed(void *ctx, const cs_disturbance *d)
{
    const owners_part *p = ctx;
    cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &disturbance_table);

    if (!p->run->scenario->keep->samples_truth)
        return;
    cs_truth_integers(rows, 1, (uint64_t[]){d->cycle, d->cpu, d->counter}, 3);
    cs_truth_text(rows, 4, cs_owner_names[d->of]);
    cs_truth_text(rows, 5, cs_owner_names[d->of == CS_OWNER_PERF ? CS_OWNER_PMCU : CS_OWNER_PERF]);
    cs_truth_text(rows, 6, cs_disturbing_names[d->cause]);
    cs_truth_text(rows, 7, d->of == CS_OWNER_PERF ? cs_pmcu_state_name(d->step) : NULL);
    cs_truth_integers(rows, 8, (uint64_t[]){d->before, d->after}, 2);
    cs_truth_put(rows);
}

static void put_owners(const owners_part *p)
{
    cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &owner_table);
    const cs_owner_row *list;
    char name[32];
    size_t nr;

    list = cs_owners_rows(p->owners, &nr);
    for (size_t i = 0; i < nr; i++) {
        const cs_owner_row *r = &list[i];

        cs_truth_text(rows, 1, cs_owner_names[r->owner]);
        cs_truth_integers(rows, 2, (uint64_t[]){r->cpu, r->counter, r->event}, 3);
        cs_truth_text(rows, 5, event_name(r->event, name, sizeof name));
        cs_truth_integers(rows, 6,
                          (uint64_t[]){r->should, r->right, r->stopped, r->replaced, r->dropped,
                                       r->foreign, r->gained, r->readings, r->wrong, r->read,
                                       r->expected},
                          11);
        cs_truth_put(rows);
    }
}

/* ---- while it runs ---- */

static void probe(void *state, const cs_probe_record *record)
{
    owners_part *p = state;

    cs_part_fail(p->run, cs_owners_record(p->owners, record));
}

static printed *add_printed(owners_part *p)
{
    if (p->nr == p->room) {
        const size_t room = p->room != 0 ? 2 * p->room : 64;
        printed *list = realloc(p->list, room * sizeof *list);

        if (list == NULL) {
            cs_part_fail(p->run, CS_ERR_NO_MEMORY);
            return NULL;
        }
        p->list = list;
        p->room = room;
    }
    return &p->list[p->nr++];
}

static bool is_listed_once(const cs_arm_pmu_spec *spec, uint32_t event)
{
    unsigned n = 0;

    for (unsigned i = 0; i < spec->nr_events; i++)
        n += spec->events[i] == event;
    return n == 1;
}

/* Of an event that has had one counter after the other. */
static uint64_t should_in_turns(const owners_part *p, unsigned cpu, const cs_count *c)
{
    const cs_owner_row *rows;
    uint64_t sum = 0;
    size_t nr;

    if (!is_listed_once(p->run->scenario->arm_pmu, c->event))
        return c->raw; /* nobody can say which of them it was */
    rows = cs_owners_rows(p->owners, &nr);
    for (size_t i = 0; i < nr; i++)
        if (rows[i].owner == CS_OWNER_PERF && rows[i].cpu == cpu &&
            (rows[i].event == c->event ||
             (c->event == CS_ARM_CPU_CYCLES && rows[i].event == CS_EVENT_ARM_CLOCK)))
            sum += rows[i].should;
    return sum;
}

/* What the counter of perf's alone would have counted so far. */
static uint64_t should(const owners_part *p, unsigned cpu, const cs_count *c)
{
    const unsigned counter = *(const unsigned *)c->own;
    const uint32_t event = counter == CS_IMAGE_COUNTERS - 1 ? CS_EVENT_ARM_CLOCK : c->event;
    const cs_owner_row *row = cs_owners_find(p->owners, CS_OWNER_PERF, cpu, counter, event);

    if (cs_arm_takes_turns(p->run->scenario->arm_pmu))
        return should_in_turns(p, cpu, c);
    return row != NULL ? row->should : 0;
}

static void put_count(const owners_part *p, const cs_count *c, unsigned counter)
{
    cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &count_table);
    char name[32];

    cs_truth_integers(rows, 1, (uint64_t[]){c->cpu, c->event}, 2);
    cs_truth_text(rows, 3, event_name(c->event, name, sizeof name));
    cs_truth_integers(rows, 4, (uint64_t[]){counter, c->from, c->to, c->running, c->raw}, 5);
    if (c->final)
        cs_truth_integers(rows, 9, (uint64_t[]){should(p, c->cpu, c)}, 1);
    else
        cs_truth_null(rows, 9);
    cs_truth_integers(rows, 10, (uint64_t[]){c->final}, 1);
    cs_truth_put(rows);
}

static void count(void *state, const cs_soft_record *record)
{
    owners_part *p = state;
    const cs_count *c = cs_told_count(record);

    if (c->family != &cs_arm_pmu_family && c->family != &cs_arm_kept_family)
        return;
    const unsigned counter = *(const unsigned *)c->own;
    if (c->final || p->run->scenario->keep->samples_truth)
        put_count(p, c, counter);
    if (!c->final)
        return;
    printed *new = add_printed(p);

    if (new != NULL)
        *new = (printed){c->cpu,     counter,   c->event, c->raw, should(p, c->cpu, c),
                         c->enabled, c->running};
}

static void sampled(void *state, const cs_soft_record *record)
{
    const owners_part *p = state;
    const cs_arm_sample *s = cs_told_arm_sample(record);

    if (p->run->scenario->keep->samples_truth)
        cs_truth_put_integers(cs_truth_rows_of(p->run->truth, &sample_table),
                              (uint64_t[]){record->cycle, record->cpu, s->event, s->number, s->pid,
                                           s->mode, s->pc, s->period},
                              8);
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_count, count}, {&cs_soft_arm_sample, sampled}, {NULL, NULL}};

/* Not where nobody but perf writes to the counters, and their events change all the time: what became
 * of an event then is not to be found by counters. */
static bool is_here(const cs_scenario *s)
{
    const bool beside =
        cs_scenario_runs(s, CS_SOFTWARE_pmcu_driver) || cs_scenario_runs(s, CS_SOFTWARE_script);

    return cs_scenario_runs(s, CS_SOFTWARE_arm_pmu) &&
           (beside || s->arm_pmu->command == CS_ARM_RECORD || !cs_arm_takes_turns(s->arm_pmu));
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_owners_config config;
    owners_part *p;

    if (!is_here(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the owners of counters");
    p->run = run;
    config = (cs_owners_config){.scenario = run->scenario,
                                .timelines = run->environment->timelines,
                                .disturbed = disturbed,
                                .ctx = p};
    for (unsigned die = 0; die < run->scenario->pmcu->dies; die++)
        config.hpme[die] =
            cs_pmcu_driver_hpme(run->environment, die * cs_scenario_die_cpus(run->scenario));
    return cs_owners_create(&config, &p->owners, diag);
}

static void destroy(void *state)
{
    owners_part *p = state;

    cs_owners_destroy(p->owners);
    free(p->list);
    free(p);
}

/* ---- the end ---- */

static double error_of(const printed *e)
{
    if (e->should == 0)
        return e->value != 0 ? 1.0 : 0.0;
    return (double)e->value / (double)e->should - 1.0;
}

static double size_of(double error)
{
    return error < 0 ? -error : error;
}

static uint64_t wrong_readings(const owners_part *p, cs_owner owner)
{
    const cs_owner_row *rows;
    uint64_t wrong = 0;
    size_t nr;

    rows = cs_owners_rows(p->owners, &nr);
    for (size_t i = 0; i < nr; i++)
        wrong += rows[i].owner == owner ? rows[i].wrong : 0;
    return wrong;
}

static cs_status finish(void *state, cs_diag *diag)
{
    owners_part *p = state;
    const cs_arm_pmu_report *r = cs_arm_pmu_get_report(cs_arm_pmu_of(p->run->environment));

    (void)diag;
    put_owners(p);
    for (size_t i = 0; i < p->nr; i++) {
        const double error = error_of(&p->list[i]);

        p->wrong += p->list[i].value != p->list[i].should;
        if (size_of(error) > size_of(p->worst))
            p->worst = error;
    }
    if (p->wrong != 0)
        cs_part_warn(p->run,
                     "%" PRIu64 " of %zu counts of perf are not what their counters would have "
                     "counted alone, the worst by %+.3g %%: the PMCU wrote to the same registers "
                     "(tables `owner`, `disturbance`)",
                     p->wrong, p->nr, 100.0 * p->worst);
    if (wrong_readings(p, CS_OWNER_PMCU) != 0)
        cs_part_warn(p->run,
                     "the PMCU read %" PRIu64 " values that it would not have read alone: perf's "
                     "driver wrote to the same registers (tables `owner`, `disturbance`)",
                     wrong_readings(p, CS_OWNER_PMCU));
    if (r->refused)
        cs_part_warn(p->run, "perf got EBUSY: the PMCU had the counters (arm_pmu.owner refuse)");
    return CS_OK;
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const owners_part *p = state;
    const cs_arm_pmu_report *r = cs_arm_pmu_get_report(cs_arm_pmu_of(p->run->environment));

    (void)s;
    cs_figure_count(out, "perf_counts", true, p->nr);
    cs_figure_count(out, "perf_wrong", true, p->wrong);
    cs_figure_fraction(out, "perf_worst", true, p->worst);
    cs_figure_count(out, "perf_samples", true, r->samples);
    cs_figure_count(out, "perf_interrupts", true, r->interrupts);
    cs_figure_count(out, "perf_spurious", true, r->spurious);
    cs_figure_count(out, "perf_accesses", true, r->rotating.register_accesses);
    cs_figure_count(out, "perf_switches", true, r->switches);
    cs_figure_count(out, "perf_yields", true, r->yields);
    cs_figure_cycles(out, "claim_ns", true, r->granted_after);
    cs_figure_count(out, "pmcu_wrong", true, wrong_readings(p, CS_OWNER_PMCU));
}

/* ---- tables of the summary: over all CPUs ---- */

/* The rows of an owner's event, added up. */
static size_t add_up(const owners_part *p, cs_owner_row **out)
{
    const cs_owner_row *rows;
    size_t nr, sums = 0;
    cs_owner_row *all;

    rows = cs_owners_rows(p->owners, &nr);
    *out = all = calloc(nr + 1, sizeof *all);
    for (size_t i = 0; all != NULL && i < nr; i++) {
        size_t k = 0;

        while (k < sums && (all[k].owner != rows[i].owner || all[k].event != rows[i].event))
            k++;
        if (k == sums)
            all[sums++] = (cs_owner_row){.owner = rows[i].owner, .event = rows[i].event};
        all[k].should += rows[i].should;
        all[k].right += rows[i].right;
        all[k].stopped += rows[i].stopped;
        all[k].replaced += rows[i].replaced;
        all[k].dropped += rows[i].dropped;
        all[k].foreign += rows[i].foreign;
        all[k].read += rows[i].read;
        all[k].expected += rows[i].expected;
    }
    return sums;
}

/* What the owner took home: perf printed it, the PMCU stored it. */
static uint64_t got(const owners_part *p, const cs_owner_row *r)
{
    uint64_t value = 0;

    if (r->owner == CS_OWNER_PMCU)
        return r->read;
    for (size_t i = 0; i < p->nr; i++) {
        const bool cycles = p->list[i].counter == CS_IMAGE_COUNTERS - 1;

        if ((cycles ? CS_EVENT_ARM_CLOCK : p->list[i].event) == r->event)
            value += p->list[i].value;
    }
    return value;
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const owners_part *p = state;
    cs_owner_row *rows;
    const size_t nr = add_up(p, &rows);
    char name[32];

    (void)s;
    (void)most;
    if (nr == 0) {
        free(rows);
        return;
    }
    fprintf(out, "\n  %-5s %-20s %15s %15s %13s %13s %20s\n", "owner", "event", "should count",
            "counted of it", "stood", "counted other", "got");
    for (size_t i = 0; i < nr; i++) {
        const cs_owner_row *r = &rows[i];

        if (r->should == 0 && r->read == 0)
            continue;
        fprintf(out, "  %-5s %-20s %15s %15s %13s %13s %20s\n", cs_owner_names[r->owner],
                event_name(r->event, name, sizeof name), cs_digits_of(r->should).text,
                cs_digits_of(r->right).text, cs_digits_of(r->stopped).text,
                cs_digits_of(r->replaced).text, cs_digits_of(got(p, r)).text);
    }
    free(rows);
    fprintf(out, "\n  %-26s %15s %15s\n", "disturbed", "perf's counters", "the PMCU's");
    for (unsigned k = 0; k < CS_NR_DISTURBING; k++)
        fprintf(
            out, "  %-26s %15s %15s\n", cs_disturbing_names[k],
            cs_digits_of(cs_owners_disturbances(p->owners, CS_OWNER_PERF, (cs_disturbing)k)).text,
            cs_digits_of(cs_owners_disturbances(p->owners, CS_OWNER_PMCU, (cs_disturbing)k)).text);
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const owners_part *p = state;
    cs_owner_row *rows;
    const size_t nr = add_up(p, &rows);
    char name[32];

    (void)s;
    fprintf(out, ",\n  \"owners\": [");
    for (size_t i = 0; i < nr; i++) {
        const cs_owner_row *r = &rows[i];

        fprintf(out, "%s\n    {\"owner\": \"%s\", \"event\": ", cs_json_comma(i),
                cs_owner_names[r->owner]);
        cs_json_string(out, event_name(r->event, name, sizeof name));
        fprintf(out,
                ", \"should\": %" PRIu64 ", \"counted\": %" PRIu64 ", \"stopped\": %" PRIu64
                ", \"replaced\": %" PRIu64 ", \"dropped\": %" PRIu64 ", \"foreign\": %" PRIu64
                ", \"got\": %" PRIu64 "}",
                r->should, r->right, r->stopped, r->replaced, r->dropped, r->foreign, got(p, r));
    }
    fprintf(out, "\n  ]");
    free(rows);
}

const cs_part cs_part_owners = {
    .name = "owners",
    .tables = own_tables,
    .wanted = is_here,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_REG) | CS_PART_HEARS(CS_PROBE_STATE),
    .probe = probe,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_FIGURES] = 15, [CS_PART_TEXT] = 15, [CS_PART_JSON] = 25},
    .figures = figures,
    .text = text,
    .json = json,
};
