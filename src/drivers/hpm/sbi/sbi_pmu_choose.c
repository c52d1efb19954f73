// SPDX-License-Identifier: Apache-2.0
/* CONFIG_MATCHING: which counter it is to be. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

uint64_t cs_sbi_filters_of(uint32_t flags)
{
    static const struct {
        uint32_t flag;
        unsigned bit; /* of mhpmevent, mcyclecfg, minstretcfg */
    } filters[] = {
        {CS_SBI_CFG_SET_MINH, 62},  {CS_SBI_CFG_SET_SINH, 61},  {CS_SBI_CFG_SET_UINH, 60},
        {CS_SBI_CFG_SET_VSINH, 59}, {CS_SBI_CFG_SET_VUINH, 58},
    };
    uint64_t bits = 0;

    for (unsigned i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if ((flags & filters[i].flag) != 0)
            bits |= UINT64_C(1) << filters[i].bit;
    return bits;
}

/* ---- firmware's ---- */

static bool is_free_firmware(cs_sbi_pmu *fw, uint64_t index)
{
    return cs_sbi_deviates(fw, CS_SBI_DEV_MAPPED_TAKEN) ? !cs_sbi_is_configured(fw, index)
                                                        : !cs_sbi_cell_of(fw, index)->started;
}

/* Where a release counts without the base, an index below the firmware counters has it write
 * outside its tables: here there is none then. */
uint64_t cs_sbi_choose_firmware(cs_sbi_pmu *fw, const cs_sbi_request *r)
{
    for (uint64_t left = r->set.mask; left != 0; left &= left - 1) {
        const unsigned slot = cs_sbi_first(left);
        const uint64_t index = cs_sbi_index(fw, r->set, slot);
        const uint64_t taken = cs_sbi_deviates(fw, CS_SBI_DEV_FW_RELATIVE) ? slot : index;

        if (!cs_sbi_is_firmware(fw, index) || taken >= fw->nr_counters)
            continue;
        if (is_free_firmware(fw, taken))
            return cs_sbi_is_firmware(fw, taken) ? taken : CS_SBI_NO_COUNTER;
    }
    return CS_SBI_NO_COUNTER;
}

/* ---- hardware's ---- */

static uint32_t with_events(const cs_sbi_pmu *fw)
{
    uint32_t mapped = 0;

    for (unsigned n = 0; n < fw->nr_hardware; n++)
        if (fw->counters[n].event_idx != CS_SBI_NO_EVENT)
            mapped |= 1u << n;
    return mapped;
}

/* The counter that has only this event; CS_SBI_NO_COUNTER: the event has none. */
static uint64_t fixed_of(uint64_t event_idx)
{
    switch (event_idx) {
    case CS_SBI_CPU_CYCLES:
        return 0;
    case CS_SBI_INSTRUCTIONS:
        return 2;
    default:
        return CS_SBI_NO_COUNTER;
    }
}

/* Where some counters can filter, one that cannot is no match for a request with filters. */
static bool fixed_will_do(const cs_sbi_pmu *fw, uint32_t flags)
{
    return cs_sbi_filters_of(flags) == 0 || !fw->config.sscofpmf || fw->config.smcntrpmf ||
           cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_UNFILTERED);
}

static uint64_t one_of(const cs_sbi_pmu *fw, uint32_t counters)
{
    if (counters == 0)
        return CS_SBI_NO_COUNTER;
    return cs_sbi_deviates(fw, CS_SBI_DEV_HIGHEST_FIRST) ? 31u - (unsigned)__builtin_clz(counters)
                                                         : cs_sbi_first(counters);
}

/* One row after the other (rows_in_order). */
typedef struct walk {
    const cs_sbi_pmu *fw;
    uint32_t free;
    uint64_t mask;
    uint64_t begin; /* of the set, and of the search */
    uint64_t found;
} walk;

