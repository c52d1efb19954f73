// SPDX-License-Identifier: Apache-2.0
/* The states: spec, "A tick", and DECIDE. */
#include <stddef.h>
#include <string.h>

#include "models/nest/nest_internal.h"

#define VERSION_OFFSET 0x2FC00u
#define VERSION UINT64_C(0x0100151120260000)
#define CONTROL_OFFSET 0x3FC00u
#define STATUS_OFFSET (CONTROL_OFFSET + 0x00)
#define UNITS_OFFSET (CONTROL_OFFSET + 0x18)
#define MODE_STATE_OFFSET (CONTROL_OFFSET + 0x28)
#define CONTROL_WORDS 6u

#define MAX_SPEED 11u
#define MAX_MODE 1u

enum command { RESUME = 1, PAUSE = 2, CLEAR = 3 };

unsigned cs_nest_status_of(const cs_nest *nest)
{
    const cs_nest_registers *regs = &nest->regs;

    if (regs->seen && regs->speed > MAX_SPEED)
        return CS_NEST_STATUS_ERR1;
    if (regs->seen && regs->mode > MAX_MODE)
        return CS_NEST_STATUS_ERR2;
    if (regs->paused)
        return CS_NEST_STATUS_PAUSE;
    return regs->phase < nest->engine->phases ? CS_NEST_STATUS_INIT : CS_NEST_STATUS_RUN;
}

/* ---- what follows what ---- */

void cs_nest_enter(cs_nest *nest, cs_nest_state state, cs_cycle cycle)
{
    nest->state = state;
    nest->due = cycle;
    if (state == CS_NEST_STATE_SCAN) {
        nest->due = cs_nest_visit_scan(nest, cycle);
        nest->state =
            nest->visit.row < nest->engine->nr_rows ? CS_NEST_STATE_POST : CS_NEST_STATE_IDLE;
    }
    if (nest->state == CS_NEST_STATE_IDLE)
        nest->due = cs_nest_ticks_due(nest, nest->due);
}

static void follow(cs_nest *nest, cs_nest_state state, bool if_so)
{
    if (if_so)
        nest->todo |= 1u << state;
}

/* The states of a tick follow in the order of their numbers. */
static void go_on(cs_nest *nest)
{
    unsigned state = CS_NEST_STATE_IDLE;

    if (nest->todo != 0) {
        state = (unsigned)__builtin_ctz(nest->todo);
        nest->todo &= nest->todo - 1;
    }
    cs_nest_enter(nest, (cs_nest_state)state, nest->now + 1);
}

/* ---- the states ---- */

static uint64_t at(const cs_nest *nest, uint32_t offset)
{
    return nest->config.base + offset;
}

static void write_word(cs_nest *nest, uint32_t offset, uint64_t value)
{
    cs_nest_put64(nest->txn.data, value);
    cs_nest_ask(nest, at(nest, offset), true, 1);
}

static void idle(cs_nest *nest)
{
    cs_nest_ticks_take(nest);
    cs_nest_enter(nest, CS_NEST_STATE_LOOK, nest->now + 1);
}

static void look(cs_nest *nest)
{
    cs_nest_ask(nest, at(nest, CONTROL_OFFSET), false, CONTROL_WORDS);
}

static void looked(cs_nest *nest)
{
    const uint8_t *words = nest->txn.data;

    if (nest->txn.resp != CS_BUS_OKAY) {
        cs_nest_enter(nest, CS_NEST_STATE_IDLE, nest->now + 1);
        return;
    }
    nest->block = (cs_nest_block){.command = cs_nest_get64(words + 0x08),
                                  .speed = cs_nest_get64(words + 0x10),
                                  .units = cs_nest_get64(words + 0x18),
                                  .mode = cs_nest_get64(words + 0x20)};
    cs_nest_enter(nest, CS_NEST_STATE_DECIDE, nest->now + 1);
}

static void clean(cs_nest *nest)
{
    const uint32_t offset = nest->clean_burst * CS_BUS_MAX_BYTES;
    const uint32_t left = nest->engine->clean_bytes - offset;
    const uint32_t bytes = left < CS_BUS_MAX_BYTES ? left : CS_BUS_MAX_BYTES;

    memset(nest->txn.data, 0, bytes);
    cs_nest_ask(nest, at(nest, offset), true, bytes / CS_NEST_WORD_BYTES);
}

/* Until all is: CLEAN is the first of what follows. */
static void cleaned(cs_nest *nest)
{
    nest->clean_burst++;
    follow(nest, CS_NEST_STATE_CLEAN,
           nest->clean_burst * CS_BUS_MAX_BYTES < nest->engine->clean_bytes);
    go_on(nest);
}

