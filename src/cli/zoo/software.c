// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cli/zoo/software.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/files/child.h"
#include "base/files/output.h"
#include "bus/system.h"
#include "cli/files/shared.h"
#include "lockstep/die/tool.h"
#include "results/run.h"
#include "scenario/load.h"

/* What a run's process leaves. */
typedef struct answer {
    bool ended;
    cs_status status;
    cs_diag diag;
    double value;
} answer;

static cs_status value_of(const cs_summary *summary, const char *key, double *out, cs_diag *diag)
{
    cs_figures figures = {0};

    cs_summary_figures(summary, &figures);
    for (size_t i = 0; i < figures.count; i++) {
        const cs_figure *figure = &figures.list[i];

        if (strcmp(figure->row->key, key) != 0 || figure->kind == CS_FIGURE_PHRASE)
            continue;
        *out = figure->kind == CS_FIGURE_FRACTION ? figure->fraction : (double)figure->count;
        return CS_OK;
    }
    return cs_diag_set(diag, CS_ERR_SCENARIO, NULL, "the run has no figure '%s'", key);
}

static cs_status run(const cs_zoo_bug *bug, bool with, const char *folder, double *out,
                     cs_diag *diag)
{
    const char *sets[2 * CS_ZOO_SETS];
    char path[PATH_MAX];
    cs_run_options options = {.output = folder, .make_system = cs_model_system_create};
    cs_run_result result;
    cs_scenario *scenario;
    size_t nr = 0;
    cs_status status;

    if (!cs_shared_folder(bug->scenario, path, sizeof path))
        return cs_diag_set(diag, CS_ERR_IO, bug->scenario, "scenarios are not beside the program");
    for (size_t i = 0; i < bug->nr_given; i++)
        sets[nr++] = bug->given[i];
    for (size_t i = 0; i < bug->nr_sets && with; i++)
        sets[nr++] = bug->sets[i];
    status = cs_scenario_load_simulated(path, sets, nr, &scenario, diag);
    if (status != CS_OK)
        return status;
    status = cs_run(scenario, &options, &result, diag);
    if (status == CS_OK) {
        status = value_of(&result.summary, bug->figure, out, diag);
        cs_run_result_destroy(&result);
    }
    cs_scenario_destroy(scenario);
    return status;
}

/* SystemC simulates one system a process. */
static cs_status run_apart(const cs_zoo_bug *bug, bool with, const char *folder, answer *shared,
                           double *out, cs_diag *diag)
{
    char name[PATH_MAX];
    pid_t child;

    snprintf(name, sizeof name, "%s/%s", folder, with ? "with" : "without");
    *shared = (answer){0};
    fflush(NULL);
    child = cs_child_start(false);
    if (child < 0)
        return cs_diag_set(diag, CS_ERR_IO, NULL, "no process for a run: %s", strerror(errno));
    if (child == 0) {
        shared->status = run(bug, with, name, &shared->value, &shared->diag);
        shared->ended = true;
        _exit(0);
    }
    cs_child_wait(child);
    *out = shared->value;
    if (!shared->ended)
        return cs_diag_set(diag, CS_ERR_IO, bug->scenario, "the process of the run has died");
    if (shared->status != CS_OK)
        *diag = shared->diag;
    return shared->status;
}

cs_status cs_zoo_run(const cs_zoo_bug *bug, const char *cache, cs_zoo_runs *out, cs_diag *diag)
{
    char folder[PATH_MAX / 2], name[PATH_MAX];
    cs_output *place = NULL;
    answer *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cs_status status;

    if (shared == MAP_FAILED)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a run");
    status = cs_tool_cache(cache, folder, sizeof folder, diag);
    if (status == CS_OK)
        status = cs_tool_make_folder(folder, diag);
    snprintf(name, sizeof name, "%s/zoo-%ld", folder, (long)getpid());
    if (status == CS_OK)
        status = cs_output_begin(name, CS_OUTPUT_FOLDER, &place, diag);
    if (status == CS_OK)
        status = run_apart(bug, false, cs_output_scratch(place), shared, &out->without, diag);
    if (status == CS_OK)
        status = run_apart(bug, true, cs_output_scratch(place), shared, &out->with, diag);
    cs_output_abandon(place);
    munmap(shared, sizeof *shared);
    return status;
}
