// SPDX-License-Identifier: Apache-2.0
/* Makes results from the probe stream of a die's PMCU: the windows in which each core counted, and what the
 * samples say. It knows nothing but records, the memory that samples are written to, and the timelines
 * that hold the truth. */
#ifndef CS_RESULTS_PMCU_COLLECTOR_H
#define CS_RESULTS_PMCU_COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/probe/soft.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "formats/pmcu/abi/aux_header.h"
#include "results/pmcu/windows.h"
#include "scenario/scenario.h"
#include <countersink/base/bus/memory.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PMCU_COLLECTOR_MAX_COUNTERS 8u

typedef struct cs_pmcu_collector cs_pmcu_collector;

/* One committed subsample. */
typedef struct cs_pmcu_subsample {
    unsigned die;
    uint64_t number;     /* since the run began, from 0 */
    uint64_t of_die;     /* the same of those of its die */
    uint64_t of_trigger; /* since its trigger, from 0 */
    cs_cycle cycle;      /* commit */
    uint64_t addr;
    uint32_t bytes;
    unsigned first_cpu; /* of the die; CPU i below is first_cpu + i */
    unsigned nr_cpus;
    unsigned nr_events;
    bool has_cycles;
    const uint32_t *events;        /* [nr_events]: event numbers programmed */
    const cs_pmcu_window *windows; /* [nr_cpus] */
    const uint32_t *cid1;          /* [nr_cpus] */
    const uint32_t *cid2;
    const uint64_t *values; /* [(nr_events + has_cycles) * nr_cpus], CPU fastest */
    const uint64_t *truths; /* likewise: the exact count of the CPU in its window, 0
                                   without one; NULL unless window_truth was asked for */
} cs_pmcu_subsample;

/* What a collector tells. */
CS_SOFT_KIND(pmcu_subsample, cs_pmcu_subsample)

typedef struct cs_pmcu_event_result {
    uint32_t event;
    bool cycle_counter;    /* the cycle counter, not event 0x11 on a counter */
    uint64_t subsamples;   /* that contained the event */
    uint64_t sampled;      /* sum of the values, all cores */
    uint64_t window_truth; /* what the cores did in exactly the windows */
    uint64_t truth;        /* what they did from the first start to the last stop */
    double scaled;         /* sampled * span / mean time that a core counted */
    double error;          /* scaled / truth - 1; 0 when both are 0 */
    double nominal;        /* sampled * span / (subsamples * nominal period) */
    double nominal_error;
} cs_pmcu_event_result;

typedef struct cs_pmcu_results {
    uint64_t samples; /* committed subsamples */
    uint64_t sample_bytes;
    cs_cycle first_start;
    cs_cycle last_stop;
    uint64_t counted_cycles; /* sum of all windows of all cores */
    uint64_t
        blind_cycles; /* mean over the cores: cycles in the span in which a core did not count */
    double blind_fraction;
    uint64_t start_skew_cycles; /* largest of all subsamples */
    uint64_t stop_skew_cycles;
    uint64_t interrupts;     /* rising edges */
    uint64_t triggers;       /* writes of FSM_CTRL.TRIGGER */
    uint64_t windows;        /* of all subsamples and cores */
    uint64_t window_cycles;  /* they are so long, all together */
    uint64_t nominal_cycles; /* and would be so long by the period */
    uint64_t absent_slots;   /* of all subsamples: without a core, */
    uint64_t failed_slots;   /* and with one that could not be read; */
    uint64_t failed_online;  /* which ought to have answered */
    uint64_t off_slots; /* failed: the core was off, or locked on its way up (corepmu.outages) */
    uint64_t
        lost_slots; /* did not fail, but the core had lost registers that the run had written */
    uint64_t values, wrong_values;      /* with window_truth: those that are not the truth */
    unsigned armed_cpus;                /* cores that counted at least once */
    const cs_pmcu_event_result *events; /* in order of first appearance; the cycle counter last */
    size_t nr_events;
} cs_pmcu_results;

/* `timelines` by CPU number (cs_environment.timelines); `memory` where samples go. Both
 * are borrowed, and so is `soft` (NULL is allowed). With window_truth each window's exact truth is
 * summed as well. */
cs_status cs_pmcu_collector_create(const cs_scenario *scenario, unsigned die, cs_memory *memory,
                                   cs_timeline *const timelines[], bool window_truth,
                                   const cs_soft_sink *soft, cs_pmcu_collector **out,
                                   cs_diag *diag);
/* Before the first record: subsamples have numbers from *numbers on, which those of several collectors
 * share. */
void cs_pmcu_collector_share(cs_pmcu_collector *collector, uint64_t *numbers);
void cs_pmcu_collector_destroy(cs_pmcu_collector *collector);
void cs_pmcu_collector_record(cs_pmcu_collector *collector, const cs_probe_record *record);

/* To be called once, when the run has ended. Valid until destroy. */
const cs_pmcu_results *cs_pmcu_collector_finish(cs_pmcu_collector *collector);

/* The truth of one event on one CPU of the die, by its number, over the whole span; after finish. */
uint64_t cs_pmcu_collector_span_truth(cs_pmcu_collector *collector,
                                      const cs_pmcu_event_result *event, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
