// SPDX-License-Identifier: Apache-2.0
/* The PMUs of a system, told by ranges: "rack0-127/blade0-31/chip0-7 has memctl0-1" is one entry.
 * It is never expanded: a walk and a look-up cost no memory, and a walk of a part no more time
 * than the part has (docs/drivers/pmu_address.md, "Trees"). */
#ifndef CS_FORMATS_ADDRESS_TREE_H
#define CS_FORMATS_ADDRESS_TREE_H

#include "formats/address/address.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PMU_MAX_ENTRIES 128u
#define CS_PMU_MAX_KINDS 16u /* of an entry */

/* name<first> .. name<first + count - 1> */
typedef struct cs_pmu_kind {
    char name[CS_PMU_NAME_BYTES];
    uint64_t count; /* from 1 */
    uint64_t first;
} cs_pmu_kind;

typedef struct cs_pmu_entry {
    cs_pmu_path at; /* places, no bit 0 */
    const cs_pmu_kind *kinds;
    size_t nr_kinds;
} cs_pmu_entry;

typedef struct cs_pmu_tree {
    cs_pmu_layout layout; /* cs_pmu_layout_check has passed it */
    const cs_pmu_entry *entries;
    size_t nr_entries; /* at most CS_PMU_MAX_ENTRIES */
} cs_pmu_tree;

/* The kind's name is none of a level above 0 and its numbers fit level 0. CS_ERR_RANGE. */
cs_status cs_pmu_kind_check(const cs_pmu_layout *layout, const cs_pmu_kind *kind, cs_diag *diag);

/* Two that have an address in common. */
typedef struct cs_pmu_clash {
    size_t entry[2]; /* entry[0] <= entry[1] */
    size_t kind[2];
    uint64_t address; /* the lowest that both have */
} cs_pmu_clash;

/* True if entry `entry` clashes with itself or with one before it. */
bool cs_pmu_tree_clash(const cs_pmu_tree *tree, size_t entry, cs_pmu_clash *clash);

/* True if this one PMU is in the tree by its path: the same levels, kind and number. */
bool cs_pmu_tree_has(const cs_pmu_tree *tree, const cs_pmu_path *path);

/* The path of the PMU with this address; CS_ERR_RANGE: there is none, or the address has more
 * bits than the layout. */
cs_status cs_pmu_tree_at(const cs_pmu_tree *tree, uint64_t address, cs_pmu_path *out,
                         cs_diag *diag);

/* A directory or PMU on a walk; valid during the call. */
typedef struct cs_pmu_node {
    const char *path; /* relative; "" for the whole tree */
    size_t level;     /* the last of the path's; 0: a PMU; nr_levels: the whole tree */
    uint64_t address; /* of a directory the lowest below it */
} cs_pmu_node;

typedef bool (*cs_pmu_visit)(void *ctx, const cs_pmu_node *node);

/* `under` and what is below it, a directory before what is in it: its PMUs by number, then its
 * directories, higher levels first, then by number. Ends early when visit returns false.
 * CS_ERR_RANGE: there is nothing at `under`. */
cs_status cs_pmu_tree_walk(const cs_pmu_tree *tree, const cs_pmu_path *under, cs_pmu_visit visit,
                           void *ctx, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
