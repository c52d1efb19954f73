// SPDX-License-Identifier: Apache-2.0
/* Which of the standard events there are: asked once, at probe. */
#include "drivers/hpm/kernel/riscv_pmu_impl.h"
#include "formats/common/little.h"

#define ENTRY_BYTES 16u
#define ENTRY_OUTPUT 4u /* offset; bit 0: supported */

static bool ask_all(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const uint64_t address = pmu->config.info_address;
    const bool rv32 = cs_hart_xlen(hart) == 32;
    const uint64_t args[6] = {rv32 ? address & 0xffffffffu : address, rv32 ? address >> 32 : 0,
                              NR_STANDARD, 0};
    uint8_t entries[NR_STANDARD * ENTRY_BYTES] = {0};
    cs_sbi_ret ret;

    for (unsigned i = 0; i < NR_STANDARD; i++)
        cs_little_put32(entries + (size_t)ENTRY_BYTES * i, cs_riscv_standard_idx(i, EVENT_CYCLES));
    cs_riscv_store(pmu, hart, address, entries, sizeof entries);
    ret = cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_EVENT_GET_INFO, args);
    if (ret.error != CS_SBI_SUCCESS)
        return false;
    cs_riscv_load(pmu, hart, address, entries, sizeof entries);
    for (unsigned i = 0; i < NR_STANDARD; i++)
        pmu->unsupported[i] = (entries[(size_t)ENTRY_BYTES * i + ENTRY_OUTPUT] & 1) == 0;
    return true;
}

static void try_each(cs_riscv_pmu *pmu, cs_hart *hart)
{
    for (unsigned i = 0; i < NR_STANDARD; i++) {
        const cs_sbi_ret ret = cs_riscv_sbi_match(pmu, hart, pmu->present, 0,
                                                  cs_riscv_standard_idx(i, EVENT_CYCLES), 0);
        const uint64_t args[6] = {ret.value, 1, CS_SBI_STOP_RESET};

        pmu->unsupported[i] = ret.error != CS_SBI_SUCCESS;
        if (ret.error == CS_SBI_SUCCESS)
            cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_STOP, args);
    }
}

void cs_riscv_check_events(cs_riscv_pmu *pmu, cs_hart *hart)
{
    if (pmu->spec_major < 3 || pmu->config.info_address == 0 || !ask_all(pmu, hart))
        try_each(pmu, hart);
}
