#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/compare/looked.h"
#include "cli/compare/print.h"
#include "cli/compare/random.h"
#include "lockstep/compare.h"
#include "lockstep/random/random.h"
#include "lockstep/trial.h"
#include "scenario/load.h"
#include "scenario/tell.h"

#define MAX_SETS 64
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
        fprintf(stderr, "warning: %s\n", w->texts[i]);
}

static void tell(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "countersink: %s\n", text);
}

/* What the command line asks for. */
typedef struct request {
    const char *path;
    const char *sets[MAX_SETS];
    size_t nr_sets;
    const char *coverage; /* a file; NULL: none */
    bool json;
    bool all; /* each part of the die, not each kind */
    cs_compare_options options;
} request;

static cs_status print(const request *asked, const cs_scenario *scenario,
                       const cs_compare_report *report, const cs_exercise *exercise, cs_diag *diag)
{
    cs_pages pages;
    const cs_page_words words = {&pages, scenario};
    cs_status status;

    if (!cs_compare_differs(report->what) && !asked->json) {
        cs_compare_print_equal(report, exercise, stdout);
        cs_compare_print_looked(exercise, asked->all, stdout);
        return CS_OK;
    }
    status = cs_pages_create(&pages, diag);
    if (status != CS_OK)
        return status;
    if (asked->json)
        cs_compare_print_json(report, &words, exercise, stdout);
    else
        cs_compare_print(report, &words, stdout);
    if (!asked->json)
        cs_compare_print_looked(exercise, asked->all, stdout);
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
    options.die.making = tell;
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
    cs_diag diag = {0};
    cs_status status = cs_scenario_load(asked->path, asked->sets, asked->nr_sets, &scenario, &diag);

    if (status != CS_OK)
        return cs_cli_fail(&diag);
    cs_scenario_tell_warnings(scenario, stderr);
    status = cs_exercise_create(&exercise, &diag);
    if (status == CS_OK)
        status = compare_loaded(asked, scenario, exercise, &report, &diag);
    if (status == CS_OK)
        status = print(asked, scenario, &report, exercise, &diag);
    cs_exercise_destroy(exercise);
    cs_scenario_destroy(scenario);
    return status == CS_OK ? answer_of(report.what) : cs_cli_fail(&diag);
}

/* ---- many comparisons: cli/compare/random.h ---- */

static bool take_number(const char *name, uint64_t least, uint64_t most, uint64_t *out)
{
    if (cs_number_of(optarg, most, out) && *out >= least)
        return true;
    cs_cli_usage(&cs_command_compare,
                 "--%s: found '%s', expected a number from %" PRIu64 " to %" PRIu64, name, optarg,
                 least, most);
    return false;
}

/* False: it is none of these options. *good false: a message was printed. */
static bool take_random(int letter, cs_random_asked *r, bool *good)
{
    switch (letter) {
    case 'R':
        *good = take_number("random", 1, UINT32_MAX, &r->scenarios);
        return true;
    case 'S':
        *good = take_number("seed", 0, UINT64_MAX, &r->seed);
        return true;
    case 'T':
        *good = take_number("time", 1, UINT32_MAX, &r->seconds);
        return true;
    case 'j':
        *good = take_number("jobs", 1, CS_TRIAL_JOBS, &r->jobs);
        return true;
    case 'U':
        r->unit = optarg;
        return true;
    case 'K':
        r->keep = optarg;
        return true;
    case 'o':
        r->output = optarg;
        return true;
    case 'k':
        r->shrink = true;
        return true;
    default:
        return false;
    }
}

/* What was found is compared as any other. */
static int compare_found(const request *asked, int status, const char *path)
{
    request found = *asked;

    if (status != CS_CLI_DIFFERENCE_LEFT)
        return status;
    found.path = path;
    found.nr_sets = 0;
    return compare(&found);
}

static int compare_random(const request *asked, const cs_random_asked *r)
{
    char names[256];
    char path[CS_CLI_PATH];

    if (r->shrink)
        return cs_cli_usage(&cs_command_compare, "--shrink is for a scenario, not for --random; "
                                                 "--keep shrinks what --random finds");
    if (!cs_random_knows(r->unit, names, sizeof names))
        return cs_cli_usage(&cs_command_compare, "--unit: found '%s', expected one of %s", r->unit,
                            names);
    return compare_found(asked, cs_cli_random(r, path), path);
}

