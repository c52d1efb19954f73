#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/files/child.h"
#include "results/run_folder.h"
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

/* SystemC simulates one system a process. */
static cs_status run_apart(const cs_scenario *scenario, const cs_run_options *options, shared *out,
                           cs_diag *diag)
{
    memset(out, 0, sizeof *out);
    fflush(NULL);
    const pid_t child = cs_child_start(false);
    if (child < 0)
        return cs_diag_set(diag, CS_ERR_IO, NULL, "no process for a way: %s", strerror(errno));
    if (child == 0) {
        run_here(scenario, options, out);
        fflush(NULL);
        _exit(0);
    }
    cs_child_wait(child);
    if (!out->ended)
        return cs_diag_set(diag, CS_ERR_IO, scenario->name, "the process of way %s has died",
                           scenario->way);
    if (out->status != CS_OK && diag != NULL)
        *diag = out->diag;
    return out->status;
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

cs_status cs_run_ways(cs_scenario *const scenarios[], size_t count, const cs_run_options *options,
                      cs_way_result results[], char *name, cs_diag *diag)
{
    cs_run_folder *folder = NULL;
    shared *child =
        mmap(NULL, sizeof *child, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (child == MAP_FAILED)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the ways");
    cs_status status = cs_run_folder_begin(options->output, scenarios[0]->name, &folder, diag);
    for (size_t i = 0; i < count && status == CS_OK; i++) {
        cs_run_options own = *options;
        char path[4096];

        snprintf(path, sizeof path, "%s", cs_run_folder_path(folder, scenarios[i]->way));
        own.output = path;
        own.progress = NULL;
        status = run_apart(scenarios[i], &own, child, diag);
        results[i] = child->result;
    }
    munmap(child, sizeof *child);
    if (status == CS_OK)
        status = write_tables(folder, scenarios[0], results, count, diag);
    if (status != CS_OK) {
        cs_run_folder_abandon(folder);
        return status;
    }
    snprintf(name, 4096, "%s", cs_run_folder_name(folder));
    return cs_run_folder_commit(folder, diag);
}
