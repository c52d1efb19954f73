// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "cli/help/help.h"
#include "scenario/yaml/suggest.h"

static const cs_command *const commands[] = {
#define CS_GROUP(title)
#define CS_COMMAND(name) &cs_command_##name,
#include "cli/commands.def"
#undef CS_COMMAND
#undef CS_GROUP
};

#define NR_COMMANDS (sizeof commands / sizeof commands[0])

/* Groups, and between them the commands, as NULL. */
static const char *const rows[] = {
#define CS_GROUP(title) title,
#define CS_COMMAND(name) NULL,
#include "cli/commands.def"
#undef CS_COMMAND
#undef CS_GROUP
};

const cs_command *cs_command_at(size_t nr)
{
    return nr < NR_COMMANDS ? commands[nr] : NULL;
}

const char *cs_command_group(size_t nr)
{
    size_t row = 0;

    for (; row < sizeof rows / sizeof rows[0]; row++)
        if (rows[row] == NULL && nr-- == 0)
            break;
    return row != 0 ? rows[row - 1] : NULL;
}

const cs_command *cs_command_named(const char *name)
{
    cs_suggest suggest = cs_suggest_begin(name);
    const char *nearest;

    for (size_t i = 0; i < NR_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        cs_suggest_offer(&suggest, commands[i]->name);
    }
    nearest = cs_suggest_end(&suggest);
    fprintf(stderr, "countersink: there is no command '%s'%s%s%s\n", name,
            nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
            nearest != NULL ? "'?" : "");
    fprintf(stderr, "usage: countersink COMMAND ...\n'countersink help' lists the commands.\n");
    return NULL;
}

cs_status cs_cli_write(void *ctx, const char *text, size_t bytes)
{
    (void)ctx;
    return fwrite(text, 1, bytes, stdout) == bytes ? CS_OK : CS_ERR_IO;
}

int cs_cli_status(const cs_diag *diag)
{
    switch (diag->status) {
    case CS_OK:
        return EXIT_GOOD;
    case CS_ERR_DIFFERENCE:
        return EXIT_DIFFERENCE;
    case CS_ERR_IO:
    case CS_ERR_NO_MEMORY:
        return EXIT_IO;
    case CS_ERR_UNDECIDED:
        return EXIT_UNDECIDED;
    default:
        return EXIT_BAD_USE;
    }
}

int cs_cli_fail(const cs_diag *diag)
{
    char text[sizeof diag->where + sizeof diag->text + 32];

    cs_diag_print(diag, text, sizeof text);
    /* Each mistake of a scenario has a line; of other things a message may quote lines. */
    for (char *line = text, *end; line != NULL; line = end) {
        end = diag->status == CS_ERR_SCENARIO ? strchr(line, '\n') : NULL;
        if (end != NULL)
            *end++ = '\0';
        fprintf(stderr, "countersink: %s\n", line);
    }
    return cs_cli_status(diag);
}

/* A line; names out of files are among what it says. */
static void print_shown(const char *format, va_list args)
{
    char text[4096], shown[4096];

    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "%s\n", cs_shown(text, shown, sizeof shown));
}

int cs_cli_usage(const cs_command *command, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "countersink %s: ", command->name);
    va_start(args, format);
    print_shown(format, args);
    va_end(args);
    cs_help_usage(command, stderr);
    return EXIT_BAD_USE;
}

void cs_cli_warn(const char *format, ...)
{
    va_list args;

    fputs("warning: ", stderr);
    va_start(args, format);
    print_shown(format, args);
    va_end(args);
}
