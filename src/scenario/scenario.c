#include "scenario/scenario.h"

#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"

unsigned cs_scenario_cpus(const cs_scenario *s)
{
    return s->nr_cpus;
}

bool cs_scenario_runs(const cs_scenario *s, cs_software_kind kind)
{
    return (s->software->kinds & CS_SOFTWARE_BIT(kind)) != 0;
}

uint64_t cs_scenario_us(const cs_scenario *s, uint64_t us)
{
    return us * s->bus->clock_mhz;
}
