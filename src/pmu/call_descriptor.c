// SPDX-License-Identifier: Apache-2.0
/* fcntl, dup and mmap of a descriptor of ours */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/door.h"
#include "pmu/host/detour.h"
#include "pmu/host/range.h"

#define CAP_IPC_LOCK_BIT 14u
#define LOST_MS 50

/* ---- another number ---- */

/* A number that the kernel would choose is below our range, where not all reads come to us. */
static long duplicate(cs_door *door, const cs_notice *notice, const cs_handle *handle,
                      unsigned least, unsigned flags)
{
    const int fd = cs_door_front(door, handle, notice->tid, (unsigned)notice->args[0]);
    long number;

    if (fd < 0)
        return fd;
    number = cs_door_give(door, notice, fd, least, flags);
    close(fd);
    return number;
}

void cs_call_dup(cs_door *door, cs_notice *notice)
{
    const cs_handle *handle = cs_door_handle(door, notice, notice->args[0]);

    if (notice->nr != SYS_dup) {
        cs_door_doubt(door, cs_door_handle(door, notice, notice->args[1]));
        cs_door_forget(door, notice->args[1]);
    }
    if (handle != NULL && notice->nr == SYS_dup)
        cs_notice_answer(notice, duplicate(door, notice, handle, CS_RANGE_FIRST, 0));
    else
        cs_notice_pass(notice);
}

void cs_call_close(cs_door *door, cs_notice *notice)
{
    cs_door_doubt(door, cs_door_handle(door, notice, notice->args[0]));
    cs_door_forget(door, notice->args[0]);
    cs_notice_pass(notice);
}

void cs_call_close_range(cs_door *door, cs_notice *notice)
{
    cs_door_doubt_all(door, notice->tid);
    cs_door_forget_all(door);
    cs_notice_pass(notice);
}

void cs_call_fcntl(cs_door *door, cs_notice *notice)
{
    cs_handle *handle = cs_door_handle(door, notice, notice->args[0]);
    const int command = (int)notice->args[1];

    if (handle != NULL && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) {
        cs_notice_answer(notice, duplicate(door, notice, handle, (unsigned)notice->args[2],
                                           command == F_DUPFD_CLOEXEC ? O_CLOEXEC : 0));
        return;
    }
    if (handle != NULL && command == F_SETFL)
        cs_perf_set_async(handle->event, (notice->args[2] & O_ASYNC) != 0);
    cs_notice_pass(notice);
}

/* ---- mmap ---- */

cs_handle *cs_door_ring(const cs_door *door, const cs_handle *handle)
{
    size_t bytes;
    const void *memory = cs_perf_memory(handle->event, &bytes);
    cs_handle *ring = cs_handles_first(door->handles);

    while (memory != NULL && ring != NULL && ring->mapped != memory)
        ring = ring->next;
    return memory != NULL ? ring : NULL;
}

/* The program has unmapped it since; nobody has told us. */
static void drop_stale_ring(cs_door *door, cs_handle *handle, pid_t tid)
{
    if (handle->memory < 0 || cs_door_mapped(handle, tid) || cs_door_is_mapped(handle))
        return;
    cs_perf_munmap(handle->event);
    if (cs_door_ring(door, handle) == NULL)
        cs_handle_no_room(door->handles, handle);
}

static size_t locked_by_all(const cs_door *door)
{
    size_t sum = 0;

    for (const cs_handle *h = cs_handles_first(door->handles); h != NULL; h = h->next)
        sum += h->locked;
    return sum;
}

static void fill_limits(const cs_door *door, const cs_notice *notice, cs_perf_mapped *mapped)
{
    struct rlimit limit;
    cs_proc_status status;

    mapped->locked = locked_by_all(door);
    mapped->limit = prlimit(notice->tid, RLIMIT_MEMLOCK, NULL, &limit) != 0 ? 0
                    : limit.rlim_cur == RLIM_INFINITY                       ? SIZE_MAX
                                                                            : limit.rlim_cur;
    mapped->privileged =
        cs_proc_status_of(notice->tid, &status) && (status.capable >> CAP_IPC_LOCK_BIT & 1) != 0;
}

static pid_t process_of(const cs_notice *notice)
{
    cs_proc_status status;

    return cs_proc_status_of(notice->tid, &status) ? status.pid : notice->tid;
}

