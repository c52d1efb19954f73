// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cli/args.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/child.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/help/help.h"
#include "scenario/yaml/suggest.h"

#define MOST_OPTIONS 96u
#define HELP 1 /* no option has this id */

bool cs_option_at(const cs_command *command, size_t nr, cs_option *out)
{
    size_t fixed = 0;

    while (command->options != NULL && command->options[fixed].name != NULL) {
        if (fixed == nr) {
            *out = command->options[nr];
            return true;
        }
        fixed++;
    }
    if (command->listed == NULL || !command->listed(nr - fixed, out))
        return false;
    out->id = CS_OPTION_LISTED + (int)(nr - fixed);
    return true;
}

cs_args cs_args_begin(const cs_command *command, int argc, char **argv)
{
    return (cs_args){.command = command, .argc = argc, .argv = argv, .status = EXIT_BAD_USE};
}

/* What getopt takes: letters, and long names. */
typedef struct tables {
    char letters[2 * MOST_OPTIONS + 4];
    struct option names[MOST_OPTIONS];
} tables;

static void fill(const cs_command *command, tables *t)
{
    size_t letters = 0;
    size_t nr = 0;
    cs_option option;

    *t = (tables){.letters = ":h", .names = {{"help", no_argument, NULL, HELP}}};
    letters = strlen(t->letters);
    for (; nr + 2 < MOST_OPTIONS && cs_option_at(command, nr, &option); nr++) {
        t->names[nr + 1] = (struct option){
            option.name, option.value != NULL ? required_argument : no_argument, NULL, option.id};
        if (option.id < CS_ID_SET) {
            t->letters[letters++] = (char)option.id;
            if (option.value != NULL)
                t->letters[letters++] = ':';
        }
    }
}

/* ---- messages ---- */

/* A letter that is none, perhaps within several: getopt has not passed the word then. `last` is the word
 * that it has passed. */
static bool unknown_is_short(const char *last, const struct option *options)
{
    if (optopt == 0)
        return false;
    for (; options->name != NULL; options++)
        if (options->val == optopt && strncmp(last, "--", 2) == 0)
            return false;
    return true;
}

static void say_unknown(const cs_args *args, const char *word)
{
    char name[64];
    const size_t bytes = strcspn(word + 2, "=");
    cs_suggest suggest;
    cs_option option;

    snprintf(name, sizeof name, "%.*s", (int)(bytes < sizeof name ? bytes : 0), word + 2);
    suggest = cs_suggest_begin(name);
    for (size_t i = 0; cs_option_at(args->command, i, &option); i++)
        cs_suggest_offer(&suggest, option.name);
    const char *nearest = cs_suggest_end(&suggest);

    if (nearest != NULL)
        cs_cli_usage(args->command, "unknown option %s; did you mean --%s?", word, nearest);
    else
        cs_cli_usage(args->command, "unknown option %s", word);
}

static int refuse(cs_args *args, int letter, const tables *t)
{
    const char *word = args->argv[optind - 1];

    if (letter == ':')
        cs_cli_usage(args->command, "%s needs a value", word);
    else if (unknown_is_short(word, t->names))
        cs_cli_usage(args->command, "unknown option -%c", optopt);
    else
        say_unknown(args, word);
    args->status = EXIT_BAD_USE;
    return CS_ARGS_STOP;
}

static int end(cs_args *args)
{
    const cs_operand *operand = &args->command->operand;

    args->operands = args->argv + optind;
    args->nr_operands = args->argc - optind;
    const unsigned count = (unsigned)args->nr_operands;

    if (count >= operand->least && count <= operand->most)
        return CS_ARGS_END;
    args->status =
        operand->most == 0
            ? cs_cli_usage(args->command, "expected no argument, found '%s'", args->operands[0])
            : cs_cli_usage(args->command, "expected %s %s, found %u",
                           operand->first        ? "a"
                           : operand->least == 0 ? "at most one"
                           : operand->most == 1  ? "one"
                                                 : "at least one",
                           operand->noun, count);
    return CS_ARGS_STOP;
}

/* ---- the walk ---- */

int cs_args_next(cs_args *args)
{
    tables t;
    int letter;

    fill(args->command, &t);
    opterr = 0;
    letter = getopt_long(args->argc, args->argv, t.letters, t.names, NULL);
    args->value = optarg;
    if (letter == -1)
        return end(args);
    if (letter == ':' || letter == '?')
        return refuse(args, letter, &t);
    if (letter == HELP || letter == 'h') {
        cs_help_command(args->command, stdout);
        args->status = EXIT_GOOD;
        return CS_ARGS_STOP;
    }
    return letter;
}

int cs_sets_take(cs_sets *sets, cs_args *args)
{
    if (sets->count == CS_SETS_MOST)
        return cs_cli_usage(args->command, "more than %u --set", CS_SETS_MOST);
    sets->texts[sets->count++] = args->value;
    return EXIT_GOOD;
}

int cs_table_take(cs_table_format *format, const cs_args *args)
{
    cs_diag diag = {0};

    return cs_table_format_of(args->value, format, &diag) == CS_OK
               ? EXIT_GOOD
               : cs_cli_usage(args->command, "--format: %s", diag.text);
}

int cs_json_take(bool *json, const cs_args *args)
{
    *json = strcmp(args->value, "json") == 0;
    if (*json || strcmp(args->value, "text") == 0)
        return EXIT_GOOD;
    return cs_cli_usage(args->command, "--format: found '%s', expected text or json", args->value);
}

int cs_jobs_take(unsigned *jobs, const cs_args *args)
{
    uint64_t number;

    if (!cs_number_of(args->value, CS_CHILDREN_MOST, &number) || number == 0)
        return cs_cli_usage(args->command, "-j %s: 1..%u is allowed", args->value,
                            CS_CHILDREN_MOST);
    *jobs = (unsigned)number;
    return EXIT_GOOD;
}

unsigned cs_jobs_default(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    return online < 1 ? 1 : online > (long)CS_CHILDREN_MOST ? CS_CHILDREN_MOST : (unsigned)online;
}
