// SPDX-License-Identifier: Apache-2.0
/* Header, ids, attrs; the buffer; the end. Layout of a file:
 *
 *     0        header: "PERFILE2", sizes, places of attrs and data, set of features
 *     104      the ids of all events
 *     ...      attrs, 144 bytes each: attr, place and length of its ids
 *     ...      records
 *     ...      places of the features, the features
 */
#include "formats/perf/write/data.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "formats/perf/write/impl.h"

#define ENTRY_BYTES (CS_PERF_DATA_ATTR_BYTES + 16u)
#define TRAILER_BITS                                                                               \
    (CS_PERF_SAMPLE_TID | CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_ID | CS_PERF_SAMPLE_STREAM_ID |     \
     CS_PERF_SAMPLE_CPU | CS_PERF_SAMPLE_IDENTIFIER)
/* Offsets in the header of what only the end tells. */
#define DATA_SIZE 48u
#define FEATURE_SET 72u

/* ---- sinks ---- */

static cs_status file_write(void *ctx, const void *bytes, size_t length, cs_diag *diag)
{
    const cs_perf_data_file *file = ctx;

    if (fwrite(bytes, 1, length, file->stream) == length)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_IO, file->name, "cannot write: %s", strerror(errno));
}

static cs_status file_patch(void *ctx, uint64_t offset, const void *bytes, size_t length,
                            cs_diag *diag)
{
    const cs_perf_data_file *file = ctx;
    const long end = ftell(file->stream);

    if (end >= 0 && fseek(file->stream, (long)offset, SEEK_SET) == 0 &&
        fwrite(bytes, 1, length, file->stream) == length && fseek(file->stream, end, SEEK_SET) == 0)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_IO, file->name, "cannot write its header: %s", strerror(errno));
}

cs_perf_data_sink cs_perf_data_to_file(cs_perf_data_file *file)
{
    return (cs_perf_data_sink){file_write, file_patch, file};
}

/* ---- the buffer ---- */

cs_status cs_perf_data_fail(cs_perf_data_writer *w, cs_status status, const char *format, ...)
{
    char text[sizeof w->diag.text];
    va_list args;

    if (w->status != CS_OK)
        return w->status;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    w->status = cs_diag_set(&w->diag, status, NULL, "%s", text);
    return w->status;
}

cs_status cs_perf_data_flush(cs_perf_data_writer *w)
{
    if (w->status == CS_OK && w->used != 0)
        w->status = w->sink.write(w->sink.ctx, w->buffer, w->used, &w->diag);
    w->written += w->used;
    w->used = 0;
    return w->status;
}

cs_status cs_perf_data_write(cs_perf_data_writer *w, const void *bytes, size_t length)
{
    if (length > sizeof w->buffer - w->used)
        cs_perf_data_flush(w);
    if (w->status != CS_OK)
        return w->status;
    if (length > sizeof w->buffer) {
        w->status = w->sink.write(w->sink.ctx, bytes, length, &w->diag);
        w->written += length;
    } else if (length != 0) {
        memcpy(w->buffer + w->used, bytes, length);
        w->used += length;
    }
    return w->status;
}

uint8_t *cs_perf_data_room(cs_perf_data_writer *w, size_t length, const char *what)
{
    if (w->status != CS_OK)
        return NULL;
    if (length > CS_PERF_DATA_MOST_BYTES) {
        cs_perf_data_fail(w, CS_ERR_RANGE,
                          "perf.data: %s of %zu bytes, a record has at most %u bytes", what, length,
                          CS_PERF_DATA_MOST_BYTES);
        return NULL;
    }
    if (length > sizeof w->buffer - w->used && cs_perf_data_flush(w) != CS_OK)
        return NULL;
    return w->buffer + w->used;
}

/* ---- the beginning ---- */

uint8_t *cs_perf_put_attr(uint8_t *at, const cs_perf_data_attr *a)
{
    uint8_t *const end = at + CS_PERF_DATA_ATTR_BYTES;

    at = cs_perf_put32(at, a->type);
    at = cs_perf_put32(at, CS_PERF_DATA_ATTR_BYTES);
    at = cs_perf_put64(at, a->config);
    at = cs_perf_put64(at, a->sample_period);
    at = cs_perf_put64(at, a->sample_type);
    at = cs_perf_put64(at, a->read_format);
    at = cs_perf_put64(at, a->flags);
    at = cs_perf_put64(at, 0); /* wakeup, type of breakpoint */
    at = cs_perf_put64(at, a->config1);
    at = cs_perf_put64(at, a->config2);
    memset(at, 0, (size_t)(end - at));
    return end;
}

