// SPDX-License-Identifier: Apache-2.0
#include "scenario/uncore/uncore_open.h"

#include <string.h>

#include "base/number.h"
#include "scenario/cpus.h"
#include "scenario/scenario.h"
#include "scenario/uncore/partitions.h"
#include "scenario/uncore/pmus_spec.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/yaml/suggest.h"

/* A command in its partition. */
typedef struct opening {
    cs_check *check;
    const cs_scenario *s;
    size_t command;
    cs_uncore_perf_spec *perf;
    size_t partition; /* nr_partitions: there is one system */
} opening;

static bool sees_unit(const opening *o, size_t unit)
{
    return o->s->uncore->nr_partitions == 0 || o->s->uncore->units[unit].partition == o->partition;
}

static bool sees(const opening *o, const cs_pmu_path *path)
{
    return o->s->uncore->nr_partitions == 0 || cs_uncore_partition_sees(o->s, o->partition, path);
}

static cs_status find_partition(opening *o)
{
    const cs_uncore_spec *uncore = o->s->uncore;

    cs_check_at(o->check, "uncore_driver.perf.%zu.partition", o->command);
    o->partition = cs_uncore_partition_named(uncore, o->perf->partition);
    if (o->partition < uncore->nr_partitions ||
        (uncore->nr_partitions == 0 && o->perf->partition[0] == '\0'))
        return CS_OK;
    if (o->perf->partition[0] == '\0')
        return cs_check_fail(o->check, "missing; expected one of uncore.partitions, as %s",
                             uncore->partitions[0].name);
    return cs_check_fail(o->check, "there is no partition %s", o->perf->partition);
}

/* Opens the unit, once. */
static cs_status open_unit(opening *o, cs_uncore_open_spec *open, size_t unit)
{
    cs_uncore_perf_spec *p = o->perf;

    if (p->units[unit])
        return cs_check_fail(o->check, "%s is named twice", o->s->uncore->units[unit].name);
    p->units[unit] = true;
    p->unit_list[p->nr_units++] = (unsigned)unit;
    if (open != NULL)
        open->unit = (unsigned)unit;
    return CS_OK;
}

static cs_status refuse(cs_uncore_open_spec *open, const char *error, const char *why)
{
    open->error = error;
    open->why = why;
    return CS_OK;
}

/* ---- by the name of its folder in /sys/bus/event_source/devices ---- */

static cs_status open_name(opening *o, cs_uncore_open_spec *open)
{
    cs_suggest suggest = cs_suggest_begin(open->asked);
    size_t unit = 0;

    while (unit < o->s->uncore->nr_units &&
           strcmp(o->s->uncore->units[unit].name, open->asked) != 0)
        cs_suggest_offer(&suggest, o->s->uncore->units[unit++].name);
    const char *near = cs_suggest_end(&suggest);

    if (unit == o->s->uncore->nr_units)
        return cs_check_fail(o->check, "there is no unit %s%s%s%s", open->asked,
                             near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                             near != NULL ? "?" : "");
    return sees_unit(o, unit) ? open_unit(o, open, unit)
                              : refuse(open, "ENOENT", "the partition has no such PMU");
}

/* ---- by its place ---- */

/* A PMU of the tree that the partition has. */
static cs_status open_simulated(opening *o, cs_uncore_open_spec *open, uint64_t address)
{
    for (size_t unit = 0; unit < o->s->uncore->nr_units; unit++)
        if (o->s->uncore->units[unit].path[0] != '\0' &&
            o->s->uncore->units[unit].address == address)
            return open_unit(o, open, unit);
    return cs_check_fail(o->check, "no unit simulates %s (uncore.units[].path)", open->asked);
}

