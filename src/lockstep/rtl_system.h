// SPDX-License-Identifier: Apache-2.0
/* The RTL fabric with the RTL units, verilated: a system (bus/system.h). C API. */
#ifndef CS_LOCKSTEP_RTL_SYSTEM_H
#define CS_LOCKSTEP_RTL_SYSTEM_H

#include "bus/system.h"
#include "lockstep/die/find.h"
#include "lockstep/difference.h"
#include "lockstep/exercise.h"
#include "lockstep/waves/waves.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Errors: as of cs_die_find. options NULL: none. */
cs_status cs_rtl_system_create(cs_environment *environment, const cs_die_options *options,
                               cs_system **out, cs_diag *diag);

/* Adds the parts of its hardware. */
cs_status cs_rtl_system_parts(const cs_system *system, cs_exercise *exercise, cs_diag *diag);

/* The timeline of what the source of a REG or IRQ record counts; NULL: it counts nothing. */
cs_timeline *cs_rtl_system_counts(const cs_system *system, uint16_t source);

/* The name of an event of its, in the words of its unit. */
void cs_rtl_system_event(const cs_system *system, uint16_t source, uint32_t event,
                         char out[CS_DIFFERENCE_NAME]);

/* Before its first cycle: the window of the view's request goes to a file. The view outlives the system.
 * CS_ERR_UNSUPPORTED: the die was made without waves. */
cs_status cs_rtl_system_set_waves(cs_system *system, cs_waves_view *waves, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
