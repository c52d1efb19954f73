// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "lockstep/die/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/child.h"

bool cs_tool_exists(const char *program)
{
    const char *path = getenv("PATH");
    char candidate[PATH_MAX];

    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");

        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)length, path, program);
        if (access(candidate, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* The first line of the log that has "rror" in it, or its last line. */
static void first_error(const char *log, char *line, size_t size)
{
    FILE *file = fopen(log, "r");
    bool found = false;

    line[0] = '\0';
    while (file != NULL && !found && fgets(line, (int)size, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found = strstr(line, "rror") != NULL;
    }
    if (file != NULL)
        fclose(file);
}

static void start(char *const argv[], const char *log)
{
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
        _exit(127);
    /* What make hands down belongs to a make that called us. */
    unsetenv("MAKEFLAGS");
    unsetenv("MFLAGS");
    execvp(argv[0], argv);
    _exit(127);
}

cs_status cs_tool_run(char *const argv[], const char *log, cs_diag *diag)
{
    char line[256];
    int status;
    pid_t child;

    fflush(NULL);
    child = cs_child_start(true);
    if (child == 0)
        start(argv, log);
    if (child < 0)
        return cs_diag_set(diag, CS_ERR_IO, argv[0], "cannot be started: %s", strerror(errno));
    status = cs_child_wait(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return CS_OK;
    first_error(log, line, sizeof line);
    return cs_diag_set(diag, CS_ERR_UNSUPPORTED, argv[0], "fails: %s", line);
}

cs_status cs_tool_make_folder(const char *path, cs_diag *diag)
{
    char part[PATH_MAX];
    struct stat info;

    for (size_t i = 1; i <= strlen(path) && i < sizeof part; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            return cs_diag_set(diag, CS_ERR_IO, path, "cannot be made: %s", strerror(errno));
    }
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode) || access(path, W_OK) != 0)
        return cs_diag_set(diag, CS_ERR_IO, path, "is not a folder that can be written to");
    return CS_OK;
}

cs_status cs_tool_cache(const char *own, char *out, size_t size, cs_diag *diag)
{
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (own == NULL)
        own = getenv("COUNTERSINK_CACHE");
    if (own != NULL && *own != '\0')
        snprintf(out, size, "%s", own);
    else if (xdg != NULL && *xdg == '/')
        snprintf(out, size, "%s/countersink", xdg);
    else if (home != NULL && *home == '/')
        snprintf(out, size, "%s/.cache/countersink", home);
    else
        return cs_diag_set(diag, CS_ERR_IO, NULL,
                           "no folder for the die that has to be made: set COUNTERSINK_CACHE");
    return CS_OK;
}

/* Who had the lock before may have removed the file meanwhile. */
int cs_tool_lock(const char *path)
{
    for (;;) {
        const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        struct stat mine, there;

        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX) != 0 || fstat(fd, &mine) != 0) {
            close(fd);
            return -1;
        }
        if (stat(path, &there) == 0 && there.st_dev == mine.st_dev && there.st_ino == mine.st_ino)
            return fd;
        close(fd);
    }
}
