// SPDX-License-Identifier: Apache-2.0
/* Names that a stream of events has met: what is a thread's track, which CPU and unit a process is. What
 * perfetto.c and ctf.c make of table ev, they make of one event. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check/families.h"
#include "check/timeline/hashed.h"

#define NAME_BYTES 512

enum { PROCESS, THREAD, KIND, UNIT };

typedef struct entry {
    cs_row_hash key;
    char *name;         /* NULL: nothing */
    cs_ev_value number; /* of a process: its CPU; of a track and a kind: the group */
} entry;

struct cs_known {
    cs_checking *check;
    cs_hashed entries;
    bool unclear; /* a name was given twice: which of them counts, is told when all is known */
    char manager[NAME_BYTES];
};

cs_status cs_known_create(cs_checking *check, cs_known **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    (*out)->check = check;
    (*out)->entries.item_bytes = sizeof(entry);
    return CS_OK;
}

void cs_known_destroy(cs_known *known)
{
    if (known == NULL)
        return;
    for (size_t i = 0; i < known->entries.nr; i++)
        free(((entry *)cs_hashed_at(&known->entries, i))->name);
    cs_hashed_free(&known->entries);
    free(known);
}

static cs_row_hash key_of(unsigned what, const char *first, const char *second)
{
    cs_row_hash key = cs_row_begin();

    cs_row_add(&key, CS_ROW_NUMBER, what);
    cs_row_add_text(&key, first, strlen(first));
    if (second != NULL)
        cs_row_add_text(&key, second, strlen(second));
    return key;
}

static const entry *find(const cs_known *known, const cs_row_hash *key)
{
    return cs_hashed_find(&known->entries, key);
}

