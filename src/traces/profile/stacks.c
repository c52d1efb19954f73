// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/room.h"
#include "traces/common/cpus.h"
#include <countersink/formats/perf/abi/perf.h>

/* ---- frames and stacks, each once ---- */

static uint64_t hash_of_frame(const cs_stacks_frame *f)
{
    const uint64_t space =
        (uint64_t)f->space.pid << 2 | (uint64_t)f->space.guest << 1 | f->space.kernel;

    return cs_hash_mix(f->address + cs_hash_mix(space + CS_HASH_STEP));
}

static uint64_t hash_of_stack(const cs_stacks_stack *s)
{
    return cs_hash_mix(s->frame + cs_hash_mix(s->caller + CS_HASH_STEP));
}

/* Twice as many slots, once half of them are taken; the items are told anew. */
static bool grow(cs_stacks_table *t, size_t nr, uint64_t (*hash)(const cs_stacks *s, size_t at),
                 const cs_stacks *stacks)
{
    if (2 * (nr + 1) <= t->nr_slots)
        return true;
    const size_t slots = t->nr_slots != 0 ? 2 * t->nr_slots : 1024;
    uint32_t *fresh = calloc(slots, sizeof *fresh);

    if (fresh == NULL)
        return false;
    for (size_t i = 0; i < nr; i++) {
        size_t at = hash(stacks, i) & (slots - 1);

        while (fresh[at] != 0)
            at = (at + 1) & (slots - 1);
        fresh[at] = (uint32_t)i + 1;
    }
    free(t->slots);
    *t = (cs_stacks_table){fresh, slots};
    return true;
}

static uint64_t frame_hash_at(const cs_stacks *s, size_t at)
{
    return hash_of_frame(&s->frames[at]);
}

static uint64_t stack_hash_at(const cs_stacks *s, size_t at)
{
    return hash_of_stack(&s->stacks[at]);
}

static bool same_frame(const cs_stacks_frame *a, const cs_stacks_frame *b)
{
    return a->address == b->address && a->space.pid == b->space.pid &&
           a->space.kernel == b->space.kernel && a->space.guest == b->space.guest &&
           a->symbol == b->symbol;
}

static uint32_t intern_frame(cs_stacks *s, const cs_stacks_frame *frame)
{
    if (!grow(&s->frame_table, s->nr_frames, frame_hash_at, s))
        return CS_STACKS_NONE;
    const size_t mask = s->frame_table.nr_slots - 1;
    size_t at = hash_of_frame(frame) & mask;

    for (; s->frame_table.slots[at] != 0; at = (at + 1) & mask)
        if (same_frame(&s->frames[s->frame_table.slots[at] - 1], frame))
            return s->frame_table.slots[at] - 1;
    cs_stacks_frame *frames = cs_room(s->frames, &s->frames_room, s->nr_frames, sizeof *frames);
    if (frames == NULL)
        return CS_STACKS_NONE;
    s->frames = frames;
    frames[s->nr_frames++] = *frame;
    s->frame_table.slots[at] = (uint32_t)s->nr_frames;
    return (uint32_t)s->nr_frames - 1;
}

static uint32_t intern_stack(cs_stacks *s, cs_stacks_stack stack)
{
    if (!grow(&s->stack_table, s->nr_stacks, stack_hash_at, s))
        return CS_STACKS_NONE;
    const size_t mask = s->stack_table.nr_slots - 1;
    size_t at = hash_of_stack(&stack) & mask;

    for (; s->stack_table.slots[at] != 0; at = (at + 1) & mask) {
        const cs_stacks_stack *known = &s->stacks[s->stack_table.slots[at] - 1];

        if (known->frame == stack.frame && known->caller == stack.caller)
            return s->stack_table.slots[at] - 1;
    }
    cs_stacks_stack *stacks = cs_room(s->stacks, &s->stacks_room, s->nr_stacks, sizeof *stacks);
    if (stacks == NULL)
        return CS_STACKS_NONE;
    s->stacks = stacks;
    stacks[s->nr_stacks++] = stack;
    s->stack_table.slots[at] = (uint32_t)s->nr_stacks;
    return (uint32_t)s->nr_stacks - 1;
}

/* ---- samples ---- */

/* `is_call`: the address is where the function goes on, behind the call. */
static uint32_t push(cs_stacks *s, uint32_t caller, cs_trace_space space, uint64_t address,
                     bool is_call)
{
    const cs_trace_symbol *symbol =
        cs_trace_symbols_find(s->symbols, space, is_call ? address - 1 : address);
    const cs_stacks_frame frame = {
        .space = space,
        .address = s->by_name && symbol != NULL ? symbol->base : address,
        .symbol = symbol,
    };
    const uint32_t number = intern_frame(s, &frame);
    const uint32_t stack = number != CS_STACKS_NONE
                               ? intern_stack(s, (cs_stacks_stack){number, caller})
                               : CS_STACKS_NONE;

    s->failed |= stack == CS_STACKS_NONE;
    return stack;
}

