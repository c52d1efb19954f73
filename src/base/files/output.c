// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "base/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files/ending.h"
#include "base/files/output_impl.h"
#include "base/files/remove.h"
#include "base/hash.h"

#define MOST_THINGS 2u
/* Of a name; what the hidden one adds must fit into NAME_MAX. */
#define LONG_NAME 200u
#define MOST_NUMBERS 1000000u
#define CLAIM_PAUSES 200u /* a second */
#define SPARE 4u          /* folders in folders: the hidden one, the run's, a way's, its records */

typedef struct thing {
    char name[PATH_MAX];
    char path[PATH_MAX];
} thing;

struct cs_output {
    thing things[MOST_THINGS];
    unsigned nr_things;
    unsigned flags;
    char hidden[PATH_MAX];
    int lock; /* the hidden folder, open */
    int spare
        [SPARE]; /* descriptors that are closed before it is taken away, which needs some: there may be
                       * no other left. -1: closed */
};

static cs_status io_error(cs_diag *diag, const char *where, const char *what)
{
    return cs_diag_set(diag, CS_ERR_IO, where, "%s: %s", what, strerror(errno));
}

static bool exists(const char *path)
{
    struct stat info;

    return lstat(path, &info) == 0;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* ---- begin ---- */

/* Below PATH_MAX: a name leaves 400 bytes of it. */
static void name_hidden(cs_output *o)
{
    const char *name = o->things[0].name, *base = base_of(name);
    const size_t folder = (size_t)(base - name), length = strlen(base);
    const size_t kept = length < LONG_NAME ? length : LONG_NAME;
    char *at = o->hidden;
    uint64_t hash = 0;

    memcpy(at, name, folder);
    at += folder;
    *at++ = '.';
    memcpy(at, base, kept);
    at += kept;
    for (size_t i = 0; i < length; i++)
        hash = cs_hash_mix(hash + CS_HASH_STEP + (unsigned char)base[i]);
    if (kept < length)
        at += sprintf(at, "-%016" PRIx64, hash);
    strcpy(at, CS_OUTPUT_SUFFIX);
}

/* Called from a signal handler. */
static void clear(void *ctx)
{
    cs_output *o = ctx;

    for (unsigned i = 0; i < SPARE; i++) {
        if (o->spare[i] >= 0)
            close(o->spare[i]);
        o->spare[i] = -1;
    }
    cs_remove_all(AT_FDCWD, o->hidden);
}

static bool open_spare(cs_output *o)
{
    bool good = true;

    for (unsigned i = 0; i < SPARE; i++) {
        o->spare[i] = good ? fcntl(o->lock, F_DUPFD_CLOEXEC, 0) : -1;
        good = o->spare[i] >= 0;
    }
    return good;
}

/* `suffix`, and what stands before it, fit by far. */
static void join(char *out, const char *text, const char *between, const char *suffix)
{
    const size_t length = strlen(text);

    memcpy(out, text, length);
    strcpy(stpcpy(out + length, between), suffix);
}

static cs_status add_thing(cs_output *o, const char *suffix, bool folder, cs_diag *diag)
{
    thing *t = &o->things[o->nr_things];

    if (o->nr_things > 0)
        join(t->name, o->things[0].name, "", suffix);
    join(t->path, o->hidden, "/" CS_OUTPUT_MADE, suffix);
    o->nr_things++;
    if ((o->flags & CS_OUTPUT_REPLACE) == 0 && exists(t->name))
        return cs_diag_set(diag, CS_ERR_IO, t->name, "exists already; give another name (-o)");
    if (folder && mkdir(t->path, 0777) != 0)
        return io_error(diag, t->name, "cannot make the folder");
    return CS_OK;
}

static cs_status tell_claim(const cs_output *o, cs_claim claim, cs_diag *diag)
{
    const char *name = o->things[0].name;

    if (claim == CS_CLAIM_TAKEN)
        return cs_diag_set(diag, CS_ERR_IO, name, "is being made by another process, in %s",
                           o->hidden);
    if (claim == CS_CLAIM_FOREIGN)
        return cs_diag_set(diag, CS_ERR_IO, name, "cannot be made: %s is in the way", o->hidden);
    return io_error(diag, name,
                    (o->flags & CS_OUTPUT_FOLDER) != 0 ? "cannot make the folder"
                                                       : "cannot make the file");
}

/* The name stands in the first thing. */
static cs_claim claim(cs_output *o)
{
    cs_claim result;

    name_hidden(o);
    cs_ending_hold();
    result = cs_output_claim(o->hidden, &o->lock);
    if (result == CS_CLAIM_OURS && (!open_spare(o) || !cs_ending_add(clear, o))) {
        clear(o);
        close(o->lock);
        errno = EMFILE;
        result = CS_CLAIM_FAILED;
    }
    cs_ending_release();
    return result;
}

/* A lock may be that of somebody who clears away what was left there: it is gone in a moment. */
static cs_claim claim_patiently(cs_output *o)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    cs_claim got = claim(o);

    for (unsigned i = 0; i < CLAIM_PAUSES && got == CS_CLAIM_TAKEN; i++) {
        nanosleep(&pause, NULL);
        got = claim(o);
    }
    return got;
}

