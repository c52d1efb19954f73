// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "sweep/slurm.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep/parts.h"
#include "sweep/store.h"

#define COMMAND_BYTES 16384u
#define ANSWER_BYTES 4096u
#define LOOK_SECONDS 1u
#define PATIENCE_SECONDS 60u /* with a controller that does not answer */

typedef struct waiting {
    const cs_sweep_plan *plan;
    const cs_sweep_options *options;
    const cs_sweep_slurm *slurm;
    const char *identity;
    char folder[PATH_MAX]; /* of what the tasks make */
    char job[64];
    cs_diag *diag;
} waiting;

/* ---- the folder ---- */

/* Makes the folder, with a file that says of which sweep it is. One that is there must say the same, or
 * be empty: all else is somebody's. */
static cs_status claim_folder(const waiting *w)
{
    cs_sweep_parts whose = CS_SWEEP_PARTS_FREE;

    if (mkdir(w->folder, 0777) != 0) {
        if (errno != EEXIST)
            return cs_diag_set(w->diag, CS_ERR_IO, w->folder, "cannot make the folder: %s",
                               strerror(errno));
        whose = cs_sweep_parts_of(w->folder, w->identity);
    }
    if (whose == CS_SWEEP_PARTS_OTHER)
        return cs_diag_set(w->diag, CS_ERR_IO, w->folder,
                           "exists, but this sweep has not made it; move it away, or name another "
                           "file with -o");
    if (whose == CS_SWEEP_PARTS_FREE && !cs_sweep_parts_mark(w->folder, w->identity))
        return cs_diag_set(w->diag, CS_ERR_IO, w->folder, "cannot be written: %s", strerror(errno));
    return CS_OK;
}

/* ---- commands ---- */

typedef struct line {
    char text[COMMAND_BYTES];
    size_t used;
} line;

static void put(line *l, const char *format, ...)
{
    va_list args;
    int more;

    va_start(args, format);
    more = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, args);
    va_end(args);
    l->used += (size_t)more;
    if (l->used >= sizeof l->text)
        l->used = sizeof l->text - 1;
}

/* As a shell takes it for one word. */
static void put_word(line *l, const char *word)
{
    put(l, "'");
    for (; *word != '\0'; word++)
        put(l, *word == '\'' ? "'\\''" : "%c", *word);
    put(l, "'");
}

/* Runs it; what it prints, errors too, without the last line's end. False: it failed. */
static bool answer_of(const char *command, char answer[ANSWER_BYTES])
{
    FILE *pipe;
    size_t got;

    fflush(NULL);
    pipe = popen(command, "r");
    answer[0] = '\0';
    if (pipe == NULL)
        return false;
    got = fread(answer, 1, ANSWER_BYTES - 1, pipe);
    answer[got] = '\0';
    while (fgetc(pipe) != EOF)
        ;
    while (got > 0 && answer[got - 1] == '\n')
        answer[--got] = '\0';
    return pclose(pipe) == 0;
}

/* ---- the job ---- */

static void job_file(const waiting *w, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%.4000s/job", w->folder);
}

/* Of a job that was submitted before and never collected. */
static bool known_job(waiting *w)
{
    char path[PATH_MAX];
    FILE *file;
    bool good;

    job_file(w, path);
    file = fopen(path, "r");
    if (file == NULL)
        return false;
    good = fgets(w->job, sizeof w->job, file) != NULL;
    fclose(file);
    w->job[strspn(w->job, "0123456789_")] = '\0';
    return good && w->job[0] != '\0';
}

static cs_status note_job(waiting *w)
{
    char path[PATH_MAX];
    FILE *file;

    job_file(w, path);
    file = fopen(path, "w");
    if (file == NULL || fprintf(file, "%s\n", w->job) < 0 || fclose(file) != 0)
        return cs_diag_set(w->diag, CS_ERR_IO, path, "cannot be written: %s", strerror(errno));
    return CS_OK;
}

static void task_command(const waiting *w, const char *const sets[], size_t nr_sets, line *out)
{
    put_word(out, w->slurm->command);
    put(out, " sweep --part \"$SLURM_ARRAY_TASK_ID/%u\" -o ", w->slurm->tasks);
    put_word(out, w->folder);
    put(out, "/\"$SLURM_ARRAY_TASK_ID\".sqlite");
    if (w->options->jobs != 0)
        put(out, " -j %u", w->options->jobs);
    else
        put(out, " -j \"${SLURM_CPUS_PER_TASK:-1}\"");
    if (w->options->runs != NULL) {
        put(out, " --runs ");
        put_word(out, w->options->runs);
    }
    for (size_t i = 0; i < nr_sets; i++) {
        put(out, " --set ");
        put_word(out, sets[i]);
    }
    put(out, " ");
    put_word(out, w->plan->path);
}

