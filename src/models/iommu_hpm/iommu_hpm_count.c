// SPDX-License-Identifier: Apache-2.0
/* What counts, how much, and when it overflows: docs/hw/iommu_hpm.md, "Counting". */
#include "models/iommu_hpm/iommu_hpm_internal.h"

/* Nothing happens behind it (countersink/base/stream/stream.h, CS_STREAM_END). */
#define LAST_CYCLE ((cs_cycle)1 << 56)

/* ---- what fits ---- */

#define EVENT_BITS 0x7fffu
#define DMASK ((uint64_t)1 << 15)
#define PV_PSCV ((uint64_t)1 << 60)
#define DV_GSCV ((uint64_t)1 << 61)
#define IDT ((uint64_t)1 << 62)

unsigned cs_iommu_hpm_event(uint64_t evt)
{
    const unsigned event = (unsigned)evt & EVENT_BITS;
    const bool has_gscid = event == 4 || event == 7 || event == 8;

    return event > 8 || ((evt & IDT) && !has_gscid) ? 0 : event;
}

/* The bits of DID_GSCID that are compared. */
static uint32_t compared(uint64_t evt)
{
    const uint32_t id = (uint32_t)(evt >> 36) & 0xffffff;

    /* id ^ (id + 1) has ones up to the lowest 0 of id. */
    return evt & DMASK ? ~(id ^ (id + 1)) & 0xffffff : 0xffffff;
}

bool cs_iommu_hpm_fits(uint64_t evt, const cs_iommu_hpm_ids *ids)
{
    const bool idt = (evt & IDT) != 0;
    const uint32_t process = idt ? ids->pscid : ids->pid, device = idt ? ids->gscid : ids->did;
    const bool has_process = idt ? ids->pscv : ids->pv, has_device = idt ? ids->gscv : true;

    if (cs_iommu_hpm_event(evt) == 0)
        return false;
    if ((evt & PV_PSCV) && !(has_process && process == ((uint32_t)(evt >> 16) & 0xfffff)))
        return false;
    return !(evt & DV_GSCV) ||
           (has_device && ((device ^ (uint32_t)(evt >> 36)) & compared(evt)) == 0);
}

/* ---- counters ---- */

uint32_t cs_iommu_hpm_existing(const cs_iommu_hpm *iommu)
{
    return UINT32_MAX >> (CS_IOMMU_HPM_MAX_COUNTERS - iommu->config.counters);
}

uint64_t cs_iommu_hpm_value_mask(const cs_iommu_hpm *iommu, unsigned n)
{
    const unsigned width = n == CYCLES && iommu->config.width == 64 ? 63 : iommu->config.width;

    return UINT64_MAX >> (64 - width);
}

static bool is_counting(const cs_iommu_hpm *iommu, unsigned n)
{
    if (iommu->inhibit >> n & 1)
        return false;
    return n == CYCLES || cs_iommu_hpm_event(iommu->counter[n].evt) != 0;
}

/* The largest sum of increments that does not wrap. */
static uint64_t room(const cs_iommu_hpm *iommu, unsigned n)
{
    return cs_iommu_hpm_value_mask(iommu, n) - iommu->counter[n].value;
}

static uint64_t sum(const cs_iommu_hpm *iommu, unsigned n, cs_cycle to)
{
    const iommu_counter *counter = &iommu->counter[n];

    return n == CYCLES ? to - counter->since
                       : iommu->env.sum(iommu->env.ctx, counter->evt, counter->since, to);
}

uint32_t cs_iommu_hpm_settle(cs_iommu_hpm *iommu, uint32_t mask, cs_cycle to)
{
    uint32_t wrapped = 0;

    for (unsigned n = 0; n <= iommu->config.counters; n++) {
        iommu_counter *counter = &iommu->counter[n];

        if (!(mask >> n & 1) || to <= counter->since)
            continue;
        if (is_counting(iommu, n)) {
            const uint64_t added = sum(iommu, n, to);

            if (added > room(iommu, n)) {
                iommu->pmip |= !counter->of;
                counter->of = true;
                wrapped |= 1u << n;
            }
            counter->value = (counter->value + added) & cs_iommu_hpm_value_mask(iommu, n);
        }
        counter->since = to;
    }
    return wrapped;
}

/* ---- the line ---- */

/* The first cycle with OF, if there is one below `limit`, else `limit`. By halves: of what fits
 * there are sums alone. */
static cs_cycle wrap_below(const cs_iommu_hpm *iommu, unsigned n, cs_cycle limit)
{
    const unsigned most = n == CYCLES ? 1 : CS_IOMMU_HPM_MAX_INCREMENT;
    cs_cycle none = iommu->counter[n].since; /* not yet */
    cs_cycle there = limit < LAST_CYCLE ? limit : LAST_CYCLE;

    if (there <= none || there - none <= room(iommu, n) / most ||
        sum(iommu, n, there) <= room(iommu, n))
        return limit;
    while (there - none > 1) {
        const cs_cycle middle = none + (there - none) / 2;

        if (sum(iommu, n, middle) > room(iommu, n))
            there = middle;
        else
            none = middle;
    }
    return there;
}

/* The first cycle in which pmip is 1, if there is one below `limit`, else `limit`; it is 0 now. */
static cs_cycle pmip_below(const cs_iommu_hpm *iommu, cs_cycle limit)
{
    for (unsigned n = 0; n <= iommu->config.counters; n++)
        if (is_counting(iommu, n) && !iommu->counter[n].of)
            limit = wrap_below(iommu, n, limit);
    return limit;
}

cs_cycle cs_iommu_hpm_advance(cs_iommu_hpm *iommu, cs_cycle to)
{
    if (to <= iommu->now)
        return iommu->now;
    /* `to` itself is executed below, so a wrap that shows there counts. */
    const cs_cycle shown = iommu->pmip ? to + 1 : pmip_below(iommu, to + 1);

    if (shown <= to) {
        iommu->now = shown;
        cs_iommu_hpm_settle(iommu, cs_iommu_hpm_existing(iommu), shown);
        cs_iommu_hpm_show_line(iommu, false);
    }
    iommu->now = to;
    return iommu->now;
}

cs_cycle cs_iommu_hpm_next(const cs_iommu_hpm *iommu)
{
    return iommu->pmip ? CS_NEVER : pmip_below(iommu, CS_NEVER);
}
