// SPDX-License-Identifier: Apache-2.0
/* Perfetto's protocol buffers as rows for people, and how such a file is told from others. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/common/proto_read.h"
#include "formats/perfetto/read/proto.h"

/* ---- rows ---- */

enum { OFFSET, TIME, WHAT, GROUP, TRACK, EVENT, CATEGORY, DURATION, VALUE, FIELDS, NR_COLUMNS };

static const cs_table_column columns[NR_COLUMNS] = {
    {"offset", CS_CELL_HEX, 6, 8},    {"time_ns", CS_CELL_REAL, 0, 12},
    {"what", CS_CELL_NAME, 0, 7},     {"group", CS_CELL_NAME, 0, 8},
    {"track", CS_CELL_NAME, 0, 16},   {"event", CS_CELL_NAME, 0, 20},
    {"category", CS_CELL_NAME, 0, 0}, {"duration_ns", CS_CELL_REAL, 0, 11},
    {"value", CS_CELL_REAL, 0, 8},    {"fields", CS_CELL_NAME, 0, 0},
};

const char *cs_perfettoread_kind_name(cs_perfettoread_kind kind)
{
    static const char *const names[] = {
        [CS_PERFETTOREAD_BEGIN] = "begin",       [CS_PERFETTOREAD_END] = "end",
        [CS_PERFETTOREAD_COMPLETE] = "complete", [CS_PERFETTOREAD_INSTANT] = "instant",
        [CS_PERFETTOREAD_COUNTER] = "counter",   [CS_PERFETTOREAD_STATE] = "state",
        [CS_PERFETTOREAD_TRACK] = "track",       [CS_PERFETTOREAD_LEGACY] = "legacy",
        [CS_PERFETTOREAD_OTHER] = "other"};

    return names[kind];
}

/* What has no column of its own goes behind the arguments. */
static bool add_rest(cs_perfettoread_event *event)
{
    const char phase[2] = {event->phase};
    char clock[32];
    bool done = true;

    snprintf(clock, sizeof clock, "%" PRIu64, event->clock);
    if (event->unit != NULL)
        done =
            cs_event_fields_add(&event->args, "unit", event->unit, strlen(event->unit), 0, false);
    if (event->kind == CS_PERFETTOREAD_LEGACY)
        done = done && cs_event_fields_add(&event->args, "phase", phase, 1, 0, false);
    if (event->has_time && event->clock != CS_PERFETTOREAD_BOOTTIME)
        done = done && cs_event_fields_add(&event->args, "clock", clock, strlen(clock), 0, false);
    return done && cs_event_fields_done(&event->args);
}

static cs_status print_event(cs_table *table, cs_perfettoread_event *event, cs_diag *diag)
{
    char time[32], duration[32];
    const char *fields = add_rest(event) ? cs_event_fields_print(&event->args) : NULL;

    if (fields == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a row");
    snprintf(time, sizeof time, "%" PRId64, event->time_ns);
    snprintf(duration, sizeof duration, "%" PRId64, event->duration_ns);
    /* JSON has no infinities */
    const bool finite = event->value != NULL && strpbrk(event->value, "in") == NULL;
    const cs_table_cell cells[NR_COLUMNS] = {
        [OFFSET].number = event->offset,
        [TIME].name = event->has_time ? time : NULL,
        [WHAT].name = cs_perfettoread_kind_name(event->kind),
        [GROUP].name = event->group,
        [TRACK].name = event->track,
        [EVENT].name = event->name,
        [CATEGORY].name = event->category,
        [DURATION].name = event->has_duration ? duration : NULL,
        [VALUE].name = finite || table->format != CS_TABLE_JSON ? event->value : NULL,
        [FIELDS].name = fields,
    };
    return cs_table_row(table, cells);
}

cs_status cs_perfettoread_print(cs_perfettoread *reader, cs_table_format format,
                                const cs_text_sink *sink, cs_diag *diag)
{
    cs_table table;
    cs_perfettoread_event *event;
    cs_status status;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, NR_COLUMNS);
    while ((status = cs_perfettoread_next(reader, &event, diag)) == CS_OK && event != NULL)
        if ((status = print_event(&table, event, diag)) != CS_OK)
            break;
    cs_table_end(&table);
    if (table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return status;
}

/* ---- what it looks like ---- */

#define HEAD_BYTES 20u  /* a tag and a length at most */
#define PACKET_TAG 0x0a /* field 1 of a length */
#define MAX_FIELD 1999u /* of a TracePacket, extensions included */

static bool is_text(const uint8_t *look, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((look[i] < 0x20 && strchr("\t\n\r", look[i]) == NULL) || look[i] == '\0')
            return false;
    return true;
}

bool cs_perfettoread_is_json(const uint8_t *look, size_t bytes)
{
    return bytes != 0 && (is_text(look, bytes) || look[0] == '{' || look[0] == '[');
}

/* The fields of a packet of `length` bytes, of which `packet` has the first, perhaps all. *any: there
 * was one. */
static bool looks_like_packet(cs_protoread packet, uint64_t length, bool *any)
{
    const bool cut = packet.left < length;
    const uint64_t begin = packet.offset;

    while (packet.left > 0) {
        cs_protoread head = packet;
        cs_protoread_field field;
        uint64_t tag = 0, value = 0;

        if (cs_protoread_head(&head, &tag, &value) != CS_OK)
            return cut && packet.left < HEAD_BYTES;
        if (tag >> 3 > MAX_FIELD ||
            ((tag & 7) == CS_PROTO_BYTES && value > length - (head.offset - begin)))
            return false;
        *any = true;
        if (cs_protoread_next(&packet, &field) != CS_OK)
            return cut;
    }
    return true;
}

/* Packets, as far as the look goes. A text can look so by accident: a new line is a packet's tag. */
bool cs_perfettoread_looks_so(const uint8_t *look, size_t bytes)
{
    cs_protoread file = {.bytes = look, .left = bytes, .name = ""};
    bool any = false;

    if (bytes < 4 || is_text(look, bytes))
        return false;
    while (file.left > 0) {
        const size_t left = file.left;
        uint64_t tag = 0, length = 0;

        if (file.bytes[0] != PACKET_TAG)
            return false;
        if (cs_protoread_head(&file, &tag, &length) != CS_OK)
            return any && left < HEAD_BYTES;
        if (length == 0 || length > CS_PERFETTOREAD_PACKET)
            return false;
        cs_protoread packet = file;
        if (packet.left > length)
            packet.left = (size_t)length;
        if (!looks_like_packet(packet, length, &any))
            return false;
        file.bytes += packet.left;
        file.offset += packet.left;
        file.left -= packet.left;
    }
    return any;
}
