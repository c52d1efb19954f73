// SPDX-License-Identifier: Apache-2.0
/* Whose turn it is: insertions, local times, contexts. */
#include <countersink/base/stream/timeline.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/require.h"
#include "base/stream/accumulator.h"
#include "base/stream/timeline_impl.h"

/* The program counter walks straight on for this many cycles of local time. */
#define PC_QUANTUM_CYCLES 64u

/* ---- insertions ---- */

/* Before the first stay that is left there were others. */
static void require_remembered(const cs_timeline *tl, size_t entered, cs_cycle t)
{
    CS_REQUIRE(entered != 0 || !tl->forgets,
               "timeline: asked about cycle %" PRIu64 ": must be %" PRIu64
               " or later, what was before is forgotten (cs_timeline_forget)",
               cs_timeline_unpowered(tl, t), cs_timeline_unpowered(tl, tl->forgotten));
}

/* The local times at t, of which so many insertions have been entered. */
static void locals_after(cs_timeline *tl, size_t entered, cs_cycle t, uint64_t locals[])
{
    const size_t tracks = tl->desc.nr_tracks;

    require_remembered(tl, entered, t);
    if (entered == 0) {
        memset(locals, 0, tracks * sizeof *locals);
        locals[CS_TIMELINE_WORKLOAD] = tl->desc.begun + t;
        return;
    }
    const cs_timeline_insertion *insertion = cs_timeline_insertion_at(tl, entered - 1);
    memcpy(locals, insertion->locals, tracks * sizeof *locals);
    if (t < insertion->leave) {
        locals[insertion->track] += t - insertion->enter;
    } else {
        locals[insertion->track] += insertion->leave - insertion->enter;
        locals[CS_TIMELINE_WORKLOAD] += t - insertion->leave;
    }
}

/* Software came or went in that cycle. */
static void forget_look_ups(cs_timeline *tl, cs_cycle cycle)
{
    tl->piece = (cs_timeline_piece){0};
    tl->context_cycle = CS_NEVER;
    for (size_t i = 0; tl->summed_last > cycle && i < CS_TIMELINE_SUMMED; i++)
        if (tl->summed[i].to > cycle)
            tl->summed[i].to = 0;
    if (tl->summed_last > cycle)
        tl->summed_last = cycle;
    if (tl->reached_last <= cycle)
        return;
    for (size_t i = 0; i < CS_TIMELINE_REACHED; i++)
        if (tl->reached[i].found > cycle)
            tl->reached[i].n = 0;
    tl->reached_last = cycle;
}

void cs_timeline_reset(cs_timeline *tl)
{
    cs_spill_clear(tl->insertions);
    tl->last_enter = 0;
    tl->last = tl->before = 0;
    tl->forgets = false;
    forget_look_ups(tl, 0);
}

/* Until when the last insertion lasts; 0: there is none. */
static cs_cycle last_leave(const cs_timeline *tl)
{
    const size_t count = tl->insertions->count;
    const cs_timeline_insertion *last;

    if (count == 0)
        return 0;
    last = cs_spill_at(tl->insertions, count - 1);
    return last->leave;
}

/* The last stay that began before it says what all tracks had run. */
void cs_timeline_forget(cs_timeline *tl, cs_cycle before)
{
    cs_spill *list = tl->insertions;
    const size_t entered = cs_timeline_entered(tl, cs_timeline_powered(tl, before));

    if (entered < 2)
        return;
    cs_spill_drop(list, entered - 1);
    for (size_t chunk = 0; cs_spill_first(list, chunk) < list->count; chunk++)
        list->chunks[chunk].first =
            cs_timeline_insertion_at(tl, cs_spill_first(list, chunk))->enter;
    tl->last = tl->before = 0;
    tl->forgets = true;
    tl->forgotten = cs_timeline_insertion_at(tl, 0)->enter;
}

size_t cs_timeline_stays(const cs_timeline *tl)
{
    return tl->insertions->count;
}

bool cs_timeline_inserted(const cs_timeline *tl)
{
    return last_leave(tl) == CS_NEVER;
}

