// SPDX-License-Identifier: Apache-2.0
/* AUX areas: memory beside a ring, to which hardware writes by itself. The program says in aux_tail how
 * far it has read; any value is harmless. */
#include <errno.h>

#include "software/perf/ring/buffer.h"

#define PAGE CS_PERF_PAGE_BYTES

static bool is_power_of_two(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* What the program has written into the first page says where the area is to be. */
int cs_perf_aux_check(const cs_perf_event *event, const cs_perf_mapped *m)
{
    const cs_perf_buffer *b = event->buffer;
    const struct cs_perf_page_abi *page = b->memory;
    const uint64_t offset = __atomic_load_n(&page->aux_offset, __ATOMIC_ACQUIRE);
    const uint64_t size = __atomic_load_n(&page->aux_size, __ATOMIC_ACQUIRE);

    if (offset < b->bytes || offset != m->offset || size != m->bytes)
        return -EINVAL;
    if (b->aux.bytes != 0 && (b->aux.offset != m->offset || b->aux.bytes != m->bytes))
        return -EINVAL;
    if (m->bytes % PAGE != 0 || !is_power_of_two(m->bytes / PAGE))
        return -EINVAL;
    if (!event->pmu->aux)
        return -EOPNOTSUPP;
    return m->writable ? 0 : -ENOMEM; /* no driver here overwrites */
}

int cs_perf_aux_map(cs_perf_event *event, const cs_perf_mapped *m)
{
    cs_perf_aux *aux = &event->buffer->aux;
    const uint64_t wanted = event->attr.aux_watermark;

    if (aux->bytes != 0)
        return 0;
    *aux = (cs_perf_aux){.memory = m->memory, .bytes = m->bytes, .offset = m->offset};
    aux->watermark = wanted != 0 ? wanted : m->bytes / 2;
    return 0;
}

bool cs_perf_aux_look(const cs_perf_event *event, cs_perf_aux_room *out)
{
    const cs_perf_buffer *b = event->buffer;

    if (b == NULL || b->aux.bytes == 0)
        return false;
    const struct cs_perf_page_abi *page = b->memory;
    const cs_perf_aux *aux = &b->aux;
    const uint64_t used = aux->head - __atomic_load_n(&page->aux_tail, __ATOMIC_ACQUIRE);

    *out = (cs_perf_aux_room){
        .memory = aux->memory,
        .bytes = aux->bytes,
        .watermark = aux->watermark < aux->bytes ? (size_t)aux->watermark : aux->bytes,
        .head = aux->head,
        .free = used < aux->bytes ? aux->bytes - (size_t)used : 0,
    };
    return true;
}

/* Of whoever runs on the CPU, now. */
static cs_perf_at aux_at(const cs_perf_event *event)
{
    const cs_perf *perf = event->perf;
    const unsigned cpu = event->cpu >= 0 ? (unsigned)event->cpu : 0;
    const cs_perf_task *task = perf->cpus[cpu].task;

    return (cs_perf_at){.who = task != NULL ? task->who : (cs_perf_who){0, 0},
                        .cpu = cpu,
                        .time_ns = perf->cpus[cpu].now_ns};
}

static void aux_record(cs_perf_event *event, uint64_t bytes, uint64_t flags)
{
    const cs_perf_at at = aux_at(event);
    cs_perf_record r = cs_perf_record_begin(event->perf, CS_PERF_REC_AUX, 0);

    cs_perf_put_u64(&r, event->buffer->aux.head);
    cs_perf_put_u64(&r, bytes);
    cs_perf_put_u64(&r, flags);
    cs_perf_put_id(&r, event, &at);
    cs_perf_output(event, &r, &at);
}

void cs_perf_aux_hand_over(cs_perf_event *event, uint64_t bytes, uint64_t flags)
{
    cs_perf_buffer *b = event->buffer;

    if (b == NULL || b->aux.bytes == 0 || (bytes == 0 && flags == 0))
        return;
    cs_perf_aux *aux = &b->aux;
    aux_record(event, bytes, flags);
    cs_perf_buffer_publish(b); /* before aux_head, as a reader expects */
    aux->head += bytes;
    __atomic_store_n(&((struct cs_perf_page_abi *)b->memory)->aux_head, aux->head,
                     __ATOMIC_RELEASE);
    if (aux->head - aux->woken_at < aux->watermark && flags == 0)
        return;
    aux->woken_at = aux->head / aux->watermark * aux->watermark;
    cs_perf_buffer_wake(b);
}