static cs_status add(cs_known *known, const cs_row_hash *key, const char *name, cs_ev_value number)
{
    bool is_new;
    entry *added = cs_hashed_for(&known->entries, key, &is_new);

    if (added != NULL && name != NULL)
        added->name = strdup(name);
    if (added == NULL || (name != NULL && added->name == NULL))
        return cs_diag_set(known->check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    added->number = number;
    return CS_OK;
}

/* The first row of the query about two texts, a number and a name, under the key. */
static cs_status add_row(cs_known *known, const cs_row_hash *key, const char *sql,
                         const char *first, const char *second)
{
    sqlite3_stmt *query = NULL;
    cs_status status = cs_check_prepare(known->check, sql, &query);

    if (status != CS_OK)
        return status;
    cs_check_text(known->check, query, 1, first, -1);
    if (second != NULL)
        cs_check_text(known->check, query, 2, second, -1);
    if (sqlite3_step(query) == SQLITE_ROW) {
        const cs_ev_value number = {.number = sqlite3_column_int64(query, 0),
                                    .is_number = sqlite3_column_type(query, 0) == SQLITE_INTEGER};

        status = add(known, key, (const char *)sqlite3_column_text(query, 1), number);
    } else {
        known->unclear = true;
    }
    sqlite3_finalize(query);
    return status;
}

/* What the statements make of an event that has no more than this, in an empty table ev. */
static cs_status add_resolved(cs_known *known, const cs_row_hash *key, const char *insert,
                              cs_status (*resolve)(cs_checking *check), const char *select,
                              const char *first, const char *second)
{
    cs_checking *check = known->check;
    sqlite3_stmt *statement = NULL;
    cs_status status = cs_check_prepare(check, insert, &statement);

    if (status == CS_OK) {
        cs_check_text(check, statement, 1, first, -1);
        if (second != NULL)
            cs_check_text(check, statement, 2, second, -1);
        status = cs_check_insert(check, statement, NULL, 0);
    }
    sqlite3_finalize(statement);
    if (status == CS_OK)
        status = resolve(check);
    if (status == CS_OK)
        status = add_row(known, key, select, first, second);
    return status == CS_OK ? cs_check_do(check, "DELETE FROM ev") : status;
}

/* ---- tracks ---- */

cs_status cs_known_track(cs_known *known, const char *process, const char *thread, const char *kind,
                         const char *name)
{
    const bool is_process = kind != NULL && strcmp(kind, "process_name") == 0;

    if (kind == NULL || process == NULL ||
        (!is_process && (thread == NULL || strcmp(kind, "thread_name") != 0)))
        return CS_OK;
    const cs_row_hash key =
        is_process ? key_of(PROCESS, process, NULL) : key_of(THREAD, process, thread);
    if (find(known, &key) != NULL) {
        known->unclear = true;
        return CS_OK;
    }
    if (!is_process)
        return add(known, &key, name, (cs_ev_value){0});
    const cs_status status = cs_perfetto_processes(known->check);
    return status == CS_OK
               ? add_row(known, &key, "SELECT cpu, unit FROM process WHERE pid=?", process, NULL)
               : status;
}

/* "cpu load" -> "cpu"; false: it is too long. */
static bool take_manager(cs_known *known, cs_ev *ev)
{
    static const char behind[] = " load";
    const char *name = ev->values[CS_EV_NAME].text;
    const size_t bytes = name != NULL ? strlen(name) : 0, tail = sizeof behind - 1;

    if (bytes < tail || strcasecmp(name + bytes - tail, behind) != 0)
        return true;
    if (bytes >= sizeof known->manager)
        return false;
    memcpy(known->manager, name, bytes - tail);
    known->manager[bytes - tail] = '\0';
    ev->values[CS_EV_MANAGER] = (cs_ev_value){.text = known->manager};
    return true;
}

/* Some kinds' groups are in their tracks' names. */
static cs_status take_group(cs_known *known, const char *kind, const char *track, cs_ev *ev)
{
    const cs_row_hash key = key_of(KIND, kind, track);
    const entry *of = find(known, &key);
    cs_status status = CS_OK;

    if (of == NULL)
        status = add_resolved(
            known, &key, "INSERT INTO ev(kind, track) VALUES(?,?)", cs_perfetto_processes,
            "SELECT of_group, NULL FROM ev WHERE kind=? AND track=?", kind, track);
    if (of == NULL && status == CS_OK)
        of = find(known, &key);
    if (of != NULL && of->number.is_number)
        ev->values[CS_EV_GROUP] = of->number;
    return status;
}

cs_status cs_known_resolve_tracks(cs_checking *check, struct cs_evstream *stream, cs_ev *ev,
                                  bool *is_known)
{
    cs_known *known = cs_evstream_known(stream);
    const char *kind = ev->values[CS_EV_KIND].text;
    const char *process = ev->values[CS_EV_PROCESS].text, *thread = ev->values[CS_EV_THREAD].text;
    const bool load = strcmp(kind, "load") == 0, transfer = strcmp(kind, "transfer") == 0;
    cs_status status = CS_OK;

    (void)check;
    *is_known = false;
    if (known->unclear || process == NULL || thread == NULL)
        return CS_OK;
    if (!load && strcmp(kind, "count") != 0) {
        const cs_row_hash key = key_of(THREAD, process, thread);
        const entry *track = find(known, &key);

        if (track == NULL)
            return CS_OK;
        ev->values[CS_EV_TRACK] = (cs_ev_value){.text = track->name};
        status = take_group(known, kind, track->name, ev);
    }
    if (transfer)
        ev->values[CS_EV_MANAGER] = ev->values[CS_EV_TRACK];
    if (load && !take_manager(known, ev))
        return CS_OK;
    if (!load && !transfer) {
        const cs_row_hash key = key_of(PROCESS, process, NULL);
        const entry *of = find(known, &key);

        if (of == NULL)
            return CS_OK;
        ev->values[CS_EV_CPU] = of->number;
        ev->values[CS_EV_UNIT] = (cs_ev_value){.text = of->name};
    }
    *is_known = !known->unclear;
    return status;
}

/* ---- units of CTF ---- */

cs_status cs_known_resolve_units(cs_checking *check, struct cs_evstream *stream, cs_ev *ev,
                                 bool *is_known)
{
    cs_known *known = cs_evstream_known(stream);
    const char *unit = ev->values[CS_EV_UNIT].text;
    cs_status status = CS_OK;

    (void)check;
    *is_known = true;
    if (unit == NULL)
        return CS_OK;
    const cs_row_hash key = key_of(UNIT, unit, NULL);
    if (find(known, &key) == NULL)
        status = add_resolved(known, &key, "INSERT INTO ev(unit, kind) VALUES(?,?)", cs_ctf_resolve,
                              "SELECT NULL, unit FROM ev WHERE ?<>''", unit, NULL);
    const entry *resolved = status == CS_OK ? find(known, &key) : NULL;
    *is_known = resolved != NULL && !known->unclear;
    if (resolved != NULL)
        ev->values[CS_EV_UNIT] = (cs_ev_value){.text = resolved->name};
    return status;
}