static cs_status no_memory(cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory to write perf.data");
}

/* What an event asks for is what is written. */
static cs_status check_attr(const cs_perf_data_event *event, cs_diag *diag)
{
    const struct {
        const char *name;
        uint64_t more;
    } words[] = {
        {"sample_type", event->attr.sample_type & ~(uint64_t)CS_PERF_DATA_SAMPLE_TYPES},
        {"read_format", event->attr.read_format & ~(uint64_t)CS_PERF_DATA_READ_FORMATS},
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].more != 0)
            return cs_diag_set(diag, CS_ERR_RANGE, event->name,
                               "perf.data: %s has 0x%" PRIx64 ", which is not written",
                               words[i].name, words[i].more);
    return CS_OK;
}

/* Of several events each record tells which it is of, in a place that all of them have. */
static cs_status check_among(const cs_perf_data_event *first, const cs_perf_data_event *event,
                             cs_diag *diag)
{
    if (event->nr_ids == 0 || (event->attr.sample_type & CS_PERF_SAMPLE_IDENTIFIER) == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, event->name,
                           "perf.data: one of several events, without ids or IDENTIFIER");
    if (((event->attr.flags ^ first->attr.flags) & CS_PERF_ATTR_SAMPLE_ID_ALL) != 0)
        return cs_diag_set(diag, CS_ERR_RANGE, event->name,
                           "perf.data: it and %s differ in SAMPLE_ID_ALL", first->name);
    return CS_OK;
}

typedef struct owned_id {
    uint64_t id;
    const cs_perf_data_event *event;
} owned_id;

static int by_id(const void *a, const void *b)
{
    const owned_id *x = a, *y = b;

    return x->id != y->id ? (x->id > y->id) - (x->id < y->id)
                          : (x->event > y->event) - (x->event < y->event);
}

static cs_status check_sorted(const owned_id *ids, size_t nr, cs_diag *diag)
{
    if (nr > 0 && ids[0].id == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, ids[0].event->name, "perf.data: an id of 0");
    for (size_t i = 1; i < nr; i++)
        if (ids[i].id == ids[i - 1].id && ids[i].event != ids[i - 1].event)
            return cs_diag_set(diag, CS_ERR_RANGE, ids[i].event->name,
                               "perf.data: id %" PRIu64 " is of two events", ids[i].id);
    return CS_OK;
}

static cs_status check_ids(const cs_perf_data_event *events, size_t nr, cs_diag *diag)
{
    size_t total = 0, at = 0;

    for (size_t i = 0; i < nr; i++)
        total += events[i].nr_ids;
    if (total == 0)
        return CS_OK;
    owned_id *ids = calloc(total, sizeof *ids);
    if (ids == NULL)
        return no_memory(diag);
    for (size_t i = 0; i < nr; i++)
        for (size_t k = 0; k < events[i].nr_ids; k++)
            ids[at++] = (owned_id){events[i].ids[k], &events[i]};
    qsort(ids, total, sizeof *ids, by_id);
    const cs_status status = check_sorted(ids, total, diag);
    free(ids);
    return status;
}

static cs_status check(const cs_perf_data_event *events, size_t nr, cs_diag *diag)
{
    cs_status status = CS_OK;

    if (nr == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "perf.data: there is no event");
    for (size_t i = 0; i < nr && status == CS_OK; i++) {
        status = check_attr(&events[i], diag);
        if (status == CS_OK && nr > 1)
            status = check_among(events, &events[i], diag);
    }
    return status == CS_OK ? check_ids(events, nr, diag) : status;
}

static bool copy_event(cs_perf_data_known *to, const cs_perf_data_event *from)
{
    const size_t name = strlen(from->name) + 1;
    char *text = malloc(name);
    uint64_t *ids = malloc((from->nr_ids + 1) * sizeof *ids);

    to->event = *from;
    to->event.name = text;
    to->event.ids = ids;
    if (text == NULL || ids == NULL)
        return false;
    memcpy(text, from->name, name);
    if (from->nr_ids != 0)
        memcpy(ids, from->ids, from->nr_ids * sizeof *ids);
    to->first_id = from->nr_ids != 0 ? from->ids[0] : 0;
    if ((from->attr.flags & CS_PERF_ATTR_SAMPLE_ID_ALL) != 0)
        to->trailer = from->attr.sample_type & TRAILER_BITS;
    return true;
}

