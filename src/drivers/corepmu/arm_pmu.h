// SPDX-License-Identifier: Apache-2.0
/* perf on the core PMUs by the kernel's own driver, as armv8_pmuv3 does it: straight-line code on each
 * CPU that gives events their counters, in turns where there are too few, writes and reads them by
 * system registers, and handles their overflow interrupts (docs/drivers/two_owners.md,
 * docs/drivers/software_way.md). It runs beside whatever the CPU port does, the PMCU's driver
 * among them, and knows of that only by the claims below. */
#ifndef CS_DRIVERS_COREPMU_ARM_PMU_H
#define CS_DRIVERS_COREPMU_ARM_PMU_H

#include "base/probe/soft.h"
#include "drivers/corepmu/arm_core.h"
#include "drivers/count.h"
#include "scenario/corepmu/arm_pmu_spec.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;

typedef struct cs_arm_pmu cs_arm_pmu;

/* A CPU executes nothing in [off, on). */
typedef struct cs_arm_outage {
    unsigned cpu;
    cs_cycle off, on;
    bool power;   /* its PMU loses its registers */
    bool hotplug; /* the system has taken it away: events of CPUs end */
} cs_arm_outage;

typedef struct cs_arm_pmu_config {
    const cs_arm_pmu_spec *spec; /* borrowed; in the ranges of the scenario's keys */
    unsigned clock_mhz;          /* bus cycles of a microsecond */
    unsigned nr_cpus;            /* spec->cpus beyond them are not looked at */
    unsigned die_cpus;           /* of them so many to each PMCU; >= 1 */
    unsigned home;               /* where perf sleeps, if it is a process */
    cs_arm_outage *outages;      /* in rising order of each CPU; taken over, freed by free() */
    size_t nr_outages;
    cs_timeline *const *timelines; /* by CPU: who runs there; borrowed */
    const cs_soft_sink *soft;      /* borrowed, may be NULL */
} cs_arm_pmu_config;

typedef struct cs_arm_sample {
    unsigned event;
    uint32_t number;
    uint32_t pid;
    uint8_t mode;
    uint64_t pc;
    uint64_t period; /* perf's: events since the last */
    uint64_t of;     /* the so manyth of this event on this CPU, from 0 */
} cs_arm_sample;

/* What the driver tells, with the CPU. */
CS_SOFT_KIND(arm_sample, cs_arm_sample)

typedef struct cs_arm_pmu_report {
    cs_rotating_report rotating; /* of counts that `perf stat` prints: interrupts and accesses */
    uint64_t interrupts;
    uint64_t spurious; /* no counter of perf's had overflowed */
    uint64_t samples;
    uint64_t switches;      /* the process came or went */
    uint64_t yields;        /* CPUs that gave their counters up, all together */
    cs_cycle granted_after; /* the longest that a claim of the PMCU's driver waited */
    bool refused;           /* perf got EBUSY, on some CPU at least */
} cs_arm_pmu_report;

/* What an event came to at its end, and at each reading of -I: of the counts that `perf stat` prints, and
 * of others, which perf keeps to itself. `own` is the number of its counter, an unsigned; 31: of cycles. */
extern const cs_count_family cs_arm_pmu_family, cs_arm_kept_family;

/* CS_ERR_NO_MEMORY; *out is NULL then, and the outages are freed. */
cs_status cs_arm_pmu_create(const cs_arm_pmu_config *config, cs_arm_pmu **out, cs_diag *diag);
void cs_arm_pmu_destroy(cs_arm_pmu *pmu); /* NULL is allowed */
const cs_arm_pmu_report *cs_arm_pmu_get_report(const cs_arm_pmu *pmu);

/* ---- a PMCU's driver wants the counters of its die ---- */

typedef enum cs_arm_claim {
    CS_ARM_CLAIM_GRANTED,
    CS_ARM_CLAIM_WAIT, /* ask again later */
    CS_ARM_CLAIM_BUSY  /* perf has them, and keeps them */
} cs_arm_claim;

/* In cycle `now`, the first time and again while it has to wait. */
cs_arm_claim cs_arm_pmu_claim(cs_arm_pmu *pmu, unsigned die, cs_cycle now);
/* A claim that was granted ends in cycle `now`. */
void cs_arm_pmu_release(cs_arm_pmu *pmu, unsigned die, cs_cycle now);

/* ---- in an environment ---- */

/* NULL where it does not run. */
cs_arm_pmu *cs_arm_pmu_of(const struct cs_environment *environment);
/* The software of a CPU's core; false: it has none. */
bool cs_environment_arm_core(const struct cs_environment *environment, unsigned cpu,
                             cs_arm_core_config *out);
/* Its accesses are a guest's. */
bool cs_environment_arm_guest(const struct cs_environment *environment);

#ifdef __cplusplus
}
#endif

#endif
