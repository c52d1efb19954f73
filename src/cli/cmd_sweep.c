// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/wall.h"
#include "bus/system.h"
#include "cli/cli.h"
#include "cli/help/wrap.h"
#include "results/figures.h"
#include "sweep/slurm.h"
#include "sweep/sweep.h"

#define TERMINAL_POINTS 24

typedef struct request {
    const char *path;
    const char *output;
    const char *csv;
    const char *runs;
    cs_sets sets;
    unsigned jobs; /* 0: not said */
    uint64_t part, parts;
    const char *figures; /* "a,b": those that are shown, in place of the file's; NULL: not said */
    bool list, list_figures;
    uint64_t tasks, at_once; /* of Slurm; 0 tasks: without it */
    const char *slurm_options;
} request;

/* ---- progress ---- */

typedef struct progress {
    uint64_t begun_ns;
    uint64_t shown_ns;
    size_t before; /* points that were there */
    bool terminal;
    bool any;
} progress;

static void show_progress(void *ctx, size_t done, size_t all)
{
    progress *p = ctx;
    const uint64_t now = cs_wall_ns();

    if (!p->any)
        p->before = done - 1;
    p->any = true;
    if (!p->terminal || (now - p->shown_ns < 200000000u && done != all))
        return;
    p->shown_ns = now;
    const double wall = (double)(now - p->begun_ns) * 1e-9;
    const double left = wall / (double)(done - p->before) * (double)(all - done);

    cs_line_show("%zu of %zu points, %.0f s left", done, all, left);
}

/* ---- what it does ---- */

static int list_points(const cs_sweep_plan *plan)
{
    for (size_t point = 0; point < plan->nr_points; point++) {
        printf("%zu", point);
        for (size_t key = 0; key < plan->nr_keys; key++)
            printf(" %s=%s", cs_sweep_key(plan, key), cs_sweep_value_at(plan, point, key)->shown);
        printf("\n");
    }
    return EXIT_GOOD;
}

static int write_csv(const request *r, const cs_sweep_plan *plan, const char *database)
{
    const char *path = r->csv;
    FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "wx");
    cs_diag diag = {0};
    cs_status status;

    if (out == NULL) {
        cs_diag_set(&diag, CS_ERR_IO, path, "cannot be made: %s", strerror(errno));
        return cs_cli_fail(&diag);
    }
    status = cs_sweep_csv(plan, database, plan->figures, r->figures != NULL ? plan->nr_figures : 0,
                          out, &diag);
    if (out != stdout && fclose(out) != 0 && status == CS_OK)
        status = cs_diag_set(&diag, CS_ERR_IO, path, "cannot be written: %s", strerror(errno));
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int tell(const request *r, const cs_sweep_plan *plan, const cs_sweep_end *end,
                const char *database)
{
    char text[1024];
    cs_diag diag = {0};

    if (r->csv != NULL) {
        const int status = write_csv(r, plan, database);

        if (status != EXIT_GOOD)
            return status;
    }
    if (r->csv == NULL || strcmp(r->csv, "-") != 0) {
        if (cs_sweep_text(plan, database, TERMINAL_POINTS, stdout, stderr, &diag) != CS_OK)
            return cs_cli_fail(&diag);
        printf("\nfile: %s\n", database);
    }
    if (end->refused == 0)
        return EXIT_GOOD;
    fprintf(stderr,
            "countersink: the scenarios of %zu of %zu points were refused (column error); the "
            "first, point %zu: %s\n",
            end->refused, end->points, end->first_refused_point,
            cs_diag_print(&end->first_refused, text, sizeof text));
    return EXIT_BAD_USE;
}

static cs_status run_tasks(const request *r, const cs_sweep_plan *plan, cs_sweep_options *options,
                           const char *identity, cs_sweep_end *end, cs_diag *diag)
{
    char command[PATH_MAX];
    const ssize_t bytes = readlink("/proc/self/exe", command, sizeof command - 1);
    const cs_sweep_slurm slurm = {
        .tasks = (unsigned)r->tasks,
        .at_once = (unsigned)r->at_once,
        .options = r->slurm_options != NULL ? r->slurm_options : "",
        .command = command,
    };

    if (bytes < 0)
        return cs_diag_set(diag, CS_ERR_IO, "/proc/self/exe", "cannot be read: %s",
                           strerror(errno));
    command[bytes] = '\0';
    options->jobs = r->jobs;
    return cs_sweep_run_slurm(plan, options, &slurm, r->sets.texts, r->sets.count, identity, end,
                              diag);
}

