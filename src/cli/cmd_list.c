#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "corepmu_regs.h"
#include "formats/table.h"
#include "pmcu_regs.h"
#include "scenario/arm_events.h"
#include "scenario/keys.h"

static void list_units(void)
{
    printf("pmcu      HiSilicon's performance monitor control unit    docs/hw/pmcu.md\n"
           "corepmu   Arm core PMU, external frame (ext32, ext64)     docs/hw/corepmu.md\n"
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

static int run(int argc, char **argv)
{
    struct option options[NR_SECTIONS + 2] = {0};
    bool asked[NR_SECTIONS] = {false};
    bool any = false;
    int letter;

    for (size_t i = 0; i < NR_SECTIONS; i++)
        options[i] = (struct option){sections[i].option, no_argument, NULL, (int)('0' + i)};
    options[NR_SECTIONS] = (struct option){"help", no_argument, NULL, 'h'};
    while ((letter = cs_cli_option(&cs_command_list, argc, argv, ":h", options)) != -1) {
        if (letter == 'h')
            return cs_cli_help(&cs_command_list);
        if (letter == '?')
            return EXIT_BAD_USE;
        asked[letter - '0'] = true;
        any = true;
    }
    if (optind != argc)
        return cs_cli_usage(&cs_command_list, "expected no argument, found '%s'", argv[optind]);
    for (size_t i = 0; i < NR_SECTIONS; i++) {
        if (any && !asked[i])
            continue;
        if (!any)
            printf("%s%s (list --%s)\n", i != 0 ? "\n" : "", sections[i].title, sections[i].option);
        sections[i].print();
    }
    return EXIT_GOOD;
}

const cs_command cs_command_list = {
    .name = "list",
    .arguments = "[--units] [--scenario] [--registers] [--events]",
    .summary = "show units, scenario keys with defaults and ranges, registers and event numbers",
    .help = "  --units       the simulated units and their specifications\n"
            "  --scenario    every key of a scenario: allowed values, default, meaning\n"
            "  --registers   the registers of the units\n"
            "  --events      Arm's event numbers and names\n\n"
            "Without options: all of them.\n",
    .run = run,
};
