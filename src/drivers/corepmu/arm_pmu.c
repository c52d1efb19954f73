// SPDX-License-Identifier: Apache-2.0
/* On each CPU the same: the events are opened, then whatever comes is served (overflows, switches of
 * processes, readings, claims of the PMCU's driver) until perf stops. What other software tells counts
 * from the cycle after, so that nothing depends on who is executed first in a cycle. */
#include "drivers/corepmu/arm_pmu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/corepmu/arm_pmu_impl.h"
#include "scenario/corepmu/arm_events.h"

CS_SOFT_PRINTED(arm_count, cs_arm_count, "count of a CPU's event")
{
    fprintf(out,
            "event %u (0x%x), counter %u, from %" PRIu64 " to %" PRIu64 ", running %" PRIu64
            ", value %" PRIu64 "%s",
            what->event, what->number, what->counter, what->from, what->to, what->running,
            what->value, what->final ? ", final" : "");
}

CS_SOFT_PRINTED(arm_sample, cs_arm_sample, "sample of a CPU's event")
{
    fprintf(out,
            "event %u (0x%x), the %" PRIu64 "-th, pid %u, mode %u, pc 0x%" PRIx64
            ", period %" PRIu64,
            what->event, what->number, what->of, what->pid, what->mode, what->pc, what->period);
}

/* ---- create, destroy ---- */

/* get_event_idx: cycles take the cycle counter while it is free, others the first that is. */
static void choose_counters(cs_arm_cpu *cpu, const cs_arm_pmu_spec *spec)
{
    unsigned next = 0;
    bool cycles = false;

    for (unsigned i = 0; i < spec->nr_events; i++) {
        cs_arm_perf_event *e = &cpu->events[i];

        e->number = spec->events[i];
        if (e->number == CS_ARM_CPU_CYCLES && !cycles) {
            e->counter = CS_ARM_CYCLE_COUNTER;
            cycles = true;
        } else {
            e->counter = next++;
        }
    }
}

cs_status cs_arm_pmu_create(const cs_arm_pmu_config *config, cs_arm_pmu **out, cs_diag *diag)
{
    cs_arm_pmu *pmu = calloc(1, sizeof *pmu);
    cs_status status = pmu != NULL ? CS_OK : CS_ERR_NO_MEMORY;

    *out = NULL;
    if (pmu == NULL)
        free(config->outages);
    else
        pmu->config = *config;
    for (unsigned i = 0; status == CS_OK && i < config->nr_cpus; i++) {
        cs_arm_cpu *cpu = &pmu->cpus[i];

        *cpu = (cs_arm_cpu){.pmu = pmu, .number = i, .used = config->spec->cpus[i]};
        cpu->opened = cpu->closed = cpu->away = cpu->tick_due = CS_NEVER;
        if (!cpu->used)
            continue;
        cpu->events = calloc(config->spec->nr_events, sizeof *cpu->events);
        if (cpu->events == NULL)
            status = CS_ERR_NO_MEMORY;
        else
            choose_counters(cpu, config->spec);
    }
    if (status != CS_OK) {
        cs_arm_pmu_destroy(pmu);
        return cs_diag_set(diag, status, "arm_pmu", "no memory for the software");
    }
    for (unsigned die = 0; die < CS_MAX_DIES; die++)
        pmu->dies[die] = (cs_arm_claimed){CS_NEVER, CS_NEVER};
    *out = pmu;
    return CS_OK;
}

void cs_arm_pmu_destroy(cs_arm_pmu *pmu)
{
    if (pmu == NULL)
        return;
    for (unsigned i = 0; i < CS_MAX_CPUS; i++)
        free(pmu->cpus[i].events);
    free(pmu->config.outages);
    free(pmu);
}

const cs_arm_pmu_report *cs_arm_pmu_get_report(const cs_arm_pmu *pmu)
{
    return &pmu->report;
}

/* ---- what perf prints ---- */

const cs_rotated_family cs_arm_pmu_family = {
    .name = CS_ROTATED_CPU_PMU, .of_cpus = true, .event_name = cs_arm_event_text};

static void tell_rotated(const cs_arm_cpu *cpu, const cs_arm_count *c)
{
    const cs_rotated_count count = {
        .pmu = CS_ROTATED_CPU_PMU,
        .cpu = cpu->number,
        .event = c->number,
        .from = c->from,
        .to = c->to,
        .running = c->running,
        .raw = c->value,
        .final = c->final,
        .family = &cs_arm_pmu_family,
        .serial = c->event,
    };

    cs_tell_rotated(cpu->pmu->config.soft, c->to, cpu->number, &count);
}

static void tell_event(const cs_arm_cpu *cpu, cs_arm_perf_event *e, bool final)
{
    const cs_arm_count count = {
        .event = (unsigned)(e - cpu->events),
        .number = e->number,
        .counter = e->counter,
        .from = final ? cpu->opened : e->told_at,
        .to = cs_arm_core_now(cpu->core),
        .running = final ? e->running : e->running - e->told_running,
        .value = final ? e->count : e->count - e->told,
        .final = final,
    };

    e->told_at = count.to;
    e->told_running = e->running;
    e->told = e->count;
    cs_tell_arm_count(cpu->pmu->config.soft, count.to, cpu->number, &count);
    if (cpu->pmu->config.spec->command == CS_ARM_STAT && !cpu->pmu->config.spec->guest)
        tell_rotated(cpu, &count);
}

