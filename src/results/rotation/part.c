// SPDX-License-Identifier: Apache-2.0
#include "results/rotation/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/summary.h"
#include "results/way_figures.h"
#include "scenario/machine/keep_spec.h"

/* ---- the truth ---- */

static const cs_truth_table rotated_table = {
    "CREATE TABLE rotated(command INTEGER, pmu TEXT, unit INTEGER, cpu INTEGER, event INTEGER, "
    "name TEXT, start INTEGER, stop INTEGER, enabled INTEGER, running INTEGER, raw INTEGER, truth "
    "INTEGER, final INTEGER, scaled REAL, error REAL, pinned INTEGER)",
    "INSERT INTO rotated VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&rotated_table, NULL};

void cs_truth_rotated(cs_truth *t, const cs_counted *r)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &rotated_table);
    const cs_count *c = &r->count;
    char name[40];

    cs_truth_integers(rows, 1, (uint64_t[]){c->command}, 1);
    cs_truth_text(rows, 2, c->pmu);
    cs_truth_integers(rows, 3, (uint64_t[]){c->unit, c->cpu, c->event}, 3);
    cs_truth_text(rows, 6, cs_count_name(c, name, sizeof name));
    cs_truth_integers(
        rows, 7, (uint64_t[]){c->from, c->to, c->enabled, c->running, c->raw, r->truth, c->final},
        7);
    if (r->ran) {
        cs_truth_real(rows, 14, r->value);
        cs_truth_real(rows, 15, r->error);
    } else {
        cs_truth_null(rows, 14);
        cs_truth_null(rows, 15);
    }
    cs_truth_integers(rows, 16, (uint64_t[]){c->pinned}, 1);
    cs_truth_put(rows);
}

/* ---- while it runs ---- */

static void told(void *state, const cs_soft_record *record)
{
    const cs_rotation_part *p = state;
    const cs_count *c = cs_told_count(record);

    if (c->family->followed)
        return;
    const cs_counted one = cs_counted_of(c, cs_count_truth(c, p->run->environment->timelines));
    cs_tell_counted(&p->run->soft, record->cycle, record->cpu, &one);
}

static void counted(void *state, const cs_soft_record *record)
{
    const cs_rotation_part *p = state;
    const cs_counted *one = cs_told_counted(record);

    if (!one->count.turns)
        return;
    if (cs_rotation_results_add(p->results, one) != CS_OK) {
        cs_part_fail(p->run, CS_ERR_NO_MEMORY);
        return;
    }
    if (one->count.final || p->run->scenario->keep->samples_truth)
        cs_truth_rotated(p->run->truth, one);
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_count, told}, {&cs_soft_counted, counted}, {NULL, NULL}};

static bool rotates(const cs_environment *env)
{
    for (unsigned i = 0; i < CS_NR_SOFTWARE_KINDS; i++)
        if (cs_environment_rotating(env, (cs_software_kind)i) != NULL)
            return true;
    return false;
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_rotation_part *p;

    if (!rotates(run->environment))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for rotated counts");
    p->run = run;
    return cs_rotation_results_create(&p->results, diag);
}

#define MUCH 1000u /* happened */

/* Perf itself says of what never had a counter that it was not counted. */
static void warn_of_zeros(const cs_rotation_part *p)
{
    size_t finals;
    const cs_counted *r = cs_rotation_results_finals(p->results, &finals);

    for (size_t i = 0; i < finals; i++) {
        char name[64];

        if (r[i].ran && r[i].value == 0 && r[i].truth >= MUCH)
            cs_part_warn(p->run,
                         "perf command %u: %s/%s/ on CPU %u has a counter for %.1f %% of its time, "
                         "and counts 0 of %" PRIu64 " (table `rotated`)",
                         r[i].count.command, r[i].count.pmu,
                         cs_count_name(&r[i].count, name, sizeof name), r[i].count.cpu,
                         100 * r[i].share, r[i].truth);
    }
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_rotation_part *p = state;

    (void)diag;
    warn_of_zeros(p);
    for (unsigned i = 0; i < CS_NR_SOFTWARE_KINDS; i++) {
        const cs_rotating_report *report =
            cs_environment_rotating(p->run->environment, (cs_software_kind)i);

        if (report != NULL)
            cs_rotating_report_add(&p->report, report);
    }
    return CS_OK;
}

static void destroy(void *state)
{
    cs_rotation_part *p = state;

    cs_rotation_results_destroy(p->results);
    free(p);
}

