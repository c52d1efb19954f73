// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* strcasestr */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/files/shared.h"
#include "cli/help/key_row.h"
#include "cli/help/wrap.h"
#include "cli/list.h"
#include "guest/guest.h"
#include "scenario/keys.h"
#include "scenario/section_list.h"
#include "scenario/work/event_names.h"

/* ---- what there is ---- */

/* How a list is printed: as text, or as the rows of a table. */
typedef struct list_out {
    bool text;
    cs_table table;
} list_out;

#define NAME(title)                                                                                \
    {                                                                                              \
        .name = title, .kind = CS_CELL_NAME                                                        \
    }
#define ROW(...)                                                                                   \
    (const cs_table_cell[])                                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define COUNT(columns) (sizeof(columns) / sizeof(columns)[0])

static void put_unit(list_out *out, const char *name, const char *about, const char *page)
{
    if (out->text)
        printf("%-9s %-47s %s\n", name, about, page);
    else
        cs_table_row(&out->table, ROW({.name = name}, {.name = about}, {.name = page}));
}

static void list_units(list_out *out)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_unit_page *unit = cs_sections[i].section->unit;

        if (unit != NULL)
            put_unit(out, unit->unit, unit->about, unit->page);
    }
    put_unit(out, "bus", "AXI4-style fabric, memory, register bridges", "docs/hw/bus.md");
}

/* Wrapped at a terminal; programs that know of no --format read a line per key. */
static void print_key(const char *path, const char *allowed, const cs_key *key)
{
    if (isatty(STDOUT_FILENO)) {
        char line[1024];

        snprintf(line, sizeof line, "%s; default %s. %s", allowed,
                 cs_key_default(key, "(required)"), key->text);
        printf("%s\n", path);
        cs_wrap(stdout, line, 0, 4, cs_columns(stdout, 100));
    } else {
        printf("%-44s %-28s default %-14s %s\n", path, allowed,
               key->fallback != NULL ? key->fallback : "(required)", key->text);
    }
}

static bool put_key(void *ctx, const char *path, const cs_key *key)
{
    list_out *out = ctx;
    char allowed[512];

    if (out->text)
        print_key(path, cs_key_allowed(key, allowed, sizeof allowed), key);
    else
        cs_key_row(&out->table, path, key);
    return true;
}

static void list_keys(list_out *out)
{
    cs_scenario_keys(put_key, out);
}

static void list_events(list_out *out)
{
    cs_named_event event;

    for (size_t i = 0; (event = cs_named_event_at(i)).name != NULL; i++) {
        char code[48];

        snprintf(code, sizeof code, "%s0x%04x", event.prefix, event.number);
        if (out->text)
            printf("%s  %s\n", code, event.name);
        else
            cs_table_row(&out->table, ROW({.name = code}, {.name = event.name}));
    }
}

static void put_register(list_out *out, const char *unit, const cs_unit_register *row)
{
    char name[64], where[16], reset[24];

    snprintf(name, sizeof name, row->count > 1 ? "%s<0..%u>" : "%s", row->name, row->count - 1);
    snprintf(where, sizeof where, "0x%03x", row->offset);
    snprintf(reset, sizeof reset, "0x%" PRIx64, row->reset);
    if (out->text)
        printf("%-8s %s  %-24s %-5s reset %-10s %s\n", unit, where, name, row->access, reset,
               row->text);
    else
        cs_table_row(&out->table,
                     ROW({.name = unit}, {.name = name}, {.name = where}, {.name = row->access},
                         {.name = reset}, {.name = NULL}, {.name = row->text}));
}

static void put_place(list_out *out, const char *unit, const cs_unit_place *row)
{
    if (!out->text) {
        cs_table_row(&out->table, ROW({.name = unit}, {.name = row->name}, {.name = row->where},
                                      {.name = row->access}, {.name = NULL}, {.name = row->fields},
                                      {.name = row->text}));
        return;
    }
    printf("%-8s %-32s %-21s %-5s %s\n", unit, row->name, row->where, row->access, row->text);
    if (row->fields != NULL)
        printf("%-8s   bits from the top: %s\n", "", row->fields);
}

