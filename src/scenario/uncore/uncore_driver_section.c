// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/key_macros.h"
#include "scenario/scenario.h"
#include "scenario/uncore/uncore_away.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_open.h"
#include "scenario/uncore/uncore_perf_owner.h"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/work/workload_spec.h"

#define S cs_uncore_driver_spec

static const cs_key_choice list_choices[] = {
    {"per_pmu", 0, NULL, NULL, "one list per unit"},
    {"global", 1, NULL, NULL, "one list for all units that a CPU manages"},
    {"contexts", 2, NULL, NULL, "one list and one timer per unit, as in Linux 6.2 and later"},
    {0},
};

/* By cs_uncore_choice. */
static const cs_key_choice manager_choices[] = {
    {"load", CS_UNCORE_BY_LOAD, NULL, NULL, "by distance and by what it manages already"},
    {"nearest", CS_UNCORE_NEAREST, NULL, NULL, "the first that is near, whatever else it does"},
    {"busy", CS_UNCORE_BUSY, NULL, NULL, "a CPU that runs its workload: units move after it"},
    {"idle", CS_UNCORE_IDLE, NULL, NULL, "a CPU that waits: units move out of a workload's way"},
    {0},
};

#define H cs_uncore_hotplug_spec
static const cs_key hotplug_keys[] = {
    {NUMBER("cpu", "", 0, CS_MAX_CPUS - 1, NULL, "which"), AT(H, cpu)},
    {NUMBER("at_us", "us", 1, MAX_US, NULL, "when it is taken away"), AT(H, at_us)},
    {NUMBER("for_us", "us", 0, MAX_US, "0", "for how long; 0: it does not come back"),
     AT(H, for_us)},
};
#undef H
static const cs_key_shape hotplug_shape = {
    SHAPE("uncore_hotplug", hotplug_keys, cs_uncore_hotplug_spec)};

static const cs_key_choice take_out_choices[] = {
    {"all", 1, NULL, NULL, "all that are not pinned, as Linux does"},
    {"moved", 0, NULL, NULL, "those that go elsewhere"},
    {0},
};

static const cs_key_choice wrap_choices[] = {
    {"timer", 0, NULL, NULL, "the managing CPU reads them in time"},
    {"interrupt", 1, NULL, NULL, "they start at half, and the unit interrupts the managing CPU"},
    {0},
};

#define E cs_uncore_event_spec
static const cs_key uncore_event_keys[] = {
    {OTHER("event", CS_KEY_EVENT, NULL, "\"uncore:N\""), AT(E, event)},
    {NUMBER("group", "", 0, 65535, "0",
            "events with the same number are on counters together or not at all; 0: it is alone"),
     AT(E, group)},
    {OTHER("pinned", CS_KEY_FLAG, "false", "on a counter before all others, always"),
     AT(E, pinned)},
    {NUMBER("counters", "", 0, 65535, "0", "those that can count it, as bits; 0: all"),
     AT(E, counters)},
    {NUMBER("config1", "", 0, UINT64_MAX, "0", "the tag of what it counts (MATCH)"),
     AT(E, config1)},
    {NUMBER("config2", "", 0, UINT64_MAX, "0", "the bits of the tag that count (MASK); 0: none"),
     AT(E, config2)},
};
#undef E
static const cs_key_shape uncore_event_shape = {
    SHAPE("uncore_event", uncore_event_keys, cs_uncore_event_spec)};

#define P cs_uncore_perf_spec
static const cs_key uncore_perf_keys[] = {
    {NAMES("units", "units by name; neither these nor pmus: all"),
     AT_LIST(P, unit_names, nr_unit_names)},
    {NAMES("pmus",
           "PMUs by address (0x4231: the system call's cpu argument) or by path (with its flag)"),
     AT_LIST(P, pmus, nr_pmus)},
    {TEXT("partition", CS_NAME_BYTES - 1, "=none", "of uncore.partitions: where the command runs"),
     AT(P, partition)},
    {LIST("events", &uncore_event_shape, 1, CS_MAX_UNCORE_EVENTS, NULL, "what is counted on each"),
     AT_LIST(P, events, nr_events)},
    {NUMBER("start_us", "us", 1, MAX_US, "1", "when the command begins"), AT(P, start_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, NULL, "when it ends"), AT(P, stop_us)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "counts are printed at this interval (-I); 0: only at the end"),
     AT(P, interval_us)},
};
#undef P
static const cs_key_shape uncore_perf_shape = {
    SHAPE("uncore_perf", uncore_perf_keys, cs_uncore_perf_spec)};

