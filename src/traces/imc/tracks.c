// SPDX-License-Identifier: Apache-2.0
/* IMC cores on timelines: their states, and the records of trace mode. */
#include "scenario/imc/imc_cpus.h"
#include "traces/timeline/view_unit.h"

/* docs/hw/imc.md, "STATE" */
static const cs_field_label states[] = {
    {0, "OFF"}, {1, "SYNC"}, {2, "RUN"}, {3, "DONE"}, {4, "FROZEN"}};
static const cs_field state[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_ENUM("state", states)};
const cs_view_class cs_view_class_imc_state = CS_VIEW_CLASS("imc_state", CS_VIEW_SLICE, state);

static const cs_field_label results[] = {{CS_BUS_OKAY, "written"},
                                         {CS_SAMPLE_LOST, "lost"},
                                         {CS_BUS_SLVERR, "SLVERR"},
                                         {CS_BUS_DECERR, "DECERR"}};
static const cs_field record[] = {CS_VIEW_ENUM("result", results), CS_VIEW_DECIMAL("snapshot", 64),
                                  CS_VIEW_DECIMAL("number", 64), CS_VIEW_HEX("addr", 64)};
static const cs_view_class record_class = CS_VIEW_CLASS("imc_record", CS_VIEW_INSTANT, record);
const cs_view_kind_info cs_view_kind_records = {.instance = "cpu_id",
                                                .owner = CS_VIEW_OF_CPU,
                                                CS_VIEW_NAMES("records"),
                                                CS_VIEW_ONE(record_class)};

static void sample(cs_view *v, const cs_probe_record *r)
{
    const unsigned core = r->source - CS_UNIT_IMC(0);
    const unsigned cpu = cs_scenario_imc_cpu(cs_view_scenario(v), core, r->index);
    const cs_field_value values[] = {{r->resp}, {r->request}, {r->value}, {r->addr}};
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_RECORDS, cpu, 0);

    if (place != NULL)
        cs_view_tell(v, place, 0, cs_view_label(&record[0], r->resp), r->cycle, r->cycle, values);
}

const cs_view_unit cs_view_unit_imc = {
    .first = CS_UNIT_IMC(0),
    .count = 64,
    .states = &cs_view_class_imc_state,
    .sample = sample,
};
