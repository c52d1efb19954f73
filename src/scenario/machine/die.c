#include "scenario/machine/die.h"

#include <string.h>

#include "base/map.h"
#include "base/probe.h"

static void add_manager(cs_die *die, const char *unit, uint16_t number)
{
    cs_die_manager *manager = &die->managers[die->nr_managers];
    const cs_die_manager *last = die->nr_managers != 0 ? manager - 1 : NULL;
    const bool more = last != NULL && strcmp(last->unit, unit) == 0;

    *manager = (cs_die_manager){unit, more ? last->index + 1 : 0, number};
    die->nr_managers++;
}

static void add_target(cs_die *die, const char *unit, cs_target_kind kind, unsigned number,
                       uint64_t base, uint64_t size)
{
    cs_die_target *target = &die->targets[die->nr_targets];
    const cs_die_target *last = die->nr_targets != 0 ? target - 1 : NULL;
    const bool more = last != NULL && strcmp(last->unit, unit) == 0;

    *target = (cs_die_target){unit, more ? last->index + 1 : 0, kind, number, base, size};
    die->nr_targets++;
}

/* ---- a unit each, in the order of the fabric ---- */

static void add_common(const cs_scenario *s, cs_die *die)
{
    add_manager(die, "", CS_MANAGER_CPU);
    add_target(die, "", CS_TARGET_MEMORY, 0, s->memory->base, s->memory->size);
}

static void add_pmcu(const cs_scenario *s, cs_die *die)
{
    if (!cs_scenario_has_pmcu(s))
        return;
    for (unsigned i = 0; i < s->pmcu->lanes; i++)
        add_manager(die, "pmcu", (uint16_t)CS_MANAGER_PMCU(i));
    add_target(die, "pmcu", CS_TARGET_PMCU, 0, CS_PMCU_BASE, CS_PMCU_BYTES);
    for (unsigned i = 0; i < s->pmcu->clusters; i++)
        add_target(die, "pmcu", CS_TARGET_CLUSTER, i,
                   CS_CLUSTER_BASE + (uint64_t)i * CS_CLUSTER_BYTES, CS_CLUSTER_BYTES);
    cs_die_shape_add(&die->shape, "pmcu", "NrCluster", s->pmcu->clusters);
    cs_die_shape_add(&die->shape, "pmcu", "NrSlot", s->pmcu->slots);
    cs_die_shape_add(&die->shape, "pmcu", "NrCounter", s->corepmu->counters);
    cs_die_shape_add(&die->shape, "pmcu", "NrLane", s->pmcu->lanes);
}

static void add_imc(const cs_scenario *s, cs_die *die)
{
    if (s->imc->cores == 0)
        return;
    for (unsigned i = 0; i < s->imc->cores; i++)
        add_manager(die, "imc", (uint16_t)CS_MANAGER_IMC(i));
    add_target(die, "imc", CS_TARGET_SPR, 0, CS_SPR_BASE, CS_SPR_BYTES);
    add_target(die, "imc", CS_TARGET_SCOM, 0, CS_SCOM_BASE, CS_SCOM_BYTES);
    cs_die_shape_add(&die->shape, "imc", "NrCore", s->imc->cores);
    cs_die_shape_add(&die->shape, "imc", "NrThread", s->imc->threads);
    die->adds = true;
}

static void add_nest(const cs_scenario *s, cs_die *die)
{
    if (!s->nest->present)
        return;
    add_manager(die, "nest", CS_MANAGER_NEST);
    cs_die_shape_add(&die->shape, "nest", NULL, 0);
    die->adds = true;
}

static void add_hpm(const cs_scenario *s, cs_die *die)
{
    if (s->harts->count == 0)
        return;
    for (unsigned i = 0; i < s->harts->count; i++)
        add_manager(die, "hpm", (uint16_t)CS_MANAGER_HART(i));
    cs_die_shape_add(&die->shape, "hpm", "NrHart", s->harts->count);
    cs_die_shape_add(&die->shape, "hpm", "NrCounter", s->harts->counters);
}

static void add_uncore(const cs_scenario *s, cs_die *die)
{
    unsigned units = 0;

    if (s->uncore->nr_bridges == 0)
        return;
    for (unsigned i = 0; i < s->uncore->nr_bridges; i++)
        add_target(die, "uncore", CS_TARGET_UNCORE, i,
                   CS_UNCORE_BASE + (uint64_t)i * CS_UNCORE_BYTES, CS_UNCORE_BYTES);
    for (unsigned i = 0; i < s->uncore->nr_units; i++)
        if (s->uncore->units[i].slot >= units)
            units = s->uncore->units[i].slot + 1;
    cs_die_shape_add(&die->shape, "uncore", "NrBridge", s->uncore->nr_bridges);
    cs_die_shape_add(&die->shape, "uncore", "NrUnit", units != 0 ? units : 1);
}

void cs_die_of(const cs_scenario *s, cs_die *out)
{
    static void (*const units[])(const cs_scenario *, cs_die *) = {
        add_common, add_pmcu, add_imc, add_nest, add_hpm, add_uncore,
    };

    *out = (cs_die){0};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        units[i](s, out);
}

unsigned cs_die_manager_place(const cs_die *die, uint16_t number)
{
    unsigned place = 0;

    while (die->managers[place].number != number)
        place++;
    return place;
}
