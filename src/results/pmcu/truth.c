// SPDX-License-Identifier: Apache-2.0
#include "results/pmcu/truth.h"

#include "drivers/pmcu/pmcu_driver.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
#include <countersink/base/numbers.h>

/* Its rows stay in the order in which events were first met, the cycle counter last. */
static const cs_truth_table event_table = {
    "CREATE TABLE event(id INTEGER UNIQUE, number INTEGER, name TEXT, cycle_counter INTEGER, "
    "subsamples INTEGER, sampled INTEGER, window_truth INTEGER, truth INTEGER, scaled REAL, error "
    "REAL, nominal REAL, nominal_error REAL)",
    "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table subsample_table = {
    "CREATE TABLE subsample(number INTEGER PRIMARY KEY, cycle INTEGER, address INTEGER, of_trigger "
    "INTEGER, bytes INTEGER)",
    "INSERT INTO subsample VALUES(?,?,?,?,?)"};
static const cs_truth_table window_table = {
    "CREATE TABLE window(subsample INTEGER, cpu INTEGER, start INTEGER, stop INTEGER, cid1 "
    "INTEGER, cid2 INTEGER, PRIMARY KEY(subsample, cpu)) WITHOUT ROWID",
    "INSERT INTO window VALUES(?,?,?,?,?,?)"};
static const cs_truth_table sample_table = {
    "CREATE TABLE sample(subsample INTEGER, cpu INTEGER, position INTEGER, event INTEGER, value "
    "INTEGER, truth INTEGER, PRIMARY KEY(subsample, position, cpu)) WITHOUT ROWID",
    "INSERT INTO sample VALUES(?,?,?,?,?,?)"};
static const cs_truth_table total_table = {"CREATE TABLE total(event INTEGER, cpu INTEGER, truth "
                                           "INTEGER, PRIMARY KEY(event, cpu)) WITHOUT ROWID",
                                           "INSERT INTO total VALUES(?,?,?)"};
static const cs_truth_table failed_table = {
    "CREATE TABLE failed(subsample INTEGER, cpu INTEGER, state TEXT, PRIMARY KEY(subsample, cpu)) "
    "WITHOUT ROWID",
    "INSERT INTO failed VALUES(?,?,?)"};
const cs_truth_table *const cs_pmcu_tables[] = {
    &event_table, &subsample_table, &window_table, &sample_table, &total_table, &failed_table, NULL,
};

/* ---- of several dies ---- */

static const cs_truth_table die_table = {
    "CREATE TABLE die(die INTEGER PRIMARY KEY, name TEXT, first_cpu INTEGER, cpus INTEGER, "
    "driver_cpu INTEGER, first_start INTEGER, last_stop INTEGER, triggers INTEGER, interrupts "
    "INTEGER, subsamples INTEGER, handed_over INTEGER, aux_bytes INTEGER, ended TEXT)",
    "INSERT INTO die VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table subsample_die_table = {
    "CREATE TABLE subsample_die(subsample INTEGER PRIMARY KEY, die INTEGER, number INTEGER)",
    "INSERT INTO subsample_die VALUES(?,?,?)"};
static const cs_truth_table event_die_table = {
    "CREATE TABLE event_die(event INTEGER, die INTEGER, subsamples INTEGER, sampled INTEGER, "
    "window_truth INTEGER, truth INTEGER, scaled REAL, error REAL, nominal REAL, nominal_error "
    "REAL, PRIMARY KEY(event, die)) WITHOUT ROWID",
    "INSERT INTO event_die VALUES(?,?,?,?,?,?,?,?,?,?)"};
const cs_truth_table *const cs_pmcu_die_tables[] = {&die_table, &subsample_die_table,
                                                    &event_die_table, NULL};

/* ---- of CPUs that go off ---- */

static const cs_truth_table overwritten_table = {
    "CREATE TABLE overwritten(die INTEGER, first INTEGER, count INTEGER)",
    "INSERT INTO overwritten VALUES(?,?,?)"};
const cs_truth_table *const cs_pmcu_outage_tables[] = {&overwritten_table, NULL};

/* What every table of Arm events calls the event: its number, and CS_EVENT_ARM_CLOCK of the cycle counter,
 * which in the PMCU's results goes by the number of CPU_CYCLES. */
static uint64_t id_of(const cs_pmcu_event_result *e)
{
    return e->cycle_counter ? CS_EVENT_ARM_CLOCK : e->event;
}

/* Those in which an access of a slot can fail (docs/hw/pmcu.md, "States"). */
static const char *const states[] = {
    [1] = "INIT", [3] = "PROGRAM", [4] = "START", [6] = "STOP", [7] = "READ"};

static void put_samples(cs_truth *t, const cs_pmcu_subsample *s)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &sample_table);

    for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++)
        for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
            uint32_t event = i < s->nr_events ? s->events[i] : CS_EVENT_ARM_CLOCK;

            cs_truth_put_integers(rows,
                                  (uint64_t[]){s->number, s->first_cpu + cpu, i, event,
                                               s->values[i * s->nr_cpus + cpu],
                                               s->truths[i * s->nr_cpus + cpu]},
                                  6);
        }
}

