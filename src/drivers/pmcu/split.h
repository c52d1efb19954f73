// SPDX-License-Identifier: Apache-2.0
/* How the PMCU driver makes triggers out of a request: how events are padded and grouped, how
 * much a sample takes, and how many samples one trigger of the hardware can do. Pure functions. */
#ifndef CS_DRIVERS_PMCU_SPLIT_H
#define CS_DRIVERS_PMCU_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pmcu/abi/aux_header.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PMCU_DRIVER_MAX_EVENTS 240u /* words of the event array, the driver's EV_LEN limit */
#define CS_PMCU_DRIVER_MAX_LOOPS 255u  /* of FSM_CFG.NR_LOOP */
#define CS_PMCU_DRIVER_MAX_PMU 8u
#define CS_PMCU_DRIVER_MAX_PMU_COMP 5u

typedef struct cs_pmcu_layout {
    unsigned nr_pmu;   /* counters that are used: min(events, 8, or 5 in compatibility mode) */
    unsigned nr_event; /* with null events up to a multiple of nr_pmu */
    unsigned subsamples_per_sample;
    unsigned max_sample_loop; /* copies of the events that the event array holds */
    uint32_t subsample_bytes;
    uint64_t sample_bytes;
} cs_pmcu_layout;

/* nr_user_events: 0..CS_PMCU_DRIVER_MAX_EVENTS; without events everything is 0. */
cs_pmcu_layout cs_pmcu_layout_of(unsigned nr_user_events, bool comp, unsigned nr_cpus);

typedef struct cs_pmcu_request {
    unsigned ev_len;  /* FSM_CFG.EV_LEN; 0 with samples 0 */
    unsigned nr_loop; /* FSM_CFG.NR_LOOP */
    uint64_t samples;
    uint64_t bytes;
} cs_pmcu_request;

/* The next trigger where `room` bytes are left in the buffer and `pending` samples are asked
 * for. No samples where the room is too small for one, or none are pending. Up to 255 samples
 * are that many loops of the events; more are 255 loops of as many copies of the events as are
 * needed and fit into the event array. */
cs_pmcu_request cs_pmcu_split(const cs_pmcu_layout *layout, uint64_t room, uint64_t pending);

#ifdef __cplusplus
}
#endif

#endif
