// SPDX-License-Identifier: Apache-2.0
/* The registers of IMC, and the nest's control block, for `list --registers`. */
#ifndef CS_SCENARIO_IMC_IMC_PLACES_H
#define CS_SCENARIO_IMC_IMC_PLACES_H

#include "scenario/section.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_unit_place cs_imc_places[];
extern const cs_unit_place cs_nest_places[];

#ifdef __cplusplus
}
#endif

#endif
