// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/files/child.h"
#include "results/run_folder.h"
#include "results/run_impl.h"
#include "results/ways.h"

/* What a run's process leaves behind. */
typedef struct shared {
    bool ended; /* it got to its end, well or not */
    cs_status status;
    cs_diag diag;
    cs_way_result result;
} shared;

static void run_here(const cs_scenario *scenario, const cs_run_options *options, shared *out)
{
    cs_run_result result;

    out->status = cs_run(scenario, options, &result, &out->diag);
    if (out->status == CS_OK) {
        out->status = cs_way_result_of(&result.summary, &out->result, &out->diag);
        cs_run_result_destroy(&result);
    }
    out->ended = true;
}

/* The ways while they run: at most CS_WAYS_MOST. */
typedef struct running {
    cs_scenario *const *scenarios;
    size_t count;
    const cs_run_options *options;
    cs_run_folder *folder;
    shared *results;             /* by way */
    pid_t process[CS_WAYS_MOST]; /* 0: it does not run */
} running;

/* SystemC simulates one system a process. */
static cs_status start(running *r, size_t way, cs_diag *diag)
{
    cs_run_options own = *r->options;
    char path[4096];

    snprintf(path, sizeof path, "%s", cs_run_folder_path(r->folder, r->scenarios[way]->way));
    own.output = path;
    own.begun = NULL;
    own.progress = NULL;
    fflush(NULL);
    const pid_t child = cs_child_start(false);
    if (child < 0)
        return cs_diag_set(diag, CS_ERR_IO, NULL, "no process for a way: %s", strerror(errno));
    if (child == 0) {
        run_here(r->scenarios[way], &own, &r->results[way]);
        fflush(NULL);
        _exit(0);
    }
    r->process[way] = child;
    return CS_OK;
}

/* The first that ends; false: it was no good. */
static bool wait_for_one(running *r)
{
    int how;
    const pid_t process = cs_child_wait_any(&how);
    size_t way = 0;

    while (r->process[way] != process)
        way++;
    r->process[way] = 0;
    return r->results[way].ended && r->results[way].status == CS_OK;
}

/* That of the first way that was no good, whichever ended first. */
static cs_status status_of(const running *r, size_t started, cs_diag *diag)
{
    for (size_t i = 0; i < started; i++) {
        const shared *one = &r->results[i];

        if (!one->ended)
            return cs_diag_set(diag, CS_ERR_IO, r->scenarios[i]->name,
                               "the process of way %s has died", r->scenarios[i]->way);
        if (one->status != CS_OK && diag != NULL)
            *diag = one->diag;
        if (one->status != CS_OK)
            return one->status;
    }
    return CS_OK;
}

static cs_status run_all(running *r, unsigned jobs, cs_diag *diag)
{
    size_t next = 0, nr_running = 0;
    cs_status status = CS_OK;
    bool good = true;

    for (;;) {
        if (good && next < r->count && nr_running < jobs) {
            status = start(r, next, diag);
            good = status == CS_OK;
            nr_running += good;
            next += good;
            continue;
        }
        if (nr_running == 0)
            break;
        good = wait_for_one(r) && good;
        nr_running--;
    }
    const cs_status ended = status_of(r, next, status == CS_OK ? diag : NULL);
    return status != CS_OK ? status : ended;
}

static cs_status write_tables(cs_run_folder *folder, const cs_scenario *first,
                              const cs_way_result *results, size_t count, cs_diag *diag)
{
    static void (*const writers[])(const cs_way_spec *, const cs_way_result *, size_t, FILE *) = {
        cs_ways_text, cs_ways_markdown, cs_ways_csv, cs_ways_json};
    static const char *const names[] = {"ways.txt", "ways.md", "ways.csv", "ways.json"};
    cs_status status = CS_OK;

    for (unsigned i = 0; i < sizeof names / sizeof names[0] && status == CS_OK; i++) {
        FILE *file;

        status = cs_run_folder_open(folder, names[i], &file, diag);
        if (status != CS_OK)
            return status;
        writers[i](first->ways, results, count, file);
        status = cs_run_folder_close(folder, names[i], file, diag);
    }
    return status;
}

cs_status cs_run_ways(cs_scenario *const scenarios[], size_t count, unsigned jobs,
                      const cs_run_options *options, cs_way_result results[], char *name,
                      cs_diag *diag)
{
    running r = {.scenarios = scenarios, .count = count, .options = options};
    const size_t bytes = count * sizeof *r.results;

    r.results = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r.results == MAP_FAILED)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the ways");
    cs_status status = cs_run_open_folder(options, scenarios[0]->name, &r.folder, diag);
    if (status == CS_OK)
        status = run_all(&r, jobs, diag);
    for (size_t i = 0; i < count; i++)
        results[i] = r.results[i].result;
    munmap(r.results, bytes);
    if (status == CS_OK)
        status = write_tables(r.folder, scenarios[0], results, count, diag);
    if (status != CS_OK) {
        cs_run_folder_abandon(r.folder);
        return status;
    }
    snprintf(name, 4096, "%s", cs_run_folder_name(r.folder));
    return cs_run_folder_commit(r.folder, diag);
}
