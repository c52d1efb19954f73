// SPDX-License-Identifier: Apache-2.0
/* Somebody's RTL as a shared object with our pins: of the cache, or made now. */
#ifndef CS_FOREIGN_RTL_BUILD_H
#define CS_FOREIGN_RTL_BUILD_H

#include "foreign/map.h"

#define CS_FOREIGN_PATH 4096u
#define CS_FOREIGN_MAX_FILES 512u

typedef struct cs_foreign_rtl {
    const char *files[CS_FOREIGN_MAX_FILES]; /* in the order in which they are read */
    size_t nr_files;
    const char *includes[CS_FOREIGN_MAX_FILES]; /* folders of `include */
    size_t nr_includes;
    const char *top;
    bool waves;                                  /* with what src/rtl/top/die_waves.h says */
    const char *cache;                           /* NULL: as cs_tool_cache */
    void (*making)(void *ctx, const char *text); /* before it is made; may be NULL */
    void *ctx;
} cs_foreign_rtl;

/* Also holds the MAP against the module's ports, whose widths the MAP's design then has. CS_ERR_IO: a file is not there;
 * CS_ERR_UNSUPPORTED: a program is missing, or Verilator or the compiler refuse;
 * CS_ERR_SCENARIO: the MAP does not fit the module. */
cs_status cs_foreign_build(cs_foreign_map *map, const cs_foreign_rtl *rtl,
                           char path[CS_FOREIGN_PATH], cs_diag *diag);

#endif
