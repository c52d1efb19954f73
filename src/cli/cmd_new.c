// SPDX-License-Identifier: Apache-2.0
/* A scenario to begin with. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/files/embedded.h"
#include "cli/cli.h"
#include "cli/help/wrap.h"
#include "cli/shared.h"
#include "scenario/yaml/suggest.h"

/* Made of new/ when the build is configured: a purpose each, whose first line says what it is. */
extern const cs_embedded cs_purposes[];

static void print_list(FILE *out)
{
    char line[256];

    for (const cs_embedded *p = cs_purposes; p->name != NULL; p++) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(p->text + 2, "\n"), p->text + 2);
        cs_wrap(out, line, (unsigned)fprintf(out, "  %-18s ", p->name), 21, cs_columns(out, 92));
    }
}

static void print_more(FILE *out)
{
    fprintf(out, "Purposes:\n");
    print_list(out);
}

static int no_purpose(const cs_command *command, const char *name)
{
    cs_suggest suggest = cs_suggest_begin(name);

    for (const cs_embedded *p = cs_purposes; p->name != NULL; p++)
        cs_suggest_offer(&suggest, p->name);
    const char *nearest = cs_suggest_end(&suggest);

    if (nearest != NULL)
        return cs_cli_usage(command, "there is no purpose '%s'; did you mean '%s'?", name, nearest);
    return cs_cli_usage(command, "there is no purpose '%s' (--list has all)", name);
}

/* By the first line editors find the keys, where their schema is on this machine. */
static void put_scenario(const char *text, FILE *out)
{
    char configs[1024];

    if (cs_shared_folder("configs", configs, sizeof configs))
        fprintf(out, CS_SHARED_MODELINE "%s/scenario.schema.json\n", configs);
    fputs(text, out);
}

static int write_it(const cs_embedded *purpose, const char *path)
{
    FILE *out = path == NULL || strcmp(path, "-") == 0 ? stdout : fopen(path, "wx");
    cs_diag diag = {0};
    cs_status status = CS_OK;

    if (out == NULL) {
        cs_diag_set(&diag, CS_ERR_IO, path, "cannot be made: %s", strerror(errno));
        return cs_cli_fail(&diag);
    }
    put_scenario(purpose->text, out);
    if (out != stdout && fclose(out) != 0)
        status = cs_diag_set(&diag, CS_ERR_IO, path, "cannot be written: %s", strerror(errno));
    if (status != CS_OK && out != stdout)
        remove(path);
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

enum { LIST = CS_OPTION_LONG };

static int run(cs_args *args)
{
    const char *output = NULL;
    bool list = false;
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case 'o':
            output = args->value;
            break;
        case LIST:
            list = true;
            break;
        default:
            return args->status;
        }
    if (list) {
        print_list(stdout);
        return EXIT_GOOD;
    }
    if (args->nr_operands == 0)
        return cs_cli_usage(args->command, "expected a purpose (--list has all)");
    for (const cs_embedded *p = cs_purposes; p->name != NULL; p++)
        if (strcmp(p->name, args->operands[0]) == 0)
            return write_it(p, output);
    return no_purpose(args->command, args->operands[0]);
}

static const cs_option options[] = {
    {.id = 'o',
     .name = "output",
     .value = "FILE",
     .is = CS_VALUE_FILE,
     .text = "the scenario to create (default: standard output)"},
    {.id = LIST, .name = "list", .text = "lists the purposes"},
    {0},
};

static const cs_example examples[] = {
    {"new pmcu-sampling -o mine.yaml", "a scenario with a word about each of its lines"},
    {"new riscv-sampling | countersink run -", "tried at once"},
    {0},
};

const cs_command cs_command_new = {
    .name = "new",
    .summary = "write a commented scenario for a purpose, to begin with",
    .options = options,
    .operand = {"PURPOSE", "purpose", CS_VALUE_PURPOSE, 0, 1},
    .more = print_more,
    .examples = examples,
    .ends = "0 good, 2 bad use, 3 I/O",
    .run = run,
};