static void list_registers(list_out *out)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_unit_page *unit = cs_sections[i].section->unit;

        if (unit == NULL)
            continue;
        for (const cs_unit_register *row = unit->registers; row != NULL && row->name != NULL; row++)
            put_register(out, unit->unit, row);
        for (const cs_unit_place *row = unit->places; row != NULL && row->name != NULL; row++)
            put_place(out, unit->unit, row);
    }
}

static void list_guests(list_out *out)
{
    cs_guest_row row;

    for (size_t i = 0; cs_guest_listed(i, &row); i++)
        if (out->text)
            printf("%-9s %-47s %s\n", row.kind, row.about,
                   row.missing[0] == '\0' ? "ready" : row.missing);
        else
            cs_table_row(&out->table,
                         ROW({.name = row.kind}, {.name = row.about}, {.name = row.missing}));
}

static const cs_table_column unit_columns[] = {NAME("unit"), NAME("about"), NAME("page")};
static const cs_table_column register_columns[] = {NAME("unit"),   NAME("register"), NAME("where"),
                                                   NAME("access"), NAME("reset"),    NAME("fields"),
                                                   NAME("text")};
static const cs_table_column event_columns[] = {NAME("code"), NAME("event")};
static const cs_table_column guest_columns[] = {NAME("guest"), NAME("about"), NAME("missing")};
static const cs_table_column example_columns[] = {NAME("scenario"), NAME("about")};

static const struct section {
    const char *title;
    void (*put)(list_out *out);
    const cs_table_column *columns;
    size_t nr_columns;
} sections[] = {
    {"Units", list_units, unit_columns, COUNT(unit_columns)},
    {"Scenario keys", list_keys, cs_key_columns, CS_KEY_COLUMNS},
    {"Registers", list_registers, register_columns, COUNT(register_columns)},
    {"Events", list_events, event_columns, COUNT(event_columns)},
    {"Guests", list_guests, guest_columns, COUNT(guest_columns)},
};

#define NR_SECTIONS (sizeof sections / sizeof sections[0])

static void begin(list_out *out, cs_table_format format, const cs_table_column *columns, size_t nr)
{
    const cs_text_sink sink = {cs_cli_write, NULL};

    out->text = format == CS_TABLE_TEXT;
    if (out->text)
        return;
    cs_table_begin(&out->table, format, &sink);
    cs_table_columns(&out->table, columns, nr);
}

static void end(list_out *out)
{
    if (!out->text)
        cs_table_end(&out->table);
}

/* Those of the sections stand first, in their order. */
static const cs_option options[] = {
    {.id = CS_OPTION_LONG, .name = "units", .text = "the simulated units and their specifications"},
    {.id = CS_OPTION_LONG + 1,
     .name = "scenario",
     .text = "every key of a scenario: allowed values, default, meaning"},
    {.id = CS_OPTION_LONG + 2, .name = "registers", .text = "the registers of the units"},
    {.id = CS_OPTION_LONG + 3,
     .name = "events",
     .text = "the events that have names, and their numbers"},
    {.id = CS_OPTION_LONG + 4,
     .name = "guests",
     .text = "what `boot` can bring up, and what is missing"},
    {.id = 'e',
     .name = "examples",
     .value = "WORD",
     .text = "the shipped scenarios with WORD in them; `new --from` copies one"},
    CS_OPTION_TABLE,
    {0},
};

/* All of them with a title each. */
static void print_sections(const bool asked[NR_SECTIONS], bool any, cs_table_format format)
{
    for (size_t i = 0; i < NR_SECTIONS; i++) {
        list_out out;

        if (any && !asked[i])
            continue;
        if (!any)
            printf("%s%s (list --%s)\n", i != 0 ? "\n" : "", sections[i].title, options[i].name);
        begin(&out, format, sections[i].columns, sections[i].nr_columns);
        sections[i].put(&out);
        end(&out);
    }
}

static void put_example(list_out *out, const char *name, const char *title, size_t bytes)
{
    char line[256], path[256];

    snprintf(line, sizeof line, "%.*s", (int)bytes, title);
    snprintf(path, sizeof path, "configs/%s", name);
    if (out->text)
        cs_wrap(stdout, line, (unsigned)printf("%-44s ", path), 45, cs_columns(stdout, 100));
    else
        cs_table_row(&out->table, ROW({.name = path}, {.name = line}));
}

