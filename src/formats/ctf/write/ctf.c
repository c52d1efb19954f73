// SPDX-License-Identifier: Apache-2.0
/* opendir, mkdir, rmdir */
#define _POSIX_C_SOURCE 200809L
#include "formats/ctf/write/ctf.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/room.h"
#include "formats/common/little.h"
#include "formats/ctf/write/metadata.h"

/* A packet's header and context, byte for byte as metadata.c describes them. */
enum {
    AT_MAGIC = 0,
    AT_UUID = 4,
    AT_CLASS = 20,
    AT_STREAM = 24,
    AT_BEGIN = 32,
    AT_END = 40,
    AT_CONTENT_BITS = 48,
    AT_PACKET_BITS = 56,
    AT_NUMBER = 64,
    AT_INSTANCE = 72,
    HEADER_BYTES = 76
};
#define EVENT_HEADER_BYTES 10u
#define PACKET_ALIGN 8u
#define LABEL_METADATA "metadata"

struct cs_ctf_stream {
    cs_ctf *trace;
    cs_ctf_stream *next;
    const cs_ctf_stream_class *class;
    char *path;
    char *label;       /* of its number; NULL: none */
    uint32_t instance; /* the number */
    FILE *file;
    uint8_t *packet;
    size_t capacity; /* of packet */
    size_t used;     /* header included; HEADER_BYTES: no event */
    uint64_t first;  /* time of the packet's first event */
    uint64_t last;   /* of the stream's last one; 0 before */
    uint64_t number; /* of the packet */
};

struct cs_ctf {
    cs_ctf_config config;
    char *path;
    bool made; /* the folder is ours */
    cs_ctf_stream *streams;
    uint64_t nr_streams;
    cs_status status; /* the first failure */
    cs_diag diag;
};

static cs_status no_memory(cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
}

static char *join(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);

    if (path != NULL)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* ---- packets ---- */

static void fill_header(cs_ctf_stream *s, size_t size)
{
    uint8_t *p = s->packet;

    cs_little_put64(p + AT_BEGIN, s->first);
    cs_little_put64(p + AT_END, s->last);
    cs_little_put64(p + AT_CONTENT_BITS, 8 * (uint64_t)s->used);
    cs_little_put64(p + AT_PACKET_BITS, 8 * (uint64_t)size);
    cs_little_put64(p + AT_NUMBER, s->number);
}

static cs_status flush(cs_ctf_stream *s)
{
    cs_ctf *t = s->trace;
    const size_t size = (s->used + PACKET_ALIGN - 1) / PACKET_ALIGN * PACKET_ALIGN;

    if (t->status != CS_OK)
        return t->status;
    fill_header(s, size);
    memset(s->packet + s->used, 0, size - s->used);
    if (fwrite(s->packet, 1, size, s->file) != size)
        return t->status =
                   cs_diag_set(&t->diag, CS_ERR_IO, s->path, "cannot write: %s", strerror(errno));
    s->used = HEADER_BYTES;
    s->number++;
    return CS_OK;
}

/* Room for an event of `bytes`, in the packet that is open or a new one. */
static cs_status make_room(cs_ctf_stream *s, size_t bytes)
{
    cs_ctf *t = s->trace;
    cs_status status = CS_OK;

    if (s->used + bytes > t->config.packet_bytes && s->used > HEADER_BYTES)
        status = flush(s);
    if (status != CS_OK || s->used + bytes + PACKET_ALIGN <= s->capacity)
        return status;
    uint8_t *larger = realloc(s->packet, s->used + bytes + PACKET_ALIGN);
    if (larger == NULL)
        return t->status = no_memory(&t->diag);
    s->packet = larger;
    s->capacity = s->used + bytes + PACKET_ALIGN;
    return CS_OK;
}

/* ---- events ---- */

static bool fits(const cs_field *f, cs_field_value value)
{
    const int64_t number = (int64_t)value.number;

    if (f->kind == CS_FIELD_TEXT)
        return value.text != NULL;
    if (f->bits == 64)
        return true;
    if (f->kind == CS_FIELD_SIGNED)
        return number >= -(INT64_C(1) << (f->bits - 1)) && number < INT64_C(1) << (f->bits - 1);
    return value.number >> f->bits == 0;
}

/* Bytes of the event's fields; 0: a value that its field does not hold. */
static size_t payload_bytes(const cs_ctf_event_class *e, const cs_field_value *values)
{
    size_t bytes = 0;

    for (size_t i = 0; i < e->nr_fields; i++) {
        if (!fits(&e->fields[i], values[i]))
            return 0;
        bytes +=
            e->fields[i].kind == CS_FIELD_TEXT ? strlen(values[i].text) + 1 : e->fields[i].bits / 8;
    }
    return bytes;
}

