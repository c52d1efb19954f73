// SPDX-License-Identifier: Apache-2.0
/* Units that go from one CPU to another: docs/drivers/uncore_driver.md, "A unit moves". */
#include <inttypes.h>

#include "drivers/told.h"
#include "drivers/uncore/uncore_impl.h"
#include "scenario/scenario.h"
#include "scenario/software_kinds.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include <countersink/base/numbers.h>

CS_SOFT_PRINTED(uncore_moved, cs_uncore_moved, "uncore unit moved")
{
    fprintf(out, "unit %u from cpu %u to %u, still since %" PRIu64 ": %s", what->unit, what->from,
            what->to, what->left, what->why);
}

static bool is_online(const cs_uncore_driver *d, unsigned cpu)
{
    for (unsigned i = 0; i < d->nr_cpus; i++)
        if (d->cpus[i].cpu.number == cpu && d->cpus[i].going && d->now < d->cpus[i].on)
            return false;
    return true;
}

/* Those that may manage now. */
static void uncore_candidates(const cs_uncore_driver *d, bool out[CS_MAX_CPUS])
{
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        out[cpu] = d->config.may[cpu] && is_online(d, cpu);
}

/* And do what the policy asks for, as `looker` sees it. */
static void uncore_wanted(const cs_uncore_driver *d, unsigned looker, bool out[CS_MAX_CPUS])
{
    const cs_uncore_driver_config *c = &d->config;
    const bool idle = c->spec->choice == CS_UNCORE_IDLE;

    uncore_candidates(d, out);
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        out[cpu] = out[cpu] && c->waits(c->waits_ctx, cpu, d->now, cpu == looker) == idle;
}

static uncore_cpu *cpu_of(cs_uncore_driver *d, unsigned number, unsigned unit)
{
    const bool contexts = d->config.spec->list == CS_UNCORE_LIST_CONTEXTS;

    for (unsigned i = 0; i < d->nr_cpus; i++)
        if (d->cpus[i].cpu.number == number && (!contexts || d->cpus[i].unit == unit))
            return &d->cpus[i];
    return NULL;
}

static const cs_unit_session *session_of(const cs_uncore_driver *d, const uncore_cpu *cpu,
                                         unsigned command)
{
    for (size_t i = 0; i < d->nr_sessions; i++)
        if (d->sessions[i].cpu == &cpu->cpu && d->sessions[i].command == command)
            return &d->sessions[i];
    return NULL;
}

/* Both CPUs have come equally far with the commands of the unit: none of them would be missed. */
static bool same_state(const cs_uncore_driver *d, unsigned unit, const uncore_cpu *a,
                       const uncore_cpu *b)
{
    for (unsigned command = 0; command < d->config.spec->nr_perf; command++) {
        const cs_unit_session *of_a = session_of(d, a, command);
        const cs_unit_session *of_b = session_of(d, b, command);

        if (d->config.spec->perf[command].units[unit] &&
            (of_a == NULL || of_b == NULL || of_a->state != of_b->state))
            return false;
    }
    return true;
}

static void remove_unit(cs_unit_cpu *cpu, unsigned unit)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < cpu->nr_units; i++)
        if (cpu->units[i] != unit)
            cpu->units[kept++] = cpu->units[i];
    cpu->nr_units = kept;
}

/* Since when the unit stands still. */
static cs_cycle uncore_clear(cs_uncore_driver *d, unsigned number)
{
    cs_units_take_off(&d->units, number);
    cs_units_commit(&d->units, number);
    return d->units.units[number].time;
}

static void uncore_hand_over(cs_uncore_driver *d, uncore_cpu *from, unsigned number,
                             uncore_cpu *taker)
{
    cs_unit *unit = &d->units.units[number];

    cs_units_uproot(&d->units, number);
    remove_unit(&from->cpu, number);
    taker->cpu.units[taker->cpu.nr_units++] = number;
    unit->cpu = &taker->cpu;
    unit->away = true;
    d->regs[number].sent = CS_NEVER;
    d->regs[number].from = from->cpu.number;
}

/* The CPU that has the unit stops it and gives it to another, which it calls. False: not yet. */
static bool uncore_give(cs_uncore_driver *d, uncore_cpu *from, unsigned number, unsigned to,
                        const char *why)
{
    uncore_unit *regs = &d->regs[number];
    uncore_cpu *taker = cpu_of(d, to, number);
    const cs_cycle entered = cs_uncore_enter(d, &from->cpu);
    const cs_cycle left = uncore_clear(d, number);
    const bool good = same_state(d, number, from, taker) && is_online(d, to);
    if (good) {
        uncore_hand_over(d, from, number, taker);
        regs->left = left;
        regs->why = why;
    } else {
        cs_units_schedule(&d->units, number);
    }
    cs_units_settle(&d->units, &from->cpu);
    cs_uncore_leave(d, &from->cpu, entered);
    if (good && d->config.side_by_side) {
        regs->sent = d->now + d->config.ipi_cycles;
        cs_uncore_perform(d, (cs_op){.kind = CS_OP_SIGNAL,
                                     .core = (uint16_t)(1 + to),
                                     .lines = CS_LINE(CS_LINE_IPI(CS_SOFTWARE_uncore_driver))});
    } else if (good) {
        regs->sent = d->now;
    }
    return good;
}

