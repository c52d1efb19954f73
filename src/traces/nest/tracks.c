// SPDX-License-Identifier: Apache-2.0
/* The nest on timelines: its states, and a track for each group's postings. */
#include "results/nest/part.h"
#include "traces/timeline/view_unit.h"

/* docs/hw/nest.md, "status" */
static const cs_field_label states[] = {
    {0, "INIT"}, {1, "RUN"}, {2, "PAUSE"}, {3, "ERR1"}, {4, "ERR2"}};
static const cs_field state[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_ENUM("state", states)};
const cs_view_class cs_view_class_nest_state = CS_VIEW_CLASS("nest_state", CS_VIEW_SLICE, state);

static const cs_field_label responses[] = CS_VIEW_RESPONSES;
static const cs_field posting[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_DECIMAL("number", 64),
                                   CS_VIEW_HEX("addr", 64), CS_VIEW_DECIMAL("bytes", 32),
                                   CS_VIEW_ENUM("resp", responses)};
static const cs_view_class posting_class = CS_VIEW_CLASS("posting", CS_VIEW_SLICE, posting);
const cs_view_kind_info cs_view_kind_postings = {.instance = "group_id",
                                                 .owner = CS_VIEW_OF_PART,
                                                 .unit = CS_UNIT_NEST,
                                                 CS_VIEW_NAMES("postings of group %u"),
                                                 CS_VIEW_ONE(posting_class)};

static void sample(cs_view *v, const cs_probe_record *r)
{
    const cs_field_value values[] = {
        {r->cycle + 1 - r->request}, {r->value}, {r->addr}, {r->bytes}, {r->resp}};
    const unsigned group = cs_nest_group_of(r);
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_POSTINGS, group, group % 16);

    if (place != NULL)
        cs_view_tell(v, place, 0, NULL, r->request, r->cycle + 1, values);
}

const cs_view_unit cs_view_unit_nest = {
    .first = CS_UNIT_NEST,
    .count = 1,
    .states = &cs_view_class_nest_state,
    .sample = sample,
};
const cs_view_unit cs_view_unit_nests = {
    .first = CS_UNIT_NEST_OF(1),
    .count = CS_MAX_CHIPS - 1,
    .states = &cs_view_class_nest_state,
    .sample = sample,
};
