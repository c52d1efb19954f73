// SPDX-License-Identifier: Apache-2.0
/* The kinds of events that are of no unit alone, with their fields, and the table of all kinds. A field more
 * is a line here and a value in view.c. */
#include "traces/timeline/view_fields.h"

static const cs_field_label directions[] = CS_VIEW_DIRECTIONS;
static const cs_field_label responses[] = CS_VIEW_RESPONSES;
static const cs_field_label handler[] = {{1, "handler"}};

/* Slices begin with their length in cycles. */
static const cs_field transfer[] = {
    CS_VIEW_DECIMAL("cycles", 64),         CS_VIEW_DECIMAL("grant", 64),
    CS_VIEW_ENUM("direction", directions), CS_VIEW_HEX("addr", 64),
    CS_VIEW_DECIMAL("bytes", 32),          CS_VIEW_ENUM("resp", responses)};
static const cs_field load[] = {CS_VIEW_DECIMAL("held_cycles", 32), CS_VIEW_DECIMAL("percent", 8)};
static const cs_field line[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_DECIMAL("line", 8)};
static const cs_field on_cpu[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_ENUM("who", handler)};
static const cs_field access[] = {CS_VIEW_ENUM("direction", directions), CS_VIEW_HEX("offset", 64),
                                  CS_VIEW_HEX("value", 64), CS_VIEW_DECIMAL("bytes", 8),
                                  CS_VIEW_ENUM("resp", responses)};

static const cs_view_class transfer_class = CS_VIEW_CLASS("transfer", CS_VIEW_SLICE, transfer);
static const cs_view_class load_class = CS_VIEW_CLASS("bus_load", CS_VIEW_COUNTER, load);
static const cs_view_class line_class = CS_VIEW_CLASS("interrupt", CS_VIEW_SLICE, line);
static const cs_view_class access_class = CS_VIEW_CLASS("access", CS_VIEW_INSTANT, access);
const cs_view_class cs_view_class_software = CS_VIEW_CLASS("software", CS_VIEW_SLICE, on_cpu);

#define ROW(name) &cs_view_class_##name,
static const cs_view_class *const state_classes[] = {CS_VIEW_STATE_CLASSES(ROW)};
static const cs_view_class *const software_classes[] = {CS_VIEW_SOFTWARE_CLASSES(ROW)};
#undef ROW

const cs_view_kind_info cs_view_kind_transfers = {.instance = "manager_id",
                                                  .owner = CS_VIEW_OF_MANAGER,
                                                  CS_VIEW_NAMES(""),
                                                  CS_VIEW_ONE(transfer_class)};
const cs_view_kind_info cs_view_kind_load = {.instance = "manager_id",
                                             .owner = CS_VIEW_OF_MANAGER,
                                             CS_VIEW_NAMES(" load"),
                                             CS_VIEW_ONE(load_class)};
const cs_view_kind_info cs_view_kind_states = {.instance = "unit_id",
                                               .owner = CS_VIEW_OF_UNIT,
                                               CS_VIEW_NAMES("state"),
                                               CS_VIEW_SEVERAL(state_classes)};
const cs_view_kind_info cs_view_kind_lines = {.instance = "unit_id",
                                              .owner = CS_VIEW_OF_UNIT,
                                              CS_VIEW_NAMES("interrupt"),
                                              CS_VIEW_ONE(line_class)};
const cs_view_kind_info cs_view_kind_software = {.instance = "cpu_id",
                                                 .owner = CS_VIEW_OF_CPU,
                                                 CS_VIEW_NAMES("software"),
                                                 CS_VIEW_SEVERAL(software_classes)};
const cs_view_kind_info cs_view_kind_registers = {.instance = "unit_id",
                                                  .owner = CS_VIEW_OF_UNIT,
                                                  CS_VIEW_NAMES("registers"),
                                                  CS_VIEW_ONE(access_class)};

#define ROW(NAME, name) [CS_VIEW_##NAME] = &cs_view_kind_##name,
const cs_view_kind_info *const cs_view_kinds[CS_VIEW_KINDS] = {CS_VIEW_KIND_ROWS(ROW)};