cs_status cs_timeline_enter(cs_timeline *tl, cs_cycle cycle, unsigned track, cs_diag *diag)
{
    const cs_cycle since = last_leave(tl);
    cs_spill *list = tl->insertions;
    uint64_t locals[CS_TIMELINE_MAX_TRACKS];
    cs_timeline_insertion *insertion;

    cycle = cs_timeline_powered(tl, cycle);
    if (track == CS_TIMELINE_WORKLOAD || track >= tl->desc.nr_tracks)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "core %" PRIu32 ": enter of track %u: the "
                           "handlers are 1..%zu",
                           tl->desc.core, track, tl->desc.nr_tracks - 1);
    if (since == CS_NEVER)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "core %" PRIu32 ": enter at cycle %" PRIu64
                           " while a handler runs: leave must come first",
                           tl->desc.core, cycle);
    if (cycle < since || cycle >= CS_STREAM_END)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "core %" PRIu32 ": enter at cycle %" PRIu64 ": must be %" PRIu64
                           "..2^56-1 (not before the last leave)",
                           tl->desc.core, cycle, since);
    locals_after(tl, list->count, cycle, locals);
    insertion = cs_spill_add(list);
    if (insertion == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL,
                           "core %" PRIu32 ": no memory for insertion %zu", tl->desc.core,
                           list->count + 1);
    tl->last_enter = cycle;
    *insertion = (cs_timeline_insertion){.enter = cycle, .leave = CS_NEVER, .track = track};
    memcpy(insertion->locals, locals, tl->desc.nr_tracks * sizeof *locals);
    const size_t chunk = cs_spill_chunk_of(list, list->count - 1);
    if (cs_spill_first(list, chunk) == list->count - 1)
        list->chunks[chunk].first = cycle;
    forget_look_ups(tl, cycle);
    return CS_OK;
}

cs_status cs_timeline_leave(cs_timeline *tl, cs_cycle cycle, cs_diag *diag)
{
    cycle = cs_timeline_powered(tl, cycle);
    if (!cs_timeline_inserted(tl))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "core %" PRIu32 ": leave at cycle %" PRIu64 ": no handler runs",
                           tl->desc.core, cycle);
    cs_timeline_insertion *insertion = cs_timeline_insertion_at(tl, tl->insertions->count - 1);
    if (cycle < insertion->enter || cycle >= CS_STREAM_END)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "core %" PRIu32 ": leave at cycle %" PRIu64 ": must be %" PRIu64
                           "..2^56-1 (not before its enter)",
                           tl->desc.core, cycle, insertion->enter);
    forget_look_ups(tl, cycle);
    insertion->leave = cycle;
    return CS_OK;
}

/* ---- local times ---- */

/* By chunks first: of those of long ago only the right one is touched. */
static size_t search(cs_timeline *tl, cs_cycle t)
{
    const cs_spill *list = tl->insertions;
    size_t low = 0, high = list->count != 0 ? cs_spill_chunk_of(list, list->count - 1) + 1 : 0;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (list->chunks[middle].first <= t)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    high = cs_spill_first(list, low) < list->count ? cs_spill_first(list, low) : list->count;
    low = cs_spill_first(list, low - 1);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (cs_timeline_insertion_at(tl, middle)->enter <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether `count` is the number of insertions with enter <= t. */
static bool is_entered(cs_timeline *tl, size_t count, cs_cycle t)
{
    return (count == 0 || cs_timeline_insertion_at(tl, count - 1)->enter <= t) &&
           (count == tl->insertions->count || cs_timeline_insertion_at(tl, count)->enter > t);
}

/* How far to go step by step. */
#define NEAR 8u

static size_t go(cs_timeline *tl, size_t from, cs_cycle t)
{
    const size_t all = tl->insertions->count;

    for (unsigned step = 0; step < NEAR; step++) {
        if (from > 0 && cs_timeline_insertion_at(tl, from - 1)->enter > t)
            from--;
        else if (from < all && cs_timeline_insertion_at(tl, from)->enter <= t)
            from++;
        else
            return from;
    }
    return search(tl, t);
}

/* Most look-ups are near one of the last two: a window has two edges. */
size_t cs_timeline_find_entered(cs_timeline *tl, cs_cycle t)
{
    const size_t last = tl->last;

    if (is_entered(tl, last, t))
        return last;
    tl->last = is_entered(tl, tl->before, t) ? tl->before : go(tl, last, t);
    tl->before = last;
    return tl->last;
}

void cs_timeline_locals(cs_timeline *tl, cs_cycle t, uint64_t locals[CS_TIMELINE_MAX_TRACKS])
{
    locals_after(tl, cs_timeline_entered(tl, t), t, locals);
}

const cs_timeline_piece *cs_timeline_find_piece(cs_timeline *tl, cs_cycle t)
{
    size_t entered = cs_timeline_entered(tl, t);
    cs_cycle next =
        entered < tl->insertions->count ? cs_timeline_insertion_at(tl, entered)->enter : CS_NEVER;

    require_remembered(tl, entered, t);
    tl->piece = (cs_timeline_piece){0, next, CS_TIMELINE_WORKLOAD, tl->desc.begun};
    if (entered == 0)
        return &tl->piece;
    const cs_timeline_insertion *insertion = cs_timeline_insertion_at(tl, entered - 1);
    const uint64_t *locals = insertion->locals;
    if (t < insertion->leave)
        tl->piece = (cs_timeline_piece){insertion->enter, insertion->leave,
                                        (unsigned)insertion->track, locals[insertion->track]};
    else
        tl->piece = (cs_timeline_piece){insertion->leave, next, CS_TIMELINE_WORKLOAD,
                                        locals[CS_TIMELINE_WORKLOAD]};
    return &tl->piece;
}

unsigned cs_timeline_track(cs_timeline *tl, cs_cycle cycle, uint64_t *local_cycles)
{
    cycle = cs_timeline_powered(tl, cycle);
    const cs_timeline_piece *piece = cs_timeline_piece_at(tl, cycle);

    if (local_cycles != NULL)
        *local_cycles = cs_timeline_local(piece, cycle);
    return piece->track;
}

/* ---- who runs ---- */

static uint64_t pc_at(const cs_timeline *tl, const cs_track_state *track, size_t segment,
                      uint64_t local, const cs_function **function)
{
    const cs_segment *desc = &track->desc->segments[segment];
    const uint64_t *sums = track->weight_sums[segment];
    uint64_t quantum = local / PC_QUANTUM_CYCLES;
    uint64_t key = cs_hash_mix(tl->pc_key + track->first_slot);
    uint64_t word = cs_hash_mix(key + quantum * CS_HASH_STEP);

    *function = NULL;
    if (desc->nr_functions == 0)
        return 0;
    size_t low = 0;
    size_t high = desc->nr_functions - 1;
    uint64_t pick = (uint64_t)((cs_u128)word * sums[high] >> 64);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > pick)
            high = middle;
        else
            low = middle + 1;
    }
    *function = &desc->functions[low];
    uint64_t words = (*function)->size / 4;
    uint64_t into = cs_hash_mix(word) % words + local % PC_QUANTUM_CYCLES;
    if (into >= words) /* mostly not: a division less */
        into %= words;
    return (*function)->base + 4 * into;
}