static void tell(const cs_arm_cpu *cpu, bool final)
{
    for (unsigned i = 0; i < cpu->pmu->config.spec->nr_events; i++)
        tell_event(cpu, &cpu->events[i], final);
}

/* ---- into the kernel and back ---- */

void cs_arm_enter(cs_arm_cpu *cpu)
{
    cs_arm_core_enter(cpu->core);
    cs_arm_core_work(cpu->core, cpu->pmu->config.spec->irq_entry_cycles);
}

void cs_arm_leave(cs_arm_cpu *cpu)
{
    cs_arm_core_work(cpu->core, cpu->pmu->config.spec->irq_exit_cycles);
    cs_arm_core_leave(cpu->core);
}

/* ---- who has the counters ---- */

/* The PMCU's driver has claimed them, as this CPU knows in its cycle of now. */
static bool claimed(const cs_arm_cpu *cpu)
{
    const cs_arm_claimed *by = &cpu->pmu->dies[cpu->number / cpu->pmu->config.die_cpus];
    const cs_cycle now = cs_arm_core_now(cpu->core);

    return by->claimed < now && !(by->released < now);
}

/* The process that is measured runs here. */
static bool runs(const cs_arm_cpu *cpu)
{
    const cs_arm_pmu_config *c = &cpu->pmu->config;
    cs_context context;

    if (c->spec->command != CS_ARM_TASK)
        return true;
    cs_timeline_workload(c->timelines[cpu->number], cs_arm_core_now(cpu->core), &context);
    return context.pid == c->spec->process;
}

/* The next cycle in which another process may run. */
static cs_cycle next_switch(const cs_arm_cpu *cpu)
{
    const cs_arm_pmu_config *c = &cpu->pmu->config;

    return c->spec->command == CS_ARM_TASK
               ? cs_timeline_until(c->timelines[cpu->number], cs_arm_core_now(cpu->core))
               : CS_NEVER;
}

static bool has_to_yield(const cs_arm_cpu *cpu)
{
    return cpu->pmu->config.spec->owner == CS_ARM_YIELD && claimed(cpu);
}

bool cs_arm_wants_counters(const cs_arm_cpu *cpu)
{
    return cpu->open && runs(cpu) && !has_to_yield(cpu);
}

/* Events get or lose their counters, as it has to be now. */
static void arrange(cs_arm_cpu *cpu)
{
    const bool yields = has_to_yield(cpu);
    const bool in = cs_arm_wants_counters(cpu);

    if (in != cpu->in) {
        cs_arm_enter(cpu);
        if (cpu->pmu->config.spec->command == CS_ARM_TASK && !yields && !cpu->given) {
            cs_arm_core_work(cpu->core, cpu->pmu->config.spec->switch_cycles);
            cpu->pmu->report.switches++;
        }
        if (in)
            cs_arm_in(cpu);
        else
            cs_arm_out(cpu);
        cpu->pmu->report.yields += yields;
        cs_arm_leave(cpu);
    }
    if (yields != cpu->given)
        cpu->given_at = cs_arm_core_now(cpu->core);
    cpu->given = yields;
}

static void handle_interrupt(cs_arm_cpu *cpu)
{
    cs_context who = {0};

    cs_timeline_workload(cpu->pmu->config.timelines[cpu->number], cs_arm_core_now(cpu->core), &who);
    cs_arm_enter(cpu);
    cs_arm_interrupt(cpu, &who);
    cs_arm_leave(cpu);
}

static void take_tick(cs_arm_cpu *cpu)
{
    cs_arm_enter(cpu);
    cs_arm_tick(cpu);
    cs_arm_leave(cpu);
}

/* All that comes up to cycle `until`, and the time in which the CPU is off then. */
static void serve(cs_arm_cpu *cpu, cs_cycle until)
{
    for (;;) {
        cs_cycle next = next_switch(cpu);

        if (cs_arm_off(cpu))
            continue;
        if (cs_arm_core_now(cpu->core) >= until)
            return;
        arrange(cpu);
        if (cpu->tick_due <= cs_arm_core_now(cpu->core))
            take_tick(cpu);
        next = next < cpu->tick_due ? next : cpu->tick_due;
        next = next > until ? until : next;
        next = next > cs_arm_quiet(cpu) ? cs_arm_quiet(cpu) : next;
        if (cs_arm_core_now(cpu->core) < next && cs_arm_core_wait(cpu->core, next - 1))
            handle_interrupt(cpu);
    }
}

/* ---- perf's command ---- */

static void read_all(cs_arm_cpu *cpu)
{
    cs_arm_enter(cpu);
    cs_arm_read(cpu);
    cs_arm_leave(cpu);
    tell(cpu, false);
}

