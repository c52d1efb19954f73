// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "lockstep/trial.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/child.h"
#include "base/wall.h"
#include "lockstep/random/steer.h"
#include "scenario/load.h"
#include "scenario/machine/die.h"

/* A comparison that runs: what has come through its pipe so far. */
typedef struct job {
    pid_t child;
    int fd;
    uint64_t number;
    unsigned char *bytes;
    size_t nr, room;
} job;

struct cs_trials {
    job jobs[CS_TRIAL_JOBS];
    unsigned running, most, seconds;
    cs_compare_options options;
    bool points;
    bool lacking; /* a die may have to be made first */
    uint64_t made_ns;
    cs_coverage
        *coverage; /* where points are asked for: an empty one, of which each process has its own */
};

/* ---- in the process of a comparison ---- */

static void seen(void *ctx, const cs_probe_record *record)
{
    cs_seen_record(ctx, record);
}

static void take_report(cs_trial *out, const cs_compare_report *r)
{
    const cs_compare_tail *tail = r->model.has_record ? &r->model : &r->rtl;

    out->what = r->what;
    out->cycle = r->cycle;
    out->kind = UINT8_MAX;
    if (r->what == CS_COMPARE_RECORD && tail->count != 0) {
        out->kind = tail->records[tail->count - 1].kind;
        out->source = tail->records[tail->count - 1].source;
    }
    if (r->field != NULL)
        snprintf(out->field, sizeof out->field, "%s", r->field);
    out->model_value = r->model_value;
    out->rtl_value = r->rtl_value;
    out->cycles = r->cycles;
    out->records = r->records;
    memcpy(out->of_kind, r->of_kind, sizeof out->of_kind);
    out->perf_samples = r->perf_samples;
    out->memory_bytes = r->memory_bytes;
}

/* The declared points that both sides have reached. */
static void take_coverage(const cs_coverage *coverage, cs_seen *points)
{
    for (size_t i = 0; i < cs_coverage_count(coverage); i++) {
        const cs_coverage_point *p = cs_coverage_at(coverage, i);

        if (p->hits[CS_COVERAGE_MODEL] != 0 && p->hits[CS_COVERAGE_RTL] != 0)
            cs_seen_declared(points, i);
    }
}

static void compare_here(const cs_trials *t, const char *text, const char *folder, cs_seen *points,
                         cs_trial *out)
{
    cs_compare_options options = t->options;
    cs_scenario *scenario = NULL;
    cs_compare_report report = {0};

    options.coverage = t->coverage;
    options.progress = NULL;
    options.warn = NULL;
    options.agreed = points != NULL ? seen : NULL;
    options.agreed_ctx = points;
    out->status =
        cs_scenario_parse(text, strlen(text), "scenario", folder, NULL, 0, &scenario, &out->diag);
    if (out->status == CS_OK)
        out->status = cs_compare(scenario, &options, &report, &out->diag);
    if (out->status == CS_OK)
        take_report(out, &report);
    if (out->status == CS_OK && points != NULL)
        take_coverage(t->coverage, points);
    cs_scenario_destroy(scenario);
}

static bool put(int fd, const void *bytes, size_t nr)
{
    const char *at = bytes;

    while (nr != 0) {
        const ssize_t n = write(fd, at, nr);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        nr -= (size_t)n;
    }
    return true;
}

/* By its own time, so that a busy machine fails nobody; one that waits for something has ten times as long. */
static void limit_time(unsigned seconds)
{
    const struct itimerval own = {.it_value = {.tv_sec = seconds}};

    setitimer(ITIMER_PROF, &own, NULL);
    alarm(10 * seconds);
}

static void serve(const cs_trials *t, int fd, const char *text, const char *folder)
{
    cs_trial out = {0};
    cs_seen *points = NULL;
    const uint64_t *list = NULL;

    limit_time(t->seconds);
    if (t->points && cs_seen_create(&points, NULL) != CS_OK)
        _exit(1);
    compare_here(t, text, folder, points, &out);
    if (points != NULL)
        out.nr_points = cs_seen_points(points, &list);
    /* At once, without the destructors of a simulation that nobody needs any more. */
    _exit(put(fd, &out, sizeof out) && put(fd, list, out.nr_points * sizeof *list) ? 0 : 1);
}