static void context_at(const cs_timeline *tl, cs_track_state *track, uint64_t local,
                       cs_context *out)
{
    cs_program_time at = cs_timeline_time(track, local);
    size_t index = cs_program_segment(&track->program, at.rest);
    const cs_segment *segment = &track->desc->segments[index];

    out->pc = pc_at(tl, track, index, local, &out->function);
    out->cid1 = segment->cid1;
    out->cid2 = segment->cid2;
    out->pid = segment->pid;
    out->mode = (uint8_t)segment->mode;
    out->irqs_off = segment->irqs_off;
}

void cs_timeline_context(cs_timeline *tl, cs_cycle cycle, cs_context *out)
{
    cs_cycle end;

    if (cycle == tl->context_cycle) {
        *out = tl->context;
        return;
    }
    if (cs_timeline_is_off(tl, cycle, &end)) {
        *out = (cs_context){.mode = (uint8_t)tl->desc.off_mode};
        return;
    }
    const cs_cycle powered = cs_timeline_powered(tl, cycle);
    const cs_timeline_piece *piece = cs_timeline_piece_at(tl, powered);

    context_at(tl, &tl->tracks[piece->track], cs_timeline_local(piece, powered), out);
    tl->context_cycle = cycle;
    tl->context = *out;
}

void cs_timeline_workload(cs_timeline *tl, cs_cycle cycle, cs_context *out)
{
    uint64_t locals[CS_TIMELINE_MAX_TRACKS];

    cs_timeline_locals(tl, cs_timeline_powered(tl, cycle), locals);
    context_at(tl, &tl->tracks[CS_TIMELINE_WORKLOAD], locals[CS_TIMELINE_WORKLOAD], out);
}

/* In cycles with power. */
static cs_cycle next_change(cs_timeline *tl, cs_cycle t)
{
    const cs_timeline_piece *piece = cs_timeline_piece_at(tl, t);
    const cs_program *program = &tl->tracks[piece->track].program;
    cs_cycle edge;

    if (program->count == 1)
        return piece->end;
    cs_program_time at = cs_timeline_time(&tl->tracks[piece->track], cs_timeline_local(piece, t));
    size_t segment = cs_program_segment(program, at.rest);
    if (__builtin_add_overflow(t, program->starts[segment + 1] - at.rest, &edge))
        return piece->end;
    return edge < piece->end ? edge : piece->end;
}

cs_cycle cs_timeline_until(cs_timeline *tl, cs_cycle t)
{
    cs_cycle end;

    if (cs_timeline_is_off(tl, t, &end))
        return end;
    const cs_cycle change = cs_timeline_unpowered(tl, next_change(tl, cs_timeline_powered(tl, t)));
    return change < end ? change : end;
}

cs_cycle cs_timeline_irqs_on(cs_timeline *tl, cs_cycle t)
{
    cs_context who;

    for (cs_timeline_context(tl, t, &who); who.irqs_off; cs_timeline_context(tl, t, &who))
        t = cs_timeline_until(tl, t);
    return t;
}
