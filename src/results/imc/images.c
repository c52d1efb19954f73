// SPDX-License-Identifier: Apache-2.0
#include "results/imc/images.h"

#include "drivers/imc/imc_memory.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"

#define COUNTER_BYTES 0x2000u /* of a core's or thread's counters */

bool cs_imc_has_command(const cs_scenario *s, cs_perf_pmu pmu, unsigned cpu)
{
    if (!cs_scenario_runs(s, CS_SOFTWARE_imc_driver))
        return false;
    for (size_t i = 0; i < s->imc_driver->nr_perf; i++)
        if (s->imc_driver->perf[i].pmu == pmu &&
            (cpu == CS_MAX_CPUS || s->imc_driver->perf[i].cpus[cpu]))
            return true;
    return false;
}

static unsigned imc_threads(const cs_scenario *s)
{
    return cs_scenario_runs(s, CS_SOFTWARE_imc_driver) ? s->imc->cores * s->imc->threads : 0;
}

/* Of the CPUs that a command of trace mode has. */
static bool trace_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    const unsigned cpu = cs_scenario_imc_cpu(s, 0, 0) + i;
    const cs_imc_memory memory = cs_imc_memory_of(s);

    *out = (cs_image){cpu, cs_imc_trace_buffer(&memory, cpu), memory.trace_bytes};
    return cs_imc_has_command(s, CS_PERF_TRACE, cpu);
}

static bool thread_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    const unsigned cpu = cs_scenario_imc_cpu(s, 0, 0) + i;
    const cs_imc_memory memory = cs_imc_memory_of(s);

    *out = (cs_image){cpu, cs_imc_thread_memory(&memory, cpu), COUNTER_BYTES};
    return cs_imc_has_command(s, CS_PERF_THREAD, cpu);
}

static unsigned cores(const cs_scenario *s)
{
    return cs_imc_has_command(s, CS_PERF_CORE, CS_MAX_CPUS) ? s->imc->cores : 0;
}

static bool core_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    const cs_imc_memory memory = cs_imc_memory_of(s);

    *out = (cs_image){i, cs_imc_core_memory(&memory, i), COUNTER_BYTES};
    return true;
}

const cs_image_source cs_image_imc_trace = {"imc", "a command of imc_driver.perf with pmu: trace",
                                            imc_threads, trace_place};
const cs_image_source cs_image_imc_core = {
    "core-imc", "a command of imc_driver.perf with pmu: core", cores, core_place};
const cs_image_source cs_image_imc_thread = {
    "thread-imc", "a command of imc_driver.perf with pmu: thread", imc_threads, thread_place};
