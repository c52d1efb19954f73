// SPDX-License-Identifier: Apache-2.0
/* PMUs of POWER's cores that collect in memory: core_imc, thread_imc, trace_imc, on our model of the
 * engine (docs/hw/imc.md), as the kernel's driver has them (docs/drivers/perf.md, "PMUs of the
 * system"). Each CPU is the first thread of a core of its own, whose other threads do nothing. */
#ifndef CS_SOFTWARE_PERF_IMC_PMU_H
#define CS_SOFTWARE_PERF_IMC_PMU_H

#include "software/perf/machine.h"
#include <countersink/base/diag.h>
#include <countersink/models/imc/imc_timebase.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The engines and their memory, which all three PMUs share. They are of one cs_perf. */
typedef struct cs_perf_imc cs_perf_imc;

typedef struct cs_perf_imc_config {
    bool power10;
    unsigned tap_log2;
    cs_imc_timebase timebase;        /* by core cycles */
    uint64_t event_mask, trace_scom; /* as the firmware writes them */
    const uint16_t
        *event_of;        /* [258] the stream of each select code, of CPMC3 and CPMC4; borrowed */
    uint32_t trace_bytes; /* of a trace buffer, by the catalog; 0: no trace mode */
} cs_perf_imc_config;

cs_perf_imc *cs_perf_imc_create(const cs_perf_imc_config *config); /* NULL: no memory */
void cs_perf_imc_destroy(cs_perf_imc *imc);                        /* NULL is allowed */

/* What the driver of a PMU wants to know: cs_perf_system.config; copied. */
typedef struct cs_perf_imc_unit {
    cs_perf_imc *imc; /* must outlive the cs_perf */
    uint32_t size;    /* of the unit's memory, by the catalog */
} cs_perf_imc_unit;

extern const cs_perf_system_driver cs_perf_imc_core_driver, cs_perf_imc_thread_driver,
    cs_perf_imc_trace_driver;

#ifdef __cplusplus
}
#endif

#endif
