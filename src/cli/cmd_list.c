// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* strcasestr */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/help/wrap.h"
#include "cli/list.h"
#include "cli/shared.h"
#include "guest/guest.h"
#include "scenario/keys.h"
#include "scenario/section_list.h"
#include "scenario/work/event_names.h"

/* ---- what there is ---- */

static void print_unit(const char *name, const char *about, const char *page)
{
    printf("%-9s %-47s %s\n", name, about, page);
}

static void list_units(void)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_unit_page *unit = cs_sections[i].section->unit;

        if (unit != NULL)
            print_unit(unit->unit, unit->about, unit->page);
    }
    print_unit("bus", "AXI4-style fabric, memory, register bridges", "docs/hw/bus.md");
}

static bool print_key(void *ctx, const char *path, const cs_key *key)
{
    char allowed[512];

    const unsigned width = cs_columns(stdout, 100);
    char line[1024];

    (void)ctx;
    /* Programs read a line a key. */
    if (isatty(STDOUT_FILENO)) {
        snprintf(line, sizeof line, "%s; default %s. %s",
                 cs_key_allowed(key, allowed, sizeof allowed),
                 key->fallback == NULL   ? "(required)"
                 : *key->fallback == '=' ? key->fallback + 1
                                         : key->fallback,
                 key->text);
        printf("%s\n", path);
        cs_wrap(stdout, line, 0, 4, width);
        return true;
    }
    printf("%-44s %-28s default %-14s %s\n", path, cs_key_allowed(key, allowed, sizeof allowed),
           key->fallback != NULL ? key->fallback : "(required)", key->text);
    return true;
}

static void list_keys(void)
{
    cs_scenario_keys(print_key, NULL);
}

static void list_events(void)
{
    cs_named_event event;

    for (size_t i = 0; (event = cs_named_event_at(i)).name != NULL; i++)
        printf("%s0x%04x  %s\n", event.prefix, event.number, event.name);
}

static void print_register(const char *unit, const cs_unit_register *row)
{
    char name[64];

    snprintf(name, sizeof name, row->count > 1 ? "%s<0..%u>" : "%s", row->name, row->count - 1);
    printf("%-8s 0x%03x  %-24s %-5s reset 0x%-8" PRIx64 " %s\n", unit, row->offset, name,
           row->access, row->reset, row->text);
}

static void print_places(const cs_unit_page *unit)
{
    for (const cs_unit_place *row = unit->places; row->name != NULL; row++) {
        printf("%-8s %-32s %-21s %-5s %s\n", unit->unit, row->name, row->where, row->access,
               row->text);
        if (row->fields != NULL)
            printf("%-8s   bits from the top: %s\n", "", row->fields);
    }
}

static void list_registers(void)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_unit_page *unit = cs_sections[i].section->unit;
        const cs_unit_register *row = unit != NULL ? unit->registers : NULL;

        for (; row != NULL && row->name != NULL; row++)
            print_register(unit->unit, row);
        if (unit != NULL && unit->places != NULL)
            print_places(unit);
    }
}

static void list_guests(void)
{
    cs_guest_list(stdout);
}

static const struct section {
    const char *title;
    void (*print)(void);
} sections[] = {
    {"Units", list_units},   {"Scenario keys", list_keys}, {"Registers", list_registers},
    {"Events", list_events}, {"Guests", list_guests},
};

#define NR_SECTIONS (sizeof sections / sizeof sections[0])

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
    {.id = 'f',
     .name = "format",
     .value = "F",
     .choices = cs_table_choices,
     .text = "text (default), csv or json: of what a file says"},
    {0},
};

static void print_sections(const bool asked[NR_SECTIONS], bool any)
{
    for (size_t i = 0; i < NR_SECTIONS; i++) {
        if (any && !asked[i])
            continue;
        if (!any)
            printf("%s%s (list --%s)\n", i != 0 ? "\n" : "", sections[i].title, options[i].name);
        sections[i].print();
    }
}

/* Scenarios with a word in their name or in their text, and what their first line says. */
static int list_examples(const char *word)
{
    char root[1024], *names[CS_SHARED_MOST];
    size_t count, found = 0;
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
            char line[256];

            snprintf(line, sizeof line, "%.*s", (int)bytes, title);
            cs_wrap(stdout, line, (unsigned)printf("configs/%-36s ", names[i]), 45,
                    cs_columns(stdout, 100));
            found++;
        }
        free(text);
        free(names[i]);
    }
    if (found != 0)
        return EXIT_GOOD;
    return cs_cli_usage(&cs_command_list, "--examples: no scenario of configs/ has '%s'", word);
}

/* ---- what files say ---- */

static const cs_list_kind *const kinds[] = {&cs_list_catalog, &cs_list_pmus};

#define NR_KINDS (sizeof kinds / sizeof kinds[0])
/* What was asked for. */
typedef struct request {
    bool asked[NR_SECTIONS], any; /* sections */
    const char *path[NR_KINDS];   /* NULL: it was not */
    const char *examples;         /* a word; NULL: they are not asked for */
    bool has_format;
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

static int check_format(const request *wanted)
{
    char names[128] = "";
    size_t used = 0;

    for (size_t i = 0; i < NR_KINDS; i++) {
        if (wanted->path[i] != NULL)
            return EXIT_GOOD;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s--%s", i > 0 ? " or " : "",
                                 kinds[i]->option.name);
    }
    return wanted->has_format ? cs_cli_usage(&cs_command_list, "--format needs %s", names)
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
        wanted->has_format = true;
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
        return list_examples(wanted->examples);
    for (size_t i = 0; i < NR_KINDS; i++)
        if (wanted->path[i] != NULL)
            return run_kind(wanted, i);
    print_sections(wanted->asked, wanted->any);
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
    {"list --examples hotplug", "scenarios about it"},
    {"list --catalog configs/imc/power9_small.dts --format csv",
     "an IMC catalog's events as a table"},
    {0},
};

const cs_command cs_command_list = {
    .name = "list",
    .summary = "list units, scenario keys, registers, events, examples, catalogs and PMUs",
    .usage = "[--units] [--scenario] [--registers] [--events] [--guests] | --examples WORD | "
             "--catalog FILE "
             "[OPTION]... | --pmus SCENARIO [OPTION]...",
    .options = options,
    .listed = listed,
    .operand = {"", "argument", CS_VALUE_TEXT, 0, 0},
    .text = "Without options: all of units, keys, registers, events and guests.",
    .examples = examples,
    .ends = "0 good, 2 bad use, a bad scenario or a damaged file, 3 I/O",
    .run = run,
};
