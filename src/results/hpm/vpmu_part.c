// SPDX-License-Identifier: Apache-2.0
/* The part of KVM's virtual PMUs: what its guests' counters took. */
#include <stdlib.h>

#include "drivers/environment.h"
#include "drivers/hpm/riscv.h"
#include "results/parts.h"
#include "results/run.h"
#include "results/summary.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"

static const cs_truth_table vpmu_table = {
    "CREATE TABLE vpmu(hart INTEGER PRIMARY KEY, exits INTEGER, calls INTEGER, reads INTEGER, "
    "interrupts INTEGER, injections INTEGER, without INTEGER)",
    "INSERT INTO vpmu VALUES(?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&vpmu_table, NULL};

typedef struct vpmu_part {
    cs_part_run *run;
    cs_kvm_figures all;
} vpmu_part;

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    const cs_scenario *s = run->scenario;
    vpmu_part *p;

    if (s->harts->count == 0 || s->riscv->hypervisor != CS_RISCV_KVM)
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for virtual PMUs");
    p->run = run;
    return CS_OK;
}

static void add(cs_kvm_figures *all, const cs_kvm_figures *k)
{
    all->exits += k->exits;
    all->calls += k->calls;
    all->reads += k->reads;
    all->interrupts += k->interrupts;
    all->injections += k->injections;
    all->without += k->without;
}

static cs_status finish(void *state, cs_diag *diag)
{
    vpmu_part *p = state;
    cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &vpmu_table);

    (void)diag;
    for (unsigned i = 0; i < p->run->scenario->harts->count; i++) {
        const cs_riscv_report report =
            cs_riscv_get_report(cs_riscv_of(p->run->environment, i), p->run->end);
        const cs_kvm_figures *k = &report.kvm;

        cs_truth_integers(
            rows, 1,
            (uint64_t[]){i, k->exits, k->calls, k->reads, k->interrupts, k->injections, k->without},
            7);
        cs_truth_put(rows);
        add(&p->all, k);
    }
    return CS_OK;
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_kvm_figures *k = &((const vpmu_part *)state)->all;

    (void)s;
    cs_figure_count(out, "guest_exits", true, k->exits);
    cs_figure_count(out, "guest_calls", true, k->calls);
    cs_figure_count(out, "guest_reads", true, k->reads);
    cs_figure_count(out, "guest_interrupts", true, k->interrupts);
    cs_figure_count(out, "injections", true, k->injections);
    cs_figure_count(out, "without_counter", k->without != 0, k->without);
}

const cs_part cs_part_vpmu = {
    .name = "vpmu",
    .tables = own_tables,
    .open = open_part,
    .finish = finish,
    .destroy = free,
    .place = {[CS_PART_FIGURES] = 41},
    .figures = figures,
};
