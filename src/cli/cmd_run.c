// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bus/system.h"
#include "cli/cli.h"
#include "cli/run/several.h"
#include "results/run.h"
#include "results/ways.h"
#include "scenario/load.h"
#include "scenario/tell.h"

#define TERMINAL_EVENTS 12

static void print_warnings(const cs_run_result *result)
{
    for (size_t i = 0; i < result->nr_warnings; i++)
        cs_cli_warn("%s", result->warnings[i]);
}

static void print_scenario(const cs_scenario *scenario)
{
    cs_scenario_tell(scenario, stdout);
    cs_scenario_tell_warnings(scenario, stderr);
}

/* Where a run goes, and how many of its ways run at a time. */
typedef struct place {
    const char *output;     /* NULL: runs/<name>-<n> */
    const cs_output *begun; /* not NULL: it is this */
    unsigned jobs;
    cs_table_format format; /* of what is printed */
    bool quiet;             /* only the folder's path is */
    bool log;               /* the records of software are, as they come */
} place;

static bool is_text(const place *to)
{
    return to->format == CS_TABLE_TEXT && !to->quiet;
}

static void print_folder(const place *to, const char *folder)
{
    if (to->quiet)
        printf("%s\n", folder);
    else
        fprintf(is_text(to) ? stdout : stderr, "\nfiles: %s\n", folder);
}

/* Of a run as a whole, in place of text. */
static void print_results(const cs_run_result *result, cs_table_format format)
{
    if (format == CS_TABLE_JSON)
        cs_summary_json(&result->summary, stdout);
    else
        cs_summary_csv(&result->summary, stdout);
}

static void log_record(void *ctx, const cs_soft_record *record)
{
    (void)ctx;
    cs_soft_print(record, stderr);
}

static int run_one(const cs_scenario *scenario, const place *to)
{
    static const cs_run_listener logging = {.hearings = {{&cs_soft_every, log_record}}};
    cs_run_result result;
    cs_progress progress;
    cs_diag diag = {0};

    if (is_text(to))
        print_scenario(scenario);
    else
        cs_scenario_tell_warnings(scenario, stderr);
    cs_progress_begin(&progress, scenario, cs_scenario_expected_cycles(scenario));
    cs_run_options options = {
        .output = to->output,
        .begun = to->begun,
        .make_system = cs_model_system_create,
        .progress = cs_progress_show,
        .progress_ctx = &progress,
        .listener = to->log ? &logging : NULL,
    };
    cs_status status = cs_run(scenario, &options, &result, &diag);
    cs_progress_end(&progress);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    if (is_text(to))
        cs_summary_text(&result.summary, TERMINAL_EVENTS, stdout);
    else if (!to->quiet)
        print_results(&result, to->format);
    print_warnings(&result);
    print_folder(to, result.folder);
    cs_run_result_destroy(&result);
    return EXIT_GOOD;
}

/* Each way's scenario, as if it had been named; all of them are loaded before the first one runs. */
static cs_status load_ways(const char *path, const char *const sets[], size_t nr_sets,
                           const cs_scenario *first, cs_scenario *out[], cs_diag *diag)
{
    const char *with_way[CS_SETS_MOST + 1];
    cs_status status = CS_OK;

    for (size_t i = 0; i < nr_sets; i++)
        with_way[i] = sets[i];
    for (size_t i = 0; i < first->nr_ways && status == CS_OK; i++) {
        char way[CS_NAME_BYTES + 8];

        snprintf(way, sizeof way, "way=%s", first->ways[i].name);
        with_way[nr_sets] = way;
        status = cs_scenario_load_simulated(path, with_way, nr_sets + 1, &out[i], diag);
    }
    return status;
}

