// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/random.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/output.h"
#include "base/wall.h"
#include "cli/cli.h"
#include "cli/run/progress.h"
#include "lockstep/random/search.h"
#include "lockstep/shrink.h"
#include "scenario/load.h"

typedef struct shown {
    uint64_t begun_ns, shown_ns;
} shown;

static void show(void *ctx, uint64_t done, size_t points)
{
    shown *s = ctx;
    const uint64_t now = cs_wall_ns();

    if (now - s->shown_ns < 200000000)
        return;
    s->shown_ns = now;
    cs_line_show("%" PRIu64 " scenarios, %zu points, %.0f s", done, points,
                 (double)(now - s->begun_ns) * 1e-9);
}

/* Writes it under its name. A file of that name is of the same seed. */
static cs_status leave(const char *path, const char *text, cs_diag *diag)
{
    cs_output *output;
    cs_status status = cs_output_begin(path, CS_OUTPUT_REPLACE, &output, diag);
    FILE *file;

    if (status != CS_OK)
        return status;
    file = fopen(cs_output_path(output, CS_OUTPUT_FIRST), "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        cs_output_abandon(output);
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot be written");
    }
    return cs_output_commit(output, diag);
}

static void tell(const cs_search_report *r, uint64_t seed, double seconds)
{
    printf("%" PRIu64 " random scenarios agree (seed %" PRIu64 "): %" PRIu64 " cycles, %" PRIu64
           " transfers, %" PRIu64 " register accesses, %" PRIu64 " states, %" PRIu64
           " interrupt edges, %" PRIu64
           " samples, %zu different points, %zu of %zu declared ones, %.1f s\n",
           r->scenarios, seed, r->cycles, r->of_kind[CS_PROBE_BUS], r->of_kind[CS_PROBE_REG],
           r->of_kind[CS_PROBE_STATE], r->of_kind[CS_PROBE_IRQ], r->of_kind[CS_PROBE_SAMPLE],
           r->points, r->declared, r->nr_declared, seconds);
}

/* Each is a fault of what draws them; the rest says as much as it does without. */
static void tell_refused(const cs_search_report *r)
{
    if (r->refused != 0)
        fprintf(stderr,
                "countersink: %" PRIu64 " more were drawn but are not valid scenarios: %s\n",
                r->refused, r->why.text);
}

/* A difference, or an error of a comparison: the scenario is left. */
static int tell_found(const cs_random_asked *asked, const cs_search_report *r, cs_status status,
                      cs_diag *diag, char path[CS_CLI_PATH])
{
    char text[512];
    cs_diag why = *diag;

    if (asked->output != NULL && asked->keep == NULL)
        snprintf(path, CS_CLI_PATH, "%s", asked->output);
    else
        snprintf(path, CS_CLI_PATH, "random-%" PRIu64 "-%" PRIu64 ".yaml", asked->seed,
                 r->trial.number);
    if (leave(path, r->text, diag) != CS_OK)
        return cs_cli_fail(diag);
    if (status != CS_OK) {
        fprintf(stderr, "countersink: scenario %" PRIu64 " of seed %" PRIu64 " is %s\n",
                r->trial.number, asked->seed, path);
        return cs_cli_fail(&why);
    }
    char name[CS_CLI_PATH];

    printf("scenario %" PRIu64 " of seed %" PRIu64 ": %s\nit is %s\n", r->trial.number, asked->seed,
           cs_trial_tell(&r->trial, text, sizeof text), path);
    fflush(stdout);
    if (asked->keep != NULL) {
        snprintf(name, sizeof name, "%s", path);
        return cs_cli_shrink(asked, name, NULL, 0, path);
    }
    return r->trial.died ? EXIT_DIFFERENCE : CS_CLI_DIFFERENCE_LEFT;
}

/* Before the search, which may take hours, not after it. */
static cs_status check_keep(const cs_random_asked *asked, cs_diag *diag)
{
    struct stat folder;

    if (asked->keep == NULL)
        return CS_OK;
    if (stat(asked->keep, &folder) == 0) {
        errno = S_ISDIR(folder.st_mode) ? 0 : ENOTDIR;
        if (errno == 0 && access(asked->keep, W_OK | X_OK) == 0)
            return CS_OK;
    }
    return cs_diag_set(diag, CS_ERR_IO, asked->keep, "cannot write into this folder (--keep): %s",
                       strerror(errno));
}

