#include "scenario/imc/imc_spec.h"
#include "scenario/key_macros.h"

#define S cs_imc_spec

static const cs_key_choice thread_choices[] = {
    {"4", 4, NULL, NULL, "SMT4"},
    {"2", 2, NULL, NULL, "SMT2"},
    {"1", 1, NULL, NULL, "single threaded"},
    {0},
};
static const cs_key_choice variant_choices[] = {
    {"power9", 0, NULL, NULL, "POWER9"},
    {"power10", 1, NULL, NULL, "POWER10"},
    {0},
};

static const cs_key deep_stop_keys[] = {
    {NUMBER("core", "", 0, CS_IMC_MAX_CORES - 1, NULL, "which core"), AT(cs_deep_stop_spec, core)},
    {NUMBER("at_us", "us", 1, MAX_US, NULL, "when its power goes"), AT(cs_deep_stop_spec, at_us)},
    {NUMBER("for_us", "us", 1, MAX_US, NULL, "for how long"), AT(cs_deep_stop_spec, for_us)},
};
static const cs_key_shape deep_stop_shape = {SHAPE("deep_stop", deep_stop_keys, cs_deep_stop_spec)};

static const cs_key imc_keys[] = {
    {NUMBER("cores", "", 0, CS_IMC_MAX_CORES, "0", "IMC cores of the die"), AT(S, cores)},
    {CHOICE("threads", thread_choices, "4",
            "threads of a core; thread v of core c is CPU v + threads * c after those of the PMCU"),
     AT(S, threads)},
    {CHOICE("variant", variant_choices, "power9", "which generation"), AT(S, power10)},
    {NUMBER("tap_log2", "", 2, 18, "18", "log2 of the timebase ticks of the shortest window"),
     AT(S, tap_log2)},
    {NUMBER("timebase_mhz", "MHz", 1, 10000, "512", "of the timebase; not above the bus clock"),
     AT(S, timebase_mhz)},
    {NUMBER("timebase_start", "", 0, UINT64_MAX, "0", "the timebase in cycle 0"),
     AT(S, timebase_start)},
    {LIST("deep_stops", &deep_stop_shape, 0, 256, "[]", "cores that lose their registers"),
     AT_LIST(S, deep_stops, nr_deep_stops)},
};
static const cs_key_shape shape = {SHAPE("imc", imc_keys, S)};

static const cs_key keys[] = {{MAP("imc", &shape, "POWER cores with in-memory collection")}};
const cs_section cs_section_imc = {SECTION("imc", keys, S)};
