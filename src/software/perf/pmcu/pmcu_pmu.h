// SPDX-License-Identifier: Apache-2.0
/* HiSilicon's PMCU as a PMU with an AUX area, on our model of it (docs/hw/pmcu.md), with the published
 * driver (docs/drivers/perf.md, "PMUs of the system"). */
#ifndef CS_SOFTWARE_PERF_PMCU_PMU_H
#define CS_SOFTWARE_PERF_PMCU_PMU_H

#include "software/perf/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_PMCU_MOST_EVENTS 240u

/* What the driver wants to know: cs_perf_system.config; copied. */
typedef struct cs_perf_pmcu {
    unsigned lanes; /* 1..4 */
    unsigned order; /* cs_pmcu_order */
    bool prefetch, broadcast;
    /* The file `user_events` at this moment: Arm's numbers, how many. */
    size_t (*user_events)(void *ctx, uint16_t events[CS_PERF_PMCU_MOST_EVENTS]);
    void *ctx;
} cs_perf_pmcu;

extern const cs_perf_system_driver cs_perf_pmcu_driver;

#ifdef __cplusplus
}
#endif

#endif
