// SPDX-License-Identifier: Apache-2.0
/* A scenario's harts: their straps, and what they run on which track of their timelines. */
#ifndef CS_DRIVERS_HPM_HART_ENVIRONMENT_H
#define CS_DRIVERS_HPM_HART_ENVIRONMENT_H

#include "drivers/environment.h"
#include <countersink/drivers/hpm/hart.h>

#ifdef __cplusplus
extern "C" {
#endif

cs_hpm_config cs_environment_hpm(const cs_environment *environment, unsigned hart);
/* Its workload has code with interrupts off. */
bool cs_environment_hart_masks(const cs_environment *env, unsigned hart);
cs_hart_config cs_environment_hart(const cs_environment *environment, unsigned hart);
/* From `cycle` on the hart runs the track. */
void cs_environment_hart_run(cs_environment *environment, unsigned hart, cs_cycle cycle,
                             cs_hart_track track);

#ifdef __cplusplus
}
#endif

#endif
