// SPDX-License-Identifier: Apache-2.0
/* The command line of a command, option by option:
 *
 *     while ((id = cs_args_next(args)) != CS_ARGS_END)
 *         switch (id) {
 *         case 'o':
 *             output = args->value;
 *             break;
 *         default:
 *             return args->status;
 *         }
 *
 * `--help` is answered, what is no option, lacks its value, or is an operand too many or too few has its
 * message: the default case has nothing to say. */
#ifndef CS_CLI_ARGS_H
#define CS_CLI_ARGS_H

#include "cli/option.h"
#include "formats/common/table.h"
#include "scenario/scenario.h"

struct cs_args {
    const cs_command *command;
    int argc;
    char **argv;
    const char *value; /* of the option that was given; NULL: of a switch */
    int status;        /* after CS_ARGS_STOP: the exit status */
    /* After CS_ARGS_END. */
    char **operands;
    int nr_operands;
};

#define CS_ARGS_END (-1)
#define CS_ARGS_STOP (-2)

/* `argv` begins with the command's name. */
cs_args cs_args_begin(const cs_command *command, int argc, char **argv);

/* The id of the next option, CS_ARGS_END after the last one, CS_ARGS_STOP when there is nothing more to do
 * but to return args->status. */
int cs_args_next(cs_args *args);

/* The value of -f, of what is printed as a table; and of what is printed as text or JSON. EXIT_GOOD, or the
 * status after a message. */
int cs_table_take(cs_table_format *format, const cs_args *args);
int cs_json_take(bool *json, const cs_args *args);

/* The value of -j, processes at a time: 1..CS_CHILDREN_MOST. EXIT_GOOD, or the status after a message. */
int cs_jobs_take(unsigned *jobs, const cs_args *args);
/* What it is where nothing is said: one a processor. */
unsigned cs_jobs_default(void);

/* Values of --set. */
#define CS_SETS_MOST 64u

typedef struct cs_sets {
    const char *texts[CS_SETS_MOST];
    size_t count;
} cs_sets;

/* Takes args->value; EXIT_GOOD, or the status after a message. */
int cs_sets_take(cs_sets *sets, cs_args *args);

#endif
