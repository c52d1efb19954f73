// SPDX-License-Identifier: Apache-2.0
/* The states: spec, "States", with "End" and "BRK". */
#include <stddef.h>

#include "models/pmcu/pmcu_internal.h"
#include <countersink/base/numbers.h>
#include <countersink/regs/pmcu_regs.h>

/* What a state is made of. A state that starts something is left in the first cycle after
 * its first in which nothing is busy. */
typedef struct state_row {
    void (*start)(cs_pmcu *pmcu);                   /* NULL: the state has a rule of its own */
    void (*request)(cs_pmcu *pmcu, unsigned port);  /* what the port asks for */
    void (*complete)(cs_pmcu *pmcu, unsigned port); /* a transfer of it is complete */
    cs_pmcu_state next;
    uint32_t ends_run; /* error bits with which IDLE comes next instead */
} state_row;

#define WALK cs_pmcu_walk_start, cs_pmcu_walk_request, cs_pmcu_walk_complete
#define STORES CS_PMCU_FSM_STATUS_KILL_MASK | CS_PMCU_FSM_STATUS_STORE_ERR_MASK
#define FETCHES CS_PMCU_FSM_STATUS_FETCH_ERR_MASK
/* clang-format off */
static const state_row rows[CS_PMCU_NR_STATES] = {
    [CS_PMCU_INIT]    = {WALK, CS_PMCU_FETCH, 0},
    [CS_PMCU_FETCH]   = {cs_pmcu_fetch_start, cs_pmcu_fetch_request, cs_pmcu_fetch_complete,
                         CS_PMCU_PROGRAM, FETCHES},
    [CS_PMCU_PROGRAM] = {WALK, CS_PMCU_START, 0},
    [CS_PMCU_START]   = {WALK, CS_PMCU_WAIT, 0},
    [CS_PMCU_WAIT]    = {NULL, cs_pmcu_fetch_request, cs_pmcu_fetch_complete, CS_PMCU_STOP, 0},
    [CS_PMCU_STOP]    = {WALK, CS_PMCU_READ, 0},
    [CS_PMCU_READ]    = {WALK, CS_PMCU_STORE, 0},
    [CS_PMCU_STORE]   = {cs_pmcu_store_start, cs_pmcu_store_request, cs_pmcu_store_complete,
                         CS_PMCU_SWITCH, STORES},
    [CS_PMCU_BREAK]   = {WALK, CS_PMCU_IDLE, 0},
};
/* clang-format on */
#undef WALK
#undef STORES
#undef FETCHES

static void emit(const cs_pmcu *pmcu, uint8_t kind, cs_cycle cycle, uint64_t addr, uint64_t value,
                 uint32_t bytes)
{
    cs_probe_record record = {.cycle = cycle,
                              .kind = kind,
                              .source = (uint16_t)(CS_UNIT_PMCU + pmcu->config.die),
                              .addr = addr,
                              .value = value,
                              .bytes = bytes};

    cs_probe_emit(pmcu->env.probe, &record);
}

/* The state of the next cycle. */
void cs_pmcu_fsm_enter(cs_pmcu *pmcu, cs_pmcu_state state)
{
    if (state == CS_PMCU_IDLE)
        pmcu->int_set |=
            pmcu->state == CS_PMCU_BREAK ? CS_PMCU_INT_STAT_BRK_MASK : CS_PMCU_INT_STAT_DONE_MASK;
    if (state == CS_PMCU_BREAK || pmcu->state == CS_PMCU_BREAK)
        pmcu->brk = false;
    pmcu->state = state;
    pmcu->entered = pmcu->now + 1;
    emit(pmcu, CS_PROBE_STATE, pmcu->entered, 0, state, 0);
}

static void execute_idle(cs_pmcu *pmcu)
{
    if (!pmcu->brk)
        return;
    pmcu->int_set |= CS_PMCU_INT_STAT_BRK_MASK;
    pmcu->brk = false;
}

