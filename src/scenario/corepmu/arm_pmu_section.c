// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>

#include "scenario/check.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/arm_perf_owner.h"
#include "scenario/corepmu/arm_pmu_spec.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/multiplex_was.h"
#include "scenario/corepmu/perf_cpus.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"

#define S cs_arm_pmu_spec

static const cs_key_choice command_choices[] = {
    {"stat", CS_ARM_STAT, NULL, NULL, "perf stat of the CPUs"},
    {"task", CS_ARM_TASK, NULL, NULL, "perf stat of a process: events come and go with it"},
    {"record", CS_ARM_RECORD, NULL, NULL, "perf record: each overflow is a sample"},
    {0},
};
static const cs_key_choice owner_choices[] = {
    {"none", CS_ARM_NONE, NULL, NULL, "nobody is: both write the same registers, as published"},
    {"yield", CS_ARM_YIELD, NULL, NULL,
     "who asks last: perf's events leave their counters while the PMCU has a session"},
    {"refuse", CS_ARM_REFUSE, NULL, NULL, "who came first: the other one gets EBUSY"},
    {"partition", CS_ARM_PARTITION, NULL, NULL,
     "each has its own: perf those below corepmu.hpmn, the PMCU those from 3 up"},
    {0},
};

static const cs_key_choice reach_choices[] = {
    {"visits", CS_ARM_VISITS, NULL, NULL,
     "it is on one after the other, visit_cycles apart, and costs them nothing"},
    {"affinity", CS_ARM_AFFINITY, NULL, NULL, "a process that goes to each in turn (since 5.6)"},
    {"calls", CS_ARM_CALLS, NULL, NULL,
     "a process that stays on software.cpu and interrupts them (before; --no-affinity)"},
    {0},
};

#define COST(name_, fallback_, text_)                                                              \
    NUMBER(#name_, "bus cycles", 0, 1000000, fallback_, text_), AT(S, name_)
static const cs_key arm_pmu_keys[] = {
    {CHOICE("command", command_choices, "stat", "what perf does"), AT(S, command)},
    {CHOICE("owner", owner_choices, "none", "who owns the counters beside the PMCU"), AT(S, owner)},
    {OTHER("guest", CS_KEY_FLAG, "false",
           "perf runs in a guest, which sees the counters below corepmu.hpmn"),
     AT(S, guest)},
    {OTHER(
         "events", CS_KEY_USER_EVENTS, "[]",
         "the events, as pmcu_driver.user_events, 1..240 of them; where counters are too few they "
         "take turns"),
     AT_LIST(S, events, nr_events)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "perf -C; all: those that are online"), AT(S, cpus)},
    {CHOICE("reach", reach_choices, "visits", "how perf reaches the CPUs"), AT(S, reach)},
    {NUMBER("counters", "", 1, 31, "=corepmu.counters",
            "event counters of a CPU that perf may use, beside the cycle counter"),
     AT(S, counters)},
    {NUMBER("counter_bits", "", 8, 64, "32",
            "their width; an event interrupts at every half of the range. 32 is Linux's also on "
            "64-bit counters, unless long=1"),
     AT(S, counter_bits)},
    {NUMBER("mux_us", "us", 1, 1000000, "4000", "perf_event_mux_interval_ms"), AT(S, mux_us)},
    {NUMBER("divider", "", 1, 1000000, "1", "events take turns every N times of these; Linux: 1"),
     AT(S, divider)},
    {NUMBER("process", "", 0, UINT32_MAX, "0", "of command task: its pid"), AT(S, process)},
    {NUMBER("period", "events", 0, UINT32_MAX / 2, "0", "of command record: perf record -c"),
     AT(S, period)},
    {NUMBER("max_samples_per_tick", "", 0, 1000000, "0",
            "of command record: an event with more stops until the next tick; 0: no limit"),
     AT(S, max_samples_per_tick)},
    {NUMBER("tick_us", "us", 10, 1000000, "4000", "the kernel's timer (HZ 250), for that"),
     AT(S, tick_us)},
    {NUMBER("start_us", "us", 0, MAX_US, "0", "when perf opens its events"), AT(S, start_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, "1000000", "when perf stops"), AT(S, stop_us)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0", "perf stat -I; 0: only at the end"),
     AT(S, interval_us)},
    {COST(irq_entry_cycles, "=software.irq_entry_cycles", "exception entry to handler")},
    {COST(irq_exit_cycles, "=software.irq_exit_cycles", "end of handler to workload")},
    {COST(register_read_cycles, "10", "MRS of a PMU register")},
    {COST(register_write_cycles, "20", "MSR of a PMU register, with its ISB")},
    {COST(event_cycles, "80", "an event gets a counter, beside its accesses")},
    {COST(event_out_cycles, "=event_cycles; 60 where perf is a process", "an event leaves it")},
    {COST(event_skip_cycles, "15", "an event that stays without, in the walk over all")},
    {COST(event_read_cycles, "=0; 60 where perf is a process",
          "a counter is read for perf, beside its access")},
    {COST(overflow_cycles, "=0; 100 where perf is a process",
          "a counter that overflowed, beside its accesses")},
    {COST(timer_cycles, "200", "the timer's own part of a turn")},
    {COST(rotation_cycles, "100", "a turn, beside its events")},
    {COST(sample_cycles, "800", "a sample is written into perf's ring")},
    {COST(switch_cycles, "1500", "a switch of processes, beside its events")},
    {COST(visit_cycles, "5000", "for perf to move from one CPU to the next")},
    {COST(syscall_cycles, "1250", "a system call of perf, up to the PMU's driver and back")},
    {COST(wakeup_cycles, "3000", "perf wakes up for an interval")},
    {COST(ipi_cycles, "2000", "from the call of another CPU to its exception")},
};
#undef COST
static const cs_key_shape shape = {SHAPE("arm_pmu", arm_pmu_keys, S)};

