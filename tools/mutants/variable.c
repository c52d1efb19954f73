// SPDX-License-Identifier: Apache-2.0
/* What tools/mutants.sh adds to a copy of the tree: the mutant that is switched on, and those that are
 * reached. These are noted in a shared mapping of CS_REACHED, a byte a mutant: so forks and aborts lose
 * nothing.
 *
 * With CS_SERVE, two descriptors, a program of GoogleTest does not begin. It reads lines from the first: a
 * mutant, seconds of processor time, seconds on the wall, a filter. For each it forks a child that begins as
 * ever, with that mutant and those tests, and writes to the second how it ended and its milliseconds. So a
 * test costs no more than itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY ((rlim_t)8 << 30) /* what a mutant may ask for */

int cs_mutant;
unsigned char *cs_reached;

static void note_reached(void)
{
    const char *path = getenv("CS_REACHED");
    struct stat about;
    const int file = path != NULL ? open(path, O_RDWR) : -1;

    if (file < 0 || fstat(file, &about) != 0)
        _exit(99);
    cs_reached = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (cs_reached == MAP_FAILED)
        _exit(99);
    close(file);
}

static void begin_child(unsigned seconds, const char *filter)
{
    const struct rlimit cpu = {seconds, seconds}, memory = {MEMORY, MEMORY}, core = {0, 0};
    const int nowhere = open("/dev/null", O_RDWR);

    setpgid(0, 0);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &core);
    setenv("GTEST_FILTER", filter, 1);
    setenv("GTEST_FAIL_FAST", "1", 1);
}

/* How the child ended, as wait(2) has it; that of SIGKILL when it took longer than the wall lets it. */
static int wait_for(pid_t child, unsigned wall_seconds, long *milliseconds)
{
    const struct timespec longest = {wall_seconds, 0};
    struct rusage usage;
    sigset_t child_ends;
    int status;

    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    if (sigtimedwait(&child_ends, NULL, &longest) < 0)
        kill(-child, SIGKILL);
    wait4(child, &status, 0, &usage);
    kill(-child, SIGKILL); /* also what it has forked */
    *milliseconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                    (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
    return status;
}

static void serve(int from, int to)
{
    FILE *asked = fdopen(from, "r"), *told = fdopen(to, "w");
    sigset_t child_ends, before;
    unsigned seconds, wall_seconds;
    char filter[4096];
    long milliseconds;

    if (asked == NULL || told == NULL)
        _exit(99);
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, &before);
    while (fscanf(asked, "%d %u %u %4095[^\n]", &cs_mutant, &seconds, &wall_seconds, filter) == 4) {
        const pid_t child = fork();

        if (child < 0)
            _exit(99);
        if (child == 0) {
            sigprocmask(SIG_SETMASK, &before, NULL);
            close(from);
            close(to);
            begin_child(seconds, filter);
            return;
        }
        fprintf(told, "%d ", wait_for(child, wall_seconds, &milliseconds));
        fprintf(told, "%ld\n", milliseconds);
        fflush(told);
    }
    _exit(0);
}

/* Before GoogleTest's own variables are made, which read the environment. */
__attribute__((constructor(101))) static void begin(void)
{
    const char *text = getenv("CS_MUTANT"), *ends = getenv("CS_SERVE");
    int from, to;

    cs_mutant = text != NULL ? atoi(text) : 0;
    if (cs_mutant < 0)
        note_reached();
    else if (ends != NULL && sscanf(ends, "%d %d", &from, &to) == 2) {
        unsetenv("CS_SERVE");
        serve(from, to);
    }
}
