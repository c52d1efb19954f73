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

CS_SOFT_PRINTED(arm_sample, cs_arm_sample, "sample of a CPU's event")
{
    fprintf(out,
            "event %u (0x%x), the %" PRIu64 "-th, pid %u, mode %u, pc 0x%" PRIx64
            ", period %" PRIu64,
            what->event, what->number, what->of, what->pid, what->mode, what->pc, what->period);
}

/* ---- create, destroy ---- */

static void init_cpus(cs_arm_pmu *pmu)
{
    for (unsigned i = 0; i < CS_MAX_CPUS; i++) {
        cs_arm_cpu *cpu = &pmu->cpus[i];

        *cpu = (cs_arm_cpu){.pmu = pmu, .number = i};
        cpu->used = i < pmu->config.nr_cpus && pmu->config.spec->cpus[i];
        cpu->opened = cpu->closed = cpu->away = CS_NEVER;
        cpu->tick_due = cpu->turn_due = cpu->call_due = CS_NEVER;
    }
    for (unsigned die = 0; die < CS_MAX_DIES; die++)
        pmu->dies[die] = (cs_arm_claimed){CS_NEVER, CS_NEVER};
}

cs_status cs_arm_pmu_create(const cs_arm_pmu_config *config, cs_arm_pmu **out, cs_diag *diag)
{
    cs_arm_pmu *pmu = calloc(1, sizeof *pmu);

    *out = NULL;
    if (pmu == NULL) {
        free(config->outages);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "arm_pmu", "no memory for the software");
    }
    pmu->config = *config;
    init_cpus(pmu);
    const cs_status status = cs_arm_open_perf(pmu, diag);
    if (status != CS_OK) {
        cs_arm_pmu_destroy(pmu);
        return status;
    }
    cs_arm_process_begin(pmu);
    *out = pmu;
    return CS_OK;
}

