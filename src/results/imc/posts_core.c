// SPDX-License-Identifier: Apache-2.0
/* Windows of an IMC core: docs/hw/imc.md, "Accumulation", "Post", "Writer". */
#include "base/bus/msb0.h"
#include "formats/imc/abi/fields.h"
#include "results/imc/filter.h"
#include "results/imc/posts_impl.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_spec.h"
#include <countersink/base/bus/bus_port.h>

#define SLOTS 128u
#define SLOT_BYTES 64u
#define FIRST_CPMC 0x18u
#define PAGES_MASK 0x1fffu /* a core's memory is 8 KiB */

enum { OFF = 0, RUN = 2 };
/* EVENT_MASK */
enum { IC_TAP = 30, ONE_EVENT = 38, EVENT_VTID = 39, EVENT_SELECT = 41 };
static bool traces(const cs_posts_core *core, unsigned thread)
{
    return cs_msb0(core->ldbar[thread], CS_LDBAR_TRACE) != 0;
}

static void clear_counts(cs_posts_core *core)
{
    for (unsigned i = 0; i < CS_POSTS_CPMCS; i++)
        core->counts[i] = 0;
}

/* Brings the window's counters up to the cycles below `to`. */
static void settle(cs_posts *p, cs_posts_core *core, cs_cycle to)
{
    const cs_scenario *s = p->scenario;
    const unsigned numbers[CS_POSTS_CPMCS] = {core->slot, SLOTS + core->slot, 2 * SLOTS,
                                              2 * SLOTS + 1};
    cs_timeline *timeline = p->timelines[cs_scenario_imc_cpu(s, core->number, core->thread)];

    if (core->state == RUN && !traces(core, core->thread) && to > core->since)
        for (unsigned i = 0; i < CS_POSTS_CPMCS; i++)
            core->counts[i] += (uint32_t)cs_timeline_sum(
                timeline, CS_EVENT_IMC(s->imc->event_of[numbers[i]]),
                cs_imc_filter_modes(core->mask, core->slot), core->since, to);
    core->since = to;
}

static bool one_event(const cs_posts *p, const cs_posts_core *core)
{
    return p->scenario->imc->power10 && cs_msb0(core->mask, ONE_EVENT, ONE_EVENT) != 0;
}

static void next_window(const cs_posts *p, cs_posts_core *core)
{
    const unsigned threads = p->scenario->imc->threads;

    if (one_event(p, core)) {
        core->slot = (unsigned)cs_msb0(core->mask, EVENT_SELECT, EVENT_SELECT + 4);
        core->thread = (unsigned)cs_msb0(core->mask, EVENT_VTID, EVENT_VTID + 1) % threads;
    } else if (core->synced && ++core->thread == threads) {
        core->thread = 0;
        core->slot = (core->slot + 1) % SLOTS; /* where the round ends, the state says so */
    }
    core->synced = true;
}

/* The window ends with cycle e. A post that finds the buffer full is lost. */
static void end_window(cs_posts *p, cs_posts_core *core, cs_cycle e)
{
    static const unsigned log2_of[] = {0, 0, 1, 1, 2};
    const unsigned shift = p->scenario->imc->power10 ? 7 + log2_of[p->scenario->imc->threads] : 0;

    settle(p, core, e + 1);
    if (!traces(core, core->thread)) {
        p->windows.ended++;
        if (core->core_post || core->thread_post) {
            p->windows.lost++;
        } else {
            for (unsigned i = 0; i < CS_POSTS_CPMCS; i++)
                core->values[i] = (uint64_t)core->counts[i] << shift;
            core->values_slot = core->slot;
            core->core_post = true;
            core->thread_post = cs_msb0(core->ldbar[core->thread], CS_LDBAR_ENABLE) != 0;
        }
        clear_counts(core);
    }
    next_window(p, core);
}

/* All boundaries below `to`. */
static void advance(cs_posts *p, cs_posts_core *core, cs_cycle to)
{
    static const unsigned taps[] = {0, 1, 3, 5, 7, 9, 11, 13};
    const unsigned k = p->scenario->imc->tap_log2 + taps[cs_msb0(core->mask, IC_TAP, IC_TAP + 2)];

    while (core->state == RUN) {
        const cs_cycle e = cs_imc_timebase_boundary(&p->timebase, k, core->now);

        if (e >= to)
            break;
        end_window(p, core, e);
        core->now = e + 1;
    }
    core->now = to;
}

/* ---- what changes ---- */

/* The core's post goes before the thread's. */
static void taken(cs_posts *p, cs_posts_core *core, const cs_posts_item *item)
{
    const uint64_t base = item->addr & ~(CS_BUS_ADD | PAGES_MASK);

    if (item->addr >> 56 != CS_BUS_ADD >> 56 || (!core->core_post && !core->thread_post))
        return;
    p->windows.failed += item->resp != CS_BUS_OKAY;
    for (unsigned i = 0; item->resp == CS_BUS_OKAY && i < CS_POSTS_CPMCS; i++)
        cs_posts_add(p, base + SLOT_BYTES * core->values_slot + FIRST_CPMC + 8 * i,
                     core->values[i]);
    if (core->core_post)
        core->core_post = false;
    else
        core->thread_post = false;
}

static void set_state(cs_posts *p, cs_posts_core *core, unsigned state)
{
    core->state = state;
    if (state == OFF) {
        core->synced = false;
        core->slot = core->thread = 0;
        clear_counts(core);
    } else if (state == RUN && !core->synced) {
        next_window(p, core);
        clear_counts(core);
    }
}

static void write_ldbar(cs_posts_core *core, unsigned thread, uint64_t value)
{
    const bool traced = traces(core, thread);

    core->ldbar[thread] = value;
    if (thread == core->thread && (traced || traces(core, thread)))
        clear_counts(core);
}

static void lose_power(cs_posts *p, cs_posts_core *core)
{
    core->mask = 0;
    for (unsigned i = 0; i < CS_POSTS_THREADS; i++)
        core->ldbar[i] = 0;
    core->core_post = core->thread_post = false;
    set_state(p, core, OFF);
}

void cs_posts_core_apply(cs_posts *p, cs_posts_core *core, const cs_posts_item *item)
{
    advance(p, core, item->at);
    if (item->kind == CS_POSTS_TRANSFER) {
        taken(p, core, item);
        return;
    }
    settle(p, core, item->at);
    switch (item->kind) {
    case CS_POSTS_MASK:
        core->mask = item->value;
        break;
    case CS_POSTS_LDBAR:
        write_ldbar(core, item->index, item->value);
        break;
    case CS_POSTS_STATE:
        set_state(p, core, (unsigned)item->value);
        break;
    default:
        lose_power(p, core);
        break;
    }
}
