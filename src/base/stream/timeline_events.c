// SPDX-License-Identifier: Apache-2.0
/* What the events of a timeline count. */
#include <string.h>

#include "base/stream/stream_kind.h"
#include "base/stream/timeline_impl.h"

static bool find_row(const cs_timeline *tl, uint32_t event, size_t *row)
{
    const cs_timeline_event *at = cs_timeline_event_place(tl, event);

    if (at->row == 0)
        return false;
    *row = at->row - 1;
    return true;
}

static cs_cycle bounded(cs_cycle t)
{
    return t < CS_STREAM_END ? t : CS_STREAM_END;
}

/* The slots of a track in an event's row. */
static size_t first_slot(const cs_timeline *tl, size_t row, unsigned track)
{
    return row * tl->slots + tl->tracks[track].first_slot;
}

static void remember(cs_timeline_cached *cached, cs_timeline_edge edge)
{
    for (unsigned i = CS_TIMELINE_EDGES - 1; i > 0; i--)
        cached->edges[i] = cached->edges[i - 1];
    cached->edges[0] = edge;
}

static bool is_cached(const cs_timeline_cached *cached, uint64_t spent)
{
    for (unsigned i = 0; i < CS_TIMELINE_EDGES; i++)
        if (cached->edges[i].spent == spent)
            return true;
    return false;
}

static cs_stream_path *path_of(cs_timeline *tl, size_t slot)
{
    return &tl->paths[slot % CS_TIMELINE_PATHS];
}

static uint64_t cached_prefix(cs_timeline *tl, size_t slot, uint64_t spent)
{
    cs_timeline_cached *cached = &tl->cached[slot];

    for (unsigned i = 0; i < CS_TIMELINE_EDGES; i++)
        if (cached->edges[i].spent == spent)
            return cached->edges[i].prefix;
    const cs_timeline_edge edge = {
        spent, cs_stream_prefix_near(tl->streams[slot], spent, path_of(tl, slot))};
    remember(cached, edge);
    return edge.prefix;
}

/* The sum over the track's local cycles [from, to). */
static uint64_t track_sum(cs_timeline *tl, size_t row, unsigned track, uint32_t mask, uint64_t from,
                          uint64_t to)
{
    const cs_program *program = &tl->tracks[track].program;
    size_t slot = first_slot(tl, row, track);
    cs_program_time begin = cs_timeline_time(&tl->tracks[track], from);
    cs_program_time end = cs_timeline_time(&tl->tracks[track], to);
    size_t i = 0, count = program->count;
    uint64_t sum = 0;

    /* Within a segment: the others have nothing in it. */
    if (begin.laps == end.laps && begin.rest < program->period) {
        i = cs_program_segment(program, begin.rest);
        count = end.rest <= program->starts[i + 1] ? i + 1 : count;
        slot += i;
    }
    for (; i < count; i++, slot++) {
        if (tl->streams[slot] == NULL || !cs_program_selects(program, i, mask))
            continue;
        uint64_t spent = cs_program_spent(program, i, begin);
        uint64_t spent_after = cs_program_spent(program, i, end);
        if (spent == spent_after)
            continue;
        /* In this order the cache is left with the later edge in front. */
        uint64_t before = cached_prefix(tl, slot, spent);
        sum += cached_prefix(tl, slot, spent_after) - before;
    }
    return sum;
}

static uint64_t row_sum(cs_timeline *tl, size_t row, uint32_t mask, cs_cycle from, cs_cycle to)
{
    uint64_t begin[CS_TIMELINE_MAX_TRACKS];
    uint64_t end[CS_TIMELINE_MAX_TRACKS];
    uint64_t sum = 0;

    const cs_timeline_piece *piece = cs_timeline_piece_at(tl, from);
    if (to <= piece->end) /* one track runs all the time */
        return track_sum(tl, row, piece->track, mask, cs_timeline_local(piece, from),
                         cs_timeline_local(piece, to));
    cs_timeline_locals(tl, from, begin);
    cs_timeline_locals(tl, to, end);
    for (unsigned i = 0; i < tl->desc.nr_tracks; i++)
        if (begin[i] != end[i])
            sum += track_sum(tl, row, i, mask, begin[i], end[i]);
    return sum;
}

