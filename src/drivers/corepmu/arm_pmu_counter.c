// SPDX-License-Identifier: Apache-2.0
/* What armv8_pmuv3 does with a CPU's counters when perf's core asks. An event has the low bits of its
 * counter, which PMCR.LP makes one of 64: the bits above are set to ones, so that it overflows with
 * those. A count is the sum of differences between two readings, modulo the low bits. Whatever
 * somebody else has done to the counter is in the difference, and nobody can tell. */
#include <errno.h>

#include "drivers/corepmu/arm_pmu_impl.h"
#include "scenario/corepmu/arm_events.h"
#include <countersink/regs/corepmu_regs.h>

#define ALL_COUNTERS UINT32_MAX
#define CONTROL (CS_COREPMU_EXT64_PMCR_LC_MASK | CS_COREPMU_EXT64_PMCR_LP_MASK)

static uint64_t counter_mask(const cs_arm_pmu_spec *spec)
{
    return UINT64_MAX >> (64u - spec->counter_bits);
}

uint64_t cs_arm_counting_period(const cs_arm_pmu_spec *spec)
{
    return counter_mask(spec) >> 1;
}

/* ---- accesses ---- */

static uint64_t counter_get(cs_arm_cpu *cpu, uint32_t offset)
{
    if (cpu->pmu->ending)
        return 0;
    cpu->pmu->report.rotating.register_accesses++;
    return cs_arm_core_read(cpu->core, (uint16_t)offset);
}

static void counter_set(cs_arm_cpu *cpu, uint32_t offset, uint64_t value)
{
    if (cpu->pmu->ending)
        return;
    cpu->pmu->report.rotating.register_accesses++;
    cs_arm_core_write(cpu->core, (uint16_t)offset, value);
}

static void counter_work(cs_arm_cpu *cpu, uint64_t cycles)
{
    if (!cpu->pmu->ending)
        cs_arm_core_work(cpu->core, cycles);
}

/* That of the cycle counter stands where a counter 31 would have it. */
static uint32_t counter_at(const cs_perf_event *e)
{
    return CS_COREPMU_EXT64_PMEVCNTR + CS_COREPMU_EXT64_PMEVCNTR_STRIDE * (uint32_t)e->hw.counter;
}

static uint32_t type_at(const cs_perf_event *e)
{
    return CS_COREPMU_EXT64_PMEVTYPER + CS_COREPMU_EXT64_PMEVTYPER_STRIDE * (uint32_t)e->hw.counter;
}

static uint32_t counter_bit(const cs_perf_event *e)
{
    return UINT32_C(1) << e->hw.counter;
}

/* ---- all of them ---- */

/* PMCR.E; other bits stay as somebody has left them. */
static void counters_stop(cs_arm_cpu *cpu)
{
    const uint64_t control = counter_get(cpu, CS_COREPMU_EXT64_PMCR);

    counter_set(cpu, CS_COREPMU_EXT64_PMCR, control & ~(uint64_t)CS_COREPMU_EXT64_PMCR_E_MASK);
}

static void counters_start(cs_arm_cpu *cpu)
{
    const uint64_t control = counter_get(cpu, CS_COREPMU_EXT64_PMCR);

    counter_set(cpu, CS_COREPMU_EXT64_PMCR, control | CS_COREPMU_EXT64_PMCR_E_MASK);
}

void cs_arm_reset(cs_arm_cpu *cpu)
{
    counter_set(cpu, CS_COREPMU_EXT64_PMCNTENCLR, ALL_COUNTERS);
    counter_set(cpu, CS_COREPMU_EXT64_PMINTENCLR, ALL_COUNTERS);
    counter_set(cpu, CS_COREPMU_EXT64_PMOVSCLR, ALL_COUNTERS);
    counter_set(cpu, CS_COREPMU_EXT64_PMCR,
                CS_COREPMU_EXT64_PMCR_P_MASK | CS_COREPMU_EXT64_PMCR_C_MASK | CONTROL);
}