void cs_uncore_arrive(cs_uncore_driver *d, unsigned number)
{
    uncore_unit *regs = &d->regs[number];
    cs_unit_cpu *cpu = d->units.units[number].cpu;
    const cs_uncore_bridge_spec *bridge = &d->config.units->bridges[regs->spec->bridge];
    const cs_uncore_moved moved = {number, regs->from, cpu->number, regs->left, regs->why};
    const cs_cycle entered = cs_uncore_enter(d, cpu);

    d->units.units[number].away = false;
    regs->far_cycles = bridge->near[cpu->number] ? 0 : bridge->remote_cycles;
    cs_units_plant(&d->units, number);
    cs_units_settle(&d->units, cpu);
    cs_tell_uncore_moved(d->config.soft, d->now, cpu->number, &moved);
    cs_uncore_leave(d, cpu, entered);
}

/* The first unit of the CPU that is not on its way here; NULL: none. */
static const unsigned *first_own(const cs_uncore_driver *d, const cs_unit_cpu *cpu)
{
    for (unsigned i = 0; i < cpu->nr_units; i++)
        if (!d->units.units[cpu->units[i]].away)
            return &cpu->units[i];
    return NULL;
}

/* Nobody else reaches the unit: its events end, as perf ends those of a CPU that goes. */
static void uncore_strand(cs_uncore_driver *d, uncore_cpu *cpu, unsigned number)
{
    const cs_cycle entered = cs_uncore_enter(d, &cpu->cpu);

    uncore_clear(d, number);
    for (size_t i = 0; i < d->units.nr_events; i++)
        if (d->units.events[i].unit == number)
            cs_unit_strand(&d->units, &d->units.events[i]);
    cs_units_schedule(&d->units, number);
    cs_units_settle(&d->units, &cpu->cpu);
    cs_uncore_leave(d, &cpu->cpu, entered);
}

void cs_uncore_expect_off(const cs_uncore_driver *d, uncore_cpu *cpu, cs_cycle from)
{
    cpu->off = cpu->back = CS_NEVER;
    for (size_t i = 0; i < d->config.spec->nr_hotplug; i++) {
        const cs_uncore_hotplug_spec *h = &d->config.spec->hotplug[i];
        const cs_cycle at = cs_uncore_us(d, h->at_us);

        if (h->cpu != cpu->cpu.number || at < from || at >= cpu->off)
            continue;
        cpu->off = at;
        cpu->back = h->for_us != 0 ? at + cs_uncore_us(d, h->for_us) : CS_NEVER;
        cpu->dark = h->power_us != 0 ? cs_uncore_us(d, h->power_us) : CS_NEVER;
    }
}

/* As cpuhp's callback does: a near CPU if there is one, else any. */
void cs_uncore_go_off(cs_uncore_driver *d, uncore_cpu *cpu)
{
    bool may[CS_MAX_CPUS];

    if (!cpu->going || cpu->gone) {
        cpu->going = true;
        cpu->gone = false;
        cpu->on = cpu->back;
    }
    cpu->off = d->now + 1; /* more may be on its way here, or cannot go yet */
    for (unsigned i = 0; i < cpu->cpu.nr_units && !d->units.failed;) {
        const unsigned unit = cpu->numbers[i];

        uncore_candidates(d, may);
        const unsigned to = cs_uncore_best(d->config.units, unit, may);

        if (d->units.units[unit].away)
            return;
        if (to == CS_MAX_CPUS) {
            uncore_strand(d, cpu, unit);
            i++;
        } else if (!uncore_give(d, cpu, unit, to, "its CPU went off")) {
            cpu->off = d->now + 1;
            return;
        }
    }
    cpu->gone = true;
    if (d->now > cpu->dark)
        cs_soft_warn(d->config.soft, d->now, cpu->cpu.number,
                     "CPU %u had units up to cycle %" PRIu64 ", but no power from cycle %" PRIu64
                     " on (uncore_driver.teardown_us)",
                     cpu->cpu.number, d->now, cpu->dark);
    cs_uncore_expect_off(d, cpu, cpu->on);
}

/* A unit moves only to a CPU that does what the policy wants, and away from one that does not. */
void cs_uncore_look(cs_uncore_driver *d, uncore_cpu *cpu)
{
    const cs_cycle every = cs_uncore_us(d, d->config.spec->look_us);
    const bool busy = d->config.spec->choice == CS_UNCORE_BUSY;
    bool may[CS_MAX_CPUS];
    const unsigned *unit;

    while (cpu->look <= d->now)
        cpu->look += every;
    uncore_wanted(d, cpu->cpu.number, may);
    while (!may[cpu->cpu.number] && (unit = first_own(d, &cpu->cpu)) != NULL && !d->units.failed) {
        const unsigned to = cs_uncore_best(d->config.units, *unit, may);

        if (to == CS_MAX_CPUS ||
            !uncore_give(d, cpu, *unit, to,
                         busy ? "after the workload" : "out of the workload's way"))
            return;
        uncore_wanted(d, cpu->cpu.number, may);
    }
}
