// SPDX-License-Identifier: Apache-2.0
/* Holds a trace file against the truth of the run that wrote it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "cli/cli.h"

static cs_status write_stdout(void *ctx, const char *text, size_t bytes)
{
    (void)ctx;
    return fwrite(text, 1, bytes, stdout) == bytes ? CS_OK : CS_ERR_IO;
}

static int check(const cs_check_request *request)
{
    const cs_text_sink sink = {write_stdout, NULL};
    cs_diag diag = {0};
    cs_status status = cs_check_trace(request, &sink, &diag);

    if (fflush(stdout) != 0 && status == CS_OK)
        status =
            cs_diag_set(&diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

/* ---- the command ---- */

#define MOST_OPTIONS 16u /* of formats */

enum { AS = CS_OPTION_LONG, COMMAND };

typedef struct request {
    cs_check_request wanted;
    cs_check_given given[MOST_OPTIONS]; /* each once */
} request;

static int give(request *r, const cs_format_option *option, const char *text)
{
    size_t at = 0;
    cs_diag diag = {0};

    if (option->check != NULL && option->check(text, &diag) != CS_OK)
        return cs_cli_usage(&cs_command_check, "--%s: %s", option->name, diag.text);
    while (at < r->wanted.nr_given && r->given[at].option != option)
        at++;
    r->given[at] = (cs_check_given){option, text};
    r->wanted.nr_given += at == r->wanted.nr_given;
    return EXIT_GOOD;
}

static int take_option(int id, const cs_args *args, request *r)
{
    switch (id) {
    case 't':
        r->wanted.truth = args->value;
        return EXIT_GOOD;
    case AS:
        r->wanted.as = args->value;
        return EXIT_GOOD;
    case COMMAND:
        r->wanted.command = args->value;
        return EXIT_GOOD;
    case 'f':
        return cs_table_take(&r->wanted.format, args);
    default:
        return id >= CS_OPTION_LISTED
                   ? give(r, cs_check_option_at((size_t)(id - CS_OPTION_LISTED)), args->value)
                   : args->status;
    }
}

static int run(cs_args *args)
{
    request r = {.wanted.format = CS_TABLE_TEXT};
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END) {
        const int status = take_option(id, args, &r);

        if (status != EXIT_GOOD || id == CS_ARGS_STOP)
            return status;
    }
    r.wanted.path = args->operands[0];
    r.wanted.given = r.given;
    if (strcmp(r.wanted.path, "-") == 0 && r.wanted.truth == NULL)
        return cs_cli_usage(
            args->command,
            "standard input has no truth beside it: --truth must give the run folder");
    return check(&r.wanted);
}

static bool listed(size_t nr, cs_option *out)
{
    const cs_format_option *option = nr < MOST_OPTIONS ? cs_check_option_at(nr) : NULL;

    if (option != NULL)
        *out = (cs_option){.name = option->name, .value = option->value, .text = option->help};
    return option != NULL;
}

static const cs_option options[] = {
    {.id = 't',
     .name = "truth",
     .value = "DIR",
     .is = CS_VALUE_FOLDER,
     .text = "the run folder with truth.sqlite (default: FILE.truth, or the run folder that FILE "
             "is in)"},
    {.id = AS,
     .name = "as",
     .value = "FORMAT",
     .is = CS_VALUE_FORMAT,
     .text = "format of FILE (default: detected from FILE and the truth)"},
    {.id = COMMAND,
     .name = "command",
     .value = "NAME",
     .text = "FILE is of this perf command only, as SECTION.perf.0 (default: what "
             "FILE.truth/trace.json says)"},
    CS_OPTION_TABLE,
    {0},
};

static const cs_example examples[] = {
    {"check runs/pmcu_demo-1/samples.aux", "compares the samples of a run with its truth"},
    {"check out.data",
     "compares a trace with the run folder out.data.truth, which `trace` wrote beside it"},
    {"check --format json out.data", "the same as JSON"},
    {0},
};

const cs_command cs_command_check = {
    .name = "check",
    .summary = "compare a trace file with what really happened in the run that wrote it",
    .options = options,
    .listed = listed,
    .operand = {"FILE", "file", CS_VALUE_FILE, 1, 1},
    .text =
        "Each row is one comparison: how many values were expected and found, how many differ, "
        "and within which bound they had to agree. Its verdict is agrees, DISAGREES or cannot say.",
    .examples = examples,
    .ends = "0 all agree, 1 something disagrees, 2 bad use or a damaged file, 3 I/O or memory, 4 "
            "cannot say: there was nothing that could be compared",
    .run = run,
};
