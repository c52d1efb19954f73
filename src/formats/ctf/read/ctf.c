// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "formats/ctf/read/ctf.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/room.h"
#include "formats/ctf/read/stream.h"

#define MAX_STREAMS 65536u

struct cs_ctfread {
    cs_tsdl metadata;
    cs_ctf_reading **streams; /* by name */
    size_t nr_streams, room;
    size_t *heap; /* numbers of streams that have an event, the earliest first */
    size_t nr_heap;
    size_t last; /* whose event was handed out */
    bool begun;
    cs_status status;
    cs_diag diag;
};

/* ---- files ---- */

static char *join(const char *folder, const char *name)
{
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);

    if (path != NULL)
        snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}

bool cs_ctfread_looks_so(const char *path)
{
    char *metadata = join(path, "metadata");
    struct stat status;
    const bool there = metadata != NULL && stat(metadata, &status) == 0 && S_ISREG(status.st_mode);

    free(metadata);
    return there;
}

static cs_status no_memory(const char *path, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory for a trace");
}

static cs_status read_metadata(cs_ctfread *reader, const char *folder, cs_diag *diag)
{
    char *path = join(folder, "metadata");
    FILE *file = path != NULL ? fopen(path, "rb") : NULL;
    char *text = NULL;
    size_t bytes = 0, got, room = 0;
    cs_status status = CS_OK;

    if (path == NULL)
        status = no_memory(folder, diag);
    else if (file == NULL)
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    while (status == CS_OK) {
        char *more = realloc(text, room += 65536);

        if (more == NULL) {
            status = no_memory(path, diag);
            break;
        }
        text = more;
        got = fread(text + bytes, 1, room - bytes, file);
        bytes += got;
        if (ferror(file))
            status = cs_diag_set(diag, CS_ERR_IO, path, "cannot read: %s", strerror(errno));
        else if (bytes > CS_CTFREAD_MAX_METADATA)
            status = cs_diag_set(diag, CS_ERR_FORMAT, path, "has more than %u bytes",
                                 CS_CTFREAD_MAX_METADATA);
        if (got == 0)
            break;
    }
    if (status == CS_OK)
        status = cs_tsdl_parse(&reader->metadata, text, bytes, path, diag);
    if (file != NULL)
        fclose(file);
    free(text);
    free(path);
    return status;
}

static cs_status add_stream(cs_ctfread *reader, const char *folder, const char *name, cs_diag *diag)
{
    char *path = join(folder, name);
    struct stat there;

    if (path == NULL)
        return no_memory(folder, diag);
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode)) {
        free(path); /* an index folder, say */
        return CS_OK;
    }
    void *more =
        cs_room(reader->streams, &reader->room, reader->nr_streams, sizeof *reader->streams);
    cs_ctf_reading *s = malloc(sizeof *s);

    if (more != NULL)
        reader->streams = more;
    if (more == NULL || s == NULL || reader->nr_streams == MAX_STREAMS) {
        free(s);
        free(path);
        return reader->nr_streams == MAX_STREAMS
                   ? cs_diag_set(diag, CS_ERR_FORMAT, folder, "more than %u streams", MAX_STREAMS)
                   : no_memory(folder, diag);
    }
    reader->streams[reader->nr_streams++] = s;
    return cs_ctf_reading_open(s, &reader->metadata, path, diag);
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(cs_ctf_reading *const *)a)->name, (*(cs_ctf_reading *const *)b)->name);
}

cs_status cs_ctfread_open(const char *path, cs_ctfread **out, cs_diag *diag)
{
    cs_ctfread *reader = calloc(1, sizeof *reader);
    DIR *folder = NULL;
    cs_status status;

    *out = NULL;
    if (reader == NULL)
        return no_memory(path, diag);
    status = read_metadata(reader, path, diag);
    if (status == CS_OK) {
        folder = opendir(path);
        if (folder == NULL)
            status = cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    }
    for (struct dirent *entry; status == CS_OK && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "metadata") != 0)
            status = add_stream(reader, path, entry->d_name, diag);
    if (folder != NULL)
        closedir(folder);
    if (status == CS_OK) {
        reader->heap = calloc(reader->nr_streams + 1, sizeof *reader->heap);
        if (reader->heap == NULL)
            status = no_memory(path, diag);
        else if (reader->nr_streams > 1)
            qsort(reader->streams, reader->nr_streams, sizeof *reader->streams, by_name);
    }
    if (status == CS_OK)
        *out = reader;
    else
        cs_ctfread_close(reader);
    return status;
}

