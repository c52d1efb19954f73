/* Internal to the check of timelines: table ev, which their readers fill (ctf.c, perfetto.c) and compare.c
 * holds against the truth. Each event has a kind ("other": no event of ours) and the name of its unit as the
 * truth has it, "core 5". Kinds and comparisons stand with the family that they are of (check/family.h), what
 * all have in common.c. */
#ifndef CS_CHECK_TIMELINE_TIMELINE_H
#define CS_CHECK_TIMELINE_TIMELINE_H

#include "check/impl.h"
#include "formats/common/event_fields.h"

/* Columns: what is bound by hand, then fields under the names that all formats have. */
enum {
    CS_EV_KIND,
    CS_EV_PLACE,
    CS_EV_OFFSET,
    CS_EV_PID,
    CS_EV_TID,
    CS_EV_CPU,
    CS_EV_MANAGER,
    CS_EV_UNIT,
    CS_EV_TRACK,
    CS_EV_TIME,
    CS_EV_DURATION,
    CS_EV_SLICE,
    CS_EV_NAME,
    CS_EV_FIELDS,
};

typedef struct cs_evtable_column {
    const char *name, *field; /* NULL: it is no field */
    bool is_text;
} cs_evtable_column;

extern const cs_evtable_column cs_evtable_columns[];
extern const size_t cs_evtable_nr_columns;

/* Tables ev and track(pid, tid, kind, name), and the statement that fills ev; to be finalized. */
cs_status cs_evtable_create(cs_checking *check, sqlite3_stmt **insert);

/* Bind a column; NULL: nothing. */
void cs_evtable_text(cs_checking *check, sqlite3_stmt *insert, int column, const char *value);
void cs_evtable_number(sqlite3_stmt *insert, int column, uint64_t value);
void cs_evtable_fields(cs_checking *check, sqlite3_stmt *insert, const cs_event_fields *fields);

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

/* Of a row that `is` is true of: the kind; "other" where there is none. */
const char *cs_timeline_kind_of(bool (*is)(const cs_timeline_kind *row, const void *event),
                                const void *event);

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

/* SELECTs of have's and want's rows, in which $T(x) is cycle x in the file's unit. Where there is $ENDS in the
 * one and $U(x) in the other, Perfetto's has column `ends`: a slice ends with cycle x. $UNIT is the name of
 * the truth's columns unit and number, $TRACK the track that the event must be on. */
typedef struct cs_timeline_comparison {
    unsigned place; /* they come by rising places, from 1; no two have the same */
    const char *what, *columns, *have, *want;
    unsigned formats; /* CS_TIMELINE_CTF .. */
    cs_timeline_source of;
} cs_timeline_comparison;

#define CS_HAVE "SELECT place, offset, "
#define CS_NO_GROUP "NULL AS grp, cpu, "
#define CS_OF_KIND(kind) " FROM ev WHERE kind='" kind "'"

/* compare.c: table ev, whose times are `ns` or cycles, against the truth. */
cs_status cs_check_timeline(cs_checking *check, bool ns);

#endif
