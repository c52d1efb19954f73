/* Visits: spec, "Visit" and "Probe records". */
#include <string.h>

#include "models/nest/nest_internal.h"

#define ADD_BIT ((uint64_t)1 << 56) /* docs/hw/bus.md, "Adding" */
#define DEBUG_OFFSET 0x10000u
#define DEBUG_GROUPS (1u << 1)
#define EVERY_EPOCH 3u
#define FIRST_SLOW_GROUP 4u

/* By group; 0: it has none. */
static const unsigned epochs[CS_NEST_GROUPS + 1] = {[2] = 2, [4] = 3};

void cs_nest_visit_init(cs_nest *nest)
{
    for (unsigned r = 0; r < CS_NEST_ROWS; r++)
        nest->group_states[cs_nest_rows[r].group] |= cs_nest_rows[r].states;
}

/* The group is visited; whether it is posted. */
static bool count_visit(cs_nest_registers *regs, unsigned group)
{
    if (regs->delay[group] > 0) {
        regs->delay[group]--;
        return false;
    }
    regs->delay[group] = group < FIRST_SLOW_GROUP ? regs->speed : regs->speed / 8;
    if (epochs[group] != 0)
        regs->epoch[group] = (regs->epoch[group] + 1) % epochs[group];
    return true;
}

void cs_nest_visit_decide(cs_nest *nest)
{
    cs_nest_registers *regs = &nest->regs;
    cs_nest_visit *visit = &nest->visit;
    const unsigned ring = 1u << (regs->ring - 1);

    *visit = (cs_nest_visit){.window = nest->config.base};
    memcpy(visit->epoch, regs->epoch, sizeof visit->epoch);
    for (unsigned group = 1; group <= CS_NEST_GROUPS; group++)
        if (nest->group_states[group] & ring && count_visit(regs, group))
            visit->posted |= 1u << group;

    if (regs->mode == 1) {
        visit->posted &= DEBUG_GROUPS;
        visit->window += DEBUG_OFFSET;
    }
}

/* A group that is posted has the ring's state, and so have its rows. */
static bool is_carried_out(const cs_nest *nest, const cs_nest_row *row)
{
    const cs_nest_visit *visit = &nest->visit;

    return visit->posted >> row->group & 1 &&
           (row->epoch == EVERY_EPOCH || row->epoch == visit->epoch[row->group]) &&
           (row->units & nest->regs.units) != 0;
}

/* A cycle for each row that is looked at, and one for each counter. */
cycle_t cs_nest_visit_scan(cs_nest *nest, cycle_t cycle)
{
    unsigned *row = &nest->visit.row;

    for (; *row < CS_NEST_ROWS; (*row)++, cycle++)
        if (is_carried_out(nest, &cs_nest_rows[*row]))
            return cycle + 1 + cs_nest_rows[*row].count;
    return cycle;
}

/* The cycles of COLLECT are those before `now`. */
void cs_nest_visit_post(cs_nest *nest)
{
    cs_nest_visit *visit = &nest->visit;
    const cs_nest_row *row = &cs_nest_rows[visit->row];
    const uint64_t addr = visit->window + row->offset;
    const cycle_t collect = nest->now - row->count;

    if (row->kind == CS_NEST_HEADER) {
        visit->start = collect;
        visit->header = addr;
        visit->bytes = 0;
    }
    visit->bytes += row->count * CS_NEST_WORD_BYTES;
    for (unsigned i = 0; i < row->count; i++)
        cs_nest_put64(&nest->txn.data[i * CS_NEST_WORD_BYTES],
                      row->kind == CS_NEST_COUNTERS ? cs_nest_read(nest, row, i, collect + i) : 1);
    cs_nest_ask(nest, addr | ADD_BIT, true, row->count);
}

void cs_nest_visit_posted(cs_nest *nest)
{
    const cs_nest_visit *visit = &nest->visit;
    const cs_nest_row *row = &cs_nest_rows[visit->row];

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
