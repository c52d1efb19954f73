// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "guest/symfs.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/common/elf_program.h"

static cs_status failed(const char *path, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
}

/* The path of `name`, to which nothing leads but folders, and which is free. */
static cs_status clear_way(const char *folder, const char *name, char path[PATH_MAX], cs_diag *diag)
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return failed(name, diag);
    }
    for (char *end = path + strlen(folder) + 1; (end = strchr(end, '/')) != NULL; end++) {
        *end = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return failed(path, diag);
        *end = '/';
    }
    return unlink(path) == 0 || errno == ENOENT ? CS_OK : failed(path, diag);
}

cs_status cs_symfs_link(const char *folder, const char *name, const char *from, cs_diag *diag)
{
    char path[PATH_MAX], whole[PATH_MAX];
    const cs_status status = clear_way(folder, name, path, diag);

    if (status != CS_OK)
        return status;
    if (realpath(from, whole) == NULL || symlink(whole, path) != 0)
        return failed(path, diag);
    return CS_OK;
}

cs_status cs_symfs_bytes(const char *folder, const char *name, const void *bytes, size_t size,
                         cs_diag *diag)
{
    char path[PATH_MAX];
    const cs_status status = clear_way(folder, name, path, diag);
    FILE *out = status == CS_OK ? fopen(path, "wb") : NULL;
    bool good = out != NULL && fwrite(bytes, 1, size, out) == size;

    if (status != CS_OK)
        return status;
    if (out != NULL && fclose(out) != 0)
        good = false;
    return good ? CS_OK : failed(path, diag);
}

static void put(FILE *out, const cs_elf_symbol *symbol)
{
    fprintf(out, "%016" PRIx64 " T %s\n", symbol->addr, symbol->name);
}

cs_status cs_symfs_kernel(const char *elf, const char *path, cs_diag *diag)
{
    cs_elf_program *kernel;
    const cs_elf_symbol *symbol;
    const cs_status status = cs_elf_program_open(elf, &kernel, diag);
    FILE *out = status == CS_OK ? fopen(path, "w") : NULL;
    bool good = out != NULL;

    if (status != CS_OK)
        return status == CS_ERR_FORMAT ? CS_OK : status;
    for (size_t i = 0; good && (symbol = cs_elf_program_symbol(kernel, i)) != NULL; i++)
        put(out, symbol);
    for (size_t i = 0; good && (symbol = cs_elf_program_label(kernel, i)) != NULL; i++)
        put(out, symbol);
    cs_elf_program_close(kernel);
    good = good && ferror(out) == 0;
    if (out != NULL && fclose(out) != 0)
        good = false;
    return good ? CS_OK : failed(path, diag);
}
