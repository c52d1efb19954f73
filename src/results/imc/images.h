// SPDX-License-Identifier: Apache-2.0
/* What IMC and the nest leave in memory, for the commands of perf that ask for it. */
#ifndef CS_RESULTS_IMC_IMAGES_H
#define CS_RESULTS_IMC_IMAGES_H

#include "formats/imc/catalog/catalog.h"
#include "results/common/memory_images.h"
#include "scenario/imc/imc_driver_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_image_source cs_image_imc_trace;  /* buffers of trace mode */
extern const cs_image_source cs_image_imc_core;   /* counters of cores */
extern const cs_image_source cs_image_imc_thread; /* of threads */
extern const cs_image_source cs_image_nest;       /* the nest's window */

/* Does a command have the PMU on the CPU; CS_MAX_CPUS: on any? */
bool cs_imc_has_command(const cs_scenario *scenario, cs_perf_pmu pmu, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
