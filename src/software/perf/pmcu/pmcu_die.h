// SPDX-License-Identifier: Apache-2.0
/* Internal: a die with its PMCU and its cores' PMUs, and the bus between them. The machine's CPUs are in
 * the slots of its clusters, eight each. */
#ifndef CS_SOFTWARE_PERF_PMCU_DIE_H
#define CS_SOFTWARE_PERF_PMCU_DIE_H

#include "software/perf/pmcu/pmcu_pmu.h"
#include "software/perf/pmcu/pmcu_work.h"
#include <countersink/models/corepmu/corepmu.h>
#include <countersink/models/pmcu/pmcu.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Physical addresses. */
#define CS_PERF_PMCU_EVENTS_AT UINT64_C(0x80000000)
#define CS_PERF_PMCU_AUX_AT UINT64_C(0x100000000)

#define CS_PERF_PMCU_SLOTS 8u

typedef struct cs_perf_pmcu_core {
    cs_corepmu *pmu;
    cs_perf_pmcu_work work;
    const cs_perf_task *task; /* that runs, as last heard */
} cs_perf_pmcu_core;

typedef struct cs_perf_pmcu_die {
    cs_perf *perf;
    cs_pmcu *pmcu;
    cs_perf_pmcu_core *cores; /* one for each CPU */
    unsigned nr_cores, clusters;
    bool works;       /* there has been an event */
    cs_cycle reached; /* the PMCU's cycle so far is known of all CPUs */
    uint64_t skew;    /* the PMCU's cycle less the CPUs' */
    cs_cycle port;    /* of the next register access */
    uint8_t events[4 * CS_PERF_PMCU_MOST_EVENTS];
    cs_perf_event *event;         /* whose AUX area is at CS_PERF_PMCU_AUX_AT; NULL: none */
    void (*interrupt)(void *ctx); /* the line is high */
    void *ctx;
} cs_perf_pmcu_die;

/* CS_ERR_RANGE, CS_ERR_NO_MEMORY; to be ended all the same. */
cs_status cs_perf_pmcu_die_init(cs_perf_pmcu_die *die, cs_perf *perf, const cs_perf_pmcu *config,
                                cs_diag *diag);
void cs_perf_pmcu_die_end(cs_perf_pmcu_die *die);

/* Its time begins, unless it has. */
void cs_perf_pmcu_die_begin(cs_perf_pmcu_die *die);
/* Another task runs on the CPU, perhaps. */
void cs_perf_pmcu_die_settle(cs_perf_pmcu_die *die, const cs_perf_cpu *cpu);
/* It comes to where all CPUs are; interrupts on the way. */
void cs_perf_pmcu_die_run(cs_perf_pmcu_die *die);
/* It goes on alone until its line is high. */
void cs_perf_pmcu_die_run_alone(cs_perf_pmcu_die *die);

void cs_perf_pmcu_die_write(cs_perf_pmcu_die *die, uint32_t offset, uint32_t value);
uint32_t cs_perf_pmcu_die_read(const cs_perf_pmcu_die *die, uint32_t offset);
/* A pair of registers, the high one first and at the lower offset. */
void cs_perf_pmcu_die_write_address(cs_perf_pmcu_die *die, uint32_t high, uint64_t address);

#ifdef __cplusplus
}
#endif

#endif
