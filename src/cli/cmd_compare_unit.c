#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "foreign/foreign.h"
#include "foreign/map.h"
#include "scenario/yaml/suggest.h"

#define PROGRAMS 200u
#define CYCLES 2000u
#define MOST_PROGRAMS 10000000u
#define MOST_CYCLES 100000u

static void tell(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "countersink: %s\n", text);
}

static void print_touched(const cs_foreign_report *r)
{
    for (size_t i = 0; i < r->nr_touched; i++)
        printf("  %-16s %10" PRIu64 " read %10" PRIu64 " written %10" PRIu64 " refused\n",
               r->touched[i].name, r->touched[i].reads, r->touched[i].writes,
               r->touched[i].refused);
}

static void print_difference(const cs_foreign_unit *unit, const cs_foreign_report *r)
{
    printf("DIFFERENT in the program of seed %" PRIu64 " at cycle %" PRIu64 ", %s: model 0x%" PRIx64
           ", RTL 0x%" PRIx64 "\n  %s (%s)\n  settings: %s\n  the last accesses:\n",
           r->seed, r->cycle, r->pin, r->model, r->rtl, r->what, unit->page, r->settings);
    for (unsigned i = 0; i < r->nr_recent; i++)
        printf("    %s\n", r->recent[i]);
    printf("  again: --seed %" PRIu64 " --programs 1\n", r->seed);
}

static void print_equal(const cs_foreign_report *r)
{
    printf("EQUAL: %u programs, %" PRIu64 " cycles, %" PRIu64 " accesses (%" PRIu64
           " refused), %" PRIu64 " interrupt edges\n",
           r->programs, r->cycles, r->accesses, r->refused, r->edges);
}