/* The walks, FETCH and STORE. */
static void execute_busy_state(cs_pmcu *pmcu, bool busy)
{
    const state_row *row = &rows[pmcu->state];

    if (busy)
        return;
    if (cs_pmcu_breaking(pmcu))
        cs_pmcu_fsm_enter(pmcu, CS_PMCU_BREAK);
    else if (pmcu->now == pmcu->entered)
        row->start(pmcu);
    else if (pmcu->regs.errors & row->ends_run)
        cs_pmcu_fsm_enter(pmcu, CS_PMCU_IDLE);
    else
        cs_pmcu_fsm_enter(pmcu, row->next);
}

static bool prefetches(const cs_pmcu *pmcu)
{
    return pmcu->config.prefetch && cs_pmcu_another_group(&pmcu->run);
}

static cs_cycle wait_last_cycle(const cs_pmcu *pmcu)
{
    return pmcu->entered + pmcu->run.wait_cycles - 1;
}

static void execute_wait(cs_pmcu *pmcu, bool busy)
{
    if (busy)
        return;
    if (cs_pmcu_breaking(pmcu))
        cs_pmcu_fsm_enter(pmcu, CS_PMCU_BREAK);
    else if (pmcu->now == pmcu->entered && prefetches(pmcu))
        cs_pmcu_prefetch_start(pmcu);
    else if (pmcu->now >= wait_last_cycle(pmcu))
        cs_pmcu_fsm_enter(pmcu, rows[CS_PMCU_WAIT].next);
}

static void next_group(cs_pmcu_run *run)
{
    if (++run->group < run->nr_groups)
        return;
    run->group = 0;
    run->loop++;
}

static void execute_switch(cs_pmcu *pmcu)
{
    cs_pmcu_run *run = &pmcu->run;

    emit(pmcu, CS_PROBE_SAMPLE, pmcu->now, run->sample_addr, run->sample_number,
         8 * run->sample_words);
    run->sample_number++;
    cs_pmcu_next_subsample(pmcu);
    if (cs_pmcu_breaking(pmcu)) {
        cs_pmcu_fsm_enter(pmcu, CS_PMCU_BREAK);
        return;
    }
    if (!cs_pmcu_another_group(run) || pmcu->regs.errors & CS_PMCU_FSM_STATUS_FETCH_ERR_MASK) {
        cs_pmcu_fsm_enter(pmcu, CS_PMCU_IDLE);
        return;
    }
    next_group(run);
    cs_pmcu_fsm_enter(pmcu, pmcu->config.prefetch ? CS_PMCU_PROGRAM : CS_PMCU_FETCH);
}

void cs_pmcu_fsm_execute(cs_pmcu *pmcu, bool busy)
{
    switch (pmcu->state) {
    case CS_PMCU_IDLE:
        execute_idle(pmcu);
        break;
    case CS_PMCU_WAIT:
        execute_wait(pmcu, busy);
        break;
    case CS_PMCU_SWITCH:
        execute_switch(pmcu);
        break;
    default:
        execute_busy_state(pmcu, busy);
        break;
    }
}

void cs_pmcu_fsm_complete(cs_pmcu *pmcu, unsigned port)
{
    rows[pmcu->state].complete(pmcu, port);
}

void cs_pmcu_fsm_request(cs_pmcu *pmcu, unsigned port)
{
    rows[pmcu->state].request(pmcu, port);
}

cs_cycle cs_pmcu_fsm_next(const cs_pmcu *pmcu)
{
    if (pmcu->out != 0)
        return CS_NEVER;
    switch (pmcu->state) {
    case CS_PMCU_IDLE:
        return pmcu->brk ? pmcu->now : CS_NEVER;
    case CS_PMCU_WAIT:
        if (pmcu->brk || (pmcu->now == pmcu->entered && prefetches(pmcu)))
            return pmcu->now;
        return wait_last_cycle(pmcu) > pmcu->now ? wait_last_cycle(pmcu) : pmcu->now;
    default:
        return pmcu->now;
    }
}
