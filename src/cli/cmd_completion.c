// SPDX-License-Identifier: Apache-2.0
/* Prints the completion of a shell, for a clone; a package installs it. */
#include <stdio.h>
#include <string.h>

#include "base/files/embedded.h"
#include "cli/cli.h"

/* completion/, by the shells' names. */
extern const cs_embedded cs_completions[];

static int run(cs_args *args)
{
    while (cs_args_next(args) != CS_ARGS_END)
        return args->status;
    for (const cs_embedded *shell = cs_completions; shell->name != NULL; shell++)
        if (strcmp(shell->name, args->operands[0]) == 0) {
            fputs(shell->text, stdout);
            return EXIT_GOOD;
        }
    return cs_cli_usage(args->command, "found '%s', expected bash, fish or zsh", args->operands[0]);
}

static const cs_example examples[] = {
    {"completion bash > countersink.bash", "`source countersink.bash` in a shell, or in ~/.bashrc"},
    {"completion zsh > _countersink", "in a folder of fpath, before compinit"},
    {"completion fish > countersink.fish", "in ~/.config/fish/completions"},
    {0},
};

const cs_command cs_command_completion = {
    .name = "completion",
    .summary = "print the completion script of a shell",
    .operand = {"SHELL", "shell: bash, fish or zsh", CS_VALUE_SHELL, 1, 1},
    .text =
        "It completes commands, options, formats, files and the keys of --set, as the program of "
        "this name on the PATH knows them. A package has installed it already.",
    .examples = examples,
    .ends = "0 good, 2 bad use",
    .run = run,
};
