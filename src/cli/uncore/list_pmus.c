/* list --pmus: the PMUs of a scenario's system (docs/pmu_address.md), as a tree or as rows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/list.h"
#include "formats/address/tree.h"
#include "scenario/load.h"
#include "scenario/scenario.h"
#include "scenario/uncore/pmus_spec.h"
#include "scenario/uncore/uncore_spec.h"

#define NR_COLUMNS 5u

typedef struct listing {
    const cs_scenario *scenario;
    int digits;
    /* Of CSV and JSON. */
    cs_table_format format;
    cs_table_column columns[NR_COLUMNS];
    cs_table table;
    bool begun;
    uint64_t count[CS_PMU_MAX_LEVELS]; /* of what was printed, by level */
} listing;

/* The simulated unit with this address; NULL: none. */
static const cs_uncore_unit_spec *unit_at(const cs_scenario *s, uint64_t address)
{
    for (size_t i = 0; i < s->uncore->nr_units; i++)
        if (s->uncore->units[i].path[0] != '\0' && s->uncore->units[i].address == address)
            return &s->uncore->units[i];
    return NULL;
}

static void print_pmu(const listing *l, const cs_pmu_node *node)
{
    const cs_uncore_unit_spec *unit = unit_at(l->scenario, node->address);

    printf("0x%0*" PRIx64 "  %s", l->digits, node->address, node->path);
    if (unit != NULL)
        printf("  (simulated: %s, bridge %u, slot %u)", unit->name, unit->bridge, unit->slot);
    putchar('\n');
}

static bool print_node(void *ctx, const cs_pmu_node *node)
{
    listing *l = ctx;

    if (node->level < l->scenario->pmus->tree->layout.nr_levels)
        l->count[node->level]++;
    if (node->level == 0)
        print_pmu(l, node);
    else
        printf("%*s%s/\n", l->digits + 4, "", node->path[0] != '\0' ? node->path : CS_PMU_ROOT);
    return ferror(stdout) == 0;
}

/* ---- as a table ---- */

/* Not before it is known that there is something. */
static void begin_table(listing *l)
{
    const cs_text_sink sink = {cs_cli_write, NULL};

    if (l->begun)
        return;
    l->begun = true;
    cs_table_begin(&l->table, l->format, &sink);
    cs_table_columns(&l->table, l->columns, NR_COLUMNS);
}

static bool put_pmu(void *ctx, const cs_pmu_node *node)
{
    listing *l = ctx;
    const cs_uncore_unit_spec *unit = unit_at(l->scenario, node->address);
    char bridge[16] = "", slot[16] = "";

    if (node->level != 0)
        return true;
    if (unit != NULL) {
        snprintf(bridge, sizeof bridge, "%u", unit->bridge);
        snprintf(slot, sizeof slot, "%u", unit->slot);
    }
    const cs_table_cell cells[] = {
        {.number = node->address},
        {.name = node->path},
        {.name = unit != NULL ? unit->name : NULL},
        {.name = unit != NULL ? bridge : NULL},
        {.name = unit != NULL ? slot : NULL},
    };
    begin_table(l);
    return cs_table_row(&l->table, cells) == CS_OK;
}

/* ---- as a tree ---- */

/* "128 rack, 4096 blade, 65536 pmu" */
static void print_summary(const listing *l)
{
    const cs_pmu_layout *layout = &l->scenario->pmus->tree->layout;

    printf("total: ");
    for (size_t i = layout->nr_levels; i-- > 1;)
        if (l->count[i] != 0)
            printf("%" PRIu64 " %s, ", l->count[i], layout->levels[i].name);
    printf("%" PRIu64 " %s\n", l->count[0], layout->levels[0].name);
}

/* They are simulated, but stand nowhere in the tree. */
static void print_without_path(const cs_scenario *s)
{
    size_t without = 0;

    for (size_t i = 0; i < s->uncore->nr_units; i++)
        without += s->uncore->units[i].path[0] == '\0';
    if (without != 0)
        printf("%zu simulated unit%s no place in it (uncore.units[].path)\n", without,
               without == 1 ? " has" : "s have");
}

static cs_status read_under(const cs_pmu_tree *tree, const char *under, cs_pmu_path *path,
                            cs_diag *diag)
{
    uint64_t address;

    if (strncmp(under, "0x", 2) == 0 && cs_number_of(under, UINT64_MAX, &address))
        return cs_pmu_tree_at(tree, address, path, diag);
    return cs_pmu_path_parse(&tree->layout, under, false, path, diag);
}

static cs_status list(const cs_scenario *scenario, const char *under, cs_table_format format,
                      cs_diag *diag)
{
    const cs_pmu_tree *tree = scenario->pmus->tree;
    const int digits = (int)(cs_pmu_layout_bits(&tree->layout) + 3) / 4;
    listing l = {
        .scenario = scenario,
        .digits = digits,
        .format = format,
        .columns = {{"address", CS_CELL_HEX, (unsigned)digits, 0},
                    {"path", CS_CELL_NAME, 0, 0},
                    {"unit", CS_CELL_NAME, 0, 0},
                    {"bridge", CS_CELL_REAL, 0, 0},
                    {"slot", CS_CELL_REAL, 0, 0}},
    };
    cs_pmu_path path;
    cs_status status = read_under(tree, under, &path, diag);

    if (status == CS_OK && format != CS_TABLE_TEXT) {
        status = cs_pmu_tree_walk(tree, &path, put_pmu, &l, diag);
        if (status == CS_OK) {
            begin_table(&l);
            cs_table_end(&l.table);
        }
        return status;
    }
    if (status == CS_OK)
        status = cs_pmu_tree_walk(tree, &path, print_node, &l, diag);
    if (status == CS_OK)
        print_summary(&l);
    if (status == CS_OK && path.levels == 0)
        print_without_path(scenario);
    return status;
}

static int fail_under(const cs_diag *inner, const char *under)
{
    cs_diag diag;

    if (inner->column != 0)
        cs_diag_set(&diag, inner->status, NULL, "--under %.200s: character %u: %s", under,
                    inner->column, inner->text);
    else
        cs_diag_set(&diag, inner->status, NULL, "--under %.200s: %s", under, inner->text);
    return cs_cli_fail(&diag);
}

static int run(const cs_list_request *request)
{
    /* A path or an address (0x...); the last that was given counts. */
    const char *under = request->nr_given > 0 ? request->given[request->nr_given - 1].text : "/";
    cs_scenario *scenario;
    cs_diag diag = {0};
    cs_status status = cs_scenario_load(request->path, NULL, 0, &scenario, &diag);

    if (status != CS_OK)
        return cs_cli_fail(&diag);
    status = list(scenario, under, request->format, &diag);
    cs_scenario_destroy(scenario);
    return status == CS_OK ? EXIT_GOOD : fail_under(&diag, under);
}

static const cs_list_option options[] = {{"under", false, NULL}, {0}};

const cs_list_kind cs_list_pmus = {
    .name = "pmus",
    .options = options,
    .help = "  --pmus SCENARIO  the PMUs of its system, addresses and paths\n"
            "                   (docs/pmu_address.md)\n"
            "  --under PATH     only what is there, as rack5/blade3; or the PMU with an address,\n"
            "                   as 0xa0600\n"
            "  -f, --format F   text (default), a tree; csv or json: the PMUs, one a row\n",
    .run = run,
};
