// SPDX-License-Identifier: Apache-2.0
/* What stands in the list of a perf command's events, as perf -e takes it: "cycles", "cycles:D"
 * (pinned), "{cycles,instructions}" (a group), "{cycles,instructions}:D". */
#ifndef CS_SCENARIO_HPM_RISCV_ITEM_H
#define CS_SCENARIO_HPM_RISCV_ITEM_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/yaml/yaml.h"
#include <countersink/base/diag.h>

typedef struct cs_riscv_perf_item {
    bool group;
    bool pinned;
    bool broken; /* a brace without the other one, or nothing between two commas */
    cs_status status;
    bool taken;           /* all of it */
    const char *at, *end; /* what has not been */
} cs_riscv_perf_item;

cs_riscv_perf_item cs_riscv_perf_item_of(const char *text);
/* How many events there are in it at most; at least 1. */
size_t cs_riscv_perf_item_events(const char *text);
/* The next event's name, in `memory`; NULL: there is none, or (item->status) no memory. */
const char *cs_riscv_perf_item_next(cs_riscv_perf_item *item, cs_yaml *memory, cs_diag *diag);

#endif
