// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files/ending.h"
#include "base/files/output.h"
#include "cli/cli.h"
#include "cli/help/help.h"

static int run(int argc, char **argv)
{
    const cs_command *command;

    if (argc < 2) {
        cs_help_program(stderr);
        return EXIT_BAD_USE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cs_help_program(stdout);
        return EXIT_GOOD;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0 ||
        strcmp(argv[1], "version") == 0) {
        cs_print_version(stdout);
        return EXIT_GOOD;
    }
    command = cs_command_named(argv[1]);
    if (command == NULL)
        return EXIT_BAD_USE;
    cs_args args = cs_args_begin(command, argc - 1, argv + 1);

    return command->run(&args);
}

static void say(const char *text)
{
    fprintf(stderr, "countersink: %s\n", text);
}

/* In a signal's handler: write() only. */
static void tell_end(int number)
{
    static const char words[] = "countersink: interrupted; unfinished output was removed\n";
    ssize_t written = 0;

    if (number != SIGINT && number != SIGTERM && number != SIGHUP)
        return;
    if (cs_line_can())
        written = write(STDERR_FILENO, "\r\033[K", 4);
    written += write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
}

int main(int argc, char **argv)
{
    int status;

    cs_ending_catch();
    cs_ending_set_teller(tell_end);
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