/* The memory takes the place of the front, so that the kernel maps it. */
static int swap(cs_door *door, const cs_notice *notice, cs_handle *handle, const cs_handle *ring)
{
    const unsigned number = (unsigned)notice->args[4];
    const unsigned flags = cs_proc_flags_of(notice->tid, number) & O_CLOEXEC;
    int result;

    if (handle->parked < 0)
        handle->parked = cs_door_front(door, handle, notice->tid, number);
    if (handle->parked < 0)
        return handle->parked;
    cs_handle_hang_on(handle, handle->parked, ring);
    result = cs_door_place(door, notice, ring->memory, number, flags);
    if (result != 0)
        return result;
    handle->number = number;
    handle->mapper = process_of(notice);
    if (handle->swapped.inode == 0)
        door->nr_swapped++;
    handle->swapped = ring->file;
    return 0;
}

/* 0: the kernel may map what is in the place of the front now. */
static int map(cs_door *door, const cs_notice *notice, cs_handle *handle)
{
    const uint64_t page = CS_PERF_PAGE_BYTES;
    cs_perf_mapped mapped = {.bytes = (notice->args[1] + page - 1) / page * page,
                             .offset = notice->args[5],
                             .shared = (notice->args[3] & MAP_TYPE) != MAP_PRIVATE,
                             .writable = (notice->args[2] & PROT_WRITE) != 0};
    cs_handle *ring;
    int result;

    drop_stale_ring(door, handle, notice->tid);
    cs_threads_catch_up(door->threads, notice->tid);
    fill_limits(door, notice, &mapped);
    result = cs_perf_mmap(handle->event, &mapped);
    if (result != 0)
        return result;
    ring = cs_door_ring(door, handle);
    if (ring == NULL || mapped.offset != 0) {
        ring = handle;
        result = cs_handle_room(door->handles, handle, (size_t)(mapped.offset + mapped.bytes));
        mapped.memory = handle->mapped;
        if (result == 0 && mapped.offset != 0) {
            result = cs_handle_aux(handle, mapped.offset, mapped.bytes);
            mapped.memory = handle->aux;
        }
    } else {
        mapped.memory = ring->mapped;
    }
    if (result == 0)
        result = cs_perf_mmap(handle->event, &mapped);
    if (result != 0)
        return result;
    if (mapped.offset == 0)
        handle->locked = ring == handle ? mapped.bytes : 0;
    else
        handle->locked += mapped.bytes;
    result = cs_kernel_map(handle);
    if (result != 0)
        return result;
    return swap(door, notice, handle, ring);
}

static void refuse(cs_notice *notice)
{
    cs_notice_answer(notice, -EAGAIN);
    cs_notice_send(notice);
}

/* The next call of the thread; others are kept. False: there will be none. */
static bool await(cs_door *door, const cs_detour *detour, cs_notice *notice)
{
    struct pollfd in = {.fd = door->listener, .events = POLLIN};

    for (;;) {
        if (poll(&in, 1, LOST_MS) == 0 && cs_detour_lost(detour))
            return false;
        if ((in.revents & POLLIN) == 0 ||
            cs_notice_receive(door->listener, door->steady, notice) != 0)
            continue;
        if (notice->tid == detour->tid)
            return true;
        if (door->nr_kept < CS_DOOR_KEPT)
            door->kept[door->nr_kept++] = *notice;
        else
            refuse(notice);
    }
}

/* The memory is mapped, and the front put back before the program can ask for its readiness. Where that
 * is not possible, the next call that waits for us puts it back. */
static void map_and_put_back(cs_door *door, cs_notice *notice)
{
    cs_detour detour;
    cs_notice next;

    cs_notice_pass(notice);
    if (!door->steady || !cs_detour_begin(&detour, notice->tid))
        return;
    cs_door_send(door, notice);
    if (!cs_detour_turn(&detour, CS_RANGE_FIRST) || !await(door, &detour, &next))
        return;
    cs_door_put_back(door, &next);
    cs_detour_hold(&detour);
    cs_notice_answer(&next, 0);
    cs_notice_send(&next);
    cs_detour_end(&detour);
}

void cs_call_mmap(cs_door *door, cs_notice *notice)
{
    cs_handle *handle = (notice->args[3] & MAP_ANONYMOUS) == 0
                            ? cs_door_handle(door, notice, notice->args[4])
                            : NULL;
    const int result = handle != NULL ? map(door, notice, handle) : 0;

    if (result != 0)
        cs_notice_answer(notice, result);
    else if (handle != NULL)
        map_and_put_back(door, notice);
    else
        cs_notice_pass(notice);
}
