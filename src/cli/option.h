// SPDX-License-Identifier: Apache-2.0
/* What a command takes, as tables: its options, its operands, its examples. From them come parsing
 * (args.h), the help, the man pages and the completion of shells (help/). */
#ifndef CS_CLI_OPTION_H
#define CS_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What a value or an operand is, so that a shell can complete it: words (help/words.h) or files. */
typedef enum cs_value {
    CS_VALUE_TEXT, /* anything: nothing is completed */
    CS_VALUE_FILE,
    CS_VALUE_FOLDER,
    CS_VALUE_YAML,         /* a scenario, or another YAML file */
    CS_VALUE_SETTING,      /* KEY=VALUE of a scenario */
    CS_VALUE_KEY,          /* a key of a scenario */
    CS_VALUE_FORMAT,       /* a format that is read */
    CS_VALUE_TRACE_FORMAT, /* a format that is written */
    CS_VALUE_COMMAND,      /* a command of countersink */
    CS_VALUE_UNIT,         /* a unit of compare-unit */
    CS_VALUE_BUG,          /* a bug of the zoo */
    CS_VALUE_SHELL,        /* whose completion there is */
    CS_VALUE_PURPOSE       /* a purpose of `new` */
} cs_value;

/* A word that a value may be; a list of them ends with one without a name. */
typedef struct cs_choice {
    const char *name;
    const char *text; /* what it does; NULL: its name says it */
} cs_choice;

typedef struct cs_option {
    int id;                   /* its letter, or a number from CS_OPTION_LONG on where it has none */
    const char *name;         /* "output" */
    const char *value;        /* what is shown for its value, "DIR"; NULL: a switch */
    const char *text;         /* what it does; lines are broken where it is printed */
    cs_value is;              /* of its value */
    const cs_choice *choices; /* what it may be; NULL: `is` says it */
    bool needed;              /* the command cannot do without it */
    bool many;                /* it may be there several times */
    bool hidden;              /* it is refused in words of its own: no help has it */
} cs_option;

#define CS_ID_SET 256
/* A command's own ids that are no letters: the option has a long name only. */
#define CS_OPTION_LONG 257
/* Ids of options that come from lists, by their number there. */
#define CS_OPTION_LISTED 1024

/* The rows that many commands have. */
#define CS_OPTION_SET_TEXT(words)                                                                  \
    {                                                                                              \
        .id = CS_ID_SET, .name = "set", .value = "KEY=VALUE", .is = CS_VALUE_SETTING,              \
        .many = true, .text = words,                                                               \
    }
#define CS_OPTION_SET CS_OPTION_SET_TEXT("override a key of the scenario, as bus.clock_mhz=500")
#define CS_OPTION_TABLE                                                                            \
    {                                                                                              \
        .id = 'f', .name = "format", .value = "F", .choices = cs_table_choices,                    \
        .text = "text (default), csv or json",                                                     \
    }

/* Of what is no table (cs_json_take in args.h). */
#define CS_OPTION_TEXT_OR_JSON                                                                     \
    {                                                                                              \
        .id = 'f', .name = "format", .value = "F", .choices = cs_text_choices,                     \
        .text = "text (default) or json",                                                          \
    }

extern const cs_choice cs_table_choices[], cs_text_choices[];

/* What stands behind the options. */
typedef struct cs_operand {
    const char *name; /* "SCENARIO" */
    const char *noun; /* for messages: "scenario", "file" */
    cs_value is;
    unsigned least, most;
    bool first; /* one stands before the options; others belong to an option */
} cs_operand;

#define CS_OPERANDS_ANY 100000u

typedef struct cs_example {
    const char *line; /* without "countersink" */
    const char *text;
} cs_example;

typedef struct cs_args cs_args;

typedef struct cs_command {
    const char *name;
    const char *summary;      /* a line for the list of commands */
    const char *usage;        /* NULL: it is made of the options and the operand */
    const cs_option *options; /* the last has no name; `--help` is not among them */
    /* Options that come from lists, numbered from 0: their ids are CS_OPTION_LISTED + nr. False: there
     * is none of that number. NULL: there are none. */
    bool (*listed)(size_t nr, cs_option *out);
    bool listed_apart;       /* the help does not tell them: `more` does */
    cs_operand operand;      /* `most` 0: none is allowed */
    const char *text;        /* paragraphs, an empty line between them; NULL: none */
    void (*more)(FILE *out); /* prints what is made from lists, in lines; NULL: nothing */
    /* Prints what `help COMMAND NAME` asks for; false: it is no name. NULL: it has no such names. */
    bool (*about)(const char *name, FILE *out);
    const cs_example *examples; /* the last has no line; NULL: none */
    const char *ends;           /* "0 good, 2 bad use or scenario, 3 I/O" */
    int (*run)(cs_args *args);
} cs_command;

/* The options of a command, one after the other, those from lists last; false at `nr` and beyond. */
bool cs_option_at(const cs_command *command, size_t nr, cs_option *out);

#endif
