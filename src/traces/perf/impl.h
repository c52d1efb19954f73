// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: the perf format's parts. A file holds either samples, as `perf record` writes
 * them, or counts, as `perf stat record` does. */
#ifndef CS_TRACES_PERF_IMPL_H
#define CS_TRACES_PERF_IMPL_H

#include "formats/perf/write/data.h"
#include "traces/common/feed.h"
#include "traces/common/tasks.h"

typedef struct cs_perf_stat_state cs_perf_stat_state;
typedef struct cs_perf_aux_state cs_perf_aux_state;
typedef struct cs_perf_record_state cs_perf_record_state;

typedef struct cs_perf_trace {
    const cs_scenario *scenario;
    const cs_trace_request *request;
    cs_perf_data_file file;
    cs_perf_data_writer *writer; /* NULL: finished */
    cs_trace_feed *feed;
    const cs_trace_events *events; /* the feed's; their numbers are those in the file */
    bool guest;                    /* the file is a guest's own */
    cs_perf_record_state *record;  /* of a file of samples */
    cs_perf_stat_state *stat;      /* of a file of counts */
    cs_perf_aux_state *aux;        /* NULL: there are the file has no AUX data */
} cs_perf_trace;

/* What a sample is made of. */
#define CS_PERF_TRACE_SAMPLE_TYPE                                                                  \
    (CS_PERF_SAMPLE_IDENTIFIER | CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TID | CS_PERF_SAMPLE_TIME |    \
     CS_PERF_SAMPLE_CPU | CS_PERF_SAMPLE_PERIOD)

/* record.c: what perf tells before samples: who runs, and where; the records of rings; at the end, what
 * is left. */
cs_status cs_perf_trace_begin_record(cs_perf_trace *t, cs_diag *diag);
cs_status cs_perf_trace_put_front(cs_perf_trace *t, cs_diag *diag);
void cs_perf_trace_begin_switches(cs_perf_trace *t, const cs_environment *environment);
void cs_perf_trace_record(void *ctx, const cs_trace_record *record);
void cs_perf_trace_end_record(cs_perf_trace *t, cs_cycle end);
void cs_perf_trace_free_record(cs_perf_trace *t);
/* The names of functions, into the run folder, where samples have addresses; `arch` as in perf's header. */
cs_status cs_perf_trace_put_names(const cs_perf_trace *t, const char *arch, const char *folder,
                                  cs_diag *diag);
/* symfs.c: the same, of what is mapped. */
cs_status cs_perf_trace_put_symfs(const cs_perf_trace *t, const cs_trace_tasks *tasks,
                                  const char *arch, const char *folder, cs_diag *diag);
/* aux.c: the first event that stands for AUX data (events->nr: none); these, and what stands before them. */
size_t cs_perf_trace_aux_event(const cs_trace_events *events);
cs_status cs_perf_trace_begin_aux(cs_perf_trace *t, cs_diag *diag);
void cs_perf_trace_aux(void *ctx, size_t event, cs_cycle cycle, uint64_t address, uint64_t bytes,
                       bool truncated);
void cs_perf_trace_end_aux(cs_perf_trace *t); /* without AUX data: nothing */
void cs_perf_trace_free_aux(cs_perf_trace *t);

/* CPUs of the events, rising; returns how many. Of processes alone it is CS_TRACE_ANY_CPU. */
size_t cs_perf_trace_cpus(const cs_perf_trace *t, uint16_t cpus[CS_MAX_CPUS]);

/* counts.c: the file's first records, its counts, and its last. */
cs_status cs_perf_trace_begin_counts(cs_perf_trace *t, cs_diag *diag);
void cs_perf_trace_count(void *ctx, const cs_counted *counted);
void cs_perf_trace_end_counts(cs_perf_trace *t);
void cs_perf_trace_free_counts(cs_perf_trace *t);

#endif
