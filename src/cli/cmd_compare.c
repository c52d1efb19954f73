// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/compare/looked.h"
#include "cli/compare/print.h"
#include "cli/compare/random.h"
#include "cli/compare/waves.h"
#include "lockstep/compare.h"
#include "lockstep/die/tree.h"
#include "lockstep/random/random.h"
#include "lockstep/trial.h"
#include "scenario/load.h"
#include "scenario/tell.h"

#define MAX_WARNINGS 64

/* What an RTL comparison may take before the command asks back. */
#define BUDGET_NS (10ull * 60 * 1000000000)

/* Kept until the progress line is gone. */
typedef struct warnings {
    char texts[MAX_WARNINGS][256];
    size_t count;
} warnings;

static void warn(void *ctx, const char *text)
{
    warnings *w = ctx;

    if (w->count < MAX_WARNINGS)
        snprintf(w->texts[w->count++], sizeof w->texts[0], "%s", text);
}

static void print_warnings(const warnings *w)
{
    for (size_t i = 0; i < w->count; i++)
        cs_cli_warn("%s", w->texts[i]);
}

static void tell(void *ctx, const char *text)
{
    (void)ctx;
    cs_line_clear();
    fprintf(stderr, "countersink: %s\n", text);
}

/* What the command line asks for. */
typedef struct request {
    const char *path;
    cs_sets sets;
    const char *coverage; /* a file; NULL: none */
    bool json;
    bool all; /* each part of the die, not each kind */
    cs_random_asked random;
    cs_waves_option waves;
    cs_compare_options options;
    cs_rtl_tree copies; /* of options.die.rtl; its root NULL: there is none */
} request;

/* Which of the user's files the RTL has. */
static void print_copies(const request *asked, const char *before, FILE *out)
{
    char names[CS_RTL_CHANGED * 32];

    if (asked->copies.nr_changed != 0)
        fprintf(out, "%sthe RTL has %s of %s\n", before,
                cs_rtl_tree_tell(&asked->copies, names, sizeof names), asked->options.die.rtl);
    else if (asked->copies.root != NULL)
        fprintf(out, "%sno file of %s differs from ours\n", before, asked->options.die.rtl);
}

/* How to see it. */
static void print_hint(const request *asked)
{
    printf("\n  waves of it: countersink compare --waves FILE.fst");
    if (asked->options.die.rtl != NULL)
        printf(" --rtl %s", asked->options.die.rtl);
    for (size_t i = 0; i < asked->sets.count; i++)
        printf(" --set %s", asked->sets.texts[i]);
    printf(" %s\n", asked->path);
}

static cs_status print(const request *asked, const cs_scenario *scenario,
                       const cs_compare_report *report, const cs_exercise *exercise, cs_diag *diag)
{
    cs_pages pages;
    const cs_page_words words = {&pages, scenario};
    cs_status status;

    if (!cs_compare_differs(report->what) && !asked->json) {
        cs_compare_print_equal(report, exercise, stdout);
        cs_compare_print_looked(exercise, asked->all, stdout);
        print_copies(asked, "  ", stdout);
        return CS_OK;
    }
    status = cs_pages_create(&pages, diag);
    if (status != CS_OK)
        return status;
    if (asked->json)
        cs_compare_print_json(report, &words, exercise,
                              asked->copies.root != NULL ? &asked->copies : NULL, stdout);
    else
        cs_compare_print(report, &words, stdout);
    if (!asked->json) {
        cs_compare_print_looked(exercise, asked->all, stdout);
        print_copies(asked, "  ", stdout);
    }
    if (!asked->json && asked->waves.path == NULL)
        print_hint(asked);
    cs_pages_destroy(&pages);
    return CS_OK;
}

