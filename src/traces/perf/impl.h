/* Internal to traces: the perf format's parts. A file holds either samples, as `perf record` writes
 * them, or counts, as `perf stat record` does. */
#ifndef CS_TRACES_PERF_IMPL_H
#define CS_TRACES_PERF_IMPL_H

#include "formats/perf/write/data.h"
#include "traces/common/events.h"
#include "traces/common/ring_feed.h"
#include "traces/format.h"

typedef struct cs_perf_stat_state cs_perf_stat_state;
typedef struct cs_perf_pmcu_state cs_perf_pmcu_state;
typedef struct cs_perf_record_state cs_perf_record_state;

typedef struct cs_perf_trace {
    const cs_scenario *scenario;
    const cs_trace_request *request;
    cs_perf_data_file file;
    cs_perf_data_writer *writer; /* NULL: finished */
    cs_trace_events *events;     /* their numbers are those in the file */
    cs_trace_openings openings;
    bool counts; /* the file holds counts */
    bool guest;  /* the file is a guest's own */
    cs_ring_feed feed;
    cs_environment *environment;  /* NULL: it has not begun */
    cs_perf_record_state *record; /* of a file of samples */
    cs_status status;             /* the first failure while running that is not the writer's */
    cs_perf_stat_state *stat;
    cs_perf_pmcu_state *pmcu; /* NULL: none is in the file */
} cs_perf_trace;

/* What a sample of these sources is made of. */
#define CS_PERF_TRACE_SAMPLE_TYPE                                                                  \
    (CS_PERF_SAMPLE_IDENTIFIER | CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TID | CS_PERF_SAMPLE_TIME |    \
     CS_PERF_SAMPLE_CPU | CS_PERF_SAMPLE_PERIOD)

/* record.c: the listener's functions for samples; what perf tells before them: who runs, and where;
 * at the end, what is left. */
cs_status cs_perf_trace_begin_record(cs_perf_trace *t, cs_run_listener *listener, cs_diag *diag);
cs_status cs_perf_trace_put_front(cs_perf_trace *t, cs_diag *diag);
void cs_perf_trace_begin_switches(cs_perf_trace *t);
void cs_perf_trace_end_record(cs_perf_trace *t, cycle_t end);
void cs_perf_trace_free_record(cs_perf_trace *t);
/* Before a record with this time comes out of the ring of a CPU (of its guest): what is to stand before
 * it; and after it. */
void cs_perf_trace_before(cs_perf_trace *t, bool guest, unsigned cpu, uint64_t time_ns);
void cs_perf_trace_after(cs_perf_trace *t, bool guest, unsigned cpu, uint64_t time_ns);

/* pmcu.c: the listener's functions for the PMCU, if one is in the file, and its first records. */
cs_status cs_perf_trace_begin_pmcu(cs_perf_trace *t, cs_run_listener *listener, cs_diag *diag);
/* The environment is there. */
void cs_perf_trace_enter_pmcu(cs_perf_trace *t);
void cs_perf_trace_free_pmcu(cs_perf_trace *t);

/* CPUs of the events, rising; returns how many. */
size_t cs_perf_trace_cpus(const cs_perf_trace *t, uint16_t cpus[CS_MAX_CPUS]);

/* counts.c: the listener's functions for counts; the file's first records, and its last. */
cs_status cs_perf_trace_begin_counts(cs_perf_trace *t, cs_run_listener *listener, cs_diag *diag);
void cs_perf_trace_end_counts(cs_perf_trace *t, cycle_t end);
void cs_perf_trace_free_counts(cs_perf_trace *t);

#endif
