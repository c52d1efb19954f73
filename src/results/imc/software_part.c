// SPDX-License-Identifier: Apache-2.0
/* The software of a die of POWER. */
#include <stdlib.h>

#include "drivers/imc/imc_driver.h"
#include "drivers/imc/pmi.h"
#include "results/common/counts.h"
#include "results/imc/images.h"
#include "results/imc/part.h"
#include "results/imc/perf_truth.h"
#include "results/summary.h"
#include "results/way_figures.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/keep_spec.h"

#define MANY_LOST 100 /* a loss of more than one in so many deserves a word */

static const cs_truth_table perf_sample_table = {
    "CREATE TABLE perf_sample(command INTEGER, cpu INTEGER, time INTEGER, ip INTEGER, pid INTEGER, "
    "misc INTEGER)",
    "INSERT INTO perf_sample VALUES(?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&perf_sample_table, NULL};

void cs_truth_perf_sample(cs_truth *t, const cs_imc_perf_sample *s)
{
    cs_truth_put_integers(cs_truth_rows_of(t, &perf_sample_table),
                          (uint64_t[]){s->command, s->cpu, s->time, s->ip, s->pid, s->misc}, 6);
}

static void count(void *state, const cs_soft_record *record)
{
    cs_imc_software_part *p = state;
    const cs_count *c = cs_told_count(record);

    if (c->family != &cs_imc_family)
        return;
    const cs_imc_event *event = c->own;
    const cs_counted one = cs_imc_counted_of(p->run->scenario, p->run->environment->timelines, c);
    p->counts += event->of->domain != CS_IMC_DOMAIN_NEST;
    cs_tell_counted(&p->run->soft, record->cycle, record->cpu, &one);
}

static void sample(void *state, const cs_soft_record *record)
{
    cs_imc_software_part *p = state;

    const cs_imc_perf_sample *s = cs_told_imc_sample(record);

    p->perf_samples++;
    p->unknown += s->ip == 0 && !s->by_interrupt && !p->run->scenario->imc->power10;
    if (p->run->scenario->keep->samples_truth)
        cs_truth_perf_sample(p->run->truth, cs_told_imc_sample(record));
}

static void made(void *state, const cs_soft_record *record)
{
    cs_imc_software_part *p = state;
    const cs_imc_sample *s = cs_told_imc_record(record);

    p->made++;
    p->recorded[s->cpu] |= s->bytes != NULL;
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_count, count},
    {&cs_soft_imc_sample, sample},
    {&cs_soft_imc_record, made},
    {NULL, NULL},
};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_imc_software_part *p;

    if (!cs_is_power(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results of IMC");
    p->run = run;
    return CS_OK;
}

/* What perf shows is not what it says, or not all. */
static void warn_of_readings(const cs_imc_software_part *p)
{
    const cs_imc_spec *imc = p->run->scenario->imc;

    if (p->counts != 0 && !imc->power10 && imc->threads != CS_IMC_THREADS)
        cs_part_warn(p->run,
                     "imc.threads: counts of core_imc and thread_imc come out %u times as large: "
                     "the catalog's scale of 512 is that of 128 windows of each of 4 threads",
                     CS_IMC_THREADS / imc->threads);
    if (p->unknown != 0)
        cs_part_warn(p->run,
                     "%llu samples have the address 0, because what ran has no functions (handler, "
                     "workloads): POWER9's driver takes them for user's",
                     (unsigned long long)p->unknown);
    if (cs_imc_driver_of(p->run->environment) != NULL &&
        p->made - p->perf_samples > p->made / MANY_LOST)
        cs_part_warn(p->run,
                     "%llu of %llu trace records never came to perf: the hardware came round its "
                     "buffer before the next scan (imc_driver.perf[].interval_us), began it anew "
                     "(LDBAR was written: another command, a deep stop), or wrote them behind the "
                     "last scan",
                     (unsigned long long)(p->made - p->perf_samples), (unsigned long long)p->made);
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_imc_software_part *p = state;
    const cs_pmi *pmi = cs_pmi_of(p->run->environment);
    const cs_imc_driver *driver = cs_imc_driver_of(p->run->environment);

    (void)diag;
    p->present = pmi != NULL || driver != NULL;
    if (pmi != NULL) {
        const cs_pmi_report *report = cs_pmi_get_report(pmi);

        p->interrupts = report->interrupts;
        p->handler_cycles = report->handler_cycles;
        p->perf_samples = report->samples;
        p->lost_samples = report->lost;
    } else if (driver != NULL) {
        const cs_imc_driver_report *report = cs_imc_driver_get_report(driver);

        p->opal_calls = report->opal_calls;
        p->opal_errors = report->opal_errors;
        p->read_errors = report->read_errors;
        p->dumps = report->dumps;
        p->late_cycles = report->late_cycles;
    }
    warn_of_readings(p);
    return CS_OK;
}

/* Interrupts are told with trace mode, too: that there are none is the point. */
static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_imc_software_part *p = state;
    const bool pmi = cs_scenario_runs(s->scenario, CS_SOFTWARE_pmi);
    const bool traced = cs_imc_has_command(s->scenario, CS_PERF_TRACE, CS_MAX_CPUS);
    const bool sampled = pmi || traced || p->made != 0;

    if (!p->present)
        return;
    cs_figure_count(out, "pmi", sampled, p->interrupts);
    cs_figure_cycles(out, "handler_ns", sampled, p->handler_cycles);
    cs_figure_count(out, "perf_samples", sampled, p->perf_samples);
    cs_figure_count(out, "perf_lost", sampled, pmi ? p->lost_samples : p->made - p->perf_samples);
    cs_figure_count(out, "opal_calls", !pmi, p->opal_calls);
    cs_figure_count(out, "opal_errors", p->opal_errors != 0, p->opal_errors);
    cs_figure_count(out, "read_errors", p->read_errors != 0, p->read_errors);
    cs_figure_count(out, "dumps", traced, p->dumps);
    cs_figure_cycles(out, "software_late_ns", !pmi, p->late_cycles);
}

static cs_status ways(const void *state, const cs_summary *s, double *f)
{
    const cs_imc_software_part *p = state;
    const cs_scenario *sc = s->scenario;
    const bool pmi = cs_scenario_runs(sc, CS_SOFTWARE_pmi);
    unsigned cpus = 0;

    f[CS_WAY_INTERRUPTS] = (double)p->interrupts;
    if (!pmi)
        f[CS_WAY_CALLS] = (double)p->opal_calls;
    if (!pmi && p->made == 0)
        return CS_OK;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(sc); cpu++)
        cpus += pmi ? sc->pmi->cpus[cpu] : p->recorded[cpu];
    f[CS_WAY_SAMPLES] = (double)p->perf_samples;
    f[CS_WAY_LOST] = (double)(pmi ? p->lost_samples : p->made - p->perf_samples);
    if (cpus != 0)
        f[CS_WAY_SAMPLE_RATE] = f[CS_WAY_SAMPLES] / f[CS_WAY_SIMULATED] / cpus;
    return CS_OK;
}

const cs_part cs_part_imc_software = {
    .name = "imc_software",
    .tables = own_tables,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = free,
    .place = {[CS_PART_FIGURES] = 50, [CS_PART_WAYS] = 60},
    .figures = figures,
    .ways = ways,
};
