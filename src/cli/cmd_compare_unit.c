// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/compare_unit/outcome.h"
#include "foreign/map.h"
#include "scenario/yaml/suggest.h"

#define PROGRAMS 200u
#define MOST_PROGRAMS 10000000u
#define MOST_CYCLES 100000u

static void tell(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "countersink: %s\n", text);
}

typedef struct request {
    cs_foreign_rtl *rtl;
    cs_foreign_options options;
    const char *map, *waves;
    bool registers, json;
} request;

static int compare(const cs_foreign_unit *unit, const request *asked)
{
    cs_foreign_report report;
    cs_diag diag = {0};
    int status;

    if (cs_foreign_compare(unit, asked->map, asked->rtl, &asked->options, asked->waves, &report,
                           &diag) != CS_OK)
        return cs_cli_fail(&diag);
    if (asked->json)
        cs_unit_print_json(unit, &report, stdout);
    else
        cs_unit_print(&report, stdout);
    if (asked->registers && !asked->json)
        cs_unit_print_touched(&report, stdout);
    if (asked->waves != NULL)
        fprintf(stderr, "countersink: waves of cycles %llu to %llu: gtkwave %s.gtkw\n",
                (unsigned long long)report.waves_from, (unsigned long long)report.waves_until - 1,
                asked->waves);
    status = cs_unit_answer(&report);
    cs_foreign_report_clear(&report);
    return status;
}

/* ---- help ---- */

static void list_unit(void *ctx, const cs_foreign_unit *unit)
{
    FILE *out = ctx;
    unsigned pins = 0, settings = 0;

    while (unit->pins[pins].name != NULL)
        pins++;
    while (unit->settings[settings].name != NULL)
        settings++;
    fprintf(out, "  %-12s %3u %3u  %s\n", unit->name, pins, settings, unit->page);
}

static void help_unit(const cs_foreign_unit *unit, FILE *out)
{
    fprintf(out, "Pins of %s (%s):\n", unit->name, unit->page);
    for (const cs_foreign_pin *pin = unit->pins; pin->name != NULL; pin++) {
        fprintf(out, "  %-16s %s %3u  %s%s", pin->name, pin->output ? "out" : "in ", pin->width,
                pin->tells, pin->needed ? "; required" : "");
        if (pin->held != 0)
            fprintf(out, "; held at %llu", (unsigned long long)pin->held);
        fprintf(out, "\n");
    }
    fprintf(out, "Settings of %s:\n", unit->name);
    for (const cs_foreign_setting *set = unit->settings; set->name != NULL; set++)
        fprintf(out,
                set->most > UINT16_MAX ? "  %-16s %#llx..%#llx, %#llx  %s\n"
                                       : "  %-16s %llu..%llu, %llu  %s\n",
                set->name, (unsigned long long)set->least, (unsigned long long)set->most,
                (unsigned long long)set->value, set->tells);
}

static void more_help(FILE *out)
{
    const char *name, *tells;

    fprintf(out, "Keys of a MAP (docs/yours/rtl.md):\n");
    for (size_t i = 0; cs_foreign_map_key(i, &name, &tells); i++)
        fprintf(out, "  %-12s %s\n", name, tells);
    fprintf(out,
            "\nUnits, and how many pins and settings they have (help compare-unit UNIT: which):\n");
    cs_foreign_each_unit(list_unit, out);
}

/* ---- arguments ---- */

static void offer(void *ctx, const cs_foreign_unit *unit)
{
    cs_suggest_offer(ctx, unit->name);
}

static bool help_about(const char *name, FILE *out)
{
    const cs_foreign_unit *unit = cs_foreign_find_unit(name);

    if (unit != NULL)
        help_unit(unit, out);
    return unit != NULL;
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
    REGISTERS,
    JSON,
    WAVES
};

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
    case 'f':
        return cs_json_take(&asked->json, args);
    case JSON:
        asked->json = true;
        break;
    case WAVES:
        asked->waves = args->value;
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
    request asked = {.rtl = &rtl, .options = {.seed = 1, .programs = PROGRAMS}};
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
    return compare(unit, &asked);
}

static const cs_option options[] = {
    {.id = RTL,
     .name = "rtl",
     .value = "FILE...",
     .is = CS_VALUE_FILE,
     .needed = true,
     .text = "your sources, in the order in which they are read"},
    {.id = TOP,
     .name = "top",
     .value = "MODULE",
     .needed = true,
     .text = "module of yours that is compared"},
    {.id = MAP,
     .name = "map",
     .value = "FILE",
     .is = CS_VALUE_YAML,
     .needed = true,
     .text = "YAML file that maps your ports to our pins"},
    {.id = INCLUDE,
     .name = "include",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .many = true,
     .text = "folder of your `include files"},
    {.id = PROGRAMS_OPTION,
     .name = "programs",
     .value = "N",
     .text = "random programs (default 200)"},
    {.id = CYCLES_OPTION,
     .name = "cycles",
     .value = "N",
     .text = "cycles of a program, before all registers are read (default: 2000; of a nest 8000)"},
    {.id = SEED,
     .name = "seed",
     .value = "S",
     .text = "seed of the first program; the others follow from it"},
    {.id = REGISTERS, .name = "registers", .text = "print what was done to each register, too"},
    CS_OPTION_TEXT_OR_JSON,
    {.id = JSON, .name = "json", .text = "the same as --format json (docs/yours/rtl.md)"},
    {.id = WAVES,
     .name = "waves",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "also write waves: FILE (FST) and FILE.gtkw (GTKWave), with all signals of your "
             "design and, in `view`, outputs of both sides; around the first difference, of the "
             "first program when there is none"},
    {.id = DIE_CACHE,
     .name = "die-cache",
     .value = "FOLDER",
     .is = CS_VALUE_FOLDER,
     .text = "folder for verilated designs (default: COUNTERSINK_CACHE, or ~/.cache/countersink)"},
    {0},
};

static const cs_example examples[] = {
    {"compare-unit hpm --rtl my_counters.sv --top my_counters --map my.yaml",
     "runs random programs at the pins of both, until they differ"},
    {0},
};

const cs_command cs_command_compare_unit = {
    .name = "compare-unit",
    .summary = "compare your own RTL of a unit with our model, at its pins",
    .options = options,
    .operand = {"UNIT", "unit", CS_VALUE_UNIT, 1, CS_OPERANDS_ANY, true},
    .more = more_help,
    .about = help_about,
    .examples = examples,
    .ends = "0 equal, 1 different, 2 bad use or MAP, 3 I/O, 4 nothing was compared",
    .run = run,
};
