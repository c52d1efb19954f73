// SPDX-License-Identifier: Apache-2.0
/* Internal: a chip, as its PMUs use it. */
#ifndef CS_SOFTWARE_PERF_NEST_CHIP_H
#define CS_SOFTWARE_PERF_NEST_CHIP_H

#include "software/perf/impl.h"
#include "software/perf/nest/nest_pmu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its work as a thread's; every PMU of the chip has it. */
cs_perf_task *cs_perf_nest_chip_worker(cs_perf_nest_chip *chip);
/* The chip comes up, unless it has: from now on its work goes on. True: this was the first time. */
bool cs_perf_nest_chip_begin(cs_perf_nest_chip *chip);
/* One more event, or one less: the engine is resumed for the first, and paused after the last. 0, or
 * what the firmware answers. */
int cs_perf_nest_chip_get(cs_perf_nest_chip *chip);
void cs_perf_nest_chip_put(cs_perf_nest_chip *chip);
/* The counter at an offset of the window, as it is in memory now. */
uint64_t cs_perf_nest_chip_read(cs_perf_nest_chip *chip, uint32_t offset);

#ifdef __cplusplus
}
#endif

#endif
