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

void cs_environment_hart_run(cs_environment *env, unsigned hart, cycle_t cycle, cs_hart_track track)
{
    cs_environment_run(env, cs_scenario_hart_cpu(env->scenario, hart), cycle, track);
}
