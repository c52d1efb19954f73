// SPDX-License-Identifier: Apache-2.0
/* Counters by their CSRs, and the legacy kind, which has nothing else. */
#include <errno.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

#define HIGH (CSR_CYCLEH - CSR_CYCLE) /* from a counter to its high half */

uint64_t cs_riscv_read_csr(const cs_riscv_pmu *pmu, cs_hart *hart, unsigned csr)
{
    const uint16_t low_csr = (uint16_t)csr;
    const uint16_t high_csr = (uint16_t)(csr + HIGH);
    const unsigned shift = has_bug(pmu, CS_RISCV_BUG_RV32_SHIFT) ? 31 : 32;
    uint64_t low, high, before;

    if (cs_hart_xlen(hart) == 64)
        return cs_hart_csr_read(hart, low_csr);
    if (has_bug(pmu, CS_RISCV_BUG_TORN_READ)) {
        low = cs_hart_csr_read(hart, low_csr);
        high = cs_hart_csr_read(hart, high_csr);
        return high << shift | low;
    }
    high = cs_hart_csr_read(hart, high_csr);
    do {
        before = high;
        low = cs_hart_csr_read(hart, low_csr);
        high = cs_hart_csr_read(hart, high_csr);
    } while (high != before);
    return high << shift | low;
}

bool cs_riscv_by_csr(const cs_riscv_pmu *pmu, uint64_t overflow, unsigned i)
{
    return overflow >> (pmu->counters[i].csr - CSR_CYCLE) & 1;
}

/* ---- legacy ---- */

static int pmu_counter_map(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                           uint64_t *data)
{
    (void)pmu;
    (void)data;
    if (attr->type != CS_RISCV_PERF_HARDWARE || attr->config > EVENT_INSTRUCTIONS - EVENT_CYCLES)
        return -EOPNOTSUPP;
    *event_idx = EVENT_CYCLES + (uint32_t)attr->config;
    return 0;
}

static int find_counters(cs_riscv_pmu *pmu, cs_hart *hart)
{
    static const unsigned fixed[] = {COUNTER_CYCLE, COUNTER_INSTRET};

    (void)hart;
    for (unsigned i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        cs_riscv_found(pmu, fixed[i],
                       (counter){.csr = (uint16_t)(CSR_CYCLE + fixed[i]), .width = 63});
    return 0;
}

static int get_index(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    (void)pmu;
    (void)hart;
    return event->event_idx == EVENT_CYCLES ? COUNTER_CYCLE : COUNTER_INSTRET;
}

static uint64_t pmu_counter_read(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    return cs_riscv_read_csr(pmu, hart, pmu->counters[event->index].csr);
}

const kind_ops cs_riscv_legacy_ops = {
    .map = pmu_counter_map,
    .find_counters = find_counters,
    .get_index = get_index,
    .read = pmu_counter_read,
};
