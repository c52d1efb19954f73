// SPDX-License-Identifier: Apache-2.0
/* Man pages, in the macros of mdoc(7). */
#include <ctype.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/help/help.h"

#define DATE "November 23, 2026"

/* Text that is no macro: a line that begins with a dot or a quote, and backslashes, are made harmless. A
 * sentence begins a line, as mdoc wants it. */
static void put_text(const char *text, FILE *out)
{
    bool begins = true;

    for (; *text != '\0'; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        begins = false;
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else if (*text == '`')
            fputs("\\(ga", out);
        else if (*text == '\n' || (*text == ' ' && (text[-1] == '.' || text[-1] == ':') &&
                                   isupper((unsigned char)text[1]))) {
            begins = true;
            fputs(*text == '\n' && text[1] == '\n' ? "\n.Pp\n" : "\n", out);
            if (text[1] == '\n')
                text++;
        } else
            fputc(*text, out);
    }
    fputc('\n', out);
}

/* Within a macro's line: what a macro would take for one of its own, or for an end, is quoted. */
static void put_word(const char *text, FILE *out)
{
    fputs(" \\&", out);
    for (; *text != '\0'; text++)
        if (*text == ' ')
            fputs("\\ ", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else if (*text == '"')
            fputs("\\(dq", out);
        else
            fputc(*text, out);
}

static void put_words(const char *text, FILE *out)
{
    char word[256];

    while (*text != '\0') {
        const size_t bytes = strcspn(text, " ");

        snprintf(word, sizeof word, "%.*s", (int)bytes, text);
        put_word(word, out);
        text += bytes + (text[bytes] == ' ');
    }
}

static void put_heading(const char *title, const char *section, FILE *out)
{
    char name[64];
    size_t i;

    for (i = 0; title[i] != '\0' && i + 1 < sizeof name; i++)
        name[i] = (char)toupper((unsigned char)title[i]);
    name[i] = '\0';
    fprintf(out, ".\\\" Made by countersink help --man.\n.Dd " DATE "\n.Dt %s %s\n.Os\n.Sh NAME\n",
            name, section);
}

/* -o, --output DIR */
static void put_flags(const cs_option *o, FILE *out)
{
    if (o->id < CS_ID_SET)
        fprintf(out, " Fl %c ,", o->id);
    fprintf(out, " Fl \\-%s", o->name);
    if (o->value != NULL) {
        fprintf(out, " Ar");
        put_word(o->value, out);
    }
}

static void put_options(const cs_command *command, FILE *out)
{
    static const cs_option help = {.id = 'h', .name = "help", .text = "print the help"};
    cs_option option;
    bool more = true;

    fprintf(out, ".Bl -tag -width Ds\n");
    for (size_t i = 0; more; i++) {
        more = cs_option_at(command, i, &option);
        if (!more)
            option = help;
        if (option.hidden)
            continue;
        fprintf(out, ".It");
        put_flags(&option, out);
        fputc('\n', out);
        put_text(option.text, out);
        bool any = false;

        for (const cs_choice *c = option.choices; c != NULL && c->name != NULL; c++) {
            if (c->text == NULL)
                continue;
            fputs(any ? "" : ".Bl -tag -width duplicate -compact\n", out);
            any = true;
            fprintf(out, ".It Cm");
            put_word(c->name, out);
            fputc('\n', out);
            put_text(c->text, out);
        }
        fputs(any ? ".El\n" : "", out);
    }
    fprintf(out, ".El\n");
}

/* What a command makes of lists stands as it is printed. */
static void put_more(const cs_command *command, FILE *out)
{
    FILE *lines = tmpfile();
    char text[1024];

    if (lines == NULL)
        return;
    command->more(lines);
    rewind(lines);
    fprintf(out, ".Bd -literal\n");
    while (fgets(text, sizeof text, lines) != NULL) {
        text[strcspn(text, "\n")] = '\0';
        if (*text == '\0')
            fputc('\n', out);
        else
            put_text(text, out);
    }
    fprintf(out, ".Ed\n");
    fclose(lines);
}

static void put_synopsis(const cs_command *command, FILE *out)
{
    const cs_operand *operand = &command->operand;

    fprintf(out, ".Sh SYNOPSIS\n.Nm countersink Cm %s\n", command->name);
    if (operand->first)
        fprintf(out, ".Ar %s\n", operand->name);
    for (const cs_option *o = command->options; o != NULL && o->name != NULL; o++) {
        if (o->hidden)
            continue;
        fprintf(out, o->needed ? ".Fl" : ".Op Fl");
        if (o->id < CS_ID_SET)
            fprintf(out, " %c", o->id);
        else
            fprintf(out, " \\-%s", o->name);
        if (o->value != NULL) {
            fprintf(out, " Ar");
            put_word(o->value, out);
        }
        fprintf(out, "%s\n", o->many && o->value != NULL ? " ..." : "");
    }
    if (operand->most != 0 && !operand->first)
        fprintf(out, "%s %s%s\n", operand->least == 0 ? ".Op Ar" : ".Ar", operand->name,
                operand->most > 1 ? " ..." : "");
}

static void man_of_command(const cs_command *command, FILE *out)
{
    char name[64];

    snprintf(name, sizeof name, "countersink-%s", command->name);
    put_heading(name, "1", out);
    fprintf(out, ".Nm %s\n.Nd %s\n", name, command->summary);
    put_synopsis(command, out);
    fprintf(out, ".Sh DESCRIPTION\n");
    put_text(command->text != NULL ? command->text : command->summary, out);
    fprintf(out, ".Pp\nThe options are:\n");
    put_options(command, out);
    if (command->more != NULL)
        put_more(command, out);
    fprintf(out, ".Sh EXIT STATUS\n");
    put_text(command->ends, out);
    if (command->examples != NULL)
        fprintf(out, ".Sh EXAMPLES\n");
    for (const cs_example *e = command->examples; e != NULL && e->line != NULL; e++) {
        put_text(e->text, out);
        fprintf(out, ".Dl countersink");
        put_words(e->line, out);
        fputc('\n', out);
    }
    fprintf(out, ".Sh SEE ALSO\n.Xr countersink 1\n");
}

/* The command behind `last` in the alphabet; NULL: the first, and behind the last one. */
static const cs_command *next_in_order(const cs_command *last)
{
    const cs_command *best = NULL, *command;

    for (size_t i = 0; (command = cs_command_at(i)) != NULL; i++)
        if ((last == NULL || strcmp(command->name, last->name) > 0) &&
            (best == NULL || strcmp(command->name, best->name) < 0))
            best = command;
    return best;
}

static void man_of_program(FILE *out)
{
    const cs_command *command;

    put_heading("countersink", "1", out);
    fprintf(out, ".Nm countersink\n.Nd %s\n", CS_TAGLINE);
    fprintf(out, ".Sh SYNOPSIS\n.Nm countersink\n.Ar command\n.Op Ar argument ...\n"
                 ".Nm countersink\n.Fl V\n");
    fprintf(out,
            ".Sh DESCRIPTION\nSimulates offload units of performance monitoring units:\n"
            "what the hardware counts, what it writes into memory, what software makes of it,\n"
            "and what really happened.\n.Pp\nThe commands are:\n.Bl -tag -width Ds\n");
    for (size_t i = 0; (command = cs_command_at(i)) != NULL; i++) {
        fprintf(out, ".It Cm %s\n", command->name);
        put_text(command->summary, out);
    }
    fprintf(out,
            ".El\n.Sh ENVIRONMENT\n.Bl -tag -width Ds\n"
            ".It Ev COUNTERSINK_CACHE\nWhere dies that are not ready\\-made are kept, in place "
            "of\n.Pa ~/.cache/countersink .\n"
            ".El\n.Sh EXIT STATUS\n");
    put_text("0 good, 1 different or wrong, 2 bad use, scenario or file, 3 I/O or memory, 4 cannot "
             "say. A signal that ends a command ends it as it ends others.",
             out);
    fprintf(out, ".Sh SEE ALSO\n");
    for (const cs_command *at = next_in_order(NULL); at != NULL; at = next_in_order(at))
        fprintf(out, ".Xr countersink-%s 1%s\n", at->name, next_in_order(at) != NULL ? " ," : "");
}

void cs_man_page(const cs_command *command, FILE *out)
{
    if (command != NULL)
        man_of_command(command, out);
    else
        man_of_program(out);
}
