#include "scenario/key_macros.h"
#include "scenario/nest/nest_spec.h"

#define S cs_nest_spec

static const cs_key nest_keys[] = {
    {OTHER("present", CS_KEY_FLAG, "false", "the die has nest counters and their engine"),
     AT(S, present)},
    {BYTES("base", 0, LAST_PAGE, PAGE, "=end of RAM - 8 MiB + 0x180000",
           "address of the window, 256 KiB"),
     AT(S, base)},
    {NUMBER("tick_cycles", "bus cycles", 16, UINT32_MAX, "=500 us", "a tick of the engine"),
     AT(S, tick_cycles)},
    {LIST("segments", &cs_segment_shape, 0, 64, "[]",
          "what the nest does: events of nest PMUs, in segments that repeat"),
     .without = "mode", AT_LIST(S, segments, nr_segments)},
};
static const cs_key_shape shape = {SHAPE("nest", nest_keys, S)};

static const cs_key keys[] = {{MAP("nest", &shape, "POWER's nest counters")}};
const cs_section cs_section_nest = {SECTION("nest", keys, S)};
