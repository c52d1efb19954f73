// SPDX-License-Identifier: Apache-2.0
/* Interrupts and samples of each CPU: what the two ways of sampling ask of it. And what frequency mode
 * made of each sample. */
#include <inttypes.h>
#include <stdlib.h>

#include "drivers/imc/imc_driver.h"
#include "drivers/imc/pmi.h"
#include "results/imc/part.h"
#include "results/summary.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/machine/keep_spec.h"

/* ---- what a scenario has of it ---- */

static bool tells(const cs_scenario *s)
{
    return cs_is_power(s) && s->imc->tell_interrupts;
}

static bool adapts(const cs_scenario *s)
{
    return cs_scenario_runs(s, CS_SOFTWARE_pmi) && s->pmi->freq != 0;
}

static bool ticks(const cs_scenario *s)
{
    for (size_t i = 0; cs_scenario_runs(s, CS_SOFTWARE_imc_driver) && i < s->imc_driver->nr_perf;
         i++)
        if (s->imc_driver->perf[i].freq != 0)
            return true;
    return false;
}

static bool has_truth(const cs_scenario *s)
{
    return tells(s) || adapts(s);
}

/* ---- the truth ---- */

static const cs_truth_table interrupts_table = {
    "CREATE TABLE interrupts(cpu INTEGER, pmi INTEGER, records INTEGER, samples INTEGER)",
    "INSERT INTO interrupts VALUES(?,?,?,?)"};
static const cs_truth_table period_table = {
    "CREATE TABLE perf_period(sample INTEGER PRIMARY KEY, cpu INTEGER, period INTEGER, counted "
    "INTEGER)",
    "INSERT INTO perf_period VALUES(?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&interrupts_table, &period_table, NULL};

/* ---- while it runs ---- */

static void sampled(void *state, const cs_soft_record *record)
{
    cs_imc_interrupts_part *p = state;
    const cs_imc_perf_sample *s = cs_told_imc_sample(record);

    p->all++;
    p->samples[s->cpu]++;
    p->interrupts[s->cpu] += s->by_interrupt;
    if (p->adapts && p->run->scenario->keep->samples_truth)
        cs_truth_put_integers(cs_truth_rows_of(p->run->truth, &period_table),
                              (uint64_t[]){p->all, s->cpu, s->period, s->counted}, 4);
}

static void recorded(void *state, const cs_soft_record *record)
{
    cs_imc_interrupts_part *p = state;
    const cs_imc_sample *s = cs_told_imc_record(record);

    p->records[s->cpu] += s->bytes != NULL;
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_imc_sample, sampled}, {&cs_soft_imc_record, recorded}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    const cs_scenario *s = run->scenario;
    cs_imc_interrupts_part *p;

    if (!tells(s) && !adapts(s) && !ticks(s))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for interrupts");
    p->run = run;
    p->tells = tells(s);
    p->adapts = adapts(s);
    return CS_OK;
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_imc_interrupts_part *p = state;
    const cs_scenario *s = p->run->scenario;
    const cs_pmi *pmi = cs_pmi_of(p->run->environment);
    const cs_imc_driver *driver = cs_imc_driver_of(p->run->environment);

    (void)diag;
    if (pmi != NULL) {
        p->ticks = cs_pmi_get_report(pmi)->ticks;
        p->tick_cycles = cs_pmi_get_report(pmi)->tick_cycles;
    } else if (driver != NULL) {
        p->ticks = cs_imc_driver_get_report(driver)->ticks;
    }
    for (unsigned cpu = 0; p->tells && cpu < cs_scenario_cpus(s); cpu++)
        if (cs_scenario_is_imc(s, cpu))
            cs_truth_put_integers(
                cs_truth_rows_of(p->run->truth, &interrupts_table),
                (uint64_t[]){cpu, p->interrupts[cpu], p->records[cpu], p->samples[cpu]}, 4);
    return CS_OK;
}

/* ---- what is told ---- */

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_imc_interrupts_part *p = state;

    (void)s;
    if (!p->adapts && p->ticks == 0)
        return;
    cs_figure_count(out, "perf_ticks", true, p->ticks);
    if (!p->adapts)
        return;
    cs_figure_cycles(out, "perf_tick_ns", true, p->tick_cycles);
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const cs_imc_interrupts_part *p = state;
    size_t of_all = 0, rows, told = 0;

    if (!p->tells)
        return;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s->scenario); cpu++)
        of_all += cs_scenario_is_imc(s->scenario, cpu);
    rows = cs_summary_rows(of_all, most);
    fprintf(out, "\n  %-6s %14s %16s %16s\n", "CPU", "PMI", "trace records", "samples in perf");
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s->scenario) && told < rows; cpu++) {
        if (!cs_scenario_is_imc(s->scenario, cpu))
            continue;
        fprintf(out, "  %-6u %14s %16s %16s\n", cpu, cs_digits_of(p->interrupts[cpu]).text,
                cs_digits_of(p->records[cpu]).text, cs_digits_of(p->samples[cpu]).text);
        told++;
    }
    cs_summary_more(out, of_all, rows, "CPUs");
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_imc_interrupts_part *p = state;
    size_t told = 0;

    if (!p->tells)
        return;
    fprintf(out, ",\n  \"interrupts\": [");
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s->scenario); cpu++)
        if (cs_scenario_is_imc(s->scenario, cpu))
            fprintf(out,
                    "%s\n    {\"cpu\": %u, \"pmi\": %" PRIu64 ", \"records\": %" PRIu64
                    ", \"samples\": %" PRIu64 "}",
                    cs_json_comma(told++), cpu, p->interrupts[cpu], p->records[cpu],
                    p->samples[cpu]);
    fprintf(out, "\n  ]");
}

const cs_part cs_part_imc_interrupts = {
    .name = "imc_interrupts",
    .tables = own_tables,
    .wanted = has_truth,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = free,
    .place = {[CS_PART_FIGURES] = 55, [CS_PART_TEXT] = 5, [CS_PART_JSON] = 5},
    .figures = figures,
    .text = text,
    .json = json,
};