void cs_truth_subsample(cs_truth *t, const cs_pmcu_subsample *s)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &window_table);
    cs_truth_rows *failed = cs_truth_rows_of(t, &failed_table);

    cs_truth_put_integers(cs_truth_rows_of(t, &subsample_table),
                          (uint64_t[]){s->number, s->cycle, s->addr, s->of_trigger, s->bytes}, 5);
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
        const cs_pmcu_window *w = &s->windows[cpu];

        if (w->counted)
            cs_truth_put_integers(rows,
                                  (uint64_t[]){s->number, s->first_cpu + cpu, w->start, w->stop,
                                               s->cid1[cpu], s->cid2[cpu]},
                                  6);
        if (w->spoilt == 0)
            continue;
        cs_truth_integers(failed, 1, (uint64_t[]){s->number, s->first_cpu + cpu}, 2);
        cs_truth_text(failed, 3, states[w->spoilt]);
        cs_truth_put(failed);
    }
    if (s->truths != NULL)
        put_samples(t, s);
}

static void put_event(cs_truth *t, const cs_pmcu_event_result *e)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &event_table);

    cs_truth_integers(rows, 1, (uint64_t[]){id_of(e), e->event}, 2);
    cs_truth_text(rows, 3, e->cycle_counter ? "cycles" : cs_arm_event_name(e->event));
    cs_truth_integers(
        rows, 4,
        (uint64_t[]){e->cycle_counter, e->subsamples, e->sampled, e->window_truth, e->truth}, 5);
    cs_truth_real(rows, 9, e->scaled);
    cs_truth_real(rows, 10, e->error);
    cs_truth_real(rows, 11, e->nominal);
    cs_truth_real(rows, 12, e->nominal_error);
    cs_truth_put(rows);
}

void cs_truth_subsample_die(cs_truth *t, const cs_pmcu_subsample *s)
{
    cs_truth_put_integers(cs_truth_rows_of(t, &subsample_die_table),
                          (uint64_t[]){s->number, s->die, s->of_die}, 3);
}

void cs_truth_overwritten(const cs_part_run *run, unsigned die, uint64_t first, uint64_t count)
{
    if (run->scenario->corepmu->nr_outages != 0)
        cs_truth_put_integers(cs_truth_rows_of(run->truth, &overwritten_table),
                              (uint64_t[]){die, first, count}, 3);
}

static void put_die(cs_truth *t, const cs_pmcu_part *p, unsigned number)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &die_table);
    const cs_pmcu_die *d = &p->dies[number];
    const cs_pmcu_driver *driver = cs_pmcu_driver_of(p->run->environment, number);
    const unsigned cpus = cs_scenario_die_cpus(p->run->scenario);
    const cs_pmcu_results *r = d->results;

    cs_truth_integers(rows, 1, (uint64_t[]){number}, 1);
    cs_truth_text(rows, 2, d->name);
    cs_truth_integers(rows, 3, (uint64_t[]){number * cpus, cpus}, 2);
    cs_truth_integers(rows, 6,
                      (uint64_t[]){r->first_start, r->last_stop, r->triggers, r->interrupts,
                                   r->samples, d->handed_over, d->aux_bytes},
                      7);
    if (driver != NULL) {
        cs_truth_integers(rows, 5, (uint64_t[]){cs_pmcu_driver_cpu(driver)}, 1);
        cs_truth_text(rows, 13, d->ended);
    } else {
        cs_truth_null(rows, 5);
        cs_truth_null(rows, 13);
    }
    cs_truth_put(rows);
}

static void put_share(cs_truth *t, unsigned die, const cs_pmcu_event_result *e)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &event_die_table);

    cs_truth_integers(
        rows, 1, (uint64_t[]){id_of(e), die, e->subsamples, e->sampled, e->window_truth, e->truth},
        6);
    cs_truth_real(rows, 7, e->scaled);
    cs_truth_real(rows, 8, e->error);
    cs_truth_real(rows, 9, e->nominal);
    cs_truth_real(rows, 10, e->nominal_error);
    cs_truth_put(rows);
}

/* What the CPUs of a die did while it counted the event. */
static void put_totals(cs_truth *t, const cs_pmcu_part *p, const cs_pmcu_event_result *e,
                       unsigned number)
{
    const unsigned cpus = cs_scenario_die_cpus(p->run->scenario);
    const cs_pmcu_die *d = &p->dies[number];

    for (unsigned cpu = number * cpus; cpu < (number + 1) * cpus; cpu++)
        cs_truth_put_integers(
            cs_truth_rows_of(t, &total_table),
            (uint64_t[]){id_of(e), cpu, cs_pmcu_collector_span_truth(d->collector, e, cpu)}, 3);
}

void cs_truth_pmcu(cs_truth *t, const cs_pmcu_part *p)
{
    const cs_pmcu_results *results = p->results;

    cs_truth_fact(t, "first_start", results->first_start);
    cs_truth_fact(t, "last_stop", results->last_stop);
    for (unsigned i = 0; i < p->nr_dies && p->nr_dies > 1; i++)
        put_die(t, p, i);
    for (size_t k = 0; k < results->nr_events; k++) {
        const cs_pmcu_event_result *e = &results->events[k];

        put_event(t, e);
        for (unsigned i = 0; i < p->nr_dies; i++) {
            const cs_pmcu_event_result *own = cs_pmcu_event_of(&p->dies[i], e);

            if (own == NULL)
                continue;
            put_totals(t, p, e, i);
            if (p->nr_dies > 1)
                put_share(t, i, own);
        }
    }
}