static const cs_key uncore_driver_keys[] = {
    {CHOICE("list", list_choices, "per_pmu", "what rotates together (docs/drivers/rotation.md)"),
     AT(S, list)},
    {CHOICE("manager", manager_choices, "load", "which CPU manages a unit"), AT(S, choice)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "the CPUs that may manage units"), AT(S, cpus)},
    {NUMBER("look_us", "us", 1, MAX_US, "1000",
            "manager busy and idle: interval at which the load of the CPUs is sampled"),
     AT(S, look_us)},
    {LIST("hotplug", &hotplug_shape, 0, 64, "[]",
          "CPUs that the system takes away: their units move to others"),
     AT_LIST(S, hotplug, nr_hotplug)},
    {NUMBER("teardown_us", "us", 0, MAX_US, "100",
            "time before a CPU loses its power (corepmu.outages) at which the system begins to "
            "take it away"),
     AT(S, teardown_us)},
    {CHOICE("take_out", take_out_choices, "all",
            "events that leave their counters when a list turns"),
     AT(S, take_out_all)},
    {NUMBER("tick_us", "us", 1, 1000000, "4000", "the timer's tick"), AT(S, tick_us)},
    {NUMBER("divider", "ticks", 1, 65535, "1", "rotate events every N ticks"), AT(S, divider)},
    {OTHER("adaptive", CS_KEY_FLAG, "false", "dividers follow the time that rotations take"),
     AT(S, adaptive)},
    {NUMBER("limit_percent", "%", 1, 100, "1", "share of the time that rotations may take"),
     AT(S, limit_percent)},
    {NUMBER("most_divider", "ticks", 1, 65535, "64", "adaptive dividers grow no further"),
     AT(S, most_divider)},
    {NUMBER("handler_cycles", "bus cycles", 1, 1000000, "300",
            "work of a tick or a call on a CPU, beside what it finds to do"),
     AT(S, handler_cycles)},
    {NUMBER("event_cycles", "bus cycles", 0, 1000000, "100",
            "work for an event that comes to a counter, or leaves it"),
     AT(S, event_cycles)},
    {NUMBER("poll_cycles", "bus cycles", 1, CS_STREAM_END, "10000",
            "counters are read against wrapping no more often than this"),
     AT(S, poll_cycles)},
    {CHOICE("wrap", wrap_choices, "timer", "how it is seen that a counter comes round"),
     AT(S, by_interrupt)},
    {LIST("perf", &uncore_perf_shape, 0, 64, "[]", "perf stat commands"),
     AT_LIST(S, perf, nr_perf)},
};
static const cs_key_shape shape = {SHAPE("uncore_driver", uncore_driver_keys, S)};

typedef unsigned long long ull;

static uint32_t allowed(const cs_uncore_event_spec *event, const cs_uncore_unit_spec *unit)
{
    const uint32_t all = (1u << unit->counters) - 1;

    return event->counters != 0 ? event->counters & all : all;
}

/* Gives `event` a counter, and another one to those that are in its way; `tried`: counters that
 * have been looked at. */
static bool place(const uint32_t masks[], int owner[], unsigned event, uint32_t *tried)
{
    for (unsigned c = 0; c < 16; c++) {
        if ((masks[event] & ~*tried & 1u << c) == 0)
            continue;
        *tried |= 1u << c;
        if (owner[c] < 0 || place(masks, owner, (unsigned)owner[c], tried)) {
            owner[c] = (int)event;
            return true;
        }
    }
    return false;
}

