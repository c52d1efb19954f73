// SPDX-License-Identifier: Apache-2.0
/* Cores on timelines: when they were off. */
#include "results/corepmu/outages_part.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "traces/timeline/view_unit.h"
#include <countersink/base/numbers.h>

static const cs_field_label kinds[] = {
    {CS_OUTAGE_HOTPLUG, "hotplug"},
    {CS_OUTAGE_POWER_DOWN, "power_down"},
    {CS_OUTAGE_CLOCK_STOP, "clock_stop"},
};
static const cs_field outage[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_ENUM("state", kinds)};
static const cs_view_class outage_class = CS_VIEW_CLASS("outage", CS_VIEW_SLICE, outage);

static bool has_outages(const cs_scenario *s)
{
    return s->corepmu->nr_outages != 0;
}

const cs_view_kind_info cs_view_kind_outages = {.instance = "cpu_id",
                                                .owner = CS_VIEW_OF_CPU,
                                                .wanted = has_outages,
                                                CS_VIEW_NAMES("outages"),
                                                CS_VIEW_ONE(outage_class)};

static void told(cs_view *v, const cs_soft_record *record)
{
    const cs_outage *o = cs_told_outage(record);
    const cs_field_value values[] = {{o->on - o->off}, {o->kind}};
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_OUTAGES, record->cpu, 0);

    if (place != NULL)
        cs_view_tell(v, place, 0, NULL, o->off, o->on, values);
}

const cs_view_unit cs_view_unit_corepmu = {
    .first = CS_UNIT_CORE(0), .count = CS_MAX_CPUS, .soft = &cs_soft_outage, .told = told};
