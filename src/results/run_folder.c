#define _XOPEN_SOURCE 700
#include "results/run_folder.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct cs_run_folder {
    char final[PATH_MAX];
    char partial[PATH_MAX];
    char path[PATH_MAX + 256];
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

/* runs/<name>-<n> with the first free n. */
static cs_status pick_name(const char *name, char *out, size_t size, cs_diag *diag)
{
    if (mkdir("runs", 0777) != 0 && errno != EEXIST)
        return io_error(diag, "runs", "cannot make the folder");
    for (unsigned n = 1; n < 1000000; n++) {
        snprintf(out, size, "runs/%s-%u", name, n);
        if (!exists(out))
            return CS_OK;
    }
    return cs_diag_set(diag, CS_ERR_IO, "runs", "too many runs named %s", name);
}

/* The hidden name beside the final one. */
static void partial_name(cs_run_folder *f)
{
    const char *slash = strrchr(f->final, '/');
    const char *base = slash != NULL ? slash + 1 : f->final;

    snprintf(f->partial, sizeof f->partial, "%.*s.%.255s.partial-%ld", (int)(base - f->final),
             f->final, base, (long)getpid());
}

cs_status cs_run_folder_begin(const char *path, const char *name, cs_run_folder **out,
                              cs_diag *diag)
{
    cs_run_folder *f = calloc(1, sizeof *f);
    cs_status status = CS_OK;

    *out = NULL;
    if (f == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the run folder");
    if (path == NULL) {
        status = pick_name(name, f->final, sizeof f->final, diag);
    } else {
        size_t length = strlen(path);

        while (length > 1 && path[length - 1] == '/')
            length--;
        if (length == 0 || length > PATH_MAX - 300)
            status = cs_diag_set(diag, CS_ERR_IO, path, "not a usable name for a run folder");
        else
            snprintf(f->final, sizeof f->final, "%.*s", (int)length, path);
        if (status == CS_OK && exists(f->final))
            status = cs_diag_set(diag, CS_ERR_IO, f->final,
                                 "exists already; a run needs a new folder (give another -o)");
    }
    if (status == CS_OK) {
        partial_name(f);
        if (mkdir(f->partial, 0777) != 0)
            status = io_error(diag, f->final, "cannot make the folder");
    }
    if (status != CS_OK) {
        free(f);
        return status;
    }
    *out = f;
    return CS_OK;
}

const char *cs_run_folder_path(cs_run_folder *f, const char *file)
{
    snprintf(f->path, sizeof f->path, "%s/%s", f->partial, file);
    return f->path;
}

const char *cs_run_folder_name(const cs_run_folder *f)
{
    return f->final;
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
    cs_status status = CS_OK;

    if (rename(f->partial, f->final) != 0) {
        status = io_error(diag, f->final, "cannot name the finished run folder");
        cs_run_folder_abandon(f);
        return status;
    }
    free(f);
    return CS_OK;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

void cs_run_folder_abandon(cs_run_folder *f)
{
    if (f == NULL)
        return;
    nftw(f->partial, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(f);
}