void cs_arm_end(cs_arm_cpu *cpu)
{
    cpu->open = false;
    arrange(cpu);
    cpu->closed = cs_arm_core_now(cpu->core);
    tell(cpu, true);
}

static void run_command(cs_arm_cpu *cpu, cs_cycle stop, uint64_t interval)
{
    cpu->open = true;
    cpu->opened = cs_arm_core_now(cpu->core);
    for (unsigned i = 0; i < cpu->pmu->config.spec->nr_events; i++)
        cpu->events[i].told_at = cpu->opened;
    for (cs_cycle due = cpu->opened; interval != 0 && interval < stop - due;) {
        due += interval;
        serve(cpu, due);
        if (cpu->gone)
            return;
        read_all(cpu);
        due = cs_arm_core_now(cpu->core) > due ? cs_arm_core_now(cpu->core) : due;
        if (due >= stop)
            break;
    }
    serve(cpu, stop);
    if (!cpu->gone)
        cs_arm_end(cpu);
}

static void run(void *ctx, cs_arm_core *core)
{
    cs_arm_cpu *cpu = ctx;
    cs_arm_pmu *pmu = cpu->pmu;
    const cs_arm_pmu_spec *spec = pmu->config.spec;
    unsigned before = 0; /* CPUs that perf visits first */

    cpu->core = core;
    for (unsigned i = 0; i < cpu->number; i++)
        before += pmu->cpus[i].used;
    const cs_cycle visit = (cs_cycle)before * spec->visit_cycles;

    while (cs_arm_off(cpu))
        ;
    cs_arm_reset(cpu);
    serve(cpu, spec->start_us * pmu->config.clock_mhz + visit);
    cpu->gone = cpu->gone && cpu->back >= spec->start_us * pmu->config.clock_mhz + visit;
    if (cpu->gone) /* it was not there when perf opened its events */
        return;
    if (spec->owner == CS_ARM_REFUSE && claimed(cpu)) {
        pmu->report.refused = true;
        return;
    }
    run_command(cpu, spec->stop_us * pmu->config.clock_mhz + visit,
                spec->interval_us * pmu->config.clock_mhz);
}

/* ---- the PMCU's driver ---- */

static unsigned first_of(const cs_arm_pmu *pmu, unsigned die)
{
    return die * pmu->config.die_cpus;
}

static void poke_all(cs_arm_pmu *pmu, unsigned die, cs_cycle now)
{
    for (unsigned i = first_of(pmu, die); i < first_of(pmu, die + 1); i++)
        if (pmu->cpus[i].core != NULL)
            cs_arm_core_poke(pmu->cpus[i].core, now);
}

/* Perf's events were open on the CPU before `now`. */
static bool was_open(const cs_arm_cpu *cpu, cs_cycle now)
{
    return cpu->opened < now && now <= cpu->closed;
}

static bool has_given(const cs_arm_cpu *cpu, cs_cycle now)
{
    return cpu->given && cpu->given_at < now;
}

cs_arm_claim cs_arm_pmu_claim(cs_arm_pmu *pmu, unsigned die, cs_cycle now)
{
    const uint8_t owner = pmu->config.spec->owner;
    cs_arm_claimed *last = &pmu->dies[die];
    bool open = false, waits = false;

    for (unsigned i = first_of(pmu, die); i < first_of(pmu, die + 1); i++) {
        open |= was_open(&pmu->cpus[i], now);
        waits |= was_open(&pmu->cpus[i], now) && !has_given(&pmu->cpus[i], now) &&
                 !cs_arm_is_away(&pmu->cpus[i], now);
    }
    if (owner == CS_ARM_REFUSE && open)
        return CS_ARM_CLAIM_BUSY;
    if (last->claimed == CS_NEVER || last->released < now) {
        *last = (cs_arm_claimed){now, CS_NEVER};
        poke_all(pmu, die, now);
    }
    if (owner == CS_ARM_YIELD && waits)
        return CS_ARM_CLAIM_WAIT;
    if (now - last->claimed > pmu->report.granted_after)
        pmu->report.granted_after = now - last->claimed;
    return CS_ARM_CLAIM_GRANTED;
}

void cs_arm_pmu_release(cs_arm_pmu *pmu, unsigned die, cs_cycle now)
{
    pmu->dies[die].released = now;
    poke_all(pmu, die, now);
}

/* ---- as a core's software ---- */

void cs_arm_pmu_core(cs_arm_pmu *pmu, unsigned cpu, cs_arm_core_config *out)
{
    pmu->cpus[cpu].outage = cs_arm_next_outage(&pmu->cpus[cpu], pmu->config.outages);
    *out = (cs_arm_core_config){
        .number = cpu,
        .read_cycles = pmu->config.spec->register_read_cycles,
        .write_cycles = pmu->config.spec->register_write_cycles,
        .software = run,
        .ctx = &pmu->cpus[cpu],
    };
}

bool cs_arm_pmu_uses(const cs_arm_pmu *pmu, unsigned cpu)
{
    return cpu < pmu->config.nr_cpus && pmu->cpus[cpu].used;
}