/* docs/hw/pmcu.md: what compatibility mode leaves to others */
#define COMP_FIRST 3u

/* Event counters that it may take. */
static unsigned counters(const cs_scenario *s)
{
    const bool below = s->arm_pmu->guest || s->arm_pmu->owner == CS_ARM_PARTITION;

    return below && s->corepmu->hpmn < s->corepmu->counters ? s->corepmu->hpmn
                                                            : s->corepmu->counters;
}

bool cs_arm_takes_turns(const cs_arm_pmu_spec *spec)
{
    unsigned cycles = 0;

    for (unsigned i = 0; i < spec->nr_events; i++)
        cycles |= spec->events[i] == CS_ARM_CPU_CYCLES;
    return spec->reach != CS_ARM_VISITS || spec->nr_events - cycles > spec->counters;
}

static void set_default(cs_check *check, const char *key, unsigned *value, unsigned fallback)
{
    if (cs_check_at(check, "arm_pmu.%s", key) == NULL)
        *value = fallback;
}

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;
    cs_arm_pmu_spec *p = s->arm_pmu;
    const bool process = p->reach != CS_ARM_VISITS;

    set_default(check, "irq_entry_cycles", &p->irq_entry_cycles, s->software->irq_entry_cycles);
    set_default(check, "irq_exit_cycles", &p->irq_exit_cycles, s->software->irq_exit_cycles);
    set_default(check, "event_out_cycles", &p->event_out_cycles, process ? 60 : p->event_cycles);
    set_default(check, "event_read_cycles", &p->event_read_cycles, process ? 60 : 0);
    set_default(check, "overflow_cycles", &p->overflow_cycles, process ? 100 : 0);
    set_default(check, "counters", &p->counters, counters(s));
}

