// SPDX-License-Identifier: Apache-2.0
#include "scenario/machine/die.h"
#include <countersink/base/numbers.h>
#include <stdio.h>
#include <string.h>

#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/key_macros.h"
#include "scenario/scenario.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/uncore/uncore_tags.h"
#include "scenario/work/workload_spec.h"

#define S cs_uncore_spec

static const cs_key bridge_keys[] = {
    {NUMBER("access_cycles", "bus cycles", 1, 65535, "10",
            "length of a register access of the units there"),
     AT(cs_uncore_bridge_spec, access_cycles)},
    {OTHER("near", CS_KEY_CPUS, "all", "the CPUs that are near to it"),
     AT(cs_uncore_bridge_spec, near)},
    {OTHER("reach", CS_KEY_CPUS, "all", "the CPUs that can reach its units' registers at all"),
     AT(cs_uncore_bridge_spec, reach)},
    {NUMBER("remote_cycles", "bus cycles", 0, 1000000, "0",
            "how much longer an access takes from any other CPU"),
     AT(cs_uncore_bridge_spec, remote_cycles)},
};
static const cs_key_shape bridge_shape = {SHAPE("bridge", bridge_keys, cs_uncore_bridge_spec)};

#define U cs_uncore_unit_spec
static const cs_key unit_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called"), AT(U, name), .min = 1,
     .max = CS_NAME_BYTES - 1},
    {NUMBER("bridge", "", 0, CS_UNCORE_BRIDGES - 1, "0", "the bridge that it is reached by"),
     AT(U, bridge)},
    {NUMBER("counters", "", 1, 16, "4", "number of its counters"), AT(U, counters)},
    {NUMBER("width", "bits", 8, 64, "48", "width of each counter"), AT(U, width)},
    {NUMBER("id", "", 0, UINT16_MAX, "0", "what its ID register says"), AT(U, id)},
    {OTHER("extended", CS_KEY_FLAG, "false",
           "counters have MATCH and MASK: they choose by tags, too"),
     AT(U, extended)},
    {TEXT("path", CS_PMU_TEXT_BYTES - 1, "=none", "its place among pmus, as rack0/chip1/memctl0"),
     AT(U, path)},
    {LIST("segments", &cs_segment_shape, 0, 64, "[]",
          "what it does: events \"uncore:N\", in segments that repeat"),
     .without = "mode", AT_LIST(U, segments, nr_segments)},
    {NUMBER("divider", "ticks", 1, 65535, "=uncore_driver.divider",
            "rotate its events every N ticks"),
     AT(U, divider)},
};
#undef U
static const cs_key_shape unit_shape = {SHAPE("unit", unit_keys, cs_uncore_unit_spec)};

#define P cs_uncore_partition_spec
static const cs_key partition_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called"), AT(P, name), .min = 1,
     .max = CS_NAME_BYTES - 1},
    {OTHER("cpus", CS_KEY_CPUS, NULL, "its CPUs"), AT(P, cpus)},
    {NAMES("units", "its units, by name"), AT_LIST(P, unit_names, nr_unit_names)},
    {NAMES("pmus", "its PMUs of the tree: places and PMUs, as rack0-3/blade1"),
     AT_LIST(P, pmu_paths, nr_pmu_paths)},
};
#undef P
static const cs_key_shape partition_shape = {
    SHAPE("partition", partition_keys, cs_uncore_partition_spec)};

static const cs_key uncore_keys[] = {
    {LIST("bridges", &bridge_shape, 0, CS_UNCORE_BRIDGES, "[]",
          "bridges to the units, numbered from 0"),
     AT_LIST(S, bridges, nr_bridges)},
    {LIST("units", &unit_shape, 0, CS_MAX_UNCORE, "[]",
          "units and their counters (docs/hw/uncore.md)"),
     AT_LIST(S, units, nr_units)},
    {LIST("partitions", &partition_shape, 0, CS_UNCORE_PARTITIONS, "[]",
          "systems side by side, each with CPUs and PMUs of its own; none: one system has all"),
     AT_LIST(S, partitions, nr_partitions)},
};
static const cs_key_shape shape = {SHAPE("uncore", uncore_keys, S)};

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;
    unsigned used[CS_UNCORE_BRIDGES] = {0};

    for (size_t i = 0; i < s->uncore->nr_units; i++) {
        s->uncore->units[i].slot = used[s->uncore->units[i].bridge]++;
        if (cs_check_at(check, "uncore.units.%zu.divider", i) == NULL)
            s->uncore->units[i].divider = s->uncore_driver->divider;
    }
    cs_uncore_take_tags(check);
}

