// SPDX-License-Identifier: Apache-2.0
/* The PMU that `countersink pmu` shows to a program. */
#ifndef CS_SCENARIO_MACHINE_PMU_SPEC_H
#define CS_SCENARIO_MACHINE_PMU_SPEC_H

typedef enum cs_pmu_core {
    CS_PMU_CORE_X86,
    CS_PMU_CORE_ARM,
    CS_PMU_CORE_RV64,
    CS_PMU_CORE_RV64_PLAIN,
    CS_PMU_CORE_NONE
} cs_pmu_core;

typedef struct cs_pmu_spec {
    unsigned core;     /* cs_pmu_core */
    unsigned counters; /* general ones; 0: as that core has */
    unsigned mux_us;   /* rotation; 0: as the kernel's default */
    unsigned sample_rate;
} cs_pmu_spec;

#endif
