// SPDX-License-Identifier: Apache-2.0
/* What the commands of countersink share: exit statuses, error output. What a command takes
 * stands in its table (option.h), and is read from the command line by args.h. */
#ifndef CS_CLI_CLI_H
#define CS_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/args.h"
#include "cli/option.h"
#include "cli/run/progress.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>

/* Exit statuses; docs/reference.md lists them. */
enum { EXIT_GOOD = 0, EXIT_DIFFERENCE = 1, EXIT_BAD_USE = 2, EXIT_IO = 3, EXIT_UNDECIDED = 4 };

#define CS_GROUP(title)
#define CS_COMMAND(name) extern const cs_command cs_command_##name;
#include "cli/commands.def"
#undef CS_COMMAND
#undef CS_GROUP

/* In the order of the list; NULL at `nr` and beyond. */
const cs_command *cs_command_at(size_t nr);
/* The title of the group that begins with command `nr`; NULL: none does. */
const char *cs_command_group(size_t nr);
/* NULL: there is none, and a message of three lines has said so. */
const cs_command *cs_command_named(const char *name);

/* Prints "countersink: <diag>" to stderr and returns the exit status that fits. */
int cs_cli_fail(const cs_diag *diag);
int cs_cli_status(const cs_diag *diag); /* that status alone */

/* Prints a usage error with the command's usage; returns EXIT_BAD_USE. */
int cs_cli_usage(const cs_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints "warning: ..." to stderr, a line. */
void cs_cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* To stdout: fits cs_text_sink. */
cs_status cs_cli_write(void *ctx, const char *text, size_t bytes);

#endif
