// SPDX-License-Identifier: Apache-2.0
/* Makes the shared object of a die: its source (top.h), Verilator, a C++ compiler. */
#ifndef CS_LOCKSTEP_DIE_BUILD_H
#define CS_LOCKSTEP_DIE_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bus/die_shape.h"
#include "lockstep/die/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether all programs are in PATH that cs_die_build needs. CS_ERR_UNSUPPORTED, with what to install. */
cs_status cs_die_check_tools(cs_diag *diag);

/* Writes `output`: under another name in the same folder, and renames it. `waves`: with what
 * src/rtl/top/die_waves.h says. CS_ERR_UNSUPPORTED: what it takes is not in PATH (the text says
 * what to install), or does not like the source; CS_ERR_IO: the folder cannot be written. */
cs_status cs_die_build(const cs_rtl_tree *tree, const cs_die_shape *shape, const char *output,
                       bool waves, cs_diag *diag);

/* A number of all that the shared object is made of. */
cs_status cs_die_hash(const cs_rtl_tree *tree, const cs_die_shape *shape, bool waves, uint64_t *out,
                      cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
