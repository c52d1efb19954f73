// SPDX-License-Identifier: Apache-2.0
/* getdents64: readdir() may not be called from a signal handler */
#define _GNU_SOURCE
#include "base/files/remove.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Folders in folders: each costs a descriptor, and half of its entries' room as stack. */
#define MOST_DEPTH 400u
#define ENTRY_BYTES 1024u

static bool is_itself(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool remove_at(int at, const char *name, unsigned depth);

/* Goes through it once; whether anything was taken away. */
static bool empty_once(int folder, unsigned depth)
{
    _Alignas(struct dirent64) char entries[ENTRY_BYTES];
    bool any = false;
    ssize_t got;

    lseek(folder, 0, SEEK_SET);
    while ((got = getdents64(folder, entries, sizeof entries)) > 0)
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *entry = (const void *)(entries + at);

            at += entry->d_reclen;
            if (!is_itself(entry->d_name) && remove_at(folder, entry->d_name, depth + 1))
                any = true;
        }
    return any;
}

static bool remove_at(int at, const char *name, unsigned depth)
{
    int folder;

    /* An empty folder needs no descriptor, of which there may be none. */
    if (unlinkat(at, name, 0) == 0 || unlinkat(at, name, AT_REMOVEDIR) == 0)
        return true;
    folder =
        depth < MOST_DEPTH ? openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (folder < 0)
        return false;
    while (empty_once(folder, depth))
        continue;
    close(folder);
    return unlinkat(at, name, AT_REMOVEDIR) == 0;
}

void cs_remove_all(int at, const char *name)
{
    remove_at(at, name, 0);
}
