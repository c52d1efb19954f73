// SPDX-License-Identifier: Apache-2.0
#include "results/common/counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/summary.h"
#include "results/way_figures.h"
#include "scenario/perf_commands.h"

CS_SOFT_PRINTED(counted, cs_counted, "counted")
{
    const cs_count *c = &what->count;
    char name[40];

    fprintf(out,
            "command %u, %s/%s/, from %" PRIu64 " to %" PRIu64
            ", share %.4f, value %.1f, truth %" PRIu64 ", error %.4f",
            c->command, c->pmu, cs_count_name(c, name, sizeof name), what->from, what->to,
            what->share, what->value, what->truth, what->error);
}

static void set_error(cs_counted *one)
{
    const bool has = one->truth != 0 && (one->ran || !one->count.turns);

    one->error = has ? one->value / (double)one->truth - 1.0 : 0;
}

static double estimate(const cs_count *c)
{
    return c->running != 0 ? (double)c->raw * (double)c->enabled / (double)c->running : 0;
}

cs_counted cs_counted_of(const cs_count *c, uint64_t truth)
{
    cs_counted one = {.count = *c,
                      .from = c->from,
                      .to = c->to,
                      .truth = truth,
                      .value = c->turns ? estimate(c) : (double)c->raw,
                      .ran = c->running != 0};

    if (one.ran && c->enabled != 0)
        one.share = (double)c->running / (double)c->enabled;
    set_error(&one);
    return one;
}

void cs_counted_scale(cs_counted *one, double scale)
{
    one->value *= scale;
    set_error(one);
}

static const cs_truth_table count_table = {
    "CREATE TABLE count(command INTEGER, pmu TEXT, event TEXT, cpu INTEGER, start INTEGER, stop "
    "INTEGER, raw INTEGER, value REAL, unit TEXT, truth INTEGER, counted INTEGER)",
    "INSERT INTO count VALUES(?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&count_table, NULL};

/* As perf says it: -1 is any. */
static uint64_t cpu_of(const cs_count *c)
{
    return c->cpu != CS_ANY_CPU ? c->cpu : UINT64_MAX;
}

void cs_truth_count(cs_truth *t, const cs_counted *one)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &count_table);
    const cs_count *c = &one->count;

    cs_truth_integers(rows, 1, (uint64_t[]){c->command}, 1);
    cs_truth_text(rows, 2, c->pmu);
    cs_truth_text(rows, 3, c->name);
    cs_truth_integers(rows, 4, (uint64_t[]){cpu_of(c), one->from, one->to, c->raw}, 4);
    cs_truth_real(rows, 8, one->value);
    cs_truth_text(rows, 9, one->unit);
    cs_truth_integers(rows, 10, &one->truth, 1);
    if (one->has_counted)
        cs_truth_integers(rows, 11, &one->counted, 1);
    else
        cs_truth_null(rows, 11);
    cs_truth_put(rows);
}

static void told(void *state, const cs_soft_record *record)
{
    cs_counts_part *p = state;
    const cs_counted *one = cs_told_counted(record);

    if (one->count.turns)
        return;
    cs_counted *kept = cs_spill_add(p->list);
    if (kept == NULL) {
        cs_part_fail(p->run, CS_ERR_NO_MEMORY);
        return;
    }
    *kept = *one;
    cs_truth_count(p->run->truth, one);
}

static const cs_soft_hearing hearings[] = {{&cs_soft_counted, told}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_counts_part *p = calloc(1, sizeof *p);

    *state = p;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for counts");
    p->run = run;
    p->list = cs_spill_create(sizeof(cs_counted));
    return p->list != NULL ? CS_OK
                           : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for counts");
}

static void destroy(void *state)
{
    cs_counts_part *p = state;

    cs_spill_destroy(p->list);
    free(p);
}

/* ---- counts that are off by -100 % ---- */

#define MOST_ZEROS 32u
#define MUCH 1000u /* happened */

/* An event of a command on a CPU of which nothing was counted. */
typedef struct zero {
    cs_count first;
    uint64_t truth;
    bool counted; /* but in another interval */
} zero;

static zero *zero_of(zero *all, size_t nr, const cs_count *c)
{
    for (size_t i = 0; i < nr; i++)
        if (all[i].first.command == c->command && all[i].first.cpu == c->cpu &&
            strcmp(all[i].first.name, c->name) == 0 && strcmp(all[i].first.pmu, c->pmu) == 0)
            return &all[i];
    return NULL;
}

