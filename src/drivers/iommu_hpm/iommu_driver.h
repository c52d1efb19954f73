// SPDX-License-Identifier: Apache-2.0
/* perf stat on the monitors of IOMMUs, with the kernel's driver below it (docs/drivers/iommu_driver.md).
 * It knows nothing of them but their registers (docs/hw/iommu_hpm.md). */
#ifndef CS_DRIVERS_IOMMU_HPM_IOMMU_DRIVER_H
#define CS_DRIVERS_IOMMU_HPM_IOMMU_DRIVER_H

#include "drivers/count.h"
#include "drivers/software.h"
#include "scenario/iommu_hpm/iommu_driver_spec.h"
#include "scenario/iommu_hpm/iommu_hpm_spec.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;

typedef struct cs_iommu_driver cs_iommu_driver;

extern const cs_count_family cs_iommu_family; /* of the counts that it tells */

/* A counter is given to an event; told before the counter's first access for it. */
typedef struct cs_iommu_placed {
    unsigned unit, counter; /* counter 0 is iohpmcycles */
    unsigned serial;        /* as in cs_count */
} cs_iommu_placed;

CS_SOFT_KIND(iommu_placed, cs_iommu_placed)

typedef struct cs_iommu_driver_config {
    const cs_iommu_driver_spec *spec; /* borrowed; in the ranges of the scenario's keys */
    const cs_iommu_hpm_spec *units;   /* likewise */
    unsigned cpu;                     /* that does all of it */
    bool interrupts;                  /* its workload; false: it runs beside it */
    unsigned clock_mhz;               /* bus cycles of a microsecond */
    unsigned access_cycles;           /* CPU work before each register access */
    unsigned irq_latency_cycles;      /* from a line to the handler */
    const cs_soft_sink *soft;         /* what it tells; borrowed, may be NULL */
} cs_iommu_driver_config;

/* CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_iommu_driver_create(const cs_iommu_driver_config *config, cs_iommu_driver **out,
                                 cs_diag *diag);
void cs_iommu_driver_destroy(cs_iommu_driver *driver); /* NULL is allowed */
cs_software cs_iommu_driver_software(cs_iommu_driver *driver);

/* So far; valid until destroy. */
const cs_rotating_report *cs_iommu_driver_get_report(const cs_iommu_driver *driver);
/* Memory ran out while events were opened or closed; the software has ended then. */
bool cs_iommu_driver_failed(const cs_iommu_driver *driver);

/* NULL where it does not run. */
cs_iommu_driver *cs_iommu_driver_of(const struct cs_environment *environment);

#ifdef __cplusplus
}
#endif

#endif
