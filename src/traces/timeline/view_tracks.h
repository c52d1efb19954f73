// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: the tracks of a view (view.h), each made when it is first asked for. */
#ifndef CS_TRACES_TIMELINE_VIEW_TRACKS_H
#define CS_TRACES_TIMELINE_VIEW_TRACKS_H

#include <stdbool.h>

#include "traces/timeline/view.h"

/* A track with what is known of it so far. */
typedef struct cs_view_place {
    cs_view_track track;
    unsigned index;  /* which of its owner's tracks of this kind */
    unsigned class;  /* of slices that last until something changes */
    bool open;       /* something has begun there: */
    uint64_t value;  /* what, */
    cs_cycle since;  /* and when. Without it: how far the track has come */
    uint64_t held;   /* LOAD: cycles in the stretch that begins at `since` */
    uint64_t number; /* of what there was on the track */
} cs_view_place;

typedef struct cs_view_tracks {
    const cs_scenario *scenario; /* borrowed */
    cs_view_place **places;      /* a hash table: NULL where there is none */
    size_t room;                 /* a power of two */
    size_t used;
} cs_view_tracks;

/* `source`: a manager's number, a unit's, a CPU's, a group's: what the kind's tracks are told apart by.
 * `index`: which of its tracks, 0..15. NULL: no memory. */
cs_view_place *cs_view_tracks_get(cs_view_tracks *tracks, cs_view_kind kind, unsigned source,
                                  unsigned index);

void cs_view_tracks_free(cs_view_tracks *tracks);

#endif
