// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/outages.h"
#include "scenario/cpus.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/die.h"
#include "scenario/machine/script_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_registers.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"
#include <countersink/base/numbers.h>
#include <countersink/base/probe/probe.h>
#include <stdio.h>
#include <string.h>

#define S cs_pmcu_spec

#define DEFAULT_CLUSTERS 4u
#define MOST_CLUSTERS 32u /* of all dies */

static char clusters_fallback[80];

static const cs_key_choice order_choices[] = {
    {"die", 0, NULL, NULL, "all cores stop before any is read"},
    {"core", 1, NULL, NULL, "each core stops before it is read"},
    {"counter", 2, NULL, NULL, "each counter stops before it is read"},
    {"running", 3, NULL, NULL, "counters are read, and set to zero, as they run"},
    {0},
};

static const cs_key pmcu_keys[] = {
    {NUMBER("dies", "", 1, CS_MAX_DIES, "1",
            "dies on the bus, each with a PMCU, its clusters and an interrupt line"),
     AT(S, dies)},
    {NUMBER("sccl", "", 0, 63, "0", "number N of the first die's hisi_pmcu_sccl<N>"), AT(S, sccl)},
    {NUMBER("sccl_step", "", 1, 16, "1", "increment of N from one die to the next"),
     AT(S, sccl_step)},
    {NUMBER("clusters", "", 0, 16, clusters_fallback, "clusters of a die; 0: no PMCU"),
     AT(S, clusters)},
    {NUMBER("slots", "", 1, 8, "8",
            "CPU slots of a cluster; slot c of cluster k is CPU c + slots * k; clusters are "
            "numbered die by die"),
     AT(S, slots)},
    {NUMBER("lanes", "", 1, 4, "1",
            "register accesses of a PMCU in flight; they take turns if bus.arbitration is shared"),
     AT(S, lanes)},
    {OTHER("broadcast", CS_KEY_FLAG, "false", "start and stop by one write to each cluster"),
     AT(S, broadcast)},
    {OTHER("prefetch", CS_KEY_FLAG, "false", "fetch the next events while counting"),
     AT(S, prefetch)},
    {CHOICE("order", order_choices, "die",
            "what stops before it is read: the die, a core, a counter, nothing"),
     AT(S, order)},
    {NUMBER("tick_cycles", "bus cycles", 1, 65535, "=bus.clock_mhz / 50",
            "length of a tick of WAIT_CNT"),
     AT(S, tick_cycles)},
};
static const cs_key_shape shape = {SHAPE("pmcu", pmcu_keys, S)};

/* For scenarios in which the clusters matter, and the PMCU does not. They go where those of pmcu go. */
static const cs_key die_keys[] = {
    {NUMBER("clusters", "", 0, 16, "=pmcu.clusters",
            "clusters of Arm cores of a die; the same as pmcu.clusters"),
     AT(S, clusters)},
    {NUMBER("slots", "", 1, 8, "=pmcu.slots", "CPU slots of a cluster; the same as pmcu.slots"),
     AT(S, slots)},
};
static const cs_key_shape die_shape = {SHAPE("die", die_keys, S)};

static void make_keys(void)
{
    size_t n = (size_t)snprintf(clusters_fallback, sizeof clusters_fallback, "=%u; 0 on a die with",
                                DEFAULT_CLUSTERS);

    for (size_t i = 1; cs_cpu_classes[i] != NULL; i++)
        n += (size_t)snprintf(clusters_fallback + n, sizeof clusters_fallback - n, "%s %s",
                              i > 1 ? " or" : "", cs_cpu_classes[i]->words.cores);
    snprintf(clusters_fallback + n, sizeof clusters_fallback - n, " and neither pmcu nor die");
}

