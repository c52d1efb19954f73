// SPDX-License-Identifier: Apache-2.0
/* Events of a timeline's check, and table ev. */
#include <string.h>

#include "check/timeline/timeline.h"

const cs_evtable_column cs_evtable_columns[] = {
    [CS_EV_KIND] = {"kind", NULL, true},
    [CS_EV_PLACE] = {"place", NULL, true},
    [CS_EV_OFFSET] = {"offset", NULL, false},
    [CS_EV_PROCESS] = {"process", NULL, true},
    [CS_EV_THREAD] = {"thread", NULL, true},
    [CS_EV_CPU] = {"cpu", "cpu_id", false},
    [CS_EV_MANAGER] = {"manager", NULL, true},
    [CS_EV_UNIT] = {"unit", NULL, true},
    [CS_EV_TRACK] = {"track", NULL, true}, /* its name, not in CTF */
    [CS_EV_TIME] = {"time", NULL, false},
    [CS_EV_DURATION] = {"duration", NULL, false}, /* not in CTF */
    [CS_EV_SLICE] = {"slice", NULL, false},   /* its number, where its end is an event of its own */
    [CS_EV_EVENTS] = {"events", NULL, false}, /* 1; rows that were added up: so many */
    [CS_EV_NAME] = {"name", "name", true},
    [CS_EV_LINE] = {"line", "line", false},
    [CS_EV_GROUP] = {"of_group", "group_id", false},
    [CS_EV_FIELDS] = {"cycles", "cycles", false},
    {"subsample", "subsample", false},
    {"number", "number", false},
    {"count", "count", false},
    {"command", "command", false},
    {"event", "event", false},
    {"ip", "ip", false},
    {"pid", "pid", false}, /* of a sample */
    {"period", "period", false},
    {"lost", "lost", true},
    {"result", "result", true},
    {"snapshot", "snapshot", false},
    {"addr", "addr", false},
    {"granted", "grant", false},
    {"bytes", "bytes", false},
    {"resp", "resp", true},
    {"who", "who", true},
    {"state", "state", true},
    {"direction", "direction", true},
    {"register", "offset", false},
    {"value", "value", false},
    {"csr", "csr", false},
    {"exception", "exception", true},
    {"held", "held_cycles", false},
    {"percent", "percent", false},
};
#define NR_COLUMNS (sizeof cs_evtable_columns / sizeof cs_evtable_columns[0])
_Static_assert(NR_COLUMNS <= CS_EV_MOST_COLUMNS, "a row has no room");
const size_t cs_evtable_nr_columns = NR_COLUMNS;

/* ---- fields and kinds ---- */

static uint8_t hash_of(const char *name, size_t bytes)
{
    return (uint8_t)(bytes * 83 + (uint8_t)name[0] * 29u + (uint8_t)name[bytes / 2] * 7u +
                     (bytes > 0 ? (uint8_t)name[bytes - 1] : 0u));
}

static void learn_fields(cs_evtable *table)
{
    for (size_t i = 0; i < NR_COLUMNS; i++) {
        const char *field = cs_evtable_columns[i].field;

        if (field == NULL)
            continue;
        uint8_t at = hash_of(field, strlen(field));
        while (table->columns[at] != 0)
            at++;
        table->columns[at] = (uint8_t)i;
    }
}

unsigned cs_evtable_column_of(const cs_evtable *table, const char *field)
{
    for (uint8_t at = hash_of(field, strlen(field)); table->columns[at] != 0; at++)
        if (strcmp(cs_evtable_columns[table->columns[at]].field, field) == 0)
            return table->columns[at];
    return 0;
}

static uint64_t bit_of(const cs_evtable *table, const char *field)
{
    const unsigned column = field != NULL ? cs_evtable_column_of(table, field) : 0;

    return column != 0 ? UINT64_C(1) << column : 0;
}

static void learn_kinds(cs_evtable *table)
{
    const cs_timeline_kind *kind;

    for (size_t i = 0; (kind = cs_timeline_kind_at(i)) != NULL && i < CS_EV_MOST_KINDS; i++) {
        table->kinds[i] = kind;
        table->wanted[i] = bit_of(table, kind->first) | bit_of(table, kind->second);
        table->nr_kinds = i + 1;
    }
}

void cs_evtable_kind(cs_evtable *table, bool by_fields,
                     bool (*is)(const cs_timeline_kind *row, const void *event), const void *event)
{
    const uint64_t lacks = by_fields ? ~table->ev.has : 0;
    size_t i = 0;

    while (i < table->nr_kinds && ((table->wanted[i] & lacks) != 0 || !is(table->kinds[i], event)))
        i++;
    table->ev.kind = i;
    cs_evtable_text(table, CS_EV_KIND, i < table->nr_kinds ? table->kinds[i]->kind : "other");
}

