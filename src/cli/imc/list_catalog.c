// SPDX-License-Identifier: Apache-2.0
/* list --catalog: the events of an IMC catalog, or the device tree that a kernel would see. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/list.h"
#include "formats/imc/catalog/device_tree.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/load.h"
#include "scenario/nest/nest_spec.h"
#include "scenario/scenario.h"

#define NEST_IN_HOMER 0x180000u
#include "formats/imc/catalog/packed.h"

/* What the options said. */
typedef struct listing {
    const char *device_tree; /* NULL: the events are printed, unless: */
    const char *pnor;        /* an image is written */
    uint32_t pnor_id;        /* for chips of this number */
    cs_imc_device_tree_options options;
    uint64_t base_addr[CS_IMC_MAX_CHIPS];
    uint32_t chip_id[CS_IMC_MAX_CHIPS];
} listing;

/* Takes "ID=ADDRESS". False where it is none, where the chip was given before, or where there
 * are too many. */
static bool add_chip(listing *list, const char *text)
{
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : 0;
    size_t nr = list->options.nr_chips;
    char number[24];
    uint64_t id, address;

    if (equals == NULL || length >= sizeof number || nr == CS_IMC_MAX_CHIPS)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    if (!cs_number_of(number, UINT32_MAX, &id) || !cs_number_of(equals + 1, UINT64_MAX, &address))
        return false;
    for (size_t i = 0; i < nr; i++)
        if (list->chip_id[i] == id)
            return false;
    list->chip_id[nr] = (uint32_t)id;
    list->base_addr[nr] = address;
    list->options.nr_chips++;
    return true;
}

/* As perf list prints them. */
static void print_as_perf(const cs_imc_unit *unit)
{
    char name[2 * CS_IMC_MAX_NAME + 3];

    for (size_t i = 0; i < unit->nr_events; i++) {
        snprintf(name, sizeof name, "%s/%s/", unit->pmu, unit->events[i].name);
        printf("%-50s [Kernel PMU event]\n", name);
    }
}

static void print_text(const cs_imc_catalog *catalog)
{
    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog); i++)
        print_as_perf(cs_imc_catalog_unit(catalog, i));
}

static void put_rows(cs_table *table, const cs_imc_unit *unit)
{
    for (size_t i = 0; i < unit->nr_events; i++) {
        const cs_imc_event *event = &unit->events[i];
        const cs_table_cell cells[] = {
            {.name = unit->pmu},    {.name = event->name}, {.number = event->value},
            {.name = event->scale}, {.name = event->unit}, {.name = event->desc},
        };

        cs_table_row(table, cells);
    }
}

static void print_table(const cs_imc_catalog *catalog, cs_table_format format)
{
    static const cs_table_column columns[] = {
        {"pmu", CS_CELL_NAME, 0, 0},   {"event", CS_CELL_NAME, 0, 0}, {"value", CS_CELL_HEX, 1, 0},
        {"scale", CS_CELL_NAME, 0, 0}, {"unit", CS_CELL_NAME, 0, 0},  {"desc", CS_CELL_NAME, 0, 0},
    };
    const cs_text_sink sink = {cs_cli_write, NULL};
    cs_table table;

    cs_table_begin(&table, format, &sink);
    cs_table_columns(&table, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog); i++)
        put_rows(&table, cs_imc_catalog_unit(catalog, i));
    cs_table_end(&table);
}

static void print_events(const cs_imc_catalog *catalog, cs_table_format format)
{
    if (format == CS_TABLE_TEXT)
        print_text(catalog);
    else
        print_table(catalog, format);
}

static void print_warnings(const cs_imc_catalog *catalog, const char *path)
{
    const size_t nr = cs_imc_catalog_nr_warnings(catalog);
    const char *text;
    size_t i;

    for (i = 0; (text = cs_imc_catalog_warning(catalog, i)) != NULL; i++)
        cs_cli_warn("%s: %s", path, text);
    if (i < nr)
        cs_cli_warn("%s: %zu more", path, nr - i);
}

/* Events that share a counter show the same count, whatever their names say. */
static void print_aliases(const cs_imc_catalog *catalog, const char *path)
{
    for (size_t u = 0; u < cs_imc_catalog_nr_units(catalog); u++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(catalog, u);
        size_t shared = 0, first = 0, other = 0;

        for (size_t i = 1; i < unit->nr_events; i++)
            for (size_t k = 0; k < i; k++) {
                if (unit->events[k].value != unit->events[i].value)
                    continue;
                if (shared++ == 0) {
                    first = k;
                    other = i;
                }
                break;
            }
        if (shared != 0)
            cs_cli_warn("%s: %s: %zu event%s the counter of another: %s and %s are both at "
                        "0x%x",
                        path, unit->pmu, shared, shared == 1 ? " has" : "s have",
                        unit->events[first].name, unit->events[other].name,
                        unit->events[other].value);
    }
}

/* ---- options ---- */

static int take_availability(listing *list, const char *text)
{
    return cs_number_of(text, UINT64_MAX, &list->options.availability)
               ? EXIT_GOOD
               : cs_cli_usage(&cs_command_list,
                              "--availability: found '%s', expected a number of 64 bits", text);
}

static int take_chip(listing *list, const char *text)
{
    return add_chip(list, text)
               ? EXIT_GOOD
               : cs_cli_usage(&cs_command_list,
                              "--chip: found '%s', expected ID=ADDRESS, each chip once, at most "
                              "%u chips",
                              text, CS_IMC_MAX_CHIPS);
}

