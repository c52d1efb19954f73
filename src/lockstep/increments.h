// SPDX-License-Identifier: Apache-2.0
/* What units counted in the cycles of a difference: what the pins of their counters were given. */
#ifndef CS_LOCKSTEP_INCREMENTS_H
#define CS_LOCKSTEP_INCREMENTS_H

#include "bus/system.h"
#include "lockstep/difference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of each read and each edge of an interrupt that is not the same on both sides, where its source counts
 * events. `rtl`: the system of the RTL. */
void cs_increments_tell(cs_difference *d, const cs_system *rtl);

#ifdef __cplusplus
}
#endif

#endif
