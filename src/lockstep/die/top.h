// SPDX-License-Identifier: Apache-2.0
/* The source of a die of some shape: die.sv, made of src/rtl/top/die.sv.in and the units' modules,
 * and the C++ that makes a shared object of the verilated die (src/rtl/top/die_abi.h). */
#ifndef CS_LOCKSTEP_DIE_TOP_H
#define CS_LOCKSTEP_DIE_TOP_H

#include "base/bus/die_shape.h"
#include "lockstep/die/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_die_source {
    char *top;  /* SystemVerilog */
    char *glue; /* C++ */
} cs_die_source;

/* Errors: as of cs_unit_file_read; CS_ERR_FORMAT also for a unit
 * that src/rtl/units.txt has not got. On success cs_die_source_free takes it. */
cs_status cs_die_source_make(const cs_rtl_tree *tree, const cs_die_shape *shape, cs_die_source *out,
                             cs_diag *diag);
void cs_die_source_free(cs_die_source *source);

/* A whole file, NUL terminated, for free(); NULL with CS_ERR_IO in *diag. */
char *cs_die_read_file(const char *path, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
