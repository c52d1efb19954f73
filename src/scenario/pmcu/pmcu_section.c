#include "base/bus/map.h"
#include "base/probe/probe.h"
#include "scenario/check.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/key_macros.h"
#include "scenario/machine/die.h"
#include "scenario/pmcu/pmcu_registers.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"
#include <stdio.h>
#include <string.h>

#define S cs_pmcu_spec

static const cs_key pmcu_keys[] = {
    {NUMBER("clusters", "", 0, 16, "=4; 0 on a die with IMC cores or harts and no key pmcu",
            "clusters of the die; 0: no PMCU"),
     AT(S, clusters)},
    {NUMBER("slots", "", 1, 8, "8",
            "CPU slots of a cluster; slot c of cluster k is CPU c + slots * k"),
     AT(S, slots)},
    {NUMBER("lanes", "", 1, 4, "1", "register accesses in flight"), AT(S, lanes)},
    {OTHER("broadcast", CS_KEY_FLAG, "false", "start and stop by one write to each cluster"),
     AT(S, broadcast)},
    {OTHER("prefetch", CS_KEY_FLAG, "false", "fetch the next events while counting"),
     AT(S, prefetch)},
    {NUMBER("tick_cycles", "bus cycles", 1, 65535, "=bus.clock_mhz / 50",
            "length of a tick of WAIT_CNT"),
     AT(S, tick_cycles)},
};
static const cs_key_shape shape = {SHAPE("pmcu", pmcu_keys, S)};

#define DEFAULT_CLUSTERS 4u

/* A die with IMC cores or harts has a PMCU only if the scenario speaks of one; CPU numbers depend
 * on it. */
static void prepare(cs_scenario *s, cs_yaml_node *root)
{
    const bool others = cs_yaml_find(root, "imc.cores", NULL) != NULL ||
                        cs_yaml_find(root, "harts.count", NULL) != NULL;

    s->pmcu->clusters = others && cs_yaml_find(root, "pmcu", NULL) == NULL ? 0 : DEFAULT_CLUSTERS;
}

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "pmcu.tick_cycles") == NULL)
        s->pmcu->tick_cycles = s->bus->clock_mhz / 50;
}

/* ---- the CPUs of its clusters ---- */

static unsigned count(const cs_scenario *s)
{
    return cs_scenario_arm_cpus(s);
}

static size_t cpu_keys(const cs_scenario *s, char *out, size_t size)
{
    return (size_t)snprintf(out, size, "pmcu.clusters %u, pmcu.slots %u", s->pmcu->clusters,
                            s->pmcu->slots);
}

static bool owns_mode(const char *name)
{
    return strncmp(name, "el", 2) == 0;
}

static size_t implicit(const cs_scenario *s, bool idle, cs_implicit_event out[])
{
    const cs_rate clock = {.p = s->corepmu->clock_mhz, .q = s->bus->clock_mhz};

    if (idle && !s->corepmu->wfi_clock)
        return 0;
    out[0] = (cs_implicit_event){CS_ARM_CPU_CYCLES, clock};
    out[1] = (cs_implicit_event){CS_EVENT_ARM_CLOCK, clock};
    return 2;
}

static const cs_cpu_class cpus = {.name = "a CPU of the PMCU",
                                  .count = count,
                                  .keys = cpu_keys,
                                  .work = CS_MODE_EL1,
                                  .idle = CS_MODE_EL1,
                                  .handler = CS_MODE_EL1,
                                  .owns_mode = owns_mode,
                                  .waits = true,
                                  .most_increment = CS_MAX_INCREMENT,
                                  .implicit = implicit};

static bool address(const cs_scenario *s, const char *name, uint64_t *addr, cs_suggest *suggest)
{
    (void)s;
    return cs_pmcu_register_address(name, addr, suggest);
}

static void owner(const cs_scenario *s, char *out, size_t size)
{
    (void)s;
    snprintf(out, size, "the PMCU has");
}

static const cs_register_names registers = {.address = address, .owner = owner, .whole = true};

static void die(const cs_scenario *s, cs_die *die)
{
    if (!cs_scenario_has_pmcu(s))
        return;
    for (unsigned i = 0; i < s->pmcu->lanes; i++)
        cs_die_add_manager(die, "pmcu", (uint16_t)CS_MANAGER_PMCU(i));
    cs_die_add_target(die, (cs_die_target){.unit = "pmcu",
                                           .kind = CS_TARGET_PMCU,
                                           .base = CS_PMCU_BASE,
                                           .size = CS_PMCU_BYTES,
                                           .what = "the registers of the PMCU"});
    for (unsigned i = 0; i < s->pmcu->clusters; i++)
        cs_die_add_target(die,
                          (cs_die_target){.unit = "pmcu",
                                          .kind = CS_TARGET_CLUSTER,
                                          .number = i,
                                          .base = CS_CLUSTER_BASE + (uint64_t)i * CS_CLUSTER_BYTES,
                                          .size = CS_CLUSTER_BYTES,
                                          .what = "the registers of the cores"});
    cs_die_shape_add(&die->shape, "pmcu", "NrCluster", s->pmcu->clusters);
    cs_die_shape_add(&die->shape, "pmcu", "NrSlot", s->pmcu->slots);
    cs_die_shape_add(&die->shape, "pmcu", "NrCounter", s->corepmu->counters);
    cs_die_shape_add(&die->shape, "pmcu", "NrLane", s->pmcu->lanes);
}

static void tell(const cs_scenario *s, char *out, size_t size)
{
    if (cs_scenario_has_pmcu(s))
        snprintf(
            out, size, "%u clusters x %u slots at %u MHz, %u counters (%s), PMCU %u lane%s%s%s%s",
            s->pmcu->clusters, s->pmcu->slots, s->corepmu->clock_mhz, s->corepmu->counters,
            s->corepmu->ext64 ? "ext64" : "ext32", s->pmcu->lanes, s->pmcu->lanes == 1 ? "" : "s",
            s->pmcu->lanes == 1 || s->bus->per_target ? "" : " that take turns (the bus is shared)",
            s->pmcu->broadcast ? ", broadcast" : "", s->pmcu->prefetch ? ", prefetch" : "");
}

static cs_status warn(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "pmcu.lanes");
    if (!cs_scenario_has_pmcu(s) || s->pmcu->lanes <= s->pmcu->clusters)
        return CS_OK;
    return cs_check_warn(check, "%u is more than the %u clusters; the other lanes do nothing",
                         s->pmcu->lanes, s->pmcu->clusters);
}

static const cs_key keys[] = {{MAP("pmcu", &shape, "the die and its PMCU")}};
const cs_section cs_section_pmcu = {
    SECTION("pmcu", keys, S), .prepare = prepare, .compute = compute, .cpus = &cpus,
    .registers = &registers,  .die = die,         .warn = warn,       .tell = tell};