uint64_t cs_timeline_sum(cs_timeline *tl, uint32_t event, uint32_t mode_mask, cs_cycle from,
                         cs_cycle to)
{
    size_t row;

    to = bounded(to);
    if (to <= from || !find_row(tl, event, &row))
        return 0;
    from = cs_timeline_powered(tl, from);
    to = cs_timeline_powered(tl, to);
    cs_timeline_summed *known = &tl->summed[row % CS_TIMELINE_SUMMED];
    if (known->to != to || known->from != from || known->row != row || known->mask != mode_mask)
        *known =
            (cs_timeline_summed){row, from, to, mode_mask, row_sum(tl, row, mode_mask, from, to)};
    tl->summed_last = to > tl->summed_last ? to : tl->summed_last;
    return known->sum;
}

/* ---- several sums ---- */

#define ASKS 32u

/* Prefixes that are to be in the cache, found side by side. */
typedef struct asking {
    cs_timeline *tl;
    cs_stream_ask asks[ASKS];
    size_t slots[ASKS];
    size_t count;
} asking;

static void answer(asking *a)
{
    cs_stream_prefixes(a->asks, a->count);
    for (size_t i = 0; i < a->count; i++)
        remember(&a->tl->cached[a->slots[i]], (cs_timeline_edge){a->asks[i].t, a->asks[i].prefix});
    a->count = 0;
}

static void ask(asking *a, size_t slot, uint64_t spent)
{
    if (is_cached(&a->tl->cached[slot], spent))
        return;
    if (a->count == ASKS)
        answer(a);
    a->asks[a->count] = (cs_stream_ask){a->tl->streams[slot], spent, 0};
    a->slots[a->count++] = slot;
}

/* Both edges of each segment that has been in [from, to) of the track. */
static void ask_track(asking *a, unsigned track, const size_t rows[], unsigned n, uint32_t mask,
                      uint64_t from, uint64_t to)
{
    cs_timeline *tl = a->tl;
    const cs_program *program = &tl->tracks[track].program;
    const cs_program_time begin = cs_timeline_time(&tl->tracks[track], from);
    const cs_program_time end = cs_timeline_time(&tl->tracks[track], to);

    for (size_t i = 0; i < program->count; i++) {
        const uint64_t spent = cs_program_spent(program, i, begin);
        const uint64_t spent_after = cs_program_spent(program, i, end);

        if (spent == spent_after || !cs_program_selects(program, i, mask))
            continue;
        for (unsigned k = 0; k < n; k++) {
            const size_t slot = first_slot(tl, rows[k], track) + i;

            if (tl->streams[slot] == NULL)
                continue;
            ask(a, slot, spent);
            ask(a, slot, spent_after);
        }
    }
}

void cs_timeline_prepare(cs_timeline *tl, const uint32_t events[], unsigned n, uint32_t mode_mask,
                         cs_cycle from, cs_cycle to)
{
    size_t rows[CS_EVENTS_AT_ONCE];
    unsigned nr_rows = 0;
    asking a = {.tl = tl, .count = 0};

    to = bounded(to);
    for (unsigned i = 0; i < n && i < CS_EVENTS_AT_ONCE; i++)
        nr_rows += find_row(tl, events[i], &rows[nr_rows]);
    if (to <= from || nr_rows == 0)
        return;
    from = cs_timeline_powered(tl, from);
    to = cs_timeline_powered(tl, to);
    const cs_timeline_piece *piece = cs_timeline_piece_at(tl, from);
    if (to > piece->end)
        return; /* several tracks: rare */
    ask_track(&a, piece->track, rows, nr_rows, mode_mask, cs_timeline_local(piece, from),
              cs_timeline_local(piece, to));
    answer(&a);
}

/* ---- reach ---- */

/* The last enter after `from` up to which fewer than n are counted, or `from`
 * itself: by doubling steps, then by halving the last. */
