// SPDX-License-Identifier: Apache-2.0
/* LCOFIP, LCOFIE and where they go: docs/hw/hpm.md, section 9. */
#include <stddef.h>

#include "models/hpm/hpm_internal.h"

static bool *mip(cs_hpm_lcofi *l)
{
    return &l->mip;
}

static bool *mie(cs_hpm_lcofi *l)
{
    return &l->mie;
}

static bool *mideleg(cs_hpm_lcofi *l)
{
    return &l->mideleg;
}

static bool *sip(cs_hpm_lcofi *l)
{
    if (l->mideleg)
        return &l->mip;
    return l->mvien ? &l->mvip : NULL;
}

static bool *sie(cs_hpm_lcofi *l)
{
    if (l->mideleg)
        return &l->mie;
    return l->mvien ? &l->sie_v : NULL;
}

static bool *hideleg(cs_hpm_lcofi *l)
{
    if (l->aia && !l->mideleg && !l->mvien)
        return NULL;
    return &l->hideleg;
}

static bool is_set(const bool *bit)
{
    return bit != NULL && *bit;
}

static bool *vsip(cs_hpm_lcofi *l)
{
    if (is_set(hideleg(l)))
        return sip(l);
    return l->hvien ? &l->hvip : NULL;
}

static bool *vsie(cs_hpm_lcofi *l)
{
    if (is_set(hideleg(l)))
        return sie(l);
    return l->hvien ? &l->vsie_v : NULL;
}

static bool *mvien(cs_hpm_lcofi *l)
{
    return &l->mvien;
}

static bool *mvip(cs_hpm_lcofi *l)
{
    return &l->mvip;
}

static bool *hvien(cs_hpm_lcofi *l)
{
    return &l->hvien;
}

/* The register itself is there with H; its bit needs AIA. */
static bool *hvip(cs_hpm_lcofi *l)
{
    return l->aia ? &l->hvip : NULL;
}

static bool *(*const bits[])(cs_hpm_lcofi *l) = {
    [CS_HPM_MIP] = mip,   [CS_HPM_MIE] = mie,     [CS_HPM_MIDELEG] = mideleg,
    [CS_HPM_SIP] = sip,   [CS_HPM_SIE] = sie,     [CS_HPM_HIDELEG] = hideleg,
    [CS_HPM_VSIP] = vsip, [CS_HPM_VSIE] = vsie,   [CS_HPM_MVIEN] = mvien,
    [CS_HPM_MVIP] = mvip, [CS_HPM_HVIEN] = hvien, [CS_HPM_HVIP] = hvip,
};

bool *cs_hpm_bit(cs_hpm_lcofi *lcofi, cs_hpm_bit13 which)
{
    return bits[which](lcofi);
}

unsigned cs_hpm_levels(cs_hpm_lcofi lcofi)
{
    const bool to_m = lcofi.mip && lcofi.mie && !lcofi.mideleg;
    const bool to_s = is_set(sip(&lcofi)) && is_set(sie(&lcofi)) && !is_set(hideleg(&lcofi));
    const bool to_vs = is_set(vsip(&lcofi)) && is_set(vsie(&lcofi));

    return (unsigned)to_m | (unsigned)to_s << 1 | (unsigned)to_vs << 2;
}

void cs_hpm_show_lines(cs_hpm *hpm, cs_cycle cycle)
{
    const unsigned levels = cs_hpm_levels(hpm->lcofi);
    const unsigned changed = hpm->lines ^ levels;

    for (unsigned line = 0; line < 3; line++) {
        if (!(changed >> line & 1))
            continue;
        const cs_probe_record record = {.cycle = cycle,
                                        .kind = CS_PROBE_IRQ,
                                        .source = hpm->config.unit,
                                        .index = (uint16_t)line,
                                        .value = levels >> line & 1};
        cs_probe_emit(hpm->probe, &record);
    }
    hpm->lines = levels;
}
