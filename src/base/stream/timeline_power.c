// SPDX-License-Identifier: Apache-2.0
/* Spans without power. Inside, a timeline counts the cycles that have it; here one is made the other. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/stream/timeline_impl.h"

cs_status cs_timeline_check_power(const cs_timeline_desc *desc, cs_diag *diag)
{
    for (size_t i = 0; i < desc->nr_off; i++) {
        const cs_timeline_off *off = &desc->off[i];

        if (off->to <= off->from || off->to >= CS_STREAM_END ||
            (i > 0 && off->from <= desc->off[i - 1].to))
            return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                               "span %zu without power, %" PRIu64 "..%" PRIu64
                               ": must not be empty, lie behind the one before and end below 2^60",
                               i + 1, off->from, off->to);
    }
    return CS_OK;
}

bool cs_timeline_make_power(cs_timeline *tl)
{
    uint64_t before = 0;

    tl->off_before = calloc(tl->desc.nr_off + 1, sizeof *tl->off_before);
    if (tl->off_before == NULL)
        return false;
    for (size_t i = 0; i < tl->desc.nr_off; i++) {
        tl->off_before[i] = before;
        before += tl->desc.off[i].to - tl->desc.off[i].from;
    }
    return true;
}

/* The number of spans that begin at or before t. */
static size_t begun(const cs_timeline *tl, cs_cycle t)
{
    size_t low = 0, high = tl->desc.nr_off;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (tl->desc.off[middle].from <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

cs_cycle cs_timeline_powered(const cs_timeline *tl, cs_cycle t)
{
    const size_t n = begun(tl, t);

    if (n == 0)
        return t;
    const cs_timeline_off *off = &tl->desc.off[n - 1];
    return (t < off->to ? off->from : t - (off->to - off->from)) - tl->off_before[n - 1];
}

cs_cycle cs_timeline_unpowered(const cs_timeline *tl, cs_cycle powered)
{
    size_t low = 0, high = tl->desc.nr_off;

    if (powered == CS_NEVER)
        return CS_NEVER;
    while (low < high) { /* the spans before which fewer have power */
        const size_t middle = low + (high - low) / 2;

        if (tl->desc.off[middle].from - tl->off_before[middle] < powered)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return powered;
    const cs_timeline_off *off = &tl->desc.off[low - 1];
    return powered + tl->off_before[low - 1] + (off->to - off->from);
}

bool cs_timeline_is_off(const cs_timeline *tl, cs_cycle t, cs_cycle *end)
{
    const size_t n = begun(tl, t);

    *end = n < tl->desc.nr_off ? tl->desc.off[n].from : CS_NEVER;
    if (n == 0 || t >= tl->desc.off[n - 1].to)
        return false;
    *end = tl->desc.off[n - 1].to;
    return true;
}
