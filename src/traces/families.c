// SPDX-License-Identifier: Apache-2.0
#include "scenario/cpus.h"
#include "traces/family.h"

#define ROW(name) &cs_trace_family_##name,
const cs_trace_family *const cs_trace_families[CS_NR_TRACE_FAMILIES] = {CS_TRACE_FAMILIES(ROW)};
#undef ROW

#define ROW(name) &cs_trace_cpu_##name,
static const cs_trace_cpu *const cpus[] = {CS_TRACE_CPUS(ROW)};
#undef ROW

const cs_trace_cpu *cs_trace_cpu_of(const cs_scenario *s, unsigned cpu)
{
    const cs_cpu_class *class = cs_scenario_cpu_class(s, cpu);

    for (size_t i = 0; cpu < cs_scenario_cpus(s) && i < sizeof cpus / sizeof cpus[0]; i++)
        if (cpus[i]->section->cpus == class)
            return cpus[i];
    return cpus[0];
}
