// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "cli/cli.h"
#include "cli/files/names.h"
#include "guest/guest.h"
#include "results/figures.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/load.h"
#include "scenario/tell.h"

static void show(void *ctx, const char *line, unsigned seconds)
{
    (void)ctx;
    cs_line_show("%u s  %s", seconds, line);
}

static void row(const char *label, uint64_t count)
{
    printf("%-28s %16s\n", label, cs_digits_of(count).text);
}

static void tell_functions(const cs_guest_result *result)
{
    if (result->nr_top > 0)
        printf("\nby function %25s %16s\n", "cycles", "instructions");
    for (unsigned i = 0; i < result->nr_top; i++) {
        const cs_guest_top *top = &result->top[i];

        printf("%8.2f %% %26s %16s  %s (%s)\n",
               100 * (double)top->cycles / (double)result->counted_cycles,
               cs_digits_of(top->cycles).text, cs_digits_of(top->instructions).text, top->function,
               top->file);
    }
}

/* POWER's hardware writes records, which its driver takes; elsewhere the driver makes the samples. */
static void tell(const cs_guest_result *result, bool power)
{
    row("instructions of the guest", result->instructions);
    row("  known by function", result->counted);
    row(power ? "  in trace mode" : "  while an event counted", result->traced);
    if (result->busy_cycles != result->instructions)
        row("cycles of them", result->busy_cycles);
    row("idle cycles", result->idle_cycles);
    row(power ? "records written" : "samples", result->records);
    if (power)
        row("  taken by the driver", result->taken);
    printf("%-28s %14.1f s\n", "wall time", (double)result->wall_ns * 1e-9);
    tell_functions(result);
}

static int boot_scenario(const char *path, const char *const sets[], size_t nr_sets,
                         const char *output, bool shell)
{
    const bool terminal = cs_line_can() && !shell;
    const cs_guest_options options = {
        .output = output, .shell = shell, .progress = terminal ? show : NULL};
    cs_scenario *scenario;
    cs_guest_result result;
    cs_diag diag = {0};
    cs_status status;

    if (cs_scenario_load(path, sets, nr_sets, &scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    cs_scenario_tell_warnings(scenario, stderr);
    status = cs_guest_boot(scenario, &options, &result, &diag);
    const bool power = scenario->guest->kind == CS_GUEST_POWER9;
    cs_scenario_destroy(scenario);
    cs_line_clear();
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    tell(&result, power);
    for (unsigned i = 0; i < result.nr_warnings; i++)
        cs_cli_warn("%s", result.warnings[i]);
    printf("\nfiles: %s\n", result.folder);
    cs_names_print_all(result.folder);
    return EXIT_GOOD;
}

static int run(cs_args *args)
{
    cs_sets sets = {.count = 0};
    const char *output = NULL;
    bool shell = false;
    int id, status = EXIT_GOOD;

    while (status == EXIT_GOOD && (id = cs_args_next(args)) != CS_ARGS_END)
        switch (id) {
        case 'o':
            output = args->value;
            break;
        case 'l':
            shell = true;
            break;
        case CS_ID_SET:
            status = cs_sets_take(&sets, args);
            break;
        default:
            return args->status;
        }
    return status == EXIT_GOOD
               ? boot_scenario(args->operands[0], sets.texts, sets.count, output, shell)
               : status;
}

static const cs_option options[] = {
    {.id = 'o',
     .name = "output",
     .value = "DIR",
     .is = CS_VALUE_FOLDER,
     .text = "the run folder to create (default: runs/<name>-<n>)"},
    {.id = 'l',
     .name = "shell",
     .text = "open a shell in the guest, on this terminal, instead of running the script; `exit` "
             "ends it"},
    CS_OPTION_SET_TEXT("override a key of the scenario, as guest.limit_s=60"),
    {0},
};

const cs_command cs_command_boot = {
    .name = "boot",
    .summary = "boot stock Linux on the simulated hardware of a scenario",
    .options = options,
    .operand = {"SCENARIO", "scenario", CS_VALUE_YAML, 1, 1},
    .text =
        "The guest runs the script of guest.run. What that hands to `put NAME` is in the run "
        "folder, with the guest's console and the truth. For each file of samples `boot` prints "
        "the `perf report` line that shows functions by name. tools/setup.sh linux fetches what "
        "is needed; `list --guests` shows what is missing.",
    .ends = "0 good, 2 bad use or scenario, or something is missing, 3 I/O, or the guest or its "
            "script failed",
    .run = run,
};
