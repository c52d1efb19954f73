// SPDX-License-Identifier: Apache-2.0
/* A core's timeline: who runs on it at each cycle, and what its events do.
 *
 * A core has tracks. Track 0 is the workload; the others are handlers (interrupt
 * service, firmware) that software inserts with enter and leave. Exactly one
 * track runs at a cycle, the others stand still: a track is a function of its
 * own local time, the number of cycles it has run. A track is a program of
 * segments, repeated for ever; the streams of a segment are functions of the
 * time spent in that segment, and go on where they were when it comes again.
 * All sums are therefore differences of prefixes, exact and logarithmic.
 *
 * A core may be without power for spans of cycles. Nothing runs then and nothing counts: all tracks
 * stand still, and go on where they were.
 *
 * One timeline a core and system. Model and RTL have one each, made from the
 * same description; streams are immutable and shared. A timeline holds small
 * look-up caches (they change no answer), so that it may be used by one thread
 * at a time; its functions take it without const.
 *
 * Answers are pure, but for software that is yet to come: an enter or leave at
 * cycle c changes answers about cycles >= c only. Cycles from CS_STREAM_END on
 * count nothing. */
#ifndef CS_BASE_TIMELINE_H
#define CS_BASE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>
#include <countersink/base/stream/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_TIMELINE_MAX_TRACKS 16u
#define CS_TIMELINE_WORKLOAD 0u
#define CS_TIMELINE_MAX_EVENT 0xfffffu

/* A function, reached by one way: a segment has it as often as there are ways to it. */
typedef struct cs_function {
    const char *name;
    uint64_t base;           /* a multiple of 4 */
    uint32_t size;           /* bytes, a multiple of 4, > 0 */
    uint32_t weight;         /* its share of the segment's time; not all 0 in a segment */
    const uint64_t *returns; /* [nr_returns] where it returns to, its callers to theirs, .. */
    uint32_t nr_returns;
    uint32_t number; /* its number for the code that made it */
} cs_function;

typedef struct cs_segment_event {
    uint32_t event;          /* 0..CS_TIMELINE_MAX_EVENT, once a segment */
    const cs_stream *stream; /* NULL counts nothing */
} cs_segment_event;

typedef struct cs_segment {
    uint64_t length_cycles; /* 1..CS_STREAM_END */
    cs_privilege mode;      /* 0..15, what a mask can name */
    uint32_t cid1;
    uint32_t cid2;
    const cs_function *functions; /* none: the pc is 0 */
    size_t nr_functions;
    const cs_segment_event *events; /* what is not listed counts nothing */
    size_t nr_events;
    bool irqs_off; /* interrupts are off: what asks waits for the segment's end */
    uint32_t pid;  /* cs_context */
} cs_segment;

typedef struct cs_track {
    const char *name;
    const cs_segment *segments;
    size_t nr_segments; /* >= 1; their lengths add up to at most CS_STREAM_END */
} cs_track;

/* Cycles [from, to) without power. */
typedef struct cs_timeline_off {
    cs_cycle from, to;
} cs_timeline_off;

/* The seed and the core fix the program counters (the streams have their own
 * keys, cs_stream_key). */
typedef struct cs_timeline_desc {
    uint64_t seed;
    uint32_t core;
    uint64_t begun;         /* local cycles of the workload before cycle 0, within its first lap */
    const cs_track *tracks; /* [0] the workload, the rest handlers */
    size_t nr_tracks;       /* 1..CS_TIMELINE_MAX_TRACKS */
    const cs_timeline_off *off; /* rising, none empty, none touching another; borrowed */
    size_t nr_off;
    cs_privilege off_mode; /* what a context says then; its program counter and ids are 0 */
} cs_timeline_desc;

typedef struct cs_timeline cs_timeline;

/* The tracks, segments, functions, names, streams and spans behind `desc` are borrowed
 * and must outlive the timeline; *desc itself is copied.
 * Errors: CS_ERR_RANGE (what was found and what is allowed), CS_ERR_NO_MEMORY;
 * *out is NULL then. */
cs_status cs_timeline_create(const cs_timeline_desc *desc, cs_timeline **out, cs_diag *diag);