int cs_cli_random(const cs_random_asked *asked, char path[CS_CLI_PATH])
{
    shown progress = {.begun_ns = cs_wall_ns()};
    const cs_search_options options = {.scenarios = asked->scenarios,
                                       .seed = asked->seed,
                                       .unit = asked->unit,
                                       .budget_ns = asked->seconds * 1000000000,
                                       .jobs = (unsigned)asked->jobs,
                                       .die = *asked->die,
                                       .progress = show,
                                       .progress_ctx = &progress};
    cs_search_report report;
    cs_diag diag = {0};
    int answer = EXIT_GOOD;

    if (check_keep(asked, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    const cs_status status = cs_search(&options, &report, &diag);

    cs_line_clear();
    if (status == CS_OK || report.text != NULL)
        tell(&report, asked->seed, (double)(cs_wall_ns() - progress.begun_ns) * 1e-9);
    tell_refused(&report);
    if (report.text != NULL)
        answer = tell_found(asked, &report, status, &diag, path);
    else if (status != CS_OK)
        answer = cs_cli_fail(&diag);
    cs_search_clear(&report);
    return answer;
}

/* ---- smaller ---- */

static void show_shrinking(void *ctx, unsigned trials, size_t left)
{
    shown *s = ctx;
    const uint64_t now = cs_wall_ns();

    if (now - s->shown_ns < 200000000)
        return;
    s->shown_ns = now;
    cs_line_show("%u comparisons, %zu more in this round", trials, left);
}

/* "FOLDER/core-random-1-7.yaml": whose record differs, and where it comes from. */
static void name_kept(const cs_random_asked *asked, const cs_shrink_report *r, const char *name,
                      char path[CS_CLI_PATH])
{
    const char *base = strrchr(name, '/');
    unsigned number;
    const char *unit = r->after.what == CS_COMPARE_RECORD
                           ? cs_probe_source_kind(r->after.kind, r->after.source, &number)
                           : "end";
    size_t n = (size_t)snprintf(path, CS_CLI_PATH, "%s/", asked->keep);

    for (const char *c = unit != NULL ? unit : "unit"; *c != '\0' && n + 2 < CS_CLI_PATH; c++)
        path[n++] = *c == ' ' ? '_' : *c;
    base = base != NULL ? base + 1 : name;
    snprintf(path + n, CS_CLI_PATH - n, "-%.*s.yaml", (int)strcspn(base, "."), base);
}

static void name_shrunk(const cs_random_asked *asked, const cs_shrink_report *r, const char *name,
                        char path[CS_CLI_PATH])
{
    if (asked->output != NULL)
        snprintf(path, CS_CLI_PATH, "%s", asked->output);
    else if (asked->keep != NULL)
        name_kept(asked, r, name, path);
    else
        snprintf(path, CS_CLI_PATH, "%.*s-small.yaml", (int)(strlen(name) - strlen(".yaml")), name);
}

int cs_cli_shrink(const cs_random_asked *asked, const char *name, const char *const sets[],
                  size_t nr_sets, char path[CS_CLI_PATH])
{
    shown progress = {0};
    const cs_shrink_options options = {.die = *asked->die,
                                       .jobs = (unsigned)asked->jobs,
                                       .budget_ns = asked->seconds * 1000000000,
                                       .seconds = CS_SEARCH_SECONDS,
                                       .progress = show_shrinking,
                                       .progress_ctx = &progress};
    cs_shrink_report report = {0};
    cs_scenario *scenario;
    cs_diag diag = {0};
    cs_status status = check_keep(asked, &diag);

    if (status == CS_OK)
        status = cs_scenario_load_simulated(name, sets, nr_sets, &scenario, &diag);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    if (scenario->nr_files != 0 && asked->keep != NULL)
        status =
            cs_diag_set(&diag, CS_ERR_USAGE, name,
                        "it names files beside it (%s), so the smaller one has to be beside them, "
                        "too: give a file in its folder with -o",
                        scenario->files[0]);
    if (status == CS_OK)
        status = cs_shrink(scenario->yaml, name, scenario->folder, &options, &report, &diag);
    cs_scenario_destroy(scenario);
    cs_line_clear();
    if (status == CS_OK) {
        name_shrunk(asked, &report, name, path);
        status = leave(path, report.text, &diag);
    }
    free(report.text);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    printf("%zu bytes became %zu after %u comparisons: %s\n", report.bytes_before,
           report.bytes_after, report.trials, path);
    fflush(stdout);
    return report.after.died ? EXIT_DIFFERENCE : CS_CLI_DIFFERENCE_LEFT;
}