static cs_status compare_loaded(const request *asked, const cs_scenario *scenario,
                                cs_exercise *exercise, cs_compare_report *report, cs_diag *diag)
{
    cs_compare_options options = asked->options;
    warnings warned = {.count = 0};
    cs_progress progress;
    cs_status status = CS_OK;

    if (asked->coverage != NULL)
        status = cs_coverage_create(&options.coverage, diag);
    if (status != CS_OK)
        return status;
    cs_progress_begin(&progress, scenario,
                      options.limit_cycles != 0 ? options.limit_cycles
                                                : cs_scenario_least_cycles(scenario));
    options.progress = cs_progress_show;
    options.progress_ctx = &progress;
    options.exercise = exercise;
    options.warn = warn;
    options.warn_ctx = &warned;
    status = cs_compare(scenario, &options, report, diag);
    cs_progress_end(&progress);
    print_warnings(&warned);
    if (status == CS_OK && asked->coverage != NULL)
        status = cs_coverage_add_to_file(options.coverage, asked->coverage, diag);
    cs_coverage_destroy(options.coverage);
    return status;
}

static int answer_of(cs_compare_what what)
{
    if (what == CS_COMPARE_EQUAL)
        return EXIT_GOOD;
    return cs_compare_differs(what) ? EXIT_DIFFERENCE : EXIT_UNDECIDED;
}

static int compare(const request *asked)
{
    cs_scenario *scenario;
    cs_exercise *exercise;
    cs_compare_report report;
    cs_waves_job *waves = NULL;
    cs_diag diag = {0};
    cs_status status = cs_scenario_load_simulated(asked->path, asked->sets.texts, asked->sets.count,
                                                  &scenario, &diag);

    if (status != CS_OK)
        return cs_cli_fail(&diag);
    cs_scenario_tell_warnings(scenario, stderr);
    status = cs_exercise_create(&exercise, &diag);
    if (status == CS_OK && asked->waves.path != NULL)
        status = cs_waves_begin(&asked->waves, scenario, &asked->options.die, &waves, &diag);
    if (status == CS_OK)
        status = compare_loaded(asked, scenario, exercise, &report, &diag);
    if (status == CS_OK)
        status = print(asked, scenario, &report, exercise, &diag);
    if (waves != NULL && status == CS_OK)
        status = cs_waves_finish(waves, &report, &diag);
    else
        cs_waves_abandon(waves);
    cs_exercise_destroy(exercise);
    cs_scenario_destroy(scenario);
    return status == CS_OK ? answer_of(report.what) : cs_cli_fail(&diag);
}

/* Whether there is an RTL with the user's files, before anything takes time. */
static int look_at_copies(request *asked)
{
    char root[CS_DIE_PATH];
    cs_diag diag = {0};
    cs_status status = cs_die_root(root, &diag);

    if (status == CS_OK)
        status = cs_rtl_tree_open(root, asked->options.die.rtl, &asked->copies, &diag);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    print_copies(asked, "countersink: ", stderr);
    return EXIT_GOOD;
}

/* ---- many comparisons: cli/compare/random.h ---- */

/* What was found is compared as any other. */
static int compare_found(const request *asked, int status, const char *path)
{
    request found = *asked;

    if (status != CS_CLI_DIFFERENCE_LEFT)
        return status;
    found.path = path;
    found.sets.count = 0;
    return compare(&found);
}

static int compare_random(const cs_args *args, const request *asked)
{
    char names[256];
    char path[CS_CLI_PATH];

    if (args->nr_operands != 0)
        return cs_cli_usage(args->command, "--random makes its own scenarios: expected no file");
    if (asked->random.shrink)
        return cs_cli_usage(args->command, "--shrink is for a scenario, not for --random; --keep "
                                           "shrinks what --random finds");
    if (!cs_random_knows(asked->random.unit, names, sizeof names))
        return cs_cli_usage(args->command, "--unit: found '%s', expected one of %s",
                            asked->random.unit, names);
    return compare_found(asked, cs_cli_random(&asked->random, path), path);
}

