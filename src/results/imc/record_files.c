// SPDX-License-Identifier: Apache-2.0
#include "results/imc/record_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "scenario/scenario.h"

#define BLOCK_BYTES 8192u
#define BATCH 16u /* blocks that wake the thread up */
#define AHEAD 64u /* blocks that wait for it or are being written, at most */

typedef struct block {
    struct block *next;
    unsigned cpu;
    size_t used;
    uint8_t bytes[BLOCK_BYTES];
} block;

struct cs_record_files {
    cs_run_folder *folder;
    block *filling[CS_MAX_CPUS];
    FILE *files[CS_MAX_CPUS]; /* the thread's, until it has ended */
    thrd_t thread;
    mtx_t lock; /* of all below */
    cnd_t change;
    block *first, *last; /* in order; NULL: none */
    block *unused;
    unsigned waiting;
    bool ending;
    cs_status status; /* the first failure */
    cs_diag diag;
};

static const char *file_name(unsigned cpu, char name[32])
{
    snprintf(name, 32, "records/cpu%u.imc", cpu);
    return name;
}

/* ---- the thread ---- */

static cs_status write_block(cs_record_files *f, const block *b, cs_diag *diag)
{
    FILE **file = &f->files[b->cpu];
    char name[32];

    if (*file == NULL) {
        cs_status status = cs_run_folder_open(f->folder, file_name(b->cpu, name), file, diag);

        if (status != CS_OK)
            return status;
        setvbuf(*file, NULL, _IONBF, 0); /* blocks are large */
    }
    if (fwrite(b->bytes, 1, b->used, *file) != b->used)
        return cs_diag_set(diag, CS_ERR_IO, file_name(b->cpu, name), "cannot write: %s",
                           strerror(errno));
    return CS_OK;
}

/* All that waits, in order. NULL: there is nothing more. */
static block *take_all(cs_record_files *f)
{
    while (f->waiting < BATCH && !f->ending)
        cnd_wait(&f->change, &f->lock);
    block *all = f->first;
    f->first = NULL;
    return all;
}

/* Blocks that have been written go back in one stroke. */
static void give_back(cs_record_files *f, block *first, block *last, unsigned count)
{
    last->next = f->unused;
    f->unused = first;
    f->waiting -= count;
    cnd_broadcast(&f->change);
}

static int work(void *ctx)
{
    cs_record_files *f = ctx;
    block *last = NULL;

    mtx_lock(&f->lock);
    for (block *all = take_all(f); all != NULL; all = take_all(f)) {
        cs_status status = f->status;
        cs_diag diag = {0};
        unsigned count = 0;

        mtx_unlock(&f->lock);
        for (block *b = all; b != NULL; b = b->next, count++) {
            if (status == CS_OK)
                status = write_block(f, b, &diag);
            last = b;
        }
        mtx_lock(&f->lock);
        if (f->status == CS_OK && status != CS_OK) {
            f->status = status;
            f->diag = diag;
        }
        give_back(f, all, last, count);
    }
    mtx_unlock(&f->lock);
    return 0;
}

/* ---- the simulation's side ---- */

cs_status cs_record_files_create(cs_run_folder *folder, cs_record_files **out, cs_diag *diag)
{
    cs_record_files *f = calloc(1, sizeof *f);
    cs_status status = cs_run_folder_subfolder(folder, "records", diag);

    *out = NULL;
    if (status != CS_OK) {
        free(f);
        return status;
    }
    if (f == NULL || mtx_init(&f->lock, mtx_plain) != thrd_success) {
        free(f);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the files of records");
    }
    f->folder = folder;
    if (cnd_init(&f->change) != thrd_success || thrd_create(&f->thread, work, f) != thrd_success) {
        free(f);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no thread for the files of records");
    }
    *out = f;
    return CS_OK;
}

/* An empty block; NULL after a failure. */
static block *take(cs_record_files *f, unsigned cpu)
{
    mtx_lock(&f->lock);
    block *b = f->unused;
    if (b != NULL)
        f->unused = b->next;
    if (b == NULL) {
        b = malloc(sizeof *b);
        if (b == NULL && f->status == CS_OK)
            f->status = cs_diag_set(&f->diag, CS_ERR_NO_MEMORY, NULL, "no memory for records");
    }
    mtx_unlock(&f->lock);
    if (b == NULL)
        return NULL;
    b->next = NULL;
    b->cpu = cpu;
    b->used = 0;
    return b;
}

/* Returns false after a failure. */
static bool send(cs_record_files *f, block *b)
{
    mtx_lock(&f->lock);
    while (f->waiting >= AHEAD)
        cnd_wait(&f->change, &f->lock);
    if (f->first == NULL)
        f->first = b;
    else
        f->last->next = b;
    f->last = b;
    const bool good = f->status == CS_OK;
    if (++f->waiting == BATCH)
        cnd_broadcast(&f->change);
    mtx_unlock(&f->lock);
    return good;
}

bool cs_record_files_put(cs_record_files *f, unsigned cpu,
                         const uint8_t record[CS_IMC_TRACE_RECORD_BYTES])
{
    block *b = f->filling[cpu];
    bool good = true;

    if (b == NULL) {
        b = f->filling[cpu] = take(f, cpu);
        if (b == NULL)
            return false;
    }
    memcpy(b->bytes + b->used, record, CS_IMC_TRACE_RECORD_BYTES);
    b->used += CS_IMC_TRACE_RECORD_BYTES;
    __builtin_prefetch(b->bytes + b->used, 1); /* the thread had it last: it comes from afar */
    if (b->used == BLOCK_BYTES) {
        good = send(f, b);
        f->filling[cpu] = NULL;
    }
    return good;
}

static void free_blocks(block *b)
{
    while (b != NULL) {
        block *next = b->next;

        free(b);
        b = next;
    }
}

cs_status cs_record_files_close(cs_record_files *f, cs_diag *diag)
{
    char name[32];

    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (f->filling[cpu] != NULL)
            send(f, f->filling[cpu]);
    mtx_lock(&f->lock);
    f->ending = true;
    cnd_broadcast(&f->change);
    mtx_unlock(&f->lock);
    thrd_join(f->thread, NULL);
    cs_status status = f->status;
    if (status != CS_OK && diag != NULL)
        *diag = f->diag;
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++) {
        if (f->files[cpu] == NULL)
            continue;
        cs_status closed = cs_run_folder_close(f->folder, file_name(cpu, name), f->files[cpu],
                                               status == CS_OK ? diag : NULL);
        status = status != CS_OK ? status : closed;
    }
    free_blocks(f->unused);
    cnd_destroy(&f->change);
    mtx_destroy(&f->lock);
    free(f);
    return status;
}