static cs_status check_command(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const cs_arm_pmu_spec *p = s->arm_pmu;
    static const char *const own[] = {[CS_ARM_TASK] = "process", [CS_ARM_RECORD] = "period"};

    for (unsigned command = CS_ARM_TASK; command <= CS_ARM_RECORD; command++) {
        const bool given = cs_check_at(check, "arm_pmu.%s", own[command]) != NULL;

        if (given && p->command != command)
            return cs_check_fail(check, "not allowed without arm_pmu.command %s",
                                 command_choices[command].name);
        cs_check_at(check, "arm_pmu.command");
        if (!given && p->command == command)
            return cs_check_fail(check, "%s needs arm_pmu.%s", command_choices[command].name,
                                 own[command]);
    }
    if (cs_check_at(check, "arm_pmu.period") != NULL && p->period == 0)
        return cs_check_fail(check, "0, expected 1 or more");
    if (cs_check_at(check, "arm_pmu.interval_us") != NULL && p->command != CS_ARM_STAT)
        return cs_check_fail(check, "not allowed without arm_pmu.command stat");
    if (cs_check_at(check, "arm_pmu.max_samples_per_tick") != NULL && p->command != CS_ARM_RECORD)
        return cs_check_fail(check, "not allowed without arm_pmu.command record");
    cs_check_at(check, "arm_pmu.stop_us");
    if (p->stop_us <= p->start_us)
        return cs_check_fail(check, "%llu is not after arm_pmu.start_us %llu",
                             (unsigned long long)p->stop_us, (unsigned long long)p->start_us);
    return CS_OK;
}

static cs_status check_counters(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "arm_pmu.counters");
    if (s->arm_pmu->counters <= counters(s))
        return CS_OK;
    return cs_check_fail(check, "%u is more than the %u counters that perf may use of each core",
                         s->arm_pmu->counters, counters(s));
}

/* An event as frequent as the clock overflows at half the range: sooner than its interrupt has been
 * served, the CPU comes to nothing else, and perf to no end. */
static cs_status check_storm(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const cs_arm_pmu_spec *p = s->arm_pmu;
    const double apart =
        ldexp((double)s->bus->clock_mhz / s->core_clock.mhz, (int)p->counter_bits - 1);
    const unsigned served = p->irq_entry_cycles + p->overflow_cycles + p->irq_exit_cycles;

    cs_check_at(check, "arm_pmu.counter_bits");
    if (apart >= served)
        return CS_OK;
    return cs_check_warn(check,
                         "%u: a counter of cycles interrupts every %.0f bus cycles, and an "
                         "interrupt takes more than %u: perf may never come to its end "
                         "(limit_cycles ends the run)",
                         p->counter_bits, apart, served);
}

/* A process needs a CPU to be on, and does what perf stat of CPUs does. */
static cs_status check_reach(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const unsigned cpu = s->software->cpu;

    cs_check_at(check, "arm_pmu.reach");
    if (s->arm_pmu->reach == CS_ARM_VISITS)
        return CS_OK;
    if (s->arm_pmu->command != CS_ARM_STAT || s->arm_pmu->owner != CS_ARM_NONE)
        return cs_check_fail(check, "%s needs arm_pmu.command stat and arm_pmu.owner none",
                             reach_choices[s->arm_pmu->reach].name);
    cs_check_at(check, "software.cpu");
    if (!cs_scenario_is_arm(s, cpu) || s->corepmu->absent[cpu] || s->corepmu->offline[cpu])
        return cs_check_fail(check,
                             "perf is a process on CPU %u (arm_pmu.reach), which is no Arm "
                             "core that is online",
                             cpu);
    return CS_OK;
}

static cs_status check_owner(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const bool pmcu = cs_scenario_runs(s, CS_SOFTWARE_pmcu_driver);

    cs_check_at(check, "arm_pmu.owner");
    if (s->arm_pmu->owner == CS_ARM_NONE)
        return CS_OK;
    if (!pmcu)
        return cs_check_fail(check, "%s needs pmcu_driver in software.kind",
                             owner_choices[s->arm_pmu->owner].name);
    if (s->arm_pmu->guest && s->arm_pmu->owner != CS_ARM_PARTITION)
        return cs_check_fail(check, "a guest knows of no PMCU (arm_pmu.guest); none or partition");
    if (s->arm_pmu->owner == CS_ARM_PARTITION &&
        (!s->pmcu_driver->comp || s->corepmu->hpmn > COMP_FIRST))
        return cs_check_fail(
            check, "partition needs pmcu_driver.comp, and corepmu.hpmn of at most %u", COMP_FIRST);
    return CS_OK;
}

