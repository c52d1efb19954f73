// SPDX-License-Identifier: Apache-2.0
/* A tree in the order of its directories. At every place the walk knows which entries go on from
 * there; the next directory is the lowest number that one of them has. */
#include <string.h>

#include "formats/address/tree.h"

typedef struct entry_set {
    uint64_t word[CS_PMU_MAX_ENTRIES / 64];
} entry_set;

typedef struct walker {
    const cs_pmu_tree *tree;
    cs_pmu_visit visit;
    void *ctx;
    char path[CS_PMU_PATH_BYTES];
} walker;

static void add(entry_set *set, size_t entry)
{
    set->word[entry / 64] |= (uint64_t)1 << entry % 64;
}

static bool has(const entry_set *set, size_t entry)
{
    return (set->word[entry / 64] >> entry % 64 & 1) != 0;
}

static bool is_empty(const entry_set *set)
{
    uint64_t any = 0;

    for (size_t i = 0; i < CS_PMU_MAX_ENTRIES / 64; i++)
        any |= set->word[i];
    return any == 0;
}

/* The levels of a path that are below `level`, but for the PMU. */
static uint32_t levels_below(const cs_pmu_path *path, size_t level)
{
    return path->levels & ((1u << level) - 2u);
}

static size_t highest(uint32_t levels)
{
    size_t level = 0;

    while (levels >> (level + 1) != 0)
        level++;
    return level;
}

/* "/name12" behind the path; its new length. */
static size_t append(walker *w, size_t length, const char *name, uint64_t number)
{
    const size_t bytes = strlen(name);
    char digits[20];
    size_t n = sizeof digits;

    if (length > 0)
        w->path[length++] = '/';
    memcpy(w->path + length, name, bytes);
    length += bytes;
    do {
        digits[--n] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    memcpy(w->path + length, digits + n, sizeof digits - n);
    length += sizeof digits - n;
    w->path[length] = '\0';
    return length;
}

static bool show(const walker *w, size_t level, uint64_t address)
{
    const cs_pmu_node node = {w->path, level, address};

    return w->visit(w->ctx, &node);
}

/* The kind with the lowest numbers from `from` on among the entries that end here. */
static const cs_pmu_kind *next_kind(const cs_pmu_tree *tree, const entry_set *set, size_t level,
                                    uint64_t from)
{
    const cs_pmu_kind *best = NULL;

    for (size_t i = 0; i < tree->nr_entries; i++) {
        const cs_pmu_entry *entry = &tree->entries[i];

        if (!has(set, i) || levels_below(&entry->at, level) != 0)
            continue;
        for (size_t k = 0; k < entry->nr_kinds; k++)
            if (entry->kinds[k].first >= from &&
                (best == NULL || entry->kinds[k].first < best->first))
                best = &entry->kinds[k];
    }
    return best;
}

static bool walk_pmus(walker *w, const entry_set *set, size_t level, uint64_t address,
                      size_t length)
{
    const cs_pmu_kind *kind = next_kind(w->tree, set, level, 0);

    while (kind != NULL) {
        const uint64_t last = kind->first + (kind->count - 1);

        for (uint64_t n = kind->first;; n++) {
            append(w, length, kind->name, n);
            if (!show(w, 0, address | n))
                return false;
            if (n == last)
                break;
        }
        kind = last == UINT64_MAX ? NULL : next_kind(w->tree, set, level, last + 1);
    }
    return true;
}

/* The lowest number from *number on that `set` has at `next` below `level`, and who has it. */
static bool next_number(const cs_pmu_tree *tree, const entry_set *set, size_t level, size_t next,
                        uint64_t *number, entry_set *those)
{
    const uint64_t from = *number;
    bool found = false;

    for (size_t i = 0; i < tree->nr_entries; i++) {
        const cs_pmu_path *at = &tree->entries[i].at;

        if (!has(set, i) || highest(levels_below(at, level)) != next || at->last[next] < from)
            continue;
        const uint64_t first = at->first[next] > from ? at->first[next] : from;
        if (!found || first < *number)
            *those = (entry_set){{0}};
        if (found && first > *number)
            continue;
        found = true;
        *number = first;
        add(those, i);
    }
    return found;
}

/* What is in a directory whose last level is `level`. */
static bool walk_in(walker *w, const entry_set *set, size_t level, uint64_t address, size_t length)
{
    if (!walk_pmus(w, set, level, address, length))
        return false;
    for (size_t next = level; next-- > 1;) {
        const unsigned shift = cs_pmu_level_shift(&w->tree->layout, next);
        const char *name = w->tree->layout.levels[next].name;
        uint64_t number = 0;
        entry_set those;

        while (next_number(w->tree, set, level, next, &number, &those)) {
            const uint64_t at = address | number << shift;
            const size_t end = append(w, length, name, number);

            if (!show(w, next, at) || !walk_in(w, &those, next, at, end))
                return false;
            if (number++ == UINT64_MAX)
                break;
        }
    }
    return true;
}

/* The entries that have something at or below a place. */
static entry_set entries_at(const cs_pmu_tree *tree, const cs_pmu_path *place, size_t level)
{
    entry_set set = {{0}};

    for (size_t i = 0; i < tree->nr_entries; i++) {
        const cs_pmu_path *at = &tree->entries[i].at;
        bool in = (at->levels | 1) >> level == (place->levels | 1) >> level;

        for (size_t l = level; l < tree->layout.nr_levels && in; l++)
            in = place->first[l] >= at->first[l] && place->first[l] <= at->last[l];
        if (in)
            add(&set, i);
    }
    return set;
}

static cs_status nothing(const walker *w, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_RANGE, NULL, "there is nothing at %s", w->path);
}

cs_status cs_pmu_tree_walk(const cs_pmu_tree *tree, const cs_pmu_path *under, cs_pmu_visit visit,
                           void *ctx, cs_diag *diag)
{
    walker w = {.tree = tree, .visit = visit, .ctx = ctx};
    const uint32_t places = under->levels & ~1u;
    const uint64_t address = cs_pmu_path_address(&tree->layout, under);
    const size_t length = cs_pmu_path_print(&tree->layout, under, w.path);

    if ((under->levels & 1) != 0) {
        if (!cs_pmu_tree_has(tree, under))
            return nothing(&w, diag);
        show(&w, 0, address);
        return CS_OK;
    }
    size_t level = tree->layout.nr_levels;
    for (size_t i = tree->layout.nr_levels; i-- > 1;)
        if ((places >> i & 1) != 0)
            level = i;
    const entry_set set = entries_at(tree, under, level);
    if (places != 0 && is_empty(&set))
        return nothing(&w, diag);
    if (show(&w, level, address))
        walk_in(&w, &set, level, address, length);
    return CS_OK;
}
