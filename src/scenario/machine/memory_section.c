#include "scenario/key_macros.h"
#include "scenario/machine/memory_spec.h"

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
    {NUMBER("stall_cycles", "bus cycles", 1, 65535, "=", "by how much they are late"),
     AT(cs_fault_spec, stall_cycles)},
};
static const cs_key_shape fault_shape = {SHAPE("fault", fault_keys, cs_fault_spec)};

static const cs_key memory_keys[] = {
    {BYTES("base", 0, LAST_PAGE, PAGE, "0x80000000", "first address of RAM"), AT(S, base)},
    {BYTES("size", PAGE, (uint64_t)1 << 48, PAGE, "1 GiB", "length of RAM"), AT(S, size)},
    {NUMBER("read_cycles", "bus cycles", 0, 1023, "20", "before the first beat of a read"),
     AT(S, read_cycles)},
    {NUMBER("write_cycles", "bus cycles", 0, 1023, "4", "between a write and its response"),
     AT(S, write_cycles)},
    {NUMBER("gap_cycles", "bus cycles", 0, 15, "0", "between two beats"), AT(S, gap_cycles)},
    {LIST("regions", &region_shape, 0, 64, "[]", "address ranges with less than all rights"),
     AT_LIST(S, regions, nr_regions)},
    {LIST("faults", &fault_shape, 0, 64, "[]", "accesses that fail or are late"),
     AT_LIST(S, faults, nr_faults)},
};
static const cs_key_shape shape = {SHAPE("memory", memory_keys, S)};

static const cs_key keys[] = {{MAP("memory", &shape, "RAM, and what goes wrong on the bus")}};
const cs_section cs_section_memory = {SECTION("memory", keys, S)};
