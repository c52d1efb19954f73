// SPDX-License-Identifier: Apache-2.0
#include "scenario/key_macros.h"
#include "scenario/scenario.h"

static const cs_key keys[] = {
    {NUMBER("limit_cycles", "bus cycles", 0, CS_STREAM_END, "0",
            "the run ends there; 0: when the software has ended"),
     AT(cs_scenario, limit_cycles)},
};
const cs_section cs_section_limit = {PART("limit", keys)};
