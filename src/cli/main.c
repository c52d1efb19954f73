#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/files/ending.h"
#include "base/files/output.h"
#include "cli/cli.h"

#define VERSION "0.1.0"

static const cs_command *const commands[] = {
    &cs_command_run,          &cs_command_boot,     &cs_command_sweep,  &cs_command_compare,
    &cs_command_compare_unit, &cs_command_coverage, &cs_command_decode, &cs_command_list,
    &cs_command_trace,        &cs_command_damage,   &cs_command_check,  &cs_command_report,
};

const char *cs_cli_version(void)
{
    return VERSION;
}

#define NR_COMMANDS (sizeof commands / sizeof commands[0])

static int print_usage(FILE *out)
{
    fprintf(out, "Countersink " VERSION ": hardware that writes performance counts into memory, "
                 "cycle by cycle\n\nusage: countersink COMMAND ...\n\n");
    for (size_t i = 0; i < NR_COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\n'countersink COMMAND --help' tells more.\n");
    return out == stdout ? EXIT_GOOD : EXIT_BAD_USE;
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return print_usage(stderr);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return print_usage(stdout);
    if (strcmp(argv[1], "--version") == 0) {
        printf("countersink " VERSION "\n");
        return EXIT_GOOD;
    }
    for (size_t i = 0; i < NR_COMMANDS; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return commands[i]->run(argc - 1, argv + 1);
    fprintf(stderr, "countersink: there is no command '%s'\n\n", argv[1]);
    return print_usage(stderr);
}

static void say(const char *text)
{
    fprintf(stderr, "countersink: %s\n", text);
}

int main(int argc, char **argv)
{
    int status;

    cs_ending_catch();
    /* SQLite's book-keeping of its memory takes a lock at each allocation. Nobody reads it. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    cs_output_set_listener(say);
    status = run(argc, argv);

    if ((fflush(stdout) != 0 || ferror(stdout)) &&
        (status == EXIT_GOOD || status == EXIT_DIFFERENCE)) {
        fprintf(stderr, "countersink: standard output: cannot write: %s\n", strerror(errno));
        return EXIT_IO;
    }
    return status;
}
