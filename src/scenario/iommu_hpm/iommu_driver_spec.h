// SPDX-License-Identifier: Apache-2.0
/* perf and the kernel's driver of IOMMUs' monitors. */
#ifndef CS_SCENARIO_IOMMU_HPM_IOMMU_DRIVER_SPEC_H
#define CS_SCENARIO_IOMMU_HPM_IOMMU_DRIVER_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/iommu_hpm/iommu_hpm_spec.h"
#include <countersink/base/cycle.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_MAX_IOMMU_EVENTS 256u /* of all commands, on all their IOMMUs */
#define CS_IOMMU_NAME_BYTES 80u

/* An event, and whose transactions it counts. */
typedef struct cs_iommu_event_spec {
    uint32_t event; /* CS_EVENT_IOMMU */
    uint32_t device_id, process_id, gscid, pscid;
    bool by_device, by_process, by_gscid, by_pscid; /* they are asked for */
    bool partial;   /* of the device_id or GSCID: not its low bits */
    unsigned group; /* 0: alone */
    bool pinned;
    uint64_t config;                /* perf's, which is iohpmevt's bits */
    char name[CS_IOMMU_NAME_BYTES]; /* "tlb_miss,device_id=0x100" */
} cs_iommu_event_spec;

/* One perf stat. */
typedef struct cs_iommu_perf_spec {
    const char **unit_names;
    size_t nr_unit_names;
    unsigned units[CS_MAX_IOMMUS]; /* the same by number; all where no name is given */
    size_t nr_units;
    cs_iommu_event_spec *events;
    size_t nr_events;
    uint64_t start_us;
    uint64_t stop_us;
    uint64_t interval_us; /* -I; 0: only at the end */
} cs_iommu_perf_spec;

typedef struct cs_iommu_driver_spec {
    unsigned tick_us;
    unsigned handler_cycles;
    unsigned event_cycles;
    cs_iommu_perf_spec *perf;
    size_t nr_perf;
} cs_iommu_driver_spec;

/* How often the event happened to whom it asks for, on the unit, in [from, to). `timelines` are those of
 * its sources. It knows the keys, not the registers. */
uint64_t cs_iommu_truth(const cs_iommu_spec *unit, const cs_iommu_event_spec *event,
                        cs_timeline *const timelines[], cs_cycle from, cs_cycle to);

/* It has a stream of somebody it asks for. */
bool cs_iommu_counts(const cs_iommu_spec *unit, const cs_iommu_event_spec *event);

#ifdef __cplusplus
}
#endif

#endif
