// SPDX-License-Identifier: Apache-2.0
/* Smcdeleg by the driver as it was posted for Linux, v7 of June 2026 (docs/drivers/riscv_driver.md, "As it
 * was posted"): what it does otherwise than riscv_pmu_delegated.c. */
#include <errno.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

#define FIXED ((1u << COUNTER_CYCLE) | (1u << COUNTER_INSTRET))
#define RAW_BITS (bit(56) - 1)

/* ---- accesses: all but the counters' own are read, then written ---- */

static void pmu_posted_inhibit(cs_hart *hart, uint64_t set, bool on)
{
    const uint64_t old = cs_hart_csr_read(hart, CSR_SCOUNTINHIBIT);

    cs_hart_csr_write(hart, CSR_SCOUNTINHIBIT, on ? old | set : old & ~set);
}

/* What is read back of all ones; the old value is written again. */
static uint64_t all_ones(cs_hart *hart, unsigned i, uint16_t csr)
{
    uint64_t old, value;

    cs_riscv_deleg_select(hart, i);
    old = cs_hart_csr_read(hart, csr);
    cs_hart_csr_write(hart, csr, ~(uint64_t)0);
    value = cs_hart_csr_read(hart, csr);
    cs_hart_csr_write(hart, csr, old);
    return value;
}

static uint8_t pmu_posted_highest(uint64_t value)
{
    uint8_t at = 0;

    for (value >>= 1; value != 0; value >>= 1)
        at++;
    return at;
}

static uint8_t find_width(cs_hart *hart, unsigned i)
{
    const bool rv32 = cs_hart_xlen(hart) == 32;
    const uint64_t low = all_ones(hart, i, CSR_SIREG);
    uint64_t high;

    if (low == 0 || !rv32)
        return pmu_posted_highest(low);
    high = all_ones(hart, i, CSR_SIREG4);
    return (uint8_t)(high != 0 ? 32 + pmu_posted_highest(high) : pmu_posted_highest(low));
}

/* Counters go on as they were until all are stopped. */
static int find_counters(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const cs_hpm_result was = cs_hart_csr(hart, CSR_SCOUNTINHIBIT, CS_HPM_OP_READ, 0);
    uint64_t set;

    if (was.exception != CS_HPM_EXCEPTION_NONE)
        return -ENODEV;
    cs_hart_csr_write(hart, CSR_SCOUNTINHIBIT, 0xffffffffu);
    set = cs_hart_csr_read(hart, CSR_SCOUNTINHIBIT);
    cs_hart_csr_write(hart, CSR_SCOUNTINHIBIT, was.value);
    if (set == 0)
        return -ENODEV;
    for (unsigned i = 0; i < CS_RISCV_HARDWARE_COUNTERS; i++)
        if (set >> i & 1)
            cs_riscv_found(pmu, i,
                           (counter){.csr = (uint16_t)(CSR_CYCLE + i),
                                     .width = FIXED >> i & 1 ? 63 : find_width(hart, i)});
    return cs_riscv_sbi_find(pmu, hart, false);
}

static uint64_t pmu_posted_hardware(const cs_riscv_pmu *pmu)
{
    return pmu->present & ~cs_riscv_deleg_firmware_set(pmu);
}

/* The firmware's counters keep their events. */
static void stop_all(cs_riscv_pmu *pmu, cs_hart *hart)
{
    pmu_posted_inhibit(hart, pmu_posted_hardware(pmu), true);
    cs_riscv_sbi_stop_all(pmu, hart, cs_riscv_deleg_firmware_set(pmu), 0);
}

/* ---- which counter ---- */

static int pmu_posted_map(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                          uint64_t *data)
{
    if (attr->type != CS_RISCV_PERF_RAW || attr->config >> 63 != 0)
        return cs_riscv_deleg_map(pmu, attr, event_idx, data);
    *event_idx = CS_SBI_TYPE_RAW_V2 << 16;
    *data = attr->config & RAW_BITS;
    return 0;
}

/* Only for a guest's events, and for those whose row of the map allows it: perf's own table has none
 * such, and the catalogs of vendors have it in an attribute that a raw event does not carry here. */
static int fixed_index(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event)
{
    const cs_riscv_attr *attr = &event->attr;
    const int index = attr->config == 0 ? (int)COUNTER_CYCLE : (int)COUNTER_INSTRET;

    if (is_sampling(event) || !attr->guest_events || attr->type != CS_RISCV_PERF_HARDWARE ||
        attr->config > EVENT_INSTRUCTIONS - EVENT_CYCLES)
        return -EINVAL;
    return pmu_posted_hardware(pmu) & ~pmu->used & bit((unsigned)index) ? index : -EINVAL;
}

