// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "built.h"
#include "cli/cli.h"
#include "cli/files/standard.h"
#include "report/report.h"
#include <countersink/version.h>

#define PATH 4096u

enum { REPLACE = CS_OPTION_LONG, TITLE };

/* "demo.html" of runs/demo/ and of demo.sqlite; false: the last part of the path is no name. */
static bool name_page(const char *input, char *out, size_t size)
{
    static const char ending[] = ".sqlite";
    size_t end = strlen(input), begin;

    while (end > 1 && input[end - 1] == '/')
        end--;
    if (end >= sizeof ending && strncmp(input + end - strlen(ending), ending, strlen(ending)) == 0)
        end -= strlen(ending);
    for (begin = end; begin > 0 && input[begin - 1] != '/'; begin--)
        ;
    const int bytes = (int)(end - begin);

    return bytes > 0 && strspn(input + begin, ".") < end - begin &&
           snprintf(out, size, "%.*s.html", bytes, input + begin) < (int)size;
}

static int run(cs_args *args)
{
    cs_report_request request = {.version = COUNTERSINK_VERSION_TEXT};
    char page[PATH];
    cs_diag diag = {0};
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case 'o':
            request.output = args->value;
            break;
        case REPLACE:
            request.replace = true;
            break;
        case TITLE:
            request.title = args->value;
            break;
        default:
            return args->status;
        }
    request.inputs = (const char *const *)args->operands;
    request.nr_inputs = (size_t)args->nr_operands;
    if (request.output == NULL && !name_page(request.inputs[0], page, sizeof page))
        return cs_cli_usage(args->command,
                            "the page cannot be named after %s: give its name with -o",
                            request.inputs[0]);
    if (request.output == NULL)
        request.output = page;
    cs_standard out;
    cs_status status = cs_standard_begin(&out, request.output, &diag);
    const bool tell = !cs_standard_is(&out);

    request.output = out.name;
    if (status == CS_OK)
        status = cs_report_write(&request, &diag);
    status = cs_standard_end(&out, status, &diag);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    if (tell)
        printf("report: %s\n", request.output);
    return EXIT_GOOD;
}

static const cs_option options[] = {
    {.id = 'o',
     .name = "output",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "the page to create; it needs no network (-: standard output; default: RUN.html)"},
    {.id = REPLACE, .name = "replace", .text = "replace an existing page"},
    {.id = TITLE,
     .name = "title",
     .value = "TEXT",
     .text = "title of the page (default: the inputs' names)"},
    {0},
};

static const cs_example examples[] = {
    {"report runs/pmcu_demo-1", "plots of a run, as pmcu_demo-1.html"},
    {"report -o both.html runs/pmcu_demo-1 runs/imc_core-1",
     "two runs with their figures side by side"},
    {"report pmcu_design.sqlite", "a sweep: any key against any figure"},
    {0},
};

const cs_command cs_command_report = {
    .name = "report",
    .summary = "turn runs and sweeps into one interactive HTML page",
    .options = options,
    .operand = {"RUN", "run", CS_VALUE_FILE, 1, CS_OPERANDS_ANY},
    .text = "RUN is a run folder, the folder of a scenario's ways, or the SQLite file of a sweep. "
            "docs/uses/report.md explains the plots.",
    .examples = examples,
    .ends = "0 good, 2 bad use or an input that cannot be shown, 3 I/O",
    .run = run,
};
