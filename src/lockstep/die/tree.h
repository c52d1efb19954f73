// SPDX-License-Identifier: Apache-2.0
/* The RTL's sources: those of a tree, with somebody's changed copies in place of some of them. */
#ifndef CS_LOCKSTEP_DIE_TREE_H
#define CS_LOCKSTEP_DIE_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_RTL_CHANGED 128u

typedef struct cs_rtl_changed {
    char *name; /* in the tree: "src/rtl/bus/bus_path.sv" */
    char *path; /* of the copy, absolute */
} cs_rtl_changed;

typedef struct cs_rtl_tree {
    char *root;                             /* the folder with src/rtl/, absolute */
    cs_rtl_changed changed[CS_RTL_CHANGED]; /* that say something else than the tree's, by name */
    size_t nr_changed;
} cs_rtl_tree;

/* `folder`: the copies, in any folders below; a file takes the place of the one of its name. NULL:
 * there are none. CS_ERR_IO: one of both cannot be read. CS_ERR_USAGE: a file of SystemVerilog that
 * the tree has not got, one that is there twice, or no copy at all. On success cs_rtl_tree_close
 * takes it. */
cs_status cs_rtl_tree_open(const char *root, const char *folder, cs_rtl_tree *out, cs_diag *diag);
void cs_rtl_tree_close(cs_rtl_tree *tree);

/* Where the file is. */
void cs_rtl_tree_path(const cs_rtl_tree *tree, const char *name, char *out, size_t size);

/* The files that the patterns of src/rtl/sources.txt mean, a line each and each once, below root: for
 * strtok_r and free(). NULL with *diag: no memory, or the patterns cannot be read. */
char *cs_rtl_tree_sources(const cs_rtl_tree *tree, cs_diag *diag);

/* "bus_path.sv, bus_pkg.sv": returns out. */
const char *cs_rtl_tree_tell(const cs_rtl_tree *tree, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
