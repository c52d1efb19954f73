// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cli/run/several.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/child.h"
#include "cli/cli.h"

typedef struct one {
    pid_t process; /* 0: it does not run */
    bool ended;
    int status;
    cs_output *output;
    FILE *printed[2]; /* to standard output, to standard error */
} one;

typedef struct running {
    const cs_several *several;
    one *runs;
    size_t told; /* so many have been printed */
} running;

static int fail(const char *what)
{
    cs_diag diag = {0};

    cs_diag_set(&diag, CS_ERR_IO, NULL, "%s: %s", what, strerror(errno));
    return cs_cli_fail(&diag);
}

/* ---- one ---- */

static void be_child(const running *r, size_t number)
{
    const one *run = &r->runs[number];
    int status;

    if (dup2(fileno(run->printed[0]), STDOUT_FILENO) < 0 ||
        dup2(fileno(run->printed[1]), STDERR_FILENO) < 0)
        _exit(EXIT_IO);
    status = r->several->run(r->several->ctx, number, run->output);
    if (fflush(NULL) != 0 && status == EXIT_GOOD)
        status = EXIT_IO;
    _exit(status);
}

/* The folder is claimed here, so that numbers do not depend on who is quicker, and a signal takes it away. */
static int start(running *r, size_t number)
{
    one *run = &r->runs[number];
    cs_diag diag = {0};

    if (cs_output_begin_numbered(r->several->stem(r->several->ctx, number), &run->output, &diag) !=
        CS_OK)
        return cs_cli_fail(&diag);
    for (unsigned i = 0; i < 2; i++) {
        run->printed[i] = tmpfile();
        if (run->printed[i] == NULL)
            return fail("no temporary file");
    }
    fflush(NULL);
    const pid_t child = cs_child_start(true);
    if (child < 0)
        return fail("no process for a run");
    if (child == 0)
        be_child(r, number);
    run->process = child;
    return EXIT_GOOD;
}

static void copy(FILE *from, FILE *to)
{
    char piece[4096];
    size_t got;

    rewind(from);
    while ((got = fread(piece, 1, sizeof piece, from)) > 0)
        fwrite(piece, 1, got, to);
}

/* Its folder has got its name, or is gone. */
static void tell(one *run, bool first)
{
    cs_diag diag = {0};

    if (!first)
        printf("\n");
    copy(run->printed[0], stdout);
    fflush(stdout);
    copy(run->printed[1], stderr);
    if (run->status != EXIT_GOOD)
        cs_output_abandon(run->output);
    else if (cs_output_commit(run->output, &diag) != CS_OK)
        run->status = cs_cli_fail(&diag);
    run->output = NULL;
}

/* ---- all ---- */

static void wait_for_one(running *r)
{
    int how;
    const pid_t process = cs_child_wait_any(&how);

    for (size_t i = 0; i < r->several->count; i++) {
        one *run = &r->runs[i];

        if (run->process != process)
            continue;
        run->process = 0;
        run->ended = true;
        run->status = WIFEXITED(how) ? WEXITSTATUS(how) : EXIT_IO;
        if (!WIFEXITED(how))
            fprintf(run->printed[1], "countersink: the process of run %zu was killed\n", i + 1);
        fflush(run->printed[1]);
    }
    for (; r->told < r->several->count && r->runs[r->told].ended; r->told++)
        tell(&r->runs[r->told], r->told == 0 || r->several->compact);
}

static int run_all(running *r)
{
    size_t next = 0, nr_running = 0;
    int status = EXIT_GOOD;

    while (status == EXIT_GOOD && next < r->several->count) {
        if (nr_running == r->several->jobs) {
            wait_for_one(r);
            nr_running--;
            continue;
        }
        status = start(r, next++);
        nr_running += status == EXIT_GOOD;
    }
    for (; nr_running != 0; nr_running--)
        wait_for_one(r);
    for (size_t i = 0; i < r->told && status == EXIT_GOOD; i++)
        status = r->runs[i].status;
    return status;
}

int cs_several_run(const cs_several *several)
{
    running r = {.several = several, .runs = calloc(several->count, sizeof *r.runs)};
    int status;

    if (r.runs == NULL)
        return fail("several runs");
    status = run_all(&r);
    for (size_t i = 0; i < several->count; i++) {
        cs_output_abandon(r.runs[i].output);
        for (unsigned k = 0; k < 2; k++)
            if (r.runs[i].printed[k] != NULL)
                fclose(r.runs[i].printed[k]);
    }
    free(r.runs);
    return status;
}
