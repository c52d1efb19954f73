// SPDX-License-Identifier: Apache-2.0
/* Tags of what an uncore unit's events count (docs/hw/uncore.md, "Tags"): each tag of an event is a
 * stream of its own. */
#ifndef CS_SCENARIO_UNCORE_UNCORE_TAGS_H
#define CS_SCENARIO_UNCORE_UNCORE_TAGS_H

#include "scenario/check.h"
#include "scenario/uncore/uncore_spec.h"
#include <countersink/base/cycle.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a counter counts: the event's number on the unit, and which tags of it. */
typedef struct cs_uncore_counted {
    uint32_t event;
    uint64_t match, mask;
} cs_uncore_counted;

/* The k'th stream of it in the unit's timeline, as an event there. False: there are no more. */
bool cs_uncore_stream_of(const cs_uncore_unit_spec *unit, const cs_uncore_counted *counted,
                         size_t *k, uint32_t *event);

/* The sum of all of them over [from, to). */
uint64_t cs_uncore_sum(const cs_uncore_unit_spec *unit, const cs_uncore_counted *counted,
                       cs_timeline *timeline, cs_cycle from, cs_cycle to);

/* Gives the streams that have a tag their numbers (cs_stream_spec.as_event), where they may have one. */
void cs_uncore_take_tags(cs_check *check);

#ifdef __cplusplus
}
#endif

#endif
