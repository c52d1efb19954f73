// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "pmu/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/embedded.h"
#include "pmu/systems/systems.h"
#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/pmu_spec.h"

/* configs/pmu */
extern const cs_embedded cs_pmu_machines[];
#define DEFAULT_NAME "x86"
/* A program may have events of the kernel's beside ours: their ids count from 1 on. */
#define IDS_ABOVE (UINT64_C(1) << 32)

struct cs_pmu_machine {
    cs_perf_machine perf;
    cs_perf_core core;
    cs_scenario *scenario;
    cs_timelines *timelines;
    cs_pmu_systems *systems;
};

void cs_pmu_machine_destroy(cs_pmu_machine *machine)
{
    if (machine == NULL)
        return;
    cs_pmu_systems_destroy(machine->systems);
    cs_timelines_destroy(machine->timelines);
    cs_scenario_destroy(machine->scenario);
    free(machine);
}

static cs_status load_default(const cs_pmu_options *options, cs_scenario **out, cs_diag *diag)
{
    const cs_embedded *file = cs_pmu_machines;

    while (strcmp(file->name, DEFAULT_NAME) != 0)
        file++;
    return cs_scenario_parse(file->text, strlen(file->text), DEFAULT_NAME, ".", options->sets,
                             options->nr_sets, out, diag);
}

/* Those of this computer. */
static unsigned count_cpus(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    if (online < 1)
        return 1;
    return online > (long)CS_PERF_MOST_CPUS ? CS_PERF_MOST_CPUS : (unsigned)online;
}

static cs_status load(const cs_pmu_options *options, cs_pmu_machine *machine, cs_diag *diag)
{
    const cs_scenario *s;
    cs_status status = options->machine == NULL
                           ? load_default(options, &machine->scenario, diag)
                           : cs_scenario_load_simulated(options->machine, options->sets,
                                                        options->nr_sets, &machine->scenario, diag);

    if (status != CS_OK)
        return status;
    s = machine->scenario;
    if (s->bus->clock_mhz != s->core_clock.mhz)
        return cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                           "%s is %u and bus.clock_mhz is %u: expected the same, since a thread's "
                           "time is counted in both",
                           s->core_clock.key, s->core_clock.mhz, s->bus->clock_mhz);
    if (s->nr_workloads == 0)
        return cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                           "no workload says what a program does: expected one in workloads");
    status = cs_scenario_timelines(s, &machine->timelines, diag);
    return status == CS_OK
               ? cs_pmu_systems_create(s, machine->timelines, count_cpus(), &machine->systems, diag)
               : status;
}

static void fill_core(cs_pmu_machine *machine, const cs_pmu_options *options)
{
    const cs_pmu_spec *spec = machine->scenario->pmu;
    static const cs_perf_core *const cores[] = {
        [CS_PMU_CORE_X86] = &cs_perf_core_x86,
        [CS_PMU_CORE_ARM] = &cs_perf_core_arm,
        [CS_PMU_CORE_RV64] = &cs_perf_core_rv64,
        [CS_PMU_CORE_RV64_PLAIN] = &cs_perf_core_rv64_plain,
        [CS_PMU_CORE_NONE] = &cs_perf_core_x86, /* its numbers are refused */
    };

    machine->core = *cores[spec->core];
    if (spec->counters != 0)
        machine->core.counters = spec->counters;
    if (options->counters != 0)
        machine->core.counters = options->counters;
    machine->core.no_interrupt = machine->core.no_interrupt || options->no_overflow;
}

static void fill(cs_pmu_machine *machine, const cs_pmu_options *options)
{
    fill_core(machine, options);
    machine->perf = (cs_perf_machine){
        .nr_cpus = count_cpus(),
        .clock_mhz = machine->scenario->core_clock.mhz,
        .core = machine->scenario->pmu->core != CS_PMU_CORE_NONE ? &machine->core : NULL,
        .paranoid = options->paranoid,
        .sample_rate = machine->scenario->pmu->sample_rate,
        .mux_us = machine->scenario->pmu->mux_us,
        .ids_above = IDS_ABOVE,
    };
}

