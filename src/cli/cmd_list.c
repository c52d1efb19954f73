#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/list_catalog.h"
#include "cli/list_pmus.h"
#include "corepmu_regs.h"
#include "formats/common/table.h"
#include "formats/riscv/read/pmu_map.h"
#include "pmcu_regs.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/keys.h"

static void list_units(void)
{
    printf("pmcu      HiSilicon's performance monitor control unit    docs/hw/pmcu.md\n"
           "corepmu   Arm core PMU, external frame (ext32, ext64)     docs/hw/corepmu.md\n"
           "imc       POWER's in-memory collection, core engine       docs/hw/imc.md\n"
           "nest      POWER's nest counters and posting engine        docs/hw/nest.md\n"
           "hpm       RISC-V performance counters, a hart's CSRs      docs/hw/hpm.md\n"
           "uncore    counters of a unit that is no core              docs/hw/uncore.md\n"
           "bus       AXI4-style fabric, memory, register bridges     docs/hw/bus.md\n");
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
    const cs_arm_event *event;

    for (size_t i = 0; (event = cs_arm_event_at(i)) != NULL; i++)
        printf("0x%04x  %s\n", event->number, event->name);
    for (size_t i = 0; cs_riscv_event_at(i) != NULL; i++)
        printf("hpm:0x%04x  %s\n", cs_riscv_event_at(i)->encoding, cs_riscv_event_at(i)->name);
}

typedef struct register_row {
    const char *unit;
    const char *name;
    unsigned offset;
    unsigned count;
    unsigned stride;
    const char *access;
    uint64_t reset;
    const char *text;
} register_row;

