// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "drivers/rotation/rotation_impl.h"

#define WHERE "event rotation"
#define MOST_TICK (UINT64_MAX / 10000) /* 100 x limit x tick has 64 bits */

static cs_status rotation_bad(cs_diag *diag, const char *what, uint64_t is, uint64_t low,
                              uint64_t high)
{
    return cs_diag_set(diag, CS_ERR_RANGE, WHERE,
                       "%s is %" PRIu64 ", expected %" PRIu64 "..%" PRIu64, what, is, low, high);
}

static cs_status bad_of(cs_diag *diag, const char *of, size_t nr, const char *what)
{
    return cs_diag_set(diag, CS_ERR_RANGE, WHERE, "%s %zu: %s", of, nr, what);
}

static cs_status check_sizes(const cs_rotation_config *config, cs_diag *diag)
{
    if (config == NULL || (config->pmus == NULL && config->nr_pmus != 0) ||
        (config->events == NULL && config->nr_events != 0))
        return cs_diag_set(diag, CS_ERR_RANGE, WHERE, "NULL, expected a config, PMUs and events");
    if (config->list != CS_ROTATION_GLOBAL && config->list != CS_ROTATION_PER_PMU)
        return rotation_bad(diag, "list", (uint64_t)config->list, 0, 1);
    if (config->nr_pmus == 0 || config->nr_pmus > CS_ROTATION_MAX_PMUS)
        return rotation_bad(diag, "nr_pmus", config->nr_pmus, 1, CS_ROTATION_MAX_PMUS);
    if (config->nr_events > CS_ROTATION_MAX_EVENTS)
        return rotation_bad(diag, "nr_events", config->nr_events, 0, CS_ROTATION_MAX_EVENTS);
    return CS_OK;
}

static cs_status check_pmus(const cs_rotation_config *config, cs_diag *diag)
{
    for (size_t i = 0; i < config->nr_pmus; i++) {
        const cs_rotation_pmu *pmu = &config->pmus[i];

        if (pmu->counters == 0 || pmu->counters > CS_ROTATION_MAX_COUNTERS)
            return cs_diag_set(diag, CS_ERR_RANGE, WHERE, "PMU %zu: counters is %u, expected 1..%u",
                               i, pmu->counters, CS_ROTATION_MAX_COUNTERS);
        if (pmu->divider == 0)
            return bad_of(diag, "PMU", i, "divider is 0, expected at least 1");
    }
    return CS_OK;
}

static cs_status check_adaptive(const cs_rotation_config *config, cs_diag *diag)
{
    bool adaptive = false;
    unsigned most = 1;

    for (size_t i = 0; i < config->nr_pmus; i++) {
        if (!config->pmus[i].adaptive)
            continue;
        adaptive = true;
        if (config->pmus[i].divider > most)
            most = config->pmus[i].divider;
    }
    if (!adaptive)
        return CS_OK;
    if (config->limit_percent == 0 || config->limit_percent > 100)
        return rotation_bad(diag, "limit_percent", config->limit_percent, 1, 100);
    if (config->tick_cycles == 0 || config->tick_cycles > MOST_TICK)
        return rotation_bad(diag, "tick_cycles", config->tick_cycles, 1, MOST_TICK);
    if (config->most_divider < most)
        return rotation_bad(diag, "most_divider", config->most_divider, most, UINT32_MAX);
    return CS_OK;
}

static cs_status check_group(const cs_rotation_config *config, size_t at, cs_diag *diag)
{
    const cs_rotation_event *event = &config->events[at];

    for (size_t i = 0; i < at; i++) {
        if (config->events[i].group != event->group)
            continue;
        if (config->events[i].pmu != event->pmu)
            return bad_of(diag, "event", at, "its group is of another PMU, expected of one");
        if (config->events[i].pinned != event->pinned)
            return bad_of(diag, "event", at, "expected a group of pinned events, or of none");
        if (config->events[i].error != event->error)
            return bad_of(diag, "event", at, "expected a group in error, or one that is not");
        return CS_OK; /* the others have been compared with that one */
    }
    return CS_OK;
}

static cs_status check_event(const cs_rotation_config *config, size_t at, cs_diag *diag)
{
    const cs_rotation_event *event = &config->events[at];

    if (event->pmu >= config->nr_pmus)
        return cs_diag_set(diag, CS_ERR_RANGE, WHERE, "event %zu: pmu is %u, expected 0..%zu", at,
                           event->pmu, config->nr_pmus - 1);
    const unsigned counters = config->pmus[event->pmu].counters;

    if (config->owner.put == NULL &&
        (event->allowed == 0 || (uint64_t)event->allowed >> counters != 0))
        return cs_diag_set(diag, CS_ERR_RANGE, WHERE,
                           "event %zu: allowed is 0x%" PRIx32
                           ", expected some of the %u counters of PMU %u",
                           at, event->allowed, counters, event->pmu);
    if (event->error && !event->pinned)
        return bad_of(diag, "event", at, "it is in error, expected a pinned one");
    return check_group(config, at, diag);
}

cs_status cs_rotation_check(const cs_rotation_config *config, cs_diag *diag)
{
    cs_status status = check_sizes(config, diag);

    if (status == CS_OK)
        status = check_pmus(config, diag);
    if (status == CS_OK)
        status = check_adaptive(config, diag);
    for (size_t i = 0; status == CS_OK && i < config->nr_events; i++)
        status = check_event(config, i, diag);
    return status;
}
