// SPDX-License-Identifier: Apache-2.0
#include "scenario/imc/imc_processes.h"

#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/software_spec.h"

/* NULL: the CPU has none. */
static const cs_workload_spec *workload_of(const cs_scenario *s, unsigned cpu)
{
    for (size_t i = 0; i < s->nr_workloads; i++)
        if (s->workloads[i].cpus[cpu])
            return &s->workloads[i];
    return NULL;
}

static bool runs(const cs_scenario *s, unsigned cpu, uint32_t pid)
{
    const cs_workload_spec *w = workload_of(s, cpu);

    for (size_t i = 0; w != NULL && i < w->nr_segments; i++)
        if (w->segments[i].cid1 == pid)
            return true;
    return false;
}

unsigned cs_scenario_imc_processes(const cs_scenario *s, unsigned cpu)
{
    const cs_workload_spec *w = workload_of(s, cpu);
    unsigned count = w == NULL;

    for (size_t i = 0; w != NULL && i < w->nr_segments; i++) {
        size_t first = 0;

        while (w->segments[first].cid1 != w->segments[i].cid1)
            first++;
        count += first == i;
    }
    return count;
}

void cs_imc_place_processes(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    cs_perf_spec *p = &s->imc_driver->perf[i];

    p->task = true;
    if (cs_check_at(check, "imc_driver.perf.%zu.cpus", i) != NULL)
        return;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        for (size_t k = 0; k < p->nr_processes && cs_scenario_is_imc(s, cpu); k++)
            p->cpus[cpu] |= runs(s, cpu, p->processes[k].pid);
}

/* One process. */
static cs_status check_process(cs_check *check, const cs_perf_spec *p, size_t k)
{
    const cs_scenario *s = check->scenario;
    const uint32_t pid = p->processes[k].pid;
    unsigned cpus = 0, forever = CS_MAX_CPUS, other = 0;

    for (size_t j = 0; j < k; j++)
        if (p->processes[j].pid == pid)
            return cs_check_fail(check, "is there twice");
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        if (!cs_scenario_is_imc(s, cpu) || !runs(s, cpu, pid))
            continue;
        cpus++;
        if (cs_scenario_imc_processes(s, cpu) == 1 && forever == CS_MAX_CPUS)
            forever = cpu;
        else
            other = cpu;
    }
    if (cpus == 0)
        return cs_check_fail(check, "no workload of a thread of IMC has a segment of it (pid)");
    if (forever != CS_MAX_CPUS && cpus > 1)
        return cs_check_fail(check,
                             "never leaves CPU %u, whose workload has no other process, so that "
                             "CPU %u could not run it",
                             forever, other);
    return CS_OK;
}

cs_status cs_imc_check_processes(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_perf_spec *p = &s->imc_driver->perf[i];
    cs_status status = CS_OK;

    if (p->nr_processes == 0)
        return CS_OK;
    if (cs_check_at(check, "imc_driver.perf.%zu.cpus", i) != NULL)
        return cs_check_fail(check, "not allowed with processes: they are counted wherever their "
                                    "workloads run");
    cs_check_at(check, "imc_driver.perf.%zu.processes", i);
    if (p->pmu != CS_PERF_THREAD && p->pmu != CS_PERF_TRACE)
        return cs_check_fail(check, "only thread and trace are of tasks");
    if (!s->software->port_per_cpu)
        return cs_check_fail(check,
                             "needs software.ports: per_cpu, as each CPU switches for itself");
    if (s->imc->nr_deep_stops != 0)
        return cs_check_fail(check, "not allowed with imc.deep_stops: a core that sleeps runs no "
                                    "process");
    for (size_t k = 0; k < p->nr_processes && status == CS_OK; k++) {
        cs_check_at(check, "imc_driver.perf.%zu.processes.%zu.pid", i, k);
        status = check_process(check, p, k);
    }
    return status;
}
