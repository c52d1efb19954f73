/* Internal to traces: subsamples out of the AUX data that the PMCU's driver hands to perf, as they come,
 * each with the cycle in which the hardware had stored it (which the data do not tell). */
#ifndef CS_TRACES_COMMON_PMCU_FEED_H
#define CS_TRACES_COMMON_PMCU_FEED_H

#include "formats/pmcu/read/aux.h"
#include "results/pmcu/collector.h"
#include "results/run.h"

typedef struct cs_pmcu_feed cs_pmcu_feed;

/* One subsample; valid during the call. */
typedef struct cs_pmcu_fed {
    uint64_t sample;    /* from 0 */
    uint32_t subsample; /* of its sample, from 0 */
    cycle_t cycle;
    const uint8_t *bytes; /* as stored */
    const cs_pmcu_aux_header *header;
} cs_pmcu_fed;

/* `fed` is called from within the feed's functions. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_pmcu_feed_create(const cs_scenario *scenario,
                              void (*fed)(void *ctx, const cs_pmcu_fed *subsample), void *ctx,
                              cs_pmcu_feed **out, cs_diag *diag);
void cs_pmcu_feed_destroy(cs_pmcu_feed *feed); /* NULL is allowed */

/* What the run's listener hears. */
void cs_pmcu_feed_subsample(cs_pmcu_feed *feed, const cs_subsample *subsample);
void cs_pmcu_feed_trigger(cs_pmcu_feed *feed, const cs_pmcu_trigger *trigger);
void cs_pmcu_feed_aux(cs_pmcu_feed *feed, const uint8_t *data, size_t bytes);

/* The first failure: CS_ERR_FORMAT for data that are none of the driver's, CS_ERR_NO_MEMORY. */
cs_status cs_pmcu_feed_status(const cs_pmcu_feed *feed);

/* What a CPU counted in the subsample. */
void cs_pmcu_fed_row(const cs_scenario *scenario, const cs_pmcu_fed *subsample, unsigned cpu,
                     cs_pmcu_aux_row *row);

#endif
