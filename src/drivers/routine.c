// SPDX-License-Identifier: Apache-2.0
#include "drivers/routine.h"

#include <stddef.h>

cs_status cs_routine_create(cs_routine *r, void (*main)(void *ctx), void *ctx, cs_diag *diag)
{
    return cs_fiber_create(main, ctx, &r->fiber, diag);
}

void cs_routine_destroy(cs_routine *r)
{
    cs_fiber_destroy(r->fiber);
}

static void routine_next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    cs_routine *r = ctx;

    r->now = now;
    r->result = last != NULL ? *last : (cs_op_result){0};
    r->op = (cs_op){.kind = CS_OP_END};
    cs_fiber_resume(r->fiber);
    *op = r->op;
}

cs_software cs_routine_software(cs_routine *r)
{
    return (cs_software){.next = routine_next, .ctx = r};
}

const cs_op_result *cs_routine_perform(cs_routine *r, cs_op op)
{
    r->op = op;
    cs_fiber_suspend(r->fiber);
    return &r->result;
}

void cs_routine_delay(cs_routine *r, uint64_t cycles)
{
    if (cycles != 0)
        cs_routine_perform(r, (cs_op){.kind = CS_OP_DELAY, .cycles = cycles});
}

void cs_routine_sleep_until(cs_routine *r, cs_cycle cycle)
{
    if (cycle > r->now)
        cs_routine_perform(r, (cs_op){.kind = CS_OP_SLEEP, .cycles = cycle - r->now});
}

void cs_routine_enter(cs_routine *r, uint16_t core)
{
    cs_routine_perform(r, (cs_op){.kind = CS_OP_ENTER, .core = core});
}

void cs_routine_leave(cs_routine *r, uint16_t core)
{
    cs_routine_perform(r, (cs_op){.kind = CS_OP_LEAVE, .core = core});
}
