// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cli/cli.h"
#include "cli/help/help.h"

enum { MAN = CS_OPTION_LONG, COMPLETE };

static int run(cs_args *args)
{
    const cs_command *command = NULL;
    bool man = false, complete = false;
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case MAN:
            man = true;
            break;
        case COMPLETE:
            complete = true;
            break;
        default:
            return args->status;
        }
    if (complete) {
        cs_complete(args->operands, args->nr_operands, stdout);
        return EXIT_GOOD;
    }
    if (args->nr_operands >= 1) {
        command = cs_command_named(args->operands[0]);
        if (command == NULL)
            return EXIT_BAD_USE;
    }
    if (args->nr_operands > (command != NULL && command->about != NULL ? 2 : 1))
        return cs_cli_usage(args->command, "expected at most one command, found %d",
                            args->nr_operands);
    if (args->nr_operands == 2)
        return command->about(args->operands[1], stdout)
                   ? EXIT_GOOD
                   : cs_cli_usage(args->command,
                                  "%s has no '%s'; 'countersink help %s' lists what it has",
                                  command->name, args->operands[1], command->name);
    if (man)
        cs_man_page(command, stdout);
    else if (command != NULL)
        cs_help_command(command, stdout);
    else
        cs_help_program(stdout);
    return EXIT_GOOD;
}

static const cs_option options[] = {
    {.id = MAN, .name = "man", .text = "as a man page, in mdoc"},
    {.id = COMPLETE,
     .name = "complete",
     .text = "for shells: completions of the last word of a command line; the words come after --, "
             "without countersink"},
    {0},
};

static const cs_example examples[] = {
    {"help run", "all that `run` takes"},
    {"help compare-unit hpm", "the pins of a unit"},
    {"help --man run | man -l -", "its man page"},
    {"help --complete -- run --se", "what a shell offers there: --set"},
    {0},
};

const cs_command cs_command_help = {
    .name = "help",
    .summary = "describe the commands, or one of them",
    .options = options,
    .operand = {"COMMAND", "command", CS_VALUE_COMMAND, 0, CS_OPERANDS_ANY},
    .examples = examples,
    .ends = "0 good, 2 bad use",
    .run = run,
};