/* A die with other CPUs has a PMCU only if the scenario speaks of one; CPU numbers depend on it. */
static cs_status prepare(cs_scenario *s, cs_yaml *memory, cs_yaml_node *root, cs_diag *diag)
{
    bool others = false;

    (void)memory, (void)diag;
    for (size_t i = 1; cs_cpu_classes[i] != NULL; i++)
        others |= cs_yaml_find(root, cs_cpu_classes[i]->key, NULL) != NULL;
    const bool spoken_of =
        cs_yaml_find(root, "pmcu", NULL) != NULL || cs_yaml_find(root, "die", NULL) != NULL;

    s->pmcu->clusters = others && !spoken_of ? 0 : DEFAULT_CLUSTERS;
    return CS_OK;
}

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "pmcu.tick_cycles") == NULL)
        s->pmcu->tick_cycles = s->bus->clock_mhz / 50;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    if (cs_check_at(check, "pmcu.dies") != NULL && s->pmcu->dies > 1 && !cs_scenario_has_pmcu(s))
        return cs_check_fail(check, "%u dies without a PMCU (pmcu.clusters)", s->pmcu->dies);
    if (cs_scenario_arm_clusters(s) > MOST_CLUSTERS)
        return cs_check_fail(check,
                             "%u dies x %u clusters are more than the %u that fit on the bus",
                             s->pmcu->dies, s->pmcu->clusters, MOST_CLUSTERS);
    if (!cs_scenario_has_pmcu(s) || cs_check_at(check, "pmcu.tick_cycles") != NULL ||
        s->bus->clock_mhz % 50 == 0)
        return CS_OK;
    cs_check_at(check, "bus.clock_mhz");
    return cs_check_fail(check,
                         "%u is not a multiple of 50, so that a tick of 20 ns is no whole number "
                         "of cycles; or give pmcu.tick_cycles",
                         s->bus->clock_mhz);
}

static const cs_key_note notes[] = {
    {"bus.clock_mhz", ", and is a multiple of 50 unless pmcu.tick_cycles is given"},
    {0},
};

static const cs_key_twin twins[] = {
    {"die.clusters", "pmcu.clusters"},
    {"die.slots", "pmcu.slots"},
    {0},
};

/* ---- the CPUs of its clusters ---- */

unsigned cs_scenario_arm_cpus(const cs_scenario *s)
{
    return cs_scenario_arm_clusters(s) * s->pmcu->slots;
}

unsigned cs_scenario_arm_clusters(const cs_scenario *s)
{
    return s->pmcu->dies * s->pmcu->clusters;
}

unsigned cs_scenario_die_cpus(const cs_scenario *s)
{
    return s->pmcu->clusters * s->pmcu->slots;
}

unsigned cs_scenario_die_of(const cs_scenario *s, unsigned cpu)
{
    return cpu / cs_scenario_die_cpus(s);
}

unsigned cs_scenario_sccl(const cs_scenario *s, unsigned die)
{
    return s->pmcu->sccl + die * s->pmcu->sccl_step;
}

bool cs_scenario_is_arm(const cs_scenario *s, unsigned cpu)
{
    return cpu < cs_scenario_arm_cpus(s);
}

bool cs_scenario_has_pmcu(const cs_scenario *s)
{
    return s->pmcu->clusters != 0;
}

static bool script_asks_pmcu(const cs_scenario *s)
{
    for (size_t i = 0; i < s->nr_script; i++) {
        const cs_script_step *step = &s->script[i];

        if ((step->kind == CS_STEP_WRITE || step->kind == CS_STEP_READ) &&
            step->addr >= CS_PMCU_BASE &&
            step->addr - CS_PMCU_BASE < s->pmcu->dies * CS_PMCU_STRIDE)
            return true;
    }
    return false;
}

bool cs_scenario_drives_pmcu(const cs_scenario *s)
{
    return cs_scenario_has_pmcu(s) &&
           (cs_scenario_runs(s, CS_SOFTWARE_pmcu_driver) ||
            (cs_scenario_runs(s, CS_SOFTWARE_script) && script_asks_pmcu(s)));
}

static unsigned together(const cs_scenario *s)
{
    return s->pmcu->slots;
}

static size_t cpu_keys(const cs_scenario *s, char *out, size_t size)
{
    size_t n = 0;

    if (s->pmcu->dies > 1)
        n = (size_t)snprintf(out, size, "pmcu.dies %u, ", s->pmcu->dies);
    return n + (size_t)snprintf(out + n, size - n, "pmcu.clusters %u, pmcu.slots %u",
                                s->pmcu->clusters, s->pmcu->slots);
}

static const cs_key_choice modes[] = {
    {"el0", CS_MODE_EL0, NULL, NULL, "user"},
    {"el1", CS_MODE_EL1, NULL, NULL, "kernel without VHE, or a guest's"},
    {"el2", CS_MODE_EL2, NULL, NULL, "kernel with VHE, or hypervisor"},
    {"el3", CS_MODE_EL3, NULL, NULL, "firmware"},
    {"kernel", CS_MODE_KERNEL, NULL, NULL, "el2 with corepmu.vhe, else el1"},
    {0},
};

static bool has_vhe(const cs_scenario *s)
{
    return s->corepmu->vhe;
}

static cs_privilege kernel_mode(const cs_scenario *s)
{
    return has_vhe(s) ? CS_MODE_EL2 : CS_MODE_EL1;
}

