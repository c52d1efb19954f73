// SPDX-License-Identifier: Apache-2.0
/* The shared object of a die that holds a scenario: a ready-made one (src/rtl/dies.txt), one that an
 * earlier run has left in the cache, or one that is made now. */
#ifndef CS_LOCKSTEP_DIE_FIND_H
#define CS_LOCKSTEP_DIE_FIND_H

#include <stdbool.h>

#include "base/bus/die_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_DIE_PATH 4096u /* room for the name of a die's file */

typedef struct cs_die_options {
    bool exact;      /* only a die of this very shape */
    bool ready;      /* only one of the ready-made shapes */
    bool waves;      /* one that can write waves (src/rtl/top/die_waves.h); never ready-made */
    const char *rtl; /* a folder with changed copies of our RTL's files (tree.h); NULL: none */
    const char
        *cache; /* NULL: $COUNTERSINK_CACHE, $XDG_CACHE_HOME/countersink, ~/.cache/countersink */
    /* Called before a die is made, which takes a minute or more, and when it is there; may be NULL. */
    void (*making)(void *ctx, const char *text);
    void *ctx;
} cs_die_options;

/* CS_ERR_UNSUPPORTED, with the ready-made dies: none holds it, and none can be made (no sources,
 * or a program is missing). CS_ERR_IO: the cache cannot be written. With `rtl` also what
 * cs_rtl_tree_open and Verilator say of the copies. */
cs_status cs_die_find(const cs_die_shape *wanted, const cs_die_options *options,
                      char path[CS_DIE_PATH], cs_diag *diag);

#define CS_READY_DIES 32u

/* The shapes of the ready-made dies that are there, smallest first. Errors: the list cannot be read. */
cs_status cs_die_ready(cs_die_shape shapes[CS_READY_DIES], size_t *nr, cs_diag *diag);

/* Each die of a ready-made shape is there, so that none has to be made of those. */
bool cs_die_all_ready(const cs_die_options *options);

/* The folder with the RTL's sources, src/rtl/: beside the program, or where it was built.
 * CS_ERR_UNSUPPORTED: there is none. */
cs_status cs_die_root(char out[CS_DIE_PATH], cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
