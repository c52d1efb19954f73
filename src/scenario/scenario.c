#include "scenario/scenario.h"

#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_spec.h"

unsigned cs_scenario_arm_cpus(const cs_scenario *s)
{
    return s->pmcu->clusters * s->pmcu->slots;
}

unsigned cs_scenario_hart_cpu(const cs_scenario *s, unsigned hart)
{
    return cs_scenario_arm_cpus(s) + s->imc->cores * s->imc->threads + hart;
}

unsigned cs_scenario_cpus(const cs_scenario *s)
{
    return s->nr_cpus;
}

cs_cpu_kind cs_scenario_cpu_kind(const cs_scenario *s, unsigned cpu)
{
    if (cpu < cs_scenario_arm_cpus(s))
        return CS_CPU_ARM;
    return cpu < cs_scenario_hart_cpu(s, 0) ? CS_CPU_IMC : CS_CPU_HART;
}

unsigned cs_scenario_imc_cpu(const cs_scenario *s, unsigned core, unsigned thread)
{
    return cs_scenario_arm_cpus(s) + s->imc->threads * core + thread;
}

bool cs_scenario_runs(const cs_scenario *s, cs_software_kind kind)
{
    return (s->software->kinds & CS_SOFTWARE_BIT(kind)) != 0;
}

bool cs_scenario_has_pmcu(const cs_scenario *s)
{
    return s->pmcu->clusters != 0;
}

bool cs_scenario_drives_pmcu(const cs_scenario *s)
{
    return cs_scenario_has_pmcu(s) && (cs_scenario_runs(s, CS_SOFTWARE_PMCU_DRIVER) ||
                                       cs_scenario_runs(s, CS_SOFTWARE_SCRIPT));
}

bool cs_scenario_can_manage(const cs_scenario *s, unsigned cpu)
{
    return cs_scenario_cpu_kind(s, cpu) != CS_CPU_HART && !s->corepmu->absent[cpu] &&
           !s->corepmu->offline[cpu];
}

uint64_t cs_scenario_us(const cs_scenario *s, uint64_t us)
{
    return us * s->bus->clock_mhz;
}