static void arm_disable(cs_pmu *pmu, cs_perf_cpu *perf)
{
    cs_arm_cpu *cpu = cs_arm_cpu_of(pmu, perf);

    if (cpu->stopped++ == 0)
        counters_stop(cpu);
}

/* Events that are enabled and found no counter: each was looked at. */
static unsigned nr_waiting(const cs_arm_cpu *cpu)
{
    unsigned n = 0;

    for (unsigned i = 0; i < cs_arm_spec(cpu)->nr_events; i++)
        n += cpu->events[i].event->state == CS_PERF_STATE_INACTIVE;
    return n;
}

static void arm_enable(cs_pmu *pmu, cs_perf_cpu *perf)
{
    cs_arm_cpu *cpu = cs_arm_cpu_of(pmu, perf);

    if (--cpu->stopped != 0 || cpu->busy == 0 || cpu->pmu->ending)
        return;
    counter_work(cpu, (uint64_t)cs_arm_spec(cpu)->event_skip_cycles * nr_waiting(cpu));
    counters_start(cpu);
}

/* ---- a counter ---- */

/* It is written so that it overflows when the period is over. True: one is over. */
static bool counter_load(cs_arm_cpu *cpu, cs_perf_event *e)
{
    const uint64_t mask = counter_mask(cs_arm_spec(cpu));
    bool over;
    const uint64_t left = cs_perf_period_load(&e->hw.period, mask >> 1, &over);

    e->hw.before = -left & mask;
    counter_set(cpu, counter_at(e), e->hw.before | ~mask);
    return over;
}

static void counter_update(cs_arm_cpu *cpu, cs_perf_event *e)
{
    const uint64_t mask = counter_mask(cs_arm_spec(cpu));
    const uint64_t value = counter_get(cpu, counter_at(e)) & mask;
    const uint64_t delta = (value - e->hw.before) & mask;

    e->hw.before = value;
    e->count += delta;
    e->hw.period.left -= (int64_t)delta;
    cs_arm_sync(cpu);
}

/* It runs and asks, or stands still. */
static void counter_run(cs_arm_cpu *cpu, const cs_perf_event *e)
{
    counter_set(cpu, CS_COREPMU_EXT64_PMINTENSET, counter_bit(e));
    counter_set(cpu, CS_COREPMU_EXT64_PMCNTENSET, counter_bit(e));
}

static void counter_halt(cs_arm_cpu *cpu, const cs_perf_event *e)
{
    counter_set(cpu, CS_COREPMU_EXT64_PMCNTENCLR, counter_bit(e));
    counter_set(cpu, CS_COREPMU_EXT64_PMINTENCLR, counter_bit(e));
}

static void arm_start(cs_pmu *pmu, cs_perf_cpu *perf, cs_perf_event *e)
{
    cs_arm_cpu *cpu = cs_arm_cpu_of(pmu, perf);

    counter_load(cpu, e);
    counter_run(cpu, e);
}

static void arm_stop(cs_pmu *pmu, cs_perf_cpu *perf, cs_perf_event *e)
{
    cs_arm_cpu *cpu = cs_arm_cpu_of(pmu, perf);

    counter_halt(cpu, e);
    counter_update(cpu, e);
}

/* ---- an event gets its counter, and loses it ---- */

/* get_event_idx: cycles take the cycle counter while it is free, others the first that is. -1: none. */
static int free_counter(const cs_arm_cpu *cpu, const cs_perf_event *e)
{
    if (e->hw.event == CS_ARM_CPU_CYCLES && (cpu->busy >> CS_ARM_CYCLE_COUNTER & 1) == 0)
        return CS_ARM_CYCLE_COUNTER;
    for (unsigned n = 0; n < cs_arm_spec(cpu)->counters; n++)
        if ((cpu->busy >> n & 1) == 0)
            return (int)n;
    return -1;
}

