// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "scenario/check.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/arm_pmu_spec.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/perf_cpus.h"
#include "scenario/key_macros.h"
#include "scenario/machine/software_spec.h"
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

#define COST(name_, fallback_, text_)                                                              \
    NUMBER(#name_, "bus cycles", 1, 1000000, fallback_, text_), AT(S, name_)
static const cs_key arm_pmu_keys[] = {
    {CHOICE("command", command_choices, "stat", "what perf does"), AT(S, command)},
    {CHOICE("owner", owner_choices, "none", "who owns the counters beside the PMCU"), AT(S, owner)},
    {OTHER("guest", CS_KEY_FLAG, "false",
           "perf runs in a guest, which sees the counters below corepmu.hpmn"),
     AT(S, guest)},
    {OTHER("events", CS_KEY_USER_EVENTS, "[]",
           "the events, as pmcu_driver.user_events; each needs a counter"),
     AT_LIST(S, events, nr_events)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "perf -C; all: those that are online"), AT(S, cpus)},
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
    {COST(event_cycles, "80", "an event gets or leaves its counter, beside its accesses")},
    {COST(sample_cycles, "800", "a sample is written into perf's ring")},
    {COST(switch_cycles, "1500", "a switch of processes, beside its events")},
    {COST(visit_cycles, "5000", "for perf to move from one CPU to the next")},
};
#undef COST
static const cs_key_shape shape = {SHAPE("arm_pmu", arm_pmu_keys, S)};

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "arm_pmu.irq_entry_cycles") == NULL)
        s->arm_pmu->irq_entry_cycles = s->software->irq_entry_cycles;
    if (cs_check_at(check, "arm_pmu.irq_exit_cycles") == NULL)
        s->arm_pmu->irq_exit_cycles = s->software->irq_exit_cycles;
}

/* docs/hw/pmcu.md: what compatibility mode leaves to others */
#define COMP_FIRST 3u

/* Event counters that it may take. */
static unsigned counters(const cs_scenario *s)
{
    const bool below = s->arm_pmu->guest || s->arm_pmu->owner == CS_ARM_PARTITION;

    return below && s->corepmu->hpmn < s->corepmu->counters ? s->corepmu->hpmn
                                                            : s->corepmu->counters;
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
    const cs_arm_pmu_spec *p = s->arm_pmu;
    unsigned events = 0, cycles = 0;

    for (unsigned i = 0; i < p->nr_events; i++)
        if (p->events[i] == CS_ARM_CPU_CYCLES && cycles == 0)
            cycles++;
        else
            events++;
    cs_check_at(check, "arm_pmu.events");
    if (events > counters(s))
        return cs_check_fail(check,
                             "%u events need event counters, and there are %u: perf would take "
                             "turns (software.kind multiplex)",
                             events, counters(s));
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
    return status == CS_OK ? check_owner(check) : status;
}

static const cs_software_rule software = {
    .kind = CS_SOFTWARE_arm_pmu, .chooses_cpu = true, .needs = {"arm_pmu"}};

static void tell(const cs_scenario *s, char *out, size_t size)
{
    const cs_arm_pmu_spec *p = s->arm_pmu;
    unsigned cpus = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        cpus += p->cpus[cpu];
    snprintf(out, size, "perf %s%s: %u event%s, %u CPU%s, %llu to %llu us, owner %s",
             p->command == CS_ARM_RECORD ? "record" : "stat", p->guest ? " of a guest" : "",
             p->nr_events, p->nr_events == 1 ? "" : "s", cpus, cpus == 1 ? "" : "s",
             (unsigned long long)p->start_us, (unsigned long long)p->stop_us,
             owner_choices[p->owner].name);
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

const cs_section cs_section_arm_pmu = {
    SECTION("arm_pmu", keys, S),  .compute = compute, .check = check,       .software = &software,
    .least_cycles = least_cycles, .tell = tell,       .commands = &commands};
