// SPDX-License-Identifier: Apache-2.0
#include "scenario/scenario.h"

#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"

unsigned cs_scenario_cpus(const cs_scenario *s)
{
    return s->nr_cpus;
}

bool cs_scenario_runs(const cs_scenario *s, cs_software_kind kind)
{
#define KIND(name, word, text) 0u |
#define ALWAYS(name) CS_SOFTWARE_BIT(CS_SOFTWARE_##name) |
    const uint32_t always = CS_SOFTWARE_KINDS(KIND, ALWAYS) 0u;

    return ((s->software->kinds | always) & CS_SOFTWARE_BIT(kind)) != 0;
}

uint64_t cs_scenario_us(const cs_scenario *s, uint64_t us)
{
    return us * s->bus->clock_mhz;
}
