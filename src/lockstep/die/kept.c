// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "lockstep/die/kept.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OTHERS (S_IWGRP | S_IWOTH)
#define CHUNK 65536u

/* ---- whose it is ---- */

static cs_status check_owner(const char *path, const struct stat *info, cs_diag *diag)
{
    if (info->st_uid != geteuid() && info->st_uid != 0)
        return cs_diag_set(diag, CS_ERR_IO, path,
                           "belongs to user %ld, and programs in it are executed: name a folder of "
                           "your own (--die-cache, COUNTERSINK_CACHE)",
                           (long)info->st_uid);
    if ((info->st_mode & OTHERS) != 0)
        return cs_diag_set(diag, CS_ERR_IO, path,
                           "others may write to it, and programs in it are executed: allow only "
                           "yourself (chmod go-w)");
    return CS_OK;
}

/* ---- whether it is whole ---- */

/* The table of sections is the last thing that a linker or an assembler writes. */
static bool is_whole(int fd, uint64_t bytes)
{
    Elf64_Ehdr head;

    return read(fd, &head, sizeof head) == (ssize_t)sizeof head &&
           memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
           head.e_shnum != 0 && head.e_shoff <= bytes &&
           (uint64_t)head.e_shnum * head.e_shentsize <= bytes - head.e_shoff;
}

bool cs_kept_is_whole(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    const bool whole = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                       is_whole(fd, (uint64_t)info.st_size);

    if (fd >= 0)
        close(fd);
    return whole;
}

cs_status cs_kept_is_usable(const char *folder, const char *path, bool *usable, cs_diag *diag)
{
    struct stat info;
    cs_status status = CS_OK;
    int fd;

    *usable = false;
    if (stat(folder, &info) != 0)
        return CS_OK; /* making it says more */
    status = check_owner(folder, &info, diag);
    fd = status == CS_OK ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return status;
    if (fstat(fd, &info) == 0)
        status = check_owner(path, &info, diag);
    *usable = status == CS_OK && S_ISREG(info.st_mode) && is_whole(fd, (uint64_t)info.st_size);
    close(fd);
    return status;
}

/* ---- a new one ---- */

static bool copy(int from, int to)
{
    char bytes[CHUNK];
    ssize_t got;

    while ((got = read(from, bytes, sizeof bytes)) > 0)
        for (ssize_t at = 0; at < got;) {
            const ssize_t put = write(to, bytes + at, (size_t)(got - at));

            if (put < 0)
                return false;
            at += put;
        }
    return got == 0;
}

cs_status cs_kept_put(const char *made, const char *path, cs_diag *diag)
{
    char beside[PATH_MAX];
    const int from = open(made, O_RDONLY | O_CLOEXEC);
    int to = -1;
    bool good;

    if (from < 0)
        return cs_diag_set(diag, CS_ERR_IO, made, "%s", strerror(errno));
    snprintf(beside, sizeof beside, "%.4000s.%ld", path, (long)getpid());
    to = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
    good = to >= 0 && copy(from, to) && fchmod(to, 0755) == 0 && fsync(to) == 0;
    good = to >= 0 && close(to) == 0 && good;
    good = good && rename(beside, path) == 0;
    if (!good) {
        cs_diag_set(diag, CS_ERR_IO, path, "cannot be written: %s", strerror(errno));
        unlink(beside);
    }
    close(from);
    return good ? CS_OK : CS_ERR_IO;
}
