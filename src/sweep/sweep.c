// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/child.h"
#include "base/files/output.h"
#include "base/files/remove.h"
#include "base/wall.h"
#include "scenario/load.h"
#include "sweep/store.h"

#define VALUES_TRIED 64u

/* ---- before anything is run ---- */

static cs_status load_point(const cs_sweep_plan *plan, size_t point, cs_scenario **out,
                            cs_diag *diag)
{
    const char *sets[CS_SWEEP_MOST_SETS + CS_SWEEP_MOST_KEYS];
    const size_t nr = cs_sweep_sets(plan, point, sets);
    cs_status status = cs_scenario_load_simulated(plan->scenario, sets, nr, out, diag);

    if (status == CS_OK && (*out)->nr_ways != 0 && (*out)->way[0] == '\0') {
        cs_scenario_destroy(*out);
        *out = NULL;
        status = cs_diag_set(diag, CS_ERR_SCENARIO, plan->scenario,
                             "the scenario has ways: say which with `way` in set or vary");
    }
    return status;
}

/* All but the values that vary. */
static char *identity_of(const cs_sweep_plan *plan, const cs_scenario *first)
{
    size_t bytes = strlen(plan->what) + strlen(first->yaml) + 16;
    char *identity;
    size_t used;

    for (size_t i = 0; i < plan->nr_sets; i++)
        bytes += strlen(plan->sets[i]) + 1;
    identity = malloc(bytes);
    if (identity == NULL)
        return NULL;
    used = (size_t)sprintf(identity, "%s\n", plan->what);
    for (size_t i = 0; i < plan->nr_sets; i++)
        used += (size_t)sprintf(identity + used, "%s\n", plan->sets[i]);
    sprintf(identity + used, "%s", first->yaml);
    return identity;
}

