// SPDX-License-Identifier: Apache-2.0
/* What a count of POWER's perf ought to be: the exact sum of the streams behind the event, with the
 * modes that its filter lets pass. */
#ifndef CS_RESULTS_IMC_PERF_TRUTH_H
#define CS_RESULTS_IMC_PERF_TRUTH_H

#include "drivers/imc/imc_driver.h"
#include "results/common/counts.h"
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of cs_imc_family. `timelines` as in cs_environment. The names are the catalog's. */
cs_counted cs_imc_counted_of(const cs_scenario *scenario, cs_timeline *const timelines[],
                             const cs_count *count);

/* The same of an event of thread_imc on one thread, from the one cycle to the other. */
uint64_t cs_imc_thread_truth(const cs_scenario *scenario, cs_timeline *timeline,
                             const cs_imc_event *event, cs_cycle from, cs_cycle to);

#ifdef __cplusplus
}
#endif

#endif
