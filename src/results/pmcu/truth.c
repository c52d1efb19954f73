#include "results/pmcu/truth.h"

#include "scenario/corepmu/arm_events.h"

static const cs_truth_table event_table = {
    "CREATE TABLE event(id INTEGER PRIMARY KEY, number INTEGER, name TEXT, cycle_counter INTEGER, "
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

/* Those in which an access of a slot can fail (docs/hw/pmcu.md, "States"). */
static const char *const states[] = {
    [1] = "INIT", [3] = "PROGRAM", [4] = "START", [6] = "STOP", [7] = "READ"};

static void put_samples(cs_truth *t, const cs_pmcu_subsample *s)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &sample_table);

    for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++)
        for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
            uint32_t event = i < s->nr_events ? s->events[i] : 0x11;

            cs_truth_put_integers(rows,
                                  (uint64_t[]){s->number, cpu, i, event,
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
            cs_truth_put_integers(
                rows, (uint64_t[]){s->number, cpu, w->start, w->stop, s->cid1[cpu], s->cid2[cpu]},
                6);
        if (w->spoilt == 0)
            continue;
        cs_truth_integers(failed, 1, (uint64_t[]){s->number, cpu}, 2);
        cs_truth_text(failed, 3, states[w->spoilt]);
        cs_truth_put(failed);
    }
    if (s->truths != NULL)
        put_samples(t, s);
}

static void put_event(cs_truth *t, size_t id, const cs_pmcu_event_result *e)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &event_table);

    cs_truth_integers(rows, 1, (uint64_t[]){id, e->event}, 2);
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

void cs_truth_pmcu(cs_truth *t, cs_pmcu_collector *collector, const cs_pmcu_results *results,
                   unsigned nr_cpus)
{
    cs_truth_fact(t, "first_start", results->first_start);
    cs_truth_fact(t, "last_stop", results->last_stop);
    for (size_t i = 0; i < results->nr_events; i++) {
        put_event(t, i, &results->events[i]);
        for (unsigned cpu = 0; cpu < nr_cpus; cpu++)
            cs_truth_put_integers(
                cs_truth_rows_of(t, &total_table),
                (uint64_t[]){i, cpu,
                             cs_pmcu_collector_span_truth(collector, &results->events[i], cpu)},
                3);
    }
}
