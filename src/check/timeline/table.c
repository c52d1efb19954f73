/* Table ev of a timeline's check. */
#include <string.h>

#include "check/timeline/timeline.h"

const cs_evtable_column cs_evtable_columns[] = {
    [CS_EV_KIND] = {"kind", NULL, true},
    [CS_EV_PLACE] = {"place", NULL, true},
    [CS_EV_OFFSET] = {"offset", NULL, false},
    [CS_EV_PID] = {"pid", NULL, true},
    [CS_EV_TID] = {"tid", NULL, true},
    [CS_EV_CPU] = {"cpu", "cpu_id", false},
    [CS_EV_MANAGER] = {"manager", NULL, true},
    [CS_EV_UNIT] = {"unit", NULL, true},
    [CS_EV_TRACK] = {"track", NULL, true}, /* its name, not in CTF */
    [CS_EV_TIME] = {"time", NULL, false},
    [CS_EV_DURATION] = {"duration", NULL, false}, /* not in CTF */
    [CS_EV_SLICE] = {"slice", NULL, false}, /* its number, where its end is an event of its own */
    [CS_EV_NAME] = {"name", "name", true},
    [CS_EV_FIELDS] = {"cycles", "cycles", false},
    {"subsample", "subsample", false},
    {"number", "number", false},
    {"count", "count", false},
    {"command", "command", false},
    {"event", "event", false},
    {"ip", "ip", false},
    {"person", "pid", false}, /* of a sample */
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
    {"line", "line", false},
    {"direction", "direction", true},
    {"register", "offset", false},
    {"value", "value", false},
    {"csr", "csr", false},
    {"exception", "exception", true},
    {"of_group", "group_id", false},
    {"held", "held_cycles", false},
    {"percent", "percent", false},
};
#define NR_COLUMNS (sizeof cs_evtable_columns / sizeof cs_evtable_columns[0])
const size_t cs_evtable_nr_columns = NR_COLUMNS;

void cs_evtable_text(cs_checking *check, sqlite3_stmt *insert, int column, const char *value)
{
    if (value != NULL)
        cs_check_text(check, insert, column + 1, value, -1);
}

void cs_evtable_number(sqlite3_stmt *insert, int column, uint64_t value)
{
    sqlite3_bind_int64(insert, column + 1, (int64_t)value);
}

cs_status cs_evtable_create(cs_checking *check, sqlite3_stmt **insert)
{
    char sql[2048] = "CREATE TABLE ev(", values[4 * NR_COLUMNS] = "";
    cs_status status;

    for (size_t i = 0; i < NR_COLUMNS; i++) {
        const size_t at = strlen(sql), end = strlen(values);

        snprintf(sql + at, sizeof sql - at, "%s %s%s", cs_evtable_columns[i].name,
                 cs_evtable_columns[i].is_text ? "TEXT" : "INTEGER",
                 i + 1 < NR_COLUMNS ? "," : ")");
        snprintf(values + end, sizeof values - end, "?%s", i + 1 < NR_COLUMNS ? "," : "");
    }
    status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = cs_check_do(check, "CREATE TABLE track(pid TEXT, tid TEXT, kind TEXT, name TEXT)");
    snprintf(sql, sizeof sql, "INSERT INTO ev VALUES(%s)", values);
    return status == CS_OK ? cs_check_prepare(check, sql, insert) : status;
}

void cs_evtable_fields(cs_checking *check, sqlite3_stmt *insert, const cs_event_fields *fields)
{
    for (size_t i = 0; i < NR_COLUMNS; i++) {
        const cs_event_field *field = cs_evtable_columns[i].field != NULL
                                          ? cs_event_field_of(fields, cs_evtable_columns[i].field)
                                          : NULL;

        if (field != NULL && cs_evtable_columns[i].is_text)
            cs_evtable_text(check, insert, (int)i, field->text);
        else if (field != NULL && field->is_number)
            cs_evtable_number(insert, (int)i, field->number);
    }
}
