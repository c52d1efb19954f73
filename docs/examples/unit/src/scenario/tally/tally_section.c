// SPDX-License-Identifier: Apache-2.0
#include "scenario/tally/tally_spec.h"

#include <stdio.h>

#include "scenario/key_macros.h"
#include "scenario/machine/die.h"
#include "scenario/work/workload_spec.h"

#define S cs_tally_spec

static const cs_key tally_keys[] = {
    {OTHER("present", CS_KEY_FLAG, "false", "the die has a tally (docs/hw/tally.md)"),
     AT(S, present)},
    {LIST("segments", &cs_segment_shape, 0, 64, "[]",
          "what it sees: events \"tally:N\", in segments that repeat"),
     .without = "mode", AT_LIST(S, segments, nr_segments)},
};
static const cs_key_shape shape = {SHAPE("tally", tally_keys, S)};

static unsigned count(const cs_scenario *s)
{
    return s->tally->present;
}

static const cs_segment_spec *segments(const cs_scenario *s, unsigned number, size_t *nr)
{
    (void)number;
    *nr = s->tally->nr_segments;
    return s->tally->segments;
}

static void path(const cs_scenario *s, unsigned number, char *out, size_t size)
{
    (void)s, (void)number;
    snprintf(out, size, "tally");
}

static void die(const cs_scenario *s, cs_die *die)
{
    if (!s->tally->present)
        return;
    cs_die_add_target(die, (cs_die_target){.unit = "tally",
                                           .kind = CS_TARGET_TALLY,
                                           .base = CS_TALLY_BASE,
                                           .size = CS_TALLY_BYTES,
                                           .what = "the registers of the tally"});
    cs_die_shape_add(&die->shape, "tally", NULL, 0);
}

static const cs_unit_class units = {.timeline = CS_TALLY_TIMELINE,
                                    .count = count,
                                    .segments = segments,
                                    .path = path,
                                    .first_event = CS_EVENT_TALLY(0),
                                    .numbered = true,
                                    .other = "an event of the tally; those go to tally.segments"};
static const cs_key keys[] = {{MAP("tally", &shape, "a counter of one event")}};
const cs_section cs_section_tally = {SECTION("tally", keys, S), .units = &units, .die = die};
