// SPDX-License-Identifier: Apache-2.0
/* Which counters there are, and their CSRs. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define CSR_MHPMEVENT(n) ((uint16_t)(0x320u + (n)))
#define CSR_MHPMEVENTH(n) ((uint16_t)(0x720u + (n)))
#define CSR_MCOUNTER(n) ((uint16_t)(0xb00u + (n)))
#define CSR_MCOUNTERH(n) ((uint16_t)(0xb80u + (n)))
/* n = 0: mcyclecfg, n = 2: minstretcfg. */
#define CSR_CFG(n) ((uint16_t)(0x321u + (n) / 2))
#define CSR_CFGH(n) ((uint16_t)(0x721u + (n) / 2))

/* ---- which there are ---- */

bool cs_sbi_is_firmware(const cs_sbi_pmu *fw, uint64_t index)
{
    return index >= fw->nr_hardware && index < fw->nr_counters;
}

bool cs_sbi_is_counter(const cs_sbi_pmu *fw, uint64_t index)
{
    return index < fw->nr_hardware ? (fw->there >> index & 1) != 0 : index < fw->nr_counters;
}

bool cs_sbi_is_configured(const cs_sbi_pmu *fw, uint64_t index)
{
    return fw->counters[index].event_idx != CS_SBI_NO_EVENT;
}

/* A base near the top would wrap: it is looked at alone first. */
static bool is_within(const cs_sbi_pmu *fw, cs_sbi_set set)
{
    const unsigned last = set.mask != 0 ? 63u - (unsigned)__builtin_clzll(set.mask) : 0;

    if (cs_sbi_deviates(fw, CS_SBI_DEV_BASE_WRAPS))
        return cs_sbi_index(fw, set, last) < fw->nr_counters;
    return set.base < fw->nr_counters && set.base + last < fw->nr_counters;
}

/* What is shifted out is lost, and so is what is behind a register. */
static bool sbi_counter_shift(const cs_sbi_pmu *fw, uint64_t base, uint64_t mask, cs_sbi_set *set)
{
    *set = (cs_sbi_set){.mask = mask << base % fw->xlen & cs_sbi_ones(fw)};
    if (!is_within(fw, *set))
        return false;
    if (base >= fw->xlen)
        set->mask = 0;
    return true;
}

bool cs_sbi_set_of(const cs_sbi_pmu *fw, uint64_t base, uint64_t mask, cs_sbi_set *set)
{
    *set = (cs_sbi_set){base, mask};
    if (mask == 0 && !cs_sbi_deviates(fw, CS_SBI_DEV_EMPTY_SETS))
        return false;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_SETS_SHIFT))
        return sbi_counter_shift(fw, base, mask, set);
    if (!is_within(fw, *set))
        return false;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_UNCONFIGURED_SKIPPED | CS_SBI_DEV_HOLES_HAVE_INFO))
        return true;
    for (uint64_t left = mask; left != 0; left &= left - 1)
        if (!cs_sbi_is_counter(fw, base + cs_sbi_first(left)))
            return false;
    return true;
}

bool cs_sbi_passed_over(const cs_sbi_pmu *fw, uint64_t index)
{
    if (!cs_sbi_is_counter(fw, index))
        return true;
    return cs_sbi_deviates(fw, CS_SBI_DEV_UNCONFIGURED_SKIPPED) && !cs_sbi_is_configured(fw, index);
}

uint32_t cs_sbi_set_hardware(const cs_sbi_pmu *fw, cs_sbi_set set)
{
    uint32_t counters = 0;

    for (uint64_t left = set.mask; left != 0; left &= left - 1) {
        const uint64_t index = cs_sbi_index(fw, set, cs_sbi_first(left));

        if (index < CS_SBI_HARDWARE)
            counters |= 1u << index;
    }
    return counters & fw->there;
}

cs_sbi_cell *cs_sbi_cell_for(cs_sbi_pmu *fw, uint64_t index, uint32_t code)
{
    if (cs_sbi_deviates(fw, CS_SBI_DEV_FW_PER_EVENT) && code < CS_SBI_FW_CELLS)
        return &fw->per_event[code];
    return &fw->counters[index].cell;
}

cs_sbi_cell *cs_sbi_cell_of(cs_sbi_pmu *fw, uint64_t index)
{
    return cs_sbi_cell_for(fw, index, CS_SBI_EVENT_CODE(fw->counters[index].event_idx));
}

/* ---- their CSRs ---- */

uint64_t cs_sbi_counter_read(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n)
{
    uint64_t high = 0;

    if (fw->xlen == 32)
        high = cs_hart_csr_read(hart, CSR_MCOUNTERH(n)) << 32;
    return high | cs_hart_csr_read(hart, CSR_MCOUNTER(n));
}

void cs_sbi_counter_write(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n, uint64_t value)
{
    if (fw->xlen == 64) {
        cs_hart_csr_write(hart, CSR_MCOUNTER(n), value);
        return;
    }
    cs_hart_csr_write(hart, CSR_MCOUNTER(n), 0); /* no carry between the two */
    cs_hart_csr_write(hart, CSR_MCOUNTER(n), (uint32_t)value);
    cs_hart_csr_write(hart, CSR_MCOUNTERH(n), value >> 32);
}

static void write_filters(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n, uint64_t value)
{
    if (!fw->config.smcntrpmf || cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_NO_FILTER))
        return;
    if (fw->xlen == 64)
        cs_hart_csr_write(hart, CSR_CFG(n), value & ~CS_SBI_OF & ~CS_SBI_EVENT_BITS);
    else
        cs_hart_csr_write(hart, CSR_CFGH(n), (value & ~CS_SBI_OF & ~CS_SBI_EVENT_BITS) >> 32);
}

void cs_sbi_event_write(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n, uint64_t value)
{
    if (n <= 2) {
        write_filters(fw, hart, n, value);
        return;
    }
    if (fw->xlen == 64) {
        cs_hart_csr_write(hart, CSR_MHPMEVENT(n), value);
        return;
    }
    cs_hart_csr_write(hart, CSR_MHPMEVENT(n), (uint32_t)value);
    if (fw->config.sscofpmf)
        cs_hart_csr_write(hart, CSR_MHPMEVENTH(n), value >> 32);
}

void cs_sbi_arm(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n)
{
    if (n <= 2 || !fw->config.sscofpmf)
        return;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_OF_WAITS) &&
        (cs_hart_csr_read(hart, CS_CSR_MIP) & CS_MIP_LCOFIP) != 0)
        return;
    if (fw->xlen == 64)
        cs_hart_csr_clear(hart, CSR_MHPMEVENT(n), CS_SBI_OF);
    else
        cs_hart_csr_clear(hart, CSR_MHPMEVENTH(n), CS_SBI_OF >> 32);
}

void cs_sbi_enable(cs_hart *hart, uint32_t counters)
{
    cs_hart_csr_clear(hart, CS_CSR_MCOUNTINHIBIT, counters);
}

void cs_sbi_arm_and_enable(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n)
{
    uint64_t inhibited;

    if (!cs_sbi_deviates(fw, CS_SBI_DEV_ONE_BY_ONE)) {
        cs_sbi_arm(fw, hart, n);
        cs_sbi_enable(hart, 1u << n);
        return;
    }
    inhibited = cs_hart_csr_read(hart, CS_CSR_MCOUNTINHIBIT);
    if ((inhibited >> n & 1) == 0)
        return;
    cs_sbi_arm(fw, hart, n);
    cs_hart_csr_write(hart, CS_CSR_MCOUNTINHIBIT, inhibited & ~(UINT64_C(1) << n));
}