static int compare_shrunk(const request *asked)
{
    char path[CS_CLI_PATH];

    return compare_found(
        asked,
        cs_cli_shrink(&asked->random, asked->path, asked->sets.texts, asked->sets.count, path),
        path);
}

static int take_number(cs_args *args, const char *name, uint64_t least, uint64_t most,
                       uint64_t *out)
{
    if (cs_number_of(args->value, most, out) && *out >= least)
        return EXIT_GOOD;
    return cs_cli_usage(args->command,
                        "--%s: found '%s', expected a number from %" PRIu64 " to %" PRIu64, name,
                        args->value, least, most);
}

enum {
    LIMIT_CYCLES = CS_OPTION_LONG,
    NO_TIME_LIMIT,
    EXACT_DIE,
    DIE_CACHE,
    RTL,
    JSON,
    COVERAGE,
    WAVES,
    WINDOW,
    LONG,
    RANDOM,
    SEED,
    UNIT,
    TIME,
    KEEP,
    SHRINK
};

/* Those of --random and --shrink. */
static int take_random(int id, cs_args *args, cs_random_asked *r)
{
    switch (id) {
    case RANDOM:
        return take_number(args, "random", 1, UINT32_MAX, &r->scenarios);
    case SEED:
        return take_number(args, "seed", 0, UINT64_MAX, &r->seed);
    case TIME:
        return take_number(args, "time", 1, UINT32_MAX, &r->seconds);
    case 'j':
        return take_number(args, "jobs", 1, CS_TRIAL_JOBS, &r->jobs);
    case UNIT:
        r->unit = args->value;
        break;
    case KEEP:
        r->keep = args->value;
        break;
    case 'o':
        r->output = args->value;
        break;
    case SHRINK:
        r->shrink = true;
        break;
    default:
        break;
    }
    return EXIT_GOOD;
}

static int take_option(int id, cs_args *args, request *asked)
{
    switch (id) {
    case CS_ID_SET:
        return cs_sets_take(&asked->sets, args);
    case LIMIT_CYCLES:
        if (!cs_number_of(args->value, INT64_MAX, &asked->options.limit_cycles) ||
            asked->options.limit_cycles == 0)
            return cs_cli_usage(args->command,
                                "--limit-cycles: found '%s', expected a number of cycles above 0",
                                args->value);
        break;
    case NO_TIME_LIMIT:
        asked->options.budget_ns = 0;
        break;
    case EXACT_DIE:
        asked->options.die.exact = true;
        break;
    case DIE_CACHE:
        asked->options.die.cache = args->value;
        break;
    case RTL:
        asked->options.die.rtl = args->value;
        break;
    case 'f':
        return cs_json_take(&asked->json, args);
    case JSON:
        asked->json = true;
        break;
    case COVERAGE:
        asked->coverage = args->value;
        break;
    case WAVES:
        asked->waves.path = args->value;
        break;
    case WINDOW:
        asked->waves.window = args->value;
        break;
    case LONG:
        asked->all = true;
        break;
    default:
        return take_random(id, args, &asked->random);
    }
    return EXIT_GOOD;
}

static int compare_as_asked(const cs_args *args, request *asked)
{
    if (asked->random.scenarios != 0)
        return compare_random(args, asked);
    if (args->nr_operands == 0)
        return cs_cli_usage(args->command, "expected one scenario, found 0");
    asked->path = args->operands[0];
    return asked->random.shrink ? compare_shrunk(asked) : compare(asked);
}

static int run(cs_args *args)
{
    request asked = {.options = {.budget_ns = BUDGET_NS}, .random = {.seed = 1, .jobs = 1}};
    int id, status = EXIT_GOOD;

    while (status == EXIT_GOOD && (id = cs_args_next(args)) != CS_ARGS_END) {
        if (id == CS_ARGS_STOP)
            return args->status;
        status = take_option(id, args, &asked);
    }
    if (status != EXIT_GOOD)
        return status;
    if (asked.waves.window != NULL && asked.waves.path == NULL)
        return cs_cli_usage(args->command, "--window: of what --waves FILE is to show");
    asked.options.die.making = tell;
    asked.random.die = &asked.options.die;
    if (asked.options.die.rtl != NULL)
        status = look_at_copies(&asked);
    if (status == EXIT_GOOD)
        status = compare_as_asked(args, &asked);
    cs_rtl_tree_close(&asked.copies);
    return status;
}

