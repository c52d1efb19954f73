// SPDX-License-Identifier: Apache-2.0
/* read, readv, pread64: counts */
#include <errno.h>

#include "pmu/door.h"

/* Of the largest group's values: more is never written. */
#define MOST_BYTES (16u * 1024u)
#define MOST_PARTS 1024 /* UIO_MAXIOV */

static void catch_up(cs_door *door, const cs_notice *notice, const cs_handle *handle)
{
    if (cs_perf_depends_on(handle->event, (uint32_t)notice->tid))
        cs_threads_catch_up_caller(door->threads, notice->tid);
    else
        cs_threads_catch_up(door->threads, (pid_t)cs_perf_tid_of(handle->event));
}

static long read_event(cs_door *door, const cs_notice *notice, const cs_handle *handle,
                       uint64_t address, uint64_t size)
{
    static uint8_t bytes[MOST_BYTES];
    long got;

    size = size < sizeof bytes ? size : sizeof bytes;
    if (cs_kernel_has_counts(handle)) {
        got = cs_kernel_read(handle, bytes, (size_t)size);
    } else {
        catch_up(door, notice, handle);
        got = cs_perf_read(handle->event, bytes, (size_t)size);
    }
    if (got > 0 && !cs_notice_store(notice, address, bytes, (size_t)got))
        return -EFAULT;
    return got;
}

void cs_call_read(cs_door *door, cs_notice *notice)
{
    const cs_handle *handle = cs_door_handle(door, notice, notice->args[0]);

    if (handle == NULL) {
        cs_notice_pass(notice);
        return;
    }
    door->result->reads++;
    cs_notice_answer(notice, read_event(door, notice, handle, notice->args[1], notice->args[2]));
}

/* The kernel reads into one part after the other, each as a read of its own, until one is not filled. */
static long read_parts(cs_door *door, const cs_notice *notice, const cs_handle *handle)
{
    const int64_t nr = (int64_t)notice->args[2];
    long all = 0;

    if (nr < 0 || nr > MOST_PARTS)
        return -EINVAL;
    for (int64_t i = 0; i < nr; i++) {
        uint64_t part[2]; /* struct iovec: address, bytes */
        long got;

        if (!cs_notice_fetch(notice, notice->args[1] + (uint64_t)i * sizeof part, part,
                             sizeof part))
            return all != 0 ? all : -EFAULT;
        got = part[1] != 0 ? read_event(door, notice, handle, part[0], part[1]) : 0;
        if (got < 0)
            return all != 0 ? all : got;
        all += got;
        if ((uint64_t)got != part[1])
            break;
    }
    return all;
}

void cs_call_readv(cs_door *door, cs_notice *notice)
{
    const cs_handle *handle = cs_door_handle(door, notice, notice->args[0]);

    if (handle == NULL)
        cs_notice_pass(notice);
    else
        cs_notice_answer(notice, read_parts(door, notice, handle));
}