static int compare_shrunk(const request *asked, const cs_random_asked *r)
{
    char path[CS_CLI_PATH];

    return compare_found(asked, cs_cli_shrink(r, asked->path, asked->sets, asked->nr_sets, path),
                         path);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'},     {"limit-cycles", required_argument, NULL, 'l'},
        {"exact-die", no_argument, NULL, 'e'},     {"die-cache", required_argument, NULL, 'c'},
        {"no-time-limit", no_argument, NULL, 'n'}, {"long", no_argument, NULL, 'L'},
        {"random", required_argument, NULL, 'R'},  {"seed", required_argument, NULL, 'S'},
        {"unit", required_argument, NULL, 'U'},    {"time", required_argument, NULL, 'T'},
        {"jobs", required_argument, NULL, 'j'},    {"output", required_argument, NULL, 'o'},
        {"keep", required_argument, NULL, 'K'},    {"shrink", no_argument, NULL, 'k'},
        {"json", no_argument, NULL, 'J'},          {"coverage", required_argument, NULL, 'C'},
        {"help", no_argument, NULL, 'h'},          {0},
    };
    request asked = {.options = {.budget_ns = BUDGET_NS}};
    cs_random_asked random = {.seed = 1, .jobs = 1, .die = &asked.options.die};
    bool good = true;
    int letter;

    while ((letter = cs_cli_option(&cs_command_compare, argc, argv, ":hj:o:", options)) != -1) {
        if (take_random(letter, &random, &good)) {
            if (!good)
                return EXIT_BAD_USE;
            continue;
        }
        switch (letter) {
        case 's':
            if (asked.nr_sets == MAX_SETS)
                return cs_cli_usage(&cs_command_compare, "more than %d --set", MAX_SETS);
            asked.sets[asked.nr_sets++] = optarg;
            break;
        case 'l':
            if (!cs_number_of(optarg, INT64_MAX, &asked.options.limit_cycles) ||
                asked.options.limit_cycles == 0)
                return cs_cli_usage(&cs_command_compare,
                                    "--limit-cycles: found '%s', expected a number of cycles "
                                    "above 0",
                                    optarg);
            break;
        case 'n':
            asked.options.budget_ns = 0;
            break;
        case 'e':
            asked.options.die.exact = true;
            break;
        case 'c':
            asked.options.die.cache = optarg;
            break;
        case 'L':
            asked.all = true;
            break;
        case 'J':
            asked.json = true;
            break;
        case 'C':
            asked.coverage = optarg;
            break;
        case 'h':
            return cs_cli_help(&cs_command_compare);
        default:
            return EXIT_BAD_USE;
        }
    }
    if (random.scenarios != 0 && optind != argc)
        return cs_cli_usage(&cs_command_compare, "--random draws its scenarios: expected no file");
    if (random.scenarios != 0)
        return compare_random(&asked, &random);
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_compare, "expected one scenario, found %d", argc - optind);
    asked.path = argv[optind];
    return random.shrink ? compare_shrunk(&asked, &random) : compare(&asked);
}

const cs_command cs_command_compare = {
    .name = "compare",
    .arguments = "[--set KEY=VALUE]... [--limit-cycles N] [--no-time-limit] [--exact-die] "
                 "[--die-cache FOLDER] [--long] [--json] [--coverage FILE] SCENARIO\n"
                 "   or: countersink compare --random N [--seed S] [--unit U] [--time T] [-j N] "
                 "[-o FILE] [--keep FOLDER]\n"
                 "   or: countersink compare --shrink [--time T] [-j N] [-o FILE] [--keep FOLDER] "
                 "SCENARIO",
    .summary = "run RTL and model in lockstep and compare everything observable",
    .help =
        "  --set KEY=VALUE     overrides a key of the scenario, as bus.clock_mhz=500\n"
        "  --limit-cycles N    compares the first N bus cycles only\n"
        "  --no-time-limit     also when the RTL will take more than ten minutes\n"
        "  --exact-die         the RTL has no more than the scenario's die\n"
        "  --die-cache FOLDER  where dies that are not ready-made are kept; otherwise\n"
        "                      COUNTERSINK_CACHE, or ~/.cache/countersink\n"
        "  --long              each part's registers, not only how many\n"
        "  --json              prints the outcome as JSON (docs/verification.md)\n"
        "  --coverage FILE     adds the points that were reached to FILE ('countersink\n"
        "                      coverage' tells which)\n\n"
        "  --random N          draws N scenarios instead, and stops at the first difference,\n"
        "                      whose scenario becomes a file (docs/verification.md)\n"
        "  --seed S            other ones (default 1)\n"
        "  --unit U            one of the units takes part in each\n"
        "  --time T            begins none after T seconds\n"
        "  -j, --jobs N        so many at a time; they are the same ones\n"
        "  -o, --output FILE   the scenario's file, instead of random-S-N.yaml\n"
        "  --keep FOLDER       the scenario is shrunk, and put there\n"
        "  --shrink            SCENARIO shows a difference: writes the smallest one that still\n"
        "                      does, FILE or SCENARIO-small.yaml\n\n"
        "Exit status: 0 equal, 1 different, 2 bad use or scenario, 3 I/O, 4 all agrees, but\n"
        "something in the die did nothing (compare.idle in the scenario says what need not).\n",
    .run = run,
};