/* Scenarios with a word in their name or in their text, and what their first line says. */
static int list_examples(const char *word, cs_table_format format)
{
    char root[1024], *names[CS_SHARED_MOST];
    size_t count, found = 0;
    list_out out;
    cs_diag diag = {0};

    if (!cs_shared_folder("configs", root, sizeof root)) {
        cs_diag_set(&diag, CS_ERR_IO, NULL, "configs/ is not beside the program");
        return cs_cli_fail(&diag);
    }
    count = cs_shared_scenarios(root, names);
    for (size_t i = 0; i < count; i++) {
        char *text = cs_shared_read(root, names[i]);
        size_t bytes = 0;
        const char *title = text != NULL ? cs_shared_title(text, &bytes) : NULL;

        if (title != NULL &&
            (strcasestr(names[i], word) != NULL || strcasestr(title, word) != NULL)) {
            if (found++ == 0)
                begin(&out, format, example_columns, COUNT(example_columns));
            put_example(&out, names[i], title, bytes);
        }
        free(text);
        free(names[i]);
    }
    if (found == 0)
        return cs_cli_usage(&cs_command_list, "--examples: no scenario in configs/ contains '%s'",
                            word);
    end(&out);
    return EXIT_GOOD;
}

/* ---- what files say ---- */

static const cs_list_kind *const kinds[] = {&cs_list_catalog, &cs_list_pmus, &cs_list_perf};

#define NR_KINDS (sizeof kinds / sizeof kinds[0])
/* What was asked for. */
typedef struct request {
    bool asked[NR_SECTIONS], any; /* sections */
    const char *path[NR_KINDS];   /* NULL: it was not */
    const char *examples;         /* a word; NULL: they are not asked for */
    cs_table_format format;
    cs_list_given *given; /* of all kinds */
    size_t nr_given;
} request;

/* What the lists of files bring: of each kind what asks for it, then its options. `option` is NULL for
 * what asks for it. False: there is none of that number. */
static bool brought(size_t nr, size_t *kind, const cs_list_option **option)
{
    for (*kind = 0; *kind < NR_KINDS; ++*kind) {
        *option = NULL;
        if (nr-- == 0)
            return true;
        for (*option = kinds[*kind]->options; (*option)->option.name != NULL; ++*option)
            if (nr-- == 0)
                return true;
    }
    return false;
}

static bool listed(size_t nr, cs_option *out)
{
    const cs_list_option *option;
    size_t kind;

    if (!brought(nr, &kind, &option))
        return false;
    *out = option != NULL ? option->option : kinds[kind]->option;
    return true;
}

static size_t kind_of(const cs_list_option *wanted)
{
    const cs_list_option *option;
    size_t kind = 0;

    for (size_t i = 0; brought(i, &kind, &option) && option != wanted; i++)
        ;
    return kind;
}

static bool is_given(const request *wanted, const char *name)
{
    for (size_t i = 0; i < wanted->nr_given; i++)
        if (strcmp(wanted->given[i].option->option.name, name) == 0)
            return true;
    return false;
}

static int check_kind(const request *wanted, size_t kind)
{
    bool other = wanted->any || wanted->examples != NULL;

    for (size_t i = 0; i < NR_KINDS; i++)
        other |= i != kind && wanted->path[i] != NULL;
    return wanted->path[kind] != NULL && other
               ? cs_cli_usage(&cs_command_list, "--%s cannot be combined with other lists",
                              kinds[kind]->option.name)
               : EXIT_GOOD;
}

static int check_given(const request *wanted, const cs_list_option *option)
{
    const size_t kind = kind_of(option);

    if (option->needs != NULL ? is_given(wanted, option->needs) : wanted->path[kind] != NULL)
        return EXIT_GOOD;
    return cs_cli_usage(&cs_command_list, "--%s needs --%s", option->option.name,
                        option->needs != NULL ? option->needs : kinds[kind]->option.name);
}