/* A raw event may have any counter. */
static int free_index(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event)
{
    const uint64_t able = event->attr.type == CS_RISCV_PERF_RAW
                              ? ~(uint64_t)0
                              : cs_riscv_pmu_map_counters(pmu->config.map, event->event_idx);
    const uint64_t set = pmu_posted_hardware(pmu) & ~pmu->used & ~(uint64_t)(FIXED | 2) & able;

    for (unsigned i = COUNTER_HPM; i < CS_RISCV_HARDWARE_COUNTERS; i++)
        if (set >> i & 1)
            return (int)i;
    return -ENOENT;
}

static bool has_selector(const cs_riscv_pmu *pmu, int index)
{
    return index >= (int)COUNTER_HPM || pmu->config.smcntrpmf;
}

static int get_index(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    const uint64_t filters = cs_riscv_filters(&event->attr) << CS_RISCV_CFG_TO_XINH;
    int index;

    if (CS_SBI_EVENT_TYPE(event->event_idx) == CS_SBI_TYPE_FW)
        return cs_riscv_sbi_get_index(pmu, hart, event, cs_riscv_deleg_firmware_set(pmu), 0);
    index = fixed_index(pmu, event);
    if (index < 0)
        index = free_index(pmu, event);
    if (index < 0 || !has_selector(pmu, index))
        return index;
    cs_riscv_deleg_select(hart, (unsigned)index);
    cs_riscv_deleg_write_event(pmu, hart, filters | event->data | cs_riscv_deleg_of_bit(pmu));
    return index;
}

/* ---- start, stop ---- */

static void enable_interrupt(const cs_riscv_pmu *pmu, cs_hart *hart, unsigned i)
{
    const bool rv32 = cs_hart_xlen(hart) == 32;
    const uint16_t csr = rv32 ? CSR_SIREG5 : CSR_SIREG2;
    uint64_t value;

    cs_hart_csr_read(hart, CSR_SIP); /* for nothing */
    if (!pmu->config.sscofpmf || !has_selector(pmu, (int)i))
        return;
    cs_riscv_deleg_select(hart, i);
    value = cs_hart_csr_read(hart, csr);
    cs_riscv_deleg_select(hart, i);
    cs_hart_csr_write(hart, csr, value & ~(rv32 ? CS_RISCV_OF >> 32 : CS_RISCV_OF));
}

static void pmu_posted_start(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                             uint64_t value)
{
    const unsigned i = (unsigned)event->index;

    if (cs_riscv_deleg_is_software(pmu, event)) {
        cs_riscv_sbi_start(pmu, hart, event, value);
        return;
    }
    cs_riscv_deleg_select(hart, i);
    cs_hart_csr_write(hart, CSR_SIREG, value);
    if (cs_hart_xlen(hart) == 32) {
        cs_riscv_deleg_select(hart, i);
        cs_hart_csr_write(hart, CSR_SIREG4, value >> 32);
    }
    enable_interrupt(pmu, hart, i);
    pmu_posted_inhibit(hart, bit(i), false);
}

static void pmu_posted_stop(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    if (cs_riscv_deleg_is_software(pmu, event))
        cs_riscv_sbi_stop(pmu, hart, event);
    else
        pmu_posted_inhibit(hart, bit((unsigned)event->index), true);
}

static void pmu_posted_release(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    if (cs_riscv_deleg_is_software(pmu, event)) {
        cs_riscv_sbi_release(pmu, hart, event);
        return;
    }
    if (!has_selector(pmu, event->index))
        return;
    cs_riscv_deleg_select(hart, (unsigned)event->index);
    cs_riscv_deleg_write_event(pmu, hart, cs_riscv_deleg_of_bit(pmu));
}

static uint64_t stop_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set)
{
    (void)pmu;
    pmu_posted_inhibit(hart, set, true);
    return cs_hart_csr_read(hart, CSR_SCOUNTOVF);
}

/* Also for none to go on as they are. */
static void start_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t same, uint64_t anew)
{
    pmu_posted_inhibit(hart, same, false);
    for (unsigned i = 0; i < CS_RISCV_HARDWARE_COUNTERS; i++)
        if (anew >> i & 1)
            pmu_posted_start(pmu, hart, pmu->events[i], cs_riscv_start_value(pmu, pmu->events[i]));
}

const kind_ops cs_riscv_posted_ops = {
    .needs_sbi = true,
    .samples = true,
    .filters = true,
    .map = pmu_posted_map,
    .find_counters = find_counters,
    .stop_all = stop_all,
    .get_index = get_index,
    .start = pmu_posted_start,
    .stop = pmu_posted_stop,
    .release = pmu_posted_release,
    .read = cs_riscv_sbi_read, /* never a slot: there is no page */
    .stop_set = stop_set,
    .overflowed = cs_riscv_by_csr,
    .start_set = start_set,
};