static cs_status submit(waiting *w, const char *const sets[], size_t nr_sets)
{
    line *command = calloc(2, sizeof *command), *task = command + 1;
    char answer[ANSWER_BYTES];
    cs_status status = CS_OK;
    size_t digits;

    if (command == NULL)
        return cs_diag_set(w->diag, CS_ERR_NO_MEMORY, NULL, "no memory for a sweep");
    task_command(w, sets, nr_sets, task);
    put(command, "sbatch --parsable --requeue --array=0-%u", w->slurm->tasks - 1);
    if (w->slurm->at_once != 0)
        put(command, "%%%u", w->slurm->at_once);
    put(command, " --job-name=");
    put_word(command, w->plan->name);
    put(command, " --open-mode=append --output=");
    put_word(command, w->folder);
    put(command, "/%%a.log %s --wrap ", w->slurm->options);
    put_word(command, task->text);
    put(command, " 2>&1");
    if (command->used + 1 >= sizeof command->text || task->used + 1 >= sizeof task->text)
        status = cs_diag_set(w->diag, CS_ERR_USAGE, "sbatch", "its command is too long");
    else if (!answer_of(command->text, answer))
        status = cs_diag_set(w->diag, CS_ERR_IO, "sbatch", "%s", answer);
    free(command);
    if (status != CS_OK)
        return status;
    digits = strspn(answer, "0123456789");
    if (digits == 0 || digits >= sizeof w->job)
        return cs_diag_set(w->diag, CS_ERR_IO, "sbatch", "expected the number of a job, found: %s",
                           answer);
    snprintf(w->job, sizeof w->job, "%.*s", (int)digits, answer);
    return note_job(w);
}

/* How many of its tasks are not at their end; false: Slurm does not say. */
static bool tasks_left(const waiting *w, unsigned *left)
{
    char command[160], answer[ANSWER_BYTES];

    /* A task is a letter here. A job that has been over for a while is not known any more. */
    snprintf(command, sizeof command,
             "squeue --noheader --array --format=%%.1T --job %s 2>&1 | tr -d '\\n'", w->job);
    *left = 0;
    if (!answer_of(command, answer))
        return false;
    if (strstr(answer, "error") != NULL)
        return strstr(answer, "Invalid job id") != NULL;
    *left = (unsigned)strlen(answer);
    return true;
}

static cs_status wait_for_tasks(const waiting *w)
{
    unsigned silent = 0, left;

    for (;;) {
        if (tasks_left(w, &left)) {
            silent = 0;
            if (left == 0)
                return CS_OK;
            if (w->options->progress != NULL)
                w->options->progress(w->options->progress_ctx,
                                     left < w->slurm->tasks ? w->slurm->tasks - left : 0,
                                     w->slurm->tasks);
        } else if ((silent += LOOK_SECONDS) > PATIENCE_SECONDS) {
            return cs_diag_set(w->diag, CS_ERR_IO, "squeue",
                               "no answer for %u s; job %s continues: type the same command again "
                               "to collect its points",
                               PATIENCE_SECONDS, w->job);
        }
        sleep(LOOK_SECONDS);
    }
}

/* ---- what the tasks have made ---- */

static cs_status collect(const waiting *w, cs_sweep_store *store)
{
    cs_status status = CS_OK;

    for (unsigned i = 0; i < w->slurm->tasks && status == CS_OK; i++) {
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%.4000s/%u.sqlite", w->folder, i);
        if (access(path, F_OK) == 0)
            status = cs_sweep_store_collect(store, path, w->identity, w->diag);
    }
    return status;
}

static size_t count_done(const bool *done, size_t nr)
{
    size_t count = 0;

    for (size_t i = 0; i < nr; i++)
        count += done[i];
    return count;
}

static cs_status finish(const waiting *w, cs_sweep_end *end)
{
    const size_t nr = w->plan->nr_points;
    bool *done = calloc(nr, sizeof *done);
    cs_sweep_store *store = NULL;
    char path[PATH_MAX];
    cs_status status;

    if (done == NULL)
        return cs_diag_set(w->diag, CS_ERR_NO_MEMORY, NULL, "no memory for a sweep");
    status = cs_sweep_store_open(w->options->output, w->plan, w->identity, &store, w->diag);
    if (status == CS_OK)
        status = cs_sweep_store_done(store, done, w->diag);
    end->found = count_done(done, nr);
    if (status == CS_OK)
        status = collect(w, store);
    if (status == CS_OK)
        status = cs_sweep_store_done(store, done, w->diag);
    if (status == CS_OK)
        status = cs_sweep_store_refused(store, end, w->diag);
    cs_sweep_store_close(store);
    const size_t there = count_done(done, nr);

    free(done);
    if (status != CS_OK)
        return status;
    job_file(w, path);
    unlink(path);
    if (there < nr)
        return cs_diag_set(w->diag, CS_ERR_IO, w->folder,
                           "%zu of %zu points are missing: the logs of job %s here say why; type "
                           "the same command again to submit them",
                           nr - there, nr, w->job);
    cs_sweep_parts_remove(w->folder);
    return CS_OK;
}

cs_status cs_sweep_run_slurm(const cs_sweep_plan *plan, const cs_sweep_options *options,
                             const cs_sweep_slurm *slurm, const char *const sets[], size_t nr_sets,
                             const char *identity, cs_sweep_end *end, cs_diag *diag)
{
    waiting w = {
        .plan = plan, .options = options, .slurm = slurm, .identity = identity, .diag = diag};
    cs_sweep_store *store = NULL;
    cs_status status;

    *end = (cs_sweep_end){.points = plan->nr_points};
    snprintf(w.folder, sizeof w.folder, "%s.parts", options->output);
    /* What is there must be of this sweep before anything is submitted. */
    status = cs_sweep_store_open(options->output, plan, identity, &store, diag);
    cs_sweep_store_close(store);
    if (status == CS_OK)
        status = claim_folder(&w);
    if (status == CS_OK && !known_job(&w))
        status = submit(&w, sets, nr_sets);
    if (status == CS_OK)
        status = wait_for_tasks(&w);
    return status == CS_OK ? finish(&w, end) : status;
}