static size_t find_zeros(const cs_counts_part *p, zero all[MOST_ZEROS])
{
    size_t nr = 0;

    for (size_t i = 0; i < p->list->count; i++) {
        const cs_counted *one = cs_spill_at(p->list, i);
        zero *of = one->value == 0 ? zero_of(all, nr, &one->count) : NULL;

        if (one->value != 0 || (of == NULL && nr == MOST_ZEROS))
            continue;
        if (of == NULL)
            *(of = &all[nr++]) = (zero){.first = one->count};
        of->truth += one->truth;
    }
    for (size_t i = 0; i < p->list->count && nr > 0; i++) {
        const cs_counted *one = cs_spill_at(p->list, i);
        zero *of = one->value != 0 ? zero_of(all, nr, &one->count) : NULL;

        if (of != NULL)
            of->counted = true;
    }
    return nr;
}

static cs_status finish(void *state, cs_diag *diag)
{
    const cs_counts_part *p = state;
    zero all[MOST_ZEROS];
    const size_t nr = find_zeros(p, all);

    (void)diag;
    for (size_t i = 0; i < nr; i++) {
        const cs_count *c = &all[i].first;
        char cpu[16] = "any CPU";

        if (c->cpu != CS_ANY_CPU)
            snprintf(cpu, sizeof cpu, "CPU %u", c->cpu);
        if (!all[i].counted && all[i].truth >= MUCH)
            cs_part_warn(p->run,
                         "perf command %u: %s/%s/ on %s counts 0 of %" PRIu64 " (table `count`)",
                         c->command, c->pmu, c->name, cpu, all[i].truth);
    }
    return CS_OK;
}

/* Are there perf commands that sample? Then not all that was counted is of perf stat. */
static bool any_samples(const cs_scenario *scenario)
{
    cs_perf_command command;

    for (unsigned i = 0; cs_perf_command_at(scenario, i, &command); i++)
        if (command.period != 0)
            return true;
    return false;
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const cs_counts_part *p = state;
    const size_t rows = cs_summary_rows(p->list->count, most);

    if (p->list->count == 0)
        return;
    fprintf(out, "\n  %-4s %-28s %14s %18s %18s %9s\n", "cpu",
            any_samples(s->scenario) ? "counted by perf" : "perf stat", "read at, us", "value",
            "truth", "error");
    for (size_t i = 0; i < rows; i++) {
        const cs_counted *one = cs_spill_at(p->list, i);
        const cs_count *c = &one->count;
        char event[80], cpu[16] = "any";

        snprintf(event, sizeof event, "%s%s", strcmp(c->pmu, "guest") == 0 ? "guest: " : "",
                 c->name);
        if (c->cpu != CS_ANY_CPU)
            snprintf(cpu, sizeof cpu, "%u", c->cpu);
        fprintf(out, "  %-4s %-28s %14.3f %18s %18s %8.3f%%\n", cpu, event,
                1e6 * cs_summary_seconds(s->scenario, one->to), cs_digits_real(one->value).text,
                cs_digits_of(one->truth).text, cs_percent(one->error));
    }
    cs_summary_more(out, p->list->count, rows, "counts");
}

/* Does any part have software that prints counts? */
static bool expected(const cs_summary *s)
{
    for (unsigned i = 0; i < CS_NR_PARTS; i++)
        if (s->parts[i] != NULL && cs_parts[i]->counts)
            return true;
    return false;
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_counts_part *p = state;

    if (!expected(s))
        return;
    fprintf(out, ",\n  \"counts\": [");
    for (size_t i = 0; i < p->list->count; i++) {
        const cs_counted *one = cs_spill_at(p->list, i);
        const cs_count *c = &one->count;

        fprintf(out, "%s\n    {\"command\": %u, \"pmu\": ", cs_json_comma(i), c->command);
        cs_json_string(out, c->pmu);
        fprintf(out, ", \"event\": ");
        cs_json_string(out, c->name);
        fprintf(out,
                ", \"cpu\": %" PRId64 ", \"start\": %" PRIu64 ", \"stop\": %" PRIu64
                ", \"raw\": %" PRIu64 ", \"value\": %.17g, \"truth\": %" PRIu64 ", \"error\": %.9g",
                (int64_t)cpu_of(c), one->from, one->to, c->raw, one->value, one->truth, one->error);
        if (one->has_counted)
            fprintf(out, ", \"counted\": %" PRIu64, one->counted);
        fputc('}', out);
    }
    fprintf(out, "\n  ]");
}

static cs_status ways(const void *state, const cs_summary *s, double *figures)
{
    const cs_counts_part *p = state;
    cs_way_errors e = {0};

    (void)s;
    for (size_t i = 0; i < p->list->count; i++) {
        const cs_counted *one = cs_spill_at(p->list, i);

        cs_way_errors_add(&e, one->value, one->truth);
    }
    cs_way_errors_set(&e, figures);
    return CS_OK;
}

const cs_part cs_part_counts = {
    .name = "counts",
    .tables = own_tables,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_TEXT] = 20, [CS_PART_JSON] = 30, [CS_PART_WAYS] = 50},
    .text = text,
    .json = json,
    .ways = ways,
};