static bool is_kernel(const cs_scenario *s, cs_privilege mode, uint64_t address)
{
    (void)s, (void)address;
    return mode != CS_MODE_EL0;
}

static cs_cpu_state state(const cs_scenario *s, unsigned cpu)
{
    if (s->corepmu->absent[cpu])
        return CS_CPU_ABSENT;
    if (s->corepmu->offline[cpu])
        return CS_CPU_OFFLINE;
    return s->corepmu->locked[cpu] ? CS_CPU_LOCKED : CS_CPU_ONLINE;
}

static size_t implicit(const cs_scenario *s, bool idle, cs_implicit_event out[])
{
    const cs_rate clock = {.p = s->core_clock.mhz, .q = s->bus->clock_mhz};

    if (idle && !s->corepmu->wfi_clock)
        return 0;
    out[0] = (cs_implicit_event){CS_ARM_CPU_CYCLES, clock};
    out[1] = (cs_implicit_event){CS_EVENT_ARM_CLOCK, clock};
    return 2;
}

static const cs_measured_event measured[] = {
    {"INST_RETIRED", CS_MEASURE_INSTRUCTIONS},
    {"LD_RETIRED", CS_MEASURE_LOADS},
    {"ST_RETIRED", CS_MEASURE_STORES},
    {"BR_RETIRED", CS_MEASURE_BRANCHES},
    {"BR_MIS_PRED_RETIRED", CS_MEASURE_MISPREDICTS},
    {"MEM_ACCESS", CS_MEASURE_ACCESSES},
    {"L1D_CACHE", CS_MEASURE_ACCESSES},
    {"L1D_CACHE_REFILL", CS_MEASURE_L1_MISSES},
    {"L2D_CACHE", CS_MEASURE_L1_MISSES},
    {"L2D_CACHE_REFILL", CS_MEASURE_L2_MISSES},
    {"L3D_CACHE", CS_MEASURE_L2_MISSES},
    {"L3D_CACHE_REFILL", CS_MEASURE_L3_MISSES},
    {"LL_CACHE_MISS", CS_MEASURE_L3_MISSES},
    {"DTLB_WALK", CS_MEASURE_DATA_WALKS},
    {"ITLB_WALK", CS_MEASURE_CODE_WALKS},
    {"STALL_FRONTEND", CS_MEASURE_STALLS},
    {"STALL_BACKEND", CS_MEASURE_STALLS},
    {0},
};

const cs_cpu_class cs_arm_class = {.words = {.one = "a CPU of the PMCU",
                                             .cores = "the PMCU's clusters",
                                             .all = "the PMCU",
                                             .mode = "exception level",
                                             .cid1 = "CONTEXTIDR_EL1",
                                             .cid2 = "CONTEXTIDR_EL2",
                                             .implicit = "CPU_CYCLES"},
                                   .key = "pmcu.clusters",
                                   .count = cs_scenario_arm_cpus,
                                   .together = together,
                                   .keys = cpu_keys,
                                   .state = state,
                                   .state_section = "corepmu",
                                   .manager = "an Arm CPU",
                                   .modes = modes,
                                   .work = CS_MODE_EL0,
                                   .idle = CS_MODE_KERNEL,
                                   .handler = CS_MODE_KERNEL,
                                   .kernel_mode = kernel_mode,
                                   .pid_in_cid2 = has_vhe,
                                   .is_kernel = is_kernel,
                                   .waits = true,
                                   .most_increment = CS_MAX_INCREMENT,
                                   .implicit = implicit,
                                   .off = cs_outages_off,
                                   .taken_away = cs_outages_hotplug,
                                   .measured = measured};

static bool address(const cs_scenario *s, const char *name, uint64_t *addr, cs_suggest *suggest)
{
    return cs_pmcu_register_address(s->pmcu->dies, name, addr, suggest);
}

static void owner(const cs_scenario *s, char *out, size_t size)
{
    (void)s;
    snprintf(out, size, "the PMCU has");
}

static const cs_register_names registers = {.address = address,
                                            .owner = owner,
                                            .whole = true,
                                            .forms = "pmcu.REGISTER, pmcu.DIE.REGISTER",
                                            .name = cs_pmcu_register_name,
                                            .pattern = CS_PMCU_REGISTER_PATTERN};

