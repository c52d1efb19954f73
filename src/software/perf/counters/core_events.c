// SPDX-License-Identifier: Apache-2.0
/* Which events a core has: what a program asks for, in the core's tables. */
#include "software/perf/counters/core_events.h"

#include <errno.h>

/* A generic event says in its upper half which PMU is meant; 0: any. */
static bool events_are_ours(const cs_perf_core *core, const cs_perf_attr *a)
{
    const uint32_t of = (uint32_t)(a->config >> CS_PERF_CONFIG_PMU_SHIFT);

    if (a->type == CS_PERF_TYPE_HARDWARE || a->type == CS_PERF_TYPE_CACHE)
        return of == 0 || of == core->type;
    return a->type == CS_PERF_TYPE_RAW || a->type == core->type;
}

/* A number that no kernel knows, rather than one that this core has not. */
static bool events_number_is_none(uint32_t type, uint64_t config)
{
    if (type == CS_PERF_TYPE_HARDWARE)
        return config >= CS_PERF_HARDWARE_EVENTS;
    if (type == CS_PERF_TYPE_CACHE)
        return (config & 0xff) >= CS_PERF_CACHES || (config >> 8 & 0xff) >= CS_PERF_CACHE_OPS ||
               config >> 16 >= CS_PERF_CACHE_RESULTS;
    return false;
}

static const cs_perf_map *events_find(const cs_perf_core *core, uint32_t type, uint64_t config)
{
    for (size_t i = 0; i < core->nr_maps; i++)
        if (core->maps[i].type == type && core->maps[i].config == config)
            return &core->maps[i];
    return NULL;
}

/* Hardware takes any number; one that means nothing counts nothing. */
static int events_raw(const cs_perf_core *core, uint64_t config, cs_perf_map *out)
{
    const uint64_t known = config & core->raw_mask;
    const cs_perf_map *map = events_find(core, CS_PERF_TYPE_RAW, known);

    if (core->raw_strict && known != config)
        return -EINVAL;
    *out = (cs_perf_map){.config = known,
                         .event = core->raw_other != 0 ? core->raw_other : (uint32_t)known};
    if (map != NULL)
        *out = *map;
    return 0;
}

static int events_generic(const cs_perf_core *core, uint32_t type, uint64_t config,
                          cs_perf_map *out)
{
    const cs_perf_map *map = events_find(core, type, config);

    if (events_number_is_none(type, config))
        return -EINVAL;
    if (map == NULL)
        return -ENOENT;
    *out = *map;
    return 0;
}

int cs_perf_core_find(const cs_perf_core *core, const cs_perf_attr *a, cs_perf_map *out)
{
    const bool generic = a->type == CS_PERF_TYPE_HARDWARE || a->type == CS_PERF_TYPE_CACHE;
    int error;

    if (!events_are_ours(core, a))
        return -ENOENT;
    error = generic ? events_generic(core, a->type, a->config & CS_PERF_CONFIG_MASK, out)
                    : events_raw(core, a->config, out);
    if (error != 0)
        return error;
    if ((a->flags & CS_PERF_ATTR_PRECISE_IP) != 0 ||
        (a->sample_type & CS_PERF_SAMPLE_BRANCH_STACK) != 0)
        return -EOPNOTSUPP;
    return 0;
}
