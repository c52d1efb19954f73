#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/compare/print.h"
#include "cli/compare/waves.h"
#include "lockstep/compare.h"
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
    cs_sets sets;
    const char *coverage; /* a file; NULL: none */
    bool json;
    cs_waves_option waves;
    cs_compare_options options;
} request;

/* How to see it. */
static void print_hint(const request *asked)
{
    printf("\n  waves of it: countersink compare --waves FILE.fst");
    for (size_t i = 0; i < asked->sets.count; i++)
        printf(" --set %s", asked->sets.texts[i]);
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
    cs_status status =
        cs_scenario_load(asked->path, asked->sets.texts, asked->sets.count, &scenario, &diag);

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

enum {
    LIMIT_CYCLES = CS_OPTION_LONG,
    NO_TIME_LIMIT,
    EXACT_DIE,
    DIE_CACHE,
    JSON,
    COVERAGE,
    WAVES,
    WINDOW
};

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
    default:
        break;
    }
    return EXIT_GOOD;
}

static int run(cs_args *args)
{
    request asked = {.options = {.budget_ns = BUDGET_NS}};
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
    asked.path = args->operands[0];
    asked.options.die.making = tell;
    return compare(&asked);
}

static const cs_option options[] = {
    CS_OPTION_SET,
    {.id = LIMIT_CYCLES,
     .name = "limit-cycles",
     .value = "N",
     .text = "compares the first N bus cycles only"},
    {.id = NO_TIME_LIMIT,
     .name = "no-time-limit",
     .text = "also when the RTL will take more than ten minutes"},
    {.id = EXACT_DIE, .name = "exact-die", .text = "the RTL has no more than the scenario's die"},
    {.id = DIE_CACHE,
     .name = "die-cache",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .text = "where dies that are not ready-made are kept; otherwise COUNTERSINK_CACHE, or "
             "~/.cache/countersink"},
    {.id = JSON, .name = "json", .text = "prints the outcome as JSON (docs/verification.md)"},
    {.id = COVERAGE,
     .name = "coverage",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "adds the points that were reached to FILE (`countersink coverage` tells which)"},
    {.id = WAVES,
     .name = "waves",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text =
         "also writes waves: FILE (FST) and FILE.gtkw (GTKWave), with the RTL's signals and, in "
         "`view`, what model and RTL tell; around the first difference, of the whole run when "
         "there is none"},
    {.id = WINDOW,
     .name = "window",
     .value = "FROM:TO",
     .text = "waves of these cycles or times, as 1000:2000 or 1.5us:2us"},
    {0},
};

static const cs_example examples[] = {
    {"compare configs/pmcu/pmcu_lockstep_basic.yaml", "says EQUAL, or what differs first"},
    {0},
};

const cs_command cs_command_compare = {
    .name = "compare",
    .summary = "run RTL and model in lockstep and compare everything observable",
    .options = options,
    .operand = {"SCENARIO", "scenario", CS_VALUE_YAML, 1, 1},
    .examples = examples,
    .ends = "0 equal, 1 different, 2 bad use or scenario, 3 I/O",
    .run = run,
};
