#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/compare_looked.h"
#include "cli/compare_random.h"
#include "lockstep/compare.h"
#include "lockstep/random/random.h"
#include "lockstep/trial.h"
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
    case CS_COMPARE_IDLE:
    case CS_COMPARE_NOTHING:
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

static void print_equal(const cs_compare_report *r, const cs_exercise *exercise)
{
    cs_cli_print_verdict(r->what, exercise);
    printf("%" PRIu64 " cycles, %" PRIu64 " records (%" PRIu64 " transfers, %" PRIu64
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

static bool asked_long; /* --long */

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
    cs_status status = cs_exercise_create(&options.exercise, &diag);
    if (status == CS_OK)
        status = cs_compare(scenario, &options, &report, &diag);
    cs_progress_end(&progress);
    print_warnings(&warned);
    cs_scenario_destroy(scenario);
    int answer = EXIT_GOOD;
    if (status != CS_OK)
        answer = cs_cli_fail(&diag);
    else if (cs_compare_differs(report.what))
        answer = EXIT_DIFFERENCE;
    else if (report.what != CS_COMPARE_EQUAL)
        answer = EXIT_UNDECIDED;
    if (answer == EXIT_DIFFERENCE)
        print_divergence(&report);
    else if (status == CS_OK)
        print_equal(&report, options.exercise);
    if (status == CS_OK)
        cs_cli_print_looked(options.exercise, asked_long);
    cs_exercise_destroy(options.exercise);
    return answer;
}

/* ---- many comparisons: compare_random.h ---- */

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

static int compare_random(const cs_random_asked *r, int argc, const cs_compare_options *asked)
{
    char names[256];
    char path[CS_CLI_PATH];
    int status;

    if (optind != argc)
        return cs_cli_usage(&cs_command_compare, "--random draws its scenarios: expected no file");
    if (r->shrink)
        return cs_cli_usage(&cs_command_compare, "--shrink is for a scenario, not for --random; "
                                                 "--keep shrinks what --random finds");
    if (!cs_random_knows(r->unit, names, sizeof names))
        return cs_cli_usage(&cs_command_compare, "--unit: found '%s', expected one of %s", r->unit,
                            names);
    status = cs_cli_random(r, path);
    return status == CS_CLI_DIFFERENCE_LEFT ? compare(path, NULL, 0, asked) : status;
}

static int compare_shrunk(const cs_random_asked *r, const char *name, const char *const sets[],
                          size_t nr_sets, const cs_compare_options *asked)
{
    char path[CS_CLI_PATH];
    const int status = cs_cli_shrink(r, name, sets, nr_sets, path);

    return status == CS_CLI_DIFFERENCE_LEFT ? compare(path, NULL, 0, asked) : status;
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
        {"help", no_argument, NULL, 'h'},          {0},
    };
    const char *sets[MAX_SETS];
    size_t nr_sets = 0;
    cs_compare_options asked = {.budget_ns = BUDGET_NS};
    cs_random_asked random = {.seed = 1, .jobs = 1, .die = &asked.die};
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
        case 'L':
            asked_long = true;
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
    }
    if (random.scenarios != 0)
        return compare_random(&random, argc, &asked);
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_compare, "expected one scenario, found %d", argc - optind);
    return random.shrink ? compare_shrunk(&random, argv[optind], sets, nr_sets, &asked)
                         : compare(argv[optind], sets, nr_sets, &asked);
}

const cs_command cs_command_compare = {
    .name = "compare",
    .arguments = "[--set KEY=VALUE]... [--limit-cycles N] [--no-time-limit] [--exact-die] "
                 "[--die-cache FOLDER] [--long] SCENARIO\n"
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
        "  --long              each part's registers, not only how many\n\n"
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