/* ---- in the process that has started them ---- */

cs_status cs_trials_create(unsigned jobs, const cs_compare_options *options, bool points,
                           unsigned seconds, cs_trials **out, cs_diag *diag)
{
    cs_trials *t = calloc(1, sizeof *t);
    cs_status status;

    *out = t;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for comparisons");
    t->most = jobs < 1 ? 1 : jobs > CS_TRIAL_JOBS ? CS_TRIAL_JOBS : jobs;
    t->seconds = seconds;
    t->options = *options;
    t->points = points;
    t->lacking = !options->die.ready || !cs_die_all_ready(&options->die);
    status = points ? cs_coverage_create(&t->coverage, diag) : CS_OK;
    if (status != CS_OK) {
        cs_trials_destroy(t);
        *out = NULL;
    }
    return status;
}

static void drop(cs_trials *t, job *j)
{
    close(j->fd);
    free(j->bytes);
    *j = t->jobs[--t->running];
}

void cs_trials_destroy(cs_trials *t)
{
    if (t == NULL)
        return;
    while (t->running != 0) {
        kill(t->jobs[0].child, SIGKILL);
        cs_child_wait(t->jobs[0].child);
        drop(t, &t->jobs[0]);
    }
    cs_coverage_destroy(t->coverage);
    free(t);
}

size_t cs_trials_declared(const cs_trials *t)
{
    return t->coverage != NULL ? cs_coverage_count(t->coverage) : 0;
}

unsigned cs_trials_running(const cs_trials *t)
{
    return t->running;
}

bool cs_trials_room(const cs_trials *t)
{
    return t->running < t->most;
}

/* Makes the die of a scenario where it is not there: that is nothing that a comparison may be late for. What is
 * no scenario is told by the comparison itself. */
static cs_status prepare(cs_trials *t, const char *text, const char *folder, cs_diag *diag)
{
    const uint64_t begun_ns = cs_wall_ns();
    char path[CS_DIE_PATH];
    cs_scenario *scenario;
    cs_die die;

    if (cs_scenario_parse(text, strlen(text), "scenario", folder, NULL, 0, &scenario, NULL) !=
        CS_OK)
        return CS_OK;
    cs_die_of(scenario, &die);
    cs_scenario_destroy(scenario);
    const cs_status status = cs_die_find(&die.shape, &t->options.die, path, diag);

    t->made_ns += cs_wall_ns() - begun_ns;
    return status;
}

uint64_t cs_trials_made_ns(const cs_trials *t)
{
    return t->made_ns;
}

cs_status cs_trials_start(cs_trials *t, uint64_t number, const char *text, const char *folder,
                          cs_diag *diag)
{
    job *j = &t->jobs[t->running];
    int ends[2];
    const cs_status status = t->lacking ? prepare(t, text, folder, diag) : CS_OK;

    if (status != CS_OK)
        return status;
    if (pipe(ends) != 0)
        return cs_diag_set(diag, CS_ERR_IO, NULL, "no pipe: %s", strerror(errno));
    *j = (job){.number = number, .fd = ends[0]};
    j->child = cs_child_fork();
    if (j->child == 0) {
        close(ends[0]);
        serve(t, ends[1], text, folder);
    }
    close(ends[1]);
    if (j->child < 0) {
        close(ends[0]);
        return cs_diag_set(diag, CS_ERR_IO, NULL, "no process: %s", strerror(errno));
    }
    t->running++;
    return CS_OK;
}

/* What there is; false: that was all. */
static bool take_bytes(job *j, cs_status *status, cs_diag *diag)
{
    ssize_t n;

    if (j->nr == j->room) {
        const size_t room = j->room != 0 ? 2 * j->room : 16384;
        unsigned char *bytes = realloc(j->bytes, room);

        if (bytes == NULL) {
            *status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a comparison");
            return false;
        }
        j->bytes = bytes;
        j->room = room;
    }
    do
        n = read(j->fd, j->bytes + j->nr, j->room - j->nr);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        j->nr += (size_t)n;
    return n > 0;
}

