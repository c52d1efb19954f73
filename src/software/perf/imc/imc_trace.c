// SPDX-License-Identifier: Apache-2.0
/* Trace mode: records that the hardware wrote become samples (docs/drivers/imc_driver.md, "Dump"). */
#include "software/perf/imc/imc_engine.h"

#define RECORD_BYTES 64u
#define IP 8u
#define VAL 16u
#define TB2 56u
#define TB2_MASK UINT64_C(0x3ffffffffff)
#define KERNEL_SPACE UINT64_C(0xc000000000000000)
#define HOST_KERNEL 2u /* MSR[HV PR] */

/* POWER9's records do not say; an address does. */
static bool trace_in_kernel(const cs_perf_imc_engine *e, uint64_t record, uint64_t ip)
{
    if (!e->imc->config.power10)
        return ip >= KERNEL_SPACE;
    const uint64_t mode = cs_perf_imc_memory_get(&e->memory, record + VAL) >> 62;
    return mode == 0 || mode == HOST_KERNEL;
}

/* False: the record is not valid. */
static bool trace_take(const cs_perf_imc_engine *e, uint64_t record, uint64_t *before,
                       cs_perf_cpu *cpu, cs_perf_event *event)
{
    const cs_perf_imc_memory *m = &e->memory;
    const uint64_t tb1 = cs_perf_imc_memory_get(m, record);
    const uint64_t ip = cs_perf_imc_memory_get(m, record + IP);

    if (tb1 <= *before || (tb1 & TB2_MASK) != cs_perf_imc_memory_get(m, record + TB2))
        return false;
    *before = tb1;
    cs_perf_sample_at(cpu, event, ip, trace_in_kernel(e, record, ip));
    return true;
}

void cs_perf_imc_dump(cs_perf_imc_engine *e, cs_perf_cpu *cpu, cs_perf_event *event)
{
    const uint64_t first = e->imc->trace_at, end = first + e->imc->config.trace_bytes;
    uint64_t record = first, before = 0;

    while (record < end && trace_take(e, record, &before, cpu, event))
        record += RECORD_BYTES;
    cs_perf_imc_memory_set(&e->memory, first, 0);
}
