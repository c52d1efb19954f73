// SPDX-License-Identifier: Apache-2.0
/* The ring that events write records to: memory that a program has mapped. It can write there
 * whatever it likes: of what is in it, only data_tail is ever read, and any value of that is
 * taken. */
#include "software/perf/ring/buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE CS_PERF_PAGE_BYTES

static struct cs_perf_page_abi *buffer_page(const cs_perf_buffer *b)
{
    return b->memory;
}

/* ---- its life ---- */

static void buffer_init_page(cs_perf_buffer *b)
{
    struct cs_perf_page_abi *page = buffer_page(b);

    page->capabilities = CS_PERF_PAGE_CAP_BIT0_DEPRECATED;
    page->size = (uint32_t)offsetof(struct cs_perf_page_abi, reserved);
    page->data_offset = PAGE;
    page->data_size = b->size;
}

cs_perf_buffer *cs_perf_buffer_new(const cs_perf_event *event, const cs_perf_mapped *mapped)
{
    const cs_perf_attr *attr = &event->attr;
    const bool bytes = (attr->flags & CS_PERF_ATTR_WATERMARK) != 0;
    cs_perf_buffer *b = calloc(1, sizeof *b);

    if (b == NULL)
        return NULL;
    b->perf = event->perf;
    b->backward = cs_perf_has(event, CS_PERF_ATTR_WRITE_BACKWARD);
    b->memory = mapped->memory;
    b->bytes = mapped->bytes;
    b->size = mapped->bytes - PAGE;
    b->overwrites = !mapped->writable;
    b->watermark = bytes && attr->wakeup < b->size ? attr->wakeup : bytes ? b->size : 0;
    if (b->watermark == 0)
        b->watermark = b->size / 2;
    TAILQ_INIT(&b->events);
    buffer_init_page(b);
    return b;
}

void cs_perf_buffer_attach(cs_perf_event *event, cs_perf_buffer *buffer)
{
    cs_perf_buffer_drop(event);
    event->buffer = buffer;
    if (buffer != NULL)
        TAILQ_INSERT_TAIL(&buffer->events, event, in_buffer);
}

/* A ring that nobody has mapped is nobody's, even if events still write to it. */
static void buffer_end(cs_perf_buffer *b)
{
    cs_perf_event *e;

    while ((e = TAILQ_FIRST(&b->events)) != NULL) {
        TAILQ_REMOVE(&b->events, e, in_buffer);
        e->buffer = NULL;
    }
    if (b->hidden)
        TAILQ_REMOVE(&b->perf->hidden, b, in_hidden);
    free(b);
}

void cs_perf_buffer_drop(cs_perf_event *event)
{
    cs_perf_buffer *b = event->buffer;

    if (b == NULL)
        return;
    event->buffer = NULL;
    TAILQ_REMOVE(&b->events, event, in_buffer);
    b->nr_maps -= event->nr_maps;
    event->nr_maps = 0;
    if (b->nr_maps == 0)
        buffer_end(b);
}

void cs_perf_munmap(cs_perf_event *event)
{
    cs_perf_buffer *b = event->buffer;

    if (b == NULL || event->nr_maps == 0)
        return;
    event->nr_maps--;
    if (--b->nr_maps == 0)
        buffer_end(b);
}

void *cs_perf_memory(const cs_perf_event *event, size_t *bytes)
{
    *bytes = event->buffer != NULL ? event->buffer->bytes : 0;
    return event->buffer != NULL ? event->buffer->memory : NULL;
}

bool cs_perf_unread(const cs_perf_event *event)
{
    const cs_perf_buffer *b = event->buffer;

    return b != NULL && b->size != 0 && !b->overwrites &&
           b->shown != __atomic_load_n(&buffer_page(b)->data_tail, __ATOMIC_ACQUIRE);
}

/* ---- waking ---- */

void cs_perf_wakeup(cs_perf_event *event, cs_perf_wake wake)
{
    const cs_perf_calls *calls = &event->perf->calls;
    cs_perf_event *opened = event->parent != NULL ? event->parent : event;

    if (opened->buffer != NULL && opened->buffer->hidden)
        cs_perf_buffer_publish(opened->buffer);
    if (calls->woken != NULL)
        calls->woken(calls->ctx, opened, wake);
}

