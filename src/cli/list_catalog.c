#include "cli/list_catalog.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

bool cs_list_catalog_add_chip(cs_list_catalog *list, const char *text)
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
        fprintf(stderr, "warning: %s: %s\n", path, text);
    if (i < nr)
        fprintf(stderr, "warning: %s: %zu more\n", path, nr - i);
}

int cs_list_catalog_run(cs_list_catalog *list)
{
    cs_imc_catalog *catalog = NULL;
    cs_diag diag = {0};
    cs_status status = cs_imc_catalog_load(list->path, &catalog, &diag);

    if (status != CS_OK)
        return cs_cli_fail(&diag);
    print_warnings(catalog, list->path);
    list->options.base_addr = list->base_addr;
    list->options.chip_id = list->chip_id;
    if (list->device_tree != NULL)
        status = cs_imc_device_tree_write(catalog, &list->options, list->device_tree, &diag);
    else
        print_events(catalog, list->format);
    cs_imc_catalog_destroy(catalog);
    return status == CS_OK ? EXIT_GOOD : cs_cli_fail(&diag);
}