/* The group of event `first`, on a unit that is empty. */
static cs_status check_group(cs_check *check, size_t command, size_t first, size_t unit_nr)
{
    const cs_uncore_perf_spec *p = &check->scenario->uncore_driver->perf[command];
    const cs_uncore_unit_spec *unit = &check->scenario->uncore->units[unit_nr];
    const unsigned group = p->events[first].group;
    uint32_t masks[17];
    int owner[16];
    unsigned count = 0;

    memset(owner, -1, sizeof owner);
    for (size_t i = first; i < p->nr_events; i++) {
        uint32_t tried = 0;

        if (i != first && (group == 0 || p->events[i].group != group))
            continue;
        cs_check_at(check, "uncore_driver.perf.%zu.events.%zu", command, i);
        if (p->events[i].pinned != p->events[first].pinned)
            return cs_check_fail(check, "events of group %u are pinned and not pinned", group);
        masks[count] = allowed(&p->events[i], unit);
        if (masks[count] == 0)
            return cs_check_fail(check,
                                 "no counter of %s may count it: it has %u, counters is 0x%x",
                                 unit->name, unit->counters, p->events[i].counters);
        if (!place(masks, owner, count++, &tried))
            return cs_check_fail(check, "group %u has no place on the %u counters of %s", group,
                                 unit->counters, unit->name);
    }
    return CS_OK;
}

static bool begins_group(const cs_uncore_perf_spec *p, size_t event)
{
    for (size_t i = 0; i < event; i++)
        if (p->events[event].group != 0 && p->events[i].group == p->events[event].group)
            return false;
    return true;
}

/* What stands in config1 and config2 is of the unit's registers. */
static cs_status check_raw(cs_check *check, size_t command, size_t event)
{
    const cs_scenario *s = check->scenario;
    const cs_uncore_perf_spec *p = &s->uncore_driver->perf[command];
    cs_uncore_event_spec *e = &p->events[event];

    if (e->config1 == 0 && e->config2 == 0)
        return CS_OK;
    snprintf(e->name, sizeof e->name, "uncore:%u,config1=0x%llx,config2=0x%llx",
             (unsigned)(e->event - CS_EVENT_UNCORE(0)), (ull)e->config1, (ull)e->config2);
    cs_check_at(check, "uncore_driver.perf.%zu.events.%zu.%s", command, event,
                e->config1 != 0 ? "config1" : "config2");
    for (size_t i = 0; i < p->nr_units; i++)
        if (!s->uncore->units[p->unit_list[i]].extended)
            return cs_check_fail(check,
                                 "%s has no such registers (uncore.units.%u.extended): perf cannot "
                                 "open the event there",
                                 s->uncore->units[p->unit_list[i]].name, p->unit_list[i]);
    return CS_OK;
}

static cs_status check_events(cs_check *check, size_t command)
{
    const cs_scenario *s = check->scenario;
    const cs_uncore_perf_spec *p = &s->uncore_driver->perf[command];
    cs_status status = CS_OK;

    for (size_t i = 0; i < p->nr_events; i++) {
        cs_check_at(check, "uncore_driver.perf.%zu.events.%zu.event", command, i);
        if (p->events[i].event / CS_EVENT_SPACE != CS_EVENT_UNCORE(0) / CS_EVENT_SPACE)
            return cs_check_fail(check, "no event of an uncore unit; expected \"uncore:N\"");
        status = check_raw(check, command, i);
        if (status != CS_OK)
            return status;
    }
    for (size_t unit = 0; unit < s->uncore->nr_units; unit++)
        for (size_t i = 0; i < p->nr_events && status == CS_OK; i++)
            if (p->units[unit] && begins_group(p, i))
                status = check_group(check, command, i, unit);
    return status;
}

static cs_status check_perf(cs_check *check, size_t command, uint64_t *events)
{
    const cs_scenario *s = check->scenario;
    const cs_uncore_perf_spec *p = &s->uncore_driver->perf[command];

    cs_check_at(check, "uncore_driver.perf.%zu.stop_us", command);
    if (p->stop_us <= p->start_us)
        return cs_check_fail(check, "%llu is not after start_us %llu", (ull)p->stop_us,
                             (ull)p->start_us);
    cs_status status = cs_uncore_open_check(check, command);
    if (status == CS_OK)
        status = check_events(check, command);
    if (status != CS_OK)
        return status;
    for (size_t unit = 0; unit < s->uncore->nr_units; unit++)
        *events += p->units[unit] ? p->nr_events : 0;
    cs_check_at(check, "uncore_driver.perf.%zu.events", command);
    if (*events > CS_MAX_UNCORE_EVENTS)
        return cs_check_fail(check, "with these there are %llu events on all units; at most %u",
                             (ull)*events, CS_MAX_UNCORE_EVENTS);
    return CS_OK;
}

