// SPDX-License-Identifier: Apache-2.0
/* Prints what a file holds, as one of the formats of formats.def. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "formats/common/beside.h"
#include "formats/formats.h"
#include "scenario/work/event_names.h"
#include "scenario/yaml/yaml.h"

#define MOST_OPTIONS 32u
#define PATH 4096u

typedef struct request {
    const cs_format *as; /* NULL: to be told from the file */
    const char *path;
    uint64_t offset, length; /* of what is decoded, in the file */
    cs_format_print print;
} request;

/* ---- options of formats ---- */

/* Those of all formats, each once, in the order of the list; NULL: there is no option `nr`. */
static const cs_format_option *option_at(size_t nr)
{
    const cs_format_option *seen[MOST_OPTIONS];
    size_t nr_seen = 0;
    const cs_format *format;

    for (size_t i = 0; (format = cs_format_at(i)) != NULL; i++)
        for (size_t k = 0; format->options != NULL && format->options[k] != NULL; k++) {
            size_t at = 0;

            while (at < nr_seen && seen[at] != format->options[k])
                at++;
            if (at < nr_seen || nr_seen == MOST_OPTIONS)
                continue;
            if (nr_seen == nr)
                return format->options[k];
            seen[nr_seen++] = format->options[k];
        }
    return NULL;
}

static int give(cs_format_print *print, const cs_format_option *option, const char *text)
{
    cs_diag diag = {0};
    size_t at = 0;

    if (option->check != NULL && option->check(text, &diag) != CS_OK)
        return cs_cli_usage(&cs_command_decode, "--%s: %s", option->name, diag.text);
    while (at < print->nr_given && print->given[at].option != option)
        at++;
    if (at == CS_FORMAT_MOST_OPTIONS)
        return cs_cli_usage(&cs_command_decode, "more than %u options of formats",
                            CS_FORMAT_MOST_OPTIONS);
    print->given[at].option = option;
    print->given[at].text = text;
    print->nr_given += at == print->nr_given;
    return EXIT_GOOD;
}

static bool takes(const cs_format *format, const void *option)
{
    return cs_format_takes(format, option);
}

/* What the format demands of the options. */
static int check(const request *wanted, const cs_format *as)
{
    const cs_format_print *print = &wanted->print;
    char names[CS_FORMAT_NAMES_BYTES];
    cs_diag diag = {0};

    for (size_t i = 0; as->options != NULL && as->options[i] != NULL; i++)
        if (as->options[i]->what != NULL && cs_format_text(print, as->options[i]) == NULL)
            return cs_cli_usage(&cs_command_decode, "--as %s needs --%s %s, %s", as->name,
                                as->options[i]->name, as->options[i]->value, as->options[i]->what);
    for (size_t i = 0; i < print->nr_given; i++)
        if (!cs_format_takes(as, print->given[i].option))
            return cs_cli_usage(
                &cs_command_decode, "--%s is for %s, this is %s", print->given[i].option->name,
                cs_format_names(names, " and ", takes, print->given[i].option), as->name);
    if (as->accepts != NULL && as->accepts(print, &diag) != CS_OK)
        return cs_cli_usage(&cs_command_decode, "%s", diag.text);
    return EXIT_GOOD;
}

/* Could the option be given to what is asked for? It was not. */
static bool is_open(const request *wanted, const cs_format *as, const cs_format_option *option)
{
    cs_format_print print = wanted->print;

    if (cs_format_text(&print, option) != NULL || print.nr_given == CS_FORMAT_MOST_OPTIONS)
        return false;
    print.given[print.nr_given].option = option;
    print.given[print.nr_given++].text = "";
    return as->accepts == NULL || as->accepts(&print, NULL) == CS_OK;
}

/* An option that the scenario says is given, unless the user has given it. */
static void take_from_scenario(request *wanted, const cs_format *as, cs_yaml_node *root)
{
    cs_format_print *print = &wanted->print;
    const cs_format_option *option;

    for (size_t k = 0; (option = cs_format_option_at(as, k)) != NULL; k++) {
        const cs_yaml_node *node =
            option->key != NULL ? cs_yaml_find(root, option->key, NULL) : NULL;

        if (node == NULL && option->other_key != NULL)
            node = cs_yaml_find(root, option->other_key, NULL);
        if (node == NULL || node->kind != CS_YAML_SCALAR || !is_open(wanted, as, option))
            continue;
        if (option->value == NULL ? strcmp(node->text, option->name) == 0
                                  : option->check(node->text, NULL) == CS_OK) {
            print->given[print->nr_given].option = option;
            print->given[print->nr_given++].text = node->text;
        }
    }
}

