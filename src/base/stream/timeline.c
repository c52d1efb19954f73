/* Whose turn it is: insertions, local times, contexts. */
#include "base/stream/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/stream/accumulator.h"
#include "base/stream/timeline_impl.h"

/* The program counter walks straight on for this many cycles of local time. */
#define PC_QUANTUM_CYCLES 64u

/* ---- insertions ---- */

/* Software came or went. */
static void forget_look_ups(cs_timeline *tl)
{
    tl->piece = (cs_timeline_piece){0};
    tl->context_cycle = CS_NEVER;
}

void cs_timeline_reset(cs_timeline *tl)
{
    tl->nr_insertions = 0;
    tl->last = 0;
    forget_look_ups(tl);
}

bool cs_timeline_inserted(const cs_timeline *tl)
{
    return tl->nr_insertions > 0 && tl->insertions[tl->nr_insertions - 1].leave == CS_NEVER;
}

static bool grow(cs_timeline *tl)
{
    size_t capacity = tl->capacity > 0 ? 2 * tl->capacity : 64;
    cs_timeline_insertion *insertions = realloc(tl->insertions, capacity * sizeof *tl->insertions);

    if (insertions == NULL)
        return false;
    tl->insertions = insertions;
    uint64_t *locals = realloc(tl->locals, capacity * tl->desc.nr_tracks * sizeof *locals);
    if (locals == NULL)
        return false;
    tl->locals = locals;
    tl->capacity = capacity;
    return true;
}

cs_status cs_timeline_enter(cs_timeline *tl, cycle_t cycle, unsigned track, cs_diag *diag)
{
    cycle_t since = tl->nr_insertions > 0 ? tl->insertions[tl->nr_insertions - 1].leave : 0;
    uint64_t locals[CS_TIMELINE_MAX_TRACKS];

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
    if (tl->nr_insertions == tl->capacity && !grow(tl))
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL,
                           "core %" PRIu32 ": no memory for insertion %zu", tl->desc.core,
                           tl->nr_insertions + 1);

    cs_timeline_locals(tl, cycle, locals);
    memcpy(tl->locals + tl->nr_insertions * tl->desc.nr_tracks, locals,
           tl->desc.nr_tracks * sizeof *locals);
    forget_look_ups(tl);
    tl->insertions[tl->nr_insertions++] = (cs_timeline_insertion){cycle, CS_NEVER, track};
    return CS_OK;
}

cs_status cs_timeline_leave(cs_timeline *tl, cycle_t cycle, cs_diag *diag)
{
    if (!cs_timeline_inserted(tl))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "core %" PRIu32 ": leave at cycle %" PRIu64 ": no handler runs",
                           tl->desc.core, cycle);
    cs_timeline_insertion *insertion = &tl->insertions[tl->nr_insertions - 1];
    if (cycle < insertion->enter || cycle >= CS_STREAM_END)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "core %" PRIu32 ": leave at cycle %" PRIu64 ": must be %" PRIu64
                           "..2^56-1 (not before its enter)",
                           tl->desc.core, cycle, insertion->enter);
    forget_look_ups(tl);
    insertion->leave = cycle;
    return CS_OK;
}

/* ---- local times ---- */

size_t cs_timeline_entered(cs_timeline *tl, cycle_t t)
{
    const cs_timeline_insertion *insertions = tl->insertions;
    size_t low = 0;
    size_t high = tl->nr_insertions;
    size_t last = tl->last;

    /* Most look-ups are near the last one: narrow the search around it. */
    if (last > 0 && insertions[last - 1].enter <= t)
        low = last;
    for (size_t step = 1; low > 0 && step < high - low; step *= 2) {
        if (insertions[low + step - 1].enter > t) {
            high = low + step - 1;
            break;
        }
        low += step;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (insertions[middle].enter <= t)
            low = middle + 1;
        else
            high = middle;
    }
    tl->last = low;
    return low;
}

void cs_timeline_locals(cs_timeline *tl, cycle_t t, uint64_t locals[CS_TIMELINE_MAX_TRACKS])
{
    size_t tracks = tl->desc.nr_tracks;
    size_t entered = cs_timeline_entered(tl, t);

    if (entered == 0) {
        memset(locals, 0, tracks * sizeof *locals);
        locals[CS_TIMELINE_WORKLOAD] = t;
        return;
    }
    const cs_timeline_insertion *insertion = &tl->insertions[entered - 1];
    memcpy(locals, tl->locals + (entered - 1) * tracks, tracks * sizeof *locals);
    if (t < insertion->leave) {
        locals[insertion->track] += t - insertion->enter;
    } else {
        locals[insertion->track] += insertion->leave - insertion->enter;
        locals[CS_TIMELINE_WORKLOAD] += t - insertion->leave;
    }
}

const cs_timeline_piece *cs_timeline_find_piece(cs_timeline *tl, cycle_t t)
{
    size_t entered = cs_timeline_entered(tl, t);
    cycle_t next = entered < tl->nr_insertions ? tl->insertions[entered].enter : CS_NEVER;

    tl->piece = (cs_timeline_piece){0, next, CS_TIMELINE_WORKLOAD, 0};
    if (entered == 0)
        return &tl->piece;
    const cs_timeline_insertion *insertion = &tl->insertions[entered - 1];
    const uint64_t *locals = tl->locals + (entered - 1) * tl->desc.nr_tracks;
    if (t < insertion->leave)
        tl->piece = (cs_timeline_piece){insertion->enter, insertion->leave, insertion->track,
                                        locals[insertion->track]};
    else
        tl->piece = (cs_timeline_piece){insertion->leave, next, CS_TIMELINE_WORKLOAD,
                                        locals[CS_TIMELINE_WORKLOAD]};
    return &tl->piece;
}

unsigned cs_timeline_track(cs_timeline *tl, cycle_t cycle, uint64_t *local_cycles)
{
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
    uint64_t into = (cs_hash_mix(word) % words + local % PC_QUANTUM_CYCLES) % words;
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
    out->mode = (uint8_t)segment->mode;
}

void cs_timeline_context(cs_timeline *tl, cycle_t cycle, cs_context *out)
{
    if (cycle == tl->context_cycle) {
        *out = tl->context;
        return;
    }
    const cs_timeline_piece *piece = cs_timeline_piece_at(tl, cycle);

    context_at(tl, &tl->tracks[piece->track], cs_timeline_local(piece, cycle), out);
    tl->context_cycle = cycle;
    tl->context = *out;
}

void cs_timeline_workload(cs_timeline *tl, cycle_t cycle, cs_context *out)
{
    uint64_t locals[CS_TIMELINE_MAX_TRACKS];

    cs_timeline_locals(tl, cycle, locals);
    context_at(tl, &tl->tracks[CS_TIMELINE_WORKLOAD], locals[CS_TIMELINE_WORKLOAD], out);
}

cycle_t cs_timeline_until(cs_timeline *tl, cycle_t t)
{
    const cs_timeline_piece *piece = cs_timeline_piece_at(tl, t);
    const cs_program *program = &tl->tracks[piece->track].program;
    cycle_t edge;

    if (program->count == 1)
        return piece->end;
    cs_program_time at = cs_timeline_time(&tl->tracks[piece->track], cs_timeline_local(piece, t));
    size_t segment = cs_program_segment(program, at.rest);
    if (__builtin_add_overflow(t, program->starts[segment + 1] - at.rest, &edge))
        return piece->end;
    return edge < piece->end ? edge : piece->end;
}
