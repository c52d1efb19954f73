// SPDX-License-Identifier: Apache-2.0
/* Smcdeleg: counters without firmware (docs/hw/hpm.md, section 7). */
#include <errno.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

#define SELECT 0x40u /* siselect of counter 0 */

void cs_riscv_deleg_select(cs_hart *hart, unsigned i)
{
    cs_hart_csr_write(hart, CSR_SISELECT, SELECT + i);
}

/* The counter that is selected. */
void cs_riscv_deleg_write_counter(cs_hart *hart, uint64_t value)
{
    cs_hart_csr_write(hart, CSR_SIREG, value);
    if (cs_hart_xlen(hart) == 32)
        cs_hart_csr_write(hart, CSR_SIREG4, value >> 32);
}

static uint64_t read_counter(cs_hart *hart)
{
    const uint64_t low = cs_hart_csr_read(hart, CSR_SIREG);

    return cs_hart_xlen(hart) == 64 ? low : low | cs_hart_csr_read(hart, CSR_SIREG4) << 32;
}

/* Its event. */
void cs_riscv_deleg_write_event(const cs_riscv_pmu *pmu, cs_hart *hart, uint64_t value)
{
    cs_hart_csr_write(hart, CSR_SIREG2, value);
    if (cs_hart_xlen(hart) == 32 && pmu->config.sscofpmf)
        cs_hart_csr_write(hart, CSR_SIREG5, value >> 32);
}

/* With it a counter does not interrupt until it is started. */
uint64_t cs_riscv_deleg_of_bit(const cs_riscv_pmu *pmu)
{
    return pmu->config.sscofpmf ? CS_RISCV_OF : 0;
}

/* ---- counters ---- */

/* Bits of the selected counter - 1; it is left 0. */
static uint8_t find_width(cs_hart *hart)
{
    uint8_t width = 0;

    cs_riscv_deleg_write_counter(hart, ~(uint64_t)0);
    for (uint64_t rest = read_counter(hart) >> 1; rest != 0; rest >>= 1)
        width++;
    cs_riscv_deleg_write_counter(hart, 0);
    return width;
}

static int find_counters(cs_riscv_pmu *pmu, cs_hart *hart)
{
    uint64_t set;

    if (cs_hart_csr(hart, CSR_SCOUNTINHIBIT, CS_HPM_OP_WRITE, 0xffffffffu).exception !=
        CS_HPM_EXCEPTION_NONE)
        return -ENODEV;
    set = cs_hart_csr_read(hart, CSR_SCOUNTINHIBIT);
    if (set == 0)
        return -ENODEV;
    for (unsigned i = 0; i < CS_RISCV_HARDWARE_COUNTERS; i++) {
        if ((set >> i & 1) == 0)
            continue;
        cs_riscv_deleg_select(hart, i);
        cs_riscv_found(pmu, i,
                       (counter){.csr = (uint16_t)(CSR_CYCLE + i), .width = find_width(hart)});
        if (i >= COUNTER_HPM)
            cs_riscv_deleg_write_event(pmu, hart, 0);
    }
    return cs_riscv_sbi_find(pmu, hart, false);
}

bool cs_riscv_deleg_is_software(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event)
{
    return pmu->counters[event->index].software;
}

uint64_t cs_riscv_deleg_firmware_set(const cs_riscv_pmu *pmu)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        set |= pmu->counters[i].software ? bit(i) : 0;
    return set;
}

static void stop_all(cs_riscv_pmu *pmu, cs_hart *hart)
{
    cs_riscv_sbi_stop_all(pmu, hart, cs_riscv_deleg_firmware_set(pmu), CS_SBI_STOP_RESET);
}

/* ---- which counter ---- */

int cs_riscv_deleg_map(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                       uint64_t *data)
{
    const int error = cs_riscv_map_sbi(pmu, attr, event_idx, data);

    if (error != 0 || attr->type == CS_RISCV_PERF_RAW)
        return error;
    *data = cs_riscv_pmu_map_select(pmu->config.map, *event_idx);
    return *data != 0 ? 0 : -ENOENT;
}

static bool is_free(const cs_riscv_pmu *pmu, unsigned i)
{
    return (pmu->present & ~pmu->used) >> i & 1;
}