static int run_plan(const request *r, const cs_sweep_plan *plan)
{
    char database[PATH_MAX];
    progress shown = {.begun_ns = cs_wall_ns(), .terminal = cs_line_can()};
    cs_sweep_options options = {
        .output = database,
        .runs = r->runs,
        .jobs = r->jobs != 0 ? r->jobs : cs_jobs_default(),
        .first = (size_t)r->part,
        .stride = (size_t)r->parts,
        .make_system = cs_model_system_create,
        .progress = show_progress,
        .progress_ctx = &shown,
    };
    cs_sweep_end end;
    cs_diag diag = {0};
    char *identity;
    cs_status status;

    if (r->output != NULL)
        snprintf(database, sizeof database, "%s", r->output);
    else
        snprintf(database, sizeof database, "%s.sqlite", plan->name);
    /* The points take long, and then would not be written. */
    if (r->csv != NULL && strcmp(r->csv, "-") != 0 && access(r->csv, F_OK) == 0) {
        cs_diag_set(&diag, CS_ERR_IO, r->csv, "exists already");
        return cs_cli_fail(&diag);
    }
    status = cs_sweep_check(plan, &identity, &diag);
    if (status == CS_OK) {
        fprintf(stderr, "sweep %s: %zu points of %s\n", plan->name, plan->nr_points,
                plan->scenario);
        status = r->tasks != 0 ? run_tasks(r, plan, &options, identity, &end, &diag)
                               : cs_sweep_run(plan, &options, identity, &end, &diag);
    }
    cs_line_clear();
    free(identity);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    if (end.found != 0)
        fprintf(stderr, "%zu of %zu points were in %s already\n", end.found, end.points, database);
    return tell(r, plan, &end, database);
}

static bool has_figure(const cs_figure_row *row)
{
    static const char *const none[] = {"scenario", "ended", "wall_ns"};

    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strcmp(row->key, none[i]) == 0)
            return false;
    return true;
}

/* What a point may have, in groups. */
static int list_figures(void)
{
    const cs_figure_row *row;
    char text[400];

    for (unsigned group = 0; group < CS_NR_FIGURE_GROUPS; group++) {
        printf("%s%s:\n", group != 0 ? "\n" : "", cs_figure_groups[group]);
        for (size_t i = 0; (row = cs_figure_row_at(i)) != NULL; i++) {
            if (row->group != group || !has_figure(row))
                continue;
            snprintf(text, sizeof text, "%s%s%s", row->text, *row->unit != '\0' ? "; " : "",
                     row->unit);
            cs_wrap(stdout, text, (unsigned)printf("  %-19s ", row->key), 22,
                    cs_columns(stdout, 92));
        }
    }
    return EXIT_GOOD;
}

/* The figures of the command line take the place of the file's. */
static int take_figures(const cs_command *command, char *list, cs_sweep_plan *plan)
{
    char *rest = NULL;

    plan->nr_figures = 0;
    for (char *name = strtok_r(list, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        if (plan->nr_figures == CS_SWEEP_MOST_FIGURES)
            return cs_cli_usage(command, "--figures: more than %u", CS_SWEEP_MOST_FIGURES);
        plan->figures[plan->nr_figures++] = name;
    }
    return plan->nr_figures != 0 ? EXIT_GOOD
                                 : cs_cli_usage(command, "--figures: a name is expected");
}

/* ---- the command ---- */

static bool part_of(const char *text, request *r)
{
    char number[24];
    const char *slash = strchr(text, '/');

    if (slash == NULL || (size_t)(slash - text) >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)(slash - text), text);
    return cs_number_of(number, CS_SWEEP_MOST_POINTS, &r->part) &&
           cs_number_of(slash + 1, CS_SWEEP_MOST_POINTS, &r->parts) && r->part < r->parts;
}

