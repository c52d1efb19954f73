// SPDX-License-Identifier: Apache-2.0
#include "scenario/machine/ports.h"

#include "scenario/cpus.h"
#include "scenario/machine/software_spec.h"
#include "scenario/section_list.h"

bool cs_scenario_on_software_cpu(const cs_scenario *s, unsigned cpu)
{
    return cpu == s->software->cpu;
}

static bool runs_on(const cs_scenario *s, unsigned cpu)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_software_rule *rule = cs_sections[i].section->software;

        if (rule != NULL && rule->runs_on != NULL && cs_scenario_runs(s, rule->kind) &&
            rule->runs_on(s, cpu))
            return true;
    }
    return false;
}

unsigned cs_scenario_ports(const cs_scenario *s, uint8_t cpus[CS_MAX_CPUS])
{
    const unsigned all = cs_scenario_cpus(s);
    unsigned count = 0;

    for (unsigned cpu = 0; s->software->port_per_cpu && cpu < all && cpu < CS_MAX_CPUS; cpu++)
        if (runs_on(s, cpu))
            cpus[count++] = (uint8_t)cpu;
    if (count == 0)
        cpus[count++] = (uint8_t)s->software->cpu;
    return count;
}