static cs_output *new_output(unsigned flags, cs_diag *diag)
{
    cs_output *o = calloc(1, sizeof *o);

    if (o == NULL)
        cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for an output");
    else
        o->flags = flags;
    return o;
}

static cs_status set_name(cs_output *o, const char *name, cs_diag *diag)
{
    size_t length = strlen(name);

    if ((o->flags & CS_OUTPUT_FOLDER) != 0)
        while (length > 1 && name[length - 1] == '/')
            length--;
    if (length == 0 || length > PATH_MAX - 400 || name[length - 1] == '/')
        return cs_diag_set(diag, CS_ERR_IO, name, "not a usable name for a %s",
                           (o->flags & CS_OUTPUT_FOLDER) != 0 ? "folder" : "file");
    memcpy(o->things[0].name, name, length);
    if ((o->flags & CS_OUTPUT_REPLACE) == 0 && exists(o->things[0].name))
        return cs_diag_set(diag, CS_ERR_IO, o->things[0].name,
                           "exists already; give another name (-o)");
    return CS_OK;
}

cs_status cs_output_begin(const char *name, unsigned flags, cs_output **out, cs_diag *diag)
{
    cs_output *o = new_output(flags, diag);
    cs_status status;
    cs_claim got;

    *out = NULL;
    if (o == NULL)
        return CS_ERR_NO_MEMORY;
    status = set_name(o, name, diag);
    if (status == CS_OK) {
        cs_output_sweep(o->things[0].name);
        got = claim_patiently(o);
        if (got == CS_CLAIM_OURS) {
            /* Another may have come to its end before the claim, or what was left has been named. */
            status = add_thing(o, "", (flags & CS_OUTPUT_FOLDER) != 0, diag);
            if (status == CS_OK)
                *out = o;
            else
                cs_output_abandon(o);
            return status;
        }
        status = tell_claim(o, got, diag);
    }
    free(o);
    return status;
}

cs_status cs_output_begin_numbered(const char *stem, cs_output **out, cs_diag *diag)
{
    cs_status status = CS_OK;

    *out = NULL;
    cs_output_sweep(stem);
    for (unsigned n = 1; n < MOST_NUMBERS; n++) {
        cs_output *o = new_output(CS_OUTPUT_FOLDER, diag);
        cs_claim got = CS_CLAIM_TAKEN;

        if (o == NULL)
            return CS_ERR_NO_MEMORY;
        snprintf(o->things[0].name, sizeof o->things[0].name, "%.*s-%u", PATH_MAX - 400, stem, n);
        if (!exists(o->things[0].name))
            got = claim(o);
        if (got == CS_CLAIM_OURS) {
            status = add_thing(o, "", true, diag);
            if (status == CS_OK) {
                *out = o;
                return CS_OK;
            }
            cs_output_abandon(o); /* another has come to its end before the claim */
        } else {
            status = got == CS_CLAIM_FAILED ? tell_claim(o, got, diag) : CS_OK;
            free(o);
            if (status != CS_OK)
                return status;
        }
    }
    return cs_diag_set(diag, CS_ERR_IO, stem, "%u of that name are there already", MOST_NUMBERS);
}

cs_status cs_output_add_folder(cs_output *o, const char *suffix, cs_diag *diag)
{
    return add_thing(o, suffix, true, diag);
}

const char *cs_output_name(const cs_output *o, unsigned thing)
{
    return o->things[thing].name;
}

const char *cs_output_path(const cs_output *o, unsigned thing)
{
    return o->things[thing].path;
}

const char *cs_output_scratch(const cs_output *o)
{
    return o->hidden;
}

/* ---- the end ---- */

static bool name_thing(const cs_output *o, const thing *t)
{
    return (o->flags & CS_OUTPUT_REPLACE) != 0
               ? rename(t->path, t->name) == 0
               : cs_output_rename(AT_FDCWD, t->path, AT_FDCWD, t->name);
}

/* The first one last: who sees it sees all. */
static cs_status name_things(const cs_output *o, cs_diag *diag)
{
    if (o->nr_things > 1 && symlinkat(base_of(o->things[0].name), o->lock, CS_OUTPUT_COMPLETE) != 0)
        return io_error(diag, o->things[0].name, "cannot be named");
    for (unsigned i = o->nr_things; i > 0; i--) {
        const thing *t = &o->things[i - 1];

        if (name_thing(o, t))
            continue;
        const cs_status status = io_error(diag, t->name, "cannot be named");
        for (; i < o->nr_things; i++)
            rename(o->things[i].name, o->things[i].path);
        return status;
    }
    return CS_OK;
}

static void finish(cs_output *o)
{
    clear(o);
    cs_ending_remove(o);
    close(o->lock);
    free(o);
}

cs_status cs_output_commit(cs_output *o, cs_diag *diag)
{
    cs_status status;

    cs_ending_hold();
    status = name_things(o, diag);
    finish(o);
    cs_ending_release();
    return status;
}

void cs_output_abandon(cs_output *o)
{
    if (o == NULL)
        return;
    cs_ending_hold();
    finish(o);
    cs_ending_release();
}
