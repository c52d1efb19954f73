// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>

#include "scenario/check.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/corepmu/perf_cpus.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/scenario.h"

#define S cs_multiplex_spec

static const cs_key_choice reach_choices[] = {
    {"affinity", 0, NULL, NULL, "it goes to each in turn (since 5.6)"},
    {"calls", 1, NULL, NULL,
     "it stays on software.cpu and interrupts them (before; --no-affinity)"},
    {0},
};

#define COST(name_, fallback_, text_)                                                              \
    NUMBER(#name_, "bus cycles", 0, 1000000, fallback_, text_), AT(S, name_)
static const cs_key multiplex_keys[] = {
    {OTHER("events", CS_KEY_USER_EVENTS, "[]",
           "the events to count, as pmcu_driver.user_events; 1..240 of them"),
     AT_LIST(S, events, nr_events)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "perf stat -C; all: those that are online"), AT(S, cpus)},
    {NUMBER("counters", "", 1, 31, "=corepmu.counters",
            "event counters of a CPU that perf may use, beside the cycle counter"),
     AT(S, counters)},
    {NUMBER("counter_bits", "", 8, 64, "32",
            "their width; an event interrupts at every half of the range. 32 is Linux's also on "
            "64-bit counters, unless long=1"),
     AT(S, counter_bits)},
    {NUMBER("tick_us", "us", 1, 1000000, "4000", "perf_event_mux_interval_ms"), AT(S, tick_us)},
    {NUMBER("divider", "", 1, 1000000, "1", "rotate events every N ticks; Linux: 1"),
     AT(S, divider)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "perf stat -I: from the end of a reading to the next; 0: only at the end"),
     AT(S, interval_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, "1000000", "when perf stops"), AT(S, stop_us)},
    {CHOICE("reach", reach_choices, "affinity", "how perf reaches the CPUs"), AT(S, calls)},
    {COST(irq_entry_cycles, "=software.irq_entry_cycles", "exception entry to handler")},
    {COST(irq_exit_cycles, "=software.irq_exit_cycles", "end of handler to workload")},
    {COST(timer_cycles, "200", "the timer's own part of a tick")},
    {COST(register_read_cycles, "10", "MRS of a PMU register")},
    {COST(register_write_cycles, "20", "MSR of a PMU register, with its ISB")},
    {COST(rotation_cycles, "100", "a rotation, beside its events")},
    {COST(event_out_cycles, "60", "an event leaves its counter, beside its accesses")},
    {COST(event_in_cycles, "80", "an event gets a counter, beside its accesses")},
    {COST(event_skip_cycles, "15", "an event that stays without, in the walk over all")},
    {COST(event_read_cycles, "60", "a counter is read for perf, beside its access")},
    {COST(overflow_cycles, "100", "a counter that overflowed, beside its accesses")},
    {COST(syscall_cycles, "1250", "a system call of perf, up to the PMU's driver and back")},
    {COST(migration_cycles, "5000", "for perf to move to another CPU")},
    {COST(wakeup_cycles, "3000", "perf wakes up for an interval")},
    {COST(ipi_cycles, "2000", "from the call of another CPU to its exception")},
};
#undef COST
static const cs_key_shape shape = {SHAPE("multiplex", multiplex_keys, S)};

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "multiplex.counters") == NULL)
        s->multiplex->counters = s->corepmu->counters;
    if (cs_check_at(check, "multiplex.irq_entry_cycles") == NULL)
        s->multiplex->irq_entry_cycles = s->software->irq_entry_cycles;
    if (cs_check_at(check, "multiplex.irq_exit_cycles") == NULL)
        s->multiplex->irq_exit_cycles = s->software->irq_exit_cycles;
}

static cs_status check_events(cs_check *check)
{
    const cs_multiplex_spec *spec = check->scenario->multiplex;

    return cs_check_perf_events(check, "multiplex.events", "multiplex", spec->events,
                                spec->nr_events, spec->nr_ignored_events);
}

/* An event as frequent as the clock overflows at half the range: sooner than its interrupt has been
 * served, the CPU comes to nothing else, and perf to no end. */
static cs_status check_storm(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const cs_multiplex_spec *spec = s->multiplex;
    const double apart =
        ldexp((double)s->bus->clock_mhz / s->core_clock.mhz, (int)spec->counter_bits - 1);
    const unsigned served = spec->irq_entry_cycles + spec->overflow_cycles + spec->irq_exit_cycles;

    cs_check_at(check, "multiplex.counter_bits");
    if (apart >= served)
        return CS_OK;
    return cs_check_warn(check,
                         "%u: a counter of cycles interrupts every %.0f bus cycles, and an "
                         "interrupt takes more than %u: perf may never come to its end "
                         "(limit_cycles ends the run)",
                         spec->counter_bits, apart, served);
}

static cs_status check_counters(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "multiplex.counters");
    if (s->multiplex->counters <= s->corepmu->counters)
        return CS_OK;
    return cs_check_fail(check, "%u is more than the %u counters of each core (corepmu.counters)",
                         s->multiplex->counters, s->corepmu->counters);
}

static cs_status check(cs_check *check)
{
    cs_status status =
        cs_check_perf_cpus(check, "multiplex.cpus", check->scenario->multiplex->cpus);
    if (status == CS_OK)
        status = check_events(check);
    if (status == CS_OK)
        status = check_storm(check);
    return status == CS_OK ? check_counters(check) : status;
}

static const cs_software_rule software = {
    .kind = CS_SOFTWARE_multiplex, .alone = true, .needs = {"multiplex"}};

static void tell(const cs_scenario *s, char *out, size_t size)
{
    const cs_multiplex_spec *m = s->multiplex;
    unsigned cpus = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        cpus += m->cpus[cpu];
    snprintf(out, size,
             "perf: %u event%s on %u counters of %u bits and the cycle counter, %u CPU%s, tick %u "
             "us, perf %s",
             m->nr_events, m->nr_events == 1 ? "" : "s", m->counters, m->counter_bits, cpus,
             cpus == 1 ? "" : "s", m->tick_us, m->calls ? "calls the CPUs" : "goes to the CPUs");
}

static const cs_key keys[] = {
    {MAP("multiplex", &shape, "the settings of software.kind multiplex")}};
static uint64_t least_cycles(const cs_scenario *s)
{
    return cs_scenario_us(s, s->multiplex->stop_us);
}

static uint64_t interval_us(const cs_scenario *s, unsigned number)
{
    (void)number;
    return s->multiplex->interval_us;
}

static const cs_section_commands commands = {.interval_us = interval_us};

const cs_section cs_section_multiplex = {
    SECTION("multiplex", keys, S), .compute = compute, .check = check,       .software = &software,
    .least_cycles = least_cycles,  .tell = tell,       .commands = &commands};
