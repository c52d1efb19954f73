/* Timelines as CTF: their events into table ev. */
#include <string.h>

#include "base/probe/probe.h"
#include "check/checker.h"
#include "check/timeline.h"
#include "formats/ctf/read/ctf.h"

static const char *kind_of_ctf(const char *event)
{
    static const char *const kinds[][2] = {{"window", "window"},
                                           {"blind", "blind"},
                                           {"count", "count"},
                                           {"imc_record", "record"},
                                           {"hart_sample", "sample"},
                                           {"software", "software"},
                                           {"transfer", "transfer"},
                                           {"hart_software", "software"},
                                           {"bus_load", "load"},
                                           {"pmcu_state", "state"},
                                           {"imc_state", "state"},
                                           {"nest_state", "state"},
                                           {"interrupt", "line"},
                                           {"subsample", "subsample"},
                                           {"posting", "posting"},
                                           {"access", "access"},
                                           {"csr", "csr"}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(event, kinds[i][0]) == 0)
            return kinds[i][1];
    return "other";
}

/* The name of the manager or unit that the packet says. */
static void bind_source(sqlite3_stmt *insert, const cs_event_fields *fields, const char *field,
                        cs_probe_kind kind, int column)
{
    const cs_event_field *f = cs_event_field_of(fields, field);
    char name[64];

    if (f == NULL || !f->is_number)
        return;
    const uint16_t source = f->number < UINT16_MAX ? (uint16_t)f->number : UINT16_MAX;
    cs_evtable_text(insert, column, cs_probe_source_name((uint8_t)kind, source, name, sizeof name));
}

static cs_status fill_ctf(cs_check *check, cs_ctfread *reader, sqlite3_stmt *insert)
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
        cs_evtable_fields(insert, event.fields);
        cs_evtable_text(insert, CS_EV_KIND, kind_of_ctf(event.name));
        cs_evtable_text(insert, CS_EV_PLACE, event.stream);
        cs_evtable_number(insert, CS_EV_OFFSET, event.offset);
        cs_evtable_number(insert, CS_EV_TIME, event.time);
        bind_source(insert, event.fields, "manager_id", CS_PROBE_BUS, CS_EV_MANAGER);
        bind_source(insert, event.fields, "unit_id", CS_PROBE_REG, CS_EV_UNIT);
        status = cs_check_insert(check, insert, NULL, 0);
    }
    return status;
}

/* Uncore units have their number in CTF by bridge and slot, in JSON their name; the truth has that of
 * the scenario. */
static const char *const resolve_ctf[] = {
    "UPDATE ev SET unit=(SELECT 'uncore '||u.unit FROM truth.unit u WHERE "
    "ev.unit='uncore '||(15*u.bridge+u.slot)) WHERE unit GLOB 'uncore [0-9]*'",
};

static cs_status check_ctf(cs_check *check)
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
        status = RESOLVE(check, resolve_ctf);
    return status == CS_OK ? cs_check_timeline(check, false) : status;
}

const cs_checker cs_checker_ctf = {.check = check_ctf};