/* Whoever waits for any event of the ring. */
void cs_perf_buffer_wake(cs_perf_buffer *b)
{
    cs_perf_event *e;

    b->poll = true;
    TAILQ_FOREACH (e, &b->events, in_buffer)
        cs_perf_wakeup(e, CS_PERF_WAKE_DATA);
}

unsigned cs_perf_poll(cs_perf_event *event)
{
    unsigned events = 0;

    if (event->state == CS_PERF_STATE_EXIT && TAILQ_EMPTY(&event->children))
        return CS_PERF_POLL_HUP;
    if (event->buffer != NULL && event->buffer->poll) {
        event->buffer->poll = false;
        events |= CS_PERF_POLL_IN;
    }
    return events;
}

/* ---- writing ---- */

static void buffer_copy(cs_perf_buffer *b, uint64_t at, const void *bytes, size_t n)
{
    unsigned char *data = (unsigned char *)b->memory + PAGE;
    const size_t from = (size_t)(at & (b->size - 1));
    const size_t first = n < b->size - from ? n : b->size - from;

    memcpy(data + from, bytes, first);
    memcpy(data, (const unsigned char *)bytes + first, n - first);
}

/* As the kernel counts it: one byte always stays free. */
static bool buffer_has_room(const cs_perf_buffer *b, size_t n)
{
    const uint64_t tail = __atomic_load_n(&buffer_page(b)->data_tail, __ATOMIC_ACQUIRE);

    return b->overwrites ? n <= b->size : ((tail - b->head - 1) & (b->size - 1)) >= n;
}

static void buffer_append(cs_perf_buffer *b, const cs_perf_record *r, bool backward)
{
    if (backward)
        b->head -= r->n;
    buffer_copy(b, b->head, r->bytes, r->n);
    if (!backward)
        b->head += r->n;
}

void cs_perf_buffer_publish(cs_perf_buffer *b)
{
    b->shown = b->head;
    __atomic_store_n(&buffer_page(b)->data_head, b->head, __ATOMIC_RELEASE);
}

static void buffer_hide(cs_perf_buffer *b, bool wakes)
{
    b->wakes |= wakes;
    if (b->hidden)
        return;
    b->hidden = true;
    TAILQ_INSERT_TAIL(&b->perf->hidden, b, in_hidden);
}

/* What has been written appears, and wakes. */
static void buffer_written(cs_perf_buffer *b, bool wakes)
{
    if (b->hidden || (b->perf->held != 0 && !b->overwrites)) {
        buffer_hide(b, wakes);
        return;
    }
    cs_perf_buffer_publish(b);
    if (wakes)
        cs_perf_buffer_wake(b);
}

void cs_perf_hold(cs_perf *perf)
{
    perf->held++;
}

/* The one that was mapped. */
static const cs_perf_event *buffer_owner(const cs_perf_buffer *b)
{
    const cs_perf_event *e;

    TAILQ_FOREACH (e, &b->events, in_buffer)
        if (e->nr_maps != 0)
            return e;
    return NULL;
}

static bool buffer_is_read(const cs_perf_buffer *b)
{
    const cs_perf_calls *calls = &b->perf->calls;
    const cs_perf_event *owner = buffer_owner(b);

    return calls->reads != NULL && owner != NULL && calls->reads(calls->ctx, owner);
}

static void buffer_show(cs_perf_buffer *b)
{
    TAILQ_REMOVE(&b->perf->hidden, b, in_hidden);
    b->hidden = false;
    if (b->wakes)
        cs_perf_buffer_wake(b);
    b->wakes = false;
}