static int run_ways(const char *path, const char *const sets[], size_t nr_sets,
                    const cs_scenario *first, const place *to)
{
    const cs_run_options options = {
        .output = to->output, .begun = to->begun, .make_system = cs_model_system_create};
    const size_t count = first->nr_ways;
    cs_scenario *scenarios[CS_WAYS_MOST] = {NULL};
    cs_way_result results[CS_WAYS_MOST];
    char folder[4096];
    cs_diag diag = {0};
    cs_status status = load_ways(path, sets, nr_sets, first, scenarios, &diag);

    for (size_t i = 0; i < count && status == CS_OK; i++) {
        if (is_text(to)) {
            printf("way %s\n", scenarios[i]->way);
            print_scenario(scenarios[i]);
        }
    }
    if (status == CS_OK)
        status = cs_run_ways(scenarios, count, to->jobs, &options, results, folder, &diag);
    if (status == CS_OK) {
        if (to->format == CS_TABLE_JSON)
            cs_ways_json(first->ways, results, count, stdout);
        else if (to->format == CS_TABLE_CSV)
            cs_ways_csv(first->ways, results, count, stdout);
        else if (!to->quiet) {
            printf("\n");
            cs_ways_text(first->ways, results, count, stdout);
        }
        print_folder(to, folder);
    }
    for (size_t i = 0; i < count; i++)
        cs_scenario_destroy(scenarios[i]);
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int run_scenario(const char *path, const cs_sets *sets, const cs_scenario *scenario,
                        const place *to)
{
    const bool in_ways = scenario->nr_ways != 0 && scenario->way[0] == '\0';

    if (in_ways && to->log)
        return cs_cli_usage(&cs_command_run,
                            "--log is for one way, and %s has %zu; choose one with --set way=NAME",
                            path, scenario->nr_ways);
    if (in_ways)
        return run_ways(path, sets->texts, sets->count, scenario, to);
    return run_one(scenario, to);
}

/* ---- several scenarios ---- */

typedef struct batch {
    char **paths;
    size_t count;
    const cs_sets *sets;
    cs_scenario **scenarios;
    const char *folder; /* in which they get their folders */
    bool quiet;
    char stem[PATH_MAX];
} batch;

static int run_of_batch(void *ctx, size_t number, const cs_output *output)
{
    const batch *b = ctx;

    return run_scenario(b->paths[number], b->sets, b->scenarios[number],
                        &(place){.begun = output, .jobs = 1, .quiet = b->quiet});
}

static const char *stem_of_batch(void *ctx, size_t number)
{
    batch *b = ctx;

    snprintf(b->stem, sizeof b->stem, "%s/%s", b->folder, b->scenarios[number]->name);
    return b->stem;
}

/* All of them are loaded before the first one runs. */
static int run_batch(batch *b, unsigned jobs)
{
    const cs_several several = {run_of_batch, b, stem_of_batch, b->count, jobs, b->quiet};
    cs_diag diag = {0};

    for (size_t i = 0; i < b->count; i++)
        if (cs_scenario_load_simulated(b->paths[i], b->sets->texts, b->sets->count,
                                       &b->scenarios[i], &diag) != CS_OK)
            return cs_cli_fail(&diag);
    if (mkdir(b->folder, 0777) != 0 && errno != EEXIST) {
        cs_diag_set(&diag, CS_ERR_IO, b->folder, "cannot make the folder: %s", strerror(errno));
        return cs_cli_fail(&diag);
    }
    return cs_several_run(&several);
}

static int run_all(char **paths, size_t count, const cs_sets *sets, const place *to)
{
    batch b = {.paths = paths,
               .count = count,
               .sets = sets,
               .scenarios = calloc(count, sizeof *b.scenarios),
               .folder = to->output != NULL ? to->output : "runs",
               .quiet = to->quiet};
    cs_diag diag = {0};
    int status;

    if (b.scenarios == NULL) {
        cs_diag_set(&diag, CS_ERR_NO_MEMORY, NULL, "no memory for %zu scenarios", count);
        return cs_cli_fail(&diag);
    }
    if (count > 1 && (to->log || to->format != CS_TABLE_TEXT)) {
        status = cs_cli_usage(&cs_command_run, "--%s is for one scenario, found %zu",
                              to->log ? "log" : "format", count);
    } else if (count > 1) {
        status = run_batch(&b, to->jobs);
    } else if (cs_scenario_load_simulated(paths[0], sets->texts, sets->count, b.scenarios, &diag) ==
               CS_OK) {
        status = run_scenario(paths[0], sets, b.scenarios[0], to);
    } else {
        status = cs_cli_fail(&diag);
    }
    for (size_t i = 0; i < count; i++)
        cs_scenario_destroy(b.scenarios[i]);
    free(b.scenarios);
    return status;
}

enum { WAVES = CS_OPTION_LONG, LOG };

static int run(cs_args *args)
{
    cs_sets sets = {.count = 0};
    place to = {.jobs = cs_jobs_default()};
    int id, status = EXIT_GOOD;

    while (status == EXIT_GOOD && (id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case 'o':
            to.output = args->value;
            break;
        case 'j':
            status = cs_jobs_take(&to.jobs, args);
            break;
        case 'f':
            status = cs_table_take(&to.format, args);
            break;
        case 'q':
            to.quiet = true;
            break;
        case CS_ID_SET:
            status = cs_sets_take(&sets, args);
            break;
        case LOG:
            if (strcmp(args->value, "soft") != 0)
                return cs_cli_usage(args->command, "--log: expected soft, found '%s'", args->value);
            to.log = true;
            break;
        case WAVES:
            return cs_cli_usage(args->command,
                                "--waves: `run` simulates the models, which have no signals; use "
                                "'countersink compare --waves %s SCENARIO'",
                                args->value);
        default:
            return args->status;
        }
    if (status == EXIT_GOOD && to.quiet && to.format != CS_TABLE_TEXT)
        return cs_cli_usage(args->command, "--quiet and --format exclude each other");
    return status == EXIT_GOOD ? run_all(args->operands, (size_t)args->nr_operands, &sets, &to)
                               : status;
}

static const cs_option options[] = {
    {.id = 'o',
     .name = "output",
     .value = "DIR",
     .is = CS_VALUE_FOLDER,
     .text = "the run folder to create (default: runs/<name>-<n>); of several "
             "scenarios the folder that gets them, as DIR/<name>-<n>"},
    {.id = 'j',
     .name = "jobs",
     .value = "N",
     .text = "scenarios, or ways of one, at a time (default: one per processor)"},
    CS_OPTION_TABLE,
    {.id = LOG,
     .name = "log",
     .value = "soft",
     .text = "print every record of drivers, perf and results to standard error, as it is made"},
    {.id = 'q', .name = "quiet", .text = "print the path of the run folder, and nothing else"},
    CS_OPTION_SET,
    {.id = WAVES, .name = "waves", .value = "FILE", .is = CS_VALUE_FILE, .hidden = true},
    {0},
};

static const cs_example examples[] = {
    {"run configs/pmcu/pmcu_demo.yaml", "prints what was counted, and where the files are"},
    {"run -o slow --set bus.clock_mhz=500 configs/pmcu/pmcu_demo.yaml",
     "the same die with a slower bus, into the folder slow"},
    {"run -q --log soft configs/riscv/riscv_sample.yaml",
     "each event that perf opens, each sample and each count, with its cycle and CPU"},
    {"run -j 2 configs/pmcu/pmcu_demo.yaml configs/imc/imc_core.yaml",
     "two scenarios side by side, each as if it were alone"},
    {0},
};

const cs_command cs_command_run = {
    .name = "run",
    .summary = "simulate a scenario and write its samples, truth and summary",
    .options = options,
    .operand = {"SCENARIO", "scenario", CS_VALUE_YAML, 1, CS_OPERANDS_ANY},
    .text =
        "A scenario with `ways` is run in each of them, and a table compares the results; --set "
        "way=NAME runs one. Several scenarios run side by side. Their output comes in the order "
        "given, and one that fails does not affect the others.",
    .examples = examples,
    .ends = "0 good, 2 bad use or scenario, 3 I/O",
    .run = run,
};
