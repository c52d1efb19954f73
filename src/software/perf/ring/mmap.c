// SPDX-License-Identifier: Apache-2.0
/* mmap(2) of an event, its user page, and whose ring events write to. */
#include "software/perf/ring/buffer.h"

#include <errno.h>

#define PAGE CS_PERF_PAGE_BYTES

static bool is_power_of_two(size_t n)
{
    return (n & (n - 1)) == 0;
}

static int mmap_check(const cs_perf_event *event, const cs_perf_mapped *m)
{
    const size_t pages = m->bytes / PAGE;

    if (event->cpu < 0 && cs_perf_has(event, CS_PERF_ATTR_INHERIT))
        return -EINVAL;
    if (!m->shared)
        return -EINVAL;
    if (m->offset != 0)
        return event->buffer != NULL ? cs_perf_aux_check(event, m) : -EINVAL;
    if (m->bytes % PAGE != 0 || pages == 0 || !is_power_of_two(pages - 1))
        return -EINVAL;
    if (event->buffer != NULL && event->buffer->bytes != m->bytes)
        return -EINVAL;
    return 0;
}

/* What perf_event_mlock_kb lets a user have beside RLIMIT_MEMLOCK. */
static int mmap_check_locked(const cs_perf_event *event, const cs_perf_mapped *m)
{
    const cs_perf_machine *machine = &event->perf->machine;
    const size_t free = (size_t)machine->mlock_kb * 1024 * machine->nr_cpus;
    const size_t wanted = m->locked + m->bytes;

    if ((event->buffer != NULL && m->offset == 0) || m->privileged || machine->paranoid < 0 ||
        wanted <= free)
        return 0;
    return wanted - free > m->limit ? -EPERM : 0;
}

int cs_perf_mmap(cs_perf_event *event, const cs_perf_mapped *mapped)
{
    int error = mmap_check(event, mapped);

    if (error == 0)
        error = mmap_check_locked(event, mapped);
    if (error != 0 || mapped->memory == NULL)
        return error;
    if (mapped->offset != 0)
        return cs_perf_aux_map(event, mapped);
    if (event->buffer == NULL) {
        cs_perf_buffer *b = cs_perf_buffer_new(event, mapped);

        if (b == NULL)
            return -ENOMEM;
        cs_perf_buffer_attach(event, b);
    }
    event->nr_maps++;
    event->buffer->nr_maps++;
    cs_perf_update_page(event);
    return 0;
}

/* The page is the one of the event that was mapped; others only write records there. */
void cs_perf_update_page(cs_perf_event *event)
{
    if (event->buffer == NULL || event->nr_maps == 0)
        return;
    struct cs_perf_page_abi *page = event->buffer->memory;
    const cs_perf_sums sums = cs_perf_sums_of(event);
    const uint32_t lock = page->lock;

    __atomic_store_n(&page->lock, lock + 1, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    page->index = 0;
    page->offset = (int64_t)sums.count;
    page->time_enabled = sums.enabled_ns;
    page->time_running = sums.running_ns;
    __atomic_store_n(&page->lock, lock + 2, __ATOMIC_RELEASE);
}

/* ---- PERF_EVENT_IOC_SET_OUTPUT ---- */

static bool outputs_differ(const cs_perf_event *a, const cs_perf_event *b, uint64_t flag)
{
    return cs_perf_has(a, flag) != cs_perf_has(b, flag);
}

static bool output_fits(const cs_perf_event *event, const cs_perf_event *to)
{
    if (event == to || event->cpu != to->cpu)
        return false;
    if (to->cpu < 0 && event->who.tid != to->who.tid)
        return false;
    if (outputs_differ(event, to, CS_PERF_ATTR_USE_CLOCKID) ||
        outputs_differ(event, to, CS_PERF_ATTR_WRITE_BACKWARD))
        return false;
    return !cs_perf_has(event, CS_PERF_ATTR_USE_CLOCKID) || event->attr.clockid == to->attr.clockid;
}

int cs_perf_set_output(cs_perf_event *event, cs_perf_event *to)
{
    if (to != NULL && !output_fits(event, to))
        return -EINVAL;
    if (event->nr_maps != 0 || (to != NULL && to->buffer == NULL))
        return -EINVAL;
    cs_perf_buffer_attach(event, to != NULL ? to->buffer : NULL);
    return 0;
}
