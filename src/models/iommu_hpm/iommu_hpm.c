// SPDX-License-Identifier: Apache-2.0
/* The monitor as an object, and its registers: docs/hw/iommu_hpm.md. */
#include <countersink/models/iommu_hpm/iommu_hpm.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/require.h"
#include "models/iommu_hpm/iommu_hpm_internal.h"

#define PLACE "iommu_hpm"

#define IPSR_OFFSET 0x054u
#define IOCOUNTOVF_OFFSET 0x058u
#define IOCOUNTINH_OFFSET 0x05cu
#define IOHPMCYCLES_OFFSET 0x060u /* the counters follow */
#define IOHPMEVT_OFFSET 0x160u    /* of counter 1 */

#define PMIP 4u
#define LAST_EVENT 8u

/* ---- the object ---- */

static cs_status check(const cs_iommu_hpm_config *config, const cs_iommu_hpm_env *env,
                       cs_diag *diag)
{
    if (config->counters < 1 || config->counters > CS_IOMMU_HPM_MAX_COUNTERS)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "counters is %u: must be 1..%u",
                           config->counters, CS_IOMMU_HPM_MAX_COUNTERS);
    if (config->width < 32 || config->width > 64)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "width is %u: must be 32..64", config->width);
    if (env == NULL || env->sum == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "env: sum must be set");
    return CS_OK;
}

