// SPDX-License-Identifier: Apache-2.0
/* Visits: spec, "Visit" and "Probe records". */
#include <string.h>

#include "models/nest/nest_internal.h"

#define ADD_BIT ((uint64_t)1 << 56) /* docs/hw/bus.md, "Adding" */
#define DEBUG_OFFSET 0x10000u
#define EVERY_EPOCH 3u
#define EVERY_UNIT UINT64_MAX /* always, even if no unit is there */
#define LINKS 8u
#define FIRST_LINK_BIT 11u

void cs_nest_visit_init(cs_nest *nest)
{
    const cs_nest_engine *engine = nest->engine;

    for (unsigned r = 0; r < engine->nr_rows; r++)
        nest->group_states[engine->rows[r].group] |= engine->rows[r].states;
}

/* Spec, "POWER10": three bits that say what the link is become one of three bits. */
static uint64_t units_of_rows(const cs_nest_engine *engine, uint64_t units)
{
    static const unsigned first = 5; /* an xlink; then alink, otl */
    uint64_t out = units;

    for (unsigned link = 0; engine->links && link < LINKS; link++) {
        const unsigned last = FIRST_LINK_BIT + 3 * link + 2; /* from the top */
        const unsigned kind = units >> (63 - last) & 7;

        out &= ~(UINT64_C(7) << (63 - last));
        if (kind >= first)
            out |= UINT64_C(4) >> (kind - first) << (63 - last);
    }
    return out;
}

/* The group is visited; whether it is posted. */
static bool count_visit(const cs_nest_engine *engine, cs_nest_registers *regs, unsigned group)
{
    if (regs->delay[group] > 0) {
        regs->delay[group]--;
        return false;
    }
    if (engine->slowing[group] != 0)
        regs->delay[group] = regs->speed / engine->slowing[group];
    if (engine->epochs[group] != 0)
        regs->epoch[group] = (regs->epoch[group] + 1) % engine->epochs[group];
    return true;
}

void cs_nest_visit_decide(cs_nest *nest)
{
    cs_nest_registers *regs = &nest->regs;
    cs_nest_visit *visit = &nest->visit;
    const unsigned ring = 1u << (regs->ring - 1);

    *visit = (cs_nest_visit){.units = units_of_rows(nest->engine, regs->units)};
    memcpy(visit->epoch, regs->epoch, sizeof visit->epoch);
    for (unsigned group = 1; group <= nest->engine->groups; group++)
        if (nest->group_states[group] & ring && count_visit(nest->engine, regs, group))
            visit->posted |= 1u << group;
}

static uint64_t window_of(const cs_nest *nest, const cs_nest_row *row)
{
    const bool elsewhere = nest->regs.mode == 1 && nest->engine->debug_groups >> row->group & 1;

    return nest->config.base + (elsewhere ? DEBUG_OFFSET : 0);
}

/* A group that is posted has the ring's state, and so have its rows. */
static bool is_carried_out(const cs_nest *nest, const cs_nest_row *row)
{
    const cs_nest_visit *visit = &nest->visit;

    return visit->posted >> row->group & 1 &&
           (row->epoch == EVERY_EPOCH || row->epoch == visit->epoch[row->group]) &&
           (row->units == EVERY_UNIT || (row->units & visit->units) != 0);
}

/* A cycle for each row that is looked at, and one for each counter. */
cs_cycle cs_nest_visit_scan(cs_nest *nest, cs_cycle cycle)
{
    unsigned *row = &nest->visit.row;

    for (; *row < nest->engine->nr_rows; (*row)++, cycle++)
        if (is_carried_out(nest, &nest->engine->rows[*row]))
            return cycle + 1 + nest->engine->rows[*row].count;
    return cycle;
}

/* The cycles of COLLECT are those before `now`. */
void cs_nest_visit_post(cs_nest *nest)
{
    cs_nest_visit *visit = &nest->visit;
    const cs_nest_row *row = &nest->engine->rows[visit->row];
    const uint64_t addr = window_of(nest, row) + row->offset;
    const cs_cycle collect = nest->now - row->count;

    if (row->kind == CS_NEST_HEADER) {
        visit->start = collect;
        visit->header = addr;
        visit->bytes = 0;
    }
    visit->bytes += row->count * CS_NEST_WORD_BYTES;
    for (unsigned i = 0; i < row->count; i++)
        cs_nest_put64(&nest->txn.data[i * CS_NEST_WORD_BYTES],
                      row->kind == CS_NEST_COUNTERS ? cs_nest_read(nest, row, i, collect + i) : 1);
    cs_nest_ask(nest, row->style == CS_NEST_STORE ? addr : addr | ADD_BIT, true, row->count);
}

void cs_nest_visit_posted(cs_nest *nest)
{
    const cs_nest_visit *visit = &nest->visit;
    const cs_nest_row *row = &nest->engine->rows[visit->row];

    if (row->kind != CS_NEST_TRAILER)
        return;
    cs_probe_record record = {.cycle = nest->now,
                              .kind = CS_PROBE_SAMPLE,
                              .resp = nest->txn.resp,
                              .source = nest->config.unit,
                              .index = row->group,
                              .addr = visit->header,
                              .value = nest->postings[row->group]++,
                              .request = visit->start,
                              .bytes = visit->bytes};

    cs_probe_emit(nest->env.probe, &record);
}
