// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"
#include "built.h"

#include <stdarg.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/help/wrap.h"
#include <countersink/version.h>

#define WIDTH 92u
#define NAMES 24u /* the column at which an option's text begins */

const cs_choice cs_table_choices[] = {{"text", NULL}, {"csv", NULL}, {"json", NULL}, {0}};
const cs_choice cs_text_choices[] = {{"text", NULL}, {"json", NULL}, {0}};

const char *cs_option_shown(const cs_option *option, const char *lone, char *out, size_t size)
{
    char letter[8] = "";

    if (option->id < CS_ID_SET)
        snprintf(letter, sizeof letter, "-%c, ", option->id);
    snprintf(out, size, "%s--%s%s%s", option->id < CS_ID_SET ? letter : lone, option->name,
             option->value != NULL ? " " : "", option->value != NULL ? option->value : "");
    return out;
}

/* ---- usage ---- */

typedef struct line {
    FILE *out;
    unsigned at, indent, width;
} line;

/* A piece that is not broken. */
__attribute__((format(printf, 2, 3))) static void put(line *l, const char *format, ...)
{
    char piece[256];
    va_list args;

    va_start(args, format);
    vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    const unsigned bytes = (unsigned)strlen(piece);

    if (l->at + 1 + bytes > l->width) {
        fprintf(l->out, "\n%*s%s", (int)l->indent, "", piece);
        l->at = l->indent + bytes;
    } else {
        fprintf(l->out, " %s", piece);
        l->at += 1 + bytes;
    }
}

static void put_option(line *l, const cs_option *o)
{
    char name[80];

    if (o->id < CS_ID_SET)
        snprintf(name, sizeof name, "-%c", o->id);
    else
        snprintf(name, sizeof name, "--%s", o->name);
    put(l, "%s%s%s%s%s%s", o->needed ? "" : "[", name, o->value != NULL ? " " : "",
        o->value != NULL ? o->value : "", o->needed ? "" : "]", o->many ? "..." : "");
}

void cs_help_usage(const cs_command *command, FILE *out)
{
    const cs_operand *operand = &command->operand;
    line l = {.out = out, .width = cs_columns(out, WIDTH)};

    l.at = (unsigned)fprintf(out, "usage: countersink %s", command->name);
    l.indent = l.at + 1 < 32 ? l.at + 1 : 32;
    if (command->usage != NULL) {
        cs_wrap(out, command->usage, l.at, l.indent, l.width);
        return;
    }
    if (operand->first)
        put(&l, "%s", operand->name);
    for (const cs_option *o = command->options; o != NULL && o->name != NULL; o++)
        if (o->needed)
            put_option(&l, o);
    for (const cs_option *o = command->options; o != NULL && o->name != NULL; o++)
        if (!o->needed && !o->hidden)
            put_option(&l, o);
    if (command->listed != NULL)
        put(&l, "[OPTION]...");
    if (operand->most != 0 && !operand->first)
        put(&l, operand->least == 0 ? "[%s]%s" : "%s%s", operand->name,
            operand->most > 1 ? "..." : "");
    fputc('\n', out);
}

/* ---- help ---- */

static void print_option(const cs_option *option, unsigned width, FILE *out)
{
    char shown[96];
    const unsigned at =
        (unsigned)fprintf(out, "  %s", cs_option_shown(option, "    ", shown, sizeof shown));

    cs_wrap(out, option->text, at < NAMES ? at : NAMES + 1, NAMES, width);
    for (const cs_choice *c = option->choices; c != NULL && c->name != NULL; c++)
        if (c->text != NULL) {
            fprintf(out, "%*s%-10s ", (int)NAMES, "", c->name);
            cs_wrap(out, c->text, NAMES + 11, NAMES + 11, width);
        }
}

void cs_help_command(const cs_command *command, FILE *out)
{
    static const cs_option help = {.id = 'h', .name = "help", .text = "print this help"};
    const unsigned width = cs_columns(out, WIDTH);
    cs_option option;

    cs_help_usage(command, out);
    fputc('\n', out);
    cs_wrap(out, command->summary, 0, 0, width);
    fputc('\n', out);
    for (size_t i = 0; cs_option_at(command, i, &option); i++)
        if (!option.hidden && (option.id < CS_OPTION_LISTED || !command->listed_apart))
            print_option(&option, width, out);
    print_option(&help, width, out);
    if (command->text != NULL) {
        fputc('\n', out);
        cs_wrap(out, command->text, 0, 0, width);
    }
    if (command->more != NULL) {
        fputc('\n', out);
        command->more(out);
    }
    if (command->examples != NULL)
        fprintf(out, "\nExamples:\n");
    for (const cs_example *e = command->examples; e != NULL && e->line != NULL; e++) {
        fprintf(out, "  countersink %s\n", e->line);
        cs_wrap(out, e->text, 0, 6, width);
    }
    fputc('\n', out);
    cs_wrap(out, command->ends, (unsigned)fprintf(out, "Exit status: "), 13, width);
}

void cs_help_program(FILE *out)
{
    const unsigned width = cs_columns(out, WIDTH);
    const cs_command *command;

    cs_wrap(out, "Countersink " COUNTERSINK_VERSION_TEXT ": " CS_TAGLINE, 0, 0, width);
    fprintf(out, "\nusage: countersink COMMAND ...\n");
    for (size_t i = 0; (command = cs_command_at(i)) != NULL; i++) {
        const char *group = cs_command_group(i);

        if (group != NULL)
            fprintf(out, "\n%s\n", group);
        cs_wrap(out, command->summary, (unsigned)fprintf(out, "  %-14s ", command->name), 17,
                width);
    }
    fprintf(out, "\n'countersink help COMMAND' describes a command, 'countersink -V' prints the "
                 "version.\n");
}