cs_status cs_iommu_hpm_create(const cs_iommu_hpm_config *config, const cs_iommu_hpm_env *env,
                              cs_iommu_hpm **out, cs_diag *diag)
{
    const cs_status status = check(config, env, diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    cs_iommu_hpm *iommu = calloc(1, sizeof(*iommu));
    if (iommu == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, PLACE, "out of memory");
    iommu->config = *config;
    iommu->env = *env;
    *out = iommu;
    return CS_OK;
}

void cs_iommu_hpm_destroy(cs_iommu_hpm *iommu)
{
    free(iommu);
}

void cs_iommu_hpm_show_line(cs_iommu_hpm *iommu, bool was)
{
    if (iommu->pmip == was)
        return;
    const cs_probe_record record = {.cycle = iommu->now,
                                    .kind = CS_PROBE_IRQ,
                                    .source = iommu->config.unit,
                                    .value = iommu->pmip};
    cs_probe_emit(iommu->env.probe, &record);
}

void cs_iommu_hpm_reset(cs_iommu_hpm *iommu, cs_cycle now)
{
    CS_REQUIRE(now >= iommu->now,
               PLACE ": a reset in cycle %" PRIu64 ": must be in %" PRIu64 " or later", now,
               iommu->now);
    if (now > iommu->now)
        cs_iommu_hpm_advance(iommu, now - 1); /* what would be seen first in `now` is not */
    const bool was = iommu->pmip;

    iommu->now = now;
    iommu->free = now;
    iommu->inhibit = 0;
    iommu->pmip = false;
    for (unsigned n = 0; n <= CS_IOMMU_HPM_MAX_COUNTERS; n++)
        iommu->counter[n] = (iommu_counter){.since = now};
    cs_iommu_hpm_show_line(iommu, was);
}

cs_cycle cs_iommu_hpm_now(const cs_iommu_hpm *iommu)
{
    return iommu->now;
}

bool cs_iommu_hpm_irq(const cs_iommu_hpm *iommu)
{
    return iommu->pmip;
}

/* ---- registers ---- */

typedef enum reg { NOTHING, IPSR, IOCOUNTOVF, IOCOUNTINH, COUNTER, IOHPMEVT } reg;

/* The register at an offset that is not refused; *n is its counter. */
static reg find(const cs_iommu_hpm *iommu, uint32_t offset, unsigned *n)
{
    const unsigned counters = iommu->config.counters;

    *n = 0;
    switch (offset) {
    case IPSR_OFFSET:
        return IPSR;
    case IOCOUNTOVF_OFFSET:
        return IOCOUNTOVF;
    case IOCOUNTINH_OFFSET:
        return IOCOUNTINH;
    default:
        break;
    }
    if (offset >= IOHPMEVT_OFFSET && offset < IOHPMEVT_OFFSET + 8 * counters) {
        *n = 1 + (offset - IOHPMEVT_OFFSET) / 8;
        return IOHPMEVT;
    }
    if (offset >= IOHPMCYCLES_OFFSET && offset < IOHPMCYCLES_OFFSET + 8 * (1 + counters)) {
        *n = (offset - IOHPMCYCLES_OFFSET) / 8;
        return COUNTER;
    }
    return NOTHING;
}

/* Registers of 4 bytes are not accessed by 8. */
static bool is_refused(uint32_t offset, bool wide)
{
    if (offset % (wide ? 8 : 4) != 0)
        return true;
    return wide && (offset == IPSR_OFFSET / 8 * 8 || offset == IOCOUNTOVF_OFFSET);
}

/* Where bit 0 of an access is in its register. */
static unsigned shift_of(reg which, uint32_t offset)
{
    return (which == COUNTER || which == IOHPMEVT) && offset % 8 != 0 ? 32 : 0;
}

static uint32_t overflowed(const cs_iommu_hpm *iommu)
{
    uint32_t bits = 0;

    for (unsigned n = 0; n <= iommu->config.counters; n++)
        bits |= (uint32_t)iommu->counter[n].of << n;
    return bits;
}

/* The register in cycle `now`, of counters that are up to date. */
static uint64_t value_of(const cs_iommu_hpm *iommu, reg which, unsigned n)
{
    const iommu_counter *counter = &iommu->counter[n];

    switch (which) {
    case IPSR:
        return iommu->pmip ? PMIP : 0;
    case IOCOUNTOVF:
        return overflowed(iommu);
    case IOCOUNTINH:
        return iommu->inhibit;
    case COUNTER:
        return counter->value | (n == CYCLES && counter->of ? OF : 0);
    case IOHPMEVT:
        return counter->evt | (counter->of ? OF : 0);
    default:
        return 0;
    }
}

static void begin(cs_iommu_hpm *iommu, cs_cycle cycle)
{
    CS_REQUIRE(cycle >= iommu->now && cycle >= iommu->free,
               PLACE ": an access in cycle %" PRIu64 ": must be in %" PRIu64 " or later", cycle,
               iommu->now > iommu->free ? iommu->now : iommu->free);
    cs_iommu_hpm_advance(iommu, cycle);
    iommu->free = cycle + 1;
}

cs_bus_resp cs_iommu_hpm_read(cs_iommu_hpm *iommu, cs_cycle cycle, uint32_t offset, bool wide,
                              uint64_t *data)
{
    unsigned n;

    begin(iommu, cycle);
    *data = 0;
    if (is_refused(offset, wide))
        return CS_BUS_SLVERR;
    const reg which = find(iommu, offset, &n);
    const uint32_t asked = which == COUNTER || which == IOHPMEVT ? 1u << n
                           : which == IOCOUNTOVF                 ? cs_iommu_hpm_existing(iommu)
                                                                 : 0;

    cs_iommu_hpm_settle(iommu, asked, iommu->now);
    *data = value_of(iommu, which, n) >> shift_of(which, offset);
    if (!wide)
        *data = (uint32_t)*data;
    return CS_BUS_OKAY;
}

/* The copy has no line: nobody hears of it. */
cs_bus_resp cs_iommu_hpm_ask(const cs_iommu_hpm *iommu, uint32_t offset, bool wide, uint64_t *data)
{
    cs_iommu_hpm copy = *iommu;

    copy.free = copy.now;
    return cs_iommu_hpm_read(&copy, copy.now, offset, wide, data);
}

static void set_evt(iommu_counter *counter, uint64_t evt)
{
    const uint64_t event = evt & 0x7fff;

    counter->evt = (event > LAST_EVENT ? evt - event : evt) & ~OF;
    counter->of = (evt & OF) != 0;
}

static void set_counter(cs_iommu_hpm *iommu, unsigned n, uint64_t value)
{
    iommu->counter[n].value = value & cs_iommu_hpm_value_mask(iommu, n);
    iommu->counter[n].since = iommu->now + 1; /* the increment of this cycle is dropped */
    if (n == CYCLES)
        iommu->counter[n].of = (value & OF) != 0;
}

/* A write to `bits` of a register ("Writes against counting"). */
static void write_register(cs_iommu_hpm *iommu, reg which, unsigned n, uint64_t bits, uint64_t data)
{
    const uint32_t all = cs_iommu_hpm_existing(iommu);
    const bool was = iommu->pmip;

    /* 1. The cycles before. */
    cs_iommu_hpm_settle(iommu, all, iommu->now);
    const uint64_t merged = (value_of(iommu, which, n) & ~bits) | data;
    const uint32_t counted = which == COUNTER ? all & ~(1u << n) : all;

    /* 2. This cycle, under what was there; a wrap wins over a write that clears pmip. */
    if (which == IPSR && (data & PMIP))
        iommu->pmip = false;
    const uint32_t wrapped = cs_iommu_hpm_settle(iommu, counted, iommu->now + 1);

    /* 3. What is written. */
    if (which == IOCOUNTINH)
        iommu->inhibit = (uint32_t)merged & all;
    else if (which == COUNTER)
        set_counter(iommu, n, merged);
    else if (which == IOHPMEVT)
        set_evt(&iommu->counter[n], merged | (wrapped >> n & 1 ? OF : 0));
    iommu->now++;
    cs_iommu_hpm_show_line(iommu, was);
}

cs_bus_resp cs_iommu_hpm_write(cs_iommu_hpm *iommu, cs_cycle cycle, uint32_t offset, bool wide,
                               uint64_t data)
{
    const bool refused = is_refused(offset, wide);
    unsigned n = 0;

    begin(iommu, cycle);
    const reg which = refused ? NOTHING : find(iommu, offset, &n);
    const unsigned shift = shift_of(which, offset);
    const uint64_t bits = wide ? UINT64_MAX : (uint64_t)UINT32_MAX << shift;

    write_register(iommu, which, n, bits, (wide ? data : (uint32_t)data) << shift);
    return refused ? CS_BUS_SLVERR : CS_BUS_OKAY;
}
