// SPDX-License-Identifier: Apache-2.0
/* A scenario in a few lines, as a run prints it at its start. */
#ifndef CS_SCENARIO_TELL_H
#define CS_SCENARIO_TELL_H

#include <stdio.h>

#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is effective: a line for the scenario, and one for each section that has something to say. */
void cs_scenario_tell(const cs_scenario *scenario, FILE *out);

/* A line a warning, with its place. */
void cs_scenario_tell_warnings(const cs_scenario *scenario, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