void cs_ctfread_close(cs_ctfread *reader)
{
    if (reader == NULL)
        return;
    for (size_t i = 0; i < reader->nr_streams; i++) {
        cs_ctf_reading_close(reader->streams[i]);
        free(reader->streams[i]);
    }
    cs_tsdl_free(&reader->metadata);
    free(reader->streams);
    free(reader->heap);
    free(reader);
}

/* ---- the earliest of all streams ---- */

/* Of the same time, the stream with the smaller name. */
static bool earlier(const cs_ctfread *reader, size_t a, size_t b)
{
    const uint64_t time_a = reader->streams[a]->clock, time_b = reader->streams[b]->clock;

    return time_a < time_b || (time_a == time_b && a < b);
}

static void push(cs_ctfread *reader, size_t stream)
{
    size_t at = reader->nr_heap++;

    for (; at > 0 && earlier(reader, stream, reader->heap[(at - 1) / 2]); at = (at - 1) / 2)
        reader->heap[at] = reader->heap[(at - 1) / 2];
    reader->heap[at] = stream;
}

static size_t pop(cs_ctfread *reader)
{
    const size_t first = reader->heap[0], moved = reader->heap[--reader->nr_heap];
    size_t at = 0;

    for (size_t child; (child = 2 * at + 1) < reader->nr_heap; at = child) {
        if (child + 1 < reader->nr_heap &&
            earlier(reader, reader->heap[child + 1], reader->heap[child]))
            child++;
        if (!earlier(reader, reader->heap[child], moved))
            break;
        reader->heap[at] = reader->heap[child];
    }
    reader->heap[at] = moved;
    return first;
}

static cs_status advance(cs_ctfread *reader, size_t stream)
{
    const cs_status status = cs_ctf_reading_next(reader->streams[stream], &reader->diag);

    if (status == CS_OK && reader->streams[stream]->event != NULL)
        push(reader, stream);
    return status;
}

cs_status cs_ctfread_next(cs_ctfread *reader, cs_ctfread_event *event, bool *there, cs_diag *diag)
{
    *there = false;
    if (reader->status == CS_OK && reader->begun && reader->last < reader->nr_streams)
        reader->status = advance(reader, reader->last);
    for (size_t i = 0; !reader->begun && i < reader->nr_streams && reader->status == CS_OK; i++)
        reader->status = advance(reader, i);
    reader->begun = true;
    reader->last = reader->nr_streams;
    if (reader->status != CS_OK && diag != NULL)
        *diag = reader->diag;
    if (reader->status != CS_OK || reader->nr_heap == 0)
        return reader->status;
    reader->last = pop(reader);
    cs_ctf_reading *s = reader->streams[reader->last];
    *event = (cs_ctfread_event){.stream = s->name,
                                .offset = s->event_at / 8,
                                .time = s->clock,
                                .stream_id = s->stream->id,
                                .name = s->event->name,
                                .fields = &s->fields};
    *there = true;
    return CS_OK;
}

/* ---- rows for people ---- */

enum { TIME, STREAM, OFFSET, EVENT, FIELDS, NR_COLUMNS };

static const cs_table_column columns[NR_COLUMNS] = {
    {"time", CS_CELL_NUMBER, 0, 12}, {"stream", CS_CELL_NAME, 0, 20}, {"offset", CS_CELL_HEX, 6, 8},
    {"event", CS_CELL_NAME, 0, 14},  {"fields", CS_CELL_NAME, 0, 0},
};

cs_status cs_ctfread_print(cs_ctfread *reader, cs_table_format format, const cs_text_sink *sink,
                           cs_diag *diag)
{
    cs_table table;
    cs_ctfread_event event;
    bool there;
    cs_status status;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, NR_COLUMNS);
    while ((status = cs_ctfread_next(reader, &event, &there, diag)) == CS_OK && there) {
        const cs_table_cell cells[NR_COLUMNS] = {
            [TIME].number = event.time,
            [STREAM].name = event.stream,
            [OFFSET].number = event.offset,
            [EVENT].name = event.name,
            [FIELDS].name = cs_event_fields_print(event.fields),
        };
        if (cs_table_row(&table, cells) != CS_OK)
            break;
    }
    cs_table_end(&table);
    if (status == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return status;
}
