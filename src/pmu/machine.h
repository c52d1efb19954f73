// SPDX-License-Identifier: Apache-2.0
/* The machine that a program finds: a scenario's cores and workloads, with this computer's CPUs. */
#ifndef CS_PMU_MACHINE_H
#define CS_PMU_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "pmu/pmu.h"
#include "software/perf/machine.h"
#include "software/perf/perf.h"

typedef struct cs_pmu_machine cs_pmu_machine;

/* As cs_pmu_run says of its errors. *out is NULL then. */
cs_status cs_pmu_machine_load(const cs_pmu_options *options, cs_pmu_machine **out, cs_diag *diag);
void cs_pmu_machine_destroy(cs_pmu_machine *machine);

/* For cs_perf_create; valid as long as the machine. */
const cs_perf_machine *cs_pmu_machine_perf(const cs_pmu_machine *machine);
/* The program that has been started: what it writes into files of PMUs counts. */
void cs_pmu_machine_set_program(cs_pmu_machine *machine, pid_t program);
/* Events of this type are ours to count, or to refuse. */
bool cs_pmu_machine_has(const cs_pmu_machine *machine, uint32_t type);
/* What a thread of this name does: the workload that is called so, or has a process that is; else the
 * first. */
cs_event_source cs_pmu_machine_work(cs_pmu_machine *machine, const char *comm);

#endif
