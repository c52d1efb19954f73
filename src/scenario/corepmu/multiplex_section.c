#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenario/check.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
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
    {NUMBER("divider", "", 1, 1000000, "1", "events move at every so manyth tick; Linux: 1"),
     AT(S, divider)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "perf stat -I: from the end of a reading to the next; 0: only at the end"),
     AT(S, interval_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, "1000000", "when perf stops"), AT(S, stop_us)},
    {CHOICE("reach", reach_choices, "affinity", "how perf reaches the CPUs"), AT(S, calls)},
    {COST(irq_entry_cycles, "300", "exception entry to handler")},
    {COST(irq_exit_cycles, "350", "end of handler to workload")},
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
    {COST(migration_cycles, "5000", "perf goes to another CPU")},
    {COST(wakeup_cycles, "3000", "perf wakes up for an interval")},
    {COST(ipi_cycles, "2000", "from the call of another CPU to its exception")},
};
#undef COST
static const cs_key_shape shape = {SHAPE("multiplex", multiplex_keys, S)};

#define EVENT_BITS 16u

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "multiplex.counters") == NULL)
        s->multiplex->counters = s->corepmu->counters;
}

static cs_status check_events(cs_check *check)
{
    const cs_multiplex_spec *spec = check->scenario->multiplex;
    unsigned silent = 0;
    uint32_t first = 0;

    cs_check_at(check, "multiplex.events");
    if (spec->nr_events == 0)
        return cs_check_fail(check, "empty; software.kind multiplex needs events");
    if (spec->nr_ignored_events != 0)
        return cs_check_fail(check, "%llu events; at most %u are allowed",
                             (unsigned long long)spec->nr_events + spec->nr_ignored_events,
                             CS_MAX_USER_EVENTS);
    for (unsigned i = spec->nr_events; i-- > 0;) {
        const uint32_t event = spec->events[i];

        if (event >> EVENT_BITS != 0)
            return cs_check_fail(check, "event %u of the list is none of an Arm core", i);
        if (!cs_check_somewhere_counts(check->scenario, event)) {
            first = event;
            silent++;
        }
    }
    if (silent == 0)
        return CS_OK;
    return cs_check_warn(check,
                         "%u of %u count nothing, the first is 0x%x: no workload has a stream for "
                         "it",
                         silent, spec->nr_events, first);
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

/* perf opens events on online CPUs alone; "all" means these. */
static cs_status check_cpus(cs_check *check)
{
    cs_scenario *s = check->scenario;
    const cs_yaml_node *node = cs_check_at(check, "multiplex.cpus");
    const bool all =
        node == NULL || (node->kind == CS_YAML_SCALAR && strcmp(node->text, "all") == 0);
    unsigned cpus = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        const bool arm = cs_scenario_is_arm(s, cpu);
        const bool there = arm && !s->corepmu->absent[cpu] && !s->corepmu->offline[cpu];

        if (s->multiplex->cpus[cpu] && !there && !all)
            return cs_check_fail(check, "CPU %u is %s", cpu,
                                 !arm                      ? "no Arm core"
                                 : s->corepmu->absent[cpu] ? "absent (corepmu.absent)"
                                                           : "offline (corepmu.offline)");
        s->multiplex->cpus[cpu] = s->multiplex->cpus[cpu] && there;
        cpus += s->multiplex->cpus[cpu];
    }
    return cpus != 0 ? CS_OK : cs_check_fail(check, "no CPU; at least one is expected");
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
    cs_status status = check_cpus(check);
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
             "perf: %u events on %u counters of %u bits and the cycle counter, %u CPU%s, tick %u "
             "us, perf %s",
             m->nr_events, m->counters, m->counter_bits, cpus, cpus == 1 ? "" : "s", m->tick_us,
             m->calls ? "calls the CPUs" : "goes to the CPUs");
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
