/* The die and its PMCU. */
#ifndef CS_SCENARIO_PMCU_PMCU_SPEC_H
#define CS_SCENARIO_PMCU_PMCU_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_pmcu_spec {
    unsigned clusters;
    unsigned slots;
    unsigned lanes;
    bool broadcast;
    bool prefetch;
    unsigned order;       /* cs_pmcu_order */
    unsigned tick_cycles; /* default: bus.clock_mhz / 50 */
} cs_pmcu_spec;

#endif