/* ---- what the summary tells ---- */

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_rotation_part *p = state;
    const cs_rotated_fairness f = cs_rotation_results_all(p->results);
    const cs_rotating_report *r = &p->report;
    const bool ran = f.events != f.never, bus = r->bus_cycles != 0,
               interrupted = r->interrupts != 0;

    (void)s;
    cs_figure_count(out, "rotated_events", true, f.events);
    cs_figure_count(out, "never_counted", true, f.never);
    cs_figure_count(out, "pinned_in_error", f.refused != 0, f.refused);
    cs_figure_fraction(out, "least_share", ran, f.least_share);
    cs_figure_fraction(out, "most_share", ran, f.most_share);
    cs_figure_fraction(out, "jain", ran, f.jain);
    cs_figure_fraction(out, "mean_error", ran, f.mean_error);
    cs_figure_fraction(out, "most_error", ran, f.most_error);
    cs_figure_count(out, "ticks", true, r->ticks);
    cs_figure_count(out, "rotations", true, r->rotations);
    cs_figure_count(out, "late_ticks", r->late_ticks != 0, r->late_ticks);
    cs_figure_cycles(out, "rotating_ns", true, r->rotating_cycles);
    cs_figure_count(out, "register_accesses", true, r->register_accesses);
    cs_figure_cycles(out, "rotating_bus_ns", bus, r->bus_cycles);
    cs_figure_count(out, "rotating_interrupts", interrupted, r->interrupts);
    cs_figure_count(out, "overdue_reads", r->overdue_reads != 0, r->overdue_reads);
    cs_figure_count(out, "failed_accesses", r->failed_accesses != 0, r->failed_accesses);
}

static void event_rows(const cs_rotation_part *p, size_t most, FILE *out)
{
    size_t all;
    const cs_counted *list = cs_rotation_results_finals(p->results, &all);
    const size_t rows = cs_summary_rows(all, most);
    char name[40];

    if (all == 0)
        return;
    fprintf(out, "\n  %-3s %-12s %-18s %9s %16s %16s %9s\n", "cpu", "PMU", "event in turns", "time",
            "estimate", "truth", "error");
    for (size_t i = 0; i < rows; i++) {
        const cs_counted *r = &list[i];

        fprintf(out, "  %-3u %-12s %-18s %8.2f%% ", r->count.cpu, r->count.pmu,
                cs_count_name(&r->count, name, sizeof name), 100.0 * r->share);
        if (r->ran)
            fprintf(out, "%16s %16s %8.3f%%\n", cs_digits_real(r->value).text,
                    cs_digits_of(r->truth).text, cs_percent(r->error));
        else
            fprintf(out, "%16s %16s\n", r->count.pinned ? "pinned, in error" : "never counted",
                    cs_digits_of(r->truth).text);
    }
    cs_summary_more(out, all, rows, "events");
}

static void command_rows(const cs_rotation_part *p, size_t most, FILE *out)
{
    size_t all;
    const cs_rotated_fairness *list = cs_rotation_results_commands(p->results, &all);
    const size_t rows = cs_summary_rows(all, most);

    if (all < 2) /* the figures say the same */
        return;
    fprintf(out, "\n  %-16s %7s %7s %9s %9s %9s %9s %9s\n", "command", "events", "never", "least",
            "most", "Jain", "error", "largest");
    for (size_t i = 0; i < rows; i++) {
        const cs_rotated_fairness *f = &list[i];
        char name[32];

        snprintf(name, sizeof name, "%s %u", f->family->name, f->command);
        fprintf(out, "  %-16s %7" PRIu64 " %7" PRIu64 " %8.2f%% %8.2f%% ", name, f->events,
                f->never, 100.0 * f->least_share, 100.0 * f->most_share);
        if (f->never == f->events)
            fprintf(out, "%9s %9s %9s\n", "-", "-", "-");
        else
            fprintf(out, "%8.2f%% %8.3f%% %8.3f%%\n", 100.0 * f->jain, 100.0 * f->mean_error,
                    100.0 * f->most_error);
    }
    cs_summary_more(out, all, rows, "commands");
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    (void)s;
    event_rows(state, most, out);
    command_rows(state, most, out);
}