static uint8_t *put_number(uint8_t *p, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++, number >>= 8)
        *p++ = (uint8_t)number;
    return p;
}

static uint8_t *put_text(uint8_t *p, const char *text)
{
    const size_t bytes = strlen(text) + 1;

    memcpy(p, text, bytes);
    return p + bytes;
}

cs_status cs_ctf_put(cs_ctf_stream *s, unsigned event, uint64_t cycle, const cs_field_value *values)
{
    if (s->trace->status != CS_OK)
        return s->trace->status;
    if (event >= s->class->nr_events || cycle < s->last)
        return CS_ERR_RANGE;

    const cs_ctf_event_class *e = &s->class->events[event];
    const size_t payload = payload_bytes(e, values);
    if (payload == 0 || payload > CS_CTF_EVENT_BYTES)
        return CS_ERR_RANGE;

    const cs_status status = make_room(s, EVENT_HEADER_BYTES + payload);
    if (status != CS_OK)
        return status;
    if (s->used == HEADER_BYTES)
        s->first = cycle;
    s->last = cycle;

    uint8_t *p = s->packet + s->used;
    p = put_number(p, event, 2);
    p = put_number(p, cycle, 8);
    for (size_t i = 0; i < e->nr_fields; i++)
        p = e->fields[i].kind == CS_FIELD_TEXT
                ? put_text(p, values[i].text)
                : put_number(p, values[i].number, e->fields[i].bits / 8);
    s->used += EVENT_HEADER_BYTES + payload;
    return CS_OK;
}

/* ---- streams ---- */