static void list_registers(void)
{
#define PMCU_ROW(NAME, OFFSET, COUNT, STRIDE, BITS, ACCESS, RESET, TEXT)                           \
    {"pmcu", #NAME, OFFSET, COUNT, STRIDE, ACCESS, RESET, TEXT},
#define COREPMU_ROW(NAME, OFFSET, COUNT, STRIDE, BITS, ACCESS, RESET, TEXT)                        \
    {"corepmu", #NAME, OFFSET, COUNT, STRIDE, ACCESS, RESET, TEXT},
    static const register_row rows[] = {CS_PMCU_REGISTERS(PMCU_ROW)
                                            CS_COREPMU_REGISTERS(COREPMU_ROW)};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[64];

        snprintf(name, sizeof name, rows[i].count > 1 ? "%s<0..%u>" : "%s", rows[i].name,
                 rows[i].count - 1);
        printf("%-8s 0x%03x  %-24s %-5s reset 0x%-8" PRIx64 " %s\n", rows[i].unit, rows[i].offset,
               name, rows[i].access, rows[i].reset, rows[i].text);
    }
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
};

#define NR_SECTIONS (sizeof sections / sizeof sections[0])

/* Options beside those of the sections, whose letters are '0' and on. */
static const struct option other_options[] = {
    {"catalog", required_argument, NULL, 'k'},
    {"format", required_argument, NULL, 'f'},
    {"device-tree", required_argument, NULL, 'd'},
    {"availability", required_argument, NULL, 'a'},
    {"chip", required_argument, NULL, 'c'},
    {"no-trace", no_argument, NULL, 'n'},
    {"pmus", required_argument, NULL, 'p'},
    {"under", required_argument, NULL, 'u'},
    {"help", no_argument, NULL, 'h'},
};

#define NR_OTHER (sizeof other_options / sizeof other_options[0])

/* EXIT_GOOD, or the exit status after a message. */
static int take_tree_option(int letter, cs_list_catalog *catalog)
{
    cs_imc_device_tree_options *options = &catalog->options;

    switch (letter) {
    case 'a':
        catalog->needs_device_tree = "--availability";
        if (!cs_number_of(optarg, UINT64_MAX, &options->availability))
            return cs_cli_usage(&cs_command_list,
                                "--availability: found '%s', expected a number of 64 bits", optarg);
        break;
    case 'c':
        catalog->needs_device_tree = "--chip";
        if (!cs_list_catalog_add_chip(catalog, optarg))
            return cs_cli_usage(&cs_command_list,
                                "--chip: found '%s', expected ID=ADDRESS, each chip once, at most "
                                "%u chips",
                                optarg, CS_IMC_MAX_CHIPS);
        break;
    default:
        catalog->needs_device_tree = "--no-trace";
        options->leave_out_trace = true;
        break;
    }
    return EXIT_GOOD;
}

static int take_catalog_option(int letter, cs_list_catalog *catalog)
{
    cs_diag diag = {0};

    switch (letter) {
    case 'k':
        catalog->path = optarg;
        return EXIT_GOOD;
    case 'f':
        catalog->has_format = true;
        if (cs_table_format_of(optarg, &catalog->format, &diag) != CS_OK)
            return cs_cli_usage(&cs_command_list, "--format: %s", diag.text);
        return EXIT_GOOD;
    case 'd':
        catalog->needs_path = "--device-tree";
        catalog->device_tree = optarg;
        return EXIT_GOOD;
    default:
        return take_tree_option(letter, catalog);
    }
}

/* What --pmus and --under say. */
typedef struct pmu_options {
    const char *scenario;
    const char *under;
} pmu_options;

static int take_option(int letter, cs_list_catalog *catalog, pmu_options *pmus)
{
    if (letter == 'p')
        pmus->scenario = optarg;
    else if (letter == 'u')
        pmus->under = optarg;
    else
        return take_catalog_option(letter, catalog);
    return EXIT_GOOD;
}

static int check_together(const cs_list_catalog *catalog, const pmu_options *pmus, bool any_section)
{
    if (pmus->under != NULL && pmus->scenario == NULL)
        return cs_cli_usage(&cs_command_list, "--under needs --pmus");
    if (pmus->scenario != NULL && (any_section || catalog->path != NULL))
        return cs_cli_usage(&cs_command_list, "--pmus cannot be combined with other lists");
    if (catalog->needs_device_tree != NULL && catalog->device_tree == NULL)
        return cs_cli_usage(&cs_command_list, "%s needs --device-tree", catalog->needs_device_tree);
    if (catalog->needs_path != NULL && catalog->path == NULL)
        return cs_cli_usage(&cs_command_list, "%s needs --catalog", catalog->needs_path);
    if (catalog->has_format && catalog->path == NULL && pmus->scenario == NULL)
        return cs_cli_usage(&cs_command_list, "--format needs --catalog or --pmus");
    if (catalog->path != NULL && any_section)
        return cs_cli_usage(&cs_command_list, "--catalog cannot be combined with other lists");
    return EXIT_GOOD;
}

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

static int run(int argc, char **argv)
{
    struct option options[NR_SECTIONS + NR_OTHER + 1] = {0};
    cs_list_catalog catalog = {.options.availability = UINT64_MAX};
    pmu_options pmus = {0};
    bool asked[NR_SECTIONS] = {false};
    bool any = false;
    int status = EXIT_GOOD;
    int letter;

    for (size_t i = 0; i < NR_SECTIONS; i++)
        options[i] = (struct option){sections[i].option, no_argument, NULL, (int)('0' + i)};
    memcpy(options + NR_SECTIONS, other_options, sizeof other_options);
    while ((letter = cs_cli_option(&cs_command_list, argc, argv, ":f:h", options)) != -1) {
        if (letter == 'h')
            return cs_cli_help(&cs_command_list);
        if (letter == '?')
            return EXIT_BAD_USE;
        if (letter >= 'a') {
            status = take_option(letter, &catalog, &pmus);
            if (status != EXIT_GOOD)
                return status;
            continue;
        }
        asked[letter - '0'] = true;
        any = true;
    }
    if (optind != argc)
        return cs_cli_usage(&cs_command_list, "expected no argument, found '%s'", argv[optind]);
    status = check_together(&catalog, &pmus, any);
    if (status != EXIT_GOOD)
        return status;
    if (catalog.path != NULL)
        return cs_list_catalog_run(&catalog);
    if (pmus.scenario != NULL)
        return cs_list_pmus_run(pmus.scenario, pmus.under, catalog.format);
    print_sections(asked, any);
    return EXIT_GOOD;
}

const cs_command cs_command_list = {
    .name = "list",
    .arguments = "[--units] [--scenario] [--registers] [--events] | --catalog FILE [--format F] | "
                 "--pmus SCENARIO [--under PATH] [--format F]",
    .summary = "show units, scenario keys with defaults and ranges, registers, event numbers, "
               "the events of an IMC catalog, and the PMUs of a large system",
    .help = "  --units          the simulated units and their specifications\n"
            "  --scenario       every key of a scenario: allowed values, default, meaning\n"
            "  --registers      the registers of the units\n"
            "  --events         Arm's event numbers and names\n\n"
            "Without options: all of them.\n\n"
            "  --catalog FILE   the events of an IMC catalog (device tree blob, or source if dtc\n"
            "                   is installed), as perf list shows them\n"
            "  -f, --format F   text (default), csv or json: with value, scale, unit and text\n"
            "  --device-tree F  print nothing, write the tree that a kernel would see, as a blob;\n"
            "                   F is replaced when it is whole\n"
            "  --availability N the tree's nest units, a bit each, powerbus0 the highest\n"
            "                   (default: all)\n"
            "  --chip ID=ADDR   where a chip's region begins, once a chip (default: as in the\n"
            "                   catalog)\n"
            "  --no-trace       no trace unit in the tree\n\n"
            "  --pmus SCENARIO  the PMUs of its system, addresses and paths\n"
            "                   (docs/pmu_address.md)\n"
            "  --under PATH     only what is there, as rack5/blade3; or the PMU with an address,\n"
            "                   as 0xa0600\n"
            "  -f, --format F   text (default), a tree; csv or json: the PMUs, one a row\n\n"
            "Exit status: 0 good, 2 bad use, a bad scenario or a damaged catalog, 3 I/O.\n",
    .run = run,
};
