#include "scenario/key_macros.h"
#include "scenario/scenario.h"

#define S cs_scenario

static const cs_key way_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called; its folder in the run folder"),
     AT(cs_way_spec, name), .min = 1, .max = CS_NAME_BYTES - 1},
    {TEXT("text", CS_WAY_TEXT_BYTES - 1, "=empty", "a line that says more"), AT(cs_way_spec, text)},
    {OTHER("set", CS_KEY_OVERLAY, "{}",
           "keys of the scenario as this way has them: maps grow together, anything else takes the "
           "place of what was there")},
};
static const cs_key_shape way_shape = {SHAPE("way", way_keys, cs_way_spec)};
static const cs_key keys[] = {
    {OTHER("name", CS_KEY_LABEL, "=the file's name", "what the run is called"), AT(S, name),
     .min = 1, .max = CS_NAME_BYTES - 1},
    {NUMBER("seed", "", 0, UINT64_MAX, "1", "of everything random"), AT(S, seed)},
    {LIST("ways", &way_shape, 2, 8, "=none",
          "the same machine and workload in several ways, to be held side by side: `run` runs them "
          "all"),
     AT_LIST(S, ways, nr_ways)},
    {OTHER("way", CS_KEY_LABEL, "=the first; run: all", "the one way that is meant"), AT(S, way),
     .min = 1, .max = CS_NAME_BYTES - 1},
};
const cs_section cs_section_run = {PART("run", keys)};
