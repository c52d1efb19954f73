/* What the commands of countersink share: exit statuses, error output, progress. */
#ifndef CS_CLI_CLI_H
#define CS_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "scenario/scenario.h"

/* Exit statuses; docs/guide.md lists them. */
enum { EXIT_GOOD = 0, EXIT_DIFFERENCE = 1, EXIT_BAD_USE = 2, EXIT_IO = 3, EXIT_UNDECIDED = 4 };

typedef struct cs_command {
    const char *name;
    const char *arguments;
    const char *summary;
    const char *help;        /* the options, a line each */
    void (*more_help)(void); /* prints what is made from lists, behind them; NULL: nothing */
    int (*run)(int argc, char **argv);
} cs_command;

extern const cs_command cs_command_run;
extern const cs_command cs_command_boot;
extern const cs_command cs_command_check;
extern const cs_command cs_command_compare;
extern const cs_command cs_command_compare_unit;
extern const cs_command cs_command_coverage;
extern const cs_command cs_command_damage;
extern const cs_command cs_command_decode;
extern const cs_command cs_command_list;
extern const cs_command cs_command_report;
extern const cs_command cs_command_sweep;
extern const cs_command cs_command_trace;

/* The program's version. */
const char *cs_cli_version(void);

/* Prints "countersink: <diag>" to stderr and returns the exit status that fits. */
int cs_cli_fail(const cs_diag *diag);

/* Prints a usage error with the command's one-line usage; returns EXIT_BAD_USE. */
int cs_cli_usage(const cs_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* To stdout: fits cs_text_sink. */
cs_status cs_cli_write(void *ctx, const char *text, size_t bytes);

/* Prints the command's help to stdout; returns EXIT_GOOD. */
int cs_cli_help(const cs_command *command);

/* getopt_long with this project's messages: the next option's letter, -1 after the last
 * one, '?' after a message about a bad one. */
struct option;
int cs_cli_option(const cs_command *command, int argc, char **argv, const char *letters,
                  const struct option *options);

/* A line that is written over itself, on a terminal only, five times a second. */
typedef struct cs_progress {
    const cs_scenario *scenario;
    uint64_t expected_cycles; /* 0: unknown */
    uint64_t begun_ns;
    uint64_t shown_ns;
    bool terminal;
} cs_progress;

void cs_progress_begin(cs_progress *progress, const cs_scenario *scenario,
                       uint64_t expected_cycles);
void cs_progress_show(void *progress, cycle_t cycles); /* fits cs_compare_options */
void cs_progress_end(cs_progress *progress);

#endif