/* The next row's search begins where this one ended, and shifts the set's mask so far. */
static void sbi_choose_look(walk *w, uint32_t counters)
{
    uint64_t found;

    if (w->begin >= CS_SBI_HARDWARE)
        return;
    counters &= w->free & (uint32_t)(w->mask << w->begin) & (uint32_t)(UINT32_MAX << w->begin);
    found = one_of(w->fw, counters);
    w->begin = found;
    if (found == CS_SBI_NO_COUNTER)
        return;
    w->found = found;
    if (cs_sbi_deviates(w->fw, CS_SBI_DEV_HIGHEST_FIRST))
        w->begin = CS_SBI_HARDWARE; /* it has looked at all of them */
}

static uint64_t walk_rows(const cs_sbi_pmu *fw, const cs_sbi_request *r, uint32_t free)
{
    const cs_riscv_pmu_map *map = &fw->map;
    walk w = {fw, free, r->set.mask, r->set.base, CS_SBI_NO_COUNTER};

    if (r->kind != CS_SBI_KIND_RAW)
        for (size_t i = 0; i < map->nr_ranges; i++)
            if (map->ranges[i].first <= r->event_idx && r->event_idx <= map->ranges[i].last)
                sbi_choose_look(&w, map->ranges[i].counters);
    if (r->kind == CS_SBI_KIND_RAW && r->event_idx >> CS_SBI_IDX_BITS == 0)
        for (size_t i = 0; i < map->nr_raws; i++)
            if ((r->data & map->raws[i].mask) == map->raws[i].match)
                sbi_choose_look(&w, map->raws[i].counters);
    return w.found;
}

static uint64_t sbi_choose_programmable(const cs_sbi_pmu *fw, const cs_sbi_request *r,
                                        uint32_t stands)
{
    const uint32_t there = fw->there & CS_RISCV_PMU_HPMCOUNTERS;

    if (cs_sbi_deviates(fw, CS_SBI_DEV_ROWS_IN_ORDER))
        return walk_rows(fw, r, stands & there);
    return one_of(fw, cs_sbi_event_counters(fw, r->event_idx, r->data) & there & stands &
                          cs_sbi_set_hardware(fw, r->set));
}

/* mcycle, minstret. */
static uint64_t sbi_choose_fixed(const cs_sbi_pmu *fw, const cs_sbi_request *r, uint32_t stands)
{
    const uint64_t n = fixed_of(r->event_idx);

    if (n == CS_SBI_NO_COUNTER || !fixed_will_do(fw, r->flags))
        return CS_SBI_NO_COUNTER;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_FROM_OUTSIDE))
        return n;
    return (stands & cs_sbi_set_hardware(fw, r->set)) >> n & 1 ? n : CS_SBI_NO_COUNTER;
}

static bool selects_nothing(const cs_sbi_pmu *fw, const cs_sbi_request *r)
{
    /* Before it is cut to the bits that mhpmevent has for it. */
    if (r->kind == CS_SBI_KIND_RAW && cs_sbi_deviates(fw, CS_SBI_DEV_ROWS_IN_ORDER))
        return r->data == 0;
    return cs_sbi_event_select(fw, r->event_idx, r->data) == 0;
}

uint64_t cs_sbi_choose_hardware(const cs_sbi_pmu *fw, cs_hart *hart, const cs_sbi_request *r)
{
    const bool outside = cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_FROM_OUTSIDE);
    const uint64_t own = fixed_of(r->event_idx);
    uint32_t stands;
    uint64_t index, other;

    if (own != CS_SBI_NO_COUNTER && cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_ALWAYS))
        return own;
    if (outside && r->base >= fw->nr_hardware)
        return CS_SBI_NO_COUNTER;
    if (outside && own != CS_SBI_NO_COUNTER && !fw->config.sscofpmf)
        return own;
    stands = (uint32_t)cs_hart_csr_read(hart, CS_CSR_MCOUNTINHIBIT);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_MAPPED_TAKEN))
        stands &= ~with_events(fw);
    index = sbi_choose_programmable(fw, r, stands);
    other = sbi_choose_fixed(fw, r, stands);
    /* With Sscofpmf one that can overflow is better. */
    if (other != CS_SBI_NO_COUNTER && (index == CS_SBI_NO_COUNTER || !fw->config.sscofpmf))
        return other;
    return index != CS_SBI_NO_COUNTER && selects_nothing(fw, r) ? CS_SBI_NO_COUNTER : index;
}
