// SPDX-License-Identifier: Apache-2.0
/* The snapshot page: slots are relative to the base of the call that writes or reads them. */
#include "drivers/hpm/kernel/riscv_pmu_impl.h"

static uint64_t pmu_snapshot_slot(const cs_riscv_pmu *pmu, unsigned i)
{
    return pmu->config.snapshot_address + CS_SBI_SNAPSHOT_VALUES + 8u * (uint64_t)i;
}

static bool pmu_snapshot_in(uint64_t set, unsigned i)
{
    return set >> i & 1;
}

void cs_riscv_snapshot_set(cs_riscv_pmu *pmu, cs_hart *hart, bool on)
{
    const bool rv32 = cs_hart_xlen(hart) == 32;
    const uint64_t none = rv32 ? 0xffffffffu : ~(uint64_t)0;
    const uint64_t address = pmu->config.snapshot_address;
    const uint64_t args[6] = {on ? address & none : none, on ? (rv32 ? address >> 32 : 0) : none,
                              0};
    const cs_sbi_ret ret =
        cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_SNAPSHOT_SET_SHMEM, args);

    pmu->snapshot = on && ret.error == CS_SBI_SUCCESS;
}

/* The marks that a STOP left, taken out of the page. */
static uint64_t take_marks(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const uint64_t marks = cs_riscv_load64(pmu, hart, pmu->config.snapshot_address);

    if (marks != 0 && !has_bug(pmu, CS_RISCV_BUG_STALE_OVERFLOW))
        cs_riscv_store64(pmu, hart, pmu->config.snapshot_address, 0);
    return marks;
}

void cs_riscv_snapshot_stopped(cs_riscv_pmu *pmu, cs_hart *hart, unsigned i)
{
    if (i > 0) {
        cs_riscv_store64(pmu, hart, pmu_snapshot_slot(pmu, i),
                         cs_riscv_load64(pmu, hart, pmu_snapshot_slot(pmu, 0)));
        cs_riscv_store64(pmu, hart, pmu_snapshot_slot(pmu, 0), 0);
    }
    if (!has_bug(pmu, CS_RISCV_BUG_STALE_OVERFLOW))
        take_marks(pmu, hart);
}

uint64_t cs_riscv_snapshot_value(cs_riscv_pmu *pmu, cs_hart *hart, unsigned i)
{
    return cs_riscv_load64(pmu, hart, pmu_snapshot_slot(pmu, i));
}

/* ---- the handler's ---- */

/* Of word w: what its STOP left, into the driver's own memory, before the next one comes. */
static uint64_t stop_word(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set, unsigned w)
{
    const unsigned base = w * cs_hart_xlen(hart);
    const uint64_t args[6] = {base, cs_riscv_word(hart, set, w), CS_SBI_STOP_TAKE_SNAPSHOT};
    const cs_sbi_ret ret = cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_STOP, args);

    if (args[1] != 0)
        cs_riscv_note(pmu, ret);
    if (!cs_riscv_has_stopped(ret))
        return 0;
    for (unsigned i = 0; i < cs_hart_xlen(hart); i++)
        if (pmu_snapshot_in(args[1], i))
            pmu->slots[base + i] = cs_riscv_load64(pmu, hart, pmu_snapshot_slot(pmu, i));
    return take_marks(pmu, hart) << base;
}

uint64_t cs_riscv_snapshot_stop_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set)
{
    const unsigned words = cs_riscv_words(hart);
    uint64_t marks = 0;

    for (unsigned w = 0; w < words; w++)
        marks |= stop_word(pmu, hart, set, w);
    for (unsigned i = 0; words > 1 && i < CS_RISCV_MAX_COUNTERS; i++)
        if (pmu_snapshot_in(set, i))
            cs_riscv_store64(pmu, hart, pmu_snapshot_slot(pmu, i), pmu->slots[i]);
    if (marks != 0 && has_bug(pmu, CS_RISCV_BUG_STALE_OVERFLOW))
        cs_riscv_store64(pmu, hart, pmu->config.snapshot_address, marks);
    return marks;
}

void cs_riscv_snapshot_start_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t same, uint64_t anew)
{
    const unsigned xlen = cs_hart_xlen(hart);
    const bool lost_base = has_bug(pmu, CS_RISCV_BUG_SNAPSHOT_BASE);

    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        if (pmu_snapshot_in(anew, i))
            pmu->slots[i] = cs_riscv_start_value(pmu, pmu->events[i]);
    for (unsigned w = 0; w < cs_riscv_words(hart); w++) {
        const unsigned base = w * xlen;
        const uint64_t args[6] = {lost_base ? xlen * xlen : base,
                                  cs_riscv_word(hart, same | anew, w), CS_SBI_START_INIT_SNAPSHOT};
        cs_sbi_ret ret;

        for (unsigned i = 0; i < xlen; i++)
            if (pmu_snapshot_in(args[1], i))
                cs_riscv_store64(pmu, hart, pmu_snapshot_slot(pmu, i), pmu->slots[base + i]);
        ret = cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_START, args);
        if (args[1] != 0)
            cs_riscv_note(pmu, ret);
    }
}