static void version(cs_nest *nest)
{
    write_word(nest, VERSION_OFFSET, VERSION);
}

static void units(cs_nest *nest)
{
    write_word(nest, UNITS_OFFSET, nest->engine->default_units);
}

static void mode(cs_nest *nest)
{
    write_word(nest, MODE_STATE_OFFSET, nest->regs.mode);
}

static void status(cs_nest *nest)
{
    cs_nest_put64(nest->txn.data, nest->status_written);
    cs_nest_put64(nest->txn.data + CS_NEST_WORD_BYTES, 0);
    cs_nest_ask(nest, at(nest, STATUS_OFFSET), true, 2);
}

static void posted(cs_nest *nest)
{
    cs_nest_visit_posted(nest);
    nest->visit.row++;
    cs_nest_enter(nest, CS_NEST_STATE_SCAN, nest->now + 1);
}

/* ---- DECIDE ---- */

static void obey(cs_nest *nest, uint64_t command)
{
    if (command == PAUSE) {
        nest->regs.paused = true;
        cs_nest_clear_prevs(nest);
    } else if (command == RESUME || command == CLEAR) {
        nest->regs.paused = false;
    }
}

static void emit_status(const cs_nest *nest, unsigned value)
{
    cs_probe_record record = {.cycle = nest->now + 1,
                              .kind = CS_PROBE_STATE,
                              .source = nest->config.unit,
                              .value = value};

    cs_probe_emit(nest->env.probe, &record);
}

/* The numbers are the specification's. */
static void decide(cs_nest *nest)
{
    cs_nest_registers *regs = &nest->regs;
    const cs_nest_block *block = &nest->block;
    const uint64_t available = block->units != 0 ? block->units : nest->engine->default_units;
    const unsigned before = cs_nest_status_of(nest);

    /* 1. */
    const bool fresh = !regs->seen;
    const bool again = fresh || block->command == CLEAR || block->speed != regs->speed;
    const bool new_mode = fresh || block->mode != regs->mode;
    const bool change = again || available != regs->units || new_mode;
    /* 2. */
    regs->speed = block->speed;
    regs->units = available;
    regs->mode = block->mode;
    regs->seen = true;
    /* 3. */
    if (change) {
        regs->phase = 0;
        regs->ring = 1;
    }
    /* 4. */
    obey(nest, block->command);
    /* 5. */
    const bool visit = cs_nest_status_of(nest) == CS_NEST_STATUS_RUN;
    if (visit)
        cs_nest_visit_decide(nest);
    /* 6. */
    if (cs_nest_status_of(nest) == CS_NEST_STATUS_INIT && regs->ring == regs->phase + 1)
        regs->phase++;
    const unsigned after = cs_nest_status_of(nest);
    /* 7. */
    regs->ring = regs->ring % nest->engine->ring_states + 1;

    follow(nest, CS_NEST_STATE_CLEAN, again);
    follow(nest, CS_NEST_STATE_VERSION, fresh);
    follow(nest, CS_NEST_STATE_UNITS, block->units == 0 && nest->engine->default_units != 0);
    follow(nest, CS_NEST_STATE_MODE, new_mode);
    follow(nest, CS_NEST_STATE_STATUS,
           fresh || after != nest->status_written || block->command != 0);
    follow(nest, CS_NEST_STATE_SCAN, visit);
    nest->clean_burst = 0;
    nest->status_written = after;
    if (after != before)
        emit_status(nest, after);
    go_on(nest);
}

/* ---- the table ---- */

typedef struct state_row {
    void (*act)(cs_nest *nest);
    void (*complete)(cs_nest *nest); /* NULL: no transfer */
} state_row;

/* SCAN and COLLECT are part of what comes before POST (cs_nest_visit_scan). */
static const state_row rows[CS_NEST_NR_STATES] = {
    [CS_NEST_STATE_IDLE] = {idle, NULL},
    [CS_NEST_STATE_LOOK] = {look, looked},
    [CS_NEST_STATE_DECIDE] = {decide, NULL},
    [CS_NEST_STATE_CLEAN] = {clean, cleaned},
    [CS_NEST_STATE_VERSION] = {version, go_on},
    [CS_NEST_STATE_UNITS] = {units, go_on},
    [CS_NEST_STATE_MODE] = {mode, go_on},
    [CS_NEST_STATE_STATUS] = {status, go_on},
    [CS_NEST_STATE_POST] = {cs_nest_visit_post, posted},
};

void cs_nest_act(cs_nest *nest)
{
    rows[nest->state].act(nest);
}

void cs_nest_complete(cs_nest *nest)
{
    rows[nest->state].complete(nest);
}