/* cycle and instret stay free: they cannot interrupt, and the kernel's driver never takes them. */
static int free_index(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event)
{
    const cs_riscv_pmu_map *map = pmu->config.map;
    const uint32_t able = event->attr.type == CS_RISCV_PERF_RAW
                              ? cs_riscv_pmu_map_raw_counters(map, event->data)
                              : cs_riscv_pmu_map_counters(map, event->event_idx);

    for (unsigned i = COUNTER_HPM; i < CS_RISCV_HARDWARE_COUNTERS; i++)
        if ((able >> i & 1) && is_free(pmu, i) && !pmu->counters[i].software)
            return (int)i;
    return -ENOENT;
}

static int get_index(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    const uint64_t filters = cs_riscv_filters(&event->attr) << CS_RISCV_CFG_TO_XINH;
    int index;

    if (CS_SBI_EVENT_TYPE(event->event_idx) == CS_SBI_TYPE_FW)
        return cs_riscv_sbi_get_index(pmu, hart, event, cs_riscv_deleg_firmware_set(pmu), 0);
    index = free_index(pmu, event);
    if (index < 0)
        return index;
    cs_riscv_deleg_select(hart, (unsigned)index);
    cs_riscv_deleg_write_event(pmu, hart, filters | event->data | cs_riscv_deleg_of_bit(pmu));
    return index;
}

/* ---- start, stop, read ---- */

/* All but to let it run. */
static void pmu_delegated_prepare(const cs_riscv_pmu *pmu, cs_hart *hart, unsigned i,
                                  uint64_t value)
{
    const bool rv32 = cs_hart_xlen(hart) == 32;

    cs_riscv_deleg_select(hart, i);
    cs_riscv_deleg_write_counter(hart, value);
    if (pmu->config.sscofpmf)
        cs_hart_csr_clear(hart, rv32 ? CSR_SIREG5 : CSR_SIREG2,
                          rv32 ? CS_RISCV_OF >> 32 : CS_RISCV_OF);
}

static void pmu_delegated_start(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                                uint64_t value)
{
    if (cs_riscv_deleg_is_software(pmu, event)) {
        cs_riscv_sbi_start(pmu, hart, event, value);
        return;
    }
    pmu_delegated_prepare(pmu, hart, (unsigned)event->index, value);
    cs_hart_csr_clear(hart, CSR_SCOUNTINHIBIT, bit((unsigned)event->index));
}

static void pmu_delegated_stop(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    if (cs_riscv_deleg_is_software(pmu, event))
        cs_riscv_sbi_stop(pmu, hart, event);
    else
        cs_hart_csr_set(hart, CSR_SCOUNTINHIBIT, bit((unsigned)event->index));
}

static void pmu_delegated_release(cs_riscv_pmu *pmu, cs_hart *hart,
                                  const cs_riscv_perf_event *event)
{
    if (cs_riscv_deleg_is_software(pmu, event)) {
        cs_riscv_sbi_release(pmu, hart, event);
        return;
    }
    cs_riscv_deleg_select(hart, (unsigned)event->index);
    cs_riscv_deleg_write_event(pmu, hart, cs_riscv_deleg_of_bit(pmu));
}

static uint64_t stop_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set)
{
    (void)pmu;
    cs_hart_csr_set(hart, CSR_SCOUNTINHIBIT, set);
    return cs_hart_csr_read(hart, CSR_SCOUNTOVF);
}

static void start_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t same, uint64_t anew)
{
    if (same != 0)
        cs_hart_csr_clear(hart, CSR_SCOUNTINHIBIT, same);
    for (unsigned i = 0; i < CS_RISCV_HARDWARE_COUNTERS; i++)
        if (anew >> i & 1)
            pmu_delegated_start(pmu, hart, pmu->events[i],
                                cs_riscv_start_value(pmu, pmu->events[i]));
}

const kind_ops cs_riscv_delegated_ops = {
    .needs_sbi = true,
    .samples = true,
    .filters = true,
    .map = cs_riscv_deleg_map,
    .find_counters = find_counters,
    .stop_all = stop_all,
    .get_index = get_index,
    .start = pmu_delegated_start,
    .stop = pmu_delegated_stop,
    .release = pmu_delegated_release,
    .read = cs_riscv_sbi_read, /* never a slot: there is no page */
    .stop_set = stop_set,
    .overflowed = cs_riscv_by_csr,
    .start_set = start_set,
};
