// SPDX-License-Identifier: Apache-2.0
/* What is made of the commands' tables: help, man pages, and what a shell completes. */
#ifndef CS_CLI_HELP_H
#define CS_CLI_HELP_H

#include <stddef.h>
#include <stdio.h>

#include "cli/option.h"

#define CS_TAGLINE "simulates performance counters, with the truth of every sample"

/* The usage of a command, "usage: countersink run ...". */
void cs_help_usage(const cs_command *command, FILE *out);
/* All about a command; about the program. */
void cs_help_command(const cs_command *command, FILE *out);
void cs_help_program(FILE *out);

/* An option as it is written, "-o, --output DIR"; a long one alone with `lone` before its name. */
const char *cs_option_shown(const cs_option *option, const char *lone, char *out, size_t size);

/* The man page in mdoc: of a command; of the program, where `command` is NULL. */
void cs_man_page(const cs_command *command, FILE *out);

/* What the last of `words` may become, in the command line countersink WORDS: a line each, a tab and
 * what it is behind it. A line that begins with a colon says that files are meant: ":files", ":folders",
 * ":yaml". */
void cs_complete(char *const words[], int count, FILE *out);

/* The words that a value can be: calls `offer` with each. `begun` is what there is of it. */
typedef void cs_word_sink(void *ctx, const char *word, const char *text);
void cs_words(cs_value is, const char *begun, cs_word_sink *offer, void *ctx);

/* The program, and what it was built with. */
void cs_print_version(FILE *out);

#endif