static cs_status check_dividers(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->uncore->nr_units; i++) {
        if (cs_check_at(check, "uncore.units.%zu.divider", i) == NULL)
            cs_check_at(check, "uncore_driver.divider");
        if (s->uncore_driver->adaptive &&
            s->uncore->units[i].divider > s->uncore_driver->most_divider)
            return cs_check_fail(check, "%u is more than uncore_driver.most_divider %u",
                                 s->uncore->units[i].divider, s->uncore_driver->most_divider);
    }
    return CS_OK;
}

bool cs_uncore_may_manage(const cs_scenario *s, unsigned cpu)
{
    return s->uncore_driver->cpus[cpu] && cs_scenario_can_manage(s, cpu);
}

static bool is_named(const cs_scenario *s, size_t unit)
{
    for (size_t i = 0; i < s->uncore_driver->nr_perf; i++)
        if (s->uncore_driver->perf[i].units[unit])
            return true;
    return false;
}

/* Each unit that is counted on has a CPU that reaches it. */
static cs_status check_reach(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->uncore->nr_units; i++) {
        const unsigned bridge = s->uncore->units[i].bridge;
        bool any = !is_named(s, i);

        for (unsigned cpu = 0; cpu < cs_scenario_cpus(s) && !any; cpu++)
            any = cs_uncore_may_manage(s, cpu) && cs_uncore_reaches(s->uncore, i, cpu);
        cs_check_at(check, "uncore.bridges.%u.reach", bridge);
        if (!any)
            return cs_check_fail(check,
                                 "none of these CPUs may manage %s (uncore_driver.cpus): perf "
                                 "cannot open its events",
                                 s->uncore->units[i].name);
    }
    return CS_OK;
}

static cs_status check_contexts(cs_check *check)
{
    const cs_uncore_driver_spec *d = check->scenario->uncore_driver;

    cs_check_at(check, "uncore_driver.adaptive");
    return d->list == CS_UNCORE_LIST_CONTEXTS && d->adaptive
               ? cs_check_fail(check, "not with list contexts: no kernel has it")
               : CS_OK;
}

/* A line for each unit. */
static cs_status check_wrap(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "uncore_driver.wrap");
    return s->uncore_driver->by_interrupt && s->uncore->nr_units > CS_MAX_UNCORE_LINES
               ? cs_check_fail(check, "found interrupt with %u units; expected at most %u units",
                               (unsigned)s->uncore->nr_units, CS_MAX_UNCORE_LINES)
               : CS_OK;
}

static cs_status check_managers(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "software.kind");
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        if (cs_uncore_may_manage(s, cpu))
            return CS_OK;
    char managers[120] = "";
    size_t n = 0;
    for (size_t i = 0; cs_cpu_classes[i] != NULL; i++)
        if (cs_cpu_classes[i]->manager != NULL)
            n += (size_t)snprintf(managers + n, sizeof managers - n, "%s%s", n > 0 ? " or " : "",
                                  cs_cpu_classes[i]->manager);
    return cs_check_fail(check, "uncore needs %s that is online", managers);
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t events = 0;

    cs_check_at(check, "uncore.units");
    if (s->uncore->nr_units == 0)
        return cs_check_fail(check, "software.kind uncore needs units");
    cs_check_at(check, "uncore_driver.perf");
    if (s->uncore_driver->nr_perf == 0)
        return cs_check_fail(check, "empty; software.kind uncore needs commands");
    cs_status status = check_managers(check);
    if (status == CS_OK)
        status = check_dividers(check);
    if (status == CS_OK)
        status = check_wrap(check);
    for (size_t i = 0; i < s->uncore_driver->nr_perf && status == CS_OK; i++)
        status = check_perf(check, i, &events);
    if (status == CS_OK)
        status = check_reach(check);
    if (status == CS_OK)
        status = cs_uncore_away_check(check);
    return status == CS_OK ? check_contexts(check) : status;
}

