// SPDX-License-Identifier: Apache-2.0
#include "scenario/key_macros.h"
#include "scenario/machine/compare_spec.h"
#include "scenario/section_list.h"

#define S cs_compare_spec

static const cs_key compare_keys[] = {
    {NAMES("idle", "parts of the die that do nothing on purpose, as compare names them: one with "
                   "its number, all of a name, or all"),
     AT_LIST(S, idle, nr_idle)},
};
static const cs_key_shape shape = {SHAPE("compare", compare_keys, S)};

static const cs_key keys[] = {{MAP("compare", &shape, "what a comparison with the RTL looks at")}};
const cs_section cs_section_compare = {SECTION("compare", keys, S)};
