// SPDX-License-Identifier: Apache-2.0
/* Names of databases. SQLite takes a name that begins with "file:" for a URI. */
#ifndef CS_BASE_SQLITE_PATH_H
#define CS_BASE_SQLITE_PATH_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes that the name may need beside the path's own. */
#define CS_SQLITE_PATH_MORE 2u

/* A name of the file `path` that is no URI; returns `out`. */
static inline const char *cs_sqlite_path(const char *path, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s%s", strncmp(path, "file:", 5) == 0 ? "./" : "", path);
    return out;
}

/* SQLite opens no file whose path from the root on is longer, and says only that it cannot. */
#define CS_SQLITE_PATH_MOST 511u

/* What SQLite says of the file, or that its path is too long; returns `out`. */
static inline const char *cs_sqlite_why(const char *path, const char *message, char *out,
                                        size_t bytes)
{
    char folder[4096];
    size_t length = strlen(path);

    if (*path != '/' && getcwd(folder, sizeof folder) != NULL)
        length += strlen(folder) + 1;
    if (length > CS_SQLITE_PATH_MOST)
        snprintf(out, bytes,
                 "the whole path has %zu bytes, and SQLite opens none of more than %u: choose a "
                 "shorter name or a folder nearer to the root",
                 length, CS_SQLITE_PATH_MOST);
    else
        snprintf(out, bytes, "SQLite: %s", message);
    return out;
}

#endif
