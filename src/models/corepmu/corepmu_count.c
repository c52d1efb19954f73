// SPDX-License-Identifier: Apache-2.0
/* What counts, and how much: docs/hw/corepmu.md, "Counting". Fields are the same in both
 * maps, so the names of one serve. */
#include "models/corepmu/corepmu_internal.h"
#include <countersink/regs/corepmu_regs.h>

static uint32_t bit(uint32_t value, unsigned shift)
{
    return value >> shift & 1;
}

/* In the order of the modes: a mode passes when its two filter bits are equal; EL2 has
 * one bit, NSH, and passes when it is 1. */
uint32_t cs_corepmu_filter_modes(uint32_t filter)
{
    const uint32_t m = bit(filter, CS_COREPMU_EXT32_PMEVTYPER_M_SHIFT);
    const uint32_t nsh = bit(filter, CS_COREPMU_EXT32_PMEVTYPER_NSH_SHIFT);
    const uint32_t nsu = bit(filter, CS_COREPMU_EXT32_PMEVTYPER_NSU_SHIFT);
    const uint32_t nsk = bit(filter, CS_COREPMU_EXT32_PMEVTYPER_NSK_SHIFT);
    const uint32_t u = bit(filter, CS_COREPMU_EXT32_PMEVTYPER_U_SHIFT);
    const uint32_t p = bit(filter, CS_COREPMU_EXT32_PMEVTYPER_P_SHIFT);

    return (uint32_t)(u == nsu) << CS_MODE_EL0 | (uint32_t)(p == nsk) << CS_MODE_EL1 |
           nsh << CS_MODE_EL2 | (uint32_t)(m == p) << CS_MODE_EL3;
}

uint32_t cs_corepmu_counted_modes(const cs_corepmu_config *config, unsigned n, uint32_t filter,
                                  uint32_t pmcr)
{
    const bool cycles = n == CS_COREPMU_CYCLE_COUNTER;
    uint32_t prohibited = 0;

    if (!config->spme)
        prohibited |= CS_MODE_MASK(CS_MODE_EL3);
    if (config->hpmd && (cycles || n < config->hpmn))
        prohibited |= CS_MODE_MASK(CS_MODE_EL2);
    if (cycles && !(pmcr & CS_COREPMU_EXT32_PMCR_DP_MASK))
        prohibited = 0;
    return cs_corepmu_filter_modes(filter) & ~prohibited;
}

uint32_t cs_corepmu_event_of(const cs_corepmu *pmu, unsigned n)
{
    if (n == CS_COREPMU_CYCLE_COUNTER)
        return CS_COREPMU_EVENT_CLOCK;
    return pmu->counter[n].type & CS_COREPMU_EXT32_PMEVTYPER_EVT_MASK;
}

uint32_t cs_corepmu_long(const cs_corepmu *pmu)
{
    uint32_t mask = pmu->event_mask & ~pmu->first_range;

    if (pmu->pmcr & CS_COREPMU_EXT32_PMCR_LP_MASK)
        mask |= pmu->first_range;
    if (pmu->pmcr & CS_COREPMU_EXT32_PMCR_LC_MASK)
        mask |= CS_COREPMU_CYCLE_BIT;
    return mask;
}

/* Whether adding `sum` to `value`, in steps of any size, carries out of the bit. */
static bool carries(uint64_t value, uint64_t sum, bool from_bit_63)
{
    if (from_bit_63)
        return sum > UINT64_MAX - value;
    return sum > UINT32_MAX - (value & UINT32_MAX);
}

static void settle_one(cs_corepmu *pmu, unsigned n, cs_cycle to)
{
    cs_corepmu_counter *counter = &pmu->counter[n];

    if (to <= counter->since)
        return;
    uint64_t sum = pmu->events.sum(pmu->events.ctx, cs_corepmu_event_of(pmu, n), counter->modes,
                                   counter->since, to);
    if (carries(counter->value, sum, cs_corepmu_long(pmu) >> n & 1))
        pmu->overflow |= 1u << n;
    counter->value += sum;
    counter->since = to;
}

/* Counters that were started together are summed together. */
static void prepare(cs_corepmu *pmu, uint32_t mask, cs_cycle to)
{
    const cs_corepmu_counter *first = &pmu->counter[__builtin_ctz(mask)];
    uint32_t events[CS_COREPMU_SLOTS];
    unsigned count = 0;

    for (; mask != 0; mask &= mask - 1) {
        const unsigned n = (unsigned)__builtin_ctz(mask);
        const cs_corepmu_counter *counter = &pmu->counter[n];

        if (counter->since == first->since && counter->modes == first->modes)
            events[count++] = cs_corepmu_event_of(pmu, n);
    }
    cs_events_prepare(&pmu->events, events, count, first->modes, first->since, to);
}

void cs_corepmu_settle(cs_corepmu *pmu, uint32_t mask, cs_cycle to)
{
    mask &= pmu->counting;
    if ((mask & (mask - 1)) != 0)
        prepare(pmu, mask, to);
    for (; mask != 0; mask &= mask - 1)
        settle_one(pmu, (unsigned)__builtin_ctz(mask), to);
}

uint32_t cs_corepmu_on(const cs_corepmu *pmu)
{
    uint32_t on = 0;

    if (pmu->pmcr & CS_COREPMU_EXT32_PMCR_E_MASK)
        on |= pmu->first_range | CS_COREPMU_CYCLE_BIT;
    if (pmu->config.hpme)
        on |= pmu->event_mask & ~pmu->first_range;
    return on;
}

void cs_corepmu_recount(cs_corepmu *pmu, cs_cycle from)
{
    uint32_t before = pmu->counting;

    pmu->counting = 0;
    for (uint32_t rest = pmu->enabled & cs_corepmu_on(pmu); rest != 0; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctz(rest);

        if (pmu->counter[n].modes == 0)
            continue;
        pmu->counting |= 1u << n;
        if (!(before >> n & 1))
            pmu->counter[n].since = from;
    }
}

void cs_corepmu_set_counter(cs_corepmu *pmu, unsigned n, uint64_t value, cs_cycle from)
{
    pmu->counter[n].value = value;
    pmu->counter[n].since = from;
}

void cs_corepmu_set_type(cs_corepmu *pmu, unsigned n, uint32_t type)
{
    pmu->counter[n].type = type;
    pmu->counter[n].modes = cs_corepmu_counted_modes(&pmu->config, n, type, pmu->pmcr);
}
