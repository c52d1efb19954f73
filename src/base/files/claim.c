// SPDX-License-Identifier: Apache-2.0
/* Hidden folders: who holds one, and what becomes of those that nobody holds any more. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/output_impl.h"
#include "base/files/remove.h"

#define MOST_TRIES 100u

static void (*listener)(const char *text);

void cs_output_set_listener(void (*say)(const char *text))
{
    listener = say;
}

static void say(const char *format, const char *path)
{
    char text[PATH_MAX + 128];

    if (listener == NULL)
        return;
    snprintf(text, sizeof text, format, path);
    listener(text);
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Whether `path` still means the folder that is open. */
static bool is_still(int folder, const char *path)
{
    struct stat held, named;

    return fstat(folder, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

/* ---- renaming ---- */

/* For file systems that know no RENAME_NOREPLACE: a link and a new folder replace nothing either. */
static bool rename_in_steps(int from, const char *name, int to, const char *new_name)
{
    if (linkat(from, name, to, new_name, 0) == 0)
        return unlinkat(from, name, 0) == 0;
    if (errno != EPERM || mkdirat(to, new_name, 0700) != 0)
        return false;
    if (renameat(from, name, to, new_name) == 0) /* an empty folder */
        return true;
    unlinkat(to, new_name, AT_REMOVEDIR);
    return false;
}

bool cs_output_rename(int from, const char *name, int to, const char *new_name)
{
    if (renameat2(from, name, to, new_name, RENAME_NOREPLACE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && rename_in_steps(from, name, to, new_name);
}

/* ---- what was left behind ---- */

/* The second thing, if it has no name yet; false: its name is another's now. */
static bool name_second(int folder, const char *first, int parent)
{
    const size_t length = strlen(CS_OUTPUT_MADE);
    const struct dirent *entry;
    char name[2 * NAME_MAX + 2];
    DIR *entries = fdopendir(dup(folder));
    bool good = entries != NULL;

    while (good && (entry = readdir(entries)) != NULL)
        if (strncmp(entry->d_name, CS_OUTPUT_MADE, length) == 0 && entry->d_name[length] != '\0') {
            snprintf(name, sizeof name, "%s%s", first, entry->d_name + length);
            good = cs_output_rename(folder, entry->d_name, parent, name);
        }
    if (entries != NULL)
        closedir(entries);
    return good;
}

/* Names what is complete. The caller takes away the rest. */
static void name_all(int folder, const char *path, int parent)
{
    char first[NAME_MAX + 1];
    const ssize_t length = readlinkat(folder, CS_OUTPUT_COMPLETE, first, sizeof first - 1);

    if (length <= 0)
        return;
    first[length] = '\0';
    if (name_second(folder, first, parent) &&
        cs_output_rename(folder, CS_OUTPUT_MADE, parent, first))
        say("finished what a killed run had left in %s: only its name was missing", path);
}

/* CS_CLAIM_OURS: there is nothing of that name any more. */
static cs_claim clear_dead(const char *path)
{
    const char *slash = strrchr(path, '/');
    cs_claim result = CS_CLAIM_FOREIGN;
    char parent_path[PATH_MAX];
    struct stat info;
    int folder, parent;

    folder = open_folder(path);
    if (folder < 0)
        return errno == ENOENT ? CS_CLAIM_OURS : CS_CLAIM_FOREIGN;
    snprintf(parent_path, sizeof parent_path, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
             slash != NULL ? path : ".");
    parent = open_folder(parent_path);
    if (parent >= 0 && fstat(folder, &info) == 0 && info.st_uid == geteuid()) {
        result = CS_CLAIM_TAKEN; /* where nothing can be locked, nobody is known to be dead */
        if (flock(folder, LOCK_EX | LOCK_NB) == 0) {
            result = CS_CLAIM_OURS;
            if (is_still(folder, path)) {
                name_all(folder, path, parent);
                /* An empty one may be somebody's who has not locked it yet, and makes another. */
                if (rmdir(path) != 0) {
                    cs_remove_all(AT_FDCWD, path);
                    say("took away %s, which a killed run had left", path);
                }
            }
        }
    }
    if (parent >= 0)
        close(parent);
    close(folder);
    return result;
}

void cs_output_sweep(const char *path)
{
    const char *slash = strrchr(path, '/');
    const int length = slash != NULL ? (int)(slash - path) + 1 : 0;
    const size_t tail = strlen(CS_OUTPUT_SUFFIX);
    const struct dirent *entry;
    char folder[PATH_MAX], other[PATH_MAX];
    DIR *entries;

    snprintf(folder, sizeof folder, "%.*s", length != 0 ? length : 1, length != 0 ? path : ".");
    entries = opendir(folder);
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        const size_t bytes = strlen(entry->d_name);

        if (entry->d_name[0] == '.' && bytes > tail + 1 &&
            strcmp(entry->d_name + bytes - tail, CS_OUTPUT_SUFFIX) == 0 &&
            (size_t)snprintf(other, sizeof other, "%.*s%s", length, path, entry->d_name) <
                sizeof other)
            clear_dead(other);
    }
    if (entries != NULL)
        closedir(entries);
}

/* ---- claims ---- */

/* The folder has just been made. Until it is locked others may take it for one that was left. */
static bool take(const char *path, int *lock)
{
    *lock = open_folder(path);
    if (*lock < 0)
        return false;
    if ((flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && is_still(*lock, path))
        return true;
    close(*lock);
    errno = ENOENT;
    return false;
}

cs_claim cs_output_claim(const char *path, int *lock)
{
    for (unsigned i = 0; i < MOST_TRIES; i++) {
        if (mkdir(path, 0700) == 0) {
            if (take(path, lock))
                return CS_CLAIM_OURS;
            if (errno != ENOENT) {
                rmdir(path);
                return CS_CLAIM_FAILED;
            }
            continue;
        }
        if (errno != EEXIST)
            return CS_CLAIM_FAILED;
        const cs_claim other = clear_dead(path);
        if (other != CS_CLAIM_OURS)
            return other;
    }
    return CS_CLAIM_TAKEN;
}
