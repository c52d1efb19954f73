// SPDX-License-Identifier: Apache-2.0
/* Internal to base: what the sources of the timeline share. */
#ifndef CS_BASE_TIMELINE_IMPL_H
#define CS_BASE_TIMELINE_IMPL_H

#include "base/files/spill.h"
#include "base/stream/program.h"
#include "base/stream/stream_kind.h"
#include <countersink/base/stream/timeline.h>

typedef struct cs_track_state {
    const cs_track *desc;
    cs_program program;
    size_t first_slot;      /* of segment 0 in each event's row */
    uint64_t **weight_sums; /* by segment: running sums of its functions' weights */
    /* The lap of the last look-up: which it is, and the local time at which it begins. */
    uint64_t laps;
    uint64_t lap_begin;
} cs_track_state;

/* One stay in a handler, with the local times of all tracks at its enter, so that any cycle is one look-up
 * away. */
typedef struct cs_timeline_insertion {
    cs_cycle enter;
    cs_cycle leave; /* CS_NEVER while it lasts */
    uint64_t track;
    uint64_t locals[]; /* nr_tracks */
} cs_timeline_insertion;

/* The last prefixes asked for, the youngest first: windows in order ask for every edge twice, and who
 * checks them asks for both edges again. */
#define CS_TIMELINE_EDGES 4u

typedef struct cs_timeline_edge {
    uint64_t spent;
    uint64_t prefix;
} cs_timeline_edge;

typedef struct cs_timeline_cached {
    cs_timeline_edge edges[CS_TIMELINE_EDGES];
} cs_timeline_cached;

typedef struct cs_timeline_event {
    uint32_t event;
    uint32_t row; /* + 1; 0: the place is free */
} cs_timeline_event;

/* Increments of one slot, for a driver that takes all cycles in small blocks:
 * after an insertion its blocks are no longer aligned to those of the streams. */
#define CS_TIMELINE_LINE_CYCLES 256u
#define CS_TIMELINE_LINES 64u

typedef struct cs_timeline_line {
    size_t slot;    /* + 1; 0: empty */
    uint64_t first; /* in time spent in the segment, a multiple of the length */
    uint8_t increments[CS_TIMELINE_LINE_CYCLES];
} cs_timeline_line;

/* A span of cycles in which one track runs. */
typedef struct cs_timeline_piece {
    cs_cycle begin;
    cs_cycle end; /* CS_NEVER for the last */
    unsigned track;
    uint64_t local; /* of that track at the beginning */
} cs_timeline_piece;

/* Where the last look-ups in some streams were. */
#define CS_TIMELINE_PATHS 8u

/* An answer of cs_timeline_reach, in cycles with power. It stays right as long as software does not come
 * or go before it. */
typedef struct cs_timeline_reached {
    uint64_t n; /* 0: none */
    size_t row;
    uint32_t mask;
    cs_cycle from;
    cs_cycle found;
} cs_timeline_reached;

#define CS_TIMELINE_REACHED 8u

/* An answer of cs_timeline_sum, in cycles with power. It stays right as long as software does not come or
 * go before `to`. */
typedef struct cs_timeline_summed {
    size_t row;
    cs_cycle from, to; /* to 0: none */
    uint32_t mask;
    uint64_t sum;
} cs_timeline_summed;

#define CS_TIMELINE_SUMMED 8u

struct cs_timeline {
    cs_timeline_desc desc;
    uint64_t pc_key;
    cs_track_state *tracks;

    /* Events: a hash table of rows, a row has one slot a segment of any track. */
    cs_timeline_event *events;
    uint32_t event_mask;
    size_t slots;
    const cs_stream **streams;
    cs_timeline_cached *cached;
    cs_timeline_line *lines; /* by slot modulo CS_TIMELINE_LINES */

    uint64_t *off_before; /* by span: cycles without power before it */

    /* All that follows is in cycles with power. */
    cs_spill *insertions;
    cs_cycle last_enter; /* of the last one; 0: there is none */
    /* Number of insertions entered at or before the last look-up that was not beyond all of them, and at
     * or before the one before. */
    size_t last, before;
    bool forgets; /* stays that were entered before `forgotten` are not in the list any more */
    cs_cycle forgotten;
    cs_timeline_piece piece; /* of the last look-up; begins and ends at 0: none */

    /* The last context asked for: a unit and whoever checks it ask for the same. */
    cs_cycle context_cycle; /* CS_NEVER: none */
    cs_context context;

    cs_stream_path paths[CS_TIMELINE_PATHS]; /* by slot modulo */

    /* By row modulo: who finds an overflow, and who checks it, ask for the same. And the latest cycle
     * that was found. */
    cs_timeline_reached reached[CS_TIMELINE_REACHED];
    cs_cycle reached_last;
    /* By row modulo: a counter, and who checks it, ask for the same. And the latest `to`. */
    cs_timeline_summed summed[CS_TIMELINE_SUMMED];
    cs_cycle summed_last;
};

/* Valid until the next call. */
static inline cs_timeline_insertion *cs_timeline_insertion_at(cs_timeline *tl, size_t i)
{
    return cs_spill_at(tl->insertions, i);
}

/* ---- timeline_power.c ---- */

cs_status cs_timeline_check_power(const cs_timeline_desc *desc, cs_diag *diag);
bool cs_timeline_make_power(cs_timeline *tl); /* false: no memory */
/* How many cycles before t have power. */
cs_cycle cs_timeline_powered(const cs_timeline *tl, cs_cycle t);
/* The first t before which so many cycles have power. */
cs_cycle cs_timeline_unpowered(const cs_timeline *tl, cs_cycle powered);
/* True without power at t; *end is the first cycle that is otherwise. */
bool cs_timeline_is_off(const cs_timeline *tl, cs_cycle t, cs_cycle *end);

/* ---- in cycles with power ---- */

/* The number of insertions with enter <= t. */
size_t cs_timeline_find_entered(cs_timeline *tl, cs_cycle t);

static inline size_t cs_timeline_entered(cs_timeline *tl, cs_cycle t)
{
    return t >= tl->last_enter ? tl->insertions->count : cs_timeline_find_entered(tl, t);
}

/* Looks for the piece in which t lies. */
const cs_timeline_piece *cs_timeline_find_piece(cs_timeline *tl, cs_cycle t);

/* The same, where most look-ups are near the last one; valid until the next. */
static inline const cs_timeline_piece *cs_timeline_piece_at(cs_timeline *tl, cs_cycle t)
{
    const cs_timeline_piece *piece = &tl->piece;

    return t >= piece->begin && t < piece->end ? piece : cs_timeline_find_piece(tl, t);
}

static inline uint64_t cs_timeline_local(const cs_timeline_piece *piece, cs_cycle t)
{
    return piece->local + (t - piece->begin);
}

/* As cs_program_at, without a division within a lap. */
static inline cs_program_time cs_timeline_time(cs_track_state *track, uint64_t local)
{
    if (local - track->lap_begin < track->program.period)
        return (cs_program_time){track->laps, local - track->lap_begin};
    const cs_program_time at = cs_program_at(&track->program, local);

    track->laps = at.laps;
    track->lap_begin = local - at.rest;
    return at;
}

/* The local times of all tracks at t. */
void cs_timeline_locals(cs_timeline *tl, cs_cycle t, uint64_t locals[CS_TIMELINE_MAX_TRACKS]);

/* The place of an event in the table: its own, or a free one. */
cs_timeline_event *cs_timeline_event_place(const cs_timeline *tl, uint32_t event);

#endif
