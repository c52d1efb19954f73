// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: what perf gets of a run, whatever it is from: the records of its rings, AUX
 * data, and counts. The families of the events (traces/family.h) hear the run and put it here. */
#ifndef CS_TRACES_COMMON_FEED_H
#define CS_TRACES_COMMON_FEED_H

#include "drivers/environment.h"
#include "results/common/counts.h"
#include "results/run.h"
#include "traces/common/events.h"
#include "traces/families.h"
#include "traces/format.h"

typedef enum cs_trace_record_type {
    CS_TRACE_SAMPLE,
    CS_TRACE_LOST,
    CS_TRACE_THROTTLE,
    CS_TRACE_UNTHROTTLE
} cs_trace_record_type;

/* A record of a ring; valid during the call. */
typedef struct cs_trace_record {
    cs_trace_record_type type;
    size_t event; /* in the list */
    unsigned cpu;
    bool guest; /* of the ring of a guest's perf on this CPU */
    uint64_t time_ns;
    uint32_t pid, tid;
    /* Of a sample: */
    uint16_t misc; /* CS_PERF_MISC_.. of the mode, as the ring has it; 0: it has none */
    uint64_t ip, period;
    const uint64_t *chain; /* with perf's markers */
    size_t nr_chain;
    const uint8_t *raw; /* of an event with `raw`; it is in no ring */
    size_t raw_bytes;
    uint64_t lost; /* of LOST */
} cs_trace_record;

/* What a format does with it. Each function but `end` may be NULL. */
typedef struct cs_trace_sink {
    bool raw; /* samples of events with `raw` are wanted */
    void (*begin)(void *ctx, cs_environment *environment);
    void (*record)(void *ctx, const cs_trace_record *record);
    /* In the flavour `faithful`: the AUX data of an event of the list go on with bytes of memory. */
    void (*aux)(void *ctx, size_t event, cs_cycle cycle, uint64_t address, uint64_t bytes,
                bool truncated);
    void (*count)(void *ctx, const cs_counted *counted); /* of any event, in the list or not */
    cs_status (*end)(void *ctx, cs_cycle end, cs_diag *diag);
    void *ctx;
} cs_trace_sink;

typedef struct cs_trace_feed {
    const cs_scenario *scenario;
    const cs_trace_request *request;
    cs_trace_sink sink;
    cs_trace_events *events;     /* those that sample, else those that count */
    bool counts;                 /* the latter */
    cs_environment *environment; /* NULL: the run has not begun */
    cs_status status;            /* the first failure while running */
    unsigned good, refused;      /* events that the kernel opened, or did not */
    char why[160];               /* of the first that was refused */
    void *states[CS_NR_TRACE_FAMILIES];
} cs_trace_feed;

/* Fills in the listener. Errors: those of cs_trace_events_create. *out is NULL then. */
cs_status cs_trace_feed_create(const cs_trace_place *place, const cs_trace_sink *sink,
                               cs_run_listener *listener, cs_trace_feed **out, cs_diag *diag);
void cs_trace_feed_destroy(cs_trace_feed *feed); /* NULL is allowed */

/* At the end: the first failure, of a file `name` that is to be `what` ("a table"). CS_ERR_SCENARIO: the
 * kernel has refused all events that were to sample, and perf record makes no file then. */
cs_status cs_trace_feed_status(const cs_trace_feed *feed, const char *name, const char *what,
                               cs_diag *diag);

/* For families. Of an event that is not in the list (it is of another command) nothing is put. */
void cs_trace_feed_put(cs_trace_feed *feed, const cs_trace_record *record);
/* Of a family with one command: a record of cs_soft_throttled. */
void cs_trace_feed_throttled(cs_trace_feed *feed, const struct cs_trace_family *family,
                             const cs_soft_record *record);
void cs_trace_feed_fail(cs_trace_feed *feed, cs_status status); /* CS_OK is none */
void *cs_trace_feed_state(const cs_trace_feed *feed, const struct cs_trace_family *family);

#endif
