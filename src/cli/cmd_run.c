#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "bus/system.h"
#include "cli/cli.h"
#include "results/run.h"
#include "results/ways.h"
#include "scenario/load.h"
#include "scenario/tell.h"

#define MAX_SETS 64
#define TERMINAL_EVENTS 12

static void print_warnings(const cs_run_result *result)
{
    for (size_t i = 0; i < result->nr_warnings; i++)
        fprintf(stderr, "warning: %s\n", result->warnings[i]);
}

static void print_scenario(const cs_scenario *scenario)
{
    cs_scenario_tell(scenario, stdout);
    cs_scenario_tell_warnings(scenario, stderr);
}

static int run_one(const cs_scenario *scenario, const char *output)
{
    cs_run_result result;
    cs_progress progress;
    cs_diag diag = {0};

    print_scenario(scenario);
    cs_progress_begin(&progress, scenario, cs_scenario_least_cycles(scenario));
    cs_run_options options = {
        .output = output,
        .make_system = cs_model_system_create,
        .progress = cs_progress_show,
        .progress_ctx = &progress,
    };
    cs_status status = cs_run(scenario, &options, &result, &diag);
    cs_progress_end(&progress);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    cs_summary_text(&result.summary, TERMINAL_EVENTS, stdout);
    print_warnings(&result);
    printf("\nfiles: %s\n", result.folder);
    cs_run_result_destroy(&result);
    return EXIT_GOOD;
}

/* Each way's scenario, as if it had been named; all of them are loaded before the first one runs. */
static cs_status load_ways(const char *path, const char *const sets[], size_t nr_sets,
                           const cs_scenario *first, cs_scenario *out[], cs_diag *diag)
{
    const char *with_way[MAX_SETS + 1];
    cs_status status = CS_OK;

    for (size_t i = 0; i < nr_sets; i++)
        with_way[i] = sets[i];
    for (size_t i = 0; i < first->nr_ways && status == CS_OK; i++) {
        char way[CS_NAME_BYTES + 8];

        snprintf(way, sizeof way, "way=%s", first->ways[i].name);
        with_way[nr_sets] = way;
        status = cs_scenario_load(path, with_way, nr_sets + 1, &out[i], diag);
    }
    return status;
}

static int run_ways(const char *path, const char *const sets[], size_t nr_sets,
                    const cs_scenario *first, const char *output)
{
    const cs_run_options options = {.output = output, .make_system = cs_model_system_create};
    const size_t count = first->nr_ways;
    cs_scenario *scenarios[CS_WAYS_MOST] = {NULL};
    cs_way_result results[CS_WAYS_MOST];
    char folder[4096];
    cs_diag diag = {0};
    cs_status status = load_ways(path, sets, nr_sets, first, scenarios, &diag);

    for (size_t i = 0; i < count && status == CS_OK; i++) {
        printf("way %s\n", scenarios[i]->way);
        print_scenario(scenarios[i]);
    }
    if (status == CS_OK)
        status = cs_run_ways(scenarios, count, &options, results, folder, &diag);
    if (status == CS_OK) {
        printf("\n");
        cs_ways_text(first->ways, results, count, stdout);
        printf("\nfiles: %s\n", folder);
    }
    for (size_t i = 0; i < count; i++)
        cs_scenario_destroy(scenarios[i]);
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int run_scenario(const char *path, const char *const sets[], size_t nr_sets,
                        const char *output)
{
    cs_scenario *scenario;
    cs_diag diag = {0};
    int exit_status;

    if (cs_scenario_load(path, sets, nr_sets, &scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    if (scenario->nr_ways != 0 && scenario->way[0] == '\0')
        exit_status = run_ways(path, sets, nr_sets, scenario, output);
    else
        exit_status = run_one(scenario, output);
    cs_scenario_destroy(scenario);
    return exit_status;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"set", required_argument, NULL, 's'},
        {"waves", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const char *sets[MAX_SETS];
    size_t nr_sets = 0;
    const char *output = NULL;
    int letter;

    while ((letter = cs_cli_option(&cs_command_run, argc, argv, ":o:h", options)) != -1)
        switch (letter) {
        case 'o':
            output = optarg;
            break;
        case 's':
            if (nr_sets == MAX_SETS)
                return cs_cli_usage(&cs_command_run, "more than %d --set", MAX_SETS);
            sets[nr_sets++] = optarg;
            break;
        case 'w':
            return cs_cli_usage(&cs_command_run,
                                "--waves: a run is that of the models, which have no signals; "
                                "'countersink compare --waves %s SCENARIO' has them",
                                optarg);
        case 'h':
            return cs_cli_help(&cs_command_run);
        default:
            return EXIT_BAD_USE;
        }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_run, "expected one scenario, found %d", argc - optind);
    return run_scenario(argv[optind], sets, nr_sets, output);
}

const cs_command cs_command_run = {
    .name = "run",
    .arguments = "[-o DIR] [--set KEY=VALUE]... SCENARIO",
    .summary = "simulate a scenario and write its samples, truth and summary",
    .help = "  -o, --output DIR    the run folder, which must not exist yet\n"
            "                      (default: runs/<name>-<n>)\n"
            "  --set KEY=VALUE     overrides a key of the scenario, as bus.clock_mhz=500\n\n"
            "A scenario with `ways` runs in all of them, and a table holds them side by side;\n"
            "--set way=NAME runs one.\n\n"
            "Exit status: 0 good, 2 bad use or scenario, 3 I/O.\n",
    .run = run,
};
