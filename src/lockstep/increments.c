// SPDX-License-Identifier: Apache-2.0
#include "lockstep/increments.h"

#include <stdlib.h>

#include "lockstep/rtl_system.h"
#include <countersink/base/stream/timeline.h>

static int by_event(const void *a, const void *b)
{
    const uint32_t left = ((const cs_difference_event *)a)->event;
    const uint32_t right = ((const cs_difference_event *)b)->event;

    return (left > right) - (left < right);
}

static void tell_record(cs_difference_events *out, const cs_probe_record *r, const cs_system *rtl)
{
    cs_timeline *timeline = NULL;
    size_t at = 0;
    uint32_t event;

    if (r->kind == CS_PROBE_IRQ || (r->kind == CS_PROBE_REG && !r->write))
        timeline = cs_rtl_system_counts(rtl, r->source);
    if (timeline == NULL || r->cycle == 0)
        return;
    out->known = true;
    out->cycle = r->cycle;
    while (cs_timeline_next_event(timeline, &at, &event)) {
        uint8_t two[2];

        cs_timeline_increments(timeline, event, r->cycle - 1, 2, two);
        if (two[0] == 0 && two[1] == 0)
            continue;
        out->more = out->nr == CS_DIFFERENCE_EVENTS;
        if (out->more)
            break;
        cs_difference_event *e = &out->list[out->nr++];

        *e = (cs_difference_event){.event = event, .before = two[0], .now = two[1]};
        cs_rtl_system_event(rtl, r->source, event, e->name);
    }
    qsort(out->list, out->nr, sizeof out->list[0], by_event);
}

static void tell_row(cs_difference_row *row, const cs_system *rtl)
{
    if (!row->equal)
        tell_record(&row->events, row->has_model ? &row->model : &row->rtl, rtl);
}

void cs_increments_tell(cs_difference *d, const cs_system *rtl)
{
    for (size_t i = 0; i < d->nr_rows; i++)
        tell_row(&d->rows[i], rtl);
    for (size_t i = 0; i < d->nr_others; i++)
        tell_row(&d->others[i], rtl);
}
