// SPDX-License-Identifier: Apache-2.0
/* What the files of the driver share. The software is straight-line code (drivers/routine.h); which event
 * counts, and when, is perf's core's (drivers/unit_pmu). */
#ifndef CS_DRIVERS_IOMMU_HPM_IOMMU_DRIVER_IMPL_H
#define CS_DRIVERS_IOMMU_HPM_IOMMU_DRIVER_IMPL_H

#include "drivers/iommu_hpm/iommu_driver.h"
#include "drivers/routine.h"
#include "drivers/unit_pmu/unit_pmu.h"

#define IOMMU_COUNTERS 32u /* iohpmcycles, then those of events */

typedef struct iommu_unit {
    uint64_t base;     /* of its registers */
    uint64_t masks[2]; /* of iohpmcycles, of another counter: as the driver found them */
} iommu_unit;

struct cs_iommu_driver {
    cs_iommu_driver_config config;
    cs_routine routine;
    iommu_unit regs[CS_MAX_IOMMUS];
    cs_units units;
    unsigned numbers[CS_MAX_IOMMUS]; /* of the CPU's units: all */
    cs_unit_cpu cpu;
    cs_unit_session *sessions;
};

/* ---- iommu_counter.c: registers, as the kernel's driver accesses them ---- */

/* What there is of it. */
void cs_iommu_detect(cs_iommu_driver *driver, unsigned unit);
/* For cs_units_ops. */
void cs_iommu_change(void *driver, cs_unit *unit, cs_unit_event *const to[], uint32_t moves);
cs_cycle cs_iommu_read(void *driver, cs_unit_event *event);
/* The handler's work. */
void cs_iommu_take_overflows(cs_iommu_driver *driver, const cs_unit *unit);

#endif
