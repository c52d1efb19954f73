// SPDX-License-Identifier: Apache-2.0
#include "formats/common/profile_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/event_fields.h"

#define MOST_BYTES (1u << 20) /* of a stack */

static const cs_table_column columns[] = {
    {"offset", CS_CELL_NUMBER, 0, 9}, {"time_ns", CS_CELL_REAL, 0, 12},
    {"event", CS_CELL_NAME, 0, 16},   {"cpu", CS_CELL_REAL, 0, 4},
    {"pid", CS_CELL_REAL, 0, 8},      {"weight", CS_CELL_REAL, 0, 10},
    {"ip", CS_CELL_NAME, 0, 18},      {"stack", CS_CELL_NAME, 0, 0},
};

cs_status cs_profileread_print(const cs_profileread_class *reads, const cs_byte_source *source,
                               const char *name, cs_table_format format, const cs_text_sink *sink,
                               cs_diag *diag)
{
    const cs_profileread_row *row = NULL;
    void *reader = NULL;
    cs_table table;
    cs_status status = reads->open(source, name, &reader, diag);

    if (status != CS_OK)
        return status;
    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, sizeof columns / sizeof columns[0]);
    while ((status = reads->next(reader, &row, diag)) == CS_OK && row != NULL &&
           table.status == CS_OK) {
        char time[24], cpu[16], pid[24], ip[24];

        snprintf(time, sizeof time, "%" PRIu64, row->time_ns);
        snprintf(cpu, sizeof cpu, "%" PRIu32, row->cpu);
        snprintf(pid, sizeof pid, "%" PRId64, row->pid);
        snprintf(ip, sizeof ip, "0x%" PRIx64, row->address);
        const cs_table_cell cells[] = {{.number = row->offset},
                                       {.name = row->has_time ? time : NULL},
                                       {.name = row->event},
                                       {.name = row->has_cpu ? cpu : NULL},
                                       {.name = row->has_pid ? pid : NULL},
                                       {.name = row->weight},
                                       {.name = row->has_address ? ip : NULL},
                                       {.name = row->stack}};
        cs_table_row(&table, cells);
    }
    reads->close(reader);
    cs_table_end(&table);
    if (status == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return status;
}

/* ---- stacks ---- */

static bool room_for(cs_profileread_text *t, size_t more)
{
    if (t->used + more < t->room)
        return true;
    const size_t room = 2 * (t->used + more) + 64;
    char *text = room <= 4 * MOST_BYTES ? realloc(t->text, room) : NULL;

    if (text == NULL)
        return false;
    t->text = text;
    t->room = room;
    return true;
}

bool cs_profileread_clear(cs_profileread_text *t)
{
    t->used = 0;
    if (!room_for(t, 1))
        return false;
    t->text[0] = '\0';
    return true;
}

bool cs_profileread_push(cs_profileread_text *t, const char *frame, size_t bytes)
{
    if (t->used + bytes + 2 > MOST_BYTES || !room_for(t, bytes + 2))
        return false;
    if (t->used != 0)
        t->text[t->used++] = ';';
    cs_utf8_clean(t->text + t->used, frame, bytes);
    for (char *c = t->text + t->used; *c != '\0'; c++)
        if (*c == ';')
            *c = ':';
    t->used += strlen(t->text + t->used);
    return true;
}
