// SPDX-License-Identifier: Apache-2.0
/* Which event a number of the program's means, and the end of descriptors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pmu/door.h"
#include "pmu/host/range.h"

void cs_door_watch(cs_door *door, cs_handle *handle)
{
    /* EPOLLERR comes unasked, when no read end is left. */
    struct epoll_event event = {.events = 0, .data = {.ptr = handle}};

    if (handle->write_end >= 0)
        epoll_ctl(door->closings, EPOLL_CTL_ADD, handle->write_end, &event);
}

static int front_at(const cs_handle *handle, pid_t tid, unsigned number)
{
    return tid != 0 && cs_proc_same_file(cs_proc_file_of(tid, number), handle->front)
               ? cs_proc_borrow(tid, number)
               : -EBADF;
}

/* The other end of a pipe can be opened here. */
static int front_by_pipe(const cs_handle *handle)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "/proc/self/fd/%d", handle->write_end);
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int cs_door_front(const cs_door *door, const cs_handle *handle, pid_t tid, unsigned number)
{
    int fd;

    if (handle->parked >= 0) {
        fd = fcntl(handle->parked, F_DUPFD_CLOEXEC, 0);
        return fd < 0 ? -errno : fd;
    }
    fd = front_at(handle, tid, number);
    if (fd < 0)
        fd = handle->mark == 0 ? front_by_pipe(handle)
                               : front_at(handle, cs_door_reader(handle), handle->number);
    for (size_t i = 0; i < CS_DOOR_KNOWN && fd < 0; i++)
        if (door->known[i].handle == handle)
            fd = front_at(handle, door->known[i].tid, door->known[i].number);
    return fd;
}

int cs_door_front_of(const cs_door *door, const cs_handle *handle)
{
    return cs_door_front(door, handle, 0, 0);
}

/* ---- the memory in the place of the front ---- */

static void put_back(cs_door *door, const cs_notice *notice, const cs_handle *handle,
                     unsigned number)
{
    const int fd = cs_door_front(door, handle, notice->tid, number);

    if (fd < 0)
        return;
    cs_door_place(door, notice, fd, number, cs_proc_flags_of(notice->tid, number) & O_CLOEXEC);
    close(fd);
}

/* Our copy of the front would hide that the program closes its own. */
static void unpark(cs_door *door, cs_handle *handle)
{
    if (handle->parked >= 0)
        close(handle->parked);
    handle->parked = -1;
    handle->swapped = (cs_proc_file){0};
    door->nr_swapped--;
}

void cs_door_put_back(cs_door *door, const cs_notice *notice)
{
    for (cs_handle *handle = cs_handles_first(door->handles);
         handle != NULL && door->nr_swapped != 0; handle = handle->next) {
        if (handle->swapped.inode == 0 ||
            !cs_proc_same_file(cs_proc_file_of(notice->tid, handle->number), handle->swapped))
            continue;
        put_back(door, notice, handle, handle->number);
        unpark(door, handle);
    }
}

/* ---- which one a number means ---- */

static cs_known *known_of(cs_door *door, pid_t tid, uint64_t number)
{
    return &door->known[(number * 2u + (unsigned)tid % 2u) % CS_DOOR_KNOWN];
}

void cs_door_know(cs_door *door, pid_t tid, unsigned number, cs_handle *handle)
{
    *known_of(door, tid, number) = (cs_known){tid, number, handle};
}

void cs_door_forget(cs_door *door, uint64_t number)
{
    for (pid_t tid = 0; tid < 2; tid++)
        known_of(door, tid, number)->tid = 0;
}

void cs_door_forget_all(cs_door *door)
{
    memset(door->known, 0, sizeof door->known);
}

int cs_door_place(cs_door *door, const cs_notice *notice, int fd, unsigned number, unsigned flags)
{
    cs_door_forget(door, number);
    return cs_notice_place(notice, fd, number, flags);
}

static cs_handle *look_up(cs_door *door, const cs_notice *notice, unsigned number)
{
    const cs_proc_file file = cs_proc_file_of(notice->tid, number);
    cs_handle *handle = file.inode != 0 ? cs_handle_of(door->handles, file) : NULL;

    /* In a child that was forked before the front was put back. */
    if (handle != NULL && !cs_proc_same_file(file, handle->front))
        put_back(door, notice, handle, number);
    return handle;
}

