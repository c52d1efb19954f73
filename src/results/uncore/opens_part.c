// SPDX-License-Identifier: Apache-2.0
/* What each partition sees of the units, and what perf_event_open said of each PMU that was named
 * (docs/drivers/uncore_driver.md, "Partitions", "Naming a PMU"). */
#include <stdlib.h>

#include "results/part.h"
#include "results/summary.h"
#include "results/uncore/part.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"

typedef struct opens_part {
    cs_part_run *run;
} opens_part;

static const cs_truth_table seen_table = {
    "CREATE TABLE partition_unit(partition TEXT, unit INTEGER)",
    "INSERT INTO partition_unit VALUES(?,?)"};
static const cs_truth_table open_table = {
    "CREATE TABLE unit_open(command INTEGER, partition TEXT, asked TEXT, named TEXT, unit INTEGER, "
    "error TEXT)",
    "INSERT INTO unit_open VALUES(?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&seen_table, &open_table, NULL};

/* By cs_uncore_named. */
static const char *const named[] = {"name", "cpu argument", "path"};

static bool wanted(const cs_scenario *s)
{
    if (!cs_scenario_runs(s, CS_SOFTWARE_uncore_driver))
        return false;
    for (size_t i = 0; i < s->uncore_driver->nr_perf; i++)
        if (s->uncore_driver->perf[i].nr_pmus != 0)
            return true;
    return s->uncore->nr_partitions != 0;
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    opens_part *p;

    if (!wanted(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for PMUs that were opened");
    p->run = run;
    return CS_OK;
}

static void destroy(void *state)
{
    free(state);
}

static const char *partition_of(const cs_uncore_perf_spec *perf)
{
    return perf->partition[0] != '\0' ? perf->partition : NULL;
}

static void put_open(cs_truth *truth, unsigned command, const cs_uncore_perf_spec *perf,
                     const cs_uncore_open_spec *open)
{
    cs_truth_rows *rows = cs_truth_rows_of(truth, &open_table);

    cs_truth_integers(rows, 1, (uint64_t[]){command}, 1);
    cs_truth_text(rows, 2, partition_of(perf));
    cs_truth_text(rows, 3, open->asked);
    cs_truth_text(rows, 4, named[open->named]);
    if (open->error == NULL)
        cs_truth_integers(rows, 5, (uint64_t[]){open->unit}, 1);
    else
        cs_truth_null(rows, 5);
    cs_truth_text(rows, 6, open->error);
    cs_truth_put(rows);
}

static cs_status finish(void *state, cs_diag *diag)
{
    const opens_part *p = state;
    const cs_uncore_spec *uncore = p->run->scenario->uncore;
    const cs_uncore_driver_spec *d = p->run->scenario->uncore_driver;

    (void)diag;
    for (size_t i = 0; i < uncore->nr_units; i++) {
        cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &seen_table);

        if (uncore->units[i].partition >= uncore->nr_partitions)
            continue;
        cs_truth_text(rows, 1, uncore->partitions[uncore->units[i].partition].name);
        cs_truth_integers(rows, 2, (uint64_t[]){i}, 1);
        cs_truth_put(rows);
    }
    for (size_t i = 0; i < d->nr_perf; i++)
        for (size_t k = 0; k < d->perf[i].nr_opens; k++)
            put_open(p->run->truth, (unsigned)i, &d->perf[i], &d->perf[i].opens[k]);
    return CS_OK;
}

/* ---- what it came to ---- */

static size_t count_refused(const cs_scenario *s)
{
    size_t refused = 0;

    for (size_t i = 0; i < s->uncore_driver->nr_perf; i++)
        for (size_t k = 0; k < s->uncore_driver->perf[i].nr_opens; k++)
            refused += s->uncore_driver->perf[i].opens[k].error != NULL;
    return refused;
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    (void)state;
    cs_figure_count(out, "unit_opens_refused", true, count_refused(s->scenario));
}

static void tell_partitions(const cs_uncore_spec *uncore, FILE *out)
{
    if (uncore->nr_partitions == 0)
        return;
    fprintf(out, "\n  %-16s %-16s  %s\n", "partition", "CPUs", "its units");
    for (size_t i = 0; i < uncore->nr_partitions; i++) {
        const cs_uncore_partition_spec *p = &uncore->partitions[i];
        char cpus[CS_UNCORE_CPUMASK_BYTES];

        fprintf(out, "  %-16s %-16s ", p->name, cs_uncore_cpumask(p->cpus, cpus));
        for (size_t k = 0; k < uncore->nr_units; k++)
            if (uncore->units[k].partition == i)
                fprintf(out, " %s", uncore->units[k].name);
        fputc('\n', out);
    }
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const cs_scenario *sc = s->scenario;
    size_t all = 0, rows, told = 0;

    (void)state;
    tell_partitions(sc->uncore, out);
    for (size_t i = 0; i < sc->uncore_driver->nr_perf; i++)
        all += sc->uncore_driver->perf[i].nr_opens;
    if (all == 0)
        return;
    rows = cs_summary_rows(all, most);
    fprintf(out, "\n  %-7s %-12s %-12s %-44s %s\n", "command", "partition", "named by", "PMU",
            "opened");
    for (size_t i = 0; i < sc->uncore_driver->nr_perf; i++) {
        const cs_uncore_perf_spec *perf = &sc->uncore_driver->perf[i];

        for (size_t k = 0; k < perf->nr_opens && told < rows; k++, told++) {
            const cs_uncore_open_spec *open = &perf->opens[k];
            const bool good = open->error == NULL;

            fprintf(out, "  %-7zu %-12s %-12s %-44s %s%s%s\n", i,
                    perf->partition[0] != '\0' ? perf->partition : "-", named[open->named],
                    open->asked, good ? sc->uncore->units[open->unit].name : open->error,
                    good ? "" : ": ", good ? "" : open->why);
        }
    }
    cs_summary_more(out, all, rows, "PMUs");
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_uncore_driver_spec *d = s->scenario->uncore_driver;
    size_t nr = 0;

    (void)state;
    fprintf(out, ",\n  \"unit_opens\": [");
    for (size_t i = 0; i < d->nr_perf; i++)
        for (size_t k = 0; k < d->perf[i].nr_opens; k++) {
            const cs_uncore_open_spec *open = &d->perf[i].opens[k];

            fprintf(out, "%s\n    {\"command\": %zu, \"partition\": ", cs_json_comma(nr++), i);
            cs_json_string(out, d->perf[i].partition);
            fprintf(out, ", \"asked\": ");
            cs_json_string(out, open->asked);
            fprintf(out, ", \"named\": \"%s\", ", named[open->named]);
            if (open->error == NULL)
                fprintf(out, "\"unit\": %u, \"error\": null}", open->unit);
            else
                fprintf(out, "\"unit\": null, \"error\": \"%s\"}", open->error);
        }
    fprintf(out, "\n  ]");
}

const cs_part cs_part_uncore_opens = {
    .name = "uncore_opens",
    .tables = own_tables,
    .wanted = wanted,
    .open = open_part,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_FIGURES] = 72, [CS_PART_TEXT] = 42, [CS_PART_JSON] = 62},
    .figures = figures,
    .text = text,
    .json = json,
};
