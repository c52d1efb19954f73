// SPDX-License-Identifier: Apache-2.0
/* Device tree source, compiled by dtc as a child process: its output comes through a pipe, its
 * messages through another. What it may use is bounded, as source can include other files. */
#define _GNU_SOURCE /* prlimit */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/wall.h"
#include "formats/common/device_tree_file.h"

#define MAX_SECONDS 20u
#define MAX_CHILD_MEMORY ((rlim_t)512 << 20)
#define MAX_MESSAGE 2048u

extern char **environ;

typedef struct child {
    pid_t pid;
    int output;   /* what is left to read, -1 at its end */
    int messages; /* the same */
    unsigned char *blob;
    size_t bytes;
    char message[MAX_MESSAGE];
    size_t message_bytes;
} child;

static cs_status system_error(const char *path, const char *what, int error, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_IO, path, "%s: %s", what, strerror(error));
}

/* Both ends are closed in children: dtc gets the ones that are its own by dup2. */
static int make_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

static void close_both(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

static int spawn_with(child *c, char *const *arguments, int output, int messages)
{
    const struct rlimit memory = {MAX_CHILD_MEMORY, MAX_CHILD_MEMORY};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error != 0)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    if (error == 0)
        error = posix_spawnp(&c->pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0)
        prlimit(c->pid, RLIMIT_AS, &memory, NULL);
    return error;
}

static cs_status start(child *c, const char *path, cs_diag *diag)
{
    char name[] = "dtc", quiet[] = "-q", in[] = "-Idts", out[] = "-Odtb", end[] = "--";
    char *file = strdup(path);
    char *const arguments[] = {name, quiet, in, out, end, file, NULL};
    int output[2], messages[2];
    int error;

    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory to run dtc");
    error = make_pipe(output);
    if (error == 0 && (error = make_pipe(messages)) != 0)
        close_both(output);
    if (error != 0) {
        free(file);
        return system_error(path, "cannot make a pipe for dtc", error, diag);
    }
    error = spawn_with(c, arguments, output[1], messages[1]);
    free(file);
    close(output[1]);
    close(messages[1]);
    c->output = output[0];
    c->messages = messages[0];
    if (error == 0)
        return CS_OK;
    close(c->output);
    close(c->messages);
    return system_error(path,
                        "cannot run dtc, which compiles device tree source (Debian's package "
                        "device-tree-compiler)",
                        error, diag);
}

/* Reads what is there; the end closes *end. Bytes beyond `room` are read and dropped, but one,
 * so that `bytes` tells that there were more. */
static int take(int *end, void *buffer, size_t *bytes, size_t room)
{
    char dropped[4096];
    bool full = *bytes >= room;
    ssize_t got = full ? read(*end, dropped, sizeof dropped)
                       : read(*end, (char *)buffer + *bytes, room - *bytes);

    if (got < 0)
        return errno == EINTR ? 0 : errno;
    if (got == 0) {
        close(*end);
        *end = -1;
    } else if (!full) {
        *bytes += (size_t)got;
    }
    return 0;
}

static cs_status collect(child *c, const char *path, const cs_device_tree_limits *limits,
                         cs_diag *diag)
{
    const uint64_t deadline = cs_wall_ns() + MAX_SECONDS * UINT64_C(1000000000);

    while (c->output >= 0 || c->messages >= 0) {
        struct pollfd ends[2] = {{c->output, POLLIN, 0}, {c->messages, POLLIN, 0}};
        uint64_t now = cs_wall_ns();
        int error = 0;

        if (now >= deadline)
            return cs_diag_set(diag, CS_ERR_FORMAT, path,
                               "dtc was still compiling after %u seconds", MAX_SECONDS);
        if (poll(ends, 2, (int)((deadline - now) / 1000000 + 1)) < 0) {
            if (errno == EINTR)
                continue;
            return system_error(path, "cannot wait for dtc", errno, diag);
        }
        if (ends[0].revents != 0)
            error = take(&c->output, c->blob, &c->bytes, (size_t)limits->max_bytes + 1);
        if (error == 0 && ends[1].revents != 0)
            error = take(&c->messages, c->message, &c->message_bytes, MAX_MESSAGE - 1);
        if (error != 0)
            return system_error(path, "cannot read from dtc", error, diag);
        if (c->bytes > limits->max_bytes)
            return cs_diag_set(diag, CS_ERR_FORMAT, path,
                               "expected source of %s of at most %u bytes, found more",
                               limits->what, limits->max_bytes);
    }
    return CS_OK;
}

/* The first line that dtc said. */
static cs_status compile_error(const child *c, const char *path, int how, cs_diag *diag)
{
    int length = (int)strcspn(c->message, "\n");

    if (WIFSIGNALED(how))
        return cs_diag_set(diag, CS_ERR_FORMAT, path, "dtc was ended by signal %d", WTERMSIG(how));
    return cs_diag_set(diag, CS_ERR_FORMAT, path, "dtc cannot compile it: %.*s",
                       length > 0 ? length : (int)strlen("(no message)"),
                       length > 0 ? c->message : "(no message)");
}

/* Ends what still runs, and waits in any case. */
static cs_status finish(child *c, const char *path, cs_status status, cs_diag *diag)
{
    int how = 0;
    pid_t done;

    if (status != CS_OK)
        kill(c->pid, SIGKILL);
    if (c->output >= 0)
        close(c->output);
    if (c->messages >= 0)
        close(c->messages);
    do
        done = waitpid(c->pid, &how, 0);
    while (done < 0 && errno == EINTR);
    if (status != CS_OK)
        return status;
    if (done < 0)
        return system_error(path, "cannot wait for dtc", errno, diag);
    return WIFEXITED(how) && WEXITSTATUS(how) == 0 ? CS_OK : compile_error(c, path, how, diag);
}

cs_status cs_device_tree_compile(const char *path, const cs_device_tree_limits *limits, void **blob,
                                 size_t *bytes, cs_diag *diag)
{
    child c = {.blob = malloc((size_t)limits->max_bytes + 1)};
    cs_status status;

    *blob = NULL;
    *bytes = 0;
    if (c.blob == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory to compile %s", limits->what);
    status = start(&c, path, diag);
    if (status == CS_OK)
        status = finish(&c, path, collect(&c, path, limits, diag), diag);
    if (status != CS_OK) {
        free(c.blob);
        return status;
    }
    *blob = realloc(c.blob, c.bytes > 0 ? c.bytes : 1);
    if (*blob == NULL)
        *blob = c.blob;
    *bytes = c.bytes;
    return CS_OK;
}
