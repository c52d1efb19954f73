// SPDX-License-Identifier: Apache-2.0
/* What is told of CPUs that go off (corepmu.outages), at the end of the run. */
#ifndef CS_RESULTS_COREPMU_OUTAGES_PART_H
#define CS_RESULTS_COREPMU_OUTAGES_PART_H

#include <stdint.h>

#include "base/probe/soft.h"
#include <countersink/base/cycle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The CPU executed nothing in [off, on); those of a CPU come in rising order. */
typedef struct cs_outage {
    uint8_t kind; /* CS_OUTAGE_HOTPLUG .. */
    cs_cycle off, on;
} cs_outage;

CS_SOFT_KIND(outage, cs_outage) /* the record's cycle is `off` */
extern const char *const cs_outage_names[];

#ifdef __cplusplus
}
#endif

#endif
