// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "formats/common/device_tree_file.h"

#include <errno.h>
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

cs_status cs_device_tree_too_large(const char *name, const cs_device_tree_limits *limits,
                                   cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, name, "expected %s of at most %u bytes", limits->what,
                       limits->max_bytes);
}

/* All of a file in *bytes, which the caller frees. */
static cs_status read_open(FILE *file, const char *path, const cs_device_tree_limits *limits,
                           void **bytes, size_t *count, cs_diag *diag)
{
    const size_t room = (size_t)limits->max_bytes + 1;
    void *buffer = malloc(room);
    void *fitting;

    if (buffer == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory to read %s", limits->what);
    *count = fread(buffer, 1, room, file);
    if (ferror(file) || *count == room) {
        cs_status status =
            ferror(file) ? cs_diag_set(diag, CS_ERR_IO, path, "cannot read: %s", strerror(errno))
                         : cs_device_tree_too_large(path, limits, diag);

        free(buffer);
        return status;
    }
    fitting = realloc(buffer, *count > 0 ? *count : 1);
    *bytes = fitting != NULL ? fitting : buffer;
    return CS_OK;
}

bool cs_device_tree_is_pipe(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
}

cs_status cs_device_tree_read_bytes(const char *path, const cs_device_tree_limits *limits,
                                    void **bytes, size_t *count, cs_diag *diag)
{
    FILE *file;
    cs_status status;

    if (cs_device_tree_is_pipe(path))
        return cs_diag_set(diag, CS_ERR_FORMAT, path,
                           "is a pipe, which can be read only once: expected %s in a file",
                           limits->what);
    file = fopen(path, "rb");
    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    status = read_open(file, path, limits, bytes, count, diag);
    fclose(file);
    return status;
}

cs_status cs_device_tree_read(const char *path, const cs_device_tree_limits *limits, void **blob,
                              size_t *bytes, cs_diag *diag)
{
    static const unsigned char magic[] = {0xd0, 0x0d, 0xfe, 0xed};
    void *read = NULL;
    size_t count = 0;
    cs_status status = cs_device_tree_read_bytes(path, limits, &read, &count, diag);

    *blob = NULL;
    *bytes = 0;
    if (status != CS_OK)
        return status;
    if (count >= sizeof magic && memcmp(read, magic, sizeof magic) == 0) {
        *blob = read;
        *bytes = count;
        return CS_OK;
    }
    /* Source is text: what has a 0 in it is a blob with a damaged head, or no tree at all. */
    if (count == 0 || memchr(read, 0, count) != NULL)
        status = cs_diag_set(diag, CS_ERR_FORMAT, path,
                             "expected a device tree blob (first bytes d0 0d fe ed) or its source "
                             "(text), found %zu bytes of neither",
                             count);
    free(read);
    return status == CS_OK ? cs_device_tree_compile(path, limits, blob, bytes, diag) : status;
}

const char *cs_device_tree_damage(const void *blob, size_t bytes)
{
    int error;

    /* libfdt 1.6 checks older ones and crashes at a root without a name. */
    if (bytes >= FDT_V1_SIZE && fdt_version(blob) < 0x10)
        return "FDT_ERR_BADVERSION";
    error = fdt_check_full(blob, bytes);
    return error != 0 ? fdt_strerror(error) : NULL;
}
