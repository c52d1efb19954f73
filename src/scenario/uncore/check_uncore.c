/* Uncore units and the bridges in front of them. */
#include <string.h>

#include "scenario/check.h"

void cs_check_compute_uncore(cs_check *check)
{
    cs_scenario *s = check->scenario;
    unsigned used[CS_UNCORE_BRIDGES] = {0};

    for (size_t i = 0; i < s->uncore->nr_units; i++) {
        s->uncore->units[i].slot = used[s->uncore->units[i].bridge]++;
        if (cs_check_at(check, "uncore.units.%zu.divider", i) == NULL)
            s->uncore->units[i].divider = s->uncore_driver->divider;
    }
}

cs_status cs_check_uncore(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->uncore->nr_units; i++) {
        const cs_uncore_unit_spec *unit = &s->uncore->units[i];

        cs_check_at(check, "uncore.units.%zu.bridge", i);
        if (unit->bridge >= s->uncore->nr_bridges)
            return cs_check_fail(check, "there is no bridge %u (uncore.bridges has %zu)",
                                 unit->bridge, s->uncore->nr_bridges);
        if (unit->slot >= CS_UNCORE_SLOTS)
            return cs_check_fail(check, "bridge %u has %u units already", unit->bridge,
                                 CS_UNCORE_SLOTS);
        cs_check_at(check, "uncore.units.%zu.name", i);
        if (strcmp(unit->name, CS_CPU_PMU_NAME) == 0)
            return cs_check_fail(check, "%s is the name of the CPUs' own PMUs", unit->name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(unit->name, s->uncore->units[k].name) == 0)
                return cs_check_fail(check, "%s is the name of uncore.units.%zu, too", unit->name,
                                     k);
    }
    return CS_OK;
}