/* All rings first: whoever is woken for one looks at the others, too. */
bool cs_perf_show(cs_perf *perf)
{
    cs_perf_buffer *b, *next;

    if (--perf->held != 0)
        return !TAILQ_EMPTY(&perf->hidden);
    TAILQ_FOREACH (b, &perf->hidden, in_hidden) {
        b->left_out = buffer_is_read(b);
        if (!b->left_out)
            cs_perf_buffer_publish(b);
    }
    for (b = TAILQ_FIRST(&perf->hidden); b != NULL; b = next) {
        next = TAILQ_NEXT(b, in_hidden);
        if (!b->left_out)
            buffer_show(b);
    }
    return !TAILQ_EMPTY(&perf->hidden);
}

/* By the bytes since the last time. */
static bool buffer_reached_watermark(cs_perf_buffer *b)
{
    const uint64_t written = b->backward ? -b->head : b->head;

    if (written - b->woken_at <= b->watermark)
        return false;
    b->woken_at += b->watermark;
    return true;
}

/* By samples, for an event that wants that. */
static bool buffer_reached_events(cs_perf_buffer *b, const cs_perf_event *event, bool sample)
{
    if (!sample || cs_perf_has(event, CS_PERF_ATTR_WATERMARK) || event->attr.wakeup == 0)
        return false;
    if (++b->samples < event->attr.wakeup)
        return false;
    b->samples = 0;
    return true;
}

static void record_set_size(cs_perf_record *r)
{
    const uint16_t size = (uint16_t)r->n;

    memcpy(r->bytes + 6, &size, sizeof size);
}

static void output_tell_lost(cs_perf_event *event, uint64_t lost, const cs_perf_at *at)
{
    const cs_perf_calls *calls = &event->perf->calls;

    if (calls->told != NULL)
        calls->told(calls->ctx, &(cs_perf_told){.kind = CS_PERF_TOLD_LOST,
                                                .event = event,
                                                .id = event->id,
                                                .time_ns = at->time_ns,
                                                .cpu = (int)at->cpu,
                                                .who = at->who,
                                                .lost = lost});
}

/* What was lost before is said first. */
static cs_perf_record output_lost_record(cs_perf_event *event, unsigned char bytes[],
                                         const cs_perf_at *at)
{
    cs_perf_record r = {.bytes = bytes};

    if (event->buffer->lost == 0)
        return r;
    cs_perf_put_pair(&r, CS_PERF_REC_LOST, 0);
    cs_perf_put_u64(&r, event->id);
    cs_perf_put_u64(&r, event->buffer->lost);
    cs_perf_put_id(&r, event, at);
    record_set_size(&r);
    return r;
}

/* An inherited event writes where the one that was opened does. */
bool cs_perf_output(cs_perf_event *event, cs_perf_record *record, const cs_perf_at *at)
{
    cs_perf_event *owner = event->parent != NULL ? event->parent : event;
    cs_perf_buffer *b = owner->buffer;
    unsigned char bytes[CS_PERF_LOST_MOST_BYTES];
    uint32_t type;

    if (b == NULL || b->size == 0)
        return false;
    memcpy(&type, record->bytes, sizeof type);
    const cs_perf_record lost = output_lost_record(owner, bytes, at);
    record_set_size(record);
    if (b->paused || !buffer_has_room(b, lost.n + record->n)) {
        b->lost++;
        owner->lost++;
        return false;
    }
    if (lost.n != 0) {
        output_tell_lost(owner, b->lost, at);
        b->lost = 0;
        buffer_append(b, &lost, b->backward);
    }
    buffer_append(b, record, b->backward);
    const bool full = buffer_reached_watermark(b);
    buffer_written(b, buffer_reached_events(b, event, type == CS_PERF_REC_SAMPLE) || full);
    return true;
}

void cs_perf_write(cs_perf_event *event, void *record, size_t bytes)
{
    cs_perf_record r = {.bytes = record, .n = bytes};
    const cs_perf_at at = {.cpu = (unsigned)event->cpu, .time_ns = event->perf->now_ns};

    cs_perf_output(event, &r, &at);
}

int cs_perf_pause_output(cs_perf_event *event, bool pause)
{
    if (event->buffer == NULL || event->buffer->size == 0)
        return -EINVAL;
    event->buffer->paused = pause;
    return 0;
}
