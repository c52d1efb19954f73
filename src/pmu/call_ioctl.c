// SPDX-License-Identifier: Apache-2.0
/* ioctl and prctl */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "pmu/door.h"

static bool is_perf(uint32_t request)
{
    return _IOC_TYPE(request) == '$';
}

/* What the argument points at. 0 or -errno. */
static int fetch(cs_door *door, const cs_notice *notice, cs_perf_ioctl *call, cs_perf_attr *attr)
{
    const cs_handle *output;
    int result;

    switch (call->request) {
    case PERF_EVENT_IOC_PERIOD:
        return cs_notice_fetch(notice, call->arg, &call->period, sizeof call->period) ? 0 : -EFAULT;
    case PERF_EVENT_IOC_SET_OUTPUT:
        if ((int)call->arg == -1)
            return 0;
        output = cs_door_handle(door, notice, call->arg);
        if (output == NULL)
            return cs_proc_file_of(notice->tid, (unsigned)call->arg).inode != 0 ? -EINVAL : -EBADF;
        call->output = output->event;
        return 0;
    case PERF_EVENT_IOC_MODIFY_ATTRIBUTES:
        result = cs_door_attr(notice, call->arg, attr);
        call->attr = attr;
        return result;
    default:
        return 0;
    }
}

/* Whoever waits for this event is woken with those of the other ring. */
static void hang_on(const cs_door *door, const cs_notice *notice, const cs_handle *handle)
{
    const int front = cs_door_front(door, handle, notice->tid, (unsigned)notice->args[0]);

    cs_handle_hang_on(handle, front, cs_door_ring(door, handle));
    if (front >= 0)
        close(front);
}

static int do_ioctl(cs_door *door, const cs_notice *notice, cs_handle *handle)
{
    cs_perf_ioctl call = {.request = (uint32_t)notice->args[1], .arg = notice->args[2]};
    cs_perf_attr attr;
    int result = fetch(door, notice, &call, &attr);

    if (result != 0)
        return result;
    cs_threads_look_at_mappings(door->threads, notice->tid);
    cs_threads_catch_up(door->threads, (pid_t)cs_perf_tid_of(handle->event));
    call.privileged = cs_door_privileged(notice);
    result = handle->relay.fd >= 0 ? cs_kernel_ioctl(notice, handle, &call)
                                   : cs_perf_do_ioctl(handle->event, &call);
    if (result == 0 && call.request == PERF_EVENT_IOC_SET_OUTPUT) {
        hang_on(door, notice, handle);
        result = cs_kernel_map(handle);
    }
    if (result == 0 && call.request == PERF_EVENT_IOC_ID &&
        !cs_notice_store(notice, call.arg, &call.id, sizeof call.id))
        return -EFAULT;
    return result;
}

void cs_call_ioctl(cs_door *door, cs_notice *notice)
{
    cs_handle *handle = cs_door_handle(door, notice, notice->args[0]);
    int on;

    if (handle != NULL && is_perf((uint32_t)notice->args[1])) {
        cs_notice_answer(notice, do_ioctl(door, notice, handle));
        return;
    }
    if (handle != NULL && notice->args[1] == FIOASYNC &&
        cs_notice_fetch(notice, notice->args[2], &on, sizeof on))
        cs_perf_set_async(handle->event, on != 0);
    cs_notice_pass(notice);
}

/* All events that the caller's process has opened. */
void cs_call_prctl(cs_door *door, cs_notice *notice)
{
    const uint32_t request = notice->args[0] == PR_TASK_PERF_EVENTS_ENABLE ? PERF_EVENT_IOC_ENABLE
                                                                           : PERF_EVENT_IOC_DISABLE;
    cs_proc_status status = {0};

    cs_proc_status_of(notice->tid, &status);
    cs_threads_catch_up(door->threads, notice->tid);
    for (cs_handle *handle = cs_handles_first(door->handles); handle != NULL;
         handle = handle->next) {
        cs_perf_ioctl call = {.request = request};

        if (handle->owner != status.pid)
            continue;
        if (handle->relay.fd >= 0)
            cs_kernel_ioctl(notice, handle, &call);
        else
            cs_perf_do_ioctl(handle->event, &call);
    }
    cs_notice_pass(notice); /* the kernel's own events, too */
}
