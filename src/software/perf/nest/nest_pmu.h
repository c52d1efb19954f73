// SPDX-License-Identifier: Apache-2.0
/* PMUs of POWER's nest, on our model of its engine (docs/hw/nest.md): counters that the hardware keeps in
 * memory, and a driver that reads them there (docs/drivers/perf.md, "PMUs of the system"). */
#ifndef CS_SOFTWARE_PERF_NEST_PMU_H
#define CS_SOFTWARE_PERF_NEST_PMU_H

#include "software/perf/machine.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A chip's engine and its memory, which all of its PMUs share. It is of one cs_perf. */
typedef struct cs_perf_nest_chip cs_perf_nest_chip;

typedef struct cs_perf_nest_config {
    uint32_t tick_cycles; /* of the engine */
    uint64_t boot_cycles; /* from the chip's reset to the kernel: the engine has begun by then */
    bool power10;
    uint64_t units, speed, mode; /* in the control block at reset */
    cs_event_source work;        /* what the nest does, by CS_EVENT_NEST; borrowed */
} cs_perf_nest_config;

/* CS_ERR_RANGE, CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_perf_nest_chip_create(const cs_perf_nest_config *config, cs_perf_nest_chip **out,
                                   cs_diag *diag);
void cs_perf_nest_chip_destroy(cs_perf_nest_chip *chip); /* NULL is allowed */

/* What the driver of one of its PMUs wants to know: cs_perf_system.config; copied. */
typedef struct cs_perf_nest {
    cs_perf_nest_chip *chip; /* must outlive the cs_perf */
    uint32_t size;           /* of the unit's memory, by the catalog */
} cs_perf_nest;

extern const cs_perf_system_driver cs_perf_nest_driver;

#ifdef __cplusplus
}
#endif

#endif
