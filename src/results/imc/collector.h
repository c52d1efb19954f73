// SPDX-License-Identifier: Apache-2.0
/* Makes results from the probe stream of IMC cores: the records of trace mode, with the truth of each. It
 * knows nothing but records, the memory that they are written to, and the timelines that hold the
 * truth. */
#ifndef CS_RESULTS_IMC_COLLECTOR_H
#define CS_RESULTS_IMC_COLLECTOR_H

#include "base/probe/soft.h"
#include "formats/imc/abi/record.h"
#include "scenario/scenario.h"
#include <countersink/base/bus/memory.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_imc_collector cs_imc_collector;

/* One sample of trace mode as the hardware made it. */
typedef struct cs_imc_sample {
    unsigned cpu;
    uint64_t number;   /* of its thread, counting those that were carried out */
    cs_cycle snapshot; /* the cycle whose program counter it is */
    cs_cycle cycle;    /* when it was written, or lost */
    uint64_t addr;
    uint8_t resp;         /* cs_bus_resp, or CS_SAMPLE_LOST */
    cs_context truth;     /* who ran at the snapshot */
    const uint8_t *bytes; /* [64] as they stand in memory; NULL where resp is not OKAY */
    uint64_t pc;          /* the record's; of one that stands in memory */
} cs_imc_sample;

/* What a collector tells. */
CS_SOFT_KIND(imc_record, cs_imc_sample)

typedef struct cs_imc_cpu_result {
    uint64_t records;
    uint64_t failed; /* the write was answered with an error */
    uint64_t lost;   /* never written */
    uint64_t wrong;  /* records whose program counter is not the truth */
} cs_imc_cpu_result;

typedef struct cs_imc_results {
    cs_imc_cpu_result cpus[CS_MAX_CPUS];
    cs_imc_cpu_result all;
} cs_imc_results;

/* `timelines` by CPU number; `memory` where records go. Both are borrowed, and so
 * is `soft` (NULL is allowed). */
cs_status cs_imc_collector_create(const cs_scenario *scenario, cs_memory *memory,
                                  cs_timeline *const timelines[], const cs_soft_sink *soft,
                                  cs_imc_collector **out, cs_diag *diag);
void cs_imc_collector_destroy(cs_imc_collector *collector); /* NULL is allowed */
/* Of others than samples of IMC cores it takes no notice. */
void cs_imc_collector_record(cs_imc_collector *collector, const cs_probe_record *record);

/* To be called once, when the run has ended. Valid until destroy. */
const cs_imc_results *cs_imc_collector_finish(cs_imc_collector *collector);

#ifdef __cplusplus
}
#endif

#endif