/* ---- an event ---- */

void cs_evtable_begin(cs_evtable *table)
{
    memset(&table->ev, 0, sizeof table->ev);
    cs_evtable_number(table, CS_EV_EVENTS, 1);
}

void cs_evtable_text(cs_evtable *table, int column, const char *value)
{
    if (value != NULL)
        table->ev.values[column] = (cs_ev_value){.text = value};
}

void cs_evtable_number(cs_evtable *table, int column, uint64_t value)
{
    table->ev.values[column] = (cs_ev_value){.number = (int64_t)value, .is_number = true};
}

/* The last of several fields of one name is meant. */
void cs_evtable_fields(cs_evtable *table, const cs_event_fields *fields)
{
    for (size_t i = 0; i < fields->nr_fields; i++) {
        const cs_event_field *field = &fields->fields[i];
        const unsigned column = cs_evtable_column_of(table, field->name);

        if (column == 0)
            continue;
        table->ev.has |= UINT64_C(1) << column;
        table->ev.values[column] = (cs_ev_value){0};
        if (cs_evtable_columns[column].is_text)
            cs_evtable_text(table, (int)column, field->text);
        else if (field->is_number)
            cs_evtable_number(table, (int)column, field->number);
    }
}

/* ---- the tables ---- */

cs_status cs_evtable_open(cs_checking *check, struct cs_evstream *stream, cs_evtable *out)
{
    char sql[2048] = "DROP TABLE IF EXISTS ev; CREATE TABLE ev(", values[4 * NR_COLUMNS] = "";
    cs_status status;

    *out = (cs_evtable){.check = check, .stream = stream};
    learn_fields(out);
    learn_kinds(out);
    for (size_t i = 0; i < NR_COLUMNS; i++) {
        const size_t at = strlen(sql), end = strlen(values);

        snprintf(sql + at, sizeof sql - at, "%s %s%s", cs_evtable_columns[i].name,
                 cs_evtable_columns[i].is_text ? "TEXT" : "INTEGER",
                 i + 1 < NR_COLUMNS ? "," : ")");
        snprintf(values + end, sizeof values - end, "?%s", i + 1 < NR_COLUMNS ? "," : "");
    }
    status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = cs_check_do(check, "DROP TABLE IF EXISTS track; CREATE TABLE track(pid TEXT, tid "
                                    "TEXT, kind TEXT, name TEXT)");
    snprintf(sql, sizeof sql, "INSERT INTO ev VALUES(%s)", values);
    if (status == CS_OK)
        status = cs_check_prepare(check, sql, &out->insert);
    return status == CS_OK
               ? cs_check_prepare(check, "INSERT INTO track VALUES(?,?,?,?)", &out->insert_track)
               : status;
}

void cs_evtable_close(cs_evtable *table)
{
    sqlite3_finalize(table->insert);
    sqlite3_finalize(table->insert_track);
}

cs_status cs_evtable_insert(cs_evtable *table, const cs_ev *ev)
{
    sqlite3_clear_bindings(table->insert);
    for (size_t i = 0; i < NR_COLUMNS; i++) {
        const cs_ev_value *value = &ev->values[i];

        if (value->text != NULL)
            cs_check_text(table->check, table->insert, (int)i + 1, value->text, -1);
        else if (value->is_number)
            sqlite3_bind_int64(table->insert, (int)i + 1, value->number);
    }
    return cs_check_insert(table->check, table->insert, NULL, 0);
}

cs_status cs_evtable_take(cs_evtable *table, bool *more)
{
    *more = true;
    return table->stream != NULL ? cs_evstream_take(table->stream, table, more)
                                 : cs_evtable_insert(table, &table->ev);
}

cs_status cs_evtable_track(cs_evtable *table, const char *process, const char *thread,
                           const char *kind, const char *name)
{
    const char *const texts[] = {process, thread, kind, name};
    cs_status status;

    sqlite3_clear_bindings(table->insert_track);
    for (int i = 0; i < 4; i++)
        if (texts[i] != NULL)
            cs_check_text(table->check, table->insert_track, i + 1, texts[i], -1);
    status = cs_check_insert(table->check, table->insert_track, NULL, 0);
    return status == CS_OK && table->stream != NULL
               ? cs_known_track(cs_evstream_known(table->stream), process, thread, kind, name)
               : status;
}
