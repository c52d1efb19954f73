/* The cores' PMUs. */
#ifndef CS_SCENARIO_COREPMU_COREPMU_SPEC_H
#define CS_SCENARIO_COREPMU_COREPMU_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"

typedef struct cs_corepmu_spec {
    unsigned clock_mhz;
    unsigned counters;
    bool ext64;
    unsigned hpmn; /* default: counters */
    bool hpme;
    bool hpmd;
    bool spme;
    bool wfi_clock; /* goes on while a core waits for an interrupt */
    bool offline[CS_MAX_CPUS];
    bool absent[CS_MAX_CPUS];
    bool locked[CS_MAX_CPUS];
} cs_corepmu_spec;

#endif
