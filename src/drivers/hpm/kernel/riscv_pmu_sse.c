// SPDX-License-Identifier: Apache-2.0
/* Overflows by SBI's software events (docs/drivers/riscv_driver.md, "By software events"): the handler runs
 * whatever it interrupts, interrupts off or not. */
#include "drivers/hpm/kernel/riscv_pmu_impl.h"

#define ENTRY_PC 0x80200000u /* of the handler; nobody fetches from there */
#define NR_SAVED 2u          /* A6 and A7 */

static cs_sbi_ret pmu_sse_call(cs_riscv_pmu *pmu, cs_hart *hart, cs_sbi_sse_function function,
                               const uint64_t args[6])
{
    return cs_riscv_call(pmu, hart, CS_SBI_EID_SSE, function, args);
}

/* One that takes the event and nothing more. */
static cs_sbi_ret call_event(cs_riscv_pmu *pmu, cs_hart *hart, cs_sbi_sse_function function)
{
    const uint64_t args[6] = {CS_SSE_PMU_OVERFLOW};

    return pmu_sse_call(pmu, hart, function, args);
}

bool cs_riscv_pmu_has_sse(const cs_riscv_pmu *pmu)
{
    return pmu->sse;
}

/* ---- up and down ---- */

static bool is_there(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const uint64_t extension[6] = {CS_SBI_EID_SSE};
    const cs_sbi_ret ret =
        cs_riscv_call(pmu, hart, CS_SBI_EID_BASE, CS_SBI_BASE_PROBE_EXTENSION, extension);

    return ret.error == CS_SBI_SUCCESS && ret.value != 0;
}

bool cs_riscv_sse_setup(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const unsigned bytes = cs_hart_xlen(hart) / 8;
    const uint64_t address = pmu->config.sse_address, priority = 0;
    const uint64_t attr[6] = {CS_SSE_PMU_OVERFLOW, CS_SSE_PRIORITY, 1, address};
    const uint64_t handler[6] = {CS_SSE_PMU_OVERFLOW, ENTRY_PC, address};

    if (!pmu->config.use_sse || !is_there(pmu, hart))
        return false;
    cs_riscv_store(pmu, hart, address, &priority, bytes);
    if (pmu_sse_call(pmu, hart, CS_SBI_SSE_WRITE_ATTRS, attr).error != CS_SBI_SUCCESS ||
        pmu_sse_call(pmu, hart, CS_SBI_SSE_REGISTER, handler).error != CS_SBI_SUCCESS)
        return false;
    if (call_event(pmu, hart, CS_SBI_SSE_ENABLE).error != CS_SBI_SUCCESS) {
        call_event(pmu, hart, CS_SBI_SSE_UNREGISTER);
        return false;
    }
    call_event(pmu, hart, CS_SBI_SSE_HART_UNMASK);
    pmu->sse = true;
    return true;
}

void cs_riscv_sse_down(cs_riscv_pmu *pmu, cs_hart *hart)
{
    call_event(pmu, hart, CS_SBI_SSE_HART_MASK);
    call_event(pmu, hart, CS_SBI_SSE_DISABLE);
    call_event(pmu, hart, CS_SBI_SSE_UNREGISTER);
    pmu->sse = false;
}

void cs_riscv_sse_hold(cs_riscv_pmu *pmu, cs_hart *hart)
{
    if (pmu->sse && pmu->held++ == 0)
        cs_riscv_note(pmu, call_event(pmu, hart, CS_SBI_SSE_DISABLE));
}

void cs_riscv_sse_release(cs_riscv_pmu *pmu, cs_hart *hart)
{
    if (pmu->sse && --pmu->held == 0)
        cs_riscv_note(pmu, call_event(pmu, hart, CS_SBI_SSE_ENABLE));
}

/* ---- the handler ---- */

/* The registers that the firmware has put in the place of the interrupted's. */
static void fetch_saved(cs_riscv_pmu *pmu, cs_hart *hart, uint32_t event)
{
    const uint64_t args[6] = {event, CS_SSE_INTERRUPTED_A6, NR_SAVED, pmu->config.sse_address};
    uint8_t saved[8 * NR_SAVED];

    cs_riscv_note(pmu, pmu_sse_call(pmu, hart, CS_SBI_SSE_READ_ATTRS, args));
    cs_riscv_load(pmu, hart, pmu->config.sse_address, saved,
                  (size_t)NR_SAVED * cs_hart_xlen(hart) / 8);
}

void cs_riscv_pmu_sse(cs_riscv_pmu *pmu, cs_hart *hart, const cs_sse_entry *entry)
{
    const uint64_t nothing[6] = {0};

    cs_hart_work(hart, pmu->config.sse_cycles);
    fetch_saved(pmu, hart, entry->event);
    if (entry->event == CS_SSE_PMU_OVERFLOW) {
        pmu->figures.sse++;
        pmu->entry = entry;
        cs_riscv_overflow(pmu, hart);
        pmu->entry = NULL;
    }
    cs_riscv_note(pmu, pmu_sse_call(pmu, hart, CS_SBI_SSE_COMPLETE, nothing));
}