static int take_device_tree(listing *list, const char *text)
{
    list->device_tree = text;
    return EXIT_GOOD;
}

static int take_no_trace(listing *list, const char *text)
{
    (void)text;
    list->options.leave_out_trace = true;
    return EXIT_GOOD;
}

/* All chips of a scenario's machine, and the boot chip's units. */
static int take_scenario(listing *list, const char *text)
{
    cs_scenario *scenario;
    cs_diag diag = {0};

    if (cs_scenario_load(text, NULL, 0, &scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    const bool good = scenario->nest->present;
    for (unsigned chip = 0; good && chip < scenario->imc->chips; chip++) {
        list->chip_id[chip] = chip;
        list->base_addr[chip] = cs_nest_base(scenario->nest, chip) - NEST_IN_HOMER;
        list->options.nr_chips = chip + 1;
    }
    list->options.availability =
        scenario->nest->units != 0 ? scenario->nest->units : CS_IMC_DEFAULT_AVAILABILITY;
    if (scenario->nest->nr_chips != 0 && scenario->nest->chips[0].units != 0)
        list->options.availability = scenario->nest->chips[0].units;
    cs_scenario_destroy(scenario);
    return good ? EXIT_GOOD
                : cs_cli_usage(&cs_command_list, "--machine: %s has no nest (nest.present)", text);
}

static int take_pnor(listing *list, const char *text)
{
    list->pnor = text;
    return EXIT_GOOD;
}

static int take_pvr(listing *list, const char *text)
{
    uint64_t id;

    if (!cs_number_of(text, UINT32_MAX, &id) || id == CS_IMC_ANY_CATALOG)
        return cs_cli_usage(&cs_command_list, "--pvr: found '%s', expected a number, as 0x4e0200",
                            text);
    list->pnor_id = (uint32_t)id;
    return EXIT_GOOD;
}

static const cs_list_option options[] = {
    {{.name = "device-tree",
      .value = "F",
      .is = CS_VALUE_FILE,
      .text = "print nothing, write the tree that a kernel would see, as a blob; an existing F is "
              "replaced"},
     NULL},
    {{.name = "availability",
      .value = "N",
      .text = "the tree's nest units, one bit each, powerbus0 the highest (default: all)"},
     "device-tree"},
    {{.name = "chip",
      .value = "ID=ADDR",
      .many = true,
      .text = "where a chip's region begins, once per chip (default: as in the catalog)"},
     "device-tree"},
    {{.name = "no-trace", .text = "no trace unit in the tree"}, "device-tree"},
    {{.name = "machine",
      .value = "FILE",
      .is = CS_VALUE_YAML,
      .text = "all chips of a scenario's machine, and its units"},
     "device-tree"},
    {{.name = "pnor",
      .value = "F",
      .is = CS_VALUE_FILE,
      .text = "print nothing, write a PNOR image (128 MiB) with the catalog, from which skiboot "
              "takes it; an existing F is replaced"},
     NULL},
    {{.name = "pvr",
      .value = "N",
      .text = "for chips with these bits of the PVR (default: 0x4e0200, or 0x800200 where the "
              "catalog is POWER10's)"},
     "pnor"},
    {{0}, NULL},
};

static int (*const takers[])(listing *list, const char *text) = {
    take_device_tree, take_availability, take_chip, take_no_trace,
    take_scenario,    take_pnor,         take_pvr};

/* ---- the whole ---- */

/* Where nobody says it: the chip that the catalog looks like. */
static uint32_t pnor_id(const listing *list, const cs_imc_catalog *catalog)
{
    if (list->pnor_id != CS_IMC_ANY_CATALOG)
        return list->pnor_id;
    return cs_imc_catalog_generation(catalog) == CS_IMC_GENERATION_POWER10 ? CS_IMC_POWER10_CATALOG
                                                                           : CS_IMC_POWER9_CATALOG;
}

static int list_catalog(const cs_list_request *request, listing *list)
{
    cs_imc_catalog *catalog = NULL;
    cs_diag diag = {0};
    cs_status status = cs_imc_catalog_load(request->path, &catalog, &diag);

    if (status != CS_OK)
        return cs_cli_fail(&diag);
    print_warnings(catalog, request->path);
    print_aliases(catalog, request->path);
    list->options.base_addr = list->base_addr;
    list->options.chip_id = list->chip_id;
    if (list->pnor != NULL)
        status = cs_imc_pnor_write(catalog, pnor_id(list, catalog), list->pnor, &diag);
    else if (list->device_tree != NULL)
        status = cs_imc_device_tree_write(catalog, &list->options, list->device_tree, &diag);
    else
        print_events(catalog, request->format);
    cs_imc_catalog_destroy(catalog);
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}

static int run(const cs_list_request *request)
{
    listing list = {.options.availability = UINT64_MAX};

    for (size_t i = 0; i < request->nr_given; i++) {
        const cs_list_given *given = &request->given[i];
        const int status = takers[given->option - options](&list, given->text);

        if (status != EXIT_GOOD)
            return status;
    }
    return list_catalog(request, &list);
}

const cs_list_kind cs_list_catalog = {
    .option = {.name = "catalog",
               .value = "FILE",
               .is = CS_VALUE_FILE,
               .text = "the events of an IMC catalog (device tree blob, or source if dtc is "
                       "installed; xz, a PNOR image, FILE@PVR), as perf list shows them"},
    .options = options,
    .run = run,
};