/* What becomes of numbers out of our range nobody says: they are looked up each time. */
cs_handle *cs_door_handle(cs_door *door, const cs_notice *notice, uint64_t number)
{
    cs_known *known = known_of(door, notice->tid, number);

    if (number > INT_MAX)
        return NULL;
    if (!cs_range_has((unsigned)number) || known->tid != notice->tid || known->number != number)
        cs_door_know(door, notice->tid, (unsigned)number, look_up(door, notice, (unsigned)number));
    if (known->handle == NULL)
        known->tid = 0;
    return known->handle;
}

/* ---- numbers ---- */

/* A process that opens thousands of events is not searched from the beginning each time. One that has few
 * gets the lowest number that is free, also when it has closed that of an event with others left. */
#define FEW_NUMBERS 32u

static unsigned after(const cs_door *door, pid_t pid, unsigned number)
{
    const unsigned next = cs_range_next(number);

    return number == CS_RANGE_FIRST + FEW_NUMBERS && door->free_of == pid && door->free_from > next
               ? door->free_from
               : next;
}

long cs_door_give(cs_door *door, const cs_notice *notice, int fd, unsigned least, unsigned flags)
{
    cs_proc_status status = {.pid = notice->tid};
    unsigned number = least < CS_RANGE_FIRST ? CS_RANGE_FIRST : least;
    int result;

    cs_proc_status_of(notice->tid, &status);
    if (!cs_range_has(number))
        number = number < CS_RANGE_SECOND ? CS_RANGE_SECOND : CS_RANGE_SECOND_END;
    while (number < CS_RANGE_SECOND_END && cs_proc_has_number(notice->tid, number))
        number = after(door, status.pid, number);
    if (number >= CS_RANGE_SECOND_END)
        return -EMFILE;
    result = cs_door_place(door, notice, fd, number, flags);
    if (result == 0 && least <= CS_RANGE_FIRST) {
        door->free_of = status.pid;
        door->free_from = cs_range_next(number);
    }
    return result == 0 ? (long)number : result == -EBADF ? -EMFILE : result;
}

static void note_free(cs_door *door, const cs_handle *handle)
{
    if (door->free_of == cs_door_reader(handle) && handle->number < door->free_from)
        door->free_from = handle->number;
}

/* ---- the end ---- */

typedef struct search {
    cs_proc_file file;
    bool found;
} search;

static void compare(void *ctx, const cs_proc_mapping *mapping)
{
    search *s = ctx;

    /* Inodes of memfds are numbered by one counter for all of them. */
    if (mapping->inode == s->file.inode && (mapping->flags & 1) != 0) /* MAP_SHARED */
        s->found = true;
}

bool cs_door_mapped(const cs_handle *handle, pid_t pid)
{
    search s = {.file = handle->file};

    if (handle->memory < 0)
        return false;
    cs_proc_mappings(pid, compare, &s);
    return s.found;
}

bool cs_door_is_mapped(const cs_handle *handle)
{
    return cs_door_mapped(handle, handle->owner) ||
           (handle->mapper != 0 && handle->mapper != handle->owner &&
            cs_door_mapped(handle, handle->mapper));
}

static void unlist(cs_door *door, const cs_handle *handle)
{
    cs_handle **at = &door->doubtful;

    while (*at != NULL && *at != handle)
        at = &(*at)->next_doubtful;
    if (*at != NULL)
        *at = handle->next_doubtful;
}

static void end(cs_door *door, cs_handle *handle)
{
    if (handle->doubted_ns != 0)
        unlist(door, handle);
    if (handle->swapped.inode != 0)
        unpark(door, handle);
    if (handle->memory >= 0)
        cs_perf_munmap(handle->event);
    note_free(door, handle);
    door->nr_signals_due -= handle->signal_due;
    door->nr_relays -= handle->relay.fd >= 0;
    cs_door_forget_all(door);
    cs_perf_close(handle->event);
    cs_handle_end(door->handles, handle);
}

/* A mapping keeps an event alive, as in the kernel. */
static void closed(cs_door *door, cs_handle *handle)
{
    cs_perf_hold(door->perf);
    cs_threads_catch_up_all(door->threads);
    cs_door_show(door);
    if (!cs_door_is_mapped(handle)) {
        end(door, handle);
        return;
    }
    handle->closed = true; /* cs_door_sweep looks after it */
    if (handle->mark == 0)
        cs_handle_hang_up(handle, -1); /* nobody polls it any more */
}