/* The mode of each word of a chain is told by the marker in front of it. */
static bool turn(uint64_t word, uint32_t pid, cs_trace_space *space)
{
    switch (word) {
    case CS_PERF_CONTEXT_KERNEL:
        *space = (cs_trace_space){.guest = space->guest, .kernel = true};
        return true;
    case CS_PERF_CONTEXT_USER:
        *space = (cs_trace_space){.guest = space->guest, .pid = pid};
        return true;
    case CS_PERF_CONTEXT_GUEST_KERNEL:
        *space = (cs_trace_space){.guest = true, .kernel = true};
        return true;
    case CS_PERF_CONTEXT_GUEST_USER:
        *space = (cs_trace_space){.guest = true, .pid = pid};
        return true;
    default:
        return word >= CS_PERF_CONTEXT_FIRST;
    }
}

static uint32_t stack_of(cs_stacks *s, const cs_trace_record *r)
{
    uint64_t words[CS_STACKS_MOST_FRAMES];
    cs_trace_space spaces[CS_STACKS_MOST_FRAMES], own, space;
    uint32_t stack = CS_STACKS_NONE;
    size_t nr = 0;

    if (r->misc == 0)
        return CS_STACKS_NONE;
    const bool guests = cs_trace_cpu_of(s->scenario, r->cpu)->is_guest != NULL;
    const bool user = r->misc == CS_PERF_MISC_USER || r->misc == CS_PERF_MISC_GUEST_USER;
    own.guest = guests && (r->guest || r->misc >= CS_PERF_MISC_GUEST_KERNEL);
    own.kernel = !user;
    own.pid = user ? r->pid : 0;
    space = own;
    for (size_t i = 0; i < r->nr_chain && nr < CS_STACKS_MOST_FRAMES; i++)
        if (!turn(r->chain[i], r->pid, &space)) {
            words[nr] = r->chain[i];
            spaces[nr++] = space;
        }
    if (nr ==
        0) { /* a chain of nothing but markers, as of a guest that the host sampled, has no say */
        words[nr] = r->ip;
        spaces[nr++] = own;
    }
    for (size_t i = nr; i-- > 0 && !s->failed;)
        stack = push(s, stack, spaces[i], words[i], i != 0);
    return stack;
}

void cs_stacks_add(cs_stacks *s, const cs_trace_record *r)
{
    const uint32_t stack = s->failed ? CS_STACKS_NONE : stack_of(s, r);
    cs_stacks_sample *sample = s->failed ? NULL : cs_spill_add(s->samples);

    if (sample == NULL) {
        s->failed = true;
        return;
    }
    *sample = (cs_stacks_sample){.time_ns = r->time_ns,
                                 .period = r->period,
                                 .pid = r->pid,
                                 .stack = stack,
                                 .event = (uint32_t)r->event,
                                 .cpu = r->cpu};
}

size_t cs_stacks_frames(const cs_stacks *s, uint32_t stack, uint32_t out[CS_STACKS_MOST_FRAMES])
{
    size_t nr = 0;

    for (uint32_t at = stack; at != CS_STACKS_NONE; at = s->stacks[at].caller)
        out[nr++] = s->stacks[at].frame;
    for (size_t i = 0; i < nr / 2; i++) {
        const uint32_t frame = out[i];

        out[i] = out[nr - 1 - i];
        out[nr - 1 - i] = frame;
    }
    return nr;
}

const char *cs_stacks_frame_name(const cs_stacks_frame *frame, char out[CS_STACKS_NAME_BYTES])
{
    if (frame->symbol != NULL)
        return frame->symbol->name;
    snprintf(out, CS_STACKS_NAME_BYTES, "0x%" PRIx64, frame->address);
    return out;
}

/* ---- the whole ---- */

cs_status cs_stacks_init(cs_stacks *s, const cs_scenario *scenario, bool by_name, cs_diag *diag)
{
    *s = (cs_stacks){.scenario = scenario,
                     .by_name = by_name,
                     .samples = cs_spill_create(sizeof(cs_stacks_sample))};
    if (s->samples == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the samples of a trace");
    return cs_trace_symbols_create(scenario, &s->symbols, diag);
}

void cs_stacks_free(cs_stacks *s)
{
    cs_trace_symbols_destroy(s->symbols);
    cs_spill_destroy(s->samples);
    free(s->frames);
    free(s->stacks);
    free(s->frame_table.slots);
    free(s->stack_table.slots);
    *s = (cs_stacks){0};
}