/* A table has one kind of rows. */
static int check_format(const request *wanted)
{
    unsigned lists = wanted->examples != NULL;

    for (size_t i = 0; i < NR_KINDS; i++)
        lists += wanted->path[i] != NULL;
    for (size_t i = 0; i < NR_SECTIONS; i++)
        lists += wanted->asked[i];
    return wanted->format != CS_TABLE_TEXT && lists != 1
               ? cs_cli_usage(&cs_command_list, "--format csv and json need one list, as --units")
               : EXIT_GOOD;
}

static int check_together(const request *wanted)
{
    int status = EXIT_GOOD;

    for (size_t i = 0; i < wanted->nr_given && status == EXIT_GOOD; i++)
        status = check_given(wanted, wanted->given[i].option);
    for (size_t i = NR_KINDS; i-- > 0 && status == EXIT_GOOD;)
        status = check_kind(wanted, i);
    return status == EXIT_GOOD ? check_format(wanted) : status;
}

static int run_kind(const request *wanted, size_t kind)
{
    const cs_list_request asked = {.path = wanted->path[kind],
                                   .format = wanted->format,
                                   .given = wanted->given,
                                   .nr_given = wanted->nr_given};

    return kinds[kind]->run(&asked);
}

/* ---- the command ---- */

static int take_option(int id, const cs_args *args, request *wanted)
{
    const cs_list_option *option = NULL;
    size_t kind = 0;

    if (id == 'e') {
        wanted->examples = args->value;
    } else if (id == 'f') {
        return cs_table_take(&wanted->format, args);
    } else if (id >= CS_OPTION_LISTED) {
        brought((size_t)(id - CS_OPTION_LISTED), &kind, &option);
        if (option == NULL)
            wanted->path[kind] = args->value;
        else
            wanted->given[wanted->nr_given++] = (cs_list_given){option, args->value};
    } else if (id >= CS_OPTION_LONG) {
        wanted->asked[id - CS_OPTION_LONG] = true;
        wanted->any = true;
    } else {
        return args->status;
    }
    return EXIT_GOOD;
}

static int list(cs_args *args, request *wanted)
{
    int id, status;

    while ((id = cs_args_next(args)) != CS_ARGS_END) {
        status = take_option(id, args, wanted);
        if (status != EXIT_GOOD || id == CS_ARGS_STOP)
            return status;
    }
    status = check_together(wanted);
    if (status != EXIT_GOOD)
        return status;
    if (wanted->examples != NULL)
        return list_examples(wanted->examples, wanted->format);
    for (size_t i = 0; i < NR_KINDS; i++)
        if (wanted->path[i] != NULL)
            return run_kind(wanted, i);
    print_sections(wanted->asked, wanted->any, wanted->format);
    return EXIT_GOOD;
}

static int run(cs_args *args)
{
    request wanted = {.given = calloc((size_t)args->argc, sizeof *wanted.given)};

    if (wanted.given == NULL)
        return cs_cli_fail(
            &(cs_diag){.status = CS_ERR_NO_MEMORY, .text = "there is no room for the options"});
    const int status = list(args, &wanted);

    free(wanted.given);
    return status;
}

static const cs_example examples[] = {
    {"list --scenario", "every key that a scenario may have"},
    {"list --scenario -f json", "the same as JSON, an object per key"},
    {"list --examples hotplug", "scenarios about it"},
    {"list --catalog configs/imc/power9_small.dts --format csv",
     "an IMC catalog's events as a table"},
    {0},
};

const cs_command cs_command_list = {
    .name = "list",
    .summary = "list units, scenario keys, registers, events, examples, catalogs and PMUs",
    .usage = "[-f F] [--units] [--scenario] [--registers] [--events] [--guests] | "
             "--examples WORD | --catalog FILE [OPTION]... | --pmus SCENARIO [OPTION]...",
    .options = options,
    .listed = listed,
    .operand = {"", "argument", CS_VALUE_TEXT, 0, 0},
    .text = "Without options it lists units, keys, registers, events and guests.",
    .examples = examples,
    .ends = "0 good, 2 bad use, a bad scenario or a damaged file, 3 I/O",
    .run = run,
};
