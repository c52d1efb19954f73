// SPDX-License-Identifier: Apache-2.0
/* Software of a CPU port as straight-line code, to be read beside the driver that it is a model of: it
 * runs on a stack of its own (base/fiber.h), and each of its operations is a call that returns when
 * the operation has ended. It ends when its main function returns. */
#ifndef CS_DRIVERS_ROUTINE_H
#define CS_DRIVERS_ROUTINE_H

#include "base/fiber.h"
#include "drivers/software.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_routine {
    cs_fiber *fiber;
    cs_cycle now; /* in which its next operation starts */
    cs_op op;     /* under way */
    cs_op_result result;
} cs_routine;

/* Errors of cs_fiber_create. It stays where it is. */
cs_status cs_routine_create(cs_routine *routine, void (*main)(void *ctx), void *ctx, cs_diag *diag);
void cs_routine_destroy(cs_routine *routine); /* all zero is allowed */
/* What the CPU port is to run; valid as long as the routine. */
cs_software cs_routine_software(cs_routine *routine);

/* ---- from within main ---- */

/* The result is valid until the next operation. */
const cs_op_result *cs_routine_perform(cs_routine *routine, cs_op op);
void cs_routine_delay(cs_routine *routine, uint64_t cycles); /* 0: no time */
void cs_routine_sleep_until(cs_routine *routine, cs_cycle cycle);
void cs_routine_enter(cs_routine *routine, uint16_t core); /* as cs_op.core */
void cs_routine_leave(cs_routine *routine, uint16_t core);

#ifdef __cplusplus
}
#endif

#endif
