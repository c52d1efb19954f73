// SPDX-License-Identifier: Apache-2.0
/* An operation that cannot end yet leaves the software's stack; cs_arm_core_advance comes back to
 * it when its cycle has come. */
#include "drivers/corepmu/arm_core.h"

#include <stdlib.h>

#include "base/fiber.h"

typedef enum state {
    IDLE,   /* the software has not begun */
    ACCESS, /* with effect in `due`, if the frame leaves the registers */
    MOVE,   /* it comes or goes in the cycle after `due` */
    WAIT,   /* cycles below `due` have been looked at */
    SLEEP,  /* the next operation may begin in the cycle after `due` */
    ENDED
} state;

struct cs_arm_core {
    cs_arm_core_config config;
    cs_arm_core_env env;
    cs_fiber *fiber;
    cs_cycle now;
    cs_cycle to; /* of the advance that goes on */
    state state;
    cs_cycle due;
    cs_cycle until; /* of a wait */
    cs_cycle poked; /* a wait ends in this cycle; CS_NEVER: nobody has */
    bool high;
    uint64_t data;
    cs_arm_core_op op;
};

cs_cycle cs_arm_core_now(const cs_arm_core *core)
{
    return core->now;
}

unsigned cs_arm_core_number(const cs_arm_core *core)
{
    return core->config.number;
}

/* ---- operations ---- */

static uint64_t core_carry_out(cs_arm_core *core, cs_arm_core_op op, unsigned cycles)
{
    core->op = op;
    core->state = ACCESS;
    core->due = core->now + cycles - 1;
    cs_fiber_suspend(core->fiber);
    core->now = core->due + 1;
    return core->data;
}

uint64_t cs_arm_core_read(cs_arm_core *core, uint16_t offset)
{
    return core_carry_out(core, (cs_arm_core_op){.offset = offset}, core->config.read_cycles);
}

void cs_arm_core_write(cs_arm_core *core, uint16_t offset, uint64_t value)
{
    core_carry_out(core, (cs_arm_core_op){.offset = offset, .write = true, .value = value},
                   core->config.write_cycles);
}

void cs_arm_core_work(cs_arm_core *core, uint64_t cycles)
{
    core->now += cycles;
}

/* Who comes or goes must not do so before others have done what they do up to then. */
static void core_move(cs_arm_core *core, void (*how)(void *ctx, cs_cycle cycle))
{
    core->state = MOVE;
    core->due = core->now - 1;
    cs_fiber_suspend(core->fiber);
    how(core->env.ctx, core->now);
}

void cs_arm_core_enter(cs_arm_core *core)
{
    core_move(core, core->env.enter);
}

void cs_arm_core_leave(cs_arm_core *core)
{
    core_move(core, core->env.leave);
}

bool cs_arm_core_wait(cs_arm_core *core, cs_cycle until)
{
    core->state = WAIT;
    core->due = core->now;
    core->until = until > core->now ? until : core->now;
    core->poked = CS_NEVER;
    cs_fiber_suspend(core->fiber);
    core->now = core->due + 1;
    return core->high;
}

void cs_arm_core_sleep(cs_arm_core *core, cs_cycle until)
{
    if (until <= core->now)
        return;
    core->state = SLEEP;
    core->due = until - 1;
    cs_fiber_suspend(core->fiber);
    core->now = core->due + 1;
}

/* ---- the way through time ---- */

/* The cycle in which the wait ends, as far as is known. */
static cs_cycle core_wait_ends(const cs_arm_core *core)
{
    const cs_cycle last = core->poked < core->until ? core->poked : core->until;
    const cs_cycle end = last == CS_NEVER ? CS_NEVER : last + 1;
    const cs_cycle high = core->env.line(core->env.ctx, core->due, end);

    return high < end ? high : last;
}

cs_cycle cs_arm_core_next(const cs_arm_core *core)
{
    if (core->state == ENDED)
        return CS_NEVER;
    return core->state == WAIT ? core_wait_ends(core) : core->due;
}

/* Cycle `due` or a later one below `to` is executed. False: the software cannot go on yet. */
static bool core_is_ready(cs_arm_core *core)
{
    if (core->state == WAIT) {
        const cs_cycle end = core_wait_ends(core);

        if (end >= core->to) {
            core->due = core->to > core->due ? core->to : core->due;
            return false;
        }
        core->due = end;
        core->high = core->env.line(core->env.ctx, end, end + 1) == end;
        return true;
    }
    if (core->state == ENDED || core->due >= core->to)
        return false;
    if (core->state != ACCESS)
        return true;
    while (!core->env.access(core->env.ctx, core->due, &core->op, &core->data))
        if (++core->due >= core->to)
            return false;
    return true;
}

void cs_arm_core_advance(cs_arm_core *core, cs_cycle to)
{
    core->to = to;
    while (core_is_ready(core))
        cs_fiber_resume(core->fiber);
}

const cs_arm_core_op *cs_arm_core_access(const cs_arm_core *core, cs_cycle cycle)
{
    return core->state == ACCESS && core->due == cycle ? &core->op : NULL;
}

void cs_arm_core_poke(cs_arm_core *core, cs_cycle cycle)
{
    const cs_cycle at = cycle + 1 > core->due ? cycle + 1 : core->due;

    if (core->state != WAIT || core->poked <= at)
        return;
    core->poked = at;
    if (core->env.woken != NULL)
        core->env.woken(core->env.ctx);
}

cs_cycle cs_arm_core_end_cycle(const cs_arm_core *core)
{
    return core->state == ENDED ? core->now : CS_NEVER;
}

/* ---- create, destroy ---- */

static void core_run_software(void *ctx)
{
    cs_arm_core *core = ctx;

    core->config.software(core->config.ctx, core);
    core->state = ENDED;
}

cs_status cs_arm_core_create(const cs_arm_core_config *config, const cs_arm_core_env *env,
                             cs_arm_core **out, cs_diag *diag)
{
    cs_arm_core *core = calloc(1, sizeof *core);
    cs_status status;

    *out = NULL;
    if (core == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "core", "no memory for a core's software");
    core->config = *config;
    core->env = *env;
    core->now = 1;
    status = cs_fiber_create(core_run_software, core, &core->fiber, diag);
    if (status != CS_OK) {
        cs_arm_core_destroy(core);
        return status;
    }
    *out = core;
    return CS_OK;
}

void cs_arm_core_destroy(cs_arm_core *core)
{
    if (core == NULL)
        return;
    cs_fiber_destroy(core->fiber);
    free(core);
}
