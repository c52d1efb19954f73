#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/imc/catalog/device_tree.h"

static cs_status io_error(cs_diag *diag, const char *where, const char *what)
{
    return cs_diag_set(diag, CS_ERR_IO, where, "%s: %s", what, strerror(errno));
}

static bool write_all(int file, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t done = write(file, bytes, count);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

/* The hidden name beside the final one: a rename must stay within a file system. */
static cs_status partial_name(const char *path, char out[PATH_MAX], cs_diag *diag)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    int length = snprintf(out, PATH_MAX, "%.*s.%.200s.partial-%ld", (int)(base - path), path, base,
                          (long)getpid());

    if (*base == '\0' || length < 0 || length >= PATH_MAX)
        return cs_diag_set(diag, CS_ERR_IO, path, "not a usable name for a file");
    return CS_OK;
}

static cs_status write_partial(const char *partial, const void *blob, size_t bytes, cs_diag *diag)
{
    int file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool good;

    if (file < 0)
        return io_error(diag, partial, "cannot make the file");
    good = write_all(file, blob, bytes) && fsync(file) == 0;
    if (!good)
        io_error(diag, partial, "cannot write");
    if (close(file) != 0 && good) {
        good = false;
        io_error(diag, partial, "cannot write");
    }
    if (!good)
        unlink(partial);
    return good ? CS_OK : CS_ERR_IO;
}

cs_status cs_imc_device_tree_write(const cs_imc_catalog *catalog,
                                   const cs_imc_device_tree_options *options, const char *path,
                                   cs_diag *diag)
{
    char partial[PATH_MAX];
    void *blob = NULL;
    size_t bytes = 0;
    cs_status status = partial_name(path, partial, diag);

    if (status == CS_OK)
        status = cs_imc_device_tree_make(catalog, options, &blob, &bytes, diag);
    if (status == CS_OK)
        status = write_partial(partial, blob, bytes, diag);
    free(blob);
    if (status == CS_OK && rename(partial, path) != 0) {
        status = io_error(diag, path, "cannot put the file in place");
        unlink(partial);
    }
    return status;
}
