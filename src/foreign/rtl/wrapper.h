// SPDX-License-Identifier: Apache-2.0
/* The sources that make a shared object of somebody's module: a module `pins` around it that has our
 * pins, and the C++ that hands them out (src/rtl/top/die_abi.h). */
#ifndef CS_FOREIGN_RTL_WRAPPER_H
#define CS_FOREIGN_RTL_WRAPPER_H

#include "foreign/rtl/ports.h"

/* A function of the object beside CS_DIE_SYMBOL, called with the seed of what registers begin with
 * before a design is made. */
#define CS_FOREIGN_BEGIN "cs_foreign_begin"

typedef struct cs_foreign_source {
    char *module; /* SystemVerilog */
    char *glue;   /* C++ */
} cs_foreign_source;

/* CS_ERR_NO_MEMORY. On success cs_foreign_source_free takes it. The MAP fits the ports. */
cs_status cs_foreign_source_make(const cs_foreign_map *map, const char *top,
                                 const cs_foreign_ports *ports, cs_foreign_source *out,
                                 cs_diag *diag);
void cs_foreign_source_free(cs_foreign_source *source);

#endif
