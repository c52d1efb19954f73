// SPDX-License-Identifier: Apache-2.0
/* Memory that driver, firmware and readers share, over the bus. */
#include <string.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

/* True: it was done. */
static bool pmu_memory_note(cs_riscv_pmu *pmu, cs_bus_resp resp)
{
    pmu->figures.bus_errors += resp != CS_BUS_OKAY;
    return resp == CS_BUS_OKAY;
}

void cs_riscv_store(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t address, const void *data,
                    size_t bytes)
{
    pmu_memory_note(pmu, cs_hart_store(hart, address, data, bytes));
}

void cs_riscv_load(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t address, void *data, size_t bytes)
{
    if (!pmu_memory_note(pmu, cs_hart_load(hart, address, data, bytes)))
        memset(data, 0, bytes);
}

uint64_t cs_riscv_load64(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t address)
{
    uint64_t value = 0;

    return pmu_memory_note(pmu, cs_hart_load64(hart, address, &value)) ? value : 0;
}

void cs_riscv_store64(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t address, uint64_t value)
{
    pmu_memory_note(pmu, cs_hart_store64(hart, address, value));
}
