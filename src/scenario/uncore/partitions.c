// SPDX-License-Identifier: Apache-2.0
#include "scenario/uncore/partitions.h"

#include <string.h>

#include "scenario/cpus.h"
#include "scenario/scenario.h"
#include "scenario/uncore/pmus_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/yaml/suggest.h"

#define NONE CS_UNCORE_PARTITIONS

size_t cs_uncore_partition_named(const cs_uncore_spec *spec, const char *name)
{
    size_t i = 0;

    while (i < spec->nr_partitions && strcmp(spec->partitions[i].name, name) != 0)
        i++;
    return i;
}

/* The path of a unit in the tree. False: it has none. */
static bool path_of(const cs_scenario *s, size_t unit, cs_pmu_path *path)
{
    const char *text = s->uncore->units[unit].path;

    return text[0] != '\0' &&
           cs_pmu_path_parse(&s->pmus->tree->layout, text, false, path, NULL) == CS_OK;
}

bool cs_uncore_partition_sees(const cs_scenario *s, size_t partition, const cs_pmu_path *path)
{
    const cs_uncore_partition_spec *p = &s->uncore->partitions[partition];
    cs_pmu_path own;

    for (size_t i = 0; i < p->nr_pmu_paths; i++)
        if (cs_pmu_path_meets(&p->paths[i], path))
            return true;
    for (size_t i = 0; i < s->uncore->nr_units; i++)
        if (s->uncore->units[i].partition == partition && path_of(s, i, &own) &&
            cs_pmu_path_meets(&own, path))
            return true;
    return false;
}

static cs_status check_cpus(cs_check *check, size_t number)
{
    const cs_scenario *s = check->scenario;
    const cs_uncore_partition_spec *p = &s->uncore->partitions[number];

    for (size_t i = 0; i < number; i++) {
        cs_check_at(check, "uncore.partitions.%zu.name", number);
        if (strcmp(s->uncore->partitions[i].name, p->name) == 0)
            return cs_check_fail(check, "%s is the name of uncore.partitions.%zu, too", p->name, i);
        cs_check_at(check, "uncore.partitions.%zu.cpus", number);
        for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
            if (p->cpus[cpu] && s->uncore->partitions[i].cpus[cpu])
                return cs_check_fail(check, "CPU %u is of %s already (uncore.partitions.%zu)", cpu,
                                     s->uncore->partitions[i].name, i);
    }
    return CS_OK;
}

static cs_status take_paths(cs_check *check, size_t number)
{
    const cs_scenario *s = check->scenario;
    cs_uncore_partition_spec *p = &s->uncore->partitions[number];
    cs_diag inner = {0};

    p->paths = cs_yaml_alloc(check->memory, (p->nr_pmu_paths + 1) * sizeof *p->paths, check->diag);
    if (p->paths == NULL)
        return CS_ERR_NO_MEMORY;
    for (size_t i = 0; i < p->nr_pmu_paths; i++) {
        cs_check_at(check, "uncore.partitions.%zu.pmus.%zu", number, i);
        if (cs_pmu_path_parse(&s->pmus->tree->layout, p->pmu_paths[i], true, &p->paths[i],
                              &inner) != CS_OK)
            return cs_check_fail(check, "character %u: %.360s", inner.column, inner.text);
        for (size_t other = 0; other < number; other++)
            for (size_t k = 0; k < s->uncore->partitions[other].nr_pmu_paths; k++)
                if (cs_pmu_path_meets(&p->paths[i], &s->uncore->partitions[other].paths[k]))
                    return cs_check_fail(check, "something of it is of %s already (%s)",
                                         s->uncore->partitions[other].name,
                                         s->uncore->partitions[other].pmu_paths[k]);
    }
    return CS_OK;
}

static cs_status give(cs_check *check, size_t unit, size_t partition)
{
    const cs_scenario *s = check->scenario;
    cs_uncore_unit_spec *u = &s->uncore->units[unit];

    if (u->partition != NONE && u->partition != partition)
        return cs_check_fail(check, "%s is of %s already", u->name,
                             s->uncore->partitions[u->partition].name);
    u->partition = (unsigned)partition;
    return CS_OK;
}

static cs_status take_names(cs_check *check, size_t number)
{
    const cs_scenario *s = check->scenario;
    const cs_uncore_partition_spec *p = &s->uncore->partitions[number];
    cs_status status = CS_OK;

    for (size_t i = 0; i < p->nr_unit_names && status == CS_OK; i++) {
        cs_suggest suggest = cs_suggest_begin(p->unit_names[i]);
        size_t unit = 0;

        cs_check_at(check, "uncore.partitions.%zu.units.%zu", number, i);
        while (unit < s->uncore->nr_units &&
               strcmp(s->uncore->units[unit].name, p->unit_names[i]) != 0)
            cs_suggest_offer(&suggest, s->uncore->units[unit++].name);
        const char *near = cs_suggest_end(&suggest);

        status = unit < s->uncore->nr_units
                     ? give(check, unit, number)
                     : cs_check_fail(check, "there is no unit %s%s%s%s", p->unit_names[i],
                                     near != NULL ? "; did you mean " : "",
                                     near != NULL ? near : "", near != NULL ? "?" : "");
    }
    return status;
}

/* Units whose place is a partition's. */
static cs_status take_places(cs_check *check, size_t number)
{
    const cs_scenario *s = check->scenario;
    const cs_uncore_partition_spec *p = &s->uncore->partitions[number];
    cs_status status = CS_OK;
    cs_pmu_path path;

    for (size_t unit = 0; unit < s->uncore->nr_units && status == CS_OK; unit++)
        for (size_t i = 0; i < p->nr_pmu_paths && status == CS_OK; i++) {
            cs_check_at(check, "uncore.partitions.%zu.pmus.%zu", number, i);
            if (path_of(s, unit, &path) && cs_pmu_path_meets(&p->paths[i], &path))
                status = give(check, unit, number);
        }
    return status;
}

cs_status cs_uncore_partitions_check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status (*const steps[])(cs_check *, size_t) = {check_cpus, take_paths, take_names,
                                                      take_places};
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->uncore->nr_units; i++)
        s->uncore->units[i].partition = NONE;
    for (size_t step = 0; step < sizeof steps / sizeof steps[0]; step++)
        for (size_t i = 0; i < s->uncore->nr_partitions && status == CS_OK; i++)
            status = steps[step](check, i);
    return status;
}