/* A PMU that is not there by wish; false: there is none of that name. */
static bool deny(cs_pmu_machine *machine, const char *name)
{
    if (machine->perf.core == NULL || strcmp(name, machine->core.name) != 0)
        return cs_pmu_systems_remove(machine->systems, name);
    machine->perf.core = NULL;
    return true;
}

static void put_name(char *names, size_t size, const char *name)
{
    const size_t used = strlen(names);

    snprintf(names + used, size - used, "%s%s", used != 0 ? ", " : "", name);
}

static cs_status deny_wished(cs_pmu_machine *machine, const char *name, cs_diag *diag)
{
    char names[256] = "";
    size_t nr;
    const cs_perf_system *systems = cs_pmu_systems_list(machine->systems, &nr);

    if (name == NULL || deny(machine, name))
        return CS_OK;
    if (machine->perf.core != NULL)
        put_name(names, sizeof names, machine->core.name);
    for (size_t i = 0; i < nr; i++)
        put_name(names, sizeof names, systems[i].name);
    return cs_diag_set(diag, CS_ERR_USAGE, "--deny", "found '%s', expected a PMU: %s", name,
                       names[0] != '\0' ? names : "but the machine has none");
}

cs_status cs_pmu_machine_load(const cs_pmu_options *options, cs_pmu_machine **out, cs_diag *diag)
{
    cs_pmu_machine *machine = calloc(1, sizeof *machine);
    cs_status status;

    *out = NULL;
    if (machine == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a machine");
    status = load(options, machine, diag);
    if (status == CS_OK)
        fill(machine, options);
    if (status == CS_OK)
        status = deny_wished(machine, options->deny, diag);
    if (status != CS_OK) {
        cs_pmu_machine_destroy(machine);
        return status;
    }
    machine->perf.systems = cs_pmu_systems_list(machine->systems, &machine->perf.nr_systems);
    *out = machine;
    return CS_OK;
}

const cs_perf_machine *cs_pmu_machine_perf(const cs_pmu_machine *machine)
{
    return &machine->perf;
}

void cs_pmu_machine_set_program(cs_pmu_machine *machine, pid_t program)
{
    cs_pmu_systems_set_program(machine->systems, program);
}

static bool has_system(const cs_pmu_machine *machine, uint32_t type)
{
    size_t i = 0;

    while (i < machine->perf.nr_systems && machine->perf.systems[i].type != type)
        i++;
    return i < machine->perf.nr_systems;
}

bool cs_pmu_machine_has(const cs_pmu_machine *machine, uint32_t type)
{
    return type == CS_PERF_TYPE_HARDWARE || type == CS_PERF_TYPE_CACHE ||
           type == CS_PERF_TYPE_RAW || type == machine->core.type || has_system(machine, type);
}

/* ---- work ---- */

static bool is_called(const cs_workload_spec *workload, const char *comm)
{
    if (strcmp(workload->name, comm) == 0)
        return true;
    for (size_t i = 0; i < workload->nr_segments; i++)
        if (strcmp(workload->segments[i].process, comm) == 0)
            return true;
    return false;
}

static unsigned first_cpu(const cs_workload_spec *workload)
{
    unsigned cpu = 0;

    while (cpu < CS_MAX_CPUS && !workload->cpus[cpu])
        cpu++;
    return cpu < CS_MAX_CPUS ? cpu : 0;
}

cs_event_source cs_pmu_machine_work(cs_pmu_machine *machine, const char *comm)
{
    const cs_scenario *s = machine->scenario;
    const cs_workload_spec *workload = s->workloads;

    for (size_t i = 0; i < s->nr_workloads; i++)
        if (is_called(&s->workloads[i], comm)) {
            workload = &s->workloads[i];
            break;
        }
    return cs_timeline_event_source(cs_timelines_cpu(machine->timelines, first_cpu(workload)));
}