/* "N", or "N%M": N tasks, M at once. */
static bool tasks_of(const char *text, request *r)
{
    char number[24];
    const size_t digits = strcspn(text, "%");

    if (digits >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    return cs_number_of(number, CS_SWEEP_MOST_POINTS, &r->tasks) && r->tasks != 0 &&
           (text[digits] == '\0' ||
            (cs_number_of(text + digits + 1, CS_SWEEP_MOST_POINTS, &r->at_once) &&
             r->at_once != 0));
}

enum { CSV = CS_OPTION_LONG, RUNS, PART, SLURM, SLURM_OPTIONS, LIST, FIGURES, LIST_FIGURES };

static int take_option(int id, cs_args *args, request *r)
{
    switch (id) {
    case 'o':
        r->output = args->value;
        return EXIT_GOOD;
    case CSV:
        r->csv = args->value;
        return EXIT_GOOD;
    case RUNS:
        r->runs = args->value;
        return EXIT_GOOD;
    case FIGURES:
        r->figures = args->value;
        return EXIT_GOOD;
    case LIST_FIGURES:
        r->list_figures = true;
        return EXIT_GOOD;
    case LIST:
        r->list = true;
        return EXIT_GOOD;
    case CS_ID_SET:
        return cs_sets_take(&r->sets, args);
    case 'j':
        return cs_jobs_take(&r->jobs, args);
    case PART:
        return part_of(args->value, r)
                   ? EXIT_GOOD
                   : cs_cli_usage(args->command, "--part %s: I/N is expected, I from 0",
                                  args->value);
    case SLURM:
        return tasks_of(args->value, r)
                   ? EXIT_GOOD
                   : cs_cli_usage(args->command, "--slurm %s: N or N%%M is expected", args->value);
    case SLURM_OPTIONS:
        r->slurm_options = args->value;
        return EXIT_GOOD;
    default:
        return args->status;
    }
}

static int run(cs_args *args)
{
    request r = {.parts = 1};
    cs_sweep_plan plan;
    cs_diag diag = {0};
    char figures[2048];
    int id, status = EXIT_GOOD;

    while ((id = cs_args_next(args)) != CS_ARGS_END) {
        status = take_option(id, args, &r);
        if (status != EXIT_GOOD || id == CS_ARGS_STOP)
            return status;
    }
    if (r.list_figures)
        return list_figures();
    if (args->nr_operands == 0)
        return cs_cli_usage(args->command, "expected a sweep");
    r.path = args->operands[0];
    if (cs_sweep_load(r.path, r.sets.texts, r.sets.count, &plan, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    snprintf(figures, sizeof figures, "%s", r.figures != NULL ? r.figures : "");
    if (r.figures != NULL)
        status = take_figures(args->command, figures, &plan);
    if (status == EXIT_GOOD)
        status = r.list ? list_points(&plan) : run_plan(&r, &plan);
    cs_sweep_unload(&plan);
    return status;
}

static const cs_option options[] = {
    {.id = 'o',
     .name = "output",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "SQLite database to create, with a row of table `point` for each point; an existing "
             "one is resumed (default: NAME.sqlite)"},
    {.id = 'j',
     .name = "jobs",
     .value = "N",
     .text = "processes at a time (default: one per processor)"},
    {.id = CSV,
     .name = "csv",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "write the rows as CSV, too; `-` prints them"},
    {.id = RUNS,
     .name = "runs",
     .value = "DIR",
     .is = CS_VALUE_FOLDER,
     .text = "keep each point's run folder, as DIR/NUMBER"},
    {.id = PART,
     .name = "part",
     .value = "I/N",
     .text = "run only every N-th point, from point I on"},
    {.id = SLURM,
     .name = "slurm",
     .value = "N[%M]",
     .text = "run as N Slurm tasks, M at a time; wait for them and collect their rows"},
    {.id = SLURM_OPTIONS,
     .name = "slurm-options",
     .value = "OPTIONS",
     .text = "options for sbatch, as '--partition=long --time=1:00'"},
    {.id = LIST, .name = "list", .text = "print the points without running them"},
    {.id = FIGURES,
     .name = "figures",
     .value = "A,B",
     .text = "print these figures instead of those that the file names; the CSV has only these"},
    {.id = LIST_FIGURES,
     .name = "list-figures",
     .text = "list the figures with their meaning, without running anything"},
    CS_OPTION_SET_TEXT("override a key of the scenario at every point"),
    {0},
};

static const cs_example examples[] = {
    {"sweep --list sweeps/pmcu_design.yaml", "lists the points"},
    {"sweep --csv - sweeps/pmcu_design.yaml", "runs them, and prints a row for each"},
    {"sweep --list-figures", "what the names of the columns mean"},
    {0},
};

const cs_command cs_command_sweep = {
    .name = "sweep",
    .summary = "run a scenario for all combinations of some keys' values, one row per point",
    .options = options,
    .operand = {"SWEEP", "sweep", CS_VALUE_YAML, 0, 1},
    .text = "docs/uses/sweeps.md describes the file of a sweep.",
    .examples = examples,
    .ends = "0 good, 2 bad use, sweep or scenario, 3 I/O",
    .run = run,
};