static cs_status check(cs_check *check)
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

static unsigned count(const cs_scenario *s)
{
    return (unsigned)s->uncore->nr_units;
}

static const cs_segment_spec *segments(const cs_scenario *s, unsigned number, size_t *nr)
{
    *nr = s->uncore->units[number].nr_segments;
    return s->uncore->units[number].segments;
}

static void path(const cs_scenario *s, unsigned number, char *out, size_t size)
{
    (void)s;
    snprintf(out, size, "uncore.units.%u", number);
}

/* Event 0 is the bus clock. */
static size_t implicit(const cs_scenario *s, cs_implicit_event out[])
{
    (void)s;
    out[0] = (cs_implicit_event){CS_EVENT_UNCORE(0), {.p = 1, .q = 1}};
    return 1;
}

static const cs_unit_class units = {
    .timeline = CS_UNCORE_TIMELINE(0),
    .count = count,
    .segments = segments,
    .path = path,
    .first_event = CS_EVENT_UNCORE(0),
    .numbered = true,
    .implicit = implicit,
    .other = "an event of uncore units; those go to uncore.units",
};

static void die(const cs_scenario *s, cs_die *die)
{
    unsigned units = 1;
    bool extended = false;

    if (s->uncore->nr_bridges == 0)
        return;
    for (unsigned i = 0; i < s->uncore->nr_bridges; i++)
        cs_die_add_target(die,
                          (cs_die_target){.unit = "uncore",
                                          .kind = CS_TARGET_UNCORE,
                                          .number = i,
                                          .base = CS_UNCORE_BASE + (uint64_t)i * CS_UNCORE_BYTES,
                                          .size = CS_UNCORE_BYTES,
                                          .what = "the registers of uncore units"});
    for (unsigned i = 0; i < s->uncore->nr_units; i++) {
        extended |= s->uncore->units[i].extended;
        if (s->uncore->units[i].slot >= units)
            units = s->uncore->units[i].slot + 1;
    }
    cs_die_shape_add(&die->shape, "uncore", "NrBridge", (unsigned)s->uncore->nr_bridges);
    cs_die_shape_add(&die->shape, "uncore", "NrUnit", units);
    if (extended)
        cs_die_shape_add(&die->shape, "uncore", "NrTag", 1);
}

static void tell(const cs_scenario *s, char *out, size_t size)
{
    if (s->uncore->nr_units != 0)
        snprintf(out, size, "%zu uncore unit%s behind %zu bridge%s", s->uncore->nr_units,
                 s->uncore->nr_units == 1 ? "" : "s", s->uncore->nr_bridges,
                 s->uncore->nr_bridges == 1 ? "" : "s");
}

/* docs/hw/uncore.md, "Registers"; resets of a unit as it comes (N 4, W 48). */
static const cs_unit_register unit_registers[] = {
    {"ID", 0x000, 1, 0, "ro", 0x3004, "counters, their width, id"},
    {"CTL", 0x008, 1, 0, "rw", 0, "EN, FREEZE, RESET of all counters"},
    {"OVF", 0x010, 1, 0, "rw1c", 0, "one bit a counter: it has overflowed"},
    {"IE", 0x018, 1, 0, "rw", 0, "one bit a counter: its OVF interrupts"},
    {"SELECT", 0x100, 16, 8, "rw", 0, "event of a counter, ON"},
    {"COUNT", 0x200, 16, 8, "rw", 0, "the counter"},
    {"MATCH", 0x300, 16, 8, "rw", 0, "with extended: the tag of what it counts"},
    {"MASK", 0x400, 16, 8, "rw", 0, "with extended: the bits of the tag that count"},
    {0}};

static const cs_unit_page unit = {.unit = "uncore",
                                  .about = "counters of a unit that is no core",
                                  .page = "docs/hw/uncore.md",
                                  .registers = unit_registers};

static const cs_key keys[] = {{MAP("uncore", &shape, "units outside the cores")}};
const cs_section cs_section_uncore = {SECTION("uncore", keys, S),
                                      .compute = compute,
                                      .check = check,
                                      .units = &units,
                                      .die = die,
                                      .tell = tell,
                                      .unit = &unit};
