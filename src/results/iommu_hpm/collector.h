// SPDX-License-Identifier: Apache-2.0
/* What the counters of IOMMUs really counted for software.kind iommu, beside what it reports: it listens
 * to the register accesses, follows which counter counts for which event in which cycles, and asks the
 * timelines for the exact sums. It knows that software: accesses of 4 bytes. */
#ifndef CS_RESULTS_IOMMU_HPM_COLLECTOR_H
#define CS_RESULTS_IOMMU_HPM_COLLECTOR_H

#include "drivers/count.h"
#include "drivers/iommu_hpm/iommu_driver.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_iommu_collector cs_iommu_collector;

typedef struct cs_iommu_results {
    struct {
        uint64_t accesses;
        uint64_t wrong; /* events whose count is not what their counters counted */
        uint64_t lost;  /* what happened of them while a handler had stopped all counters */
    } units[CS_MAX_IOMMUS];
    uint64_t wrong, lost; /* of all */
} cs_iommu_results;

/* Borrows both. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_iommu_collector_create(const cs_scenario *scenario, cs_timeline *const timelines[],
                                    cs_iommu_collector **out, cs_diag *diag);
void cs_iommu_collector_destroy(cs_iommu_collector *collector); /* NULL is allowed */

void cs_iommu_collector_record(cs_iommu_collector *collector, const cs_probe_record *record);
/* A counter is given to an event. */
void cs_iommu_collector_placed(cs_iommu_collector *collector, const cs_iommu_placed *placed);
/* A count as the software tells it; those of others and of intervals are passed over. */
void cs_iommu_collector_count(cs_iommu_collector *collector, const cs_count *count);

/* To be called once. `ended`: the software has, so that every count has been told. */
void cs_iommu_collector_finish(cs_iommu_collector *collector, bool ended, cs_iommu_results *out);

#ifdef __cplusplus
}
#endif

#endif