cs_status cs_sweep_check(const cs_sweep_plan *plan, char **identity, cs_diag *diag)
{
    cs_scenario *scenario;
    cs_status status = load_point(plan, 0, &scenario, diag);
    size_t stride = plan->nr_points;

    *identity = NULL;
    if (status != CS_OK)
        return status;
    *identity = identity_of(plan, scenario);
    cs_scenario_destroy(scenario);
    if (*identity == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a sweep");
    for (size_t a = 0; a < plan->nr_axes; a++) {
        const size_t count = plan->axes[a].count;

        stride /= count;
        for (size_t i = 1; i < count && i < VALUES_TRIED && status == CS_OK; i++) {
            status = load_point(plan, i * stride, &scenario, diag);
            cs_scenario_destroy(scenario);
        }
    }
    if (status != CS_OK) {
        free(*identity);
        *identity = NULL;
    }
    return status;
}

/* ---- a point ---- */

/* The sweep while it goes on. */
typedef struct sweeping {
    const cs_sweep_plan *plan;
    const cs_sweep_options *options;
    cs_sweep_store *store;
    cs_output *work;          /* where run folders lie until they are named; NULL: none is kept */
    cs_sweep_result *results; /* shared with the processes, one a job */
    struct {
        pid_t process; /* 0: free */
        size_t point;
    } jobs[CS_CHILDREN_MOST];
} sweeping;

static void folder_of(const sweeping *s, size_t point, char *out, size_t size)
{
    const char *folder = s->work != NULL ? cs_output_path(s->work, CS_OUTPUT_FIRST)
                                         : cs_sweep_store_folder(s->store);

    snprintf(out, size, "%s/%zu", folder, point);
}

static cs_status run_point(const sweeping *s, size_t point, cs_sweep_result *out)
{
    char folder[PATH_MAX];
    cs_run_options options = {.output = folder, .make_system = s->options->make_system};
    cs_run_result result;
    cs_scenario *scenario;
    cs_status status = load_point(s->plan, point, &scenario, &out->diag);

    if (status != CS_OK)
        return status;
    folder_of(s, point, folder, sizeof folder);
    status = cs_run(scenario, &options, &result, &out->diag);
    if (status == CS_OK) {
        status = cs_sweep_result_of(&result.summary, out, &out->diag);
        cs_run_result_destroy(&result);
    }
    cs_scenario_destroy(scenario);
    if (s->options->runs == NULL)
        cs_remove_all(AT_FDCWD, folder);
    return status;
}

/* SystemC simulates one system a process. */
static cs_status start(sweeping *s, unsigned job, size_t point, cs_diag *diag)
{
    cs_sweep_result *out = &s->results[job];
    pid_t child;

    memset(out, 0, sizeof *out);
    fflush(NULL);
    child = cs_child_start(false);
    if (child < 0)
        return cs_diag_set(diag, CS_ERR_IO, NULL, "no process for a point: %s", strerror(errno));
    if (child == 0) {
        const uint64_t begun_ns = cs_wall_ns();

        out->status = run_point(s, point, out);
        out->wall_s = (double)(cs_wall_ns() - begun_ns) * 1e-9;
        out->ended = true;
        fflush(NULL);
        _exit(0);
    }
    s->jobs[job].process = child;
    s->jobs[job].point = point;
    return CS_OK;
}

static bool is_refused(cs_status status)
{
    return status == CS_ERR_SCENARIO || status == CS_ERR_RANGE || status == CS_ERR_UNSUPPORTED;
}

static cs_status name_folder(const sweeping *s, size_t point, cs_diag *diag)
{
    char from[PATH_MAX], to[PATH_MAX];

    folder_of(s, point, from, sizeof from);
    snprintf(to, sizeof to, "%s/%zu", s->options->runs, point);
    if (rename(from, to) != 0)
        return cs_diag_set(diag, CS_ERR_IO, to, "the run folder cannot get its name: %s",
                           strerror(errno));
    return CS_OK;
}

static cs_status take(sweeping *s, unsigned job, cs_sweep_end *end, cs_diag *diag)
{
    const cs_sweep_result *result = &s->results[job];
    const size_t point = s->jobs[job].point;
    cs_status status = CS_OK;

    s->jobs[job].process = 0;
    if (!result->ended)
        return cs_diag_set(diag, CS_ERR_IO, s->plan->path, "the process of point %zu has died",
                           point);
    if (result->status != CS_OK && !is_refused(result->status)) {
        if (diag != NULL)
            *diag = result->diag;
        return result->status;
    }
    if (result->status != CS_OK && end->refused++ == 0) {
        end->first_refused = result->diag;
        end->first_refused_point = point;
    }
    if (result->status == CS_OK && s->options->runs != NULL)
        status = name_folder(s, point, diag);
    return status == CS_OK ? cs_sweep_store_put(s->store, point, result, diag) : status;
}

/* ---- all of them ---- */

static unsigned job_of(const sweeping *s, pid_t process)
{
    unsigned job = 0;

    while (s->jobs[job].process != process)
        job++;
    return job;
}

static cs_status run_points(sweeping *s, const bool *done, cs_sweep_end *end, cs_diag *diag)
{
    const cs_sweep_options *o = s->options;
    size_t next = o->first, running = 0, ended = end->found;
    cs_status status = CS_OK;

    for (;;) {
        while (next < s->plan->nr_points && done[next])
            next += o->stride;
        if (status == CS_OK && running < o->jobs && next < s->plan->nr_points) {
            status = start(s, job_of(s, 0), next, diag);
            running += status == CS_OK;
            next += o->stride;
            continue;
        }
        if (running == 0)
            return status;

        int how;
        const pid_t process = cs_child_wait_any(&how);
        const cs_status taken = take(s, job_of(s, process), end, status == CS_OK ? diag : NULL);

        status = status != CS_OK ? status : taken;
        running--;
        if (o->progress != NULL && status == CS_OK)
            o->progress(o->progress_ctx, ++ended, end->points);
    }
}

static cs_status begin_work(sweeping *s, cs_diag *diag)
{
    const size_t bytes = s->options->jobs * sizeof *s->results;
    char name[PATH_MAX];

    if (s->options->runs != NULL && mkdir(s->options->runs, 0777) != 0 && errno != EEXIST)
        return cs_diag_set(diag, CS_ERR_IO, s->options->runs, "cannot make the folder: %s",
                           strerror(errno));
    s->results = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->results == MAP_FAILED) {
        s->results = NULL;
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a sweep");
    }
    if (s->options->runs == NULL)
        return CS_OK;
    snprintf(name, sizeof name, "%s/work",
             s->options->runs); /* names are given within one file system */
    return cs_output_begin(name, CS_OUTPUT_FOLDER, &s->work, diag);
}

cs_status cs_sweep_run(const cs_sweep_plan *plan, const cs_sweep_options *options,
                       const char *identity, cs_sweep_end *end, cs_diag *diag)
{
    sweeping s = {.plan = plan, .options = options};
    bool *done = calloc(plan->nr_points, sizeof *done);
    cs_status status = CS_OK;

    *end = (cs_sweep_end){0};
    if (done == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a sweep");
    status = cs_sweep_store_open(options->output, plan, identity, &s.store, diag);
    if (status == CS_OK)
        status = cs_sweep_store_done(s.store, done, diag);
    for (size_t i = options->first; i < plan->nr_points; i += options->stride) {
        end->points++;
        end->found += done[i];
    }
    if (status == CS_OK)
        status = begin_work(&s, diag);
    if (status == CS_OK)
        status = run_points(&s, done, end, diag);
    cs_output_abandon(s.work);
    if (s.results != NULL)
        munmap(s.results, options->jobs * sizeof *s.results);
    cs_sweep_store_close(s.store);
    free(done);
    return status;
}
