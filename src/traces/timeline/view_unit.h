// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: what a unit's folder brings to timelines. Its kinds of tracks and classes of
 * events are tables; what becomes of its records, functions. families.h lists them all. */
#ifndef CS_TRACES_TIMELINE_VIEW_UNIT_H
#define CS_TRACES_TIMELINE_VIEW_UNIT_H

#include "traces/timeline/view.h"
#include "traces/timeline/view_fields.h"
#include "traces/timeline/view_tracks.h"

/* A hook that is NULL has nothing to do. */
typedef struct cs_view_unit {
    uint16_t first, count;       /* the sources of its records, CS_UNIT_.. */
    const cs_view_class *states; /* one of CS_VIEW_STATE_CLASSES; NULL: they are not shown */
    const char *const *lines;    /* names of interrupt lines; those beyond are called "interrupt" */
    size_t nr_lines;
    /* Its name, where the probe stream's is not meant. False: it is. */
    bool (*name)(const cs_scenario *s, unsigned unit, char *out, size_t size);
    void (*sample)(cs_view *view, const cs_probe_record *record); /* CS_PROBE_SAMPLE */
    void (*access)(cs_view *view, const cs_probe_record *record); /* CS_PROBE_REG; NULL: as any
                                                                     register's */
    const cs_soft_kind *soft; /* what is heard of software, too; NULL: nothing */
    void (*told)(cs_view *view, const cs_soft_record *record);
} cs_view_unit;

#define CS_DECLARE_UNIT(name) extern const cs_view_unit cs_view_unit_##name;
CS_VIEW_UNITS(CS_DECLARE_UNIT)
#undef CS_DECLARE_UNIT

/* That a unit number is of, or that hears a kind; NULL: none. */
const cs_view_unit *cs_view_unit_of(unsigned unit);
const cs_view_unit *cs_view_unit_hearing(const cs_soft_kind *kind);
/* In the order of families.h; NULL: there are no more. */
const cs_view_unit *cs_view_unit_at(size_t nr);

/* ---- telling ---- */

const cs_scenario *cs_view_scenario(const cs_view *view);
/* A track as cs_view_tracks_get has it. NULL: the view has failed. */
cs_view_place *cs_view_place_of(cs_view *view, cs_view_kind kind, unsigned source, unsigned index);
/* An event of the track's kind; its class is the index'th. `name` NULL: the class's. */
void cs_view_tell(cs_view *view, cs_view_place *place, unsigned index, const char *name,
                  cs_cycle from, cs_cycle to, const cs_field_value *values);

#endif
