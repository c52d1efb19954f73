// SPDX-License-Identifier: Apache-2.0
/* What armv8_pmuv3 does with a CPU's counters. An event has 32 bits of its counter, which PMCR.LP makes
 * one of 64: the upper half is set to ones, so that it overflows with the lower. A count is the sum of
 * differences between two readings, modulo 2^32. Whatever somebody else has done to the counter is
 * in the difference, and nobody can tell. */
#include "drivers/corepmu/arm_pmu_impl.h"
#include "drivers/told.h"
#include <countersink/regs/corepmu_regs.h>

#define COUNT_BITS 32u
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define ALL_COUNTERS UINT32_MAX

/* Half of the range: so late may an overflow be handled. */
#define COUNTING_PERIOD ((int64_t)(COUNT_MASK >> 1))

#define CONTROL (CS_COREPMU_EXT64_PMCR_LC_MASK | CS_COREPMU_EXT64_PMCR_LP_MASK)

static uint64_t read(cs_arm_cpu *cpu, uint32_t offset)
{
    cpu->pmu->report.rotating.register_accesses++;
    return cs_arm_core_read(cpu->core, (uint16_t)offset);
}

static void write(cs_arm_cpu *cpu, uint32_t offset, uint64_t value)
{
    cpu->pmu->report.rotating.register_accesses++;
    cs_arm_core_write(cpu->core, (uint16_t)offset, value);
}

/* That of the cycle counter stands where a counter 31 would have it. */
static uint32_t counter_at(const cs_arm_perf_event *e)
{
    return CS_COREPMU_EXT64_PMEVCNTR + CS_COREPMU_EXT64_PMEVCNTR_STRIDE * e->counter;
}

static uint32_t type_at(const cs_arm_perf_event *e)
{
    return CS_COREPMU_EXT64_PMEVTYPER + CS_COREPMU_EXT64_PMEVTYPER_STRIDE * e->counter;
}

static unsigned nr_events(const cs_arm_cpu *cpu)
{
    return cpu->pmu->config.spec->nr_events;
}

/* PMCR.E; other bits stay as somebody has left them. */
static void stop(cs_arm_cpu *cpu)
{
    const uint64_t control = read(cpu, CS_COREPMU_EXT64_PMCR);

    write(cpu, CS_COREPMU_EXT64_PMCR, control & ~(uint64_t)CS_COREPMU_EXT64_PMCR_E_MASK);
}

static void start(cs_arm_cpu *cpu)
{
    const uint64_t control = read(cpu, CS_COREPMU_EXT64_PMCR);

    write(cpu, CS_COREPMU_EXT64_PMCR, control | CS_COREPMU_EXT64_PMCR_E_MASK);
}

void cs_arm_reset(cs_arm_cpu *cpu)
{
    write(cpu, CS_COREPMU_EXT64_PMCNTENCLR, ALL_COUNTERS);
    write(cpu, CS_COREPMU_EXT64_PMINTENCLR, ALL_COUNTERS);
    write(cpu, CS_COREPMU_EXT64_PMOVSCLR, ALL_COUNTERS);
    write(cpu, CS_COREPMU_EXT64_PMCR,
          CS_COREPMU_EXT64_PMCR_P_MASK | CS_COREPMU_EXT64_PMCR_C_MASK | CONTROL);
}

/* ---- an event ---- */

static int64_t period_of(const cs_arm_cpu *cpu)
{
    const uint64_t period = cpu->pmu->config.spec->period;

    return period != 0 ? (int64_t)period : COUNTING_PERIOD;
}

/* The counter is written so that it overflows when the period is over. True: one is over. */
static bool set_period(cs_arm_cpu *cpu, cs_arm_perf_event *e)
{
    const int64_t period = period_of(cpu);
    const bool over = e->left <= 0;

    if (e->left <= -period)
        e->left = period;
    else if (over)
        e->left += period;
    if (e->left > COUNTING_PERIOD)
        e->left = COUNTING_PERIOD;
    e->before = (uint64_t)-e->left & COUNT_MASK;
    write(cpu, counter_at(e), e->before | ~COUNT_MASK);
    return over;
}

static void update(cs_arm_cpu *cpu, cs_arm_perf_event *e)
{
    const uint64_t value = read(cpu, counter_at(e)) & COUNT_MASK;
    const uint64_t delta = (value - e->before) & COUNT_MASK;
    const cs_cycle now = cs_arm_core_now(cpu->core);

    e->before = value;
    e->count += delta;
    e->left -= (int64_t)delta;
    e->running += now - e->since;
    e->since = now;
}

/* ---- throttling ---- */

static void tell_throttled(cs_arm_cpu *cpu, const cs_arm_perf_event *e, bool stopped)
{
    cs_tell_throttled(cpu->pmu->config.soft, cs_arm_core_now(cpu->core), cpu->number,
                      &(cs_throttled){(unsigned)(e - cpu->events), stopped});
}

