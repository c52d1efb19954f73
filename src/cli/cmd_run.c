#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bus/system.h"
#include "cli/cli.h"
#include "results/run.h"
#include "scenario/load.h"

#define MAX_SETS 64
#define TERMINAL_EVENTS 12

static void print_pmcu(const cs_scenario *s)
{
    printf("  %u clusters x %u slots at %u MHz, %u counters (%s), PMCU %u lane%s%s%s\n",
           s->pmcu.clusters, s->pmcu.slots, s->core.clock_mhz, s->core.counters,
           s->core.ext64 ? "ext64" : "ext32", s->pmcu.lanes, s->pmcu.lanes == 1 ? "" : "s",
           s->pmcu.broadcast ? ", broadcast" : "", s->pmcu.prefetch ? ", prefetch" : "");
}

static void print_imc(const cs_scenario *s)
{
    printf("  %u %s core%s x %u threads at %u MHz%s\n", s->imc.cores,
           s->imc.power10 ? "POWER10" : "POWER9", s->imc.cores == 1 ? "" : "s", s->imc.threads,
           s->core.clock_mhz, s->nest.present ? ", nest" : "");
}

static void print_harts(const cs_scenario *s)
{
    static const char *const modes[] = {"M", "M U", "M S U", "M S U, and VS VU"};
    static const char *const kinds[] = {"SBI", "legacy", "delegated", "proposal's"};

    printf("  %u RV%u hart%s at %u MHz, modes %s, %u counters of %u bits; %s driver%s\n",
           s->harts.count, s->harts.xlen, s->harts.count == 1 ? "" : "s", s->core.clock_mhz,
           modes[s->harts.modes], s->harts.counters, s->harts.width, kinds[s->riscv.driver.kind],
           s->riscv.has_guest ? ", a guest" : "");
}

static void print_uncore(const cs_scenario *s)
{
    printf("  %zu uncore unit%s behind %zu bridge%s\n", s->uncore.nr_units,
           s->uncore.nr_units == 1 ? "" : "s", s->uncore.nr_bridges,
           s->uncore.nr_bridges == 1 ? "" : "s");
}

static void print_effective(const cs_scenario *s)
{
    printf("%s: bus %u MHz %s\n", s->name, s->bus.clock_mhz,
           s->bus.per_target ? "per target" : "shared");
    if (cs_scenario_has_pmcu(s))
        print_pmcu(s);
    if (s->imc.cores != 0)
        print_imc(s);
    if (s->harts.count != 0)
        print_harts(s);
    if (s->uncore.nr_units != 0)
        print_uncore(s);
    if (!cs_scenario_runs(s, CS_SOFTWARE_PMCU_DRIVER))
        return;
    printf("  %u events, %u samples, %" PRIu32 " ticks (%.3f ms) each group%s, driver on CPU %u\n",
           s->driver.nr_user_events, s->driver.nr_sample, s->driver.sample_period_ticks,
           s->driver.sample_period_ticks / 50000.0, s->driver.comp ? ", compatibility mode" : "",
           s->software.cpu);
}

static void print_warnings(const cs_run_result *result)
{
    for (size_t i = 0; i < result->nr_warnings; i++)
        fprintf(stderr, "warning: %s\n", result->warnings[i]);
}

static int run_scenario(const char *path, const char *const sets[], size_t nr_sets,
                        const char *output)
{
    cs_scenario *scenario;
    cs_run_result result;
    cs_progress progress;
    cs_diag diag = {0};

    if (cs_scenario_load(path, sets, nr_sets, &scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    print_effective(scenario);
    for (size_t i = 0; i < scenario->nr_warnings; i++)
        fprintf(stderr, "warning: %s:%u:%u: %s\n", scenario->source, scenario->warnings[i].line,
                scenario->warnings[i].column, scenario->warnings[i].text);
    cs_progress_begin(&progress, scenario, cs_scenario_least_cycles(scenario));
    cs_run_options options = {
        .output = output,
        .make_system = cs_model_system_create,
        .progress = cs_progress_show,
        .progress_ctx = &progress,
    };
    cs_status status = cs_run(scenario, &options, &result, &diag);
    cs_progress_end(&progress);
    if (status != CS_OK) {
        cs_scenario_destroy(scenario);
        return cs_cli_fail(&diag);
    }
    cs_summary_text(&result.summary, TERMINAL_EVENTS, stdout);
    print_warnings(&result);
    printf("\nfiles: %s\n", result.folder);
    cs_run_result_destroy(&result);
    cs_scenario_destroy(scenario);
    return EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"set", required_argument, NULL, 's'},
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
            "  --set KEY=VALUE     overrides a key of the scenario, as pmcu.lanes=2\n\n"
            "Exit status: 0 good, 2 bad use or scenario, 3 I/O.\n",
    .run = run,
};
