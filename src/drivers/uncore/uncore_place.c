#include "drivers/uncore/uncore_place.h"

/* Accesses of a switch: CTL twice, and for each counter COUNT of what leaves, SELECT and COUNT of
 * what comes. */
#define FIXED_ACCESSES 2u
#define COUNTER_ACCESSES 3u

static unsigned events_of(const cs_scenario *s, size_t unit)
{
    size_t events = 0;

    for (size_t i = 0; i < s->uncore_driver->nr_perf; i++)
        if (s->uncore_driver->perf[i].units[unit])
            events += s->uncore_driver->perf[i].nr_events;
    return (unsigned)events;
}

static uint64_t accesses_of(const cs_scenario *s, size_t unit)
{
    const unsigned counters = s->uncore->units[unit].counters;

    return FIXED_ACCESSES + (events_of(s, unit) > counters ? COUNTER_ACCESSES * counters : 0);
}

static uint64_t cost_of(const cs_scenario *s, size_t number, unsigned cpu)
{
    const cs_uncore_unit_spec *unit = &s->uncore->units[number];
    const cs_uncore_bridge_spec *bridge = &s->uncore->bridges[unit->bridge];
    const uint64_t access = s->software->access_cycles + s->bus->forward_cycles +
                            s->bus->return_cycles + bridge->access_cycles +
                            (bridge->near[cpu] ? 0 : bridge->remote_cycles);

    return accesses_of(s, number) * access / unit->divider;
}

/* The first candidate that is near; CS_MAX_CPUS: none. */
static unsigned first_near(const cs_scenario *s, const bool near[])
{
    unsigned cpu = 0;

    while (cpu < cs_scenario_cpus(s) && !(cs_scenario_can_manage(s, cpu) && near[cpu]))
        cpu++;
    return cpu < cs_scenario_cpus(s) ? cpu : CS_MAX_CPUS;
}

static const char *why(const cs_scenario *s, const bool near[], unsigned cpu)
{
    const unsigned first = first_near(s, near);

    if (near[cpu])
        return cpu == first ? "near" : "near, less loaded";
    return first != CS_MAX_CPUS ? "far, less loaded" : "far, none near";
}

static cs_uncore_manager choose(const cs_scenario *s, size_t unit, uint64_t load[])
{
    const bool *near = s->uncore->bridges[s->uncore->units[unit].bridge].near;
    unsigned best = CS_MAX_CPUS;
    uint64_t least = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        if (!cs_scenario_can_manage(s, cpu))
            continue;
        const uint64_t sum = load[cpu] + cost_of(s, unit, cpu);

        if (best == CS_MAX_CPUS || sum < least || (sum == least && near[cpu] && !near[best])) {
            best = cpu;
            least = sum;
        }
    }
    load[best] = least;
    return (cs_uncore_manager){true, best, near[best], why(s, near, best)};
}

void cs_uncore_managers(const cs_scenario *s, cs_uncore_manager out[])
{
    uint64_t load[CS_MAX_CPUS] = {0};

    for (size_t unit = 0; unit < s->uncore->nr_units; unit++) {
        out[unit] = (cs_uncore_manager){0};
        if (cs_scenario_runs(s, CS_SOFTWARE_UNCORE) && events_of(s, unit) != 0)
            out[unit] = choose(s, unit, load);
    }
}
