/* Timelines as CTF: their events into table ev. */
#include <string.h>

#include "base/probe/probe.h"
#include "check/checker.h"
#include "check/families.h"
#include "formats/ctf/read/ctf.h"

static bool is_named(const cs_timeline_kind *row, const void *name)
{
    return row->ctf != NULL && strcmp(row->ctf, name) == 0;
}

/* The name of the manager or unit that the packet says. */
static void bind_source(cs_checking *check, sqlite3_stmt *insert, const cs_event_fields *fields,
                        const char *field, cs_probe_kind kind, int column)
{
    const cs_event_field *f = cs_event_field_of(fields, field);
    char name[64];

    if (f == NULL || !f->is_number)
        return;
    const uint16_t source = f->number < UINT16_MAX ? (uint16_t)f->number : UINT16_MAX;
    cs_evtable_text(check, insert, column,
                    cs_probe_source_name((uint8_t)kind, source, name, sizeof name));
}

static cs_status fill_ctf(cs_checking *check, cs_ctfread *reader, sqlite3_stmt *insert)
{
    cs_ctfread_event event;
    cs_diag diag = {0};
    bool there = false;
    cs_status status = CS_OK;

    while (status == CS_OK) {
        const cs_status read = cs_ctfread_next(reader, &event, &there, &diag);

        if (read != CS_OK)
            return cs_check_ended(check, read, &diag);
        if (!there)
            return CS_OK;
        sqlite3_clear_bindings(insert);
        cs_evtable_fields(check, insert, event.fields);
        cs_evtable_text(check, insert, CS_EV_KIND, cs_timeline_kind_of(is_named, event.name));
        cs_evtable_text(check, insert, CS_EV_PLACE, event.stream);
        cs_evtable_number(insert, CS_EV_OFFSET, event.offset);
        cs_evtable_number(insert, CS_EV_TIME, event.time);
        bind_source(check, insert, event.fields, "manager_id", CS_PROBE_BUS, CS_EV_MANAGER);
        bind_source(check, insert, event.fields, "unit_id", CS_PROBE_REG, CS_EV_UNIT);
        status = cs_check_insert(check, insert, NULL, 0);
    }
    return status;
}

/* What it says elsewhere than in its events. */
static cs_status resolve(cs_checking *check)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++) {
        const char *const *sql = cs_check_families[i]->resolve_ctf;

        for (; status == CS_OK && sql != NULL && *sql != NULL; sql++)
            status = cs_check_do(check, *sql);
    }
    return status;
}

static cs_status check_ctf(cs_checking *check)
{
    cs_ctfread *reader = NULL;
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_evtable_create(check, &insert);

    if (status == CS_OK)
        status = cs_ctfread_open(check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = fill_ctf(check, reader, insert);
    sqlite3_finalize(insert);
    cs_ctfread_close(reader);
    if (status == CS_OK)
        status = resolve(check);
    return status == CS_OK ? cs_check_timeline(check, false) : status;
}

const cs_checker cs_checker_ctf = {.check = check_ctf};
