// SPDX-License-Identifier: Apache-2.0
/* list --pmus: the PMUs of a scenario's system (docs/drivers/pmu_address.md), as a tree or as rows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/list.h"
#include "formats/address/tree.h"
#include "scenario/load.h"
#include "scenario/scenario.h"
#include "scenario/uncore/partitions.h"
#include "scenario/uncore/pmus_spec.h"
#include "scenario/uncore/uncore_spec.h"

#define NR_COLUMNS 5u

typedef struct listing {
    const cs_scenario *scenario;
    int digits;
    size_t partition; /* whose PMUs alone; nr_partitions: all */
    bool firmware;    /* paths as below CS_PMU_FIRMWARE_ROOT */
    char places[CS_PMU_MAX_LEVELS + 1][CS_PMU_PATH_BYTES]; /* directories that wait for a PMU */
    size_t levels[CS_PMU_MAX_LEVELS + 1], nr_places;
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

/* A path as the root has it; returns buffer, or the path itself. */
static const char *named(const listing *l, const char *text, char buffer[CS_PMU_PATH_BYTES])
{
    const cs_pmu_layout *layout = &l->scenario->pmus->tree->layout;
    cs_pmu_path path;

    if (!l->firmware || cs_pmu_path_parse(layout, text, false, &path, NULL) != CS_OK)
        return text;
    cs_pmu_path_print_firmware(layout, &path, buffer);
    return buffer;
}

/* Whether the partition that is meant has the PMU. */
static bool is_seen(const listing *l, const cs_pmu_node *node)
{
    cs_pmu_path path;

    if (l->partition == l->scenario->uncore->nr_partitions)
        return true;
    return cs_pmu_path_parse(&l->scenario->pmus->tree->layout, node->path, false, &path, NULL) ==
               CS_OK &&
           cs_uncore_partition_sees(l->scenario, l->partition, &path);
}

static void print_pmu(const listing *l, const cs_pmu_node *node)
{
    const cs_uncore_unit_spec *unit = unit_at(l->scenario, node->address);
    char path[CS_PMU_PATH_BYTES];

    printf("0x%0*" PRIx64 "  %s", l->digits, node->address, named(l, node->path, path));
    if (unit != NULL)
        printf("  (simulated: %s, bridge %u, slot %u)", unit->name, unit->bridge, unit->slot);
    putchar('\n');
}

/* A directory is told before the first PMU in it. */
static void keep_place(listing *l, const cs_pmu_node *node)
{
    while (l->nr_places != 0 && l->levels[l->nr_places - 1] <= node->level)
        l->nr_places--;
    l->levels[l->nr_places] = node->level;
    snprintf(l->places[l->nr_places++], CS_PMU_PATH_BYTES, "%s", node->path);
}

static void print_places(listing *l)
{
    const char *root = l->firmware ? CS_PMU_FIRMWARE_ROOT : CS_PMU_ROOT;
    char path[CS_PMU_PATH_BYTES];

    for (size_t i = 0; i < l->nr_places; i++) {
        const char *text = l->places[i];

        if (l->levels[i] < l->scenario->pmus->tree->layout.nr_levels)
            l->count[l->levels[i]]++;
        printf("%*s%s/\n", l->digits + 4, "", text[0] != '\0' ? named(l, text, path) : root);
    }
    l->nr_places = 0;
}

