// SPDX-License-Identifier: Apache-2.0
/* What the files of the model share; nobody else includes it. */
#ifndef CS_MODELS_IOMMU_HPM_IOMMU_HPM_INTERNAL_H
#define CS_MODELS_IOMMU_HPM_IOMMU_HPM_INTERNAL_H

#include <countersink/models/iommu_hpm/iommu_hpm.h>

#define CYCLES 0u /* the number of iohpmcycles among the counters */
#define OF ((uint64_t)1 << 63)

typedef struct iommu_counter {
    uint64_t value; /* in cycle `since` */
    cs_cycle since;
    uint64_t evt; /* of an event counter; without OF */
    bool of;
} iommu_counter;

/* Counters are behind `now` until somebody asks, and so are their OF; but a wrap below `now` that
 * raises the line has been executed. */
struct cs_iommu_hpm {
    cs_iommu_hpm_config config;
    cs_iommu_hpm_env env;
    cs_cycle now;
    cs_cycle free; /* the first cycle in which an access may take effect */
    uint32_t inhibit;
    bool pmip;
    iommu_counter counter[1 + CS_IOMMU_HPM_MAX_COUNTERS]; /* iohpmcycles, then iohpmctr n */
};

/* Masks have bit n for counter n. */
uint32_t cs_iommu_hpm_existing(const cs_iommu_hpm *iommu);
uint64_t cs_iommu_hpm_value_mask(const cs_iommu_hpm *iommu, unsigned n);
/* Brings the counters of `mask` up to cycle `to`, with OF, and pmip where a wrap sets it; returns
 * which have wrapped. */
uint32_t cs_iommu_hpm_settle(cs_iommu_hpm *iommu, uint32_t mask, cs_cycle to);
/* Reports the line of cycle `now` if it is not what it was. */
void cs_iommu_hpm_show_line(cs_iommu_hpm *iommu, bool was);

#endif