/* NULL is allowed. */
void cs_timeline_destroy(cs_timeline *tl);

/* Forgets all enters and leaves. */
void cs_timeline_reset(cs_timeline *tl);

/* From `cycle` on the handler `track` (1..nr_tracks-1) runs and the workload
 * stands still, until leave: open ended so far. CS_ERR_RANGE for another track,
 * for a cycle before the last leave (or from CS_STREAM_END on), and while a
 * handler runs already. This is the one call that may allocate (its list of
 * insertions grows, amortised): CS_ERR_NO_MEMORY. */
cs_status cs_timeline_enter(cs_timeline *tl, cs_cycle cycle, unsigned track, cs_diag *diag);

/* From `cycle` on the workload runs again. CS_ERR_RANGE where no handler runs,
 * cycle is before its enter or from CS_STREAM_END on; enter and leave at one cycle insert nothing.
 */
cs_status cs_timeline_leave(cs_timeline *tl, cs_cycle cycle, cs_diag *diag);

/* Frees what is only needed for answers about cycles before `before`: the stays of software (from an
 * enter to its leave) that ended before it. Each takes 24 bytes and 8 for each track; with a call now and
 * then they need a constant amount of memory. A question about a forgotten cycle aborts the program with a
 * message. */
void cs_timeline_forget(cs_timeline *tl, cs_cycle before);

/* How many stays of software are remembered. */
size_t cs_timeline_stays(const cs_timeline *tl);

/* True between enter and leave. */
bool cs_timeline_inserted(const cs_timeline *tl);

/* The sum of the event's increments over the cycles of [from, to) in which the
 * core was in one of the modes of mode_mask (CS_MODE_MASK). 0 where to <= from,
 * and for an event that the core does not know. */
uint64_t cs_timeline_sum(cs_timeline *tl, uint32_t event, uint32_t mode_mask, cs_cycle from,
                         cs_cycle to);

/* The sums of those events over [from, to) are asked for next; n <= CS_EVENTS_AT_ONCE. Finds what they
 * need side by side. */
void cs_timeline_prepare(cs_timeline *tl, const uint32_t events[], unsigned n, uint32_t mode_mask,
                         cs_cycle from, cs_cycle to);

/* The least t >= from with sum(from, t) >= n; CS_NEVER if there is none. */
cs_cycle cs_timeline_reach(cs_timeline *tl, uint32_t event, uint32_t mode_mask, cs_cycle from,
                           uint64_t n);

/* out[i] = the event's increment in cycle first + i, in whatever mode the core
 * is, for i < n. Cheapest in aligned blocks of 64 and more. */
void cs_timeline_increments(cs_timeline *tl, uint32_t event, cs_cycle first, size_t n,
                            uint8_t out[]);

/* The next event that some segment has, in no order; *at is 0 before the first. False: that was the last. */
bool cs_timeline_next_event(const cs_timeline *tl, size_t *at, uint32_t *event);

/* What runs at `cycle`; nothing without power. The pc is a multiple of 4 within a function of the
 * segment, chosen by weight for each quantum of local time. */
void cs_timeline_context(cs_timeline *tl, cs_cycle cycle, cs_context *out);

/* Who the workload is at `cycle`, or was when the handler that runs there interrupted it. */
void cs_timeline_workload(cs_timeline *tl, cs_cycle cycle, cs_context *out);

/* The first cycle > t at which mode, cid1 or cid2 may differ from those at t;
 * CS_NEVER if they cannot change any more (but for software yet to come). */
cs_cycle cs_timeline_until(cs_timeline *tl, cs_cycle t);

/* The first cycle >= t in which who runs takes interrupts (cs_segment.irqs_off), but for software yet
 * to come; a track that never takes any must not be asked. */
cs_cycle cs_timeline_irqs_on(cs_timeline *tl, cs_cycle t);

/* The track that runs at `cycle`, and how many cycles it has run before it. */
unsigned cs_timeline_track(cs_timeline *tl, cs_cycle cycle, uint64_t *local_cycles);

/* The timeline as what a model is handed; valid as long as the timeline. */
cs_event_source cs_timeline_event_source(cs_timeline *tl);

#ifdef __cplusplus
}
#endif

#endif
