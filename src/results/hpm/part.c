// SPDX-License-Identifier: Apache-2.0
#include "results/hpm/part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/common/counts.h"
#include "results/common/switches.h"
#include "results/summary.h"
#include "results/way_figures.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/machine/keep_spec.h"

/* ---- while it runs ---- */

static void probe(void *state, const cs_probe_record *record)
{
    const cs_hpm_part *p = state;

    cs_hart_collector_record(p->collector, record);
    if (p->units != NULL)
        cs_unit_truth_record(p->units, record);
    if (p->run->scenario->keep->samples_truth)
        cs_truth_csr(p->run->truth, record);
}

static void opened(void *state, const cs_soft_record *record)
{
    const cs_hpm_part *p = state;
    const cs_riscv_opened *o = cs_told_riscv_opened(record);

    if (o->error == 0 && o->turns)
        cs_hart_collector_opened(p->collector, &o->which);
    else if (o->error == 0)
        cs_hart_collector_begun(p->collector, &o->which, o->counter, o->adding);
    if (o->error == 0 && p->units != NULL)
        cs_unit_truth_opened(p->units, o);
}

static void placed(void *state, const cs_soft_record *record)
{
    const cs_hpm_part *p = state;

    cs_hart_collector_placed(p->collector, cs_told_riscv_placed(record));
    if (p->units != NULL)
        cs_unit_truth_placed(p->units, cs_told_riscv_placed(record));
}

static void virtual_counter(void *state, const cs_soft_record *record)
{
    const cs_hpm_part *p = state;

    cs_hart_collector_virtual(p->collector, cs_told_riscv_virtual(record));
}

/* Of a unit's event the firmware tells nothing by itself; the unit's timeline does. */
static cs_hart_count truth_of(const cs_hpm_part *p, const cs_count *c)
{
    cs_riscv_reading reading = *(const cs_riscv_reading *)c->own;
    cs_count count = *c;
    cs_hart_count unit, out;

    if (p->units == NULL || !cs_unit_truth_count(p->units, c, &unit))
        return cs_hart_collector_count(p->collector, c);
    count.own = &reading;
    reading.told = unit.truth;
    reading.told_on = unit.counted;
    out = cs_hart_collector_count(p->collector, &count);
    out.from = unit.from;
    out.to = unit.to;
    return out;
}

static void count(void *state, const cs_soft_record *record)
{
    const cs_hpm_part *p = state;
    const cs_count *c = cs_told_count(record);

    if (c->family != &cs_riscv_family)
        return;
    const cs_hart_count truth = truth_of(p, c);
    cs_counted one = cs_counted_of(c, truth.truth);
    one.from = truth.from;
    one.to = truth.to;
    one.counted = truth.counted;
    one.has_counted = !c->turns;
    cs_tell_counted(&p->run->soft, record->cycle, record->cpu, &one);
}

static void sample(void *state, const cs_soft_record *record)
{
    const cs_hpm_part *p = state;
    const cs_riscv_taken *taken = cs_told_riscv_sample(record);
    const cs_riscv_sample *s = taken->sample;
    const cs_truth_hart_sample row = {taken->which, record->cpu, s,
                                      cs_hart_collector_sample(p->collector, &taken->which, s)};

    if (!s->lost && !s->in_software)
        cs_functions_add(p->functions, record->cpu, s->ip);
    if (!s->lost)
        cs_hart_shares_add(p->shares, taken->which.command, taken->which.event,
                           s->in_software ? NULL : row.truth.interrupted.function,
                           row.truth.overflow != CS_NEVER ? row.truth.at.function : NULL);
    if (s->chain != NULL && !s->lost && row.truth.interrupted.function != NULL &&
        (s->misc == CS_PERF_MISC_KERNEL || s->misc == CS_PERF_MISC_USER))
        cs_call_paths_add(p->paths, taken->which.command, row.truth.interrupted.function->number);
    if (p->run->scenario->keep->samples_truth)
        cs_truth_hart_sample_put(p->run->truth, &row);
}