void cs_arm_pmu_destroy(cs_arm_pmu *pmu)
{
    if (pmu == NULL)
        return;
    pmu->ending = true;
    cs_perf_destroy(pmu->perf);
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

const cs_count_family cs_arm_pmu_family = {
    .name = CS_CPU_PMU_NAME, .of_cpus = true, .event_name = cs_arm_event_text};
const cs_count_family cs_arm_kept_family = {
    .name = CS_CPU_PMU_NAME, .of_cpus = true, .followed = true, .event_name = cs_arm_event_text};

void cs_arm_tell(cs_arm_perf_event *e, cs_cycle to, bool final)
{
    const cs_arm_cpu *cpu = e->cpu;
    const cs_arm_pmu_spec *spec = cs_arm_spec(cpu);
    const cs_perf_event *p = e->event;
    const cs_cycle from = final ? e->opened : e->told_at;
    const cs_count count = {
        .pmu = CS_CPU_PMU_NAME,
        .cpu = cpu->number,
        .event = p->hw.event,
        .from = from,
        .to = to,
        .enabled = to - from,
        .running = final ? p->running_ns : p->running_ns - e->told_running,
        .raw = final ? p->count : p->count - e->told,
        .turns = true,
        .final = final,
        .family =
            spec->command == CS_ARM_STAT && !spec->guest ? &cs_arm_pmu_family : &cs_arm_kept_family,
        .serial = (unsigned)(e - cpu->events),
        .own = &e->counter,
    };

    e->told_at = to;
    e->told_running = p->running_ns;
    e->told = p->count;
    cs_tell_count(cpu->pmu->config.soft, to, cpu->number, &count);
}

static void cpu_tell(const cs_arm_cpu *cpu, bool final)
{
    for (unsigned i = 0; i < cs_arm_spec(cpu)->nr_events; i++)
        cs_arm_tell(&cpu->events[i], cs_arm_now(cpu), final);
}

/* ---- into the kernel and back ---- */

void cs_arm_take(cs_arm_cpu *cpu)
{
    if (cpu->inside++ != 0)
        return;
    cs_arm_core_enter(cpu->core);
    cpu->taken = cs_arm_now(cpu);
}

void cs_arm_give(cs_arm_cpu *cpu)
{
    if (--cpu->inside != 0)
        return;
    cs_arm_core_leave(cpu->core);
    if (cs_arm_takes_turns(cs_arm_spec(cpu)))
        cpu->pmu->report.rotating.rotating_cycles += cs_arm_now(cpu) - cpu->taken;
}

void cs_arm_enter(cs_arm_cpu *cpu)
{
    cs_arm_take(cpu);
    cpu->entered = cs_arm_now(cpu);
    cs_arm_core_work(cpu->core, cs_arm_spec(cpu)->irq_entry_cycles);
}

void cs_arm_leave(cs_arm_cpu *cpu)
{
    cs_arm_core_work(cpu->core, cs_arm_spec(cpu)->irq_exit_cycles);
    cpu->interrupted += cs_arm_now(cpu) - cpu->entered;
    cs_arm_give(cpu);
}

/* ---- who has the counters ---- */

/* The PMCU's driver has claimed them, as this CPU knows in its cycle of now. */
static bool cpu_is_claimed(const cs_arm_cpu *cpu)
{
    const cs_arm_claimed *by = &cpu->pmu->dies[cpu->number / cpu->pmu->config.die_cpus];
    const cs_cycle now = cs_arm_now(cpu);

    return by->claimed < now && !(by->released < now);
}

/* The process that is measured runs here. */
static bool cpu_runs_process(const cs_arm_cpu *cpu)
{
    const cs_arm_pmu_config *c = &cpu->pmu->config;
    cs_context context;

    if (c->spec->command != CS_ARM_TASK)
        return true;
    cs_timeline_workload(c->timelines[cpu->number], cs_arm_core_now(cpu->core), &context);
    return context.pid == c->spec->process;
}

/* The next cycle in which another process may run. */
static cs_cycle cpu_next_switch(const cs_arm_cpu *cpu)
{
    const cs_arm_pmu_config *c = &cpu->pmu->config;

    return c->spec->command == CS_ARM_TASK
               ? cs_timeline_until(c->timelines[cpu->number], cs_arm_core_now(cpu->core))
               : CS_NEVER;
}

static bool cpu_has_to_yield(const cs_arm_cpu *cpu)
{
    return cpu->pmu->config.spec->owner == CS_ARM_YIELD && cpu_is_claimed(cpu);
}

bool cs_arm_wants_counters(const cs_arm_cpu *cpu)
{
    return cpu->open && cpu_runs_process(cpu) && !cpu_has_to_yield(cpu);
}

/* Events get or lose their counters, as it has to be now. */
static void cpu_arrange(cs_arm_cpu *cpu)
{
    const bool yields = cpu_has_to_yield(cpu);
    const bool in = cs_arm_wants_counters(cpu);

    if (in != cpu->in) {
        cs_arm_enter(cpu);
        if (cs_arm_spec(cpu)->command == CS_ARM_TASK && !yields && !cpu->given) {
            cs_arm_core_work(cpu->core, cs_arm_spec(cpu)->switch_cycles);
            cpu->pmu->report.switches++;
        }
        cs_arm_switch(cpu, in);
        cpu->pmu->report.yields += yields;
        cs_arm_leave(cpu);
    }
    if (yields != cpu->given)
        cpu->given_at = cs_arm_now(cpu);
    cpu->given = yields;
}

/* ---- interrupts ---- */

static void handle_interrupt(cs_arm_cpu *cpu)
{
    cpu->who = (cs_context){0};
    cs_timeline_workload(cpu->pmu->config.timelines[cpu->number], cs_arm_now(cpu), &cpu->who);
    cs_arm_enter(cpu);
    cs_arm_interrupt(cpu);
    cs_arm_leave(cpu);
}

/* Events that were throttled go on. */
static void cpu_takes_tick(cs_arm_cpu *cpu)
{
    cs_arm_enter(cpu);
    cpu->tick_due = CS_NEVER;
    cs_arm_sync(cpu);
    cs_perf_tick(cpu->perf);
    cs_arm_leave(cpu);
}

static cs_cycle cpu_next_turn(const cs_arm_cpu *cpu)
{
    const uint64_t turn = cs_arm_spec(cpu)->mux_us * cpu->pmu->config.clock_mhz;

    return (cs_arm_now(cpu) / turn + 1) * turn;
}

/* The timer of rotation. It expires at multiples of its interval; those that it has missed are one. */
static void cpu_takes_turn(cs_arm_cpu *cpu)
{
    const cs_arm_pmu_spec *spec = cs_arm_spec(cpu);
    cs_rotating_report *r = &cpu->pmu->report.rotating;

    cs_arm_enter(cpu);
    r->interrupts++;
    r->ticks++;
    r->late_ticks +=
        (cs_arm_now(cpu) - cpu->turn_due) / (spec->mux_us * cpu->pmu->config.clock_mhz);
    cs_arm_core_work(cpu->core, spec->timer_cycles);
    cpu->turn_due = cpu_next_turn(cpu);
    if (++cpu->turns % spec->divider == 0) {
        cs_arm_core_work(cpu->core, spec->rotation_cycles);
        cs_arm_sync(cpu);
        cs_perf_rotate(cpu->perf, cpu->events[0].event->pmu->number);
        r->rotations++;
    }
    cs_arm_leave(cpu);
}

/* It runs while an event waits for a counter. */
static void cpu_arms_turns(cs_arm_cpu *cpu)
{
    const bool waits =
        cpu->used && cpu->perf->rotate_ns[cpu->events[0].event->pmu->number] != UINT64_MAX;

    if (!waits)
        cpu->turn_due = CS_NEVER;
    else if (cpu->turn_due == CS_NEVER)
        cpu->turn_due = cpu_next_turn(cpu);
}

static void cpu_takes_timers(cs_arm_cpu *cpu)
{
    if (cpu->call_due <= cs_arm_now(cpu))
        cs_arm_process_called(cpu);
    if (cpu->tick_due <= cs_arm_now(cpu))
        cpu_takes_tick(cpu);
    cpu_arms_turns(cpu);
    if (cpu->turn_due <= cs_arm_now(cpu))
        cpu_takes_turn(cpu);
    cpu_arms_turns(cpu);
}

static cs_cycle arm_pmu_earlier(cs_cycle a, cs_cycle b)
{
    return a < b ? a : b;
}

bool cs_arm_step(cs_arm_cpu *cpu, cs_cycle until)
{
    const cs_cycle change = cpu_next_switch(cpu);
    cs_cycle next;

    if (cs_arm_off(cpu))
        return true;
    if (cs_arm_now(cpu) >= until)
        return false;
    cpu_arrange(cpu);
    cpu_takes_timers(cpu);
    next = arm_pmu_earlier(arm_pmu_earlier(change, until),
                           arm_pmu_earlier(cpu->tick_due, cpu->turn_due));
    next = arm_pmu_earlier(next, arm_pmu_earlier(cpu->call_due, cs_arm_quiet(cpu)));
    if (cs_arm_now(cpu) < next && cs_arm_core_wait(cpu->core, next == CS_NEVER ? next : next - 1))
        handle_interrupt(cpu);
    return true;
}

/* All that comes up to cycle `until`, and the time in which the CPU is off then. */
static void cpu_serve(cs_arm_cpu *cpu, cs_cycle until)
{
    while (cs_arm_step(cpu, until))
        ;
}

/* ---- perf's command ---- */

static void cpu_reads_all(cs_arm_cpu *cpu)
{
    cs_arm_enter(cpu);
    cs_arm_sync(cpu);
    for (unsigned i = 0; i < cs_arm_spec(cpu)->nr_events; i++)
        cs_perf_update_count(cpu->events[i].event);
    cs_arm_leave(cpu);
    cpu_tell(cpu, false);
}

void cs_arm_end(cs_arm_cpu *cpu)
{
    cpu->open = false;
    cpu_arrange(cpu);
    cpu->closed = cs_arm_now(cpu);
    if (!cs_arm_has_process(cpu->pmu))
        cpu_tell(cpu, true);
}

static void cpu_runs_command(cs_arm_cpu *cpu, cs_cycle stop, uint64_t interval)
{
    cpu->open = true;
    cpu->opened = cs_arm_now(cpu);
    for (unsigned i = 0; i < cs_arm_spec(cpu)->nr_events; i++)
        cpu->events[i].opened = cpu->events[i].told_at = cpu->opened;
    for (cs_cycle due = cpu->opened; interval != 0 && interval < stop - due;) {
        due += interval;
        cpu_serve(cpu, due);
        if (cpu->gone)
            return;
        cpu_reads_all(cpu);
        due = cs_arm_now(cpu) > due ? cs_arm_now(cpu) : due;
        if (due >= stop)
            break;
    }
    cpu_serve(cpu, stop);
    if (!cpu->gone)
        cs_arm_end(cpu);
}

/* perf comes to the CPUs one after the other, and each does its own part of the command. */
static void cpu_is_visited(cs_arm_cpu *cpu)
{
    cs_arm_pmu *pmu = cpu->pmu;
    const cs_arm_pmu_spec *spec = pmu->config.spec;
    unsigned before = 0; /* CPUs that perf visits first */

    for (unsigned i = 0; i < cpu->number; i++)
        before += pmu->cpus[i].used;
    const cs_cycle visit = (cs_cycle)before * spec->visit_cycles;

    cpu_serve(cpu, spec->start_us * pmu->config.clock_mhz + visit);
    cpu->gone = cpu->gone && cpu->back >= spec->start_us * pmu->config.clock_mhz + visit;
    if (cpu->gone) /* it was not there when perf opened its events */
        return;
    if (spec->owner == CS_ARM_REFUSE && cpu_is_claimed(cpu)) {
        pmu->report.refused = true;
        return;
    }
    cpu_runs_command(cpu, spec->stop_us * pmu->config.clock_mhz + visit,
                     spec->interval_us * pmu->config.clock_mhz);
}

static void cpu_run(void *ctx, cs_arm_core *core)
{
    cs_arm_cpu *cpu = ctx;

    cpu->core = core;
    while (cs_arm_off(cpu))
        ;
    if (cpu->used)
        cs_arm_reset(cpu);
    if (cs_arm_has_process(cpu->pmu))
        cs_arm_process_run(cpu);
    else
        cpu_is_visited(cpu);
}

/* ---- the PMCU's driver ---- */

static unsigned die_first(const cs_arm_pmu *pmu, unsigned die)
{
    return die * pmu->config.die_cpus;
}

static void poke_all(cs_arm_pmu *pmu, unsigned die, cs_cycle now)
{
    for (unsigned i = die_first(pmu, die); i < die_first(pmu, die + 1); i++)
        if (pmu->cpus[i].core != NULL)
            cs_arm_core_poke(pmu->cpus[i].core, now);
}

/* Perf's events were open on the CPU before `now`. */
static bool cpu_was_open(const cs_arm_cpu *cpu, cs_cycle now)
{
    return cpu->opened < now && now <= cpu->closed;
}

static bool cpu_has_given(const cs_arm_cpu *cpu, cs_cycle now)
{
    return cpu->given && cpu->given_at < now;
}

cs_arm_claim cs_arm_pmu_claim(cs_arm_pmu *pmu, unsigned die, cs_cycle now)
{
    const uint8_t owner = pmu->config.spec->owner;
    cs_arm_claimed *last = &pmu->dies[die];
    bool open = false, waits = false;

    for (unsigned i = die_first(pmu, die); i < die_first(pmu, die + 1); i++) {
        open |= cpu_was_open(&pmu->cpus[i], now);
        waits |= cpu_was_open(&pmu->cpus[i], now) && !cpu_has_given(&pmu->cpus[i], now) &&
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

static unsigned at_least_one(unsigned cycles)
{
    return cycles != 0 ? cycles : 1;
}

void cs_arm_pmu_core(cs_arm_pmu *pmu, unsigned cpu, cs_arm_core_config *out)
{
    pmu->cpus[cpu].outage = cs_arm_next_outage(&pmu->cpus[cpu], pmu->config.outages);
    *out = (cs_arm_core_config){
        .number = cpu,
        .read_cycles = at_least_one(pmu->config.spec->register_read_cycles),
        .write_cycles = at_least_one(pmu->config.spec->register_write_cycles),
        .software = cpu_run,
        .ctx = &pmu->cpus[cpu],
    };
}

bool cs_arm_pmu_uses(const cs_arm_pmu *pmu, unsigned cpu)
{
    const bool home = cs_arm_has_process(pmu) && cpu == pmu->process.home;

    return cpu < pmu->config.nr_cpus && (pmu->cpus[cpu].used || home);
}
