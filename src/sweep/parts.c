// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "sweep/parts.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK "sweep" /* the file that says whose the folder is, by the sweep's identity */

static void path_of(char out[PATH_MAX], const char *folder, const char *name)
{
    snprintf(out, PATH_MAX, "%.4000s/%.80s", folder, name);
}

static bool is_empty(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    bool empty = dir != NULL;

    while (empty && (entry = readdir(dir)) != NULL)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (dir != NULL)
        closedir(dir);
    return empty;
}

static bool says(FILE *mark, const char *identity)
{
    int c = fgetc(mark);

    while (*identity != '\0' && c == (unsigned char)*identity) {
        identity++;
        c = fgetc(mark);
    }
    return *identity == '\0' && c == EOF && !ferror(mark);
}

cs_sweep_parts cs_sweep_parts_of(const char *folder, const char *identity)
{
    char path[PATH_MAX];
    struct stat there;
    FILE *mark;
    bool own;

    if (lstat(folder, &there) != 0 || !S_ISDIR(there.st_mode))
        return CS_SWEEP_PARTS_OTHER;
    path_of(path, folder, MARK);
    mark = lstat(path, &there) == 0 && S_ISREG(there.st_mode) ? fopen(path, "r") : NULL;
    if (mark == NULL)
        return is_empty(folder) ? CS_SWEEP_PARTS_FREE : CS_SWEEP_PARTS_OTHER;
    own = says(mark, identity);
    fclose(mark);
    return own ? CS_SWEEP_PARTS_OWN : CS_SWEEP_PARTS_OTHER;
}

bool cs_sweep_parts_mark(const char *folder, const char *identity)
{
    char path[PATH_MAX];
    FILE *mark;
    bool good;
    int why;

    path_of(path, folder, MARK);
    mark = fopen(path, "wx");
    if (mark == NULL)
        return false;
    good = fputs(identity, mark) >= 0;
    good = fclose(mark) == 0 && good;
    why = errno;
    if (!good) {
        unlink(path);
        rmdir(folder);
    }
    errno = why;
    return good;
}

/* "12.sqlite", "12.log" and the like: of a task. */
static bool is_of_task(const char *name)
{
    static const char *const endings[] = {".sqlite", ".sqlite-journal", ".log"};
    const size_t digits = strspn(name, "0123456789");

    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && digits != 0; i++)
        if (strcmp(name + digits, endings[i]) == 0)
            return true;
    return false;
}

void cs_sweep_parts_remove(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    char path[PATH_MAX];

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (is_of_task(entry->d_name) || strcmp(entry->d_name, "job") == 0 ||
            strcmp(entry->d_name, MARK) == 0) {
            path_of(path, folder, entry->d_name);
            unlink(path);
        }
    if (dir != NULL)
        closedir(dir);
    rmdir(folder);
}
