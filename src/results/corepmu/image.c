// SPDX-License-Identifier: Apache-2.0
#include "results/corepmu/image.h"

#include <countersink/regs/corepmu_regs.h>

#define CYCLES (UINT32_C(1) << 31)
#define HIGH_WORD (~(uint64_t)UINT32_MAX)

/* Bits below n; n up to 31. */
static uint32_t below(unsigned n)
{
    return (UINT32_C(1) << n) - 1;
}

cs_pmu_access cs_pmu_access_of(const cs_corepmu_spec *spec, bool system, const cs_probe_record *r)
{
    const bool ext64 = system || spec->ext64;
    const uint32_t stride =
        ext64 ? CS_COREPMU_EXT64_PMEVTYPER_STRIDE : CS_COREPMU_EXT32_PMEVTYPER_STRIDE;
    const uint32_t control = ext64 ? CS_COREPMU_EXT64_PMCR : CS_COREPMU_EXT32_PMCR;
    const uint64_t typed = r->addr - CS_COREPMU_EXT32_PMEVTYPER;
    const bool guest = system && r->index != 0;
    cs_pmu_access a = {.write = r->write, .wide = r->bytes == 8, .value = r->value};

    a.visible = CYCLES | below(guest && spec->hpmn < spec->counters ? spec->hpmn : spec->counters);
    if (r->addr < 8 * CS_IMAGE_COUNTERS) {
        a.what = CS_PMU_COUNTER;
        a.counter = (unsigned)(r->addr / 8);
        a.high = r->addr % 8 != 0;
    } else if (r->addr >= CS_COREPMU_EXT32_PMEVTYPER && typed < CS_IMAGE_COUNTERS * stride &&
               typed % stride == 0) {
        a.what = CS_PMU_TYPE;
        a.counter = (unsigned)(typed / stride);
    } else if (r->addr == CS_COREPMU_EXT32_PMCNTENSET) {
        a.what = CS_PMU_SET;
    } else if (r->addr == CS_COREPMU_EXT32_PMCNTENCLR) {
        a.what = CS_PMU_CLEAR;
    } else if (r->addr == CS_COREPMU_EXT32_PMOVSCLR) {
        a.what = CS_PMU_FLAGS;
    } else if (r->addr == control) {
        a.what = CS_PMU_CONTROL;
    }
    return a;
}

uint32_t cs_pmu_valued(const cs_pmu_access *a)
{
    uint32_t mask = 0;

    if (!a->write)
        return 0;
    if (a->what == CS_PMU_COUNTER)
        mask = UINT32_C(1) << a->counter;
    if (a->what == CS_PMU_CONTROL && (a->value & CS_COREPMU_EXT32_PMCR_P_MASK) != 0)
        mask |= ~CYCLES;
    if (a->what == CS_PMU_CONTROL && (a->value & CS_COREPMU_EXT32_PMCR_C_MASK) != 0)
        mask |= CYCLES;
    return mask & a->visible;
}

void cs_pmu_image_write(cs_pmu_image *image, const cs_pmu_access *a)
{
    const uint32_t bits = (uint32_t)a->value & a->visible;

    switch (a->what) {
    case CS_PMU_COUNTER:
        if ((a->visible >> a->counter & 1) == 0)
            return;
        if (a->wide)
            image->value[a->counter] = a->value;
        else if (a->high)
            image->value[a->counter] =
                (image->value[a->counter] & UINT32_MAX) | (a->value << 32 & HIGH_WORD);
        else
            image->value[a->counter] =
                (image->value[a->counter] & HIGH_WORD) | (a->value & UINT32_MAX);
        return;
    case CS_PMU_TYPE:
        if ((a->visible >> a->counter & 1) != 0)
            image->type[a->counter] = (uint32_t)a->value;
        return;
    case CS_PMU_SET:
        image->enabled |= bits;
        return;
    case CS_PMU_CLEAR:
        image->enabled &= ~bits;
        return;
    case CS_PMU_CONTROL:
        for (uint32_t rest = cs_pmu_valued(a); rest != 0; rest &= rest - 1)
            image->value[__builtin_ctz(rest)] = 0;
        image->pmcr = (uint32_t)a->value;
        return;
    case CS_PMU_FLAGS:
    case CS_PMU_OTHER:
        return;
    }
}

uint32_t cs_pmu_image_counting(const cs_pmu_image *image, const cs_corepmu_spec *spec, bool hpme)
{
    const uint32_t first = below(spec->hpmn < spec->counters ? spec->hpmn : spec->counters);
    uint32_t on = 0;

    if ((image->pmcr & CS_COREPMU_EXT32_PMCR_E_MASK) != 0)
        on |= first | CYCLES;
    if (hpme)
        on |= below(spec->counters) & ~first;
    return image->enabled & on;
}
