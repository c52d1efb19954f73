// SPDX-License-Identifier: Apache-2.0
/* Making a timeline: checks of the description, tables of tracks and events. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/stream/timeline_impl.h"

typedef struct place {
    const char *track;
    size_t segment;
} place;

static cs_status check_functions(const cs_segment *segment, place at, cs_diag *diag)
{
    uint64_t weights = 0;

    for (size_t i = 0; i < segment->nr_functions; i++) {
        const cs_function *function = &segment->functions[i];
        if (function->base % 4 != 0 || function->size % 4 != 0 || function->size == 0 ||
            function->base > UINT64_MAX - (function->size - 1))
            return cs_diag_set(diag, CS_ERR_RANGE, at.track,
                               "segment %zu: function %s at 0x%" PRIx64 " of %" PRIu32
                               " bytes: both must be multiples of 4, the size at least 4, the end "
                               "within 64 bits",
                               at.segment + 1, function->name, function->base, function->size);
        weights += function->weight;
    }
    if (segment->nr_functions > 0 && weights == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, at.track,
                           "segment %zu: the weights of its %zu functions are all 0: at least one "
                           "must be more",
                           at.segment + 1, segment->nr_functions);
    return CS_OK;
}

static cs_status check_segment(const cs_segment *segment, uint64_t period, place at, cs_diag *diag)
{
    uint64_t length = segment->length_cycles;

    if (length == 0 || length > CS_STREAM_END - period)
        return cs_diag_set(diag, CS_ERR_RANGE, at.track,
                           "segment %zu of %" PRIu64
                           " cycles: must be 1..2^56, all segments together at most 2^56",
                           at.segment + 1, length);
    if ((unsigned)segment->mode > 15)
        return cs_diag_set(diag, CS_ERR_RANGE, at.track, "segment %zu: mode %u: must be 0..15",
                           at.segment + 1, (unsigned)segment->mode);
    for (size_t i = 0; i < segment->nr_events; i++)
        if (segment->events[i].event > CS_TIMELINE_MAX_EVENT)
            return cs_diag_set(diag, CS_ERR_RANGE, at.track,
                               "segment %zu: event 0x%" PRIx32 ": must be 0..0x%x", at.segment + 1,
                               segment->events[i].event, CS_TIMELINE_MAX_EVENT);
    return check_functions(segment, at, diag);
}

static cs_status check_tracks(const cs_timeline_desc *desc, cs_diag *diag)
{
    if (desc->nr_tracks == 0 || desc->nr_tracks > CS_TIMELINE_MAX_TRACKS)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "%zu tracks: must be 1..%u", desc->nr_tracks,
                           CS_TIMELINE_MAX_TRACKS);
    for (size_t i = 0; i < desc->nr_tracks; i++) {
        const cs_track *track = &desc->tracks[i];
        uint64_t period = 0;
        if (track->nr_segments == 0)
            return cs_diag_set(diag, CS_ERR_RANGE, track->name,
                               "0 segments: a track must have at least 1");
        for (size_t k = 0; k < track->nr_segments; k++) {
            place at = {track->name, k};
            cs_status status = check_segment(&track->segments[k], period, at, diag);
            if (status != CS_OK)
                return status;
            period += track->segments[k].length_cycles;
        }
    }
    return CS_OK;
}

/* ---- tables ---- */

static uint64_t *sum_weights(const cs_segment *segment)
{
    uint64_t *sums = calloc(segment->nr_functions, sizeof *sums);
    uint64_t sum = 0;

    for (size_t i = 0; sums != NULL && i < segment->nr_functions; i++) {
        sum += segment->functions[i].weight;
        sums[i] = sum;
    }
    return sums;
}

static bool make_track(cs_track_state *track, const cs_track *desc, size_t first_slot)
{
    size_t count = desc->nr_segments;
    uint64_t *starts = calloc(count + 1, sizeof *starts);
    uint8_t *classes = calloc(count, sizeof *classes);

    track->desc = desc;
    track->first_slot = first_slot;
    track->program =
        (cs_program){.count = count, .repeat = true, .starts = starts, .classes = classes};
    track->weight_sums = calloc(count, sizeof *track->weight_sums);
    if (starts == NULL || classes == NULL || track->weight_sums == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const cs_segment *segment = &desc->segments[i];
        starts[i + 1] = starts[i] + segment->length_cycles;
        classes[i] = (uint8_t)segment->mode;
        if (segment->nr_functions == 0)
            continue;
        track->weight_sums[i] = sum_weights(segment);
        if (track->weight_sums[i] == NULL)
            return false;
    }
    track->program.period = starts[count];
    return true;
}

cs_timeline_event *cs_timeline_event_place(const cs_timeline *tl, uint32_t event)
{
    uint32_t at = (uint32_t)(cs_hash_mix(event + 1) & tl->event_mask);

    while (tl->events[at].row != 0 && tl->events[at].event != event)
        at = (at + 1) & tl->event_mask;
    return &tl->events[at];
}

/* A row for each event that any segment names; returns their number, or
 * SIZE_MAX where there is no memory. */
