// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "scenario/check.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/outages.h"
#include "scenario/cpus.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/scenario.h"
#include <countersink/base/stream/events.h>
#include <countersink/regs/corepmu_regs.h>

#define S cs_corepmu_spec

#define CLOCK_MHZ 2600u
#define CLOCK_NAME "CLOCK" /* of a core, which its cycle counter counts */

static const cs_key_choice map_choices[] = {
    {"ext32", 0, NULL, NULL, "32-bit external register map"},
    {"ext64", 1, NULL, NULL, "64-bit external register map"},
    {0},
};
static const cs_key_choice wfi_choices[] = {
    {"stands", 0, NULL, NULL, "neither the cycle counter nor CPU_CYCLES counts"},
    {"runs", 1, NULL, NULL, "both count on"},
    {0},
};
static const cs_key_choice outage_choices[] = {
    {"hotplug", CS_OUTAGE_HOTPLUG, NULL, NULL, "the system takes the CPU away, power and all"},
    {"power_down", CS_OUTAGE_POWER_DOWN, NULL, NULL, "deep idle: the core loses its power"},
    {"clock_stop", CS_OUTAGE_CLOCK_STOP, NULL, NULL, "WFI with the clock stopped"},
    {0},
};
static const cs_key outage_keys[] = {
    {NUMBER("cpu", "", 0, CS_MAX_CPUS - 1, NULL, "which CPU"), AT(cs_outage_spec, cpu)},
    {NUMBER("at_us", "us", 1, MAX_US, NULL, "when it begins"), AT(cs_outage_spec, at_us)},
    {NUMBER("for_us", "us", 1, MAX_US, NULL, "for how long"), AT(cs_outage_spec, for_us)},
    {CHOICE("kind", outage_choices, "hotplug", "what happens"), AT(cs_outage_spec, kind)},
    {NUMBER("unlock_us", "us", 0, MAX_US, "10", "from power to a clear OS lock"),
     AT(cs_outage_spec, unlock_us)},
};
static const cs_key_shape outage_shape = {SHAPE("outage", outage_keys, cs_outage_spec)};
static const cs_key core_keys[] = {
    {NUMBER("clock_mhz", "MHz", 1, 10000, "=2600; with a guest: 1000", "the clock of the cores"),
     AT(S, clock_mhz)},
    {NUMBER("counters", "", 1, 31, "8", "event counters of a core"), AT(S, counters)},
    {CHOICE("map", map_choices, "ext32", "layout of a core PMU's registers"), AT(S, ext64)},
    {NUMBER("hpmn", "", 0, 31, "=corepmu.counters", "counters in the first range (MDCR_EL2.HPMN)"),
     AT(S, hpmn)},
    {OTHER("hpme", CS_KEY_FLAG, "false", "the second range counts (MDCR_EL2.HPME)"), AT(S, hpme)},
    {OTHER("hpmd", CS_KEY_FLAG, "false", "the first range does not count at EL2 (MDCR_EL2.HPMD)"),
     AT(S, hpmd)},
    {OTHER("spme", CS_KEY_FLAG, "false", "events count at EL3 (MDCR_EL3.SPME)"), AT(S, spme)},
    {OTHER("vhe", CS_KEY_FLAG, "true",
           "the kernel runs at EL2, and keeps the process (pid) in CONTEXTIDR_EL2; else at EL1, in "
           "CONTEXTIDR_EL1"),
     AT(S, vhe)},
    {NUMBER("bus_ratio", "bus cycles", 1, 16, "1",
            "bus cycles per cycle of the debug bus, which leads to a cluster's core PMUs"),
     AT(S, bus_ratio)},
    {NUMBER("bus_access_cycles", "debug bus cycles", 1, 255, "=bus.register_access_cycles",
            "length of a register access on that bus"),
     AT(S, bus_access_cycles)},
    {NUMBER("bus_posted", "", 0, 8, "0",
            "writes that a cluster's bridge keeps while their managers continue; 0: none"),
     AT(S, bus_posted)},
    {CHOICE("wfi_clock", wfi_choices, "stands", "the clock of a core in WFI"), AT(S, wfi_clock)},
    {OTHER("offline", CS_KEY_CPUS, "[]", "cores without power"), AT(S, offline)},
    {OTHER("absent", CS_KEY_CPUS, "[]", "slots without a core"), AT(S, absent)},
    {OTHER("locked", CS_KEY_CPUS, "[]", "cores with the OS lock set"), AT(S, locked)},
    {LIST("outages", &outage_shape, 0, 1024, "[]", "CPUs that go off and come back"),
     AT_LIST(S, outages, nr_outages)},
};
static const cs_key_shape shape = {SHAPE("corepmu", core_keys, S)};

