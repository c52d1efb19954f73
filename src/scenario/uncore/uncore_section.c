#include "scenario/key_macros.h"
#include "scenario/uncore/uncore_spec.h"

#define S cs_uncore_spec

static const cs_key bridge_keys[] = {
    {NUMBER("access_cycles", "bus cycles", 1, 65535, "10", "a register access of the units there"),
     AT(cs_uncore_bridge_spec, access_cycles)},
    {OTHER("near", CS_KEY_CPUS, "all", "the CPUs that are near to it"),
     AT(cs_uncore_bridge_spec, near)},
    {NUMBER("remote_cycles", "bus cycles", 0, 1000000, "0",
            "what an access takes longer from a CPU that is not"),
     AT(cs_uncore_bridge_spec, remote_cycles)},
};
static const cs_key_shape bridge_shape = {SHAPE("bridge", bridge_keys, cs_uncore_bridge_spec)};

#define U cs_uncore_unit_spec
static const cs_key unit_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called"), AT(U, name), .min = 1,
     .max = CS_NAME_BYTES - 1},
    {NUMBER("bridge", "", 0, CS_UNCORE_BRIDGES - 1, "0", "the bridge behind which it is"),
     AT(U, bridge)},
    {NUMBER("counters", "", 1, 16, "4", "its counters"), AT(U, counters)},
    {NUMBER("width", "bits", 8, 64, "48", "of each of them"), AT(U, width)},
    {NUMBER("id", "", 0, UINT16_MAX, "0", "what its ID register says"), AT(U, id)},
    {TEXT("path", CS_PMU_TEXT_BYTES - 1, "=none", "its place among pmus, as rack0/chip1/memctl0"),
     AT(U, path)},
    {LIST("segments", &cs_segment_shape, 0, 64, "[]",
          "what it does: events \"uncore:N\", in segments that repeat"),
     .without = "mode", AT_LIST(U, segments, nr_segments)},
    {NUMBER("divider", "ticks", 1, 65535, "=uncore_driver.divider",
            "perf rotates its events so seldom"),
     AT(U, divider)},
};
#undef U
static const cs_key_shape unit_shape = {SHAPE("unit", unit_keys, cs_uncore_unit_spec)};

static const cs_key uncore_keys[] = {
    {LIST("bridges", &bridge_shape, 0, CS_UNCORE_BRIDGES, "[]", "distances, by number"),
     AT_LIST(S, bridges, nr_bridges)},
    {LIST("units", &unit_shape, 0, CS_MAX_UNCORE, "[]",
          "counters of units that are no cores (docs/hw/uncore.md)"),
     AT_LIST(S, units, nr_units)},
};
static const cs_key_shape shape = {SHAPE("uncore", uncore_keys, S)};

static const cs_key keys[] = {{MAP("uncore", &shape, "units off the cores")}};
const cs_section cs_section_uncore = {SECTION("uncore", keys, S)};