static cs_status check(cs_check *check)
{
    cs_arm_pmu_spec *p = check->scenario->arm_pmu;
    cs_status status = cs_check_perf_cpus(check, "arm_pmu.cpus", p->cpus);

    if (status == CS_OK)
        status = cs_check_perf_events(check, "arm_pmu.events", "arm_pmu", p->events, p->nr_events,
                                      p->nr_ignored_events);
    if (status == CS_OK)
        status = check_command(check);
    if (status == CS_OK)
        status = check_counters(check);
    if (status == CS_OK)
        status = check_storm(check);
    if (status == CS_OK)
        status = check_reach(check);
    return status == CS_OK ? check_owner(check) : status;
}

static const cs_software_rule software = {.kind = CS_SOFTWARE_arm_pmu, .chooses_cpu = true};

static void tell(const cs_scenario *s, char *out, size_t size)
{
    const cs_arm_pmu_spec *p = s->arm_pmu;
    unsigned cpus = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        cpus += p->cpus[cpu];
    int n = snprintf(out, size, "perf %s%s: %u event%s, %u CPU%s, %llu to %llu us, owner %s",
                     p->command == CS_ARM_RECORD ? "record" : "stat", p->guest ? " of a guest" : "",
                     p->nr_events, p->nr_events == 1 ? "" : "s", cpus, cpus == 1 ? "" : "s",
                     (unsigned long long)p->start_us, (unsigned long long)p->stop_us,
                     owner_choices[p->owner].name);
    if (n > 0 && (size_t)n < size && cs_arm_takes_turns(p))
        snprintf(out + n, size - (size_t)n,
                 "; in turns of %llu us on %u counters of %u bits and the cycle counter%s",
                 (unsigned long long)p->mux_us, p->counters, p->counter_bits,
                 p->reach == CS_ARM_AFFINITY ? ", perf goes to the CPUs"
                 : p->reach == CS_ARM_CALLS  ? ", perf calls the CPUs"
                                             : "");
}

static const cs_key keys[] = {{MAP("arm_pmu", &shape, "the settings of software.kind arm_pmu")}};

static uint64_t least_cycles(const cs_scenario *s)
{
    return cs_scenario_us(s, s->arm_pmu->stop_us);
}

/* Counts of a process are those of its stretches, and a guest's are not of all modes: they stand in
 * the truth alone. */
static unsigned count(const cs_scenario *s)
{
    const cs_arm_pmu_spec *p = s->arm_pmu;

    return p->command == CS_ARM_RECORD || (p->command == CS_ARM_STAT && !p->guest);
}

static uint64_t period(const cs_scenario *s, unsigned number)
{
    (void)number;
    return s->arm_pmu->period;
}

static uint64_t interval_us(const cs_scenario *s, unsigned number)
{
    (void)number;
    return s->arm_pmu->interval_us;
}

static bool throttles(const cs_scenario *s)
{
    return cs_scenario_runs(s, CS_SOFTWARE_arm_pmu) && s->arm_pmu->max_samples_per_tick != 0;
}

static const cs_section_commands commands = {
    .count = count, .period = period, .interval_us = interval_us, .throttles = throttles};

const cs_section cs_section_arm_pmu = {SECTION("arm_pmu", keys, S),
                                       .prepare = cs_multiplex_was,
                                       .warn = cs_multiplex_was_warn,
                                       .compute = compute,
                                       .check = check,
                                       .software = &software,
                                       .least_cycles = least_cycles,
                                       .tell = tell,
                                       .commands = &commands,
                                       .perf = &cs_arm_perf_owner};
