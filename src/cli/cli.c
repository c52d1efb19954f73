#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "cli/help/help.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/yaml/suggest.h"

static const cs_command *const commands[] = {
#define CS_COMMAND(name) &cs_command_##name,
#include "cli/commands.def"
#undef CS_COMMAND
};

#define NR_COMMANDS (sizeof commands / sizeof commands[0])

const cs_command *cs_command_at(size_t nr)
{
    return nr < NR_COMMANDS ? commands[nr] : NULL;
}

const cs_command *cs_command_named(const char *name)
{
    cs_suggest suggest = cs_suggest_begin(name);
    const char *nearest;

    for (size_t i = 0; i < NR_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        cs_suggest_offer(&suggest, commands[i]->name);
    }
    nearest = cs_suggest_end(&suggest);
    if (nearest != NULL)
        fprintf(stderr, "countersink: there is no command '%s'; did you mean '%s'?\n\n", name,
                nearest);
    else
        fprintf(stderr, "countersink: there is no command '%s'\n\n", name);
    return NULL;
}

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
    fputc('\n', stderr);
    cs_help_usage(command, stderr);
    return EXIT_BAD_USE;
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
