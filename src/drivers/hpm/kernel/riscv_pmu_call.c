// SPDX-License-Identifier: Apache-2.0
/* Calls of SBI, and what their errors are for the kernel. */
#include <errno.h>
#include <string.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

cs_sbi_ret cs_riscv_call(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t eid, uint64_t fid,
                         const uint64_t args[6])
{
    pmu->figures.sbi_calls++;
    return pmu->config.sbi.call(pmu->config.sbi.ctx, hart, eid, fid, args);
}

cs_sbi_ret cs_riscv_call64(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t fid, const uint64_t args[6],
                           unsigned at, uint64_t value)
{
    uint64_t all[6];

    memcpy(all, args, sizeof all);
    all[at] = value;
    if (cs_hart_xlen(hart) == 32) {
        all[at] = value & 0xffffffffu;
        all[at + 1] = value >> 32;
    }
    return cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, fid, all);
}

void cs_riscv_note(cs_riscv_pmu *pmu, cs_sbi_ret ret)
{
    pmu->figures.sbi_errors += ret.error != CS_SBI_SUCCESS &&
                               ret.error != CS_SBI_ERR_ALREADY_STARTED &&
                               ret.error != CS_SBI_ERR_ALREADY_STOPPED;
}

int cs_riscv_errno(int64_t error)
{
    static const struct {
        int64_t error;
        int number;
    } rows[] = {
        {CS_SBI_SUCCESS, 0},
        {CS_SBI_ERR_DENIED, -EPERM},
        {CS_SBI_ERR_INVALID_PARAM, -EINVAL},
        {CS_SBI_ERR_INVALID_ADDRESS, -EFAULT},
        {CS_SBI_ERR_NO_SHMEM, -ENOMEM},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].error == error)
            return rows[i].number;
    return -EOPNOTSUPP;
}

bool cs_riscv_has_stopped(cs_sbi_ret ret)
{
    return ret.error == CS_SBI_SUCCESS || ret.error == CS_SBI_ERR_ALREADY_STOPPED;
}

/* ---- a set of counters is as many words as XLEN makes of 64 bits ---- */

unsigned cs_riscv_words(const cs_hart *hart)
{
    return CS_RISCV_MAX_COUNTERS / cs_hart_xlen(hart);
}

uint64_t cs_riscv_word(const cs_hart *hart, uint64_t set, unsigned i)
{
    return cs_hart_xlen(hart) == 64 ? set : set >> (32 * i) & 0xffffffffu;
}