static void put(cs_perf_data_writer *w, uint64_t value)
{
    uint8_t bytes[8];

    cs_perf_put64(bytes, value);
    cs_perf_data_write(w, bytes, sizeof bytes);
}

static void write_front(cs_perf_data_writer *w)
{
    uint64_t ids = CS_PERF_DATA_HEADER_BYTES, attrs = ids;
    uint8_t attr[CS_PERF_DATA_ATTR_BYTES];

    for (size_t i = 0; i < w->nr_events; i++)
        attrs += 8 * w->events[i].event.nr_ids;
    w->data_offset = attrs + ENTRY_BYTES * w->nr_events;
    cs_perf_data_write(w, "PERFILE2", 8);
    put(w, CS_PERF_DATA_HEADER_BYTES);
    put(w, ENTRY_BYTES);
    put(w, attrs);
    put(w, ENTRY_BYTES * w->nr_events);
    put(w, w->data_offset);
    for (int i = 0; i < 7; i++)
        put(w, 0); /* size of the data; types of events; features */
    for (size_t i = 0; i < w->nr_events; i++)
        for (size_t k = 0; k < w->events[i].event.nr_ids; k++)
            put(w, w->events[i].event.ids[k]);
    for (size_t i = 0; i < w->nr_events; i++) {
        const cs_perf_data_event *event = &w->events[i].event;

        cs_perf_put_attr(attr, &event->attr);
        cs_perf_data_write(w, attr, sizeof attr);
        put(w, ids);
        put(w, 8 * event->nr_ids);
        ids += 8 * event->nr_ids;
    }
}

cs_status cs_perf_data_create(const cs_perf_data_sink *sink, const cs_perf_data_event *events,
                              size_t nr_events, cs_perf_data_writer **out, cs_diag *diag)
{
    cs_perf_data_writer *w;
    cs_status status = check(events, nr_events, diag);
    bool good;

    *out = NULL;
    if (status != CS_OK)
        return status;
    w = malloc(sizeof *w);
    if (w == NULL)
        return no_memory(diag);
    memset(w, 0, offsetof(cs_perf_data_writer, buffer));
    w->sink = *sink;
    w->events = calloc(nr_events, sizeof *w->events);
    good = w->events != NULL;
    for (size_t i = 0; good && i < nr_events; i++) {
        good = copy_event(&w->events[i], &events[i]);
        w->nr_events = i + 1;
    }
    if (!good) {
        cs_perf_data_abandon(w);
        return no_memory(diag);
    }
    write_front(w);
    status = w->status;
    if (status != CS_OK) {
        if (diag != NULL)
            *diag = w->diag;
        cs_perf_data_abandon(w);
        return status;
    }
    *out = w;
    return CS_OK;
}

/* ---- the end ---- */

static void patch_header(cs_perf_data_writer *w, const uint64_t set[4])
{
    uint8_t bytes[32];

    cs_perf_put64(bytes, w->totals.data_bytes);
    if (w->status == CS_OK)
        w->status = w->sink.patch(w->sink.ctx, DATA_SIZE, bytes, 8, &w->diag);
    for (int i = 0; i < 4; i++)
        cs_perf_put64(bytes + 8 * i, set[i]);
    if (w->status == CS_OK)
        w->status = w->sink.patch(w->sink.ctx, FEATURE_SET, bytes, sizeof bytes, &w->diag);
}

cs_status cs_perf_data_finish(cs_perf_data_writer *w, const cs_perf_data_features *features,
                              cs_diag *diag)
{
    uint64_t set[4] = {0};
    cs_status status;

    cs_perf_data_write_features(w, features, set);
    cs_perf_data_flush(w);
    patch_header(w, set);
    status = w->status;
    if (status != CS_OK && diag != NULL)
        *diag = w->diag;
    cs_perf_data_abandon(w);
    return status;
}

void cs_perf_data_abandon(cs_perf_data_writer *w)
{
    if (w == NULL)
        return;
    for (size_t i = 0; i < w->nr_events; i++) {
        free((void *)w->events[i].event.name);
        free((void *)w->events[i].event.ids);
    }
    free(w->events);
    free(w->auxtraces);
    free(w);
}

cs_perf_data_totals cs_perf_data_get_totals(const cs_perf_data_writer *w)
{
    return w->totals;
}
