// SPDX-License-Identifier: Apache-2.0
/* A unit's RTL with all its published bugs in it. The environment chooses one of them, so one build does for all. */
#ifndef CS_ZOO_DESIGN_H
#define CS_ZOO_DESIGN_H

#include "foreign/foreign.h"
#include "zoo/bugs.h"

/* The variable that has the number of the bug that is there; 0: none is. */
#define CS_ZOO_VARIABLE "CS_FAULT"

typedef struct cs_zoo_design {
    cs_foreign_rtl rtl;
    char *files[CS_ZOO_FILES + 1]; /* of rtl */
    char *map;
} cs_zoo_design;

/* Writes what the design has of its own into the folder zoo/ of the cache (`cache` as cs_tool_cache takes it);
 * `root` has src/rtl/. CS_ERR_FORMAT: a bug does not fit our RTL; CS_ERR_IO. On success cs_zoo_design_free
 * takes it. */
cs_status cs_zoo_design_make(const cs_zoo_kind *kind, const char *root, const char *cache,
                             cs_zoo_design *out, cs_diag *diag);
void cs_zoo_design_free(cs_zoo_design *design);

/* As cs_foreign_compare; with the bug of that number, 0: with none. */
cs_status cs_zoo_compare(const cs_zoo_kind *kind, const cs_zoo_design *design, unsigned number,
                         const cs_foreign_options *options, const char *waves,
                         cs_foreign_report *report, cs_diag *diag);

#endif
