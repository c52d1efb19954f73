// SPDX-License-Identifier: Apache-2.0
/* Damages a file on purpose. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/files/output.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/files/standard.h"
#include "formats/common/input.h"
#include "formats/damage/damage.h"

#define PATH_BYTES 4096

typedef struct request {
    const char *path;
    const char *out;
    const char *as;   /* NULL: told from the file */
    const char *kind; /* "all", or with a seed */
    uint64_t seed;
    cs_table_format format;
    cs_table table; /* a row per damage; of text nothing */
    bool begun;
    FILE *told; /* where what was done is printed: standard output, unless the file goes there */
} request;

static const cs_table_column columns[] = {{.name = "kind", .kind = CS_CELL_NAME},
                                          {.name = "seed", .kind = CS_CELL_NUMBER},
                                          {.name = "words", .kind = CS_CELL_NAME},
                                          {.name = "offset", .kind = CS_CELL_NUMBER},
                                          {.name = "before_bytes", .kind = CS_CELL_NUMBER},
                                          {.name = "after_bytes", .kind = CS_CELL_NUMBER},
                                          {.name = "before", .kind = CS_CELL_NAME},
                                          {.name = "after", .kind = CS_CELL_NAME},
                                          {.name = "size_before", .kind = CS_CELL_NUMBER},
                                          {.name = "size_after", .kind = CS_CELL_NUMBER}};

