#include <stdio.h>
#include <string.h>

#include "bus/system.h"
#include "cli/cli.h"
#include "results/run.h"
#include "results/ways.h"
#include "scenario/load.h"
#include "scenario/tell.h"

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
    const char *with_way[CS_SETS_MOST + 1];
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

enum { WAVES = CS_OPTION_LONG };

static int run(cs_args *args)
{
    cs_sets sets = {.count = 0};
    const char *output = NULL;
    int id, status = EXIT_GOOD;

    while (status == EXIT_GOOD && (id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case 'o':
            output = args->value;
            break;
        case CS_ID_SET:
            status = cs_sets_take(&sets, args);
            break;
        case WAVES:
            return cs_cli_usage(args->command,
                                "--waves: a run is that of the models, which have no signals; "
                                "'countersink compare --waves %s SCENARIO' has them",
                                args->value);
        default:
            return args->status;
        }
    return status == EXIT_GOOD ? run_scenario(args->operands[0], sets.texts, sets.count, output)
                               : status;
}

static const cs_option options[] = {
    {.id = 'o',
     .name = "output",
     .value = "DIR",
     .is = CS_VALUE_FOLDER,
     .text = "the run folder, which must not exist yet (default: runs/<name>-<n>)"},
    CS_OPTION_SET,
    {.id = WAVES,
     .name = "waves",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "only `compare` has waves"},
    {0},
};

static const cs_example examples[] = {
    {"run configs/pmcu/pmcu_demo.yaml", "prints what was counted, and where the files are"},
    {"run -o slow --set bus.clock_mhz=500 configs/pmcu/pmcu_demo.yaml",
     "the same die with a slower bus, into the folder slow"},
    {0},
};

const cs_command cs_command_run = {
    .name = "run",
    .summary = "simulate a scenario and write its samples, truth and summary",
    .options = options,
    .operand = {"SCENARIO", "scenario", CS_VALUE_YAML, 1, 1},
    .text =
        "A scenario with `ways` runs in all of them, and a table holds them side by side; --set "
        "way=NAME runs one.",
    .examples = examples,
    .ends = "0 good, 2 bad use or scenario, 3 I/O",
    .run = run,
};
