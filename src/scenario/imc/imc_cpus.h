// SPDX-License-Identifier: Apache-2.0
/* The threads of IMC cores as CPUs. */
#ifndef CS_SCENARIO_IMC_IMC_CPUS_H
#define CS_SCENARIO_IMC_IMC_CPUS_H

#include "scenario/scenario.h"
#include "scenario/section.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_cpu_class cs_imc_class;

unsigned cs_scenario_imc_cpu(const cs_scenario *s, unsigned core, unsigned thread);
/* The chip of a thread of an IMC core. */
unsigned cs_scenario_imc_chip(const cs_scenario *s, unsigned cpu);
bool cs_scenario_is_imc(const cs_scenario *s, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
