// SPDX-License-Identifier: Apache-2.0
/* Internal to the check of timelines: their events, which readers hand over (ctf.c, perfetto.c) and which are
 * held against the truth. Each event has a kind ("other": no event of ours) and the name of its unit as the
 * truth has it, "core 5". Kinds and comparisons stand with the family that they are of (check/family.h), what
 * all have in common.c. A file is read as a stream first (stream.c): its rows, and those of the truth, are only
 * added up. Where that shows a difference, or cannot show that there is none, it is read again: each event
 * becomes a row of table ev, and each comparison a query (compare.c), which tells what differs. */
#ifndef CS_CHECK_TIMELINE_TIMELINE_H
#define CS_CHECK_TIMELINE_TIMELINE_H

#include "check/impl.h"
#include "formats/common/event_fields.h"

struct cs_check_family;
struct cs_evstream;

/* ---- kinds of events ---- */

/* How an event is told to be of a kind; where several fit, the first of the list is meant. */
typedef struct cs_timeline_kind {
    const char *kind;
    const char *ctf; /* the event's name in CTF; NULL: it has none of its own */
    /* In Perfetto's flavours: the phase as in Trace Event JSON (0: not told by this row), the name (NULL:
     * any), two arguments that it has (the second may be NULL). */
    char phase;
    const char *name, *first, *second;
    /* Its track there, an expression; NULL: any. `where`: the condition of those events that it is of; NULL: all of
     * the kind. */
    const char *where, *track;
} cs_timeline_kind;

/* The rows of all families, one behind the other; NULL: there are no more. */
const cs_timeline_kind *cs_timeline_kind_at(size_t nr);

/* ---- events ---- */

/* Columns: what is set by hand, then fields under the names that all formats have. */
enum {
    CS_EV_KIND,
    CS_EV_PLACE,
    CS_EV_OFFSET,
    CS_EV_PROCESS,
    CS_EV_THREAD,
    CS_EV_CPU,
    CS_EV_MANAGER,
    CS_EV_UNIT,
    CS_EV_TRACK,
    CS_EV_TIME,
    CS_EV_DURATION,
    CS_EV_SLICE,
    CS_EV_EVENTS,
    CS_EV_NAME,
    CS_EV_LINE,
    CS_EV_GROUP,
    CS_EV_FIELDS,
    CS_EV_MOST_COLUMNS = 48
};
#define CS_EV_MOST_KINDS 64u

typedef struct cs_evtable_column {
    const char *name, *field; /* NULL: it is no field */
    bool is_text;
} cs_evtable_column;

extern const cs_evtable_column cs_evtable_columns[];
extern const size_t cs_evtable_nr_columns;

/* NULL where there is neither a text nor a number. */
typedef struct cs_ev_value {
    const char *text;
    int64_t number;
    bool is_number;
} cs_ev_value;

/* Texts are borrowed until the event has been taken. */
typedef struct cs_ev {
    cs_ev_value values[CS_EV_MOST_COLUMNS];
    uint64_t has; /* bit: it has the column's field, whatever is in it */
    size_t kind;  /* a row of the kinds; their number: "other" */
} cs_ev;

/* Where a reader's events go. */
typedef struct cs_evtable {
    cs_checking *check;
    sqlite3_stmt *insert, *insert_track;
    struct cs_evstream *stream; /* NULL: they become rows of table ev */
    cs_ev ev;                   /* the one that is filled in */
    size_t nr_kinds;
    const cs_timeline_kind *kinds[CS_EV_MOST_KINDS];
    uint64_t wanted[CS_EV_MOST_KINDS]; /* cs_ev.has of the kind's `first` and `second` */
    uint8_t columns[256];              /* by the hash of a field's name; 0: none */
} cs_evtable;

/* Tables ev and track(pid, tid, kind, name), anew. To be closed, after a failure, too. */
cs_status cs_evtable_open(cs_checking *check, struct cs_evstream *stream, cs_evtable *out);
void cs_evtable_close(cs_evtable *table);

/* An event: begun, filled in, taken. NULL: nothing. *more is false when no other is wanted. */
void cs_evtable_begin(cs_evtable *table);
void cs_evtable_text(cs_evtable *table, int column, const char *value);
void cs_evtable_number(cs_evtable *table, int column, uint64_t value);
void cs_evtable_fields(cs_evtable *table, const cs_event_fields *fields);
/* The first kind that `is` is true of; `by_fields`: of those whose fields the event has. */
void cs_evtable_kind(cs_evtable *table, bool by_fields,
                     bool (*is)(const cs_timeline_kind *row, const void *event), const void *event);
cs_status cs_evtable_take(cs_evtable *table, bool *more);
/* As a row of table ev, whatever the stream. */
cs_status cs_evtable_insert(cs_evtable *table, const cs_ev *ev);
/* The column of a field; 0: there is none. */
unsigned cs_evtable_column_of(const cs_evtable *table, const char *field);
/* In Perfetto's flavours: what a process or a thread is called. */
cs_status cs_evtable_track(cs_evtable *table, const char *process, const char *thread,
                           const char *kind, const char *name);

/* ---- comparisons ---- */

typedef enum cs_timeline_format {
    CS_TIMELINE_CTF = 1,
    CS_TIMELINE_PERFETTO = 2,
    CS_TIMELINE_BOTH = 3
} cs_timeline_format;