static void event_moved(cs_arm_cpu *cpu, const cs_perf_event *e)
{
    cs_arm_sync(cpu);
    cs_arm_perf_event_of(e)->moved = cpu->perf->now_ns;
}

static int arm_add(cs_pmu *pmu, cs_perf_cpu *perf, cs_perf_event *e)
{
    cs_arm_cpu *cpu = cs_arm_cpu_of(pmu, perf);
    const uint32_t filter = cs_arm_spec(cpu)->guest ? 0 : CS_COREPMU_EXT64_PMEVTYPER_NSH_MASK;

    e->hw.counter = free_counter(cpu, e);
    if (e->hw.counter < 0)
        return -EAGAIN;
    cs_arm_perf_event_of(e)->counter = (unsigned)e->hw.counter;
    cpu->busy |= counter_bit(e);
    counter_work(cpu, cs_arm_spec(cpu)->event_cycles);
    counter_load(cpu, e);
    counter_set(cpu, type_at(e),
                e->hw.counter == CS_ARM_CYCLE_COUNTER ? filter : filter | e->hw.event);
    counter_run(cpu, e);
    event_moved(cpu, e);
    return 0;
}

static void arm_del(cs_pmu *pmu, cs_perf_cpu *perf, cs_perf_event *e)
{
    cs_arm_cpu *cpu = cs_arm_cpu_of(pmu, perf);

    counter_work(cpu, cs_arm_spec(cpu)->event_out_cycles);
    counter_halt(cpu, e);
    counter_set(cpu, CS_COREPMU_EXT64_PMOVSCLR, counter_bit(e));
    counter_update(cpu, e);
    cpu->busy &= ~counter_bit(e);
    e->hw.counter = -1;
    event_moved(cpu, e);
}

static void arm_read(cs_pmu *pmu, cs_perf_cpu *perf, cs_perf_event *e)
{
    cs_arm_cpu *cpu = cs_arm_cpu_of(pmu, perf);

    if (cpu->handling)
        return;
    counter_update(cpu, e);
    counter_work(cpu, cs_arm_spec(cpu)->event_read_cycles);
}

/* ---- overflow ---- */

static void counter_overflow(cs_arm_cpu *cpu, cs_perf_event *e)
{
    const uint64_t period = e->hw.period.last;

    counter_work(cpu, cs_arm_spec(cpu)->overflow_cycles);
    counter_update(cpu, e);
    const bool over = counter_load(cpu, e);
    cs_arm_sync(cpu);
    if (over && cs_perf_samples(e) && cs_perf_overflow(cpu->perf, e, period))
        counter_halt(cpu, e);
}

void cs_arm_interrupt(cs_arm_cpu *cpu)
{
    const uint64_t flags = counter_get(cpu, CS_COREPMU_EXT64_PMOVSCLR);
    bool any = false;

    counter_set(cpu, CS_COREPMU_EXT64_PMOVSCLR, flags);
    cpu->pmu->report.interrupts++;
    cpu->pmu->report.rotating.interrupts++;
    counters_stop(cpu);
    cpu->handling = true;
    for (unsigned i = 0; i < cs_arm_spec(cpu)->nr_events; i++) {
        cs_perf_event *e = cpu->events[i].event;

        if (e->hw.counter < 0 || (flags >> e->hw.counter & 1) == 0)
            continue;
        any = true;
        counter_overflow(cpu, e);
    }
    cpu->handling = false;
    cpu->pmu->report.spurious += !any;
    counters_start(cpu);
}

/* ---- for perf's core ---- */

static int arm_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    (void)pmu;
    if (e->attr.type != CS_PERF_TYPE_RAW)
        return -ENOENT;
    e->hw.event = (uint32_t)e->attr.config;
    return 0;
}

const cs_pmu_ops cs_arm_pmu_ops = {
    .event_init = arm_event_init,
    .disable = arm_disable,
    .enable = arm_enable,
    .add = arm_add,
    .del = arm_del,
    .start = arm_start,
    .stop = arm_stop,
    .read = arm_read,
};
