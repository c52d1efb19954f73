// SPDX-License-Identifier: Apache-2.0
/* perf_event_open */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "pmu/door.h"
#include "pmu/host/range.h"

#define CAP_PERFMON_BIT 38u
#define CAP_SYS_ADMIN_BIT 21u
#define ATTR_SIZE_AT 4u

/* PERF_EVENT_OPEN's own flag for its descriptor. */
#define FLAG_FD_CLOEXEC 8u
#define FLAG_NO_GROUP 1u
#define FLAG_PID_CGROUP 4u

bool cs_door_privileged(const cs_notice *notice)
{
    cs_proc_status status;

    return cs_proc_status_of(notice->tid, &status) &&
           (status.capable >> CAP_PERFMON_BIT | status.capable >> CAP_SYS_ADMIN_BIT) & 1;
}

/* The kernel says how much it knows. */
static int too_big(const cs_notice *notice, uint64_t at)
{
    const uint32_t known = CS_PERF_ATTR_BYTES;

    return cs_notice_store(notice, at + ATTR_SIZE_AT, &known, sizeof known) ? -E2BIG : -EFAULT;
}

int cs_door_attr(const cs_notice *notice, uint64_t at, cs_perf_attr *attr)
{
    uint8_t bytes[CS_PERF_ATTR_MOST_BYTES];
    uint32_t size;
    int n;

    if (!cs_notice_fetch(notice, at + ATTR_SIZE_AT, &size, sizeof size))
        return -EFAULT;
    n = cs_perf_attr_bytes(size);
    if (n == -E2BIG)
        return too_big(notice, at);
    if (n < 0)
        return n;
    if (!cs_notice_fetch(notice, at, bytes, (size_t)n))
        return -EFAULT;
    n = cs_perf_attr_decode(bytes, (size_t)n, attr);
    return n == -E2BIG ? too_big(notice, at) : n;
}

static void count_threads(cs_door *door, const cs_notice *notice, pid_t pid)
{
    cs_threads_find_new(door->threads);
    if (pid > 0)
        cs_threads_know(door->threads, pid);
    else if (pid == 0)
        cs_threads_know(door->threads, notice->tid);
    else
        cs_threads_know(door->threads, door->program);
}

/* The descriptor in the program, or -errno. */
static long hand_over(cs_door *door, const cs_notice *notice, cs_perf_event *event, uint64_t flags)
{
    cs_proc_status status;
    cs_handle *handle;
    int front;
    long number = cs_handle_make(door->handles, &handle, &front);

    if (number < 0)
        return number;
    handle->event = event;
    cs_handle_hang_on(handle, front, cs_door_ring(door, handle));
    number = cs_door_give(door, notice, front, CS_RANGE_FIRST,
                          (flags & FLAG_FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
    close(front);
    if (number < 0) {
        cs_handle_end(door->handles, handle);
        return number;
    }
    handle->owner = cs_proc_status_of(notice->tid, &status) ? status.pid : notice->tid;
    handle->number = (unsigned)number;
    cs_perf_set_user(event, handle);
    cs_door_watch(door, handle);
    cs_door_know(door, notice->tid, (unsigned)number, handle);
    return number;
}

static bool fails(cs_door *door)
{
    const unsigned every = door->options->fail;

    return every != 0 && ++door->tries % every == 0;
}

long cs_door_open(cs_door *door, const cs_notice *notice, const cs_perf_asked *asked)
{
    cs_perf_asked whole = *asked;
    cs_perf_event *event;
    long result;

    whole.by = (uint32_t)notice->tid;
    whole.privileged = cs_door_privileged(notice);
    whole.pid = (int32_t)notice->args[1];
    whole.cpu = (int32_t)notice->args[2];
    whole.flags = notice->args[4];
    count_threads(door, notice, whole.pid);
    cs_threads_catch_up(door->threads, whole.pid > 0 ? whole.pid : notice->tid);
    result = cs_perf_open(door->perf, &whole, &event);
    if (result < 0)
        return result;
    result = hand_over(door, notice, event, whole.flags);
    if (result < 0)
        cs_perf_close(event);
    else
        door->result->opened++;
    return result;
}

static long open_event(cs_door *door, const cs_notice *notice, const cs_perf_attr *attr,
                       const cs_handle *group)
{
    const cs_perf_asked asked = {.attr = attr, .group = group != NULL ? group->event : NULL};
    long result;

    if (attr->type != CS_PERF_TYPE_SOFTWARE && fails(door))
        return -EBUSY;
    result = cs_door_open(door, notice, &asked);
    if (result < 0)
        return result;
    if (door->truth != NULL)
        cs_pmu_truth_event(door->truth, cs_door_handle(door, notice, (uint64_t)result)->event);
    if ((attr->flags & CS_PERF_ATTR_COMM) != 0)
        cs_threads_tell_names(door->threads);
    if (attr->sample_period != 0)
        cs_threads_watch(door->threads);
    if ((attr->flags & (CS_PERF_ATTR_MMAP | CS_PERF_ATTR_MMAP2)) != 0)
        cs_threads_tell_mappings(door->threads);
    return result;
}

/* `foreign`: it is one of the kernel's. */
static bool resolve_group(cs_door *door, const cs_notice *notice, cs_handle **group, bool *foreign)
{
    const int number = (int)notice->args[3];

    *group = number >= 0 ? cs_door_handle(door, notice, (unsigned)number) : NULL;
    *foreign = *group == NULL && number >= 0 && cs_proc_has_number(notice->tid, (unsigned)number);
    return number == -1 || *group != NULL || *foreign;
}

static void open_of_kernel(cs_door *door, cs_notice *notice, const cs_perf_attr *attr,
                           cs_handle *group)
{
    if (cs_kernel_is_relayed(door, notice, attr, group))
        cs_notice_answer(notice, cs_kernel_open(door, notice, attr, group));
    else
        cs_notice_pass(notice);
}

/* It cannot count for us, nor know in its samples what we count. */
static bool kernel_leads(const cs_notice *notice, const cs_handle *group)
{
    return group != NULL && (notice->args[4] & FLAG_NO_GROUP) == 0 &&
           (group->stand_in || cs_kernel_has_groups_values(group));
}

void cs_call_open(cs_door *door, cs_notice *notice)
{
    cs_handle *group = NULL;
    cs_perf_attr attr;
    bool foreign = false;
    long result = cs_door_attr(notice, notice->args[0], &attr);

    if (result == 0 && !resolve_group(door, notice, &group, &foreign))
        result = -EBADF;
    if (result == 0 && cs_kernel_counts(door, &attr, group)) {
        if (foreign)
            cs_notice_pass(notice);
        else
            open_of_kernel(door, notice, &attr, group);
        return;
    }
    if (result == 0 && (notice->args[4] & FLAG_PID_CGROUP) != 0)
        result = -EINVAL; /* cgroups have no counters here */
    if (result == 0 && (foreign || kernel_leads(notice, group)))
        result = -EINVAL;
    if (result == 0)
        result = open_event(door, notice, &attr, group);
    /* Those software events that only the kernel can count. */
    if (result == -ENOENT && attr.type == CS_PERF_TYPE_SOFTWARE && group == NULL)
        cs_notice_pass(notice);
    else
        cs_notice_answer(notice, result);
}
