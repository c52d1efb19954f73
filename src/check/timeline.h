/* Internal to the check of timelines: table ev, which their readers fill (timeline_ctf.c,
 * timeline_perfetto.c) and timeline_compare.c holds against the truth. Each event has a kind ("other":
 * no event of ours) and the name of its unit as the truth has it, "core 5". */
#ifndef CS_CHECK_TIMELINE_H
#define CS_CHECK_TIMELINE_H

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
cs_status cs_evtable_create(cs_check *check, sqlite3_stmt **insert);

/* Bind a column; NULL: nothing. */
void cs_evtable_text(sqlite3_stmt *insert, int column, const char *value);
void cs_evtable_number(sqlite3_stmt *insert, int column, uint64_t value);
void cs_evtable_fields(sqlite3_stmt *insert, const cs_event_fields *fields);

/* What a format says elsewhere than in its events, into ev. */
cs_status cs_evtable_resolve(cs_check *check, const char *const statements[], size_t count);

#define RESOLVE(check, statements)                                                                 \
    cs_evtable_resolve(check, statements, sizeof(statements) / sizeof((statements)[0]))

/* timeline_compare.c: table ev, whose times are `ns` or cycles, against the truth. */
cs_status cs_check_timeline(cs_check *check, bool ns);

#endif
