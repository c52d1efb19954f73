#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bus/system.h"
#include "cli/cli.h"
#include "results/run.h"
#include "results/ways.h"
#include "scenario/load.h"

#define MAX_SETS 64
#define TERMINAL_EVENTS 12

static void print_pmcu(const cs_scenario *s)
{
    printf("  %u clusters x %u slots at %u MHz, %u counters (%s), PMCU %u lane%s%s%s\n",
           s->pmcu->clusters, s->pmcu->slots, s->corepmu->clock_mhz, s->corepmu->counters,
           s->corepmu->ext64 ? "ext64" : "ext32", s->pmcu->lanes, s->pmcu->lanes == 1 ? "" : "s",
           s->pmcu->broadcast ? ", broadcast" : "", s->pmcu->prefetch ? ", prefetch" : "");
}

static void print_imc(const cs_scenario *s)
{
    printf("  %u %s core%s x %u threads at %u MHz%s\n", s->imc->cores,
           s->imc->power10 ? "POWER10" : "POWER9", s->imc->cores == 1 ? "" : "s", s->imc->threads,
           s->corepmu->clock_mhz, s->nest->present ? ", nest" : "");
}

static void print_harts(const cs_scenario *s)
{
    static const char *const modes[] = {"M", "M U", "M S U", "M S U, and VS VU"};
    static const char *const kinds[] = {"SBI", "legacy", "delegated", "proposal's"};

    printf("  %u RV%u hart%s at %u MHz, modes %s, %u counters of %u bits; %s driver%s\n",
           s->harts->count, s->harts->xlen, s->harts->count == 1 ? "" : "s", s->corepmu->clock_mhz,
           modes[s->harts->modes], s->harts->counters, s->harts->width,
           kinds[s->riscv->driver.kind], s->riscv->has_guest ? ", a guest" : "");
}

static void print_uncore(const cs_scenario *s)
{
    printf("  %zu uncore unit%s behind %zu bridge%s\n", s->uncore->nr_units,
           s->uncore->nr_units == 1 ? "" : "s", s->uncore->nr_bridges,
           s->uncore->nr_bridges == 1 ? "" : "s");
}

static void print_multiplex(const cs_scenario *s)
{
    const cs_multiplex_spec *m = s->multiplex;
    unsigned cpus = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        cpus += m->cpus[cpu];
    printf(
        "  perf: %u events on %u counters of %u bits and the cycle counter, %u CPU%s, tick %u us, "
        "perf %s\n",
        m->nr_events, m->counters, m->counter_bits, cpus, cpus == 1 ? "" : "s", m->tick_us,
        m->calls ? "calls the CPUs" : "goes to the CPUs");
}

static void print_effective(const cs_scenario *s)
{
    printf("%s: bus %u MHz %s\n", s->name, s->bus->clock_mhz,
           s->bus->per_target ? "per target" : "shared");
    if (cs_scenario_has_pmcu(s))
        print_pmcu(s);
    if (s->imc->cores != 0)
        print_imc(s);
    if (s->harts->count != 0)
        print_harts(s);
    if (s->uncore->nr_units != 0)
        print_uncore(s);
    if (cs_scenario_runs(s, CS_SOFTWARE_MULTIPLEX))
        print_multiplex(s);
    if (!cs_scenario_runs(s, CS_SOFTWARE_PMCU_DRIVER))
        return;
    printf("  %u events, %u samples, %" PRIu32 " ticks (%.3f ms) each group%s, driver on CPU %u\n",
           s->pmcu_driver->nr_user_events, s->pmcu_driver->nr_sample,
           s->pmcu_driver->sample_period_ticks, s->pmcu_driver->sample_period_ticks / 50000.0,
           s->pmcu_driver->comp ? ", compatibility mode" : "", s->software->cpu);
}

static void print_warnings(const cs_run_result *result)
{
    for (size_t i = 0; i < result->nr_warnings; i++)
        fprintf(stderr, "warning: %s\n", result->warnings[i]);
}

static void print_scenario(const cs_scenario *scenario)
{
    print_effective(scenario);
    for (size_t i = 0; i < scenario->nr_warnings; i++)
        fprintf(stderr, "warning: %s:%u:%u: %s\n", scenario->source, scenario->warnings[i].line,
                scenario->warnings[i].column, scenario->warnings[i].text);
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
            "A scenario with `ways` runs in all of them, and a table holds them side by side;\n"
            "--set way=NAME runs one.\n\n"
            "Exit status: 0 good, 2 bad use or scenario, 3 I/O.\n",
    .run = run,
};
