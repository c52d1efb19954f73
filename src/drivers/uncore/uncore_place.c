// SPDX-License-Identifier: Apache-2.0
#include "drivers/uncore/uncore_place.h"
#include "scenario/uncore/uncore_spec.h"

/* Accesses of a switch: CTL twice, and for each counter COUNT of what leaves, SELECT and COUNT of
 * what comes. */
#define FIXED_ACCESSES 2u
#define COUNTER_ACCESSES 3u

static unsigned events_of(const cs_uncore_candidates *c, size_t unit)
{
    size_t events = 0;

    for (size_t i = 0; i < c->spec->nr_perf; i++)
        if (c->spec->perf[i].units[unit])
            events += c->spec->perf[i].nr_events;
    return (unsigned)events;
}

static uint64_t accesses_of(const cs_uncore_candidates *c, size_t unit)
{
    const unsigned counters = c->units->units[unit].counters;

    return FIXED_ACCESSES + (events_of(c, unit) > counters ? COUNTER_ACCESSES * counters : 0);
}

static uint64_t cost_of(const cs_uncore_candidates *c, size_t number, unsigned cpu)
{
    const cs_uncore_unit_spec *unit = &c->units->units[number];
    const cs_uncore_bridge_spec *bridge = &c->units->bridges[unit->bridge];
    const uint64_t access =
        c->access_cycles + bridge->access_cycles + (bridge->near[cpu] ? 0 : bridge->remote_cycles);

    return accesses_of(c, number) * access / unit->divider;
}

static const cs_uncore_bridge_spec *bridge_of(const cs_uncore_spec *units, size_t unit)
{
    return &units->bridges[units->units[unit].bridge];
}

/* The first candidate that is near; CS_MAX_CPUS: none. */
static unsigned first_near(const cs_uncore_candidates *c, size_t unit)
{
    const bool *near = bridge_of(c->units, unit)->near;
    unsigned cpu = 0;

    while (cpu < CS_MAX_CPUS &&
           !(c->may[cpu] && cs_uncore_reaches(c->units, unit, cpu) && near[cpu]))
        cpu++;
    return cpu;
}

static const char *uncore_why(const cs_uncore_candidates *c, size_t unit, unsigned cpu)
{
    const unsigned first = first_near(c, unit);

    if (bridge_of(c->units, unit)->near[cpu])
        return cpu == first ? "near" : "near, less loaded";
    return first != CS_MAX_CPUS ? "far, less loaded" : "far, none near";
}

static cs_uncore_manager uncore_choose(const cs_uncore_candidates *c, size_t unit, uint64_t load[])
{
    const bool *near = bridge_of(c->units, unit)->near;
    const bool alone = c->spec->choice == CS_UNCORE_NEAREST; /* nothing else that they do counts */
    unsigned best = CS_MAX_CPUS;
    uint64_t least = 0;

    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++) {
        if (!c->may[cpu] || !cs_uncore_reaches(c->units, unit, cpu))
            continue;
        const uint64_t sum = (alone ? 0 : load[cpu]) + cost_of(c, unit, cpu);

        if (best == CS_MAX_CPUS || sum < least || (sum == least && near[cpu] && !near[best])) {
            best = cpu;
            least = sum;
        }
    }
    load[best] = least;
    return (cs_uncore_manager){true, best, near[best], uncore_why(c, unit, best)};
}

unsigned cs_uncore_best(const cs_uncore_spec *units, unsigned unit, const bool may[CS_MAX_CPUS])
{
    const cs_uncore_bridge_spec *bridge = bridge_of(units, unit);
    unsigned best = CS_MAX_CPUS;

    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (may[cpu] && cs_uncore_reaches(units, unit, cpu) &&
            (best == CS_MAX_CPUS || (bridge->near[cpu] && !bridge->near[best])))
            best = cpu;
    return best;
}

void cs_uncore_choose(const cs_uncore_candidates *c, cs_uncore_manager out[])
{
    uint64_t load[CS_MAX_CPUS] = {0};

    for (size_t unit = 0; unit < c->units->nr_units; unit++) {
        out[unit] = (cs_uncore_manager){0};
        if (events_of(c, unit) != 0)
            out[unit] = uncore_choose(c, unit, load);
    }
}
