#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "scenario/machine/bus_spec.h"

cs_status cs_cli_write(void *ctx, const char *text, size_t bytes)
{
    (void)ctx;
    return fwrite(text, 1, bytes, stdout) == bytes ? CS_OK : CS_ERR_IO;
}

int cs_cli_fail(const cs_diag *diag)
{
    char text[1024];

    fprintf(stderr, "countersink: %s\n", cs_diag_print(diag, text, sizeof text));
    switch (diag->status) {
    case CS_OK:
        return EXIT_GOOD;
    case CS_ERR_DIFFERENCE:
        return EXIT_DIFFERENCE;
    case CS_ERR_IO:
    case CS_ERR_NO_MEMORY:
        return EXIT_IO;
    case CS_ERR_UNDECIDED:
        return EXIT_UNDECIDED;
    default:
        return EXIT_BAD_USE;
    }
}

int cs_cli_usage(const cs_command *command, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "countersink %s: ", command->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nusage: countersink %s %s\n", command->name, command->arguments);
    return EXIT_BAD_USE;
}

int cs_cli_help(const cs_command *command)
{
    printf("usage: countersink %s %s\n\n%s\n\n%s", command->name, command->arguments,
           command->summary, command->help);
    if (command->more_help != NULL)
        command->more_help();
    return EXIT_GOOD;
}

/* A letter that is none, perhaps within several: getopt has not passed the word then. `last`
 * is the word that it has passed. */
static bool unknown_is_short(const char *last, const struct option *options)
{
    if (optopt == 0)
        return false;
    for (; options->name != NULL; options++)
        if (options->val == optopt && strncmp(last, "--", 2) == 0)
            return false;
    return true;
}

int cs_cli_option(const cs_command *command, int argc, char **argv, const char *letters,
                  const struct option *options)
{
    int letter;

    opterr = 0;
    letter = getopt_long(argc, argv, letters, options, NULL);
    if (letter == ':')
        cs_cli_usage(command, "%s needs a value", argv[optind - 1]);
    else if (letter == '?' && unknown_is_short(argv[optind - 1], options))
        cs_cli_usage(command, "unknown option -%c", optopt);
    else if (letter == '?')
        cs_cli_usage(command, "unknown option %s", argv[optind - 1]);
    return letter == ':' ? '?' : letter;
}

void cs_progress_begin(cs_progress *p, const cs_scenario *scenario, uint64_t expected_cycles)
{
    *p = (cs_progress){
        .scenario = scenario,
        .expected_cycles = expected_cycles,
        .begun_ns = cs_wall_ns(),
        .terminal = isatty(STDERR_FILENO) != 0,
    };
}

void cs_progress_show(void *progress, cycle_t cycles)
{
    cs_progress *p = progress;
    uint64_t now = p->terminal ? cs_wall_ns() : 0;
    double wall = (double)(now - p->begun_ns) * 1e-9;
    double simulated = (double)cycles * 1e-6 / p->scenario->bus->clock_mhz;

    if (!p->terminal || now - p->shown_ns < 200000000u || wall <= 0)
        return;
    p->shown_ns = now;
    fprintf(stderr, "\r\033[K");
    if (p->expected_cycles != 0) {
        double part = (double)cycles / (double)p->expected_cycles;

        part = part > 1 ? 1 : part;
        fprintf(stderr, "%3.0f %%  ", 100 * part);
        if (part > 0)
            fprintf(stderr, "%.1f s left  ", wall / part - wall);
    }
    fprintf(stderr, "simulated %.6f s  (%.3g Mcycle/s)", simulated, (double)cycles * 1e-6 / wall);
}

void cs_progress_end(cs_progress *p)
{
    if (p->terminal && p->shown_ns != 0)
        fprintf(stderr, "\r\033[K");
}
