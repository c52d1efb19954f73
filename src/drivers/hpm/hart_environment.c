// SPDX-License-Identifier: Apache-2.0
#include "drivers/hpm/hart_environment.h"

#include <string.h>

#include "drivers/hpm/riscv.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/machine/bus_spec.h"

cs_hpm_config cs_environment_hpm(const cs_environment *env, unsigned hart)
{
    const cs_harts_spec *s = env->scenario->harts;
    cs_hpm_config config = {
        .xlen = s->xlen,
        .modes = s->modes,
        .counters = (uint32_t)(((UINT64_C(1) << s->counters) - 1) << 3),
        .sscofpmf = s->sscofpmf,
        .smcntrpmf = s->smcntrpmf,
        .smcdeleg = s->smcdeleg,
        .aia = s->aia,
        .lcofi_latency = s->lcofi_latency,
        .unit = (uint16_t)CS_UNIT_HART(hart),
    };

    memset(config.width, (int)s->width, sizeof config.width);
    return config;
}

cs_hart_config cs_environment_hart(const cs_environment *env, unsigned hart)
{
    const cs_harts_spec *s = env->scenario->harts;

    return (cs_hart_config){
        .number = hart,
        .xlen = s->xlen,
        .costs = {s->csr_cycles, s->trap_cycles, s->return_cycles, s->irq_latency_cycles,
                  s->access_cycles},
        .time_start = s->timebase_start,
        .time_mhz = s->timebase_mhz,
        .clock_mhz = env->scenario->bus->clock_mhz,
        .software = cs_riscv_run,
        .software_ctx = cs_riscv_of(env, hart),
    };
}

void cs_environment_hart_run(cs_environment *env, unsigned hart, cs_cycle cycle,
                             cs_hart_track track)
{
    cs_environment_run(env, cs_scenario_hart_cpu(env->scenario, hart), cycle, track);
}

bool cs_environment_hart_masks(const cs_environment *env, unsigned hart)
{
    const cs_scenario *s = env->scenario;
    const unsigned cpu = cs_scenario_hart_cpu(s, hart);

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++)
            if (s->workloads[i].cpus[cpu] && s->workloads[i].segments[k].irqs_off)
                return true;
    return false;
}
