// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/key_macros.h"
#include "scenario/machine/die.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/machine/ports.h"
#include <countersink/base/numbers.h>
#include <countersink/base/probe/probe.h>

#define S cs_memory_spec

static const cs_key_choice rights_choices[] = {
    {"rw", 3, NULL, NULL, "read and write"},
    {"ro", 1, NULL, NULL, "read only"},
    {"wo", 2, NULL, NULL, "write only"},
    {"none", 0, NULL, NULL, "neither"},
    {0},
};
static const cs_key_choice access_choices[] = {
    {"any", 3, NULL, NULL, "reads and writes"},
    {"read", 1, NULL, NULL, "reads"},
    {"write", 2, NULL, NULL, "writes"},
    {0},
};
static const cs_key_choice action_choices[] = {
    {"error", 1, NULL, NULL, "the response is SLVERR"},
    {"stall", 0, "stall_cycles", NULL, "the response is late"},
    {0},
};
static const cs_key region_keys[] = {
    {BYTES("base", 0, UINT64_MAX, 1, NULL, "first address"), AT(cs_region_spec, base)},
    {BYTES("size", 1, UINT64_MAX, 1, NULL, "length"), AT(cs_region_spec, size)},
    {CHOICE("rights", rights_choices, NULL, "what is allowed there"),
     AT_FLAGS(cs_region_spec, readable)},
};
static const cs_key_shape region_shape = {SHAPE("region", region_keys, cs_region_spec)};

static const cs_key fault_keys[] = {
    {BYTES("base", 0, UINT64_MAX, 1, NULL, "first address"), AT(cs_fault_spec, base)},
    {BYTES("size", 1, UINT64_MAX, 1, NULL, "length"), AT(cs_fault_spec, size)},
    {CHOICE("access", access_choices, "any", "which accesses count"),
     AT_FLAGS(cs_fault_spec, on_read)},
    {NUMBER("nth", "", 1, UINT64_MAX, "1", "the first access that is hit, from 1"),
     AT(cs_fault_spec, nth)},
    {NUMBER("count", "", 0, UINT64_MAX, "1", "how many are hit; 0: all that follow"),
     AT(cs_fault_spec, count)},
    {CHOICE("action", action_choices, "error", "what happens to them"), AT(cs_fault_spec, error)},
    {NUMBER("stall_cycles", "bus cycles", 1, 65535, "=", "how late the response is"),
     AT(cs_fault_spec, stall_cycles)},
};
static const cs_key_shape fault_shape = {SHAPE("fault", fault_keys, cs_fault_spec)};

static const cs_key memory_keys[] = {
    {BYTES("base", 0, LAST_PAGE, PAGE, "0x80000000", "first address of RAM"), AT(S, base)},
    {BYTES("size", PAGE, (uint64_t)1 << 48, PAGE, "1 GiB", "length of RAM"), AT(S, size)},
    {NUMBER("read_cycles", "bus cycles", 0, 1023, "20", "delay before the first beat of a read"),
     AT(S, read_cycles)},
    {NUMBER("write_cycles", "bus cycles", 0, 1023, "4", "delay between a write and its response"),
     AT(S, write_cycles)},
    {NUMBER("gap_cycles", "bus cycles", 0, 15, "0", "delay between two beats"), AT(S, gap_cycles)},
    {LIST("regions", &region_shape, 0, 64, "[]", "address ranges with restricted rights"),
     AT_LIST(S, regions, nr_regions)},
    {LIST("faults", &fault_shape, 0, 64, "[]", "accesses that fail or are late"),
     AT_LIST(S, faults, nr_faults)},
};
static const cs_key_shape shape = {SHAPE("memory", memory_keys, S)};

#define MAX_STALL_CYCLES 65535u /* docs/hw/bus.md, "Guard" */

static bool ends_beyond(uint64_t base, uint64_t size)
{
    return size - 1 > UINT64_MAX - base;
}

static cs_status check_windows(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "memory.size");
    if (ends_beyond(s->memory->base, s->memory->size))
        return cs_check_fail(check, "0x%llx from memory.base 0x%llx ends beyond 2^64",
                             (unsigned long long)s->memory->size,
                             (unsigned long long)s->memory->base);
    cs_check_at(check, "memory.base");
    cs_die die;
    cs_die_of(s, &die);
    for (unsigned i = 0; i < die.nr_targets; i++) {
        const cs_die_target *target = &die.targets[i];

        if (target->kind != CS_TARGET_MEMORY &&
            cs_check_overlap(s->memory->base, s->memory->size, target->base, target->size))
            return cs_check_fail(check, "RAM 0x%llx..0x%llx overlaps %s, 0x%llx..0x%llx",
                                 (unsigned long long)s->memory->base,
                                 (unsigned long long)(s->memory->base + (s->memory->size - 1)),
                                 target->what, (unsigned long long)target->base,
                                 (unsigned long long)(target->base + target->size - 1));
    }
    return CS_OK;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t stalls = 0;
    cs_status status = check_windows(check);

    if (status != CS_OK)
        return status;
    for (size_t i = 0; i < s->memory->nr_regions; i++) {
        cs_check_at(check, "memory.regions.%zu.size", i);
        if (ends_beyond(s->memory->regions[i].base, s->memory->regions[i].size))
            return cs_check_fail(check, "the region ends beyond 2^64");
    }
    for (size_t i = 0; i < s->memory->nr_faults; i++) {
        const cs_fault_spec *fault = &s->memory->faults[i];

        cs_check_at(check, "memory.faults.%zu.size", i);
        if (ends_beyond(fault->base, fault->size))
            return cs_check_fail(check, "the range ends beyond 2^64");
        stalls += fault->stall_cycles;
        cs_check_at(check, "memory.faults.%zu.stall_cycles", i);
        if (stalls > MAX_STALL_CYCLES)
            return cs_check_fail(check,
                                 "the stalls up to here add up to %llu cycles; one access "
                                 "can be late by at most %u",
                                 (unsigned long long)stalls, MAX_STALL_CYCLES);
    }
    return CS_OK;
}

/* Memory is the first target, and the CPU ports are the first managers. All but the first of those
 * are a unit of the RTL. */
static void die(const cs_scenario *s, cs_die *die)
{
    uint8_t cpus[CS_MAX_CPUS];
    const unsigned ports = cs_scenario_ports(s, cpus);

    cs_die_add_manager(die, "", CS_MANAGER_CPU);
    for (unsigned i = 1; i < ports && i < CS_MAX_CPU_PORTS; i++)
        cs_die_add_manager(die, "ports", (uint16_t)CS_MANAGER_CPU_PORT(i));
    if (ports > 1)
        cs_die_shape_add(&die->shape, "ports", "NrPort", ports - 1);
    cs_die_add_target(die, (cs_die_target){.unit = "",
                                           .kind = CS_TARGET_MEMORY,
                                           .base = s->memory->base,
                                           .size = s->memory->size,
                                           .what = "RAM"});
}

static const cs_key keys[] = {{MAP("memory", &shape, "RAM, and what goes wrong on the bus")}};
const cs_section cs_section_memory = {SECTION("memory", keys, S), .check = check, .die = die};
