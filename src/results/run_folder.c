// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "results/run_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct cs_run_folder {
    cs_output *own; /* NULL: the output is another's */
    const char *name;
    const char *place; /* where its files lie until it has its name */
    char path[PATH_MAX + 256];
};

static cs_status io_error(cs_diag *diag, const char *where, const char *what)
{
    return cs_diag_set(diag, CS_ERR_IO, where, "%s: %s", what, strerror(errno));
}

/* A path of the folder's own, or the first free one below runs/, which is made where it is missing. */
static cs_status begin_output(const char *path, const char *name, cs_output **out, cs_diag *diag)
{
    char stem[PATH_MAX];

    if ((path == NULL || strncmp(path, "runs/", 5) == 0) && mkdir("runs", 0777) != 0 &&
        errno != EEXIST)
        return io_error(diag, "runs", "cannot make the folder");
    if (path != NULL)
        return cs_output_begin(path, CS_OUTPUT_FOLDER, out, diag);
    snprintf(stem, sizeof stem, "runs/%s", name);
    return cs_output_begin_numbered(stem, out, diag);
}

static cs_status new_folder(cs_output *own, const cs_output *output, unsigned thing,
                            cs_run_folder **out, cs_diag *diag)
{
    *out = malloc(sizeof **out);
    if (*out == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the run folder");
    **out = (cs_run_folder){
        .own = own, .name = cs_output_name(output, thing), .place = cs_output_path(output, thing)};
    return CS_OK;
}

static cs_status folder_of(cs_output *output, cs_status status, cs_run_folder **out, cs_diag *diag)
{
    *out = NULL;
    if (status == CS_OK)
        status = new_folder(output, output, CS_OUTPUT_FIRST, out, diag);
    if (status != CS_OK)
        cs_output_abandon(output);
    return status;
}

cs_status cs_run_folder_begin(const char *path, const char *name, cs_run_folder **out,
                              cs_diag *diag)
{
    cs_output *output;
    const cs_status status = begin_output(path, name, &output, diag);

    return folder_of(output, status, out, diag);
}

cs_status cs_run_folder_begin_numbered(const char *stem, cs_run_folder **out, cs_diag *diag)
{
    cs_output *output;
    const cs_status status = cs_output_begin_numbered(stem, &output, diag);

    return folder_of(output, status, out, diag);
}

cs_status cs_run_folder_begin_within(const cs_output *output, unsigned thing, cs_run_folder **out,
                                     cs_diag *diag)
{
    return new_folder(NULL, output, thing, out, diag);
}

const char *cs_run_folder_path(cs_run_folder *f, const char *file)
{
    snprintf(f->path, sizeof f->path, "%s/%s", f->place, file);
    return f->path;
}

const char *cs_run_folder_name(const cs_run_folder *f)
{
    return f->name;
}

cs_status cs_run_folder_open(cs_run_folder *f, const char *file, FILE **out, cs_diag *diag)
{
    *out = fopen(cs_run_folder_path(f, file), "wb");
    if (*out == NULL)
        return io_error(diag, f->path, "cannot write");
    return CS_OK;
}

cs_status cs_run_folder_close(cs_run_folder *f, const char *file, FILE *stream, cs_diag *diag)
{
    bool failed = ferror(stream) != 0;

    if (fclose(stream) != 0 || failed)
        return io_error(diag, cs_run_folder_path(f, file), "cannot write");
    return CS_OK;
}

cs_status cs_run_folder_subfolder(cs_run_folder *f, const char *name, cs_diag *diag)
{
    if (mkdir(cs_run_folder_path(f, name), 0777) != 0 && errno != EEXIST)
        return io_error(diag, f->path, "cannot make the folder");
    return CS_OK;
}

/* The folders that `name` goes through. */
static cs_status make_way(cs_run_folder *f, const char *name, cs_diag *diag)
{
    cs_status status = CS_OK;

    for (const char *slash = strchr(name, '/'); slash != NULL && status == CS_OK;
         slash = strchr(slash + 1, '/')) {
        char part[PATH_MAX];

        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        status = cs_run_folder_subfolder(f, part, diag);
    }
    return status;
}

cs_status cs_run_folder_copy(cs_run_folder *f, const char *from, const char *name, cs_diag *diag)
{
    FILE *in = fopen(from, "rb"), *out = NULL;
    cs_status status =
        in != NULL ? make_way(f, name, diag) : io_error(diag, from, "cannot be opened");
    char piece[65536];
    size_t got;

    if (status == CS_OK)
        status = cs_run_folder_open(f, name, &out, diag);
    while (status == CS_OK && (got = fread(piece, 1, sizeof piece, in)) > 0)
        if (fwrite(piece, 1, got, out) != got)
            break;
    if (status == CS_OK && ferror(in))
        status = io_error(diag, from, "cannot be read");
    if (out != NULL) {
        const cs_status closed = cs_run_folder_close(f, name, out, status == CS_OK ? diag : NULL);

        status = status != CS_OK ? status : closed;
    }
    if (in != NULL)
        fclose(in);
    return status;
}

cs_status cs_run_folder_commit(cs_run_folder *f, cs_diag *diag)
{
    cs_output *own = f->own;

    free(f);
    return own != NULL ? cs_output_commit(own, diag) : CS_OK;
}

void cs_run_folder_abandon(cs_run_folder *f)
{
    if (f == NULL)
        return;
    cs_output_abandon(f->own);
    free(f);
}