/* What need not be given of a file that belongs to a run folder. *yaml has the texts. */
static void take_from_run(request *wanted, const cs_format *as, cs_yaml **yaml)
{
    char path[PATH + 16];
    char *text = NULL;
    size_t bytes;
    cs_yaml_node *root;
    cs_diag diag; /* then there is nothing to take */

    if (!cs_run_folder_beside(wanted->path, path, PATH))
        return;
    strcat(path, "/scenario.yaml");
    if (cs_yaml_create(yaml, &diag) == CS_OK && cs_yaml_read(path, &text, &bytes, &diag) == CS_OK &&
        cs_yaml_parse(*yaml, text, bytes, path, true, &root, &diag) == CS_OK)
        take_from_scenario(wanted, as, root);
    free(text);
}

/* ---- the file ---- */

static bool is_other_file(const cs_format *format, const void *as)
{
    return format != as && !format->folder;
}

/* Nobody knows whether it is of the format at all. */
static void tell_guess(const cs_format *as, cs_diag *diag)
{
    const size_t used = strlen(diag->text);
    char names[CS_FORMAT_NAMES_BYTES];

    snprintf(diag->text + used, sizeof diag->text - used, "; read as %s; other formats: --as %s",
             as->name, cs_format_names(names, ", ", is_other_file, as));
}

/* Letters and lines, and no other byte. */
static bool is_text(const cs_input *in)
{
    size_t letters = 0, lines = 0;

    for (size_t i = 0; i < in->looked; i++) {
        const unsigned char c = in->look[i];

        if (c < 0x20 && c != '\n' && c != '\t' && c != '\r')
            return false;
        letters += c >= 0x20 && c < 0x7f;
        lines += c == '\n';
    }
    return lines != 0 && 10 * letters >= 9 * in->looked;
}