static cs_status write_told(void *ctx, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

static void put_row(request *wanted, const cs_damage_report *r)
{
    const cs_text_sink sink = {write_told, wanted->told};
    char before[CS_DAMAGE_HEX_BYTES], after[CS_DAMAGE_HEX_BYTES];
    const cs_table_cell cells[] = {{.name = cs_damage_name(r->kind)},
                                   {.number = r->seed},
                                   {.name = r->words},
                                   {.number = r->offset},
                                   {.number = r->before_bytes},
                                   {.number = r->after_bytes},
                                   {.name = cs_damage_hex(r->before, r->before_bytes, before)},
                                   {.name = cs_damage_hex(r->after, r->after_bytes, after)},
                                   {.number = r->size_before},
                                   {.number = r->size_after}};

    if (!wanted->begun) {
        cs_table_begin(&wanted->table, wanted->format, &sink);
        cs_table_columns(&wanted->table, columns, sizeof columns / sizeof columns[0]);
    }
    wanted->begun = true;
    cs_table_row(&wanted->table, cells);
}

static void tell(request *wanted, const cs_damage_report *report)
{
    if (wanted->format != CS_TABLE_TEXT)
        put_row(wanted, report);
    else
        fprintf(wanted->told, "%-9s  seed %llu  %s\n", cs_damage_name(report->kind),
                (unsigned long long)report->seed, report->words);
}

static int damage_once(request *wanted, cs_damage_kind kind, const char *out,
                       bool may_be_impossible)
{
    cs_damage_report report;
    cs_diag diag = {0};
    const cs_status status =
        cs_damage_file(wanted->path, out, wanted->as, kind, wanted->seed, &report, &diag);

    if (status == CS_ERR_RANGE && may_be_impossible) {
        fprintf(stderr, "countersink: %s\n", diag.text);
        return EXIT_GOOD;
    }
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    tell(wanted, &report);
    return EXIT_GOOD;
}

static int end(request *wanted, int exit_status)
{
    cs_diag diag = {0};

    if (wanted->begun)
        cs_table_end(&wanted->table);
    if (fflush(stdout) == 0 || exit_status != EXIT_GOOD)
        return exit_status;
    cs_diag_set(&diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    return cs_cli_fail(&diag);
}

/* Each kind that is possible into a folder, under its name. */
static int damage_all(request *wanted, const char *folder)
{
    int exit_status = EXIT_GOOD;

    for (unsigned kind = 0; kind < CS_NR_DAMAGES && exit_status == EXIT_GOOD; kind++) {
        char path[PATH_BYTES];

        if (snprintf(path, sizeof path, "%s/%s", folder, cs_damage_name((cs_damage_kind)kind)) >=
            (int)sizeof path)
            return cs_cli_usage(&cs_command_damage, "-o: the name is too long");
        exit_status = damage_once(wanted, (cs_damage_kind)kind, path, true);
    }
    return exit_status;
}

/* The bytes are wanted as a whole, of each kind anew. */
static cs_status take_input(request *wanted, cs_diag *diag)
{
    cs_input in;
    cs_status status;

    if (strcmp(wanted->path, "-") != 0)
        return CS_OK;
    status = cs_input_open(&in, "-", 0, UINT64_MAX, diag);
    if (status == CS_OK)
        status = cs_input_spool(&in, diag);
    cs_input_close(&in);
    wanted->path = "/dev/stdin";
    return status;
}

static int damage(request *wanted)
{
    const bool all = strcmp(wanted->kind, "all") == 0;
    cs_damage_kind kind = CS_DAMAGE_TRUNCATE;
    cs_diag diag = {0};
    cs_output *output;
    uint64_t seed;

    if (!all && cs_damage_of(wanted->kind, &kind, &seed, &diag) != CS_OK)
        return cs_cli_usage(&cs_command_damage, "--kind: %s, or all", diag.text);
    if (!all && strchr(wanted->kind, ':') != NULL)
        wanted->seed = seed;
    cs_standard out;
    if (all && strcmp(wanted->out, "-") == 0)
        return cs_cli_usage(&cs_command_damage, "-o -: `all` makes a folder");
    if (take_input(wanted, &diag) != CS_OK || cs_standard_begin(&out, wanted->out, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    wanted->told = cs_standard_is(&out) ? stderr : stdout;
    if (cs_output_begin(out.name, all ? CS_OUTPUT_FOLDER : 0, &output, &diag) != CS_OK) {
        cs_standard_end(&out, CS_ERR_IO, NULL);
        return cs_cli_fail(&diag);
    }
    const char *path = cs_output_path(output, CS_OUTPUT_FIRST);
    int exit_status = all ? damage_all(wanted, path) : damage_once(wanted, kind, path, false);
    exit_status = end(wanted, exit_status);
    if (exit_status != EXIT_GOOD)
        cs_output_abandon(output);
    else if (cs_output_commit(output, &diag) != CS_OK)
        exit_status = cs_cli_fail(&diag);
    if (cs_standard_end(&out, exit_status == EXIT_GOOD ? CS_OK : CS_ERR_IO, &diag) != CS_OK &&
        exit_status == EXIT_GOOD)
        exit_status = cs_cli_fail(&diag);
    return exit_status;
}

enum { AS = CS_OPTION_LONG, JSON };

static int run(cs_args *args)
{
    request wanted = {.seed = 1};
    int id, status = EXIT_GOOD;

    while (status == EXIT_GOOD && (id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case 'k':
            wanted.kind = args->value;
            break;
        case 's':
            if (!cs_number_of(args->value, UINT64_MAX, &wanted.seed))
                return cs_cli_usage(args->command, "--seed: found '%s', expected a number",
                                    args->value);
            break;
        case 'o':
            wanted.out = args->value;
            break;
        case AS:
            wanted.as = args->value;
            break;
        case 'f':
            status = cs_table_take(&wanted.format, args);
            break;
        case JSON:
            wanted.format = CS_TABLE_JSON;
            break;
        default:
            return args->status;
        }
    if (status != EXIT_GOOD)
        return status;
    if (wanted.kind == NULL || wanted.out == NULL)
        return cs_cli_usage(args->command, "%s is missing", wanted.kind == NULL ? "--kind" : "-o");
    wanted.path = args->operands[0];
    return damage(&wanted);
}

static void print_formats(FILE *out)
{
    char names[CS_FORMAT_NAMES_BYTES];

    fprintf(out, "Formats whose records are known: %s.\n", cs_damage_formats(names));
}

static const cs_choice kinds[] = {
    {"truncate", "the end is cut off, at any byte"},
    {"drop", "a record is missing"},
    {"duplicate", "a record is there twice"},
    {"reorder", "two neighbouring records are swapped"},
    {"overlap", "a record is written over the end of the one before it"},
    {"flip", "a bit of a record is flipped"},
    {"zero", "up to 256 bytes are zero"},
    {"header", "a number of the header is wrong"},
    {"size", "the size of a record is wrong"},
    {"all", "each kind that is possible; OUT is a new folder"},
    {0},
};

static const cs_option options[] = {
    {.id = 'k',
     .name = "kind",
     .value = "KIND",
     .choices = kinds,
     .needed = true,
     .text = "kind of damage; KIND:N uses seed N"},
    {.id = 's',
     .name = "seed",
     .value = "N",
     .text = "seed of the damage (default: 1); the same seed gives the same bytes"},
    {.id = 'o',
     .name = "output",
     .value = "OUT",
     .is = CS_VALUE_FILE,
     .needed = true,
     .text = "the damaged file to create (-: standard output)"},
    {.id = AS,
     .name = "as",
     .value = "FORMAT",
     .is = CS_VALUE_FORMAT,
     .text = "format of FILE (default: detected)"},
    CS_OPTION_TABLE,
    {.id = JSON, .name = "json", .text = "the same as --format json"},
    {0},
};

static const cs_example examples[] = {
    {"damage --kind flip:7 -o bad.data out.data", "flips a bit of a record, chosen by seed 7"},
    {0},
};

const cs_command cs_command_damage = {
    .name = "damage",
    .summary = "damage a trace file on purpose, to try its readers",
    .options = options,
    .operand = {"FILE", "file", CS_VALUE_FILE, 1, 1},
    .more = print_formats,
    .examples = examples,
    .ends = "0 good, 2 bad use, or a damage that is not possible, 3 I/O",
    .run = run,
};
