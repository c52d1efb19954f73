// SPDX-License-Identifier: Apache-2.0
/* SIGIO of overflows. On a machine a thread takes the signal of one overflow before the next happens. Here those of
 * some milliseconds come at once, and a signal that is no queue would come once for all of them: the next one waits
 * until the one before has been taken. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "pmu/door.h"

/* A signal as this file's owner gets it is on the way to it; real-time signals queue up. */
static bool is_pending(int front)
{
    const int chosen = fcntl(front, F_GETSIG), number = chosen != 0 ? chosen : SIGIO;
    struct f_owner_ex owner;
    cs_proc_status status;

    return number > 0 && number < SIGRTMIN && fcntl(front, F_GETOWN_EX, &owner) == 0 &&
           owner.type != F_OWNER_PGRP && cs_proc_status_of(owner.pid, &status) &&
           (status.pending >> (number - 1) & 1) != 0;
}

void cs_door_signal(cs_door *door, cs_handle *handle, bool last)
{
    const int front = handle->mark != 0 ? cs_door_front_of(door, handle) : -1;
    const bool waits = front >= 0 && is_pending(front);

    door->nr_signals_due += (unsigned)waits - (unsigned)handle->signal_due;
    handle->signal_due = waits;
    handle->signal_last = last;
    if (!waits)
        cs_handle_signal(handle, front, last);
    if (front >= 0)
        close(front);
}

void cs_door_signal_due(cs_door *door)
{
    if (door->nr_signals_due == 0)
        return;
    for (cs_handle *h = cs_handles_first(door->handles); h != NULL; h = h->next)
        if (h->signal_due)
            cs_door_signal(door, h, h->signal_last);
}