/* Something that its tags let through. */
static bool counts_somewhere(const cs_uncore_unit_spec *unit, const cs_uncore_event_spec *e)
{
    if (e->event == CS_EVENT_UNCORE(0)) /* the clock */
        return (e->config1 & e->config2) == 0;
    for (size_t i = 0; i < unit->nr_segments; i++)
        for (size_t k = 0; k < unit->segments[i].nr_streams; k++) {
            const cs_stream_spec *stream = &unit->segments[i].streams[k];

            if (e->event >= stream->first_event && e->event <= stream->last_event &&
                ((stream->tag ^ e->config1) & e->config2) == 0)
                return true;
        }
    return false;
}

/* Of several units some may have none for it. */
static cs_status warn_silent(cs_check *check, size_t command)
{
    const cs_scenario *s = check->scenario;
    const cs_uncore_perf_spec *p = &s->uncore_driver->perf[command];
    size_t silent = 0, first = 0;

    for (size_t i = p->nr_events; i-- > 0;) {
        bool counts = false;

        for (size_t u = 0; u < p->nr_units; u++)
            counts |= counts_somewhere(&s->uncore->units[p->unit_list[u]], &p->events[i]);
        if (!counts) {
            first = i;
            silent++;
        }
    }
    if (silent == 0 || p->nr_units == 0)
        return CS_OK;
    cs_check_at(check, "uncore_driver.perf.%zu.events.%zu", command, first);
    return cs_check_warn(check,
                         "%zu of %zu count nothing, the first is uncore:%u: no unit of the command "
                         "has a stream for it",
                         silent, p->nr_events, p->events[first].event - CS_EVENT_UNCORE(0));
}

/* With one list all units turn at the divider of its first. */
static cs_status warn_dividers(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 1; i < s->uncore->nr_units && s->uncore_driver->list == CS_UNCORE_LIST_GLOBAL;
         i++) {
        if (s->uncore->units[i].divider == s->uncore->units[0].divider)
            continue;
        cs_check_at(check, "uncore.units.%zu.divider", i);
        return cs_check_warn(check,
                             "no effect beside other dividers: with uncore_driver.list global all "
                             "units of a CPU rotate at the divider of its first one");
    }
    return CS_OK;
}

static cs_status warn(cs_check *check)
{
    cs_status status = warn_dividers(check);

    for (size_t i = 0; i < check->scenario->uncore_driver->nr_perf && status == CS_OK; i++)
        status = warn_silent(check, i);
    return status;
}

static const cs_software_rule software = {.kind = CS_SOFTWARE_uncore_driver,
                                          .chooses_cpu = true,
                                          .runs_on = cs_uncore_may_manage,
                                          .needs = {"uncore"}};

static const cs_key keys[] = {
    {MAP("uncore_driver", &shape, "the settings of software.kind uncore")}};
/* The last command's end. */
static uint64_t least_cycles(const cs_scenario *s)
{
    uint64_t last = 0;

    for (size_t i = 0; i < s->uncore_driver->nr_perf; i++)
        if (s->uncore_driver->perf[i].stop_us > last)
            last = s->uncore_driver->perf[i].stop_us;
    return cs_scenario_us(s, last);
}

static unsigned nr_commands(const cs_scenario *s)
{
    return (unsigned)s->uncore_driver->nr_perf;
}

static uint64_t interval_us(const cs_scenario *s, unsigned number)
{
    return s->uncore_driver->perf[number].interval_us;
}

static const cs_section_commands commands = {.count = nr_commands, .interval_us = interval_us};

const cs_section cs_section_uncore_driver = {SECTION("uncore_driver", keys, S),
                                             .check = check,
                                             .warn = warn,
                                             .software = &software,
                                             .least_cycles = least_cycles,
                                             .commands = &commands,
                                             .perf = &cs_uncore_perf_owner};
