#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/compare/print.h"
#include "cli/compare/waves.h"
#include "lockstep/compare.h"
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
    cs_waves_option waves;
    cs_compare_options options;
} request;

/* How to see it. */
static void print_hint(const request *asked)
{
    printf("\n  waves of it: countersink compare --waves FILE.fst");
    for (size_t i = 0; i < asked->nr_sets; i++)
        printf(" --set %s", asked->sets[i]);
    printf(" %s\n", asked->path);
}

static cs_status print(const request *asked, const cs_scenario *scenario,
                       const cs_compare_report *report, cs_diag *diag)
{
    cs_pages pages;
    const cs_page_words words = {&pages, scenario};
    cs_status status;

    if (report->what == CS_COMPARE_EQUAL && !asked->json) {
        cs_compare_print_equal(report, stdout);
        return CS_OK;
    }
    status = cs_pages_create(&pages, diag);
    if (status != CS_OK)
        return status;
    if (asked->json)
        cs_compare_print_json(report, &words, stdout);
    else
        cs_compare_print(report, &words, stdout);
    if (!asked->json && asked->waves.path == NULL)
        print_hint(asked);
    cs_pages_destroy(&pages);
    return CS_OK;
}

static cs_status compare_loaded(const request *asked, const cs_scenario *scenario,
                                cs_compare_report *report, cs_diag *diag)
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

static int compare(const request *asked)
{
    cs_scenario *scenario;
    cs_compare_report report;
    cs_waves_job *waves = NULL;
    cs_diag diag = {0};
    cs_status status = cs_scenario_load(asked->path, asked->sets, asked->nr_sets, &scenario, &diag);

    if (status != CS_OK)
        return cs_cli_fail(&diag);
    cs_scenario_tell_warnings(scenario, stderr);
    if (asked->waves.path != NULL)
        status = cs_waves_begin(&asked->waves, scenario, &asked->options.die, &waves, &diag);
    if (status == CS_OK)
        status = compare_loaded(asked, scenario, &report, &diag);
    if (status == CS_OK)
        status = print(asked, scenario, &report, &diag);
    if (waves != NULL && status == CS_OK)
        status = cs_waves_finish(waves, &report, &diag);
    else
        cs_waves_abandon(waves);
    cs_scenario_destroy(scenario);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    return report.what == CS_COMPARE_EQUAL ? EXIT_GOOD : EXIT_DIFFERENCE;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'},
        {"limit-cycles", required_argument, NULL, 'l'},
        {"exact-die", no_argument, NULL, 'e'},
        {"die-cache", required_argument, NULL, 'c'},
        {"no-time-limit", no_argument, NULL, 'n'},
        {"json", no_argument, NULL, 'j'},
        {"coverage", required_argument, NULL, 'C'},
        {"waves", required_argument, NULL, 'w'},
        {"window", required_argument, NULL, 'W'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    request asked = {.options = {.budget_ns = BUDGET_NS}};
    int letter;

    while ((letter = cs_cli_option(&cs_command_compare, argc, argv, ":h", options)) != -1)
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
        case 'j':
            asked.json = true;
            break;
        case 'C':
            asked.coverage = optarg;
            break;
        case 'w':
            asked.waves.path = optarg;
            break;
        case 'W':
            asked.waves.window = optarg;
            break;
        case 'h':
            return cs_cli_help(&cs_command_compare);
        default:
            return EXIT_BAD_USE;
        }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_compare, "expected one scenario, found %d", argc - optind);
    if (asked.waves.window != NULL && asked.waves.path == NULL)
        return cs_cli_usage(&cs_command_compare, "--window: of what --waves FILE is to show");
    asked.path = argv[optind];
    asked.options.die.making = tell;
    return compare(&asked);
}

const cs_command cs_command_compare = {
    .name = "compare",
    .arguments = "[--set KEY=VALUE]... [--limit-cycles N] [--no-time-limit] [--exact-die] "
                 "[--die-cache FOLDER] [--json] [--coverage FILE] "
                 "[--waves FILE [--window FROM:TO]] SCENARIO",
    .summary = "run RTL and model in lockstep and compare everything observable",
    .help =
        "  --set KEY=VALUE     overrides a key of the scenario, as bus.clock_mhz=500\n"
        "  --limit-cycles N    compares the first N bus cycles only\n"
        "  --no-time-limit     also when the RTL will take more than ten minutes\n"
        "  --exact-die         the RTL has no more than the scenario's die\n"
        "  --die-cache FOLDER  where dies that are not ready-made are kept; otherwise\n"
        "                      COUNTERSINK_CACHE, or ~/.cache/countersink\n"
        "  --json              prints the outcome as JSON (docs/verification.md)\n"
        "  --coverage FILE     adds the points that were reached to FILE ('countersink\n"
        "                      coverage' tells which)\n"
        "  --waves FILE        also writes waves: FILE (FST) and FILE.gtkw (GTKWave), with the\n"
        "                      RTL's signals and, in 'view', what model and RTL tell; around\n"
        "                      the first difference, of the whole run when there is none\n"
        "  --window FROM:TO    waves of these cycles or times, as 1000:2000 or 1.5us:2us\n\n"
        "Exit status: 0 equal, 1 different, 2 bad use or scenario, 3 I/O.\n",
    .run = run,
};