static void data(void *state, const cs_soft_record *record)
{
    const cs_hpm_part *p = state;
    const cs_riscv_data *d = cs_told_riscv_data(record);

    if (p->rings != NULL && !cs_ring_files_put(p->rings, d->hart, d->guest, d->bytes, d->length))
        cs_part_fail(p->run, CS_ERR_IO);
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_riscv_opened, opened},
    {&cs_soft_riscv_placed, placed},
    {&cs_soft_riscv_virtual, virtual_counter},
    {&cs_soft_count, count},
    {&cs_soft_riscv_sample, sample},
    {&cs_soft_riscv_data, data},
    {NULL, NULL},
};

/* ---- open, finish, close ---- */

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    const cs_scenario *s = run->scenario;
    cs_status status = CS_OK;
    cs_hpm_part *p;

    if (s->harts->count == 0)
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the harts' results");
    p->run = run;
    if (s->keep->records)
        status = cs_ring_files_create(run->folder, &p->rings, diag);
    if (status == CS_OK)
        status = cs_hart_collector_create(s, run->environment->timelines, &p->collector, diag);
    if (status == CS_OK)
        status = cs_unit_truth_create(s, run->environment->timelines, &p->units, diag);
    if (status == CS_OK)
        status = cs_call_paths_create(s, &p->paths, diag);
    if (status == CS_OK)
        status = cs_functions_create(s, &p->functions, diag);
    if (status == CS_OK)
        status = cs_hart_shares_create(s, &p->shares, diag);
    return status;
}

static void collect(cs_hpm_part *p, unsigned hart)
{
    cs_part_run *run = p->run;
    const cs_riscv_report report =
        cs_riscv_get_report(cs_riscv_of(run->environment, hart), run->end);

    cs_truth_hart(run->truth, hart, cs_scenario_hart_cpu(run->scenario, hart), &report);
    cs_hart_figures_add(&p->figures, &report);
    if (report.failed != NULL)
        cs_part_warn(run, "hart %u: %s", hart, report.failed);
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_hpm_part *p = state;
    const cs_scenario *s = p->run->scenario;

    for (unsigned hart = 0; hart < s->harts->count; hart++) {
        collect(p, hart);
        if (s->riscv->has_guest)
            cs_tell_guest_ran(&p->run->soft, p->run->end, cs_scenario_hart_cpu(s, hart), NULL);
    }
    p->figures.truth = *cs_hart_collector_results(p->collector);
    p->share_error = cs_functions_error(p->functions);
    if (p->figures.truth.wrong_counts != 0)
        cs_part_warn(
            p->run,
            "%" PRIu64 " of %" PRIu64 " counts of harts are not what happened while their "
            "counters ran (table `count`): a counter wrapped, or a bug or a fault spoilt them",
            p->figures.truth.wrong_counts, p->figures.truth.counts);
    p->run->software_cycles += cs_hart_figures_software(&p->figures);
    cs_truth_hart_events(p->run->truth, s);
    cs_truth_hart_shares(p->run->truth, s, p->shares);
    return cs_truth_call_paths(p->run->truth, p->paths, diag);
}

static cs_status close_part(void *state, cs_diag *diag)
{
    cs_hpm_part *p = state;
    cs_ring_files *rings = p->rings;

    p->rings = NULL;
    return rings != NULL ? cs_ring_files_close(rings, diag) : CS_OK;
}

static void destroy(void *state)
{
    cs_hpm_part *p = state;

    cs_hart_collector_destroy(p->collector);
    cs_unit_truth_destroy(p->units);
    cs_call_paths_destroy(p->paths);
    cs_functions_destroy(p->functions);
    cs_hart_shares_destroy(p->shares);
    free(p);
}

/* ---- what it came to ---- */

void cs_hart_figures_add(cs_hart_figures *all, const cs_riscv_report *report)
{
    const cs_riscv_figures *const kernels[] = {&report->host, &report->guest};

    all->harts++;
    for (unsigned i = 0; i < CS_HART_TRACKS; i++)
        all->cycles[i] += report->cycles[i];
    for (unsigned i = 0; i < 2; i++) {
        all->interrupts += kernels[i]->interrupts;
        all->spurious += kernels[i]->spurious;
        all->sse += kernels[i]->sse;
        all->samples += kernels[i]->samples;
        all->lost += kernels[i]->lost;
        all->throttled += kernels[i]->throttled;
        all->sbi_calls += kernels[i]->sbi_calls;
        all->sbi_errors += kernels[i]->sbi_errors;
    }
}

uint64_t cs_hart_figures_software(const cs_hart_figures *f)
{
    return f->cycles[CS_HART_KERNEL] + f->cycles[CS_HART_FIRMWARE] + f->cycles[CS_HART_GUEST];
}

