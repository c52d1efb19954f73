// SPDX-License-Identifier: Apache-2.0
/* Names of databases. SQLite takes a name that begins with "file:" for a URI. */
#ifndef CS_BASE_SQLITE_PATH_H
#define CS_BASE_SQLITE_PATH_H

#include <stdio.h>
#include <string.h>

/* Bytes that the name may need beside the path's own. */
#define CS_SQLITE_PATH_MORE 2u

/* A name of the file `path` that is no URI; returns `out`. */
static inline const char *cs_sqlite_path(const char *path, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s%s", strncmp(path, "file:", 5) == 0 ? "./" : "", path);
    return out;
}

#endif
