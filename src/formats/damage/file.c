// SPDX-License-Identifier: Apache-2.0
/* Damage from file to file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/damage/damage.h"

/* A file is damaged in memory, as a whole and twice. */
#define MOST_BYTES (INT64_C(1) << 31)

static cs_status look(int fd, const char *path, size_t *size, cs_diag *diag)
{
    struct stat info;

    *size = 0;
    if (fd < 0 || fstat(fd, &info) != 0)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return cs_diag_set(diag, CS_ERR_IO, path,
                           "is not a regular file but a %s; all of its bytes are needed",
                           S_ISDIR(info.st_mode)    ? "folder"
                           : S_ISFIFO(info.st_mode) ? "pipe"
                                                    : "device");
    if (info.st_size > MOST_BYTES)
        return cs_diag_set(diag, CS_ERR_RANGE, path, "has %lld bytes; expected %lld at most",
                           (long long)info.st_size, (long long)MOST_BYTES);
    *size = (size_t)info.st_size;
    return CS_OK;
}

static cs_status load(const char *path, uint8_t **bytes, size_t *size, cs_diag *diag)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* of a pipe, too */
    cs_status status = look(fd, path, size, diag);
    FILE *file = status == CS_OK ? fdopen(fd, "rb") : NULL;

    *bytes = NULL;
    if (file == NULL) {
        if (fd >= 0)
            close(fd);
        return status != CS_OK ? status : cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory");
    }
    *bytes = malloc(*size + 1);
    if (*bytes == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory to read %zu bytes", *size);
    else
        *size = fread(*bytes, 1, *size, file);
    if (status == CS_OK && ferror(file))
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot read: %s", strerror(errno));
    fclose(file);
    return status;
}

static cs_status store(const char *path, const uint8_t *bytes, size_t size, cs_diag *diag)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    const bool whole = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) != 0 || !whole)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    return CS_OK;
}

cs_status cs_damage_file(const char *in, const char *out, const char *as, cs_damage_kind kind,
                         uint64_t seed, cs_damage_report *report, cs_diag *diag)
{
    uint8_t *bytes = NULL, *damaged = NULL;
    size_t size, damaged_size;
    cs_damage_layout layout = {0};
    cs_status status = load(in, &bytes, &size, diag);

    if (status == CS_OK)
        status = cs_damage_layout_of(as, bytes, size, &layout, diag);
    if (status == CS_OK)
        status =
            cs_damage_make(&layout, kind, seed, bytes, size, &damaged, &damaged_size, report, diag);
    if (status == CS_OK)
        status = store(out, damaged, damaged_size, diag);
    cs_damage_layout_free(&layout);
    free(damaged);
    free(bytes);
    return status;
}
