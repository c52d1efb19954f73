// SPDX-License-Identifier: Apache-2.0
/* Accumulation: the state, boundaries, windows and what they post. Spec, "Counters and states" and
 * "Accumulation". */
#include "models/imc/imc_internal.h"

#define SLOTS 128u
#define SLOTS_LOG2 7u
#define SLOT_BYTES 64u
#define FIRST_CPMC_OFFSET 0x18u
#define SPLIT_BYTES 0x2000u

cs_imc_state cs_imc_window_state(const cs_imc_core *core)
{
    const cs_imc_window *window = &core->live.window;

    if (!cs_imc_on(core))
        return CS_IMC_OFF;
    if (cs_imc_frozen(core))
        return CS_IMC_FROZEN;
    if (window->done)
        return CS_IMC_DONE;
    return window->synced ? CS_IMC_RUN : CS_IMC_SYNC;
}

static uint64_t event_mask(const cs_imc_core *core)
{
    return core->live.regs[CS_IMC_REG_EVENT_MASK];
}

/* ---- which window ---- */

static bool one_event(const cs_imc_core *core)
{
    return core->config.power10 && cs_msb0(event_mask(core), CS_IMC_MASK_ONE_EVENT);
}

static void stay_at_event(const cs_imc_core *core, cs_imc_window *window)
{
    const uint64_t mask = event_mask(core);

    window->slot = (unsigned)cs_msb0(mask, CS_IMC_MASK_EVENT_SELECT);
    window->thread = (unsigned)cs_msb0(mask, CS_IMC_MASK_EVENT_VTID) % core->config.threads;
}

static void go_round(const cs_imc_core *core, cs_imc_window *window)
{
    if (++window->thread < core->config.threads)
        return;
    window->thread = 0;
    if (++window->slot < SLOTS)
        return;
    window->slot = 0;
    window->done = cs_msb0(event_mask(core), CS_IMC_MASK_DISABLE_WRAP) != 0;
}

static void next_window(cs_imc_core *core)
{
    cs_imc_window *window = &core->live.window;

    if (one_event(core))
        stay_at_event(core, window);
    else if (window->synced)
        go_round(core, window);
    window->synced = true;
}

/* ---- post ---- */

static unsigned log2_of(unsigned threads)
{
    return threads / 2; /* 1, 2, 4 */
}

static uint64_t core_base(const cs_imc_core *core, unsigned thread)
{
    const uint64_t pdbar = core->live.regs[CS_IMC_REG_PDBAR];
    const unsigned threads = core->config.threads;

    if (core->config.power10)
        return pdbar & cs_msb0_mask(CS_IMC_PDBAR_ADDRESS_P10);
    const bool upper = threads > 1 && thread >= threads / 2;

    return (pdbar & cs_msb0_mask(CS_IMC_PDBAR_ADDRESS_P9)) +
           (upper && cs_msb0(pdbar, CS_IMC_PDBAR_SPLIT) ? SPLIT_BYTES : 0);
}

static uint64_t slot_address(const cs_imc_core *core, uint64_t base)
{
    return cs_imc_address(base + SLOT_BYTES * core->live.window.slot + FIRST_CPMC_OFFSET);
}

static void post(cs_imc_core *core, unsigned thread)
{
    const unsigned shift = core->config.power10 ? SLOTS_LOG2 + log2_of(core->config.threads) : 0;
    const uint64_t ldbar = core->live.regs[CS_IMC_REG_LDBAR + thread];
    const cs_imc_thread *t = &core->live.threads[thread];
    cs_imc_post *p = &core->live.post;

    if (core->waited & CS_IMC_POSTS) {
        core->set[CS_IMC_REG_ERR_RPT] |= cs_msb0_mask(CS_IMC_ERR_RPT_FSM_TIMEOUT);
        return;
    }
    for (unsigned i = 0; i < CS_IMC_CPMCS; i++)
        p->values[i] = (uint64_t)t->cpmc[i] << shift;
    p->core_addr = slot_address(core, core_base(core, thread));
    p->thread_addr = slot_address(core, ldbar & cs_msb0_mask(CS_IMC_LDBAR_ADDRESS));
    core->live.waits |= CS_IMC_CORE_POST;
    if (cs_msb0(ldbar, CS_IMC_LDBAR_ENABLE))
        core->live.waits |= CS_IMC_THREAD_POST;
}

/* ---- time ---- */

static void clear_counters(cs_imc_core *core, unsigned thread)
{
    for (unsigned i = 0; i < CS_IMC_CPMCS; i++)
        core->live.threads[thread].cpmc[i] = 0;
}

static void end_window(cs_imc_core *core)
{
    const unsigned thread = core->live.window.thread;

    if (cs_imc_tracing(core, thread))
        return;
    post(core, thread);
    clear_counters(core, thread);
}

static void boundary(cs_imc_core *core)
{
    cs_imc_count_settle_all(core, core->now + 1);
    if (core->live.window.synced)
        end_window(core);
    next_window(core);
    core->plan |= CS_IMC_PLAN_BOUNDARY;
}

/* Nobody can see it before something else happens: it is done when a cycle is executed. */
static void clear(cs_imc_core *core)
{
    for (unsigned thread = 0; thread < core->config.threads; thread++)
        if (!cs_imc_tracing(core, thread))
            clear_counters(core, thread);
    core->live.window = (cs_imc_window){.boundary = CS_NEVER};
}

void cs_imc_window_execute(cs_imc_core *core)
{
    if (!cs_imc_on(core))
        clear(core);
    else if (core->live.window.boundary == core->now)
        boundary(core);
}

void cs_imc_window_plan(cs_imc_core *core, cs_cycle from)
{
    static const unsigned taps[] = {0, 1, 3, 5, 7, 9, 11, 13};
    const cs_imc_state state = cs_imc_window_state(core);
    const unsigned k = core->config.tap_log2 + taps[cs_msb0(event_mask(core), CS_IMC_MASK_IC_TAP)];

    core->live.window.boundary = CS_NEVER;
    if (state == CS_IMC_SYNC || state == CS_IMC_RUN)
        core->live.window.boundary = cs_imc_timebase_boundary(&core->config.timebase, k, from);
}
