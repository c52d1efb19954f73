// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/handle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUCKETS 4096u
/* The kernel goes through the marks of all each time; with more of them that takes longer than all else. */
#define MOST_FILES 1024u

struct cs_handles {
    cs_handle *by_front[BUCKETS], *by_file[BUCKETS];
    cs_handle *first;
    size_t nr_lit;
    bool tried;      /* to have bells */
    cs_bells *bells; /* NULL: fronts are pipes */
    size_t nr_files; /* of bells */
};

static size_t bucket(cs_proc_file file)
{
    return (size_t)((file.inode ^ file.device) % BUCKETS);
}

cs_handles *cs_handles_create(void)
{
    return calloc(1, sizeof(cs_handles));
}

void cs_handles_destroy(cs_handles *handles)
{
    if (handles == NULL)
        return;
    while (handles->first != NULL)
        cs_handle_end(handles, handles->first);
    cs_bells_destroy(handles->bells);
    free(handles);
}

/* Its thread is not here. */
void cs_handles_forked(cs_handles *handles)
{
    handles->bells = NULL;
    handles->tried = false;
    for (cs_handle *h = handles->first; h != NULL; h = h->next)
        cs_relay_forked(&h->relay);
}

static cs_bells *bells_of(cs_handles *handles)
{
    if (!handles->tried)
        handles->bells = cs_bells_create();
    handles->tried = true;
    return handles->bells;
}

static void link_front(cs_handles *handles, cs_handle *handle)
{
    cs_handle **list = &handles->by_front[bucket(handle->front)];

    handle->next_front = *list;
    *list = handle;
    handle->next = handles->first;
    if (handle->next != NULL)
        handle->next->previous = handle;
    handles->first = handle;
}

static void unlink_front(cs_handles *handles, cs_handle *handle)
{
    cs_handle **at = &handles->by_front[bucket(handle->front)];

    while (*at != handle)
        at = &(*at)->next_front;
    *at = handle->next_front;
    if (handle->next != NULL)
        handle->next->previous = handle->previous;
    if (handle->previous != NULL)
        handle->previous->next = handle->next;
    else
        handles->first = handle->next;
}

/* The read end, or -errno. */
static int make_pipe(cs_handle *handle)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    handle->write_end = ends[1];
    return ends[0];
}

int cs_handle_make(cs_handles *handles, cs_handle **out, int *front)
{
    cs_handle *handle = malloc(sizeof *handle);

    if (handle == NULL)
        return -ENOMEM;
    *handle = (cs_handle){.write_end = -1,
                          .bell = {.fd = -1},
                          .of = handles,
                          .dying = -1,
                          .relay = {.fd = -1},
                          .memory = -1,
                          .parked = -1};
    *front = handles->nr_files < MOST_FILES && bells_of(handles) != NULL
                 ? cs_bells_file(handles->bells, &handle->mark)
                 : make_pipe(handle);
    if (*front < 0) {
        free(handle);
        return *front == -ENFILE ? -EMFILE : *front;
    }
    handle->front =
        handle->mark != 0 ? cs_proc_marked_file(*front, handle->mark) : cs_proc_file_here(*front);
    handles->nr_files += handle->mark != 0;
    link_front(handles, handle);
    *out = handle;
    return 0;
}

static void set_lit(cs_handle *handle, unsigned bytes)
{
    handle->of->nr_lit += (size_t)(bytes != 0) - (size_t)(handle->lit != 0);
    handle->lit = bytes;
}

static void close_pipe(cs_handle *handle)
{
    if (handle->write_end >= 0)
        close(handle->write_end);
    handle->write_end = -1;
    set_lit(handle, 0);
}

void cs_handle_end(cs_handles *handles, cs_handle *handle)
{
    cs_handle_no_room(handles, handle);
    unlink_front(handles, handle);
    handles->nr_files -= handle->mark != 0;
    cs_bell_end(&handle->bell);
    cs_relay_end(&handle->relay);
    close_pipe(handle);
    if (handle->parked >= 0)
        close(handle->parked);
    free(handle);
}

cs_handle *cs_handle_of(const cs_handles *handles, cs_proc_file file)
{
    cs_handle *handle = handles->by_front[bucket(file)];

    while (handle != NULL && !cs_proc_same_file(handle->front, file))
        handle = handle->next_front;
    if (handle != NULL)
        return handle;
    handle = handles->by_file[bucket(file)];
    while (handle != NULL && !cs_proc_same_file(handle->file, file))
        handle = handle->next_file;
    return handle;
}

cs_handle *cs_handles_first(const cs_handles *handles)
{
    return handles->first;
}