static bool is_file_name(const char *name)
{
    if (*name == '\0' || *name == '.' || strcmp(name, LABEL_METADATA) == 0)
        return false;
    return name[strspn(
               name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")] == '\0';
}

static void free_stream(cs_ctf_stream *s)
{
    free(s->packet);
    free(s->path);
    free(s->label);
    free(s);
}

cs_status cs_ctf_open(cs_ctf *t, unsigned class_index, uint32_t instance, const char *name,
                      cs_ctf_stream **out, cs_diag *diag)
{
    *out = NULL;
    if (class_index >= t->config.nr_classes)
        return cs_diag_set(diag, CS_ERR_RANGE, name, "kind of streams %u, there are %zu",
                           class_index, t->config.nr_classes);
    if (!is_file_name(name))
        return cs_diag_set(diag, CS_ERR_RANGE, name, "cannot be the name of a stream's file");

    cs_ctf_stream *s = calloc(1, sizeof *s);
    if (s == NULL)
        return no_memory(diag);
    s->trace = t;
    s->class = &t->config.classes[class_index];
    s->instance = instance;
    s->capacity = t->config.packet_bytes + PACKET_ALIGN;
    s->packet = calloc(1, s->capacity);
    s->path = join(t->path, name);
    s->used = HEADER_BYTES;
    if (s->packet == NULL || s->path == NULL) {
        free_stream(s);
        return no_memory(diag);
    }
    s->file = fopen(s->path, "wbx");
    if (s->file == NULL) {
        cs_diag_set(diag, CS_ERR_IO, s->path, "cannot be made: %s", strerror(errno));
        free_stream(s);
        return CS_ERR_IO;
    }
    setvbuf(s->file, NULL, _IONBF, 0); /* packets are large */
    cs_little_put32(s->packet + AT_MAGIC, CS_CTF_MAGIC);
    memcpy(s->packet + AT_UUID, t->config.uuid, CS_CTF_UUID_BYTES);
    cs_little_put32(s->packet + AT_CLASS, class_index);
    cs_little_put64(s->packet + AT_STREAM, t->nr_streams++);
    cs_little_put32(s->packet + AT_INSTANCE, instance);
    s->next = t->streams;
    t->streams = s;
    *out = s;
    return CS_OK;
}

cs_status cs_ctf_label(cs_ctf_stream *s, const char *label, cs_diag *diag)
{
    if (cs_ctf_check_text(s->path, label, diag) != CS_OK)
        return CS_ERR_RANGE;
    char *copy = strdup(label);
    if (copy == NULL)
        return no_memory(diag);
    free(s->label);
    s->label = copy;
    return CS_OK;
}

/* ---- the folder ---- */

static cs_status make_folder(cs_ctf *t, cs_diag *diag)
{
    if (mkdir(t->path, 0777) == 0) {
        t->made = true;
        return CS_OK;
    }
    if (errno != EEXIST)
        return cs_diag_set(diag, CS_ERR_IO, t->path, "cannot be made: %s", strerror(errno));

    DIR *dir = opendir(t->path);
    if (dir == NULL)
        return cs_diag_set(diag, CS_ERR_IO, t->path, "cannot be opened as a folder: %s",
                           strerror(errno));
    unsigned entries = 0;
    while (readdir(dir) != NULL && entries <= 2)
        entries++;
    closedir(dir);
    /* Whatever lies in the folder of a trace is taken for one of its streams. */
    return entries <= 2 ? CS_OK
                        : cs_diag_set(diag, CS_ERR_IO, t->path,
                                      "is not empty; a trace needs a folder of its own");
}

static cs_status write_metadata(const cs_ctf *t, const char *mode, const cs_ctf_labels *labels,
                                cs_diag *diag)
{
    char *path = join(t->path, LABEL_METADATA);
    FILE *file = path != NULL ? fopen(path, mode) : NULL;
    cs_status status = CS_OK;

    if (path == NULL)
        return no_memory(diag);
    if (file == NULL) {
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot be made: %s", strerror(errno));
    } else {
        cs_ctf_describe(&t->config, labels, file);
        const bool failed = ferror(file) != 0;
        if (fclose(file) != 0 || failed)
            status = cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    }
    free(path);
    return status;
}

cs_status cs_ctf_create(const char *path, const cs_ctf_config *config, cs_ctf **out, cs_diag *diag)
{
    cs_status status = cs_ctf_check(config, diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    cs_ctf *t = calloc(1, sizeof *t);
    if (t != NULL)
        t->path = join(path, "");
    if (t == NULL || t->path == NULL) {
        free(t);
        return no_memory(diag);
    }
    t->path[strlen(path)] = '\0';
    t->config = *config;
    if (t->config.packet_bytes == 0)
        t->config.packet_bytes = CS_CTF_PACKET_BYTES;
    status = make_folder(t, diag);
    if (status == CS_OK) {
        status = write_metadata(t, "wbx", NULL, diag);
        if (status == CS_OK) {
            *out = t;
            return CS_OK;
        }
        cs_ctf_abandon(t);
        return status;
    }
    free(t->path);
    free(t);
    return status;
}

/* Closes the files; with `keep` what is in the packets comes first. */
static void end_streams(cs_ctf *t, bool keep)
{
    while (t->streams != NULL) {
        cs_ctf_stream *s = t->streams;

        t->streams = s->next;
        if (keep && (s->used > HEADER_BYTES || s->number == 0))
            flush(s);
        if (fclose(s->file) != 0 && t->status == CS_OK)
            t->status =
                cs_diag_set(&t->diag, CS_ERR_IO, s->path, "cannot write: %s", strerror(errno));
        if (!keep)
            unlink(s->path);
        free_stream(s);
    }
}

static int by_value(const void *a, const void *b)
{
    const cs_field_label *x = a, *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

static bool add_label(cs_ctf_labels *labels, const cs_ctf_stream *s)
{
    for (size_t i = 0; i < labels->nr; i++)
        if (labels->list[i].value == s->instance) {
            labels->list[i].name = s->label; /* streams come last first */
            return true;
        }
    cs_field_label *list = cs_room(labels->list, &labels->room, labels->nr, sizeof *list);
    if (list == NULL)
        return false;
    labels->list = list;
    list[labels->nr++] = (cs_field_label){s->instance, s->label};
    return true;
}

/* The metadata once more, with the names of the streams' numbers, which are known by now. */
static cs_status name_streams(cs_ctf *t)
{
    cs_ctf_labels *labels = calloc(t->config.nr_classes, sizeof *labels);
    bool good = labels != NULL, any = false;

    for (const cs_ctf_stream *s = t->streams; s != NULL && good; s = s->next)
        if (s->label != NULL) {
            any = true;
            good = add_label(&labels[s->class - t->config.classes], s);
        }
    cs_status status = good ? CS_OK : no_memory(&t->diag);
    for (size_t i = 0; i < t->config.nr_classes && good && any; i++)
        if (labels[i].nr != 0)
            qsort(labels[i].list, labels[i].nr, sizeof *labels[i].list, by_value);
    if (good && any)
        status = write_metadata(t, "wb", labels, &t->diag);
    for (size_t i = 0; i < t->config.nr_classes && labels != NULL; i++)
        free(labels[i].list);
    free(labels);
    return status;
}

cs_status cs_ctf_close(cs_ctf *t, cs_diag *diag)
{
    if (t->status == CS_OK)
        t->status = name_streams(t);
    end_streams(t, true);

    const cs_status status = t->status;
    if (status != CS_OK && diag != NULL)
        *diag = t->diag;
    free(t->path);
    free(t);
    return status;
}

void cs_ctf_abandon(cs_ctf *t)
{
    if (t == NULL)
        return;
    end_streams(t, false);
    char *metadata = join(t->path, LABEL_METADATA);
    if (metadata != NULL)
        unlink(metadata);
    free(metadata);
    if (t->made)
        rmdir(t->path);
    free(t->path);
    free(t);
}