static void tell_death(cs_trial *out, int how)
{
    out->died = true;
    if (WIFSIGNALED(how))
        out->status = cs_diag_set(
            &out->diag, CS_ERR_IO, NULL,
            "the process of the comparison was ended by signal %d (%s)%s", WTERMSIG(how),
            strsignal(WTERMSIG(how)),
            WTERMSIG(how) == SIGALRM || WTERMSIG(how) == SIGPROF ? ": it took too long" : "");
    else
        out->status = cs_diag_set(&out->diag, CS_ERR_IO, NULL,
                                  "the process of the comparison ended before it was complete");
}

/* The process has told all: its result. */
static cs_status complete(cs_trials *t, job *j, cs_trial *out, cs_diag *diag)
{
    const int how = cs_child_wait(j->child);
    cs_status status = CS_OK;

    *out = (cs_trial){0};
    if (j->nr >= sizeof *out)
        memcpy(out, j->bytes, sizeof *out);
    out->number = j->number;
    out->points = NULL;
    if (how != 0 || j->nr != sizeof *out + out->nr_points * sizeof *out->points) {
        out->nr_points = 0;
        tell_death(out, how);
    } else if (out->nr_points != 0) {
        out->points = malloc(out->nr_points * sizeof *out->points);
        if (out->points != NULL)
            memcpy(out->points, j->bytes + sizeof *out, out->nr_points * sizeof *out->points);
        else
            status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a comparison");
    }
    drop(t, j);
    return status;
}

cs_status cs_trials_next(cs_trials *t, cs_trial *out, cs_diag *diag)
{
    struct pollfd fds[CS_TRIAL_JOBS];
    cs_status status = CS_OK;

    for (;;) {
        for (unsigned i = 0; i < t->running; i++)
            fds[i] = (struct pollfd){.fd = t->jobs[i].fd, .events = POLLIN};
        if (poll(fds, t->running, -1) < 0 && errno != EINTR)
            return cs_diag_set(diag, CS_ERR_IO, NULL, "poll: %s", strerror(errno));
        for (unsigned i = 0; i < t->running; i++) {
            if (fds[i].revents == 0 || take_bytes(&t->jobs[i], &status, diag))
                continue;
            return status == CS_OK ? complete(t, &t->jobs[i], out, diag) : status;
        }
    }
}

cs_status cs_trial_run(const char *text, const char *folder, const cs_compare_options *options,
                       unsigned seconds, cs_trial *out, cs_diag *diag)
{
    cs_trials *trials;
    cs_status status = cs_trials_create(1, options, false, seconds, &trials, diag);

    if (status == CS_OK)
        status = cs_trials_start(trials, 0, text, folder, diag);
    if (status == CS_OK)
        status = cs_trials_next(trials, out, diag);
    cs_trials_destroy(trials);
    return status;
}

/* ---- results ---- */

void cs_trial_clear(cs_trial *trial)
{
    free(trial->points);
    trial->points = NULL;
    trial->nr_points = 0;
}

bool cs_trial_differs(const cs_trial *trial)
{
    return trial->died || (trial->status == CS_OK && cs_compare_differs(trial->what));
}

const char *cs_trial_tell(const cs_trial *trial, char *buffer, size_t size)
{
    char unit[64] = "";

    if (trial->status != CS_OK) {
        snprintf(buffer, size, "%s", trial->diag.text);
        return buffer;
    }
    if (!cs_trial_differs(trial)) {
        snprintf(buffer, size, "EQUAL");
        return buffer;
    }
    snprintf(buffer, size,
             "DIFFERENT at cycle %" PRIu64 ", %s, field '%s': model 0x%" PRIx64 ", RTL 0x%" PRIx64,
             trial->cycle,
             trial->kind != UINT8_MAX
                 ? cs_probe_source_name(trial->kind, trial->source, unit, sizeof unit)
             : trial->what == CS_COMPARE_MEMORY ? "memory"
                                                : "software",
             trial->field, trial->model_value, trial->rtl_value);
    return buffer;
}
