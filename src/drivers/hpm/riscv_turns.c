// SPDX-License-Identifier: Apache-2.0
#include "drivers/hpm/riscv_turns.h"

#include <stdlib.h>
#include <string.h>

#include "drivers/rotation/rotation.h"
#include "scenario/hpm/riscv_spec.h"

_Static_assert(CS_RISCV_MAX_TURNS <= CS_ROTATION_MAX_EVENTS, "a list holds all events");

struct cs_riscv_turns {
    cs_riscv_turns_config config;
    cs_rotation *rotation; /* NULL: nothing is open */
    cs_riscv_turn **list;  /* as the rotation has them */
    size_t nr;
    cs_cycle due;
    cs_cycle time; /* perf's, of the pass that goes on */
    cs_hart *hart; /* likewise */
    cs_rotating_report report;
};

/* ---- counters are the driver's to give ---- */

/* A group is in error as a whole. */
static bool in_error(const cs_riscv_turns *t, const cs_riscv_turn *turn)
{
    for (size_t i = 0; i < t->nr; i++)
        if (t->list[i]->group == turn->group && t->list[i]->error)
            return true;
    return false;
}

static void turns_tell(const cs_riscv_turns *t, cs_riscv_turn *turn, cs_cycle since)
{
    turn->hart = t->hart;
    if (turn->placed != NULL)
        turn->placed(turn->whose, turn, since);
    else
        t->config.placed(t->config.ctx, turn, since);
}

static int turns_put(void *ctx, unsigned event)
{
    cs_riscv_turns *t = ctx;
    cs_riscv_turn *turn = t->list[event];
    const cs_cycle adding = cs_hart_now(t->hart);

    if (turn->on)
        return cs_riscv_perf_index(turn->perf);
    if (in_error(t, turn))
        return -1;
    if (cs_riscv_perf_add(t->config.pmu, t->hart, turn->perf, CS_RISCV_EF_START) != 0) {
        turn->error = turn->pinned;
        return -1;
    }
    turn->on = true;
    turn->since = t->time;
    turns_tell(t, turn, adding);
    return cs_riscv_perf_index(turn->perf);
}

static void turns_take(void *ctx, unsigned event)
{
    cs_riscv_turns *t = ctx;
    cs_riscv_turn *turn = t->list[event];
    const cs_cycle taking = cs_hart_now(t->hart);

    if (!turn->on)
        return;
    cs_riscv_perf_del(t->config.pmu, t->hart, turn->perf);
    turn->on = false;
    turn->running += t->time - turn->since;
    turns_tell(t, turn, taking);
}

/* ---- the list ---- */

static void turns_begin(cs_riscv_turns *t, cs_hart *hart)
{
    t->hart = hart;
    t->time = cs_hart_now(hart);
}

static void expect_tick(cs_riscv_turns *t)
{
    const bool waits = t->rotation != NULL && cs_rotation_waits(t->rotation, 0);

    t->due =
        waits ? (cs_hart_now(t->hart) / t->config.interval_cycles + 1) * t->config.interval_cycles
              : CS_NEVER;
}

/* Those that stay open, in the order in which they would have their turn, into list; returns how many. */
static size_t turns_keep(const cs_riscv_turns *t, cs_riscv_turn **list)
{
    unsigned order[CS_ROTATION_MAX_EVENTS];
    size_t nr = 0, groups;

    if (t->rotation == NULL)
        return 0;
    for (size_t i = 0; i < t->nr; i++)
        if (t->list[i]->pinned && t->list[i]->open)
            list[nr++] = t->list[i];
    groups = cs_rotation_order(t->rotation, 0, order, CS_ROTATION_MAX_EVENTS);
    for (size_t i = 0; i < groups; i++)
        for (size_t k = order[i]; k < t->nr; k++)
            if (t->list[k]->group == t->list[order[i]]->group && t->list[k]->open)
                list[nr++] = t->list[k];
    return nr;
}

/* Schedules the list. */
static bool turns_schedule(cs_riscv_turns *t)
{
    const cs_rotation_pmu pmu = {.counters = 1, .divider = 1};
    cs_rotation_event events[CS_ROTATION_MAX_EVENTS];
    const cs_rotation_config config = {
        .list = CS_ROTATION_PER_PMU,
        .pmus = &pmu,
        .nr_pmus = 1,
        .events = events,
        .nr_events = t->nr,
        .owner = {turns_put, turns_take, t},
    };
    cs_rotation *rotation = NULL;

    for (size_t i = 0; i < t->nr; i++)
        events[i] = (cs_rotation_event){.group = t->list[i]->group, .pinned = t->list[i]->pinned};
    if (t->nr != 0 && cs_rotation_create(&config, &rotation, NULL) != CS_OK)
        return false;
    cs_rotation_destroy(t->rotation);
    t->rotation = rotation;
    expect_tick(t);
    return true;
}

/* The list becomes what is open of it, and `more`. */
static bool turns_remake(cs_riscv_turns *t, cs_riscv_turn *const more[], size_t nr_more)
{
    cs_riscv_turn **list = calloc(t->nr + nr_more + 1, sizeof *list);
    size_t nr;

    if (list == NULL)
        return false;
    nr = turns_keep(t, list);
    for (size_t i = 0; i < nr_more; i++)
        list[nr++] = more[i];
    free(t->list);
    t->list = list;
    t->nr = nr;
    return nr <= CS_ROTATION_MAX_EVENTS && turns_schedule(t);
}

bool cs_riscv_turns_open(cs_riscv_turns *t, cs_hart *hart, cs_riscv_turn *const events[], size_t nr)
{
    turns_begin(t, hart);
    for (size_t i = 0; i < nr; i++) {
        events[i]->open = true;
        events[i]->from = t->time;
    }
    if (t->rotation != NULL)
        cs_rotation_take_off(t->rotation);
    return turns_remake(t, events, nr);
}

bool cs_riscv_turns_close(cs_riscv_turns *t, cs_hart *hart, cs_riscv_turn *const events[],
                          size_t nr)
{
    turns_begin(t, hart);
    for (size_t i = 0; i < nr; i++) {
        events[i]->open = false;
        for (size_t k = 0; k < t->nr; k++)
            if (t->list[k] == events[i])
                turns_take(t, (unsigned)k);
    }
    return turns_remake(t, NULL, 0);
}

/* ---- the timer ---- */

cs_cycle cs_riscv_turns_due(const cs_riscv_turns *t)
{
    return t->due;
}

void cs_riscv_turns_tick(cs_riscv_turns *t, cs_hart *hart)
{
    const cs_cycle due = t->due;

    turns_begin(t, hart);
    t->report.ticks++;
    t->report.late_ticks += (t->time - due) / t->config.interval_cycles;
    cs_hart_work(hart, t->config.rotation_cycles);
    cs_rotation_tick(t->rotation);
    t->report.rotations++;
    t->report.rotating_cycles += cs_hart_now(hart) - t->time;
    expect_tick(t);
}

const cs_rotating_report *cs_riscv_turns_report(const cs_riscv_turns *t)
{
    return &t->report;
}

/* ---- create, destroy ---- */

cs_status cs_riscv_turns_create(const cs_riscv_turns_config *config, cs_riscv_turns **out,
                                cs_diag *diag)
{
    cs_riscv_turns *t = calloc(1, sizeof *t);

    *out = t;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for events in turns");
    t->config = *config;
    t->due = CS_NEVER;
    return CS_OK;
}

void cs_riscv_turns_destroy(cs_riscv_turns *t)
{
    if (t == NULL)
        return;
    cs_rotation_destroy(t->rotation);
    free(t->list);
    free(t);
}