static void die(const cs_scenario *s, cs_die *die)
{
    if (!cs_scenario_has_pmcu(s))
        return;
    for (unsigned i = 0; i < s->pmcu->dies * s->pmcu->lanes; i++) {
        const unsigned number = i / s->pmcu->lanes, lane = i % s->pmcu->lanes;

        cs_die_add_manager_at(die, "pmcu", (uint16_t)CS_MANAGER_PMCU(lane + CS_PMCU_LANES * number),
                              (cs_die_place){"NrLane", number, lane});
    }
    for (unsigned i = 0; i < s->pmcu->dies; i++)
        cs_die_add_target(die, (cs_die_target){.unit = "pmcu",
                                               .kind = CS_TARGET_PMCU,
                                               .number = i,
                                               .base = CS_PMCU_BASE + i * CS_PMCU_STRIDE,
                                               .size = CS_PMCU_BYTES,
                                               .what = "the registers of the PMCU"});
    /* More than there may be are refused later. */
    for (unsigned i = 0; i < cs_scenario_arm_clusters(s) && i < MOST_CLUSTERS; i++)
        cs_die_add_target(die,
                          (cs_die_target){.unit = "pmcu",
                                          .place = {"NrDie", 1, i},
                                          .kind = CS_TARGET_CLUSTER,
                                          .number = i,
                                          .base = CS_CLUSTER_BASE + (uint64_t)i * CS_CLUSTER_BYTES,
                                          .size = CS_CLUSTER_BYTES,
                                          .what = "the registers of the cores"});
    if (s->pmcu->dies > 1)
        cs_die_shape_add(&die->shape, "pmcu", "NrDie", s->pmcu->dies);
    cs_die_shape_add(&die->shape, "pmcu", "NrCluster", cs_scenario_arm_clusters(s));
    cs_die_shape_add(&die->shape, "pmcu", "NrSlot", s->pmcu->slots);
    cs_die_shape_add(&die->shape, "pmcu", "NrCounter", s->corepmu->counters);
    cs_die_shape_add(&die->shape, "pmcu", "NrLane", s->pmcu->lanes);
}

/* ", 3 of 8 CPUs online"; empty where all are. */
static void tell_online(const cs_scenario *s, char *out, size_t size)
{
    const unsigned cpus = cs_scenario_arm_cpus(s);
    unsigned online = 0;

    for (unsigned cpu = 0; cpu < cpus; cpu++)
        online += !s->corepmu->absent[cpu] && !s->corepmu->offline[cpu];
    *out = '\0';
    if (online != cpus)
        snprintf(out, size, ", %u of %u CPUs online", online, cpus);
}

static void tell(const cs_scenario *s, char *out, size_t size)
{
    char online[48];

    tell_online(s, online, sizeof online);
    if (cs_scenario_has_pmcu(s))
        snprintf(
            out, size,
            "%u cluster%s x %u slot%s at %u MHz%s, %u counter%s (%s), PMCU %u lane%s%s%s%s%s%s",
            s->pmcu->clusters, s->pmcu->clusters == 1 ? "" : "s", s->pmcu->slots,
            s->pmcu->slots == 1 ? "" : "s", s->core_clock.mhz, online, s->corepmu->counters,
            s->corepmu->counters == 1 ? "" : "s", s->corepmu->ext64 ? "ext64" : "ext32",
            s->pmcu->lanes, s->pmcu->lanes == 1 ? "" : "s",
            s->pmcu->lanes == 1 || s->bus->per_target ? "" : " that take turns (the bus is shared)",
            s->pmcu->broadcast ? ", broadcast" : "", s->pmcu->prefetch ? ", prefetch" : "",
            s->pmcu->order != 0 ? ", order " : "",
            s->pmcu->order != 0 ? order_choices[s->pmcu->order].name : "");
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

static const cs_unit_page unit = {.unit = "pmcu",
                                  .about = "HiSilicon's performance monitor control unit",
                                  .page = "docs/hw/pmcu.md",
                                  .registers = cs_pmcu_registers,
                                  .places = cs_pmcu_places};

static const cs_key keys[] = {
    {MAP("pmcu", &shape, "the die and its PMCU, or several identical dies")},
    {MAP("die", &die_shape, "clusters of Arm cores by their general names, where no PMCU matters")},
};
const cs_section cs_section_pmcu = {SECTION("pmcu", keys, S),
                                    .prepare = prepare,
                                    .compute = compute,
                                    .cpus = &cs_arm_class,
                                    .make_keys = make_keys,
                                    .check = check,
                                    .warn = warn,
                                    .notes = notes,
                                    .twins = twins,
                                    .registers = &registers,
                                    .die = die,
                                    .tell = tell,
                                    .unit = &unit};