/* What the truth must have: nothing, as it always has the table; tables of keep.samples_truth; a
 * summary; a table with the comparison's name, and where it is not there no event is wanted. */
typedef enum cs_timeline_source {
    CS_TIMELINE_ALWAYS,
    CS_TIMELINE_ROWS,
    CS_TIMELINE_SUMMARY,
    CS_TIMELINE_TABLE
} cs_timeline_source;

/* Which events: all of a kind, in groups by `group`, an expression (NULL: there are none), and with their
 * CPU or without. `ends`: Perfetto's has column `ends`, too: a slice ends with cycle x, $U(x) in `want`. */
typedef struct cs_timeline_events {
    const char *kind, *group;
    bool cpu, ends;
    /* What is no list of events: a SELECT on table ev. `adds`: it only sums columns up, for combinations of
     * texts, CPU and line, so that ev may have a row for each combination; column `events` tells how many. */
    const char *select;
    bool adds;
} cs_timeline_events;

/* SELECTs of have's and want's rows, in which $T(x) is cycle x in the file's unit. $UNIT is the name of
 * the truth's columns unit and number, $TRACK the track that the event must be on. */
typedef struct cs_timeline_comparison {
    unsigned place; /* they come by rising places, from 1; no two have the same */
    const char *what, *columns;
    cs_timeline_events have;
    const char *want;
    unsigned formats; /* CS_TIMELINE_CTF .. */
    cs_timeline_source of;
} cs_timeline_comparison;

#define CS_NO_GROUP "NULL AS grp, cpu, "
#define CS_OF_KIND(kind) " FROM ev WHERE kind='" kind "'"
#define CS_TIMELINE_MOST 64u

/* What a check of one file compares, and how its times are. */
typedef struct cs_timeline_plan {
    bool ns; /* else cycles */
    int64_t mhz;
    int64_t software; /* of the summary, in ns; -1: it has none, or the file has a window only */
    bool windowed;    /* the file has what begins in [from, to), in its own unit */
    int64_t from, to;
    size_t nr_comparisons;
    const cs_timeline_comparison *comparisons[CS_TIMELINE_MOST];
    bool wanted[CS_TIMELINE_MOST]; /* false: the truth has no such table */
} cs_timeline_plan;

/* compare.c */

/* Table ev is there. */
cs_status cs_timeline_plan_of(cs_checking *check, bool ns, cs_timeline_plan *plan);
/* Its columns: those of the comparison, and `ends`. */
void cs_timeline_columns(const cs_timeline_plan *plan, size_t nr, char *out, size_t bytes);
/* The SELECT of its wanted rows. */
void cs_timeline_put_want(sqlite3_str *out, const cs_timeline_plan *plan, size_t nr);
/* Makes tables have and want of it. */
cs_status cs_timeline_make(cs_checking *check, const cs_timeline_plan *plan, size_t nr);
/* A row of what the software took, after the summary. */
cs_status cs_timeline_software(cs_checking *check, const cs_timeline_plan *plan);

/* ---- how a file is checked ---- */

/* A format's part: hands each event over, and works out what a file says elsewhere than in its events, once
 * all are in table ev. */
typedef struct cs_timeline_reader {
    bool ns;
    cs_status (*read)(cs_checking *check, const cs_byte_source *source, cs_evtable *table);
    cs_status (*resolve)(cs_checking *check);
    /* A stream's event gets what resolve would give it; *known false: that cannot be said. NULL: the file is
     * not read as a stream. */
    cs_status (*resolve_one)(cs_checking *check, struct cs_evstream *stream, cs_ev *ev,
                             bool *known);
} cs_timeline_reader;

/* compare.c */
cs_status cs_check_timeline(cs_checking *check, const cs_timeline_reader *reader);

/* ---- a stream ---- */

/* stream.c: reads the file. *agrees: it agrees with the truth, and its rows were printed; else nothing was,
 * and an error is none yet: whoever reads it again meets it, too. */
cs_status cs_timeline_stream(cs_checking *check, const cs_timeline_reader *reader, bool *agrees);
/* *more: false: it is known that the stream cannot show that nothing differs. */
cs_status cs_evstream_take(struct cs_evstream *stream, cs_evtable *table, bool *more);

/* known.c: names that a stream has met. */
typedef struct cs_known cs_known;

cs_status cs_known_create(cs_checking *check, cs_known **out);
void cs_known_destroy(cs_known *known);
cs_known *cs_evstream_known(struct cs_evstream *stream);
/* A row of table track, which was added. */
cs_status cs_known_track(cs_known *known, const char *process, const char *thread, const char *kind,
                         const char *name);
/* Of cs_timeline_reader.resolve_one. */
cs_status cs_known_resolve_tracks(cs_checking *check, struct cs_evstream *stream, cs_ev *ev,
                                  bool *known);
cs_status cs_known_resolve_units(cs_checking *check, struct cs_evstream *stream, cs_ev *ev,
                                 bool *known);
/* perfetto.c: table process, of table track. */
cs_status cs_perfetto_processes(cs_checking *check);
/* ctf.c: the families' statements on table ev. */
cs_status cs_ctf_resolve(cs_checking *check);

#endif
