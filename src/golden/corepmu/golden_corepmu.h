// SPDX-License-Identifier: Apache-2.0
/* A core PMU, the C model of docs/hw/corepmu.md, of a core whose events have fixed rates: what a PMCU
 * (golden/pmcu/golden_pmcu.h) finds behind its bus. For the Python package. */
#ifndef CS_GOLDEN_COREPMU_GOLDEN_COREPMU_H
#define CS_GOLDEN_COREPMU_GOLDEN_COREPMU_H

#include <stdint.h>

#include "golden/api.h"

typedef struct cs_golden_corepmu cs_golden_corepmu;

#define CS_GOLDEN_COREPMU_EVENTS 64u /* that have a rate */

/* In reset, in cycle 0. `settings`: counters, ext64, hpmn, hpme, hpmd, spme, offline, locked. NULL: refused,
 * cs_golden_error says why. */
CS_GOLDEN_API cs_golden_corepmu *cs_golden_corepmu_create(const char *settings);
CS_GOLDEN_API void cs_golden_corepmu_destroy(cs_golden_corepmu *pmu); /* NULL is allowed */

/* From cycle 0 on the event happens `times` times in each `cycles` cycles, evenly; both below 2^32, `cycles`
 * not 0. To be told before the first access. 0: there is no room for one more. */
CS_GOLDEN_API unsigned cs_golden_corepmu_rate(cs_golden_corepmu *pmu, unsigned event,
                                              uint64_t times, uint64_t cycles);
/* Who runs: CONTEXTIDR_EL1, CONTEXTIDR_EL2, the exception level 0..3. */
CS_GOLDEN_API void cs_golden_corepmu_context(cs_golden_corepmu *pmu, unsigned cid1, unsigned cid2,
                                             unsigned el);

/* An access to the frame with effect in `cycle`, not before any earlier one; 8 bytes or 4. A bus response:
 * 0, or 2 (SLVERR). */
CS_GOLDEN_API unsigned cs_golden_corepmu_access(cs_golden_corepmu *pmu, uint64_t cycle,
                                                unsigned offset, unsigned bytes, unsigned write,
                                                uint64_t *data);

#endif
