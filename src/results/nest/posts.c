// SPDX-License-Identifier: Apache-2.0
/* Postings of the nest: docs/hw/nest.md, "Counters" and "A tick". When a row was read follows from
 * the request of its burst; what was read, from the timeline. */
#include "results/imc/posts_impl.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/nest/nest_spec.h"
#include <countersink/base/bus/bus_port.h>

#define DEBUG_OFFSET 0x10000u
#define WORD_BYTES 8u

/* "The window": the control block, as LOOK reads it */
#define CONTROL_OFFSET 0x3FC00u
#define CONTROL_WORDS 6u
#define COMMAND_OFFSET 0x08u

enum command { PAUSE = 2 };

static const cs_nest_program *program_of(const cs_posts *p)
{
    return &cs_nest_programs[p->scenario->imc->power10];
}

static const cs_nest_row *row_at(const cs_nest_program *program, uint64_t offset)
{
    for (size_t i = 0; i < program->nr_rows; i++)
        if (program->rows[i].offset == offset)
            return &program->rows[i];
    return NULL;
}

static uint64_t ones(unsigned bits)
{
    return ((uint64_t)1 << bits) - 1;
}

/* What a read in cycle x delivers of the counter at `offset`. */
static uint64_t read_counter(cs_posts *p, cs_posts_nest *nest, const cs_nest_row *row, unsigned i,
                             cs_cycle x)
{
    cs_timeline *timeline = p->timelines[CS_NEST_TIMELINE_OF(nest->chip)];
    cs_posts_counter *c = &nest->counters[row->first + i];
    const uint32_t event = CS_EVENT_NEST(row->offset / WORD_BYTES + i);
    const uint64_t most = ones(row->width);

    c->value += cs_timeline_sum(timeline, event, CS_MODE_ALL, c->since, x);
    c->value &= ones(row->width + row->prescale);
    c->since = x;
    const uint64_t current = c->value >> row->prescale, previous = c->prev;

    if (row->style == CS_NEST_CLEAR) {
        c->value &= ones(row->prescale);
        return current;
    }
    if (row->style == CS_NEST_STORE)
        return current;
    c->prev = current;
    if (previous == 0)
        return 0;
    return (current >= previous ? current - previous : most - previous + current) *
           (row->style == CS_NEST_WRAP2 ? 2 : 1);
}

/* The request is two cycles after the last counter's read. */
static void posted(cs_posts *p, cs_posts_nest *nest, const cs_posts_item *item)
{
    const uint64_t addr = item->addr & ~CS_BUS_ADD;
    const uint64_t offset = addr - cs_nest_base(p->scenario->nest, nest->chip);
    const cs_nest_row *row = row_at(program_of(p), offset % DEBUG_OFFSET);

    if (row == NULL || item->bytes != WORD_BYTES * row->count)
        return;
    const cs_cycle collect = item->at - 1 - row->count;

    for (unsigned i = 0; i < row->count; i++) {
        const uint64_t value =
            row->kind == CS_NEST_COUNTERS ? read_counter(p, nest, row, i, collect + i) : 1;

        if (item->resp != CS_BUS_OKAY)
            continue;
        if (row->style == CS_NEST_STORE)
            cs_posts_store(p, addr + WORD_BYTES * i, value);
        else
            cs_posts_add(p, addr + WORD_BYTES * i, value);
    }
}

bool cs_posts_is_pause(const cs_posts *p, const cs_posts_nest *nest, const cs_probe_record *r,
                       const uint8_t *data)
{
    const uint64_t control = cs_nest_base(p->scenario->nest, nest->chip) + CONTROL_OFFSET;
    uint64_t command = 0;

    if (r->write || r->resp != CS_BUS_OKAY || r->addr != control || data == NULL ||
        r->bytes != WORD_BYTES * CONTROL_WORDS)
        return false;
    for (unsigned i = 0; i < WORD_BYTES; i++)
        command = command << 8 | data[COMMAND_OFFSET + i];
    return command == PAUSE;
}

/* A row that is written, as zeros are: those come in bursts that begin elsewhere. */
static bool is_stored(const cs_posts *p, uint64_t offset, uint64_t bytes)
{
    const cs_nest_row *row = row_at(program_of(p), offset);

    return row != NULL && row->style == CS_NEST_STORE && bytes == WORD_BYTES * row->count;
}

/* In an error no status says that there was one ("Registers of the engine"). */
static void clear_prevs(cs_posts_nest *nest, const cs_nest_program *program)
{
    for (unsigned i = 0; i < program->nr_counters; i++)
        nest->counters[i].prev = 0;
}

void cs_posts_nest_apply(cs_posts *p, cs_posts_nest *nest, const cs_posts_item *item)
{
    const uint64_t base = cs_nest_base(p->scenario->nest, nest->chip);

    if (item->kind == CS_POSTS_PAUSE)
        clear_prevs(nest, program_of(p));
    else if (item->addr >> 56 == CS_BUS_ADD >> 56 || is_stored(p, item->addr - base, item->bytes))
        posted(p, nest, item);
    else if (item->resp == CS_BUS_OKAY && item->addr - base < program_of(p)->posted_bytes)
        cs_posts_clear(p, item->addr, item->bytes);
}
