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
           " refused), %" PRIu64 " interrupt edges",
           r->programs, r->cycles, r->accesses, r->refused, r->edges);
    if (r->transfers != 0)
        printf(", %" PRIu64 " transfers", r->transfers);
    printf("\n");
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
    FILE *out = ctx;

    fprintf(out, "\nPins of %s (%s):\n", unit->name, unit->page);
    for (size_t i = 0; unit->pins[i].name != NULL; i++)
        fprintf(out, "  %-16s %s %3u  %s%s\n", unit->pins[i].name,
                unit->pins[i].output ? "out" : "in ", unit->pins[i].width, unit->pins[i].tells,
                unit->pins[i].needed ? "; has to be there" : "");
    fprintf(out, "Settings of %s:\n", unit->name);
    for (size_t i = 0; unit->settings[i].name != NULL; i++)
        fprintf(out, "  %-16s %s\n", unit->settings[i].name, unit->settings[i].tells);
}

static void more_help(FILE *out)
{
    fprintf(out, "Keys of a MAP (docs/yours/rtl.md):\n");
    for (const char *const *line = cs_foreign_map_keys(); *line != NULL; line++)
        fprintf(out, "  %s\n", *line);
    cs_foreign_each_unit(list_unit, out);
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

enum {
    RTL = CS_OPTION_LONG,
    INCLUDE,
    TOP,
    MAP,
    PROGRAMS_OPTION,
    CYCLES_OPTION,
    SEED,
    DIE_CACHE,
    REGISTERS
};

typedef struct request {
    cs_foreign_rtl *rtl;
    cs_foreign_options options;
    const char *map;
    bool registers;
} request;

static int take_option(int id, const cs_args *args, request *asked)
{
    cs_foreign_rtl *rtl = asked->rtl;

    switch (id) {
    case RTL:
    case INCLUDE:
        if (rtl->nr_files == CS_FOREIGN_MAX_FILES || rtl->nr_includes == CS_FOREIGN_MAX_FILES)
            return cs_cli_usage(args->command, "more than %u files", CS_FOREIGN_MAX_FILES);
        if (id == RTL)
            rtl->files[rtl->nr_files++] = args->value;
        else
            rtl->includes[rtl->nr_includes++] = args->value;
        break;
    case TOP:
        rtl->top = args->value;
        break;
    case MAP:
        asked->map = args->value;
        break;
    case PROGRAMS_OPTION:
        if (!number(args->value, MOST_PROGRAMS, &asked->options.programs))
            return cs_cli_usage(args->command, "--programs: found '%s', expected 1 to %u",
                                args->value, MOST_PROGRAMS);
        break;
    case CYCLES_OPTION:
        if (!number(args->value, MOST_CYCLES, &asked->options.cycles))
            return cs_cli_usage(args->command, "--cycles: found '%s', expected 1 to %u",
                                args->value, MOST_CYCLES);
        break;
    case SEED:
        if (!cs_number_of(args->value, UINT64_MAX, &asked->options.seed))
            return cs_cli_usage(args->command, "--seed: found '%s', expected a number",
                                args->value);
        break;
    case DIE_CACHE:
        rtl->cache = args->value;
        break;
    case REGISTERS:
        asked->registers = true;
        break;
    default:
        return args->status;
    }
    return EXIT_GOOD;
}

static int run(cs_args *args)
{
    static cs_foreign_rtl rtl = {.making = tell};
    request asked = {&rtl, {.seed = 1, .programs = PROGRAMS, .cycles = CYCLES}, NULL, false};
    const cs_foreign_unit *unit;
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END) {
        const int status = take_option(id, args, &asked);

        if (status != EXIT_GOOD || id == CS_ARGS_STOP)
            return status;
    }
    unit = cs_foreign_find_unit(args->operands[0]);
    if (unit == NULL)
        return no_unit(args->operands[0]);
    for (int i = 1; i < args->nr_operands && rtl.nr_files < CS_FOREIGN_MAX_FILES; i++)
        rtl.files[rtl.nr_files++] = args->operands[i];
    if (rtl.nr_files == 0 || rtl.top == NULL || asked.map == NULL)
        return cs_cli_usage(args->command, "expected %s",
                            rtl.nr_files == 0 ? "--rtl FILE"
                            : rtl.top == NULL ? "--top MODULE"
                                              : "--map FILE");
    return compare(unit, asked.map, &rtl, &asked.options, asked.registers);
}

static const cs_option options[] = {
    {.id = RTL,
     .name = "rtl",
     .value = "FILE...",
     .is = CS_VALUE_FILE,
     .needed = true,
     .text = "its sources, in the order in which they are read"},
    {.id = TOP, .name = "top", .value = "MODULE", .needed = true, .text = "the module"},
    {.id = MAP,
     .name = "map",
     .value = "FILE",
     .is = CS_VALUE_YAML,
     .needed = true,
     .text = "which of its ports is which of our pins (YAML)"},
    {.id = INCLUDE,
     .name = "include",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .many = true,
     .text = "where its `include files are"},
    {.id = PROGRAMS_OPTION,
     .name = "programs",
     .value = "N",
     .text = "random programs; 200 when nothing is said"},
    {.id = CYCLES_OPTION,
     .name = "cycles",
     .value = "N",
     .text = "of each, before all registers are read; 2000"},
    {.id = SEED,
     .name = "seed",
     .value = "S",
     .text = "of the first program; the next ones follow"},
    {.id = REGISTERS, .name = "registers", .text = "also prints what was done to each register"},
    {.id = DIE_CACHE,
     .name = "die-cache",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .text = "where what is verilated is kept; otherwise COUNTERSINK_CACHE, or "
             "~/.cache/countersink"},
    {0},
};

static const cs_example examples[] = {
    {"compare-unit hpm --rtl my_counters.sv --top my_counters --map my.yaml",
     "random programs at the pins of both, until they differ"},
    {0},
};

const cs_command cs_command_compare_unit = {
    .name = "compare-unit",
    .summary = "hold your own RTL of a unit against our model, at its pins",
    .options = options,
    .operand = {"UNIT", "unit", CS_VALUE_UNIT, 1, CS_OPERANDS_ANY, true},
    .more = more_help,
    .examples = examples,
    .ends = "0 equal, 1 different, 2 bad use or MAP, 3 I/O, 4 nothing was compared",
    .run = run,
};
