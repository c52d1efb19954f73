#include "scenario/machine/layout.h"

#include "base/map.h"
#include "base/probe.h"

static void add_manager(cs_layout *layout, uint16_t number)
{
    layout->managers[layout->nr_managers++] = number;
}

static void add_target(cs_layout *layout, cs_target_kind kind, unsigned number, uint64_t base,
                       uint64_t size)
{
    layout->targets[layout->nr_targets++] = (cs_layout_target){kind, number, base, size};
}

void cs_layout_of(const cs_scenario *s, cs_layout *out)
{
    const bool pmcu = cs_scenario_has_pmcu(s);

    *out = (cs_layout){.adds = s->imc->cores != 0 || s->nest->present};
    add_manager(out, CS_MANAGER_CPU);
    for (unsigned i = 0; pmcu && i < s->pmcu->lanes; i++)
        add_manager(out, (uint16_t)CS_MANAGER_PMCU(i));
    for (unsigned i = 0; i < s->imc->cores; i++)
        add_manager(out, (uint16_t)CS_MANAGER_IMC(i));
    if (s->nest->present)
        add_manager(out, CS_MANAGER_NEST);
    for (unsigned i = 0; i < s->harts->count; i++)
        add_manager(out, (uint16_t)CS_MANAGER_HART(i));

    add_target(out, CS_TARGET_MEMORY, 0, s->memory->base, s->memory->size);
    if (pmcu)
        add_target(out, CS_TARGET_PMCU, 0, CS_PMCU_BASE, CS_PMCU_BYTES);
    for (unsigned i = 0; i < s->pmcu->clusters; i++)
        add_target(out, CS_TARGET_CLUSTER, i, CS_CLUSTER_BASE + (uint64_t)i * CS_CLUSTER_BYTES,
                   CS_CLUSTER_BYTES);
    if (s->imc->cores != 0) {
        add_target(out, CS_TARGET_SPR, 0, CS_SPR_BASE, CS_SPR_BYTES);
        add_target(out, CS_TARGET_SCOM, 0, CS_SCOM_BASE, CS_SCOM_BYTES);
    }
    for (unsigned i = 0; i < s->uncore->nr_bridges; i++)
        add_target(out, CS_TARGET_UNCORE, i, CS_UNCORE_BASE + (uint64_t)i * CS_UNCORE_BYTES,
                   CS_UNCORE_BYTES);
}

unsigned cs_layout_manager(const cs_layout *layout, uint16_t number)
{
    unsigned index = 0;

    while (layout->managers[index] != number)
        index++;
    return index;
}