static bool print_node(void *ctx, const cs_pmu_node *node)
{
    listing *l = ctx;

    if (node->level != 0) {
        keep_place(l, node);
        return true;
    }
    if (!is_seen(l, node))
        return true;
    print_places(l);
    l->count[0]++;
    print_pmu(l, node);
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
    char bridge[16] = "", slot[16] = "", path[CS_PMU_PATH_BYTES];

    if (node->level != 0 || !is_seen(l, node))
        return true;
    if (unit != NULL) {
        snprintf(bridge, sizeof bridge, "%u", unit->bridge);
        snprintf(slot, sizeof slot, "%u", unit->slot);
    }
    const cs_table_cell cells[] = {
        {.number = node->address},
        {.name = named(l, node->path, path)},
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
static void print_without_path(const cs_scenario *s, size_t partition)
{
    const bool all = partition == s->uncore->nr_partitions;
    size_t without = 0;

    for (size_t i = 0; i < s->uncore->nr_units; i++)
        without += s->uncore->units[i].path[0] == '\0' &&
                   (all || s->uncore->units[i].partition == partition);
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

/* What is asked for beside the scenario. */
typedef struct wish {
    const char *under;
    const char *partition; /* NULL: all */
    const char *root;
    cs_table_format format;
} wish;

/* Roots of the tree, as --root has them. */
static const char *const roots[] = {"sysfs", "device-tree"};

static cs_status find_partition(const cs_scenario *s, const char *name, size_t *out, cs_diag *diag)
{
    *out = name != NULL ? cs_uncore_partition_named(s->uncore, name) : s->uncore->nr_partitions;
    return name == NULL || *out < s->uncore->nr_partitions ? CS_OK
                                                           : cs_diag_set(diag, CS_ERR_USAGE, NULL,
                                                                         "there is no partition %s "
                                                                         "(uncore.partitions)",
                                                                         name);
}

static cs_status list(const cs_scenario *scenario, const wish *w, cs_diag *diag)
{
    const cs_table_format format = w->format;
    const cs_pmu_tree *tree = scenario->pmus->tree;
    const int digits = (int)(cs_pmu_layout_bits(&tree->layout) + 3) / 4;
    listing l = {
        .scenario = scenario,
        .digits = digits,
        .firmware = strcmp(w->root, roots[1]) == 0,
        .format = format,
        .columns = {{"address", CS_CELL_HEX, (unsigned)digits, 0},
                    {"path", CS_CELL_NAME, 0, 0},
                    {"unit", CS_CELL_NAME, 0, 0},
                    {"bridge", CS_CELL_REAL, 0, 0},
                    {"slot", CS_CELL_REAL, 0, 0}},
    };
    cs_pmu_path path;
    cs_status status = find_partition(scenario, w->partition, &l.partition, diag);

    if (status == CS_OK)
        status = read_under(tree, w->under, &path, diag);

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
    if (status == CS_OK) {
        l.nr_places = l.count[0] == 0 && l.nr_places != 0; /* the root at least */
        print_places(&l);
        print_summary(&l);
    }
    if (status == CS_OK && path.levels == 0)
        print_without_path(scenario, l.partition);
    return status;
}

static int fail(const cs_diag *inner, const char *under)
{
    cs_diag diag;

    if (inner->status == CS_ERR_USAGE)
        cs_diag_set(&diag, CS_ERR_USAGE, NULL, "--partition: %s", inner->text);
    else if (inner->column != 0)
        cs_diag_set(&diag, inner->status, NULL, "--under %.200s: character %u: %s", under,
                    inner->column, inner->text);
    else
        cs_diag_set(&diag, inner->status, NULL, "--under %.200s: %s", under, inner->text);
    return cs_cli_fail(&diag);
}

static const cs_choice root_choices[] = {
    {"sysfs", NULL}, {"device-tree", "names as below /proc/device-tree"}, {0}};

static const cs_list_option options[] = {
    {{.name = "under",
      .value = "PATH",
      .text = "only what is below PATH, as rack5/blade3; or the PMU at an address, as 0xa0600"},
     NULL},
    {{.name = "partition", .value = "NAME", .text = "only what this one of uncore.partitions sees"},
     NULL},
    {{.name = "root",
      .value = "ROOT",
      .choices = root_choices,
      .text = "sysfs (default) or device-tree"},
     NULL},
    {{0}, NULL},
};

static int run(const cs_list_request *request)
{
    wish w = {.under = "/", .root = roots[0], .format = request->format};
    cs_scenario *scenario;
    cs_diag diag = {0};

    /* The last that was given counts; of `under` a path or an address (0x...). */
    for (size_t i = 0; i < request->nr_given; i++)
        *(request->given[i].option == &options[0]   ? &w.under
          : request->given[i].option == &options[1] ? &w.partition
                                                    : &w.root) = request->given[i].text;
    if (strcmp(w.root, roots[0]) != 0 && strcmp(w.root, roots[1]) != 0) {
        cs_diag_set(&diag, CS_ERR_USAGE, NULL, "--root %.60s: expected %s or %s", w.root, roots[0],
                    roots[1]);
        return cs_cli_fail(&diag);
    }
    cs_status status = cs_scenario_load(request->path, NULL, 0, &scenario, &diag);

    if (status != CS_OK)
        return cs_cli_fail(&diag);
    if (scenario->uncore->nr_units == 0) {
        cs_diag_set(&diag, CS_ERR_SCENARIO, request->path,
                    "has no PMUs of a large system (uncore.units)");
        cs_scenario_destroy(scenario);
        return cs_cli_fail(&diag);
    }
    status = list(scenario, &w, &diag);
    cs_scenario_destroy(scenario);
    return status == CS_OK ? EXIT_GOOD : fail(&diag, w.under);
}

const cs_list_kind cs_list_pmus = {
    .option =
        {.name = "pmus",
         .value = "SCENARIO",
         .is = CS_VALUE_YAML,
         .text =
             "the PMUs of its system, addresses and paths (docs/drivers/pmu_address.md): text is a "
             "tree, csv and json have a row per PMU"},
    .options = options,
    .run = run,
};
