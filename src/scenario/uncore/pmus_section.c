// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/address/tree.h"
#include "scenario/check.h"
#include "scenario/key_macros.h"
#include "scenario/scenario.h"
#include "scenario/uncore/partitions.h"
#include "scenario/uncore/pmus_spec.h"
#include "scenario/uncore/uncore_spec.h"

#define S cs_pmus_spec

static const cs_key level_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called in paths"), AT(cs_pmu_level, name),
     .min = 1, .max = CS_PMU_NAME_BYTES - 1},
    {NUMBER("bits", "bits", 1, 64, NULL, "width of its numbers"), AT(cs_pmu_level, bits)},
};
static const cs_key_shape level_shape = {SHAPE("pmu_level", level_keys, cs_pmu_level)};

static const cs_key kind_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what they are called"), AT(cs_pmu_kind, name), .min = 1,
     .max = CS_PMU_NAME_BYTES - 1},
    {NUMBER("count", "", 1, UINT64_MAX, "1", "how many at each place"), AT(cs_pmu_kind, count)},
    {NUMBER("first", "", 0, UINT64_MAX, "=after those before it in the list",
            "the number of the first"),
     AT(cs_pmu_kind, first)},
};
static const cs_key_shape kind_shape = {SHAPE("pmu_kind", kind_keys, cs_pmu_kind)};

#define P cs_pmu_place_spec
static const cs_key place_keys[] = {
    {TEXT("at", CS_PMU_TEXT_BYTES - 1, "/", "places, as rack0-127/blade0-31; /: the system itself"),
     AT(P, at)},
    {LIST("units", &kind_shape, 1, CS_PMU_MAX_KINDS, NULL, "the PMUs of each place"),
     AT_LIST(P, units, nr_units)},
};
#undef P
static const cs_key_shape place_shape = {SHAPE("pmu_place", place_keys, cs_pmu_place_spec)};

static const cs_key pmus_keys[] = {
    {LIST("levels", &level_shape, 0, CS_PMU_MAX_LEVELS, "[]",
          "the fields of an address from bit 0 on; none: pmu 4, core 4, node 1, chip 3, blade 5, "
          "rack 7 bits"),
     AT_LIST(S, levels, nr_levels)},
    {LIST("tree", &place_shape, 0, CS_MAX_PMU_PLACES, "[]",
          "which PMUs are where, in addition to uncore.units"),
     AT_LIST(S, places, nr_places)},
};
static const cs_key_shape shape = {SHAPE("pmus", pmus_keys, S)};

/* A tree and room for all its entries; how each came into it. */
typedef struct builder {
    cs_check *check;
    cs_pmu_tree *tree;
    cs_pmu_entry *entries;
    size_t unit_of[CS_PMU_MAX_ENTRIES]; /* behind the places: the uncore unit */
} builder;

_Static_assert(CS_MAX_PMU_PLACES + CS_MAX_UNCORE <= CS_PMU_MAX_ENTRIES, "an entry each");

static cs_status take_levels(builder *b)
{
    const cs_scenario *s = b->check->scenario;
    cs_pmu_layout *layout = &b->tree->layout;
    cs_diag inner = {0};

    if (s->pmus->nr_levels == 0)
        *layout = *cs_pmu_layout_default();
    for (size_t i = 0; i < s->pmus->nr_levels; i++) {
        layout->levels[i] = s->pmus->levels[i];
        layout->nr_levels = i + 1;
        cs_check_at(b->check, "pmus.levels.%zu", i);
        if (cs_pmu_layout_check(layout, &inner) != CS_OK)
            return cs_check_fail(b->check, "%s", inner.text);
    }
    return CS_OK;
}

/* `text` is the value of the key that is looked at. */
static cs_status take_path(builder *b, const char *text, bool ranges, cs_pmu_path *path)
{
    cs_diag inner = {0};

    if (cs_pmu_path_parse(&b->tree->layout, text, ranges, path, &inner) == CS_OK)
        return CS_OK;
    return cs_check_fail(b->check, "character %u: %.360s", inner.column, inner.text);
}

static cs_status take_kinds(builder *b, size_t place)
{
    const cs_pmu_place_spec *spec = &b->check->scenario->pmus->places[place];
    uint64_t next = 0;
    cs_diag inner = {0};

    for (size_t i = 0; i < spec->nr_units; i++) {
        cs_pmu_kind *kind = &spec->units[i];

        if (cs_check_at(b->check, "pmus.tree.%zu.units.%zu.first", place, i) == NULL)
            kind->first = next;
        next = kind->first + kind->count;
        cs_check_at(b->check, "pmus.tree.%zu.units.%zu", place, i);
        if (cs_pmu_kind_check(&b->tree->layout, kind, &inner) != CS_OK)
            return cs_check_fail(b->check, "%s", inner.text);
    }
    return CS_OK;
}