static cs_cycle skip_insertions(cs_timeline *tl, size_t row, uint32_t mask, cs_cycle from,
                                uint64_t n)
{
    size_t first = cs_timeline_entered(tl, from);
    size_t done = 0;
    size_t all = tl->insertions->count - first;
    size_t step = 1;

    while (step <= all - done &&
           row_sum(tl, row, mask, from,
                   cs_timeline_insertion_at(tl, first + done + step - 1)->enter) < n) {
        done += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (step <= all - done &&
            row_sum(tl, row, mask, from,
                    cs_timeline_insertion_at(tl, first + done + step - 1)->enter) < n)
            done += step;
    return done > 0 ? cs_timeline_insertion_at(tl, first + done - 1)->enter : from;
}

/* Segments that are tried one by one before the program is asked. */
#define SEGMENTS 2u

/* The least local time of the track with n events from `from` on; CS_NEVER. */
static uint64_t track_reach(cs_timeline *tl, size_t row, unsigned track, uint32_t mask,
                            uint64_t from, uint64_t n)
{
    const cs_program *program = &tl->tracks[track].program;
    const size_t first = first_slot(tl, row, track);

    for (unsigned i = 0; i < SEGMENTS && n < CS_STREAM_END && from < CS_STREAM_END; i++) {
        const cs_program_time at = cs_timeline_time(&tl->tracks[track], from);
        const size_t segment = cs_program_segment(program, at.rest);

        if (segment == program->count)
            return CS_NEVER;
        const uint64_t left = program->starts[segment + 1] - at.rest;
        const size_t slot = first + segment;
        if (tl->streams[slot] != NULL && cs_program_selects(program, segment, mask)) {
            const uint64_t spent = cs_program_spent(program, segment, at);
            const uint64_t before = cached_prefix(tl, slot, spent);
            const cs_cycle found =
                cs_stream_find_near(tl->streams[slot], before + n, path_of(tl, slot));

            if (found != CS_NEVER && found - spent <= left)
                return from + (found - spent);
            n -= cached_prefix(tl, slot, spent + left) - before;
        }
        from += left;
    }
    if (from >= CS_STREAM_END)
        return CS_NEVER;
    return cs_program_reach(program, tl->streams + first, mask, from, n);
}

/* In cycles with power. */
static cs_cycle row_reach(cs_timeline *tl, size_t row, uint32_t mode_mask, cs_cycle from,
                          uint64_t n)
{
    cs_cycle t = from;
    if (cs_timeline_piece_at(tl, from)->end != CS_NEVER)
        t = skip_insertions(tl, row, mode_mask, from, n);
    uint64_t need = t > from ? n - row_sum(tl, row, mode_mask, from, t) : n;
    while (t < CS_STREAM_END) {
        const cs_timeline_piece *piece = cs_timeline_piece_at(tl, t);
        const cs_cycle end = bounded(piece->end);
        const uint64_t local = cs_timeline_local(piece, t);
        const uint64_t found = track_reach(tl, row, piece->track, mode_mask, local, need);
        if (found != CS_NEVER && found - local <= end - t)
            return t + (found - local);
        need -= row_sum(tl, row, mode_mask, t, end);
        t = end;
    }
    return CS_NEVER;
}

cs_cycle cs_timeline_reach(cs_timeline *tl, uint32_t event, uint32_t mode_mask, cs_cycle from,
                           uint64_t n)
{
    size_t row;

    if (n == 0)
        return from;
    if (from >= CS_STREAM_END || !find_row(tl, event, &row))
        return CS_NEVER;
    cs_timeline_reached *known = &tl->reached[row % CS_TIMELINE_REACHED];
    from = cs_timeline_powered(tl, from);
    if (known->n != n || known->from != from || known->row != row || known->mask != mode_mask)
        *known =
            (cs_timeline_reached){n, row, mode_mask, from, row_reach(tl, row, mode_mask, from, n)};
    tl->reached_last = known->found > tl->reached_last ? known->found : tl->reached_last;
    const cs_cycle found = cs_timeline_unpowered(tl, known->found);
    return found <= CS_STREAM_END ? found : CS_NEVER;
}

/* ---- single cycles ---- */

/* Increments of one slot, from the time `spent` in its segment on. */
static void slot_increments(cs_timeline *tl, size_t slot, uint64_t spent, size_t n, uint8_t out[])
{
    const cs_stream *stream = tl->streams[slot];
    cs_timeline_line *line = &tl->lines[slot % CS_TIMELINE_LINES];

    if (stream == NULL) {
        memset(out, 0, n);
        return;
    }
    if (n >= CS_TIMELINE_LINE_CYCLES) {
        cs_stream_increments(stream, spent, n, out);
        return;
    }
    while (n > 0) {
        size_t into = (size_t)(spent % CS_TIMELINE_LINE_CYCLES);
        size_t left = CS_TIMELINE_LINE_CYCLES - into;
        size_t here = n < left ? n : left;
        if (line->slot != slot + 1 || line->first != spent - into) {
            line->slot = slot + 1;
            line->first = spent - into;
            cs_stream_increments(stream, line->first, CS_TIMELINE_LINE_CYCLES, line->increments);
        }
        memcpy(out, line->increments + into, here);
        spent += here;
        out += here;
        n -= here;
    }
}

/* In cycles with power. */
static void row_increments(cs_timeline *tl, size_t row, cs_cycle first, size_t n, uint8_t out[])
{
    while (n > 0) {
        const cs_timeline_piece *piece = cs_timeline_piece_at(tl, first);
        cs_track_state *track = &tl->tracks[piece->track];
        const cs_program *program = &track->program;
        cs_program_time at = cs_timeline_time(track, cs_timeline_local(piece, first));
        size_t segment = cs_program_segment(program, at.rest);
        uint64_t here = program->starts[segment + 1] - at.rest;

        if (here > piece->end - first)
            here = piece->end - first;
        if (here > n)
            here = n;
        slot_increments(tl, first_slot(tl, row, piece->track) + segment,
                        cs_program_spent(program, segment, at), (size_t)here, out);
        first += here;
        out += here;
        n -= (size_t)here;
    }
}

void cs_timeline_increments(cs_timeline *tl, uint32_t event, cs_cycle first, size_t n,
                            uint8_t out[])
{
    uint64_t left = first < CS_STREAM_END ? CS_STREAM_END - first : 0;
    size_t row;

    if (!find_row(tl, event, &row)) {
        memset(out, 0, n);
        return;
    }
    if (n > left) {
        memset(out + left, 0, n - (size_t)left);
        n = (size_t)left;
    }
    while (n > 0) {
        cs_cycle end;
        const bool off = cs_timeline_is_off(tl, first, &end);
        const size_t here = end - first < n ? (size_t)(end - first) : n;

        if (off)
            memset(out, 0, here);
        else
            row_increments(tl, row, cs_timeline_powered(tl, first), here, out);
        first += here;
        out += here;
        n -= here;
    }
}

/* ---- as an event source ---- */

static uint64_t source_sum(void *ctx, uint32_t event, uint32_t mode_mask, cs_cycle from,
                           cs_cycle to)
{
    return cs_timeline_sum(ctx, event, mode_mask, from, to);
}

static void source_prepare(void *ctx, const uint32_t events[], unsigned n, uint32_t mode_mask,
                           cs_cycle from, cs_cycle to)
{
    cs_timeline_prepare(ctx, events, n, mode_mask, from, to);
}

static cs_cycle source_reach(void *ctx, uint32_t event, uint32_t mode_mask, cs_cycle from,
                             uint64_t n)
{
    return cs_timeline_reach(ctx, event, mode_mask, from, n);
}

static void source_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    cs_timeline_context(ctx, cycle, out);
}

cs_event_source cs_timeline_event_source(cs_timeline *tl)
{
    return (cs_event_source){source_sum, source_reach, source_context, tl, source_prepare};
}

bool cs_timeline_next_event(const cs_timeline *tl, size_t *at, uint32_t *event)
{
    while (*at <= tl->event_mask) {
        const cs_timeline_event *place = &tl->events[(*at)++];

        *event = place->event;
        if (place->row != 0)
            return true;
    }
    return false;
}
