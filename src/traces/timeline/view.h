// SPDX-License-Identifier: Apache-2.0
/* A run as a viewer of timelines shows it: what happened, as named events with fields on tracks. One
 * reading of the probe stream and of what software tells for all writers of timelines (ctf.c,
 * perfetto.c). What is of one unit alone is in its folder (view_unit.h). Memory: a few hundred tracks, whatever the length of the run.
 *
 * Times are cycles. The events of one track come in order of `from`, slices of a track do not
 * overlap; different tracks come in no particular order. */
#ifndef CS_TRACES_TIMELINE_VIEW_H
#define CS_TRACES_TIMELINE_VIEW_H

#include "formats/common/field.h"
#include "results/run.h"
#include "scenario/scenario.h"
#include "traces/families.h"
#include "traces/trace.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_VIEW_NAME_BYTES 48u
#define CS_VIEW_MAX_FIELDS 8u

/* Kinds of tracks: the rows of families.h. */
typedef enum cs_view_kind {
#define KIND(NAME, name) CS_VIEW_##NAME,
    CS_VIEW_KIND_ROWS(KIND)
#undef KIND
        CS_VIEW_KINDS
} cs_view_kind;

typedef enum cs_view_shape {
    CS_VIEW_SLICE,   /* [from, to) */
    CS_VIEW_INSTANT, /* at from */
    CS_VIEW_COUNTER  /* the last field is the value in [from, to) */
} cs_view_shape;

/* A kind of events. */
typedef struct cs_view_class {
    const char *name;
    cs_view_shape shape;
    const cs_field *fields;
    size_t nr_fields; /* at least one */
} cs_view_class;

/* What tells a track of a kind from another: the number of one of these. */
typedef enum cs_view_owner {
    CS_VIEW_OF_MANAGER,
    CS_VIEW_OF_UNIT,
    CS_VIEW_OF_CPU,
    CS_VIEW_OF_PART /* of the one unit that has this kind */
} cs_view_owner;

/* What the tracks of a kind have in common. */
typedef struct cs_view_kind_info {
    const char *instance; /* what the number of a track is, as an identifier: "cpu_id" */
    cs_view_owner owner;
    bool (*wanted)(const cs_scenario *s); /* NULL: traces of all scenarios know it */
    unsigned unit;                        /* CS_VIEW_OF_PART: in whose group they are */
    /* The tracks' names, by index, the last for all further ones; %u is the track's number. A manager's
     * name stands before them. */
    const char *const *names;
    size_t nr_names;
    const cs_view_class *const *classes;
    size_t nr_classes;
} cs_view_kind_info;

/* By cs_view_kind. */
extern const cs_view_kind_info *const cs_view_kinds[CS_VIEW_KINDS];

#define DECLARE(NAME, name) extern const cs_view_kind_info cs_view_kind_##name;
CS_VIEW_KIND_ROWS(DECLARE)
#undef DECLARE
#define DECLARE(name) extern const cs_view_class cs_view_class_##name;
CS_VIEW_STATE_CLASSES(DECLARE)
CS_VIEW_SOFTWARE_CLASSES(DECLARE)
#undef DECLARE

typedef struct cs_view_track {
    cs_view_kind kind;
    uint32_t instance;
    unsigned group;                      /* >= 1: what belongs together; groups go by this number */
    unsigned number;                     /* >= 1, of no other track; so do the tracks of a group */
    char group_name[CS_VIEW_NAME_BYTES]; /* "cpu 3" */
    char name[CS_VIEW_NAME_BYTES];       /* "windows" */
    void *writer;                        /* the sink's; NULL at first */
} cs_view_track;

typedef struct cs_view_event {
    cs_view_track *track;
    unsigned index; /* of its class among the kind's */
    const cs_view_class *type;
    const char *name; /* for people: "read", "WAIT", "INST_RETIRED" */
    cs_cycle from, to;
    const cs_field_value *values; /* [class->nr_fields] */
} cs_view_event;

typedef struct cs_view_sink {
    /* Anything but CS_OK ends the view: it is not called again. */
    cs_status (*event)(void *ctx, const cs_view_event *event);
    /* All events have been told, or `status` was the first failure. What it returns is the run's. */
    cs_status (*end)(void *ctx, cs_status status, cs_diag *diag);
    void *ctx;
} cs_view_sink;

typedef struct cs_view cs_view;

/* The scenario is borrowed. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_view_create(const cs_scenario *scenario, const cs_view_sink *sink, cs_view **out,
                         cs_diag *diag);
void cs_view_destroy(cs_view *view); /* NULL is allowed */

/* The sink is told those events only that begin in the window, and counters, too, that end in it. Before the
 * run; no window: all. */
void cs_view_limit(cs_view *view, const cs_trace_window *window);
/* Whether the cycle is in the window. */
bool cs_view_shows(const cs_view *view, cs_cycle cycle);

/* ---- what the run tells, each in its turn ---- */

void cs_view_probe(cs_view *view, const cs_probe_record *record);
void cs_view_soft(cs_view *view, const cs_soft_record *record);

/* The run has `end` cycles: what is open ends there, and so does the sink. */
cs_status cs_view_finish(cs_view *view, cs_cycle end, cs_diag *diag);

/* Fits cs_trace_format.check: CS_ERR_USAGE where a command is meant. */
cs_status cs_view_check(const cs_scenario *scenario, const cs_trace_request *request,
                        cs_diag *diag);

/* All of that from a run. The view must outlive it. */
void cs_view_listen(cs_view *view, cs_run_listener *listener);

#ifdef __cplusplus
}
#endif

#endif
