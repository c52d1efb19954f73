// SPDX-License-Identifier: Apache-2.0
/* CPUs that go off and come back (docs/drivers/two_owners.md, "CPUs that go off"). The kernel decides it, so that
 * nothing is going on when it happens: in the last stretch before, as long as the longest thing that
 * the driver does, nothing begins any more. */
#include "drivers/corepmu/arm_pmu_impl.h"

/* Accesses of the longest thing that is done to an event, and beside all events. */
#define EVENT_ACCESSES 6u
#define OTHER_ACCESSES 8u

const cs_arm_outage *cs_arm_next_outage(const cs_arm_cpu *cpu, const cs_arm_outage *from)
{
    const cs_arm_pmu_config *c = &cpu->pmu->config;

    for (; from != NULL && from < c->outages + c->nr_outages; from++)
        if (from->cpu == cpu->number)
            return from;
    return NULL;
}

/* No interrupt, no switch of processes and no reading takes longer. An access may have to wait for the
 * frame: twice its time. Where events take turns, they leave their counters and others get them. */
static cs_cycle away_longest(const cs_arm_cpu *cpu)
{
    const cs_arm_pmu_spec *s = cs_arm_spec(cpu);
    const bool turns = cs_arm_takes_turns(s);
    const cs_cycle access = 2u * ((cs_cycle)s->register_read_cycles + s->register_write_cycles);
    const cs_cycle event = s->event_cycles + s->sample_cycles + s->event_read_cycles +
                           s->overflow_cycles + EVENT_ACCESSES * access;
    const cs_cycle other = s->irq_entry_cycles + s->irq_exit_cycles + s->switch_cycles +
                           OTHER_ACCESSES * access + s->nr_events * event;

    if (!turns)
        return other;
    return other + s->timer_cycles + s->rotation_cycles +
           s->nr_events *
               (event + s->event_out_cycles + (cs_cycle)s->event_skip_cycles + 2 * access);
}

/* What is going on has its time, and then what is done below. */
static cs_cycle away_quiet_before(const cs_arm_cpu *cpu, const cs_arm_outage *o)
{
    const cs_cycle lead = 2 * away_longest(cpu);

    return o->off > lead ? o->off - lead : 0;
}

cs_cycle cs_arm_quiet(const cs_arm_cpu *cpu)
{
    return cpu->outage != NULL ? away_quiet_before(cpu, cpu->outage) : CS_NEVER;
}

/* Perf's events of CPUs end with a CPU that is taken away (perf_event_exit_cpu). Others, and those of a
 * CPU in deep idle, leave their counters, and get them back (CPU_PM_ENTER). */
static void cpu_goes_off(cs_arm_cpu *cpu, const cs_arm_outage *o)
{
    if (o->hotplug && cs_arm_spec(cpu)->command != CS_ARM_TASK) {
        if (cpu->open)
            cs_arm_end(cpu);
        cpu->gone = true;
        cs_arm_process_loses(cpu);
    } else if (cpu->in) {
        cs_arm_enter(cpu);
        cs_arm_switch(cpu, false);
        cs_arm_leave(cpu);
    }
    cpu->away = cs_arm_now(cpu);
    cpu->back = o->on;
}

static void cpu_comes_back(cs_arm_cpu *cpu, bool had_counters)
{
    if (cpu->used)
        cs_arm_reset(cpu);
    if (!had_counters || !cs_arm_wants_counters(cpu))
        return;
    cs_arm_enter(cpu);
    cs_arm_switch(cpu, true);
    cs_arm_leave(cpu);
}

bool cs_arm_off(cs_arm_cpu *cpu)
{
    const cs_arm_outage *o = cpu->outage;
    const bool had_counters = cpu->in;
    const cs_cycle since = cs_arm_now(cpu);

    if (since < cs_arm_quiet(cpu))
        return false;
    if (o->power)
        cpu_goes_off(cpu, o);
    cs_arm_core_sleep(cpu->core, o->on);
    cpu->interrupted += cs_arm_now(cpu) - since;
    cpu->outage = cs_arm_next_outage(cpu, o + 1);
    /* Where it goes off again at once nothing is done. */
    if (o->power && cs_arm_now(cpu) < cs_arm_quiet(cpu))
        cpu_comes_back(cpu, had_counters);
    return true;
}

bool cs_arm_is_away(const cs_arm_cpu *cpu, cs_cycle now)
{
    return cpu->away < now && now <= cpu->back;
}
