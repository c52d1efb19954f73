// SPDX-License-Identifier: Apache-2.0
/* To be preloaded: a database may take as many steps as CS_STEPS says; then it is interrupted. SQLite's
 * steps are the same ones on every machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include <sqlite3.h>

#define AT_ONCE 1000

typedef int opens(const char *name, sqlite3 **database, int flags, const char *vfs);

static long left;

static int count(void *unused)
{
    (void)unused;
    left -= AT_ONCE;
    return left < 0;
}

int sqlite3_open_v2(const char *name, sqlite3 **database, int flags, const char *vfs)
{
    opens *open;
    int status;

    *(void **)&open = dlsym(RTLD_NEXT, "sqlite3_open_v2");
    status = open(name, database, flags, vfs);
    left = atol(getenv("CS_STEPS"));
    if (status == SQLITE_OK)
        sqlite3_progress_handler(*database, AT_ONCE, count, NULL);
    return status;
}
