/* The PMCU driver's settings. */
#ifndef CS_SCENARIO_PMCU_PMCU_DRIVER_SPEC_H
#define CS_SCENARIO_PMCU_PMCU_DRIVER_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cycle.h"
#include "scenario/limits.h"

typedef struct cs_pmcu_driver_spec {
    uint32_t user_events[CS_MAX_USER_EVENTS];
    unsigned nr_user_events;
    unsigned nr_ignored_events; /* beyond 240; stands behind nr_user_events */
    unsigned nr_sample;
    unsigned sample_period_ms;    /* 0 when sample_period_ticks is given */
    uint32_t sample_period_ticks; /* 50 MHz ticks; what the hardware gets */
    unsigned pmccfiltr;
    bool comp;
    uint64_t aux_base; /* physical address of AUX buffer 0 */
    uint64_t aux_buffer_bytes;
    unsigned aux_buffers;
    uint64_t data_base;    /* where the driver keeps its event array */
    cycle_t stop_at_cycle; /* perf is stopped by the user; 0: never */
} cs_pmcu_driver_spec;

#endif