static const cs_option options[] = {
    CS_OPTION_SET,
    {.id = LIMIT_CYCLES,
     .name = "limit-cycles",
     .value = "N",
     .text = "compare only the first N bus cycles"},
    {.id = NO_TIME_LIMIT,
     .name = "no-time-limit",
     .text = "run even if the RTL takes more than ten minutes"},
    {.id = EXACT_DIE, .name = "exact-die", .text = "build the RTL of exactly the scenario's die"},
    {.id = DIE_CACHE,
     .name = "die-cache",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .text = "folder for dies that are not ready-made (default: COUNTERSINK_CACHE, or "
             "~/.cache/countersink)"},
    {.id = RTL,
     .name = "rtl",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .text = "use these changed copies of some of our RTL files, found by their names "
             "(docs/uses/verification_engineer.md)"},
    CS_OPTION_TEXT_OR_JSON,
    {.id = JSON, .name = "json", .text = "the same as --format json (docs/verification.md)"},
    {.id = COVERAGE,
     .name = "coverage",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "add the points that were reached to FILE (`countersink coverage` reports them)"},
    {.id = WAVES,
     .name = "waves",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text =
         "also write waves: FILE (FST) and FILE.gtkw (GTKWave), with the RTL's signals and, in "
         "`view`, the records of model and RTL; around the first difference, or of the whole run "
         "if there is none"},
    {.id = WINDOW,
     .name = "window",
     .value = "FROM:TO",
     .text = "write waves of these cycles or times only, as 1000:2000 or 1.5us:2us"},
    {.id = LONG, .name = "long", .text = "list each part's registers, not only their number"},
    {.id = RANDOM,
     .name = "random",
     .value = "N",
     .text = "compare N random scenarios and stop at the first difference, whose scenario is "
             "written to a file (docs/verification.md)"},
    {.id = SEED, .name = "seed", .value = "S", .text = "seed of the random scenarios (default 1)"},
    {.id = UNIT,
     .name = "unit",
     .value = "U",
     .text = "draw only scenarios that have one of these units"},
    {.id = TIME,
     .name = "time",
     .value = "T",
     .text = "start no new comparison after T seconds, counting the time to build dies"},
    {.id = 'j',
     .name = "jobs",
     .value = "N",
     .text = "comparisons at a time (default 1); N does not change the scenarios"},
    {.id = 'o',
     .name = "output",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "file for the scenario that differs (default: random-S-N.yaml)"},
    {.id = KEEP,
     .name = "keep",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .text = "shrink the scenario that differs and write it into FOLDER"},
    {.id = SHRINK,
     .name = "shrink",
     .text = "reduce SCENARIO, which shows a difference, to the smallest one that still does, and "
             "write that to FILE or SCENARIO-small.yaml"},
    {0},
};

static const cs_example examples[] = {
    {"compare configs/pmcu/pmcu_lockstep_basic.yaml", "prints EQUAL, or the first difference"},
    {"compare --random 1000 --time 60", "draws scenarios for a minute"},
    {0},
};

const cs_command cs_command_compare = {
    .name = "compare",
    .summary = "run RTL and model in lockstep and compare everything observable",
    .options = options,
    .operand = {"SCENARIO", "scenario", CS_VALUE_YAML, 0, 1},
    .examples = examples,
    .ends =
        "0 equal, 1 different, 2 bad use or scenario, 3 I/O, 4 all agrees, but something in the "
        "die did nothing (compare.idle in the scenario says what need not)",
    .run = run,
};
