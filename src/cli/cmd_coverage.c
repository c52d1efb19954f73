// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/compare/coverage_report.h"

static int report(const cs_coverage_request *request, char *const files[], int nr_files)
{
    cs_coverage *coverage;
    cs_diag diag = {0};
    cs_status status = cs_coverage_create(&coverage, &diag);
    bool whole = true;

    for (int i = 0; i < nr_files && status == CS_OK; i++) {
        size_t unknown;

        status = cs_coverage_read_file(coverage, files[i], &unknown, &diag);
        if (status == CS_OK && unknown != 0)
            cs_cli_warn("%s: this version does not know %zu of the points", files[i], unknown);
    }
    if (status == CS_OK)
        whole = cs_coverage_report(coverage, request, stdout);
    cs_coverage_destroy(coverage);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    return request->require && !whole ? EXIT_DIFFERENCE : EXIT_GOOD;
}

enum { UNIT = CS_OPTION_LONG, GROUP, REQUIRE, ALL };

static int run(cs_args *args)
{
    cs_coverage_request request = {.format = CS_COVERAGE_TEXT};
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case 'f':
            if (!cs_coverage_format_of(args->value, &request.format))
                return cs_cli_usage(args->command,
                                    "--format: found '%s', expected text, csv, json or html",
                                    args->value);
            break;
        case UNIT:
            request.unit = args->value;
            break;
        case GROUP:
            if (request.nr_groups == CS_COVERAGE_GROUPS)
                return cs_cli_usage(args->command, "more than %u --group", CS_COVERAGE_GROUPS);
            request.groups[request.nr_groups++] = args->value;
            break;
        case REQUIRE:
            request.require = true;
            break;
        case ALL:
            request.all = true;
            break;
        default:
            return args->status;
        }
    return report(&request, args->operands, args->nr_operands);
}

static const cs_choice formats[] = {
    {"text", NULL}, {"csv", NULL}, {"json", NULL}, {"html", NULL}, {0}};
static const cs_choice groups[] = {{"states", NULL}, {"arcs", NULL},      {"fields", NULL},
                                   {"errors", NULL}, {"crossings", NULL}, {0}};

static const cs_option options[] = {
    {.id = 'f',
     .name = "format",
     .value = "F",
     .choices = formats,
     .text = "text (default), csv, json or html"},
    {.id = UNIT, .name = "unit", .value = "U", .text = "report only this unit"},
    {.id = GROUP,
     .name = "group",
     .value = "G",
     .choices = groups,
     .many = true,
     .text = "report only this group: states, arcs, fields, errors, crossings"},
    {.id = ALL, .name = "all", .text = "name the points that were reached, too"},
    {.id = REQUIRE, .name = "require", .text = "exit with status 1 if a point was not reached"},
    {0},
};

static const cs_example examples[] = {
    {"coverage --unit pmcu reached.txt", "points of the PMCU that no comparison has reached yet"},
    {0},
};

const cs_command cs_command_coverage = {
    .name = "coverage",
    .summary = "report functional coverage collected by compare",
    .options = options,
    .operand = {"FILE", "file", CS_VALUE_FILE, 0, CS_OPERANDS_ANY},
    .text =
        "FILE is what `countersink compare --coverage FILE` writes. Several are added up; without "
        "one, all points are listed. A point is reached when both model and RTL have reached it.",
    .examples = examples,
    .ends = "0 good, 1 with --require: a point is missing, 2 bad use or file, 3 I/O",
    .run = run,
};