static int decode_input(request *wanted, cs_input *in)
{
    const cs_text_sink sink = {cs_cli_write, NULL};
    const cs_format *as = wanted->as;
    cs_yaml *yaml = NULL;
    cs_diag diag = {0};

    if (as == NULL && in->looked == 0) {
        cs_diag_set(&diag, CS_ERR_FORMAT, in->name,
                    "byte 0: the file ends%s: its format cannot be detected (--as)",
                    wanted->offset != 0 ? " at --offset" : ", it is empty");
        return cs_cli_fail(&diag);
    }
    if (as == NULL)
        as = cs_format_guess(in->look, in->looked);
    if (as == NULL && is_text(in)) {
        cs_diag_set(&diag, CS_ERR_FORMAT, in->name,
                    "this is text, in no format that is detected (to simulate a scenario, use "
                    "countersink run); --as FORMAT names a format");
        return cs_cli_fail(&diag);
    }
    if (as == NULL)
        as = cs_format_otherwise();
    const int exit_status = check(wanted, as);

    if (exit_status != EXIT_GOOD)
        return exit_status;
    take_from_run(wanted, as, &yaml);
    cs_status status = as->print(&wanted->print, in, &sink, &diag);
    if (status == CS_ERR_FORMAT && wanted->as == NULL && as->otherwise)
        tell_guess(as, &diag);
    if (fflush(stdout) != 0 && status == CS_OK)
        status =
            cs_diag_set(&diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    cs_yaml_destroy(yaml);
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int decode(request *wanted)
{
    cs_input in = {.name = wanted->path};
    cs_diag diag = {0};

    if (wanted->as == NULL)
        wanted->as = cs_format_guess_folder(wanted->path);
    if (wanted->as != NULL && wanted->as->folder)
        return wanted->offset == 0 && wanted->length == UINT64_MAX
                   ? decode_input(wanted, &in)
                   : cs_cli_usage(&cs_command_decode, "--offset and --length are for files, this "
                                                      "is a folder");
    const cs_status status =
        cs_input_open(&in, wanted->path, wanted->offset, wanted->length, &diag);
    const int exit_status = status == CS_OK ? decode_input(wanted, &in) : cs_cli_fail(&diag);

    cs_input_close(&in);
    return exit_status;
}

/* ---- the command ---- */

static const char *event_name(void *ctx, uint32_t event)
{
    (void)ctx;
    return cs_named_event_of(event);
}

enum { AS = CS_OPTION_LONG, OFFSET, LENGTH };

/* One option's value into *wanted; EXIT_GOOD, or the status after a message. */
static int take_option(int id, const cs_args *args, request *wanted)
{
    char names[CS_FORMAT_NAMES_BYTES];

    switch (id) {
    case 'f':
        return cs_table_take(&wanted->print.table, args);
    case AS:
        wanted->as = cs_format_named(args->value);
        if (wanted->as == NULL)
            return cs_cli_usage(&cs_command_decode, "--as: found '%s', expected %s", args->value,
                                cs_format_names(names, " or ", NULL, NULL));
        return EXIT_GOOD;
    case LENGTH:
        if (!cs_number_of(args->value, UINT64_MAX, &wanted->length) || wanted->length == 0)
            return cs_cli_usage(&cs_command_decode, "--length: found '%s', expected bytes, 1..",
                                args->value);
        return EXIT_GOOD;
    case OFFSET:
        if (!cs_number_of(args->value, INT64_MAX, &wanted->offset))
            return cs_cli_usage(&cs_command_decode, "--offset: found '%s', expected bytes, 0..",
                                args->value);
        return EXIT_GOOD;
    default:
        return id >= CS_OPTION_LISTED
                   ? give(&wanted->print, option_at((size_t)(id - CS_OPTION_LISTED)),
                          args->value != NULL ? args->value : "")
                   : args->status;
    }
}

static int run(cs_args *args)
{
    request wanted = {.print = {.table = CS_TABLE_TEXT, .event_name = event_name},
                      .length = UINT64_MAX};
    int id;

    while ((id = cs_args_next(args)) != CS_ARGS_END) {
        const int status = take_option(id, args, &wanted);

        if (status != EXIT_GOOD || id == CS_ARGS_STOP)
            return status;
    }
    wanted.path = args->operands[0];
    return decode(&wanted);
}

static bool listed(size_t nr, cs_option *out)
{
    const cs_format_option *option = option_at(nr);

    if (option != NULL)
        *out = (cs_option){.name = option->name, .value = option->value, .text = option->help};
    return option != NULL;
}

/* The formats, and below each its options. */
static void print_formats(FILE *out)
{
    const cs_format *format;

    fprintf(out, "A file whose format is not detected is read as %s. Formats and their options:\n",
            cs_format_otherwise()->name);
    for (size_t i = 0; (format = cs_format_at(i)) != NULL; i++) {
        fprintf(out, "  %-12s  %s\n", format->name, format->about);
        const cs_format_option *option;

        for (size_t k = 0; (option = cs_format_option_at(format, k)) != NULL; k++) {
            char name[64];

            snprintf(name, sizeof name, "--%s%s%s", option->name, option->value != NULL ? " " : "",
                     option->value != NULL ? option->value : "");
            fprintf(out, "      %-18s  %s\n", name, option->help);
        }
    }
}

static const cs_option options[] = {
    {.id = AS,
     .name = "as",
     .value = "FORMAT",
     .is = CS_VALUE_FORMAT,
     .text = "format of FILE (default: detected where that is safe)"},
    CS_OPTION_TABLE,
    {.id = OFFSET,
     .name = "offset",
     .value = "N",
     .text = "skip the first N bytes of FILE, as in a memory image; messages count from there"},
    {.id = LENGTH, .name = "length", .value = "N", .text = "read at most N bytes"},
    {0},
};

static const cs_example examples[] = {
    {"decode runs/pmcu_demo-1/samples.aux",
     "the samples of a run; the format is detected, and the slots are in its scenario"},
    {"decode --format csv out.data", "the records of a perf.data file, a row each"},
    {0},
};

const cs_command cs_command_decode = {
    .name = "decode",
    .summary = "print what a trace, a dump or a memory image holds",
    .options = options,
    .listed = listed,
    .listed_apart = true,
    .operand = {"FILE", "file", CS_VALUE_FILE, 1, 1},
    .text = "FILE - is standard input. For a file in a run folder, or one with FILE.truth beside "
            "it, --slots and --power10 come from the run's scenario.",
    .more = print_formats,
    .examples = examples,
    .ends = "0 good, 2 bad use or a damaged dump, 3 I/O",
    .run = run,
};