/* A sample more in this tick. True: it was one too many. */
static bool throttle(cs_arm_cpu *cpu, cs_arm_perf_event *e)
{
    const cs_arm_pmu_config *c = &cpu->pmu->config;
    const cs_cycle tick = c->spec->tick_us * c->clock_mhz, now = cs_arm_core_now(cpu->core);

    if (!cs_perf_throttle_overflow(&e->throttle, now / tick, c->spec->max_samples_per_tick))
        return false;
    tell_throttled(cpu, e, true);
    cpu->tick_due = (now / tick + 1) * tick;
    return true;
}

/* It may have samples again. */
static bool unthrottle(cs_arm_cpu *cpu, cs_arm_perf_event *e)
{
    if (!cs_perf_throttle_tick(&e->throttle))
        return false;
    tell_throttled(cpu, e, false);
    return true;
}

/* The counter runs and asks, or stands still. */
static void enable(cs_arm_cpu *cpu, const cs_arm_perf_event *e)
{
    const uint32_t bit = UINT32_C(1) << e->counter;

    write(cpu, CS_COREPMU_EXT64_PMINTENSET, bit);
    write(cpu, CS_COREPMU_EXT64_PMCNTENSET, bit);
}

static void disable(cs_arm_cpu *cpu, const cs_arm_perf_event *e)
{
    const uint32_t bit = UINT32_C(1) << e->counter;

    write(cpu, CS_COREPMU_EXT64_PMCNTENCLR, bit);
    write(cpu, CS_COREPMU_EXT64_PMINTENCLR, bit);
}

void cs_arm_tick(cs_arm_cpu *cpu)
{
    cpu->tick_due = CS_NEVER;
    for (unsigned i = 0; i < nr_events(cpu); i++) {
        cs_arm_perf_event *e = &cpu->events[i];

        if (!e->on || !unthrottle(cpu, e))
            continue;
        set_period(cpu, e);
        enable(cpu, e);
    }
}

/* ---- an event gets its counter, and loses it ---- */

static void add(cs_arm_cpu *cpu, cs_arm_perf_event *e)
{
    const uint32_t filter = cpu->pmu->config.spec->guest ? 0 : CS_COREPMU_EXT64_PMEVTYPER_NSH_MASK;
    const bool cycles = e->counter == CS_ARM_CYCLE_COUNTER;

    unthrottle(cpu, e); /* who comes late need not wait for a tick */
    cs_arm_core_work(cpu->core, cpu->pmu->config.spec->event_cycles);
    set_period(cpu, e);
    write(cpu, type_at(e), cycles ? filter : filter | e->number);
    enable(cpu, e);
    e->since = cs_arm_core_now(cpu->core);
    e->on = true;
}

static void del(cs_arm_cpu *cpu, cs_arm_perf_event *e)
{
    const uint32_t bit = UINT32_C(1) << e->counter;

    cs_arm_core_work(cpu->core, cpu->pmu->config.spec->event_cycles);
    disable(cpu, e);
    write(cpu, CS_COREPMU_EXT64_PMOVSCLR, bit);
    update(cpu, e);
    e->on = false;
}

/* ---- all of them ---- */

void cs_arm_in(cs_arm_cpu *cpu)
{
    stop(cpu);
    for (unsigned i = 0; i < nr_events(cpu); i++)
        add(cpu, &cpu->events[i]);
    start(cpu);
    cpu->in = true;
}

void cs_arm_out(cs_arm_cpu *cpu)
{
    stop(cpu);
    for (unsigned i = 0; i < nr_events(cpu); i++)
        del(cpu, &cpu->events[i]);
    cpu->in = false;
}

void cs_arm_read(cs_arm_cpu *cpu)
{
    for (unsigned i = 0; i < nr_events(cpu); i++)
        if (cpu->events[i].on)
            update(cpu, &cpu->events[i]);
}

static void sample(cs_arm_cpu *cpu, cs_arm_perf_event *e, const cs_context *who)
{
    const cs_arm_sample what = {
        .event = (unsigned)(e - cpu->events),
        .number = e->number,
        .pid = who->pid,
        .mode = who->mode,
        .pc = who->pc,
        .period = cpu->pmu->config.spec->period,
        .of = e->samples++,
    };

    cs_arm_core_work(cpu->core, cpu->pmu->config.spec->sample_cycles);
    cpu->pmu->report.samples++;
    cs_tell_arm_sample(cpu->pmu->config.soft, cs_arm_core_now(cpu->core), cpu->number, &what);
}

void cs_arm_interrupt(cs_arm_cpu *cpu, const cs_context *who)
{
    const uint64_t flags = read(cpu, CS_COREPMU_EXT64_PMOVSCLR);
    bool any = false;

    write(cpu, CS_COREPMU_EXT64_PMOVSCLR, flags);
    cpu->pmu->report.interrupts++;
    cpu->pmu->report.rotating.interrupts++;
    stop(cpu);
    for (unsigned i = 0; i < nr_events(cpu); i++) {
        cs_arm_perf_event *e = &cpu->events[i];

        if (!e->on || (flags >> e->counter & 1) == 0)
            continue;
        any = true;
        update(cpu, e);
        if (!set_period(cpu, e) || cpu->pmu->config.spec->command != CS_ARM_RECORD)
            continue;
        const bool full = throttle(cpu, e);
        sample(cpu, e, who);
        if (full)
            disable(cpu, e);
    }
    cpu->pmu->report.spurious += !any;
    start(cpu);
}