/* What only code with interrupts off, and software events, have. */
static void masked_figures(const cs_hart_figures *f, const cs_scenario *s, cs_figures *out)
{
    bool masks = false;

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++)
            masks |= s->workloads[i].segments[k].irqs_off;
    if (s->riscv->driver.sse) {
        cs_figure_count(out, "hart_sse", true, f->sse);
        cs_figure_count(out, "in_software", true, f->truth.in_software);
    }
    if (!masks)
        return;
    cs_figure_count(out, "irqs_off", true, f->truth.irqs_off);
    cs_figure_count(out, "irqs_off_there", true, f->truth.irqs_off_there);
}

static bool has_record_command(const cs_scenario *s)
{
    for (size_t i = 0; i < s->riscv->nr_perf; i++)
        if (s->riscv->perf[i].sample_period != 0)
            return true;
    return false;
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_hart_figures *f = &((const cs_hpm_part *)state)->figures;
    const cs_hart_results *t = &f->truth;
    const bool sampled = f->interrupts != 0;
    const bool records = sampled || has_record_command(s->scenario);
    const uint64_t overflows = t->samples - t->without_overflow;
    const uint64_t skid = overflows != 0 ? t->skid_cycles / overflows : 0;

    cs_figure_count(out, "wrong_counts", t->counts != 0, t->wrong_counts);
    cs_figure_count(out, "hart_interrupts", records, f->interrupts);
    cs_figure_count(out, "hart_spurious", f->spurious != 0, f->spurious);
    cs_figure_count(out, "hart_samples", records, f->samples);
    cs_figure_count(out, "hart_lost", records, f->lost);
    cs_figure_count(out, "hart_throttled", f->throttled != 0, f->throttled);
    masked_figures(f, s->scenario, out);
    cs_figure_cycles(out, "skid_ns", sampled, skid);
    cs_figure_cycles(out, "most_skid_ns", sampled, t->most_skid_cycles);
    cs_figure_count(out, "same_pc", sampled, t->same_pc);
    cs_figure_fraction(out, "period_error", sampled, t->period_error);
    cs_figure_fraction(out, "most_period_error", sampled, t->most_period_error);
    cs_figure_count(out, "sbi_calls", true, f->sbi_calls);
    cs_figure_count(out, "sbi_errors", f->sbi_errors != 0, f->sbi_errors);
    cs_figure_cycles(out, "firmware_ns", true, f->cycles[CS_HART_FIRMWARE]);
    cs_figure_cycles(out, "kernel_ns", true, f->cycles[CS_HART_KERNEL]);
    cs_figure_cycles(out, "guest_ns", s->scenario->riscv->has_guest, f->cycles[CS_HART_GUEST]);
}

static cs_status ways(const void *state, const cs_summary *s, double *f)
{
    const cs_hpm_part *p = state;
    const cs_hart_figures *h = &p->figures;

    (void)s;
    f[CS_WAY_WRONG] = (double)h->truth.wrong_counts;
    f[CS_WAY_INTERRUPTS] = (double)h->interrupts;
    f[CS_WAY_CALLS] = (double)h->sbi_calls;
    if (h->samples == 0)
        return CS_OK;
    f[CS_WAY_SAMPLES] = (double)(h->samples - h->lost);
    f[CS_WAY_LOST] = (double)h->lost;
    f[CS_WAY_SAMPLE_RATE] = f[CS_WAY_SAMPLES] / f[CS_WAY_SIMULATED] / (double)h->harts;
    f[CS_WAY_SHARE_ERROR] = p->share_error;
    f[CS_WAY_PERIOD_ERROR] = h->truth.period_error;
    return CS_OK;
}

static const cs_part_source sources[] = {{CS_UNIT_HART(0), CS_MAX_HARTS, .own_accesses = true},
                                         {0}};

const cs_part cs_part_hpm = {
    .name = "hpm",
    .tables = cs_hpm_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_REG),
    .probe = probe,
    .hearings = hearings,
    .finish = finish,
    .close = close_part,
    .destroy = destroy,
    .place = {[CS_PART_FIGURES] = 40, [CS_PART_WAYS] = 70},
    .figures = figures,
    .ways = ways,
    .sources = sources,
    .counts = true,
};
