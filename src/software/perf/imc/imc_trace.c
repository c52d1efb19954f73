// SPDX-License-Identifier: Apache-2.0
/* Trace mode: records that the hardware wrote become samples (docs/drivers/imc_driver.md, "Dump"). */
#include "software/perf/imc/imc_engine.h"
#include <countersink/formats/perf/abi/perf.h>

#define RECORD_BYTES 64u
#define IP 8u
#define VAL 16u
#define TB2 56u

/* False: the record is not valid. */
static bool trace_take(const cs_perf_imc_engine *e, uint64_t record, uint64_t *before,
                       cs_perf_cpu *cpu, cs_perf_event *event)
{
    const cs_perf_imc_memory *m = &e->memory;
    const uint64_t tb1 = cs_perf_imc_memory_get(m, record);
    const uint64_t ip = cs_perf_imc_memory_get(m, record + IP);

    if (!cs_imc_takes_record(tb1, cs_perf_imc_memory_get(m, record + TB2), before))
        return false;
    const uint16_t misc =
        cs_imc_record_misc(e->imc->config.power10, ip, cs_perf_imc_memory_get(m, record + VAL));
    cs_perf_sample_at(cpu, event, ip,
                      misc == CS_PERF_MISC_KERNEL || misc == CS_PERF_MISC_GUEST_KERNEL);
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
