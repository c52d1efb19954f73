// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: subsamples out of the AUX data that the driver of a PMCU hands to perf, as they come,
 * each with the cycle in which the hardware had stored it (which the data do not tell). */
#ifndef CS_TRACES_PMCU_PMCU_FEED_H
#define CS_TRACES_PMCU_PMCU_FEED_H

#include "formats/pmcu/read/aux.h"
#include "results/pmcu/collector.h"

typedef struct cs_pmcu_feed cs_pmcu_feed;

/* One subsample; valid during the call. */
typedef struct cs_pmcu_fed {
    unsigned die;
    uint32_t subsample; /* of its sample, from 0 */
    cs_cycle cycle;     /* it was stored */
    uint64_t address;
    uint32_t bytes;
    unsigned first_cpu, nr_cpus;
    unsigned nr_events;
    bool has_cycles;
    const uint32_t *pids;   /* [nr_cpus] */
    const uint64_t *values; /* [(nr_events + has_cycles) * nr_cpus], CPU fastest */
} cs_pmcu_fed;

/* `fed` is called from within cs_pmcu_feed_aux. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_pmcu_feed_create(void (*fed)(void *ctx, const cs_pmcu_fed *subsample), void *ctx,
                              cs_pmcu_feed **out, cs_diag *diag);
void cs_pmcu_feed_destroy(cs_pmcu_feed *feed); /* NULL is allowed */
/* Before the first cycle: a sample is of so many subsamples. */
void cs_pmcu_feed_begin(cs_pmcu_feed *feed, unsigned subsamples_per_sample);

/* What the run's listener hears. */
void cs_pmcu_feed_subsample(cs_pmcu_feed *feed, const cs_pmcu_subsample *subsample);
void cs_pmcu_feed_trigger(cs_pmcu_feed *feed, const cs_pmcu_trigger *trigger);
void cs_pmcu_feed_aux(cs_pmcu_feed *feed, const cs_pmcu_aux_stretch *stretch);

/* The first failure: CS_ERR_NO_MEMORY. */
cs_status cs_pmcu_feed_status(const cs_pmcu_feed *feed);

#endif
