// SPDX-License-Identifier: Apache-2.0
/* Internal: who ran on a CPU when. The PMCU comes to a cycle only when all CPUs have, so what they did
 * is kept until then. Cycles are the PMCU's. */
#ifndef CS_SOFTWARE_PERF_PMCU_WORK_H
#define CS_SOFTWARE_PERF_PMCU_WORK_H

#include "software/perf/impl.h"
#include <countersink/base/cycle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In [from, to) a thread did what its stream says from `local` on. */
typedef struct cs_perf_pmcu_stretch {
    cs_cycle from, to; /* to: CS_NEVER, it goes on */
    uint64_t local;
    cs_event_source work; /* sum NULL: nobody ran */
    uint32_t tid;
} cs_perf_pmcu_stretch;

typedef struct cs_perf_pmcu_work {
    const cs_cycle *reached; /* so far is known; borrowed */
    cs_perf_pmcu_stretch *stretches;
    size_t nr, room;
} cs_perf_pmcu_work;

void cs_perf_pmcu_work_free(cs_perf_pmcu_work *w);
/* From `at` on the task runs; NULL: nobody. Without memory for it nobody does. */
void cs_perf_pmcu_work_switch(cs_perf_pmcu_work *w, cs_cycle at, const cs_perf_task *task);
/* Nobody asks about cycles before `before` any more. */
void cs_perf_pmcu_work_forget(cs_perf_pmcu_work *w, cs_cycle before);
/* `cycles` come in at `at` in which nobody does anything. */
void cs_perf_pmcu_work_insert(cs_perf_pmcu_work *w, cs_cycle at, uint64_t cycles);
/* What a core PMU is handed; valid as long as *w. */
cs_event_source cs_perf_pmcu_work_source(cs_perf_pmcu_work *w);

#ifdef __cplusplus
}
#endif

#endif