static int compare(const cs_foreign_unit *unit, const char *map, const cs_foreign_rtl *rtl,
                   const cs_foreign_options *options, bool registers)
{
    cs_foreign_report report;
    cs_diag diag = {0};
    int status = EXIT_GOOD;

    if (cs_foreign_compare(unit, map, rtl, options, &report, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    if (report.pin != NULL) {
        print_difference(unit, &report);
        status = EXIT_DIFFERENCE;
    } else if (report.accesses == report.refused) {
        printf("UNDECIDED: no register was accessed in %u programs; the MAP leaves out too much\n",
               report.programs);
        status = EXIT_UNDECIDED;
    } else {
        print_equal(&report);
    }
    if (registers)
        print_touched(&report);
    cs_foreign_report_clear(&report);
    return status;
}

/* ---- help ---- */

static void list_unit(void *ctx, const cs_foreign_unit *unit)
{
    (void)ctx;
    printf("\nPins of %s (%s):\n", unit->name, unit->page);
    for (size_t i = 0; unit->pins[i].name != NULL; i++)
        printf("  %-16s %s %3u  %s%s\n", unit->pins[i].name, unit->pins[i].output ? "out" : "in ",
               unit->pins[i].width, unit->pins[i].tells,
               unit->pins[i].needed ? "; has to be there" : "");
    printf("Settings of %s:\n", unit->name);
    for (size_t i = 0; unit->settings[i].name != NULL; i++)
        printf("  %-16s %s\n", unit->settings[i].name, unit->settings[i].tells);
}

static void more_help(void)
{
    printf("\nKeys of a MAP (docs/yours/rtl.md):\n");
    for (const char *const *line = cs_foreign_map_keys(); *line != NULL; line++)
        printf("  %s\n", *line);
    cs_foreign_each_unit(list_unit, NULL);
}

/* ---- arguments ---- */

static void offer(void *ctx, const cs_foreign_unit *unit)
{
    cs_suggest_offer(ctx, unit->name);
}

static int no_unit(const char *name)
{
    cs_suggest suggest = cs_suggest_begin(name);
    const char *nearest;

    cs_foreign_each_unit(offer, &suggest);
    nearest = cs_suggest_end(&suggest);
    if (nearest != NULL)
        return cs_cli_usage(&cs_command_compare_unit,
                            "no unit '%s' can be compared; did you mean '%s'?", name, nearest);
    return cs_cli_usage(&cs_command_compare_unit, "no unit '%s' can be compared", name);
}

static bool number(const char *text, uint64_t most, unsigned *out)
{
    uint64_t value;

    if (!cs_number_of(text, most, &value) || value == 0)
        return false;
    *out = (unsigned)value;
    return true;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"rtl", required_argument, NULL, 'r'},
        {"include", required_argument, NULL, 'I'},
        {"top", required_argument, NULL, 't'},
        {"map", required_argument, NULL, 'm'},
        {"programs", required_argument, NULL, 'p'},
        {"cycles", required_argument, NULL, 'c'},
        {"seed", required_argument, NULL, 's'},
        {"die-cache", required_argument, NULL, 'd'},
        {"registers", no_argument, NULL, 'R'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    static cs_foreign_rtl rtl;
    cs_foreign_options asked = {.seed = 1, .programs = PROGRAMS, .cycles = CYCLES};
    const cs_foreign_unit *unit;
    const char *map = NULL;
    bool registers = false;
    int letter;

    rtl.making = tell;
    while ((letter = cs_cli_option(&cs_command_compare_unit, argc, argv, ":h", options)) != -1)
        switch (letter) {
        case 'r':
        case 'I':
            if (rtl.nr_files == CS_FOREIGN_MAX_FILES || rtl.nr_includes == CS_FOREIGN_MAX_FILES)
                return cs_cli_usage(&cs_command_compare_unit, "more than %u files",
                                    CS_FOREIGN_MAX_FILES);
            if (letter == 'r')
                rtl.files[rtl.nr_files++] = optarg;
            else
                rtl.includes[rtl.nr_includes++] = optarg;
            break;
        case 't':
            rtl.top = optarg;
            break;
        case 'm':
            map = optarg;
            break;
        case 'p':
            if (!number(optarg, MOST_PROGRAMS, &asked.programs))
                return cs_cli_usage(&cs_command_compare_unit,
                                    "--programs: found '%s', expected 1 to %u", optarg,
                                    MOST_PROGRAMS);
            break;
        case 'c':
            if (!number(optarg, MOST_CYCLES, &asked.cycles))
                return cs_cli_usage(&cs_command_compare_unit,
                                    "--cycles: found '%s', expected 1 to %u", optarg, MOST_CYCLES);
            break;
        case 's':
            if (!cs_number_of(optarg, UINT64_MAX, &asked.seed))
                return cs_cli_usage(&cs_command_compare_unit,
                                    "--seed: found '%s', expected a number", optarg);
            break;
        case 'd':
            rtl.cache = optarg;
            break;
        case 'R':
            registers = true;
            break;
        case 'h':
            return cs_cli_help(&cs_command_compare_unit);
        default:
            return EXIT_BAD_USE;
        }
    if (optind == argc)
        return cs_cli_usage(&cs_command_compare_unit, "expected a unit");
    unit = cs_foreign_find_unit(argv[optind]);
    if (unit == NULL)
        return no_unit(argv[optind]);
    for (int i = optind + 1; i < argc && rtl.nr_files < CS_FOREIGN_MAX_FILES; i++)
        rtl.files[rtl.nr_files++] = argv[i];
    if (rtl.nr_files == 0 || rtl.top == NULL || map == NULL)
        return cs_cli_usage(&cs_command_compare_unit, "expected %s",
                            rtl.nr_files == 0 ? "--rtl FILE"
                            : rtl.top == NULL ? "--top MODULE"
                                              : "--map FILE");
    return compare(unit, map, &rtl, &asked, registers);
}

const cs_command cs_command_compare_unit = {
    .name = "compare-unit",
    .arguments = "UNIT --rtl FILE... --top MODULE --map FILE [--include FOLDER]... "
                 "[--programs N] [--cycles N] [--seed S] [--registers] [--die-cache FOLDER]",
    .summary = "hold your own RTL of a unit against our model, at its pins",
    .help = "  --rtl FILE...       its sources, in the order in which they are read\n"
            "  --include FOLDER    where its `include files are\n"
            "  --top MODULE        the module\n"
            "  --map FILE          which of its ports is which of our pins (YAML)\n"
            "  --programs N        random programs; 200 when nothing is said\n"
            "  --cycles N          of each, before all registers are read; 2000\n"
            "  --seed S            of the first program; the next ones follow\n"
            "  --registers         also prints what was done to each register\n"
            "  --die-cache FOLDER  where what is verilated is kept; otherwise\n"
            "                      COUNTERSINK_CACHE, or ~/.cache/countersink\n\n"
            "Exit status: 0 equal, 1 different, 2 bad use or MAP, 3 I/O, 4 nothing was compared.\n",
    .more_help = more_help,
    .run = run,
};
