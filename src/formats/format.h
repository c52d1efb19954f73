// SPDX-License-Identifier: Apache-2.0
/* A file format as a row: all that the commands must know of it. Its descriptor is in the format's
 * own folder, in format.c; formats.def lists all. To add one:
 *
 *  1. Write src/formats/<folder>/format.c with `const cs_format cs_format_<id>`, and its reader.
 *  2. Give it a row in src/formats/formats.def: `decode` and `damage` know it then.
 *  3. What makes it of a run, and what compares it with the truth, is a row in src/traces/formats.def. */
#ifndef CS_FORMATS_FORMAT_H
#define CS_FORMATS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/common/input.h"
#include "formats/common/table.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_damage_finder;

/* ---- options ---- */

/* An option of `decode` that some formats take. */
typedef struct cs_format_option {
    const char *name;  /* "slots" */
    const char *value; /* "N"; NULL: a switch */
    const char *help;  /* a line */
    const char *what;  /* NULL: it may be left out; else what it is, for who did so */
    /* A key of the scenario whose run wrote the file, which says it: its value is the option's; a switch is
     * on where the value is called as it. NULL: none does. */
    const char *key;
    const char *other_key; /* the same key by its other name; NULL: it has none */
    /* CS_ERR_RANGE with what was found and expected; NULL: every text is good. */
    cs_status (*check)(const char *text, cs_diag *diag);
} cs_format_option;

#define CS_FORMAT_MOST_OPTIONS 16u

/* What is asked of a printing. */
typedef struct cs_format_print {
    cs_table_format table;
    const char *(*event_name)(void *ctx, uint32_t event); /* of Arm's events; NULL: numbers */
    struct {
        const cs_format_option *option;
        const char *text; /* of a switch: "" */
    } given[CS_FORMAT_MOST_OPTIONS];
    size_t nr_given;
} cs_format_print;

/* The text that was given; NULL: none was. */
const char *cs_format_text(const cs_format_print *print, const cs_format_option *option);

/* The number that was given, `otherwise` where none was. The option's check has seen it. */
uint64_t cs_format_number(const cs_format_print *print, const cs_format_option *option,
                          uint64_t otherwise);

/* ---- formats ---- */

typedef struct cs_format {
    const char *name;
    const char *const *aliases; /* other spellings that are taken, ended by NULL; NULL: none */
    const char *about;          /* a line for --help */
    const cs_format_option *const *options; /* ended by NULL; NULL: it takes none */
    bool folder;    /* a folder, which its reader opens by the input's name */
    bool otherwise; /* what looks like nothing is printed as this; one format is */
    bool weak;      /* a file that looks so may be something else: little in it says what it is */
    /* Whether a file that begins so is of this format; NULL: it looks like nothing in particular, and is
     * never guessed. The first format of the list that says so has it. */
    bool (*looks_so)(const uint8_t *look, size_t bytes);
    bool (*folder_looks_so)(const char *path); /* of folders in place of it */
    /* What the options demand of each other, CS_ERR_USAGE; NULL: nothing. */
    cs_status (*accepts)(const cs_format_print *print, cs_diag *diag);
    /* Prints the input; what came before an error is printed all the same. */
    cs_status (*print)(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                       cs_diag *diag);
    /* A word in the names of those PMUs whose AUX data in a perf.data file are of this format, and what
     * prints them; NULL: it comes only as a file of its own. */
    const char *aux_pmu;
    cs_status (*print_aux)(const cs_format_print *print, const cs_byte_source *source,
                           const char *name, const cs_text_sink *sink, cs_diag *diag);
    bool carries_aux; /* AUX data of such formats may be in it: it takes their options */
    /* Where its records are (damage/finder.h); NULL: it is damaged as the bytes that it is. */
    void (*find)(struct cs_damage_finder *find);
} cs_format;

#ifdef __cplusplus
}
#endif

#endif
