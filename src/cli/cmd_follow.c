// SPDX-License-Identifier: Apache-2.0
/* A core's retirement trace against the golden counter block (docs/yours/retirement.md). */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/follow/trace.h"
#include "results/figures.h"

typedef struct told {
    bool all, json;
    unsigned nr;
} told;

static void tell(void *ctx, const char *text)
{
    told *t = ctx;

    if (t->nr++ != 0 && !t->all)
        return;
    if (!t->json) {
        printf("DIFFERENT %s\n", text);
        return;
    }
    printf("%s", t->nr == 1 ? "" : ", ");
    cs_json_string(stdout, text);
}

static int follow(const char *path, told *t)
{
    cs_followed followed;
    cs_diag diag = {0};

    if (t->json)
        printf("{\"differences\": [");
    const cs_status status = cs_follow_file(path, tell, t, &followed, &diag);
    const bool different = followed.differences != 0, nothing = followed.compared == 0;

    if (t->json)
        printf("], \"outcome\": \"%s\", \"instructions\": %" PRIu64 ", \"compared\": %" PRIu64
               ", \"different\": %" PRIu64 "}\n",
               status != CS_OK ? "failed"
               : different     ? "different"
               : nothing       ? "undecided"
                               : "equal",
               followed.instructions, followed.compared, followed.differences);
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    if (!t->json)
        printf("%s: %" PRIu64 " instructions, %" PRIu64 " of counters compared, %" PRIu64
               " differences\n",
               different ? "DIFFERENT"
               : nothing ? "UNDECIDED"
                         : "EQUAL",
               followed.instructions, followed.compared, followed.differences);
    return different ? EXIT_DIFFERENCE : nothing ? EXIT_UNDECIDED : EXIT_GOOD;
}

enum { ALL = CS_OPTION_LONG };

static int run(cs_args *args)
{
    told t = {0};
    int id, status;

    while ((id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case ALL:
            t.all = true;
            break;
        case 'f':
            if ((status = cs_json_take(&t.json, args)) != EXIT_GOOD)
                return status;
            break;
        default:
            return args->status;
        }
    return follow(args->operands[0], &t);
}

static const cs_option options[] = {
    {.id = ALL, .name = "all", .text = "print all differences, not only the first"},
    CS_OPTION_TEXT_OR_JSON,
    {0},
};

static const cs_example examples[] = {
    {"follow my_core.trace", "the first instruction whose counter is wrong"},
    {0},
};

const cs_command cs_command_follow = {
    .name = "follow",
    .summary = "compare the counters of a core's retirement trace with the golden block",
    .options = options,
    .operand = {"TRACE", "trace", CS_VALUE_FILE, 1, 1},
    .text =
        "A TRACE has a line per cycle with what RVFI or RVVI reports of each instruction, and the "
        "core's event wires (docs/yours/retirement.md). The golden block predicts what each "
        "instruction reads from a counter, and the interrupt lines.",
    .examples = examples,
    .ends = "0 equal, 1 different, 2 bad use or file, 3 I/O, 4 nothing was compared",
    .run = run,
};
