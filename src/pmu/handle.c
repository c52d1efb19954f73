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

struct cs_handles {
    cs_handle *by_pipe[BUCKETS], *by_file[BUCKETS];
    cs_handle *first;
    size_t nr_lit;
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
    free(handles);
}

static void link_pipe(cs_handles *handles, cs_handle *handle)
{
    cs_handle **list = &handles->by_pipe[bucket(handle->pipe)];

    handle->next_pipe = *list;
    *list = handle;
    handle->next = handles->first;
    if (handle->next != NULL)
        handle->next->previous = handle;
    handles->first = handle;
}

static void unlink_pipe(cs_handles *handles, cs_handle *handle)
{
    cs_handle **at = &handles->by_pipe[bucket(handle->pipe)];

    while (*at != handle)
        at = &(*at)->next_pipe;
    *at = handle->next_pipe;
    if (handle->next != NULL)
        handle->next->previous = handle->previous;
    if (handle->previous != NULL)
        handle->previous->next = handle->next;
    else
        handles->first = handle->next;
}

int cs_handle_make(cs_handles *handles, cs_handle **out, int *read_end)
{
    cs_handle *handle = malloc(sizeof *handle);
    int ends[2];

    if (handle == NULL)
        return -ENOMEM;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(handle);
        return errno == EMFILE || errno == ENFILE ? -EMFILE : -errno;
    }
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *handle = (cs_handle){
        .write_end = ends[1], .nr_lit = &handles->nr_lit, .dying = -1, .memory = -1, .parked = -1};
    handle->pipe = cs_proc_file_here(ends[0]);
    link_pipe(handles, handle);
    *read_end = ends[0];
    *out = handle;
    return 0;
}

void cs_handle_end(cs_handles *handles, cs_handle *handle)
{
    cs_handle_no_room(handles, handle);
    unlink_pipe(handles, handle);
    cs_handle_hang_up(handle);
    if (handle->parked >= 0)
        close(handle->parked);
    free(handle);
}

cs_handle *cs_handle_of(const cs_handles *handles, cs_proc_file file)
{
    cs_handle *handle = handles->by_pipe[bucket(file)];

    while (handle != NULL && !cs_proc_same_file(handle->pipe, file))
        handle = handle->next_pipe;
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

static void set_lit(cs_handle *handle, unsigned bytes)
{
    *handle->nr_lit += (size_t)(bytes != 0) - (size_t)(handle->lit != 0);
    handle->lit = bytes;
}

/* Each byte is an edge for whoever waits for one, and SIGIO. */
void cs_handle_light(cs_handle *handle)
{
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

void cs_handle_signal(cs_handle *handle)
{
    const bool was = handle->lit != 0;

    cs_handle_light(handle);
    if (!was)
        cs_handle_dim(handle);
}

void cs_handle_hang_up(cs_handle *handle)
{
    if (handle->write_end >= 0)
        close(handle->write_end);
    handle->write_end = -1;
    set_lit(handle, 0);
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
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    cs_handle **list;

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

/* What is here already stays where it is: only the program's descriptor sees the rest. */
int cs_handle_room(cs_handles *handles, cs_handle *handle, size_t bytes)
{
    int memory = handle->memory;

    if (memory >= 0)
        return bytes <= handle->bytes || ftruncate(memory, (off_t)bytes) == 0 ? 0 : -errno;
    memory = memfd_create("perf_event", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0)
        return -errno;
    /* The program has the same file: it must not make it shorter under our hands. */
    if (ftruncate(memory, (off_t)bytes) != 0 || fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
        close(memory);
        return -ENOMEM;
    }
    return make_room(handles, handle, memory, bytes);
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