/* Of whole commands; the intervals are in the database. */
static void json_counts(const cs_rotation_part *p, FILE *out)
{
    size_t all;
    const cs_counted *list = cs_rotation_results_finals(p->results, &all);
    char name[40];

    fprintf(out, ",\n  \"rotated\": [");
    for (size_t i = 0; i < all; i++) {
        const cs_counted *r = &list[i];
        const cs_count *c = &r->count;

        fprintf(out, "%s\n    {\"command\": %u, \"pmu\": ", cs_json_comma(i), c->command);
        cs_json_string(out, c->pmu);
        fprintf(out, ", \"unit\": %u, \"cpu\": %u, \"event\": %u, \"name\": ", c->unit, c->cpu,
                (unsigned)c->event);
        cs_json_string(out, cs_count_name(c, name, sizeof name));
        fprintf(out,
                ", \"start\": %" PRIu64 ", \"stop\": %" PRIu64 ", \"enabled\": %" PRIu64
                ", \"running\": %" PRIu64 ", \"raw\": %" PRIu64,
                c->from, c->to, c->enabled, c->running, c->raw);
        if (r->ran)
            fprintf(out, ", \"scaled\": %.17g, \"error\": %.9g", r->value, r->error);
        else
            fprintf(out, ", \"scaled\": null, \"error\": null");
        fprintf(out, ", \"truth\": %" PRIu64 ", \"pinned\": %s}", r->truth,
                c->pinned ? "true" : "false");
    }
    fprintf(out, "\n  ]");
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_rotation_part *p = state;
    size_t all;
    const cs_rotated_fairness *list = cs_rotation_results_commands(p->results, &all);

    (void)s;
    json_counts(p, out);
    fprintf(out, ",\n  \"rotated_commands\": [");
    for (size_t i = 0; i < all; i++) {
        const cs_rotated_fairness *f = &list[i];

        fprintf(out,
                "%s\n    {\"kind\": \"%s\", \"command\": %u, \"events\": %" PRIu64
                ", \"never\": %" PRIu64 ", \"pinned_in_error\": %" PRIu64
                ", \"least_share\": %.9g, \"most_share\": %.9g",
                cs_json_comma(i), f->family->name, f->command, f->events, f->never, f->refused,
                f->least_share, f->most_share);
        if (f->never == f->events)
            fprintf(out, ", \"jain\": null, \"mean_error\": null, \"most_error\": null}");
        else
            fprintf(out, ", \"jain\": %.9g, \"mean_error\": %.9g, \"most_error\": %.9g}", f->jain,
                    f->mean_error, f->most_error);
    }
    fprintf(out, "\n  ]");
}

/* ---- ways ---- */

/* The same event of the same command. */
static int compare_events(const cs_count *a, const cs_count *b)
{
    if (a->command != b->command)
        return a->command < b->command ? -1 : 1;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    if (a->config1 != b->config1)
        return a->config1 < b->config1 ? -1 : 1;
    if (a->config2 != b->config2)
        return a->config2 < b->config2 ? -1 : 1;
    return strcmp(a->pmu, b->pmu);
}

static int by_event(const void *a, const void *b)
{
    const cs_counted *const *x = a, *const *y = b;

    return compare_events(&(*x)->count, &(*y)->count);
}

/* An event's total is that of all CPUs together, as perf adds them up without -A. */
static void add_totals(const cs_counted **finals, size_t count, cs_way_errors *e)
{
    for (size_t i = 0, end; i < count; i = end) {
        double scaled = 0;
        uint64_t truth = 0;
        bool counted = false;

        for (end = i; end < count && compare_events(&finals[i]->count, &finals[end]->count) == 0;
             end++) {
            scaled += finals[end]->value;
            truth += finals[end]->truth;
            counted |= finals[end]->ran;
        }
        if (counted)
            cs_way_errors_add(e, scaled, truth);
        else
            e->never++;
    }
}

/* Are some of the events those of units beside the CPUs? */
static bool of_units(const cs_rotation_part *p)
{
    size_t count;
    const cs_rotated_fairness *commands = cs_rotation_results_commands(p->results, &count);

    for (size_t i = 0; i < count; i++)
        if (!commands[i].family->of_cpus)
            return true;
    return false;
}

static cs_status ways(const void *state, const cs_summary *s, double *f)
{
    const cs_rotation_part *p = state;
    size_t finals;
    uint64_t readings;
    const uint64_t intervals = cs_rotation_results_intervals(p->results, &readings);
    const cs_counted *r = cs_rotation_results_finals(p->results, &finals);
    const cs_counted **list = malloc((finals + 1) * sizeof *list);
    cs_way_errors e = {0};
    double shares = 0, span = 0;

    if (list == NULL)
        return CS_ERR_NO_MEMORY;
    for (size_t i = 0; i < finals; i++) {
        list[i] = &r[i];
        shares += r[i].share;
        span += cs_summary_seconds(s->scenario, r[i].count.enabled);
    }
    qsort(list, finals, sizeof *list, by_event);
    add_totals(list, finals, &e);
    free(list);
    cs_way_errors_set(&e, f);
    f[CS_WAY_INTERRUPTS] = (double)p->report.interrupts;
    if (finals == 0 || span <= 0)
        return CS_OK;
    f[CS_WAY_COVERAGE] = shares / (double)finals;
    if (of_units(p)) {
        const cs_rotated_fairness all = cs_rotation_results_all(p->results);

        f[CS_WAY_LEAST_SHARE] = all.least_share;
        f[CS_WAY_FAIRNESS] = all.jain;
    }
    f[CS_WAY_READINGS] = (double)(intervals != 0 ? readings : finals) / span;
    return CS_OK;
}

const cs_part cs_part_rotation = {
    .name = "rotation",
    .tables = own_tables,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place =
        {[CS_PART_FIGURES] = 60, [CS_PART_TEXT] = 30, [CS_PART_JSON] = 50, [CS_PART_WAYS] = 30},
    .figures = figures,
    .text = text,
    .json = json,
    .ways = ways,
};
