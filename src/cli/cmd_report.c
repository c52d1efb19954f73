#include <stdio.h>

#include "built.h"
#include "cli/cli.h"
#include "cli/files/standard.h"
#include "report/report.h"

enum { REPLACE = CS_OPTION_LONG, TITLE };

static int run(cs_args *args)
{
    cs_report_request request = {.version = CS_VERSION_TEXT};
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
    if (request.output == NULL)
        return cs_cli_usage(args->command, "-o is missing");
    request.inputs = (const char *const *)args->operands;
    request.nr_inputs = (size_t)args->nr_operands;
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
     .needed = true,
     .text = "the page, which must not exist yet; it needs no network (-: standard output)"},
    {.id = REPLACE, .name = "replace", .text = "the page may exist"},
    {.id = TITLE, .name = "title", .value = "TEXT", .text = "(default: the inputs' names)"},
    {0},
};

static const cs_example examples[] = {
    {"report -o demo.html runs/demo-1", "plots of a run"},
    {"report -o both.html runs/a runs/b", "of two, and their figures side by side"},
    {"report -o design.html design.sqlite", "of a sweep: any key against any figure"},
    {0},
};

const cs_command cs_command_report = {
    .name = "report",
    .summary = "runs and sweeps as one page for a browser: plots to zoom and compare",
    .options = options,
    .operand = {"RUN", "run", CS_VALUE_FILE, 1, CS_OPERANDS_ANY},
    .text =
        "RUN is the folder of a run, the folder of the ways of a scenario, or the SQLite file of a "
        "sweep. What the plots say: docs/uses/report.md.",
    .examples = examples,
    .ends = "0 good, 2 bad use or an input that is none, 3 I/O",
    .run = run,
};
