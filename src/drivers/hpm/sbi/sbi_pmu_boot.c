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
#define MINH (UINT64_C(1) << 62)
#define FIRST_HPM 3u

/* The bits that keep a 1; the counter is 0 afterwards. */
static uint64_t bits_that_stay(const cs_sbi_pmu *fw, cs_hart *hart, unsigned n)
{
    uint64_t bits;

    cs_hart_csr_write(hart, CSR_MHPMCOUNTER(n), UINT64_MAX);
    bits = cs_hart_csr_read(hart, CSR_MHPMCOUNTER(n));
    cs_hart_csr_write(hart, CSR_MHPMCOUNTER(n), 0);
    if (fw->xlen == 64)
        return bits;
    cs_hart_csr_write(hart, CSR_MHPMCOUNTERH(n), UINT64_MAX);
    bits |= cs_hart_csr_read(hart, CSR_MHPMCOUNTERH(n)) << 32;
    cs_hart_csr_write(hart, CSR_MHPMCOUNTERH(n), 0);
    return bits;
}

static void discover(cs_sbi_pmu *fw, cs_hart *hart)
{
    fw->there = CS_SBI_FIXED;
    fw->width[0] = fw->width[2] = 64;
    for (unsigned n = FIRST_HPM; n < CS_SBI_HARDWARE; n++) {
        const uint64_t bits = bits_that_stay(fw, hart, n);

        if (bits == 0)
            continue;
        fw->there |= 1u << n;
        fw->width[n] = (uint8_t)__builtin_popcountll(bits);
    }
}

/* The first that is there stands for all. */
static void make_uniform(cs_sbi_pmu *fw)
{
    const uint32_t there = fw->there & CS_RISCV_PMU_HPMCOUNTERS;

    for (unsigned n = FIRST_HPM; there != 0 && n < CS_SBI_HARDWARE; n++)
        fw->width[n] = fw->width[cs_sbi_first(there)];
}

static void forget_events(cs_sbi_pmu *fw)
{
    for (unsigned i = 0; i < fw->nr_counters; i++)
        fw->counters[i] = (cs_sbi_counter){.event_idx = CS_SBI_NO_EVENT};
    for (unsigned i = 0; i < CS_SBI_FW_EVENTS; i++)
        fw->per_event[i] = (cs_sbi_cell){0};
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
    discover(fw, hart);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_UNIFORM_WIDTH))
        make_uniform(fw);
    fw->nr_hardware = 32u - (unsigned)__builtin_clz(fw->there);
    fw->nr_counters = fw->nr_hardware + fw->config.firmware_counters;
    forget_events(fw);
    clear_events(fw, hart);
    cs_hart_csr_write(hart, CS_CSR_MCOUNTEREN, fw->there | COUNTEREN_TM);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_BOOT_WRITES))
        cs_hart_csr_write(hart, CSR_SCOUNTEREN, COUNTEREN_TM);
    if (fw->config.sscofpmf)
        delegate_overflow(fw, hart);
    if (fw->config.smcdeleg)
        delegate_counters(fw, hart);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_FIXED_RUNNING))
        cs_hart_csr_write(hart, CS_CSR_MCOUNTINHIBIT, CS_RISCV_PMU_HPMCOUNTERS);
    fw->booted = true;
    cs_hart_run(hart, before);
}
