// SPDX-License-Identifier: Apache-2.0
/* Whose events may stand in which segments, and the segments of what is no CPU. */
#include <stdio.h>
#include <string.h>

#include "scenario/check.h"
#include "scenario/section_list.h"
#include "scenario/work/workload_spec.h"

#define PATH_BYTES 64u

/* NULL: an event of the cores. */
static const cs_unit_class *owner_of(uint32_t event)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_unit_class *units = cs_sections[i].section->units;

        if (units != NULL && event / CS_EVENT_SPACE == units->first_event / CS_EVENT_SPACE)
            return units;
    }
    return NULL;
}

static cs_status check_events(cs_check *check, const char *path, const cs_segment_spec *segment,
                              const cs_unit_class *wanted)
{
    for (size_t i = 0; i < segment->nr_streams; i++) {
        const cs_unit_class *found = owner_of(segment->streams[i].first_event);

        if (segment->streams[i].tag != 0 && segment->streams[i].as_event == 0) {
            cs_check_at(check, "%s.events.%zu.tag", path, i);
            return cs_check_fail(
                check, "only a single event of a unit whose counters choose by tags has one");
        }
        if (found == wanted)
            continue;
        cs_check_at(check, "%s.events.%zu.event", path, i);
        if (found != NULL)
            return cs_check_fail(check, "%s", found->other);
        return cs_check_fail(check, "%s",
                             wanted->wanted != NULL ? wanted->wanted : "an event of the cores");
    }
    return CS_OK;
}

static cs_status check_unit(cs_check *check, const cs_unit_class *units, unsigned number)
{
    size_t nr_segments;
    const cs_segment_spec *segments = units->segments(check->scenario, number, &nr_segments);
    cs_status status = CS_OK;
    char unit[PATH_BYTES], path[PATH_BYTES + 32];

    units->path(check->scenario, number, unit, sizeof unit);
    for (size_t k = 0; k < nr_segments && status == CS_OK; k++) {
        snprintf(path, sizeof path, "%s.segments.%zu", unit, k);
        cs_check_at(check, "%s.like", path);
        if (segments[k].like != 0)
            return cs_check_fail(check, "only a core's workload is like a program");
        status = check_events(check, path, &segments[k], units);
        if (status == CS_OK)
            status = cs_check_segment(check, path, &segments[k], CS_NARROW_INCREMENT);
        cs_check_at(check, "%s.cycles", path);
        if (status == CS_OK && segments[k].cycles == 0 && nr_segments > 1)
            status = cs_check_fail(check, "missing; only an only segment lasts for ever");
    }
    return status;
}

static cs_status check_units(cs_check *check, const cs_unit_class *units)
{
    const unsigned count = units != NULL ? units->count(check->scenario) : 0;
    cs_status status = CS_OK;

    for (unsigned i = 0; i < count && status == CS_OK; i++)
        status = check_unit(check, units, i);
    return status;
}

cs_status cs_check_owners(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;
    char path[PATH_BYTES];

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments && status == CS_OK; k++) {
            snprintf(path, sizeof path, "workloads.%zu.segments.%zu", i, k);
            status = check_events(check, path, &s->workloads[i].segments[k], NULL);
        }
    if (status == CS_OK)
        status = check_events(check, "handler", &s->handler, NULL);
    for (size_t i = 0; i < cs_nr_sections && status == CS_OK; i++)
        status = check_units(check, cs_sections[i].section->units);
    return status;
}
