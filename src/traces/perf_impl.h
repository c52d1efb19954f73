/* Internal to traces: the perf format's parts. A file holds either samples, as `perf record` writes
 * them, or counts, as `perf stat record` does. */
#ifndef CS_TRACES_PERF_IMPL_H
#define CS_TRACES_PERF_IMPL_H

#include "formats/perf_data.h"
#include "traces/perf_events.h"
#include "traces/ring_feed.h"
#include "traces/trace_format.h"

typedef struct cs_perf_stat_state cs_perf_stat_state;
typedef struct cs_perf_pmcu_state cs_perf_pmcu_state;

typedef struct cs_perf_trace {
    const cs_scenario *scenario;
    const cs_trace_request *request;
    cs_perf_data_file file;
    cs_perf_data_writer *writer; /* NULL: finished */
    cs_trace_events *events;     /* their numbers are those in the file */
    bool counts;                 /* the file holds counts */
    bool guest;                  /* the file is a guest's own */
    bool in_order;               /* samples come in order of time */
    uint64_t since_round;        /* samples */
    cs_ring_feed feed;
    cs_status status; /* the first failure while running that is not the writer's */
    cs_perf_stat_state *stat;
    cs_perf_pmcu_state *pmcu; /* NULL: none is in the file */
} cs_perf_trace;

/* What a sample of these sources is made of. */
#define CS_PERF_TRACE_SAMPLE_TYPE                                                                  \
    (CS_PERF_SAMPLE_IDENTIFIER | CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TID | CS_PERF_SAMPLE_TIME |    \
     CS_PERF_SAMPLE_CPU | CS_PERF_SAMPLE_PERIOD)

/* perf_record.c: the listener's functions for samples; who runs, as the file's first records. */
void cs_perf_trace_listen_record(cs_perf_trace *t, cs_run_listener *listener);
cs_status cs_perf_trace_put_tasks(cs_perf_trace *t, cs_diag *diag);

/* perf_pmcu.c: the listener's functions for the PMCU, if one is in the file, and its first records. */
cs_status cs_perf_trace_begin_pmcu(cs_perf_trace *t, cs_run_listener *listener, cs_diag *diag);
void cs_perf_trace_free_pmcu(cs_perf_trace *t);

/* perf_counts.c: the listener's functions for counts; the file's first records, and its last. */
cs_status cs_perf_trace_begin_counts(cs_perf_trace *t, cs_run_listener *listener, cs_diag *diag);
void cs_perf_trace_end_counts(cs_perf_trace *t, cycle_t end);
void cs_perf_trace_free_counts(cs_perf_trace *t);

#endif
