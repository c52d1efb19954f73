// SPDX-License-Identifier: Apache-2.0
/* What it came to, of one PMCU or all of them: figures, tables, lists. */
#include <inttypes.h>

#include "results/pmcu/part.h"
#include "results/summary.h"
#include "results/way_figures.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

double cs_pmcu_window_excess(const cs_pmcu_results *r)
{
    return r->nominal_cycles != 0 ? (double)r->window_cycles / (double)r->nominal_cycles - 1.0 : 0;
}

void cs_pmcu_figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_pmcu_part *p = state;
    const cs_pmcu_results *r = p->results;

    if (!cs_scenario_drives_pmcu(s->scenario))
        return;
    cs_figure_count(out, "cpus", true, r->armed_cpus);
    if (r->absent_slots != 0)
        cs_figure_count(out, "absent_slots", true, r->absent_slots);
    cs_figure_count(out, "triggers", true, r->triggers);
    cs_figure_count(out, "interrupts", true, r->interrupts);
    if (p->spurious != 0)
        cs_figure_count(out, "driver_spurious", true, p->spurious);
    cs_figure_count(out, "subsamples", true, r->samples);
    cs_figure_count(out, "samples", false, r->samples); /* as it was called; users have it */
    cs_figure_count(out, "sample_bytes", true, r->sample_bytes);
    cs_figure_count(out, "aux_bytes", true, p->aux_bytes);
    if (p->perf_cycles != 0)
        cs_figure_cycles(out, "perf_ns", true, p->perf_cycles);
    cs_figure_cycles(out, "blind_ns", true, r->blind_cycles);
    cs_figure_fraction(out, "blind_fraction", true, r->blind_fraction);
    cs_figure_cycles(out, "start_skew_ns", true, r->start_skew_cycles);
    cs_figure_cycles(out, "stop_skew_ns", true, r->stop_skew_cycles);
    if (r->nominal_cycles != 0)
        cs_figure_fraction(out, "window_excess", true, cs_pmcu_window_excess(r));
    cs_figure_count(out, "failed_slots", true, r->failed_slots);
    if (s->scenario->corepmu->nr_outages != 0 && p->moves != 0)
        cs_figure_count(out, "driver_moves", true, p->moves);
    if (s->scenario->corepmu->nr_outages != 0) {
        cs_figure_count(out, "off_slots", true, r->off_slots);
        cs_figure_count(out, "lost_slots", true, r->lost_slots);
    }
    if (s->scenario->keep->samples_truth)
        cs_figure_count(out, "wrong_values", true, r->wrong_values);
}

/* ---- of several dies, a row each ---- */

static const char *end_of(const cs_pmcu_die *die)
{
    return die->ended != NULL ? die->ended : "no driver of it runs";
}

static void text_of_dies(const cs_pmcu_part *p, FILE *out)
{
    if (p->nr_dies == 1 || p->results->nr_events == 0)
        return;
    fprintf(out, "\n  %-8s %6s %9s %10s %12s %14s %9s  %s\n", "die", "CPUs", "triggers",
            "interrupts", "subsamples", "bytes to perf", "blind", "ended");
    for (unsigned i = 0; i < p->nr_dies; i++) {
        const cs_pmcu_die *d = &p->dies[i];
        const cs_pmcu_results *r = d->results;

        fprintf(out, "  %-8s %6u %9s %10s %12s %14s %8.3f%%  %s\n", d->name, r->armed_cpus,
                cs_digits_of(r->triggers).text, cs_digits_of(r->interrupts).text,
                cs_digits_of(r->samples).text, cs_digits_of(d->aux_bytes).text,
                100.0 * r->blind_fraction, end_of(d));
    }
}

static void json_of_dies(const cs_pmcu_part *p, FILE *out)
{
    if (p->nr_dies == 1)
        return;
    fprintf(out, ",\n  \"dies\": [");
    for (unsigned i = 0; i < p->nr_dies; i++) {
        const cs_pmcu_die *d = &p->dies[i];
        const cs_pmcu_results *r = d->results;

        fprintf(out, "%s\n    {\"die\": %u, \"name\": ", cs_json_comma(i), i);
        cs_json_string(out, d->name);
        fprintf(out,
                ", \"cpus\": %u, \"triggers\": %" PRIu64 ", \"interrupts\": %" PRIu64
                ", \"samples\": %" PRIu64 ", \"aux_bytes\": %" PRIu64
                ", \"blind_fraction\": %.9g, \"ended\": ",
                r->armed_cpus, r->triggers, r->interrupts, r->samples, d->aux_bytes,
                r->blind_fraction);
        cs_json_string(out, end_of(d));
        fprintf(out, "}");
    }
    fprintf(out, "\n  ]");
}

