// SPDX-License-Identifier: Apache-2.0
/* Lists of what a file says: `countersink list --<name> FILE`. A kind stands in the folder of what it is
 * about, and has a row in cmd_list.c. */
#ifndef CS_CLI_LIST_H
#define CS_CLI_LIST_H

#include <stddef.h>

#include "cli/option.h"
#include "formats/common/table.h"

typedef struct cs_list_option {
    cs_option option;
    const char *needs; /* an option without which it means nothing; NULL: the kind's */
} cs_list_option;

typedef struct cs_list_given {
    const cs_list_option *option;
    const char *text; /* NULL: of a switch */
} cs_list_given;

typedef struct cs_list_request {
    const char *path;
    cs_table_format format;
    const cs_list_given *given; /* in the order in which they were */
    size_t nr_given;
} cs_list_request;

typedef struct cs_list_kind {
    cs_option option;              /* that asks for it; its value is the file */
    const cs_list_option *options; /* the last has no name */
    /* Prints it, or a message; the exit status. */
    int (*run)(const cs_list_request *request);
} cs_list_kind;

extern const cs_list_kind cs_list_catalog;
extern const cs_list_kind cs_list_pmus;
extern const cs_list_kind cs_list_perf;

#endif
