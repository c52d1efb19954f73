// SPDX-License-Identifier: Apache-2.0
#include "drivers/imc/imc_memory.h"

#define SMALL_MEMORY 8192u

uint64_t cs_imc_trace_bytes(const cs_imc_catalog *catalog)
{
    const cs_imc_unit *unit = cs_imc_catalog_pmu(catalog, "trace_imc");
    uint64_t bytes = SMALL_MEMORY;

    if (unit == NULL)
        return CS_IMC_TRACE_BYTES;
    while (bytes < unit->size) /* whole pages, a power of two of them */
        bytes *= 2;
    return bytes;
}

unsigned cs_imc_end_cpu(const cs_imc_memory *m)
{
    return m->first_cpu + m->cores * m->threads;
}

uint64_t cs_imc_core_memory(const cs_imc_memory *m, unsigned core)
{
    return m->base + (uint64_t)core * SMALL_MEMORY;
}

uint64_t cs_imc_thread_memory(const cs_imc_memory *m, unsigned cpu)
{
    return cs_imc_core_memory(m, m->cores) + (uint64_t)(cpu - m->first_cpu) * SMALL_MEMORY;
}

uint64_t cs_imc_trace_buffer(const cs_imc_memory *m, unsigned cpu)
{
    const uint64_t bytes = m->trace_bytes;
    const uint64_t after = cs_imc_thread_memory(m, cs_imc_end_cpu(m));

    return (after + bytes - 1) / bytes * bytes + (cpu - m->first_cpu) * bytes;
}
