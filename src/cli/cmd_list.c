#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/list.h"
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

    (void)ctx;
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
    const char *option;
    const char *title;
    void (*print)(void);
} sections[] = {
    {"units", "Units", list_units},
    {"scenario", "Scenario keys", list_keys},
    {"registers", "Registers", list_registers},
    {"events", "Events", list_events},
    {"guests", "Guests", list_guests},
};

#define NR_SECTIONS (sizeof sections / sizeof sections[0])

static void print_sections(const bool asked[NR_SECTIONS], bool any)
{
    for (size_t i = 0; i < NR_SECTIONS; i++) {
        if (any && !asked[i])
            continue;
        if (!any)
            printf("%s%s (list --%s)\n", i != 0 ? "\n" : "", sections[i].title, sections[i].option);
        sections[i].print();
    }
}

/* ---- what files say ---- */

static const cs_list_kind *const kinds[] = {&cs_list_catalog, &cs_list_pmus};

#define NR_KINDS (sizeof kinds / sizeof kinds[0])
#define MOST_OPTIONS 32u

/* getopt's values: of sections, of kinds, and of the kinds' options, in their order. */
enum { SECTION = 256, KIND = 512, OPTION = 1024 };

/* What was asked for. */
typedef struct request {
    bool asked[NR_SECTIONS], any; /* sections */
    const char *path[NR_KINDS];   /* NULL: it was not */
    bool has_format;
    cs_table_format format;
    cs_list_given *given; /* of all kinds */
    size_t nr_given;
} request;

/* The options of all kinds, one after the other; NULL: there is no option `nr`. */
static const cs_list_option *option_at(size_t nr, size_t *kind)
{
    for (size_t i = 0; i < NR_KINDS; i++)
        for (const cs_list_option *option = kinds[i]->options; option->name != NULL; option++)
            if (nr-- == 0) {
                *kind = i;
                return option;
            }
    return NULL;
}

static size_t kind_of(const cs_list_option *option)
{
    const cs_list_option *other;
    size_t kind = 0;

    for (size_t i = 0; (other = option_at(i, &kind)) != NULL && other != option; i++)
        ;
    return kind;
}

static void fill_options(struct option out[MOST_OPTIONS])
{
    const cs_list_option *option;
    size_t n = 0, kind;

    out[n++] = (struct option){"format", required_argument, NULL, 'f'};
    out[n++] = (struct option){"help", no_argument, NULL, 'h'};
    for (size_t i = 0; i < NR_SECTIONS; i++)
        out[n++] = (struct option){sections[i].option, no_argument, NULL, SECTION + (int)i};
    for (size_t i = 0; i < NR_KINDS; i++)
        out[n++] = (struct option){kinds[i]->name, required_argument, NULL, KIND + (int)i};
    for (size_t i = 0; (option = option_at(i, &kind)) != NULL && n + 1 < MOST_OPTIONS; i++)
        out[n++] =
            (struct option){option->name, option->is_switch ? no_argument : required_argument, NULL,
                            OPTION + (int)i};
    out[n] = (struct option){0};
}

static bool is_given(const request *wanted, const char *name)
{
    for (size_t i = 0; i < wanted->nr_given; i++)
        if (strcmp(wanted->given[i].option->name, name) == 0)
            return true;
    return false;
}

static int check_kind(const request *wanted, size_t kind)
{
    bool other = wanted->any;

    for (size_t i = 0; i < NR_KINDS; i++)
        other |= i != kind && wanted->path[i] != NULL;
    return wanted->path[kind] != NULL && other
               ? cs_cli_usage(&cs_command_list, "--%s cannot be combined with other lists",
                              kinds[kind]->name)
               : EXIT_GOOD;
}

static int check_given(const request *wanted, const cs_list_option *option)
{
    const size_t kind = kind_of(option);

    if (option->needs != NULL ? is_given(wanted, option->needs) : wanted->path[kind] != NULL)
        return EXIT_GOOD;
    return cs_cli_usage(&cs_command_list, "--%s needs --%s", option->name,
                        option->needs != NULL ? option->needs : kinds[kind]->name);
}

static int check_format(const request *wanted)
{
    char names[128] = "";
    size_t used = 0;

    for (size_t i = 0; i < NR_KINDS; i++) {
        if (wanted->path[i] != NULL)
            return EXIT_GOOD;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s--%s", i > 0 ? " or " : "",
                                 kinds[i]->name);
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

static int take_option(int letter, request *wanted)
{
    cs_diag diag = {0};
    size_t kind;

    if (letter == 'f') {
        wanted->has_format = true;
        if (cs_table_format_of(optarg, &wanted->format, &diag) != CS_OK)
            return cs_cli_usage(&cs_command_list, "--format: %s", diag.text);
    } else if (letter >= OPTION) {
        wanted->given[wanted->nr_given].option = option_at((size_t)(letter - OPTION), &kind);
        wanted->given[wanted->nr_given++].text = optarg;
    } else if (letter >= KIND) {
        wanted->path[letter - KIND] = optarg;
    } else if (letter >= SECTION) {
        wanted->asked[letter - SECTION] = true;
        wanted->any = true;
    } else {
        return EXIT_BAD_USE;
    }
    return EXIT_GOOD;
}

static int list(int argc, char **argv, request *wanted)
{
    struct option options[MOST_OPTIONS];
    int letter, status = EXIT_GOOD;

    fill_options(options);
    while ((letter = cs_cli_option(&cs_command_list, argc, argv, ":f:h", options)) != -1) {
        if (letter == 'h')
            return cs_cli_help(&cs_command_list);
        status = take_option(letter, wanted);
        if (status != EXIT_GOOD)
            return status;
    }
    if (optind != argc)
        return cs_cli_usage(&cs_command_list, "expected no argument, found '%s'", argv[optind]);
    status = check_together(wanted);
    if (status != EXIT_GOOD)
        return status;
    for (size_t i = 0; i < NR_KINDS; i++)
        if (wanted->path[i] != NULL)
            return run_kind(wanted, i);
    print_sections(wanted->asked, wanted->any);
    return EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    request wanted = {.given = calloc((size_t)argc, sizeof *wanted.given)};

    if (wanted.given == NULL)
        return cs_cli_fail(
            &(cs_diag){.status = CS_ERR_NO_MEMORY, .text = "there is no room for the options"});
    const int status = list(argc, argv, &wanted);

    free(wanted.given);
    return status;
}

static void print_kinds(void)
{
    for (size_t i = 0; i < NR_KINDS; i++)
        printf("\n%s", kinds[i]->help);
    printf("\nExit status: 0 good, 2 bad use, a bad scenario or a damaged file, 3 I/O.\n");
}

const cs_command cs_command_list = {
    .name = "list",
    .arguments = "[--units] [--scenario] [--registers] [--events] | --catalog FILE [--format F] | "
                 "--pmus SCENARIO [--under PATH] [--format F]",
    .summary = "show units, scenario keys with defaults and ranges, registers, event numbers, "
               "the events of a catalog, and the PMUs of a large system",
    .help = "  --units          the simulated units and their specifications\n"
            "  --scenario       every key of a scenario: allowed values, default, meaning\n"
            "  --registers      the registers of the units\n"
            "  --events         the events that have names, and their numbers\n\n"
            "Without options: all of them.\n",
    .more_help = print_kinds,
    .run = run,
};
