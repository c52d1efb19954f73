// SPDX-License-Identifier: Apache-2.0
/* Timelines as CTF: their events into table ev. */
#include <string.h>

#include "check/checker.h"
#include "check/families.h"
#include "formats/ctf/read/ctf.h"
#include <countersink/base/probe/probe.h>

static bool is_named(const cs_timeline_kind *row, const void *name)
{
    return row->ctf != NULL && strcmp(row->ctf, name) == 0;
}

/* The name of the manager or unit that the packet says. */
static void take_source(cs_evtable *table, const cs_event_fields *fields, const char *field,
                        cs_probe_kind kind, int column, char *name, size_t bytes)
{
    const cs_event_field *f = cs_event_field_of(fields, field);

    if (f == NULL || !f->is_number)
        return;
    const uint16_t source = f->number < UINT16_MAX ? (uint16_t)f->number : UINT16_MAX;
    cs_evtable_text(table, column, cs_probe_source_name((uint8_t)kind, source, name, bytes));
}

static cs_status fill(cs_checking *check, cs_ctfread *reader, cs_evtable *table)
{
    cs_ctfread_event event;
    cs_diag diag = {0};
    char manager[64], unit[64];
    bool there = false, more = true;
    cs_status status = CS_OK;

    while (status == CS_OK && more) {
        const cs_status read = cs_ctfread_next(reader, &event, &there, &diag);

        if (read != CS_OK)
            return cs_check_ended(check, read, &diag);
        if (!there)
            return CS_OK;
        cs_evtable_begin(table);
        cs_evtable_fields(table, event.fields);
        cs_evtable_kind(table, false, is_named, event.name);
        cs_evtable_text(table, CS_EV_PLACE, event.stream);
        cs_evtable_number(table, CS_EV_OFFSET, event.offset);
        cs_evtable_number(table, CS_EV_TIME, event.time);
        take_source(table, event.fields, "manager_id", CS_PROBE_BUS, CS_EV_MANAGER, manager,
                    sizeof manager);
        take_source(table, event.fields, "unit_id", CS_PROBE_REG, CS_EV_UNIT, unit, sizeof unit);
        status = cs_evtable_take(table, &more);
    }
    return status;
}

static cs_status read_ctf(cs_checking *check, const cs_byte_source *source, cs_evtable *table)
{
    cs_ctfread *reader = NULL;
    cs_status status = cs_ctfread_open(check->request->path, &reader, check->diag);

    (void)source; /* it is a folder */
    if (status == CS_OK)
        status = fill(check, reader, table);
    cs_ctfread_close(reader);
    return status;
}

/* What it says elsewhere than in its events. */
cs_status cs_ctf_resolve(cs_checking *check)
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
    static const cs_timeline_reader reader = {
        .read = read_ctf, .resolve = cs_ctf_resolve, .resolve_one = cs_known_resolve_units};

    return cs_check_timeline(check, &reader);
}

const cs_checker cs_checker_ctf = {.check = check_ctf};