static size_t make_rows(cs_timeline *tl)
{
    const cs_timeline_desc *desc = &tl->desc;
    size_t named = 0;
    uint32_t size = 4;
    uint32_t rows = 0;

    for (size_t i = 0; i < desc->nr_tracks; i++)
        for (size_t k = 0; k < desc->tracks[i].nr_segments; k++)
            named += desc->tracks[i].segments[k].nr_events;
    if (named > CS_TIMELINE_MAX_EVENT + (size_t)1)
        named = CS_TIMELINE_MAX_EVENT + (size_t)1;
    while (size < 2 * named)
        size *= 2;
    tl->event_mask = size - 1;
    tl->events = calloc(size, sizeof *tl->events);
    if (tl->events == NULL)
        return SIZE_MAX;

    for (size_t i = 0; i < desc->nr_tracks; i++)
        for (size_t k = 0; k < desc->tracks[i].nr_segments; k++) {
            const cs_segment *segment = &desc->tracks[i].segments[k];
            for (size_t e = 0; e < segment->nr_events; e++) {
                cs_timeline_event *at = cs_timeline_event_place(tl, segment->events[e].event);
                if (at->row == 0)
                    *at = (cs_timeline_event){segment->events[e].event, ++rows};
            }
        }
    return rows;
}

static cs_status fill_slots(cs_timeline *tl, cs_diag *diag)
{
    for (size_t i = 0; i < tl->desc.nr_tracks; i++)
        for (size_t k = 0; k < tl->desc.tracks[i].nr_segments; k++) {
            const cs_segment *segment = &tl->desc.tracks[i].segments[k];
            for (size_t e = 0; e < segment->nr_events; e++) {
                uint32_t event = segment->events[e].event;
                size_t row = cs_timeline_event_place(tl, event)->row - 1;
                size_t slot = row * tl->slots + tl->tracks[i].first_slot + k;
                /* NULL is "not named yet" until all are seen. */
                if (tl->streams[slot] != NULL)
                    return cs_diag_set(diag, CS_ERR_RANGE, tl->desc.tracks[i].name,
                                       "segment %zu: event 0x%" PRIx32 " is listed more than once",
                                       k + 1, event);
                tl->streams[slot] = segment->events[e].stream;
            }
        }
    return CS_OK;
}

static cs_status fill(cs_timeline *tl, cs_diag *diag)
{
    tl->tracks = calloc(tl->desc.nr_tracks, sizeof *tl->tracks);
    if (tl->tracks == NULL)
        goto no_memory;
    for (size_t i = 0; i < tl->desc.nr_tracks; i++) {
        if (!make_track(&tl->tracks[i], &tl->desc.tracks[i], tl->slots))
            goto no_memory;
        tl->slots += tl->desc.tracks[i].nr_segments;
    }
    size_t rows = make_rows(tl);
    if (rows == SIZE_MAX)
        goto no_memory;
    tl->streams = calloc(rows * tl->slots + 1, sizeof *tl->streams);
    tl->cached = calloc(rows * tl->slots + 1, sizeof *tl->cached);
    tl->lines = calloc(CS_TIMELINE_LINES, sizeof *tl->lines);
    tl->insertions =
        cs_spill_create(sizeof(cs_timeline_insertion) + tl->desc.nr_tracks * sizeof(uint64_t));
    if (tl->streams == NULL || tl->cached == NULL || tl->lines == NULL || tl->insertions == NULL ||
        !cs_timeline_make_power(tl))
        goto no_memory;
    tl->pc_key = cs_hash_mix(cs_hash_mix(tl->desc.seed + CS_HASH_STEP) ^ tl->desc.core);
    return fill_slots(tl, diag);

no_memory:
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the timeline of core %" PRIu32,
                       tl->desc.core);
}

cs_status cs_timeline_create(const cs_timeline_desc *desc, cs_timeline **out, cs_diag *diag)
{
    *out = NULL;
    cs_status status = check_tracks(desc, diag);
    if (status == CS_OK)
        status = cs_timeline_check_power(desc, diag);
    if (status != CS_OK)
        return status;

    cs_timeline *tl = calloc(1, sizeof *tl);
    if (tl == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a timeline");
    tl->desc = *desc;
    tl->context_cycle = CS_NEVER;
    status = fill(tl, diag);
    if (status != CS_OK) {
        cs_timeline_destroy(tl);
        return status;
    }
    *out = tl;
    return CS_OK;
}

void cs_timeline_destroy(cs_timeline *tl)
{
    if (tl == NULL)
        return;
    for (size_t i = 0; tl->tracks != NULL && i < tl->desc.nr_tracks; i++) {
        cs_track_state *track = &tl->tracks[i];
        for (size_t k = 0; track->weight_sums != NULL && k < track->program.count; k++)
            free(track->weight_sums[k]);
        free(track->weight_sums);
        free(track->program.starts);
        free(track->program.classes);
    }
    free(tl->tracks);
    free(tl->events);
    free(tl->streams);
    free(tl->cached);
    free(tl->lines);
    cs_spill_destroy(tl->insertions);
    free(tl->off_before);
    free(tl);
}
