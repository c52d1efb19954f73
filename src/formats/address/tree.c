// SPDX-License-Identifier: Apache-2.0
/* What is in a tree. */
#include "formats/address/tree.h"

#include <inttypes.h>
#include <string.h>

cs_status cs_pmu_kind_check(const cs_pmu_layout *layout, const cs_pmu_kind *kind, cs_diag *diag)
{
    const uint64_t max = cs_pmu_level_max(layout, 0);

    if (!cs_pmu_is_name(kind->name))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "'%.31s' is no name of letters, digits and . _ - that begins and ends "
                           "with a letter",
                           kind->name);
    for (size_t i = 1; i < layout->nr_levels; i++)
        if (strcmp(layout->levels[i].name, kind->name) == 0)
            return cs_diag_set(diag, CS_ERR_RANGE, NULL, "%s is the name of a level", kind->name);
    if (kind->count == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "0 of %s", kind->name);
    if (kind->first > max || kind->count - 1 > max - kind->first)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "%" PRIu64 " of %s from number %" PRIu64 " on; %s is 0..%" PRIu64
                           " (%u bits)",
                           kind->count, kind->name, kind->first, layout->levels[0].name, max,
                           layout->levels[0].bits);
    return CS_OK;
}

static uint64_t last_of(const cs_pmu_kind *kind)
{
    return kind->first + (kind->count - 1);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The lowest place that both have. */
static bool common_place(const cs_pmu_layout *layout, const cs_pmu_path *a, const cs_pmu_path *b,
                         cs_pmu_path *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 1; i < layout->nr_levels; i++) {
        if (a->first[i] > b->last[i] || b->first[i] > a->last[i])
            return false;
        out->first[i] = larger(a->first[i], b->first[i]);
    }
    return true;
}

static bool kinds_clash(const cs_pmu_entry *a, const cs_pmu_entry *b, cs_pmu_clash *clash,
                        uint64_t *number)
{
    for (size_t k = 0; k < b->nr_kinds; k++)
        for (size_t i = 0; i < a->nr_kinds; i++) {
            if ((a == b && i >= k) || a->kinds[i].first > last_of(&b->kinds[k]) ||
                b->kinds[k].first > last_of(&a->kinds[i]))
                continue;
            clash->kind[0] = i;
            clash->kind[1] = k;
            *number = larger(a->kinds[i].first, b->kinds[k].first);
            return true;
        }
    return false;
}

bool cs_pmu_tree_clash(const cs_pmu_tree *tree, size_t entry, cs_pmu_clash *clash)
{
    const cs_pmu_entry *b = &tree->entries[entry];
    cs_pmu_path place;

    for (size_t i = 0; i <= entry; i++) {
        const cs_pmu_entry *a = &tree->entries[i];

        if (!common_place(&tree->layout, &a->at, &b->at, &place) ||
            !kinds_clash(a, b, clash, &place.first[0]))
            continue;
        clash->entry[0] = i;
        clash->entry[1] = entry;
        clash->address = cs_pmu_path_address(&tree->layout, &place);
        return true;
    }
    return false;
}

static bool place_is_in(const cs_pmu_layout *layout, const cs_pmu_path *at, const uint64_t *field)
{
    for (size_t i = 1; i < layout->nr_levels; i++)
        if (field[i] < at->first[i] || field[i] > at->last[i])
            return false;
    return true;
}

static const cs_pmu_kind *kind_of(const cs_pmu_entry *entry, uint64_t number)
{
    for (size_t k = 0; k < entry->nr_kinds; k++)
        if (number >= entry->kinds[k].first && number <= last_of(&entry->kinds[k]))
            return &entry->kinds[k];
    return NULL;
}

static const cs_pmu_kind *find(const cs_pmu_tree *tree, const uint64_t *field,
                               const cs_pmu_entry **entry)
{
    for (size_t i = 0; i < tree->nr_entries; i++) {
        *entry = &tree->entries[i];
        const cs_pmu_kind *kind = kind_of(*entry, field[0]);

        if (kind != NULL && place_is_in(&tree->layout, &(*entry)->at, field))
            return kind;
    }
    return NULL;
}

bool cs_pmu_tree_has(const cs_pmu_tree *tree, const cs_pmu_path *path)
{
    const cs_pmu_entry *entry;
    const cs_pmu_kind *kind = find(tree, path->first, &entry);

    return kind != NULL && path->levels == (entry->at.levels | 1) &&
           strcmp(kind->name, path->kind) == 0;
}

cs_status cs_pmu_tree_at(const cs_pmu_tree *tree, uint64_t address, cs_pmu_path *out, cs_diag *diag)
{
    const cs_pmu_entry *entry;
    cs_status status = cs_pmu_path_of(&tree->layout, address, out, diag);

    if (status != CS_OK)
        return status;
    const cs_pmu_kind *kind = find(tree, out->first, &entry);
    if (kind == NULL) {
        char path[CS_PMU_PATH_BYTES];

        cs_pmu_path_print(&tree->layout, out, path);
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "no PMU has the address 0x%" PRIx64 " (%s)",
                           address, path);
    }
    out->levels = entry->at.levels | 1;
    memcpy(out->kind, kind->name, sizeof out->kind);
    return CS_OK;
}