/* What cores of all kinds have. It goes where the key of corepmu goes. */
static const cs_key cores_keys[] = {
    {NUMBER("clock_mhz", "MHz", 1, 10000, "=corepmu.clock_mhz",
            "the clock of the cores, whatever they are; the same as corepmu.clock_mhz"),
     AT(S, clock_mhz)},
};
static const cs_key_shape cores_shape = {SHAPE("cores", cores_keys, S)};

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "corepmu.clock_mhz") == NULL &&
        cs_check_at(check, "cores.clock_mhz") == NULL)
        s->corepmu->clock_mhz = s->guest->kind != CS_GUEST_NONE ? CS_GUEST_CLOCK_MHZ : CLOCK_MHZ;
    if (cs_check_at(check, "corepmu.hpmn") == NULL)
        s->corepmu->hpmn = s->corepmu->counters;
    if (cs_check_at(check, "corepmu.bus_access_cycles") == NULL)
        s->corepmu->bus_access_cycles = s->bus->register_access_cycles;
    s->core_clock.mhz = s->corepmu->clock_mhz;
    s->core_clock.key =
        cs_check_at(check, "cores.clock_mhz") != NULL ? "cores.clock_mhz" : "corepmu.clock_mhz";
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    const unsigned most = cs_scenario_most_increment(s);

    cs_check_at(check, "%s", s->core_clock.key);
    if (s->corepmu->clock_mhz > most * s->bus->clock_mhz)
        return cs_check_fail(check,
                             "%u is more than %u core cycles in a bus cycle of "
                             "bus.clock_mhz %u",
                             s->corepmu->clock_mhz, most, s->bus->clock_mhz);

    cs_check_at(check, "corepmu.hpmn");
    if (s->corepmu->hpmn > s->corepmu->counters)
        return cs_check_fail(check,
                             "%u is more than the %u counters of each core (corepmu.counters)",
                             s->corepmu->hpmn, s->corepmu->counters);
    return cs_outages_check(check);
}

static const cs_key_twin twins[] = {{"cores.clock_mhz", "corepmu.clock_mhz"}, {0}};

static bool event(const cs_scenario *s, const char *name, uint32_t *number, char why[])
{
    (void)s, (void)why;
    if (strcmp(name, CLOCK_NAME) != 0)
        return cs_arm_event_number(name, number);
    *number = CS_EVENT_ARM_CLOCK;
    return true;
}

static const char *name_at(size_t nr, uint32_t *number)
{
    const cs_arm_event *named = cs_arm_event_at(nr);

    if (nr == cs_arm_event_count()) {
        *number = CS_EVENT_ARM_CLOCK;
        return CLOCK_NAME;
    }
    *number = named != NULL ? named->number : 0;
    return named != NULL ? named->name : NULL;
}

static const cs_event_names names = {.prefix = "", .at = name_at};

static const cs_unit_register unit_registers[] = {CS_COREPMU_REGISTERS(CS_UNIT_REGISTER){0}};

static const char *variant(const cs_scenario *s)
{
    return s->corepmu->ext64 ? "ext64" : "ext32";
}

static const cs_unit_page unit = {.unit = "corepmu",
                                  .about = "Arm core PMU, external frame (ext32, ext64)",
                                  .page = "docs/hw/corepmu.md",
                                  .registers = unit_registers,
                                  .variant = variant};

/* Nothing where the debug bus is as the register bridges are, and no CPU goes off. */
static void tell(const cs_scenario *s, char *out, size_t size)
{
    const cs_corepmu_spec *c = s->corepmu;
    size_t n = 0;

    if (!cs_scenario_has_pmcu(s))
        return;
    if (c->bus_ratio != 1 || c->bus_posted != 0)
        n = (size_t)snprintf(out, size,
                             "core PMUs on a debug bus at 1/%u of the clock, %u cycle%s an access, "
                             "%u posted write%s",
                             c->bus_ratio, c->bus_access_cycles,
                             c->bus_access_cycles == 1 ? "" : "s", c->bus_posted,
                             c->bus_posted == 1 ? "" : "s");
    if (c->nr_outages != 0)
        snprintf(out + n, size - n, "%s%zu time%s a CPU goes off", n != 0 ? "; " : "",
                 c->nr_outages, c->nr_outages == 1 ? "" : "s");
}

static const cs_key keys[] = {
    {MAP("corepmu", &shape, "the cores' PMUs")},
    {MAP("cores", &cores_shape, "cores of all kinds")},
};
const cs_section cs_section_corepmu = {SECTION("corepmu", keys, S),
                                       .was = "core",
                                       .twins = twins,
                                       .compute = compute,
                                       .check = check,
                                       .event = event,
                                       .unit = &unit,
                                       .tell = tell,
                                       .names = &names};