static cs_status open_address(opening *o, cs_uncore_open_spec *open, uint64_t address)
{
    const cs_pmu_tree *tree = o->s->pmus->tree;
    const unsigned bits = cs_pmu_layout_bits(&tree->layout);
    cs_pmu_path path;

    if (bits < 64 && address >> bits != 0)
        return refuse(open, "EINVAL", "more bits than an address has");
    if (cs_pmu_tree_at(tree, address, &path, NULL) != CS_OK || !sees(o, &path))
        return refuse(open, "ENODEV", "the partition has no PMU there");
    return open_simulated(o, open, address);
}

typedef struct looking {
    const opening *o;
    bool found;
} looking;

/* Is something of a directory the partition's? */
static bool look(void *ctx, const cs_pmu_node *node)
{
    looking *l = ctx;
    cs_pmu_path path;

    l->found |=
        node->level == 0 &&
        cs_pmu_path_parse(&l->o->s->pmus->tree->layout, node->path, false, &path, NULL) == CS_OK &&
        sees(l->o, &path);
    return !l->found;
}

static cs_status open_path(opening *o, cs_uncore_open_spec *open)
{
    const cs_pmu_tree *tree = o->s->pmus->tree;
    looking l = {o, false};
    cs_pmu_path path;
    cs_diag inner = {0};

    if (cs_pmu_path_parse(&tree->layout, open->asked, false, &path, &inner) != CS_OK)
        return cs_check_fail(o->check, "character %u: %.360s", inner.column, inner.text);
    if ((path.levels & 1) == 0) {
        if (sees(o, &path))
            cs_pmu_tree_walk(tree, &path, look, &l, &inner);
        return l.found ? refuse(open, "EISDIR", "a place, no PMU")
                       : refuse(open, "ENOENT", "the partition has nothing there");
    }
    if (!cs_pmu_tree_has(tree, &path) || !sees(o, &path))
        return refuse(open, "ENOENT", "the partition has no such PMU");
    return open_simulated(o, open, cs_pmu_path_address(&tree->layout, &path));
}

static cs_status open_place(opening *o, cs_uncore_open_spec *open)
{
    uint64_t address;

    if (!cs_number_of(open->asked, UINT64_MAX, &address))
        return open_path(o, open);
    open->named = CS_UNCORE_BY_CPU;
    return open_address(o, open, address);
}

/* ---- all of a command ---- */

static cs_status open_list(opening *o, const char *key, const char *const *names, size_t nr,
                           cs_uncore_named named,
                           cs_status (*one)(opening *, cs_uncore_open_spec *))
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < nr && status == CS_OK; i++) {
        cs_uncore_open_spec *open = &o->perf->opens[o->perf->nr_opens++];

        *open = (cs_uncore_open_spec){.asked = names[i], .named = named, .unit = CS_MAX_UNCORE};
        cs_check_at(o->check, "uncore_driver.perf.%zu.%s.%zu", o->command, key, i);
        status = one(o, open);
    }
    return status;
}

cs_status cs_uncore_open_check(cs_check *check, size_t command)
{
    cs_uncore_perf_spec *p = &check->scenario->uncore_driver->perf[command];
    opening o = {.check = check, .s = check->scenario, .command = command, .perf = p};
    const size_t nr = p->nr_unit_names + p->nr_pmus;
    cs_status status = find_partition(&o);

    for (size_t i = 0; i < o.s->uncore->nr_units && nr == 0 && status == CS_OK; i++)
        if (sees_unit(&o, i))
            status = open_unit(&o, NULL, i);
    if (status != CS_OK || nr == 0)
        return status;
    p->opens = cs_yaml_alloc(check->memory, nr * sizeof *p->opens, check->diag);
    if (p->opens == NULL)
        return CS_ERR_NO_MEMORY;
    status = open_list(&o, "units", p->unit_names, p->nr_unit_names, CS_UNCORE_BY_NAME, open_name);
    return status == CS_OK
               ? open_list(&o, "pmus", p->pmus, p->nr_pmus, CS_UNCORE_BY_PATH, open_place)
               : status;
}
