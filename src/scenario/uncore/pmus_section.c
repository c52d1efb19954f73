#include "formats/address/tree.h"
#include "scenario/key_macros.h"
#include "scenario/uncore/pmus_spec.h"

#define S cs_pmus_spec

static const cs_key level_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called in paths"), AT(cs_pmu_level, name),
     .min = 1, .max = CS_PMU_NAME_BYTES - 1},
    {NUMBER("bits", "bits", 1, 64, NULL, "of its numbers"), AT(cs_pmu_level, bits)},
};
static const cs_key_shape level_shape = {SHAPE("pmu_level", level_keys, cs_pmu_level)};

static const cs_key kind_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what they are called"), AT(cs_pmu_kind, name), .min = 1,
     .max = CS_PMU_NAME_BYTES - 1},
    {NUMBER("count", "", 1, UINT64_MAX, "1", "how many at each place"), AT(cs_pmu_kind, count)},
    {NUMBER("first", "", 0, UINT64_MAX, "=after those before it in the list",
            "the number of the first"),
     AT(cs_pmu_kind, first)},
};
static const cs_key_shape kind_shape = {SHAPE("pmu_kind", kind_keys, cs_pmu_kind)};

#define P cs_pmu_place_spec
static const cs_key place_keys[] = {
    {TEXT("at", CS_PMU_TEXT_BYTES - 1, "/", "places, as rack0-127/blade0-31; /: the system itself"),
     AT(P, at)},
    {LIST("units", &kind_shape, 1, CS_PMU_MAX_KINDS, NULL, "the PMUs of each of them"),
     AT_LIST(P, units, nr_units)},
};
#undef P
static const cs_key_shape place_shape = {SHAPE("pmu_place", place_keys, cs_pmu_place_spec)};

static const cs_key pmus_keys[] = {
    {LIST("levels", &level_shape, 0, CS_PMU_MAX_LEVELS, "[]",
          "the fields of an address from bit 0 on; none: pmu 4, core 4, node 1, chip 3, blade 5, "
          "rack 7 bits"),
     AT_LIST(S, levels, nr_levels)},
    {LIST("tree", &place_shape, 0, CS_MAX_PMU_PLACES, "[]", "what is where, beside uncore.units"),
     AT_LIST(S, places, nr_places)},
};
static const cs_key_shape shape = {SHAPE("pmus", pmus_keys, S)};

static const cs_key keys[] = {
    {MAP("pmus", &shape, "the PMUs of the whole system, by address (docs/uncore_address.md)")}};
const cs_section cs_section_pmus = {SECTION("pmus", keys, S)};