/* ---- readiness ---- */

size_t cs_handles_lit(const cs_handles *handles)
{
    return handles->nr_lit;
}

/* Each byte is an edge for whoever waits for one, and SIGIO. */
void cs_handle_light(cs_handle *handle)
{
    if (handle->bell.fd >= 0 && bells_of(handle->of) != NULL)
        cs_bell_ring(handle->of->bells, &handle->bell);
    if (handle->write_end >= 0 && write(handle->write_end, "", 1) == 1)
        set_lit(handle, handle->lit + 1);
}

void cs_handle_dim(cs_handle *handle)
{
    char path[64], bytes[512];
    int fd;

    if (handle->lit == 0 || handle->write_end < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", handle->write_end);
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    while (read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
        ;
    set_lit(handle, 0);
    close(fd);
}

static void signal_by_pipe(cs_handle *handle)
{
    const bool was = handle->lit != 0;

    cs_handle_light(handle);
    if (!was)
        cs_handle_dim(handle);
}

void cs_handle_signal(cs_handle *handle, int front, bool last)
{
    if (handle->mark == 0)
        signal_by_pipe(handle);
    else if (front >= 0 && bells_of(handle->of) != NULL)
        cs_bells_signal(handle->of->bells, front, last);
}

void cs_handle_hang_up(cs_handle *handle, int front)
{
    handle->hung_up = true;
    close_pipe(handle);
    if (front >= 0)
        cs_bell_hang(front, NULL);
}

void cs_handle_hang_on(const cs_handle *handle, int front, const cs_handle *ring)
{
    if (handle->mark != 0 && front >= 0 && !handle->hung_up)
        cs_bell_hang(front, ring != NULL ? &ring->bell : NULL);
}

bool cs_handle_is_closed(const cs_handle *handle)
{
    return handle->mark != 0 && bells_of(handle->of) != NULL &&
           cs_bells_is_closed(handle->of->bells, handle->mark);
}

/* ---- memory ---- */

static void unlink_file(cs_handles *handles, cs_handle *handle)
{
    cs_handle **at = &handles->by_file[bucket(handle->file)];

    while (*at != handle)
        at = &(*at)->next_file;
    *at = handle->next_file;
}

void cs_handle_no_room(cs_handles *handles, cs_handle *handle)
{
    if (handle->memory < 0)
        return;
    unlink_file(handles, handle);
    cs_bell_end(&handle->bell);
    munmap(handle->mapped, handle->bytes);
    if (handle->aux != NULL)
        munmap(handle->aux, handle->aux_bytes);
    handle->aux = NULL;
    close(handle->memory);
    handle->memory = -1;
    handle->mapped = NULL;
    handle->bytes = 0;
    handle->locked = 0;
}

static int make_room(cs_handles *handles, cs_handle *handle, int memory, size_t bytes)
{
    cs_handle **list;
    void *mapped;

    if (memory < 0)
        return memory;
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (mapped == MAP_FAILED) {
        close(memory);
        return -ENOMEM;
    }
    handle->memory = memory;
    handle->mapped = mapped;
    handle->bytes = bytes;
    handle->file = cs_proc_file_here(memory);
    list = &handles->by_file[bucket(handle->file)];
    handle->next_file = *list;
    *list = handle;
    return 0;
}

/* The program has the same file: it must not make it shorter under our hands. -errno. */
static int new_memory(size_t bytes)
{
    const int memory = memfd_create("perf_event", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (memory < 0)
        return -errno;
    if (ftruncate(memory, (off_t)bytes) == 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
        return memory;
    close(memory);
    return -ENOMEM;
}

/* What is here already stays where it is: only the program's descriptor sees the rest. */
int cs_handle_room(cs_handles *handles, cs_handle *handle, size_t bytes)
{
    int result = 0;

    if (handle->memory >= 0)
        return bytes <= handle->bytes || ftruncate(handle->memory, (off_t)bytes) == 0 ? 0 : -errno;
    if (handle->bell.fd < 0 && bells_of(handles) != NULL)
        result = cs_bell_make(handles->bells, &handle->bell);
    return result == 0 ? make_room(handles, handle, new_memory(bytes), bytes) : result;
}

int cs_handle_aux(cs_handle *handle, uint64_t offset, size_t bytes)
{
    void *mapped;

    if (handle->aux != NULL)
        return 0;
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, handle->memory, (off_t)offset);
    if (mapped == MAP_FAILED)
        return -ENOMEM;
    handle->aux = mapped;
    handle->aux_bytes = bytes;
    return 0;
}