static const char *source_of(const builder *b, size_t entry, char *buffer, size_t size)
{
    const cs_scenario *s = b->check->scenario;

    if (entry < s->pmus->nr_places)
        snprintf(buffer, size, "pmus.tree.%zu", entry);
    else
        snprintf(buffer, size, "uncore.units.%zu", b->unit_of[entry]);
    return buffer;
}

/* The entry behind the last one becomes one of the tree; its key is looked at. */
static cs_status add_entry(builder *b)
{
    const size_t entry = b->tree->nr_entries++;
    cs_pmu_clash clash;
    char source[40];

    if (!cs_pmu_tree_clash(b->tree, entry, &clash))
        return CS_OK;
    return cs_check_fail(b->check, "%s has the address 0x%" PRIx64 " of %s (%s), too",
                         b->entries[entry].kinds[clash.kind[1]].name, clash.address,
                         b->entries[clash.entry[0]].kinds[clash.kind[0]].name,
                         source_of(b, clash.entry[0], source, sizeof source));
}

static cs_status take_place(builder *b, size_t place)
{
    const cs_pmu_place_spec *spec = &b->check->scenario->pmus->places[place];
    cs_pmu_entry *entry = &b->entries[place];

    cs_check_at(b->check, "pmus.tree.%zu.at", place);
    cs_status status = take_path(b, spec->at, true, &entry->at);
    if (status == CS_OK && (entry->at.levels & 1) != 0)
        status = cs_check_fail(b->check, "ends in a PMU (%s); PMUs stand in units, places here",
                               entry->at.kind);
    if (status == CS_OK)
        status = take_kinds(b, place);
    if (status != CS_OK)
        return status;
    entry->kinds = spec->units;
    entry->nr_kinds = spec->nr_units;
    cs_check_at(b->check, "pmus.tree.%zu", place);
    return add_entry(b);
}

/* A unit that no place has becomes an entry of its own. */
static cs_status add_unit(builder *b, size_t unit, const cs_pmu_path *path)
{
    const size_t nr = b->tree->nr_entries;
    cs_pmu_kind *kind = cs_yaml_alloc(b->check->memory, sizeof *kind, b->check->diag);

    if (kind == NULL)
        return CS_ERR_NO_MEMORY;
    memcpy(kind->name, path->kind, sizeof kind->name);
    kind->first = path->first[0];
    kind->count = 1;
    b->unit_of[nr] = unit;
    b->entries[nr] = (cs_pmu_entry){.at = *path, .kinds = kind, .nr_kinds = 1};
    b->entries[nr].at.levels &= ~1u;
    b->entries[nr].at.first[0] = b->entries[nr].at.last[0] = 0;
    return add_entry(b);
}

static cs_status take_unit(builder *b, size_t nr)
{
    cs_scenario *s = b->check->scenario;
    cs_uncore_unit_spec *unit = &s->uncore->units[nr];
    cs_pmu_path path;

    if (unit->path[0] == '\0')
        return CS_OK;
    cs_check_at(b->check, "uncore.units.%zu.path", nr);
    cs_status status = take_path(b, unit->path, false, &path);
    if (status != CS_OK)
        return status;
    if ((path.levels & 1) == 0)
        return cs_check_fail(b->check, "is a place; the unit's name is missing, as memctl0");
    unit->address = cs_pmu_path_address(&b->tree->layout, &path);
    for (size_t i = 0; i < nr; i++)
        if (s->uncore->units[i].path[0] != '\0' && s->uncore->units[i].address == unit->address)
            return cs_check_fail(b->check, "0x%" PRIx64 " is the address of uncore.units.%zu, too",
                                 unit->address, i);
    return cs_pmu_tree_has(b->tree, &path) ? CS_OK : add_unit(b, nr, &path);
}

static cs_status create(builder *b)
{
    cs_check *check = b->check;
    cs_scenario *s = check->scenario;
    const size_t most = s->pmus->nr_places + s->uncore->nr_units;

    s->pmus->tree = b->tree = cs_yaml_alloc(check->memory, sizeof *b->tree, check->diag);
    if (b->tree == NULL)
        return CS_ERR_NO_MEMORY;
    if (most == 0)
        return CS_OK;
    b->entries = cs_yaml_alloc(check->memory, most * sizeof *b->entries, check->diag);
    b->tree->entries = b->entries;
    return b->entries != NULL ? CS_OK : CS_ERR_NO_MEMORY;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    builder b = {.check = check};
    cs_status status = create(&b);

    if (status == CS_OK)
        status = take_levels(&b);
    for (size_t i = 0; i < s->pmus->nr_places && status == CS_OK; i++)
        status = take_place(&b, i);
    for (size_t i = 0; i < s->uncore->nr_units && status == CS_OK; i++)
        status = take_unit(&b, i);
    return status == CS_OK ? cs_uncore_partitions_check(check) : status;
}

static const cs_key keys[] = {{MAP(
    "pmus", &shape, "the PMUs of the whole system, by address (docs/drivers/pmu_address.md)")}};
const cs_section cs_section_pmus = {SECTION("pmus", keys, S), .check = check};
