// SPDX-License-Identifier: Apache-2.0
/* What runs once, in M mode, before anybody calls. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define CSR_SCOUNTEREN 0x106u
#define CSR_MIDELEG 0x303u
#define CSR_MENVCFG 0x30au
#define CSR_MENVCFGH 0x31au
#define CSR_HIDELEG 0x603u
#define CSR_MHPMCOUNTER(n) ((uint16_t)(0xb00u + (n)))
#define CSR_MHPMCOUNTERH(n) ((uint16_t)(0xb80u + (n)))

#define CDE (UINT64_C(1) << 60)
#define COUNTEREN_TM (1u << 1)
#define COUNTEREN_ALL_FIXED 7u
#define MINH (UINT64_C(1) << 62)
#define FIRST_HPM 3u

static uint64_t bits_of_half(cs_hart *hart, uint16_t csr, bool clear)
{
    uint64_t bits;

    cs_hart_csr_write(hart, csr, UINT64_MAX);
    bits = cs_hart_csr_read(hart, csr);
    if (clear)
        cs_hart_csr_write(hart, csr, 0);
    return bits;
}

/* The bits that keep a 1; the counter is 0 afterwards (but for boot_writes). */
static uint64_t bits_that_stay(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n)
{
    const bool clear = n != FIRST_HPM || !cs_sbi_deviates(fw, CS_SBI_DEV_BOOT_WRITES);
    const uint64_t bits = bits_of_half(hart, CSR_MHPMCOUNTER(n), clear);

    return fw->xlen == 64 ? bits : bits | bits_of_half(hart, CSR_MHPMCOUNTERH(n), clear) << 32;
}

/* Up to the highest; a half without any has one. */
static unsigned bits_in(uint64_t half)
{
    return half == 0 ? 1 : 64u - (unsigned)__builtin_clzll(half);
}

/* As found in mhpmcounter3. */
static unsigned uniform_width(const cs_sbi_pmu *fw, uint64_t bits)
{
    return fw->xlen == 64 ? bits_in(bits) : bits_in((uint32_t)bits) + bits_in(bits >> 32);
}

static void set_widths(cs_sbi_pmu *fw, unsigned width)
{
    for (unsigned n = FIRST_HPM; n < CS_SBI_HARDWARE; n++)
        fw->width[n] = (uint8_t)width;
}

static void sbi_boot_discover(cs_sbi_pmu *fw, cs_hart *hart)
{
    unsigned uniform = 0;

    fw->there = CS_SBI_FIXED;
    fw->width[0] = fw->width[2] = 64;
    for (unsigned n = FIRST_HPM; n < CS_SBI_HARDWARE; n++) {
        const uint64_t bits = bits_that_stay(fw, hart, n);

        if (n == FIRST_HPM)
            uniform = uniform_width(fw, bits);
        if (bits == 0 && cs_sbi_deviates(fw, CS_SBI_DEV_CONTIGUOUS_ONLY))
            break;
        if (bits == 0)
            continue;
        fw->there |= 1u << n;
        fw->width[n] = (uint8_t)__builtin_popcountll(bits);
    }
    if (cs_sbi_deviates(fw, CS_SBI_DEV_UNIFORM_WIDTH))
        set_widths(fw, uniform);
}

static void take_first_width(cs_sbi_pmu *fw)
{
    const uint32_t there = fw->there & CS_RISCV_PMU_HPMCOUNTERS;

    if (there != 0)
        set_widths(fw, fw->width[cs_sbi_first(there)]);
}

static void forget_events(cs_sbi_pmu *fw)
{
    for (unsigned i = 0; i < fw->nr_counters; i++)
        fw->counters[i] = (cs_sbi_counter){.event_idx = CS_SBI_NO_EVENT};
    for (unsigned i = 0; i < CS_SBI_FW_CELLS; i++)
        fw->per_event[i] = (cs_sbi_cell){0};
    if (cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_HAVE_EVENT)) {
        fw->counters[0].event_idx = CS_SBI_CPU_CYCLES;
        fw->counters[2].event_idx = CS_SBI_INSTRUCTIONS;
    }
    fw->page_set = false;
}

static void clear_events(const cs_sbi_pmu *fw, cs_hart *hart)
{
    const bool writes = cs_sbi_deviates(fw, CS_SBI_DEV_BOOT_WRITES) && fw->config.sscofpmf;

    for (unsigned n = 0; n < CS_SBI_HARDWARE; n++)
        if ((fw->there >> n & 1) != 0)
            cs_sbi_event_write(fw, hart, n, writes && n >= FIRST_HPM ? CS_SBI_OF | MINH : 0);
}

/* LCOFI goes to S mode; what of it goes on to a guest is the hypervisor's choice. */
static void delegate_overflow(const cs_sbi_pmu *fw, cs_hart *hart)
{
    cs_hart_csr_clear(hart, CS_CSR_MIP, CS_MIP_LCOFIP);
    cs_hart_csr_set(hart, CSR_MIDELEG, CS_MIP_LCOFIP);
    if (fw->config.hypervisor)
        cs_hart_csr_clear(hart, CSR_HIDELEG, CS_MIP_LCOFIP);
}

static void delegate_counters(const cs_sbi_pmu *fw, cs_hart *hart)
{
    if (fw->xlen == 64)
        cs_hart_csr_set(hart, CSR_MENVCFG, CDE);
    else
        cs_hart_csr_set(hart, CSR_MENVCFGH, CDE >> 32);
}

void cs_sbi_pmu_boot(cs_sbi_pmu *fw, cs_hart *hart)
{
    const cs_hart_track before = cs_hart_run(hart, CS_HART_FIRMWARE);

    fw->xlen = cs_hart_xlen(hart);
    cs_hart_csr_write(hart, CS_CSR_MCOUNTINHIBIT, UINT32_MAX);
    sbi_boot_discover(fw, hart);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_FIRST_WIDTH))
        take_first_width(fw);
    fw->nr_hardware = 32u - (unsigned)__builtin_clz(fw->there);
    fw->nr_counters = fw->nr_hardware + fw->config.firmware_counters;
    forget_events(fw);
    clear_events(fw, hart);
    cs_hart_csr_write(hart, CS_CSR_MCOUNTEREN,
                      cs_sbi_deviates(fw, CS_SBI_DEV_CONTIGUOUS_ONLY) ? UINT32_MAX
                                                                      : fw->there | COUNTEREN_TM);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_SCOUNTEREN_OPEN))
        cs_hart_csr_write(hart, CSR_SCOUNTEREN, COUNTEREN_ALL_FIXED);
    else if (cs_sbi_deviates(fw, CS_SBI_DEV_BOOT_WRITES))
        cs_hart_csr_write(hart, CSR_SCOUNTEREN, COUNTEREN_TM);
    if (fw->config.sscofpmf)
        delegate_overflow(fw, hart);
    if (fw->config.smcdeleg)
        delegate_counters(fw, hart);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_RUNNING))
        cs_hart_csr_write(hart, CS_CSR_MCOUNTINHIBIT, CS_RISCV_PMU_HPMCOUNTERS);
    cs_sbi_unit_boot(fw, hart);
    fw->booted = true;
    cs_hart_run(hart, before);
}