/* ---- of each event a row ---- */

static const char *event_name(const cs_pmcu_event_result *e, char *buffer, size_t size)
{
    return e->cycle_counter ? "cycles" : cs_arm_event_text(e->event, buffer, size);
}

void cs_pmcu_text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const cs_pmcu_results *r = ((const cs_pmcu_part *)state)->results;
    const size_t rows = cs_summary_rows(r->nr_events, most);
    char name[32];

    (void)s;
    text_of_dies(state, out);
    if (r->nr_events == 0)
        return;
    fprintf(out, "\n  %-24s %16s %16s %9s\n", "event", "truth", "samples, scaled", "error");
    for (size_t i = 0; i < rows; i++) {
        const cs_pmcu_event_result *e = &r->events[i];

        fprintf(out, "  %-24s %16s %16s %8.3f%%\n", event_name(e, name, sizeof name),
                cs_digits_of(e->truth).text, cs_digits_real(e->scaled).text, cs_percent(e->error));
    }
    cs_summary_more(out, r->nr_events, rows, "events");
}

void cs_pmcu_json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_pmcu_results *r = ((const cs_pmcu_part *)state)->results;
    char name[32];

    (void)s;
    json_of_dies(state, out);
    fprintf(out, ",\n  \"events\": [");
    for (size_t i = 0; i < r->nr_events; i++) {
        const cs_pmcu_event_result *e = &r->events[i];

        fprintf(out, "%s\n    {\"event\": %u, \"name\": ", cs_json_comma(i), (unsigned)e->event);
        cs_json_string(out, event_name(e, name, sizeof name));
        fprintf(out,
                ", \"truth\": %" PRIu64 ", \"sampled\": %" PRIu64 ", \"subsamples\": %" PRIu64
                ", \"scaled\": %.9g, \"error\": %.9g, \"nominal\": %.9g, \"nominal_error\": %.9g}",
                e->truth, e->sampled, e->subsamples, e->scaled, e->error, e->nominal,
                e->nominal_error);
    }
    fprintf(out, "\n  ]");
}

/* Cores with fewer counters than the PMCU reads answer 0 for the others. */
static bool has_no_counter(const cs_scenario *s, const cs_pmcu_event_result *event)
{
    return s->corepmu->counters < CS_PMCU_COLLECTOR_MAX_COUNTERS && event->sampled == 0 &&
           event->truth != 0;
}

/* An event of the PMCU counts on all CPUs at once; its readings are its subsamples. */
cs_status cs_pmcu_ways(const void *state, const cs_summary *s, double *f)
{
    const cs_pmcu_results *r = ((const cs_pmcu_part *)state)->results;
    const cs_scenario *sc = s->scenario;
    const double span = cs_summary_seconds(sc, r->last_stop - r->first_start);
    const double window =
        r->windows != 0 ? cs_summary_seconds(sc, r->window_cycles) / (double)r->windows : 0;
    cs_way_errors e = {0};
    double subsamples = 0;
    uint64_t events = 0;

    if (r->samples == 0)
        return CS_OK;
    f[CS_WAY_INTERRUPTS] = (double)r->interrupts;
    f[CS_WAY_BLIND] = r->blind_fraction;
    f[CS_WAY_SKEW] = cs_summary_seconds(sc, r->stop_skew_cycles);
    for (size_t i = 0; i < r->nr_events; i++) {
        const cs_pmcu_event_result *event = &r->events[i];

        if (event->cycle_counter)
            continue;
        events++;
        subsamples += (double)event->subsamples;
        if (event->subsamples != 0 && !has_no_counter(sc, event))
            cs_way_errors_add(&e, event->scaled, event->truth);
        else
            e.never++;
    }
    cs_way_errors_set(&e, f);
    if (events == 0 || span <= 0)
        return CS_OK;
    f[CS_WAY_READINGS] = subsamples / (double)events / span;
    f[CS_WAY_COVERAGE] = f[CS_WAY_READINGS] * window;
    return CS_OK;
}
