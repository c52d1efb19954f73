#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "lockstep/compare.h"
#include "scenario/load.h"
#include "scenario/tell.h"

#define MAX_SETS 64
#define MAX_WARNINGS 64

/* What an RTL comparison may take before the command asks back. */
#define BUDGET_NS (10ull * 60 * 1000000000)

static void print_tail(const char *side, const cs_compare_tail *tail)
{
    char line[256];

    printf("  %s, last records:\n", side);
    for (size_t i = 0; i < tail->count; i++) {
        bool diverging = tail->has_record && i + 1 == tail->count;

        printf("  %s %s\n", diverging ? ">" : " ",
               cs_probe_print(&tail->records[i], line, sizeof line));
    }
    if (!tail->has_record)
        printf("  > (no further record)\n");
}

static const cs_probe_record *diverging_record(const cs_compare_report *r)
{
    const cs_compare_tail *tail = r->model.has_record ? &r->model : &r->rtl;

    return &tail->records[tail->count - 1];
}

static void print_divergence(const cs_compare_report *r)
{
    char unit[64];
    const cs_probe_record *record;

    switch (r->what) {
    case CS_COMPARE_EQUAL:
        break;
    case CS_COMPARE_RECORD:
        record = diverging_record(r);
        printf("DIFFERENT at cycle %" PRIu64 ", %s, field '%s': model 0x%" PRIx64 ", RTL 0x%" PRIx64
               "\n",
               r->cycle, cs_probe_source_name(record->kind, record->source, unit, sizeof unit),
               r->field, r->model_value, r->rtl_value);
        print_tail("model", &r->model);
        print_tail("RTL", &r->rtl);
        break;
    case CS_COMPARE_END:
        printf("DIFFERENT at cycle %" PRIu64 ": the software ends in cycle %" PRId64
               " in the model and %" PRId64 " in the RTL (-1: not yet)\n",
               r->cycle, (int64_t)r->model_value, (int64_t)r->rtl_value);
        break;
    case CS_COMPARE_MEMORY:
        printf("DIFFERENT: all records agree, but memory at 0x%" PRIx64
               " is 0x%02x in the model and 0x%02x in the RTL\n",
               r->address, (unsigned)r->model_value, (unsigned)r->rtl_value);
        break;
    }
}

static void print_equal(const cs_compare_report *r)
{
    printf("EQUAL: %" PRIu64 " cycles, %" PRIu64 " records (%" PRIu64 " transfers, %" PRIu64
           " register accesses, %" PRIu64 " states, %" PRIu64 " interrupt edges, %" PRIu64
           " samples)",
           r->cycles, r->records, r->of_kind[CS_PROBE_BUS], r->of_kind[CS_PROBE_REG],
           r->of_kind[CS_PROBE_STATE], r->of_kind[CS_PROBE_IRQ],
           r->of_kind[CS_PROBE_SAMPLE] + r->perf_samples);
    if (r->memory)
        printf(", %" PRIu64 " KiB of memory\n", r->memory_bytes / 1024);
    else
        printf("; memory not compared (cut before the software ended)\n");
}

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

static int compare(const char *path, const char *const sets[], size_t nr_sets,
                   const cs_compare_options *asked)
{
    cs_compare_options options = *asked;
    cs_scenario *scenario;
    cs_compare_report report;
    warnings warned = {.count = 0};
    cs_progress progress;
    cs_diag diag = {0};

    if (cs_scenario_load(path, sets, nr_sets, &scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    cs_scenario_tell_warnings(scenario, stderr);
    cs_progress_begin(&progress, scenario,
                      options.limit_cycles != 0 ? options.limit_cycles
                                                : cs_scenario_least_cycles(scenario));
    options.progress = cs_progress_show;
    options.progress_ctx = &progress;
    options.warn = warn;
    options.warn_ctx = &warned;
    options.die.making = tell;
    cs_status status = cs_compare(scenario, &options, &report, &diag);
    cs_progress_end(&progress);
    print_warnings(&warned);
    cs_scenario_destroy(scenario);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    if (report.what != CS_COMPARE_EQUAL) {
        print_divergence(&report);
        return EXIT_DIFFERENCE;
    }
    print_equal(&report);
    return EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'},
        {"limit-cycles", required_argument, NULL, 'l'},
        {"exact-die", no_argument, NULL, 'e'},
        {"die-cache", required_argument, NULL, 'c'},
        {"no-time-limit", no_argument, NULL, 'n'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const char *sets[MAX_SETS];
    size_t nr_sets = 0;
    cs_compare_options asked = {.budget_ns = BUDGET_NS};
    int letter;

    while ((letter = cs_cli_option(&cs_command_compare, argc, argv, ":h", options)) != -1)
        switch (letter) {
        case 's':
            if (nr_sets == MAX_SETS)
                return cs_cli_usage(&cs_command_compare, "more than %d --set", MAX_SETS);
            sets[nr_sets++] = optarg;
            break;
        case 'l':
            if (!cs_number_of(optarg, INT64_MAX, &asked.limit_cycles) || asked.limit_cycles == 0)
                return cs_cli_usage(&cs_command_compare,
                                    "--limit-cycles: found '%s', expected a number of cycles "
                                    "above 0",
                                    optarg);
            break;
        case 'n':
            asked.budget_ns = 0;
            break;
        case 'e':
            asked.die.exact = true;
            break;
        case 'c':
            asked.die.cache = optarg;
            break;
        case 'h':
            return cs_cli_help(&cs_command_compare);
        default:
            return EXIT_BAD_USE;
        }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_compare, "expected one scenario, found %d", argc - optind);
    return compare(argv[optind], sets, nr_sets, &asked);
}

const cs_command cs_command_compare = {
    .name = "compare",
    .arguments = "[--set KEY=VALUE]... [--limit-cycles N] [--no-time-limit] [--exact-die] "
                 "[--die-cache FOLDER] SCENARIO",
    .summary = "run RTL and model in lockstep and compare everything observable",
    .help = "  --set KEY=VALUE     overrides a key of the scenario, as bus.clock_mhz=500\n"
            "  --limit-cycles N    compares the first N bus cycles only\n"
            "  --no-time-limit     also when the RTL will take more than ten minutes\n"
            "  --exact-die         the RTL has no more than the scenario's die\n"
            "  --die-cache FOLDER  where dies that are not ready-made are kept; otherwise\n"
            "                      COUNTERSINK_CACHE, or ~/.cache/countersink\n\n"
            "Exit status: 0 equal, 1 different, 2 bad use or scenario, 3 I/O.\n",
    .run = run,
};
