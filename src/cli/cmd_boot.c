#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "guest/guest.h"
#include "scenario/load.h"
#include "scenario/tell.h"

#define MAX_SETS 64
#define LINE_LETTERS 60

static void show(void *ctx, const char *line, unsigned seconds)
{
    (void)ctx;
    fprintf(stderr, "\r\033[K%u s  %.*s", seconds, LINE_LETTERS, line);
    fflush(stderr);
}

static int boot_scenario(const char *path, const char *const sets[], size_t nr_sets,
                         const char *output)
{
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const cs_guest_options options = {.output = output, .progress = terminal ? show : NULL};
    cs_scenario *scenario;
    cs_guest_result result;
    cs_diag diag = {0};
    cs_status status;

    if (cs_scenario_load(path, sets, nr_sets, &scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    cs_scenario_tell_warnings(scenario, stderr);
    status = cs_guest_boot(scenario, &options, &result, &diag);
    cs_scenario_destroy(scenario);
    if (terminal)
        fprintf(stderr, "\r\033[K");
    if (status != CS_OK)
        return cs_cli_fail(&diag);
    printf("guest instructions %16" PRIu64 "\n", result.instructions);
    printf("  in trace mode    %16" PRIu64 "\n", result.traced);
    printf("idle cycles        %16" PRIu64 "\n", result.idle_cycles);
    printf("records written    %16" PRIu64 "\n", result.records);
    printf("  taken by driver  %16" PRIu64 "\n", result.taken);
    printf("wall time          %14.1f s\n", (double)result.wall_ns * 1e-9);
    printf("\nfiles: %s\n", result.folder);
    return EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"set", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const char *sets[MAX_SETS];
    size_t nr_sets = 0;
    const char *output = NULL;
    int letter;

    while ((letter = cs_cli_option(&cs_command_boot, argc, argv, ":o:h", options)) != -1)
        switch (letter) {
        case 'o':
            output = optarg;
            break;
        case 's':
            if (nr_sets == MAX_SETS)
                return cs_cli_usage(&cs_command_boot, "more than %d --set", MAX_SETS);
            sets[nr_sets++] = optarg;
            break;
        case 'h':
            return cs_cli_help(&cs_command_boot);
        default:
            return EXIT_BAD_USE;
        }
    if (optind + 1 != argc)
        return cs_cli_usage(&cs_command_boot, "expected one scenario, found %d", argc - optind);
    return boot_scenario(argv[optind], sets, nr_sets, output);
}

const cs_command cs_command_boot = {
    .name = "boot",
    .arguments = "[-o DIR] [--set KEY=VALUE]... SCENARIO",
    .summary = "bring up a scenario's guest, a real system on our hardware",
    .help = "  -o, --output DIR    the run folder, which must not exist yet\n"
            "                      (default: runs/<name>-<n>)\n"
            "  --set KEY=VALUE     overrides a key of the scenario, as guest.limit_s=60\n\n"
            "The guest runs the script of guest.run. What that hands to `put NAME` is in the run\n"
            "folder, with the guest's console and the truth. tools/setup.sh linux fetches what is\n"
            "needed; `list --guests` says what is missing.\n\n"
            "Exit status: 0 good, 2 bad use or scenario, or something is missing, 3 I/O, or the\n"
            "guest or its script failed.\n",
    .run = run,
};
