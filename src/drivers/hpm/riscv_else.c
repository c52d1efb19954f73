// SPDX-License-Identifier: Apache-2.0
/* What a scenario has happen on a hart beside perf commands: firmware events, and CSR instructions. */
#include <stdlib.h>

#include "drivers/hpm/riscv_impl.h"

static void firmware_event(cs_riscv *r, size_t i)
{
    const cs_firmware_event_spec *f = &r->config.spec->firmware_events[i];

    cs_hart_trap(r->hart, CS_HART_FIRMWARE);
    cs_sbi_pmu_firmware_event(r->firmware, r->hart, f->code, f->count);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
    r->told[i] += f->count;
    r->firmware_due[i] += us(r, f->every_us);
}

/* ---- CSR instructions ---- */

/* A program that traps finds the instruction done with when it goes on: its kernel passes it over. */
static cs_hpm_result by_workload(cs_riscv *r, const cs_riscv_access_spec *a)
{
    const cs_hpm_result result = cs_hart_csr(r->hart, (uint16_t)a->csr, (cs_hpm_op)a->op, a->value);

    if (result.exception != CS_HPM_EXCEPTION_NONE) {
        cs_hart_trap(r->hart, CS_HART_KERNEL);
        cs_hart_return(r->hart, CS_HART_WORKLOAD);
    }
    return result;
}

static cs_hpm_result by_software(cs_riscv *r, const cs_riscv_access_spec *a)
{
    cs_hpm_result result;

    cs_hart_trap(r->hart, a->by == CS_RISCV_KERNEL ? CS_HART_KERNEL : CS_HART_FIRMWARE);
    result = cs_hart_csr(r->hart, (uint16_t)a->csr, (cs_hpm_op)a->op, a->value);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
    return result;
}

static void access_csr(cs_riscv *r, size_t i)
{
    const cs_riscv_access_spec *a = &r->config.spec->accesses[i];
    const cs_hpm_result result = a->by == CS_RISCV_WORKLOAD ? by_workload(r, a) : by_software(r, a);

    cs_tell_riscv_access(r->config.soft, cs_hart_now(r->hart), r->config.cpu,
                         &(cs_riscv_accessed){r->config.hart, a, result});
    r->access_due[i] += us(r, a->every_us);
}

/* ---- the first of them ---- */

static void riscv_consider(chore *first, const cs_cycle due[], size_t nr, bool access)
{
    for (size_t i = 0; i < nr; i++)
        if (due[i] < first->due)
            *first = (chore){due[i], access, i};
}

chore cs_riscv_next_chore(const cs_riscv *r)
{
    chore first = {.due = CS_NEVER};

    riscv_consider(&first, r->firmware_due, r->config.spec->nr_firmware_events, false);
    riscv_consider(&first, r->access_due, r->config.spec->nr_accesses, true);
    return first;
}

void cs_riscv_do_chore(cs_riscv *r, const chore *c)
{
    if (c->access)
        access_csr(r, c->number);
    else
        firmware_event(r, c->number);
}

bool cs_riscv_chore_needs_irqs(const cs_riscv *r, const chore *c)
{
    return c->access && r->config.spec->accesses[c->number].by == CS_RISCV_KERNEL;
}

/* ---- create, destroy ---- */

static cs_cycle first_due(const cs_riscv *r, const bool cpus[CS_MAX_CPUS], uint64_t every_us)
{
    return cs_riscv_is_here(r, cpus) ? us(r, every_us) : CS_NEVER;
}

cs_status cs_riscv_create_chores(cs_riscv *r, cs_diag *diag)
{
    const cs_riscv_spec *spec = r->config.spec;

    r->firmware_due = calloc(spec->nr_firmware_events + 1, sizeof *r->firmware_due);
    r->told = calloc(spec->nr_firmware_events + 1, sizeof *r->told);
    r->access_due = calloc(spec->nr_accesses + 1, sizeof *r->access_due);
    if (r->firmware_due == NULL || r->told == NULL || r->access_due == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a hart's software");
    for (size_t i = 0; i < spec->nr_firmware_events; i++)
        r->firmware_due[i] =
            first_due(r, spec->firmware_events[i].cpus, spec->firmware_events[i].every_us);
    for (size_t i = 0; i < spec->nr_accesses; i++)
        r->access_due[i] = first_due(r, spec->accesses[i].cpus, spec->accesses[i].every_us);
    return CS_OK;
}

void cs_riscv_destroy_chores(cs_riscv *r)
{
    free(r->firmware_due);
    free(r->told);
    free(r->access_due);
}
