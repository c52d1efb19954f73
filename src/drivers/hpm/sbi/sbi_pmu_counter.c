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
    if (index <= 2 && cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_KEEP_EVENT))
        return true;
    return fw->counters[index].event_idx != CS_SBI_NO_EVENT;
}

/* A base near the top would wrap: it is looked at alone first. */
static bool is_within(const cs_sbi_pmu *fw, cs_sbi_set set)
{
    const unsigned last = 63u - (unsigned)__builtin_clzll(set.mask);

    return set.base < fw->nr_counters && set.base + last < fw->nr_counters;
}

bool cs_sbi_set_valid(const cs_sbi_pmu *fw, cs_sbi_set set)
{
    if (set.mask == 0 || !is_within(fw, set))
        return false;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_UNCONFIGURED_SKIPPED))
        return true;
    for (uint64_t left = set.mask; left != 0; left &= left - 1)
        if (!cs_sbi_is_counter(fw, set.base + cs_sbi_first(left)))
            return false;
    return true;
}

bool cs_sbi_passed_over(const cs_sbi_pmu *fw, uint64_t index)
{
    return cs_sbi_deviates(fw, CS_SBI_DEV_UNCONFIGURED_SKIPPED) &&
           (!cs_sbi_is_counter(fw, index) || !cs_sbi_is_configured(fw, index));
}

uint32_t cs_sbi_set_hardware(const cs_sbi_pmu *fw, cs_sbi_set set)
{
    return set.base < CS_SBI_HARDWARE ? (uint32_t)(set.mask << set.base) & fw->there : 0;
}

cs_sbi_cell *cs_sbi_cell_of(cs_sbi_pmu *fw, uint64_t index)
{
    const uint32_t code = CS_SBI_EVENT_CODE(fw->counters[index].event_idx);

    if (cs_sbi_deviates(fw, CS_SBI_DEV_FW_PER_EVENT) && code < CS_SBI_FW_EVENTS)
        return &fw->per_event[code];
    return &fw->counters[index].cell;
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
    if (!fw->config.smcntrpmf)
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

void cs_sbi_enable(const cs_sbi_pmu *fw, cs_hart *hart, uint32_t counters)
{
    uint64_t inhibited;

    if (!cs_sbi_deviates(fw, CS_SBI_DEV_ONE_BY_ONE)) {
        cs_hart_csr_clear(hart, CS_CSR_MCOUNTINHIBIT, counters);
        return;
    }
    inhibited = cs_hart_csr_read(hart, CS_CSR_MCOUNTINHIBIT);
    cs_hart_csr_write(hart, CS_CSR_MCOUNTINHIBIT, inhibited & ~(uint64_t)counters);
}