static bool is_open(const cs_handle *handle)
{
    const cs_proc_file file = cs_proc_file_of(cs_door_reader(handle), handle->number);

    return cs_proc_same_file(file, handle->front) ||
           (handle->swapped.inode != 0 && cs_proc_same_file(file, handle->swapped));
}

/* ---- what may have been closed ---- */

#define DOUBT_NS 50000000u
#define FEW_HANDLES 64u

static uint64_t monotonic_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cs_door_doubt(cs_door *door, cs_handle *handle)
{
    if (handle == NULL || handle->mark == 0)
        return;
    if (handle->doubted_ns == 0) {
        handle->next_doubtful = door->doubtful;
        door->doubtful = handle;
    }
    handle->doubted_ns = monotonic_ns() + DOUBT_NS;
}

/* Of very many the others are left to cs_door_sweep. */
void cs_door_doubt_all(cs_door *door, pid_t tid)
{
    const bool few = cs_perf_nr_events(door->perf) <= FEW_HANDLES;
    const pid_t pid = cs_threads_process(door->threads, tid);

    for (cs_handle *handle = cs_handles_first(door->handles); handle != NULL; handle = handle->next)
        if (few || handle->owner == pid)
            cs_door_doubt(door, handle);
}

static void resolve_doubts(cs_door *door)
{
    const uint64_t now = door->doubtful != NULL ? monotonic_ns() : 0;

    for (cs_handle *handle = door->doubtful, *next; handle != NULL; handle = next) {
        const bool is_closed = !handle->closed && cs_handle_is_closed(handle);

        next = handle->next_doubtful;
        if (!is_closed && now <= handle->doubted_ns)
            continue;
        unlist(door, handle);
        handle->doubted_ns = 0;
        if (is_closed)
            closed(door, handle);
    }
}

void cs_door_drain(cs_door *door)
{
    struct epoll_event event;

    while (epoll_wait(door->closings, &event, 1, 0) == 1)
        closed(door, event.data.ptr);
    resolve_doubts(door);
}

/* The end of a pipe is seen, unless it was hung up before. */
static bool is_gone(const cs_handle *handle)
{
    return handle->closed || (handle->mark != 0 ? cs_handle_is_closed(handle)
                                                : handle->write_end < 0 && !is_open(handle));
}

static void sweep(cs_door *door, cs_handle *handle)
{
    if (handle->swapped.inode != 0 && !is_open(handle))
        unpark(door, handle);
    if (is_gone(handle) && !cs_door_is_mapped(handle))
        end(door, handle);
}

/* Of many a part. */
void cs_door_sweep(cs_door *door)
{
    const size_t parts = cs_perf_nr_events(door->perf) / FEW_HANDLES + 1;
    size_t i = door->nr_sweeps++;

    for (cs_handle *handle = cs_handles_first(door->handles), *next; handle != NULL;
         handle = next) {
        next = handle->next;
        if (i++ % parts == 0)
            sweep(door, handle);
    }
}

/* ---- the end of a process ---- */

static void hang_up(const cs_door *door, cs_handle *handle)
{
    const int front = handle->mark != 0 ? cs_door_front_of(door, handle) : -1;

    cs_handle_hang_up(handle, front);
    if (front >= 0)
        close(front);
}

/* A program that hears too early that its child has ended takes it for one that goes on, and may kill it:
 * perf record does. */
void cs_door_hang_up(const cs_door *door, cs_handle *handle)
{
    if (door->dying >= 0)
        handle->dying = door->dying;
    else
        hang_up(door, handle);
}

void cs_door_death_begin(cs_door *door, pid_t pid)
{
    door->dying = (int)syscall(SYS_pidfd_open, pid, 0);
}

static bool is_awaited(const cs_door *door, int process)
{
    for (const cs_handle *h = cs_handles_first(door->handles); h != NULL; h = h->next)
        if (h->dying == process)
            return true;
    return false;
}

void cs_door_death_end(cs_door *door)
{
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = door->dying}};

    if (door->dying < 0)
        return;
    if (!is_awaited(door, door->dying) ||
        epoll_ctl(door->deaths, EPOLL_CTL_ADD, door->dying, &event) != 0)
        close(door->dying);
    door->dying = -1;
}

void cs_door_bury(cs_door *door)
{
    struct epoll_event event;

    while (epoll_wait(door->deaths, &event, 1, 0) == 1) {
        for (cs_handle *h = cs_handles_first(door->handles); h != NULL; h = h->next)
            if (h->dying == event.data.fd) {
                h->dying = -1;
                hang_up(door, h);
            }
        close(event.data.fd);
    }
}
