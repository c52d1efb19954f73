// SPDX-License-Identifier: Apache-2.0
// The list of what units bring to random scenarios, from their rows.
#include "lockstep/random/random.h"
#include "lockstep/units.hpp"

#define CS_RANDOM_ROW(name) extern const cs_random_unit cs_random_##name;
#define CS_RANDOM_POINTER(name) &cs_random_##name,

extern "C" {
CS_RANDOM_UNITS(CS_RANDOM_ROW)
extern const cs_random_unit *const cs_random_units[];
const cs_random_unit *const cs_random_units[] = {CS_RANDOM_UNITS(CS_RANDOM_POINTER) nullptr};
}
