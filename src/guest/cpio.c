// SPDX-License-Identifier: Apache-2.0
#include "guest/cpio.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "guest/symfs.h"

#define FOLDER 0040755u
#define LINK 0120777u
#define DEVICE 0020666u
#define FILE_TYPE 0100000u

static void pad(cs_cpio *cpio, size_t size)
{
    static const char zeros[4] = {0};

    fwrite(zeros, 1, (4 - size % 4) % 4, cpio->out);
}

static void entry(cs_cpio *cpio, const char *name, unsigned mode, size_t size, unsigned major,
                  unsigned minor)
{
    const size_t length = strlen(name) + 1;
    /* magic; inode, mode, user, group, links, time, size, the device that it is on, the one that it
     * is, bytes of the name, checksum */
    const int head =
        fprintf(cpio->out, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", ++cpio->nr,
                mode, 0u, 0u, 1u, 0u, (unsigned)size, 0u, 0u, major, minor, (unsigned)length, 0u);

    fwrite(name, 1, length, cpio->out);
    pad(cpio, (size_t)head + length);
}

void cs_cpio_folder(cs_cpio *cpio, const char *name)
{
    entry(cpio, name, FOLDER, 0, 0, 0);
}

void cs_cpio_device(cs_cpio *cpio, const char *name, unsigned major, unsigned minor)
{
    entry(cpio, name, DEVICE, 0, major, minor);
}

static void data(cs_cpio *cpio, const char *name, unsigned mode, const void *bytes, size_t size)
{
    entry(cpio, name, mode, size, 0, 0);
    fwrite(bytes, 1, size, cpio->out);
    pad(cpio, size);
}

void cs_cpio_link(cs_cpio *cpio, const char *name, const char *to)
{
    data(cpio, name, LINK, to, strlen(to));
}

void cs_cpio_bytes(cs_cpio *cpio, const char *name, unsigned mode, const void *bytes, size_t size)
{
    data(cpio, name, FILE_TYPE | mode, bytes, size);
}

/* The whole file; to be freed. */
static cs_status read_file(const char *from, char **out, size_t *bytes, cs_diag *diag)
{
    FILE *in = fopen(from, "rb");
    long size = -1;
    cs_status status = CS_OK;

    *out = NULL;
    if (in != NULL && fseek(in, 0, SEEK_END) == 0)
        size = ftell(in);
    if (size < 0 || fseek(in, 0, SEEK_SET) != 0)
        status = cs_diag_set(diag, CS_ERR_IO, from, "cannot read: %s", strerror(errno));
    else if ((*out = malloc((size_t)size + 1)) == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, from, "%ld bytes", size);
    else if (fread(*out, 1, (size_t)size, in) != (size_t)size)
        status = cs_diag_set(diag, CS_ERR_IO, from, "cannot read");
    if (in != NULL)
        fclose(in);
    *bytes = (size_t)size;
    return status;
}

cs_status cs_cpio_file(cs_cpio *cpio, const char *name, unsigned mode, const char *from,
                       cs_diag *diag)
{
    char *bytes;
    size_t size;
    const cs_status status = read_file(from, &bytes, &size, diag);

    if (status == CS_OK)
        cs_cpio_bytes(cpio, name, mode, bytes, size);
    free(bytes);
    return status == CS_OK && cpio->symfs != NULL ? cs_symfs_link(cpio->symfs, name, from, diag)
                                                  : status;
}

cs_status cs_cpio_archive(cs_cpio *cpio, const char *from, cs_diag *diag)
{
    char *bytes;
    size_t size;
    const cs_status status = read_file(from, &bytes, &size, diag);

    if (status == CS_OK) {
        fwrite(bytes, 1, size, cpio->out);
        pad(cpio, size);
    }
    free(bytes);
    return status;
}

void cs_cpio_end(cs_cpio *cpio)
{
    entry(cpio, "TRAILER!!!", 0, 0, 0, 0);
}
