// SPDX-License-Identifier: Apache-2.0
/* Writes perf.data files (PERFILE2, little-endian) from front to back in constant memory:
 *
 *     cs_perf_data_create    header, ids, attrs
 *     cs_perf_data_put_..    records, as they come
 *     cs_perf_data_finish    features; the header gets the size of the data
 *
 * The file is what Linux's perf reads (tried with 6.1): `perf script`, `perf report`, `perf stat
 * report`. Records need not be in order of time; perf sorts those between two FINISHED_ROUND
 * records of the next round, so that none may be older than the newest of the round before last.
 *
 * A record belongs to an event, which says how it is written: a sample has the fields of the
 * event's sample_type, another record of the kernel a trailer of these (TID TIME ID STREAM_ID CPU
 * IDENTIFIER) when the event has CS_PERF_ATTR_SAMPLE_ID_ALL. Several events need ids, and
 * CS_PERF_SAMPLE_IDENTIFIER in each, and all of them have SAMPLE_ID_ALL or none: else no reader could
 * tell whose a record is.
 *
 * Failures stay: after the first, every call returns its status and writes nothing, and
 * cs_perf_data_finish hands over its diagnostic. */
#ifndef CS_FORMATS_PERF_WRITE_DATA_H
#define CS_FORMATS_PERF_WRITE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <countersink/base/diag.h>
#include <countersink/formats/perf/abi/perf.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_DATA_HEADER_BYTES 104u
#define CS_PERF_DATA_ATTR_BYTES 128u   /* of an attr (version 7 of the ABI) */
#define CS_PERF_DATA_MOST_BYTES 65528u /* of a record */
#define CS_PERF_DATA_BUILD_ID_BYTES 20u
#define CS_PERF_DATA_FILE_BYTES 65472u /* of a build id's file: what its record has room for */

/* What sample_type may have. */
#define CS_PERF_DATA_SAMPLE_TYPES                                                                  \
    (CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TID | CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_ADDR |          \
     CS_PERF_SAMPLE_READ | CS_PERF_SAMPLE_CALLCHAIN | CS_PERF_SAMPLE_ID | CS_PERF_SAMPLE_CPU |     \
     CS_PERF_SAMPLE_PERIOD | CS_PERF_SAMPLE_STREAM_ID | CS_PERF_SAMPLE_RAW |                       \
     CS_PERF_SAMPLE_IDENTIFIER)
/* And read_format. */
#define CS_PERF_DATA_READ_FORMATS                                                                  \
    (CS_PERF_READ_ENABLED | CS_PERF_READ_RUNNING | CS_PERF_READ_ID | CS_PERF_READ_GROUP |          \
     CS_PERF_READ_LOST)

typedef struct cs_perf_data_writer cs_perf_data_writer;

/* ---- where the bytes go ---- */

/* `write` takes the next bytes; `patch` writes over some that it has taken. Both are only called
 * from within the writer's functions. */
typedef struct cs_perf_data_sink {
    cs_status (*write)(void *ctx, const void *bytes, size_t length, cs_diag *diag);
    cs_status (*patch)(void *ctx, uint64_t offset, const void *bytes, size_t length, cs_diag *diag);
    void *ctx;
} cs_perf_data_sink;

/* A file that can be sought in, from its beginning; *file must outlive the writer. `name` is
 * what errors call it. Nothing closes it. */
typedef struct cs_perf_data_file {
    FILE *stream;
    const char *name;
} cs_perf_data_file;
cs_perf_data_sink cs_perf_data_to_file(cs_perf_data_file *file);

/* ---- events ---- */

typedef struct cs_perf_data_attr {
    uint32_t type;
    uint64_t config, config1, config2;
    uint64_t sample_period;
    uint64_t sample_type;
    uint64_t read_format;
    uint64_t flags; /* CS_PERF_ATTR_.. */
} cs_perf_data_attr;

typedef struct cs_perf_data_event {
    cs_perf_data_attr attr;
    const char *name;    /* as perf shows it: "cpu/cache-misses/" */
    const uint64_t *ids; /* as a rule one a CPU; not 0, and none of two events */
    size_t nr_ids;
} cs_perf_data_event;

/* The events are copied; their numbers are their places. Errors: CS_ERR_RANGE for no event, a
 * sample_type beyond CS_PERF_DATA_SAMPLE_TYPES, a read_format beyond CS_PERF_DATA_READ_FORMATS, an id
 * that is 0 or of two events, several events without ids or IDENTIFIER, or that differ in
 * SAMPLE_ID_ALL; CS_ERR_NO_MEMORY; those of the sink. *out is NULL then. */
cs_status cs_perf_data_create(const cs_perf_data_sink *sink, const cs_perf_data_event *events,
                              size_t nr_events, cs_perf_data_writer **out, cs_diag *diag);

/* ---- records of the kernel ---- */

/* Which event, who, when, where: what a sample begins with, and every other record ends with. */
typedef struct cs_perf_data_where {
    size_t event;
    uint64_t id; /* 0: the event's first */
    uint64_t stream_id;
    uint32_t pid;
    uint32_t tid;
    uint64_t time_ns;
    uint32_t cpu;
} cs_perf_data_where;

typedef struct cs_perf_data_value {
    uint64_t value;
    uint64_t id;
    uint64_t lost;
} cs_perf_data_value;

/* Of the members, those are written that the event's sample_type and read_format ask for. */
typedef struct cs_perf_data_sample {
    cs_perf_data_where where;
    uint16_t misc; /* CS_PERF_MISC_KERNEL, .. */
    uint64_t ip;
    uint64_t addr;
    uint64_t period;
    const cs_perf_data_value *values; /* READ: one, or of a group nr_values */
    size_t nr_values;
    uint64_t enabled_ns;
    uint64_t running_ns;
    const uint64_t *callchain; /* with its CS_PERF_CONTEXT_.. */
    size_t nr_callchain;
    const void *raw; /* padded with zeros to 4 + a multiple of 8 */
    size_t raw_bytes;
} cs_perf_data_sample;

/* All below: CS_ERR_RANGE for an event that is none and for a record that is longer than
 * CS_PERF_DATA_MOST_BYTES. */
cs_status cs_perf_data_put_sample(cs_perf_data_writer *writer, const cs_perf_data_sample *sample);

/* exec: the name comes from an exec. */
cs_status cs_perf_data_put_comm(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                                const char *comm, bool exec);

typedef struct cs_perf_data_mmap {
    uint16_t misc; /* of what is mapped: CS_PERF_MISC_KERNEL, _USER, .. */
    uint64_t addr;
    uint64_t length;
    uint64_t offset; /* in the file, in bytes */
    uint32_t prot;   /* MMAP2: as mmap(2) has it */
    uint32_t flags;
    uint32_t major, minor; /* without build id: of the file */
    uint64_t inode, generation;
    const uint8_t *build_id;  /* NULL: none */
    unsigned build_id_length; /* 1..20 */
    const char *file;
} cs_perf_data_mmap;
cs_status cs_perf_data_put_mmap(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                                const cs_perf_data_mmap *map);
cs_status cs_perf_data_put_mmap2(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                                 const cs_perf_data_mmap *map);

/* The task of `where` begins or ends, a child of the parent. was_there: perf itself reports a task that
 * ran already when it began, which has nothing of its parent's mappings. */
cs_status cs_perf_data_put_fork(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                                uint32_t parent_pid, uint32_t parent_tid, bool was_there);
cs_status cs_perf_data_put_exit(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                                uint32_t parent_pid, uint32_t parent_tid);

/* misc: 0 for in, CS_PERF_MISC_SWITCH_OUT and, if it could run on, _PREEMPT. */
cs_status cs_perf_data_put_switch(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                                  uint16_t misc);
/* The same of a CPU, with the task that it comes from or goes to. */
cs_status cs_perf_data_put_switch_cpu(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                                      uint16_t misc, uint32_t other_pid, uint32_t other_tid);

/* The event stops at where's time for its rate, or goes on. */
cs_status cs_perf_data_put_throttle(cs_perf_data_writer *writer, const cs_perf_data_where *where);
cs_status cs_perf_data_put_unthrottle(cs_perf_data_writer *writer, const cs_perf_data_where *where);

/* Records that the ring had no room for; samples that the hardware had none for. */
cs_status cs_perf_data_put_lost(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                                uint64_t records);
cs_status cs_perf_data_put_lost_samples(cs_perf_data_writer *writer,
                                        const cs_perf_data_where *where, uint64_t samples);

/* `length` bytes of AUX data from `offset` on are there (flags: CS_PERF_AUX_..). */
cs_status cs_perf_data_put_aux(cs_perf_data_writer *writer, const cs_perf_data_where *where,
                               uint64_t offset, uint64_t length, uint64_t flags);
/* The trace of where's task begins. */
cs_status cs_perf_data_put_itrace_start(cs_perf_data_writer *writer,
                                        const cs_perf_data_where *where);

/* A record of the kernel as its ring had it: header, body and trailer are `length` bytes, which
 * are checked for nothing but the length that their header says, a multiple of 8. */
cs_status cs_perf_data_put_record(cs_perf_data_writer *writer, const void *bytes, size_t length);

/* ---- records of perf ---- */

cs_status cs_perf_data_put_finished_round(cs_perf_data_writer *writer);
/* The ids of all events, each with its CPU (`cpus` of event i: as many as it has ids), of no task. */
cs_status cs_perf_data_put_id_index(cs_perf_data_writer *writer, const uint16_t *const *cpus);
/* What was there when perf began has been reported. */
cs_status cs_perf_data_put_finished_init(cs_perf_data_writer *writer);

/* What AUX data the file holds: `type` is perf's number of the decoder. */
cs_status cs_perf_data_put_auxtrace_info(cs_perf_data_writer *writer, uint32_t type,
                                         const uint64_t *priv, size_t nr_priv);

/* AUX data: the record and, behind it, the payload. Not limited by CS_PERF_DATA_MOST_BYTES. The feature
 * AUXTRACE lists where these records are, in 16 bytes of memory each. */
typedef struct cs_perf_data_auxtrace {
    uint64_t offset; /* in the AUX data of this index */
    uint64_t reference;
    uint32_t index; /* of the AUX ring */
    uint32_t tid;   /* UINT32_MAX: none */
    uint32_t cpu;   /* likewise */
} cs_perf_data_auxtrace;
cs_status cs_perf_data_put_auxtrace(cs_perf_data_writer *writer,
                                    const cs_perf_data_auxtrace *auxtrace, const void *payload,
                                    size_t length);

/* As `perf stat record` writes: first the maps, the configuration and updates, then counts, each
 * interval and the whole ended by a round. */
typedef struct cs_perf_data_thread {
    uint64_t pid;     /* UINT64_MAX: whatever runs */
    const char *comm; /* its first 15 bytes are written */
} cs_perf_data_thread;
cs_status cs_perf_data_put_thread_map(cs_perf_data_writer *writer,
                                      const cs_perf_data_thread *threads, size_t nr_threads);
cs_status cs_perf_data_put_cpu_map(cs_perf_data_writer *writer, const uint16_t *cpus,
                                   size_t nr_cpus);
/* aggr_mode: CS_PERF_AGGR_..; interval_ms 0: none. */
cs_status cs_perf_data_put_stat_config(cs_perf_data_writer *writer, uint64_t aggr_mode,
                                       uint64_t interval_ms, bool scale);
/* thread: its place in the map. */
typedef struct cs_perf_data_count {
    size_t event;
    uint64_t id; /* 0: the event's first */
    uint32_t cpu;
    uint32_t thread;
    uint64_t value;
    uint64_t enabled_ns;
    uint64_t running_ns;
} cs_perf_data_count;
cs_status cs_perf_data_put_stat(cs_perf_data_writer *writer, const cs_perf_data_count *count);
cs_status cs_perf_data_put_stat_round(cs_perf_data_writer *writer, uint64_t type, uint64_t time_ns);
/* The event's unit ("MiB"), scale, CPUs. */
cs_status cs_perf_data_put_unit(cs_perf_data_writer *writer, size_t event, const char *unit);
cs_status cs_perf_data_put_scale(cs_perf_data_writer *writer, size_t event, double scale);
cs_status cs_perf_data_put_event_cpus(cs_perf_data_writer *writer, size_t event,
                                      const uint16_t *cpus, size_t nr_cpus);

/* ---- the end ---- */

typedef struct cs_perf_data_pmu {
    uint32_t type;
    const char *name;
} cs_perf_data_pmu;

typedef struct cs_perf_data_build_id {
    uint16_t misc; /* CS_PERF_MISC_KERNEL, _USER, .. */
    int32_t pid;   /* -1 of a host */
    const uint8_t *id;
    unsigned id_length; /* 1..20 */
    const char *file;   /* shorter than CS_PERF_DATA_FILE_BYTES */
} cs_perf_data_build_id;

/* Where a CPU is; those of a core, and of a socket, are adjacent. */
typedef struct cs_perf_data_place {
    uint32_t core, socket;
} cs_perf_data_place;

/* NULL and 0: the feature is left out. EVENT_DESC is written always; SAMPLE_TIME when there were
 * samples with a time, AUXTRACE when there were AUX data. */
typedef struct cs_perf_data_features {
    const char *hostname;
    const char *osrelease;
    const char *version;
    const char *arch; /* as uname -m */
    const char *cpudesc;
    const char *cpuid;
    uint32_t nr_cpus;
    const struct cs_perf_data_place *places; /* of each CPU; NULL: there is no topology */
    uint64_t total_mem_kb;
    const char *const *cmdline;
    size_t nr_cmdline;
    const cs_perf_data_pmu *pmus;
    size_t nr_pmus;
    const cs_perf_data_build_id *build_ids;
    size_t nr_build_ids;
    bool stat; /* the file holds counts */
} cs_perf_data_features;

/* The writer is gone afterwards, whatever comes back: the first failure there was. CS_ERR_RANGE: the file
 * of a build id is too long. */
cs_status cs_perf_data_finish(cs_perf_data_writer *writer, const cs_perf_data_features *features,
                              cs_diag *diag);
/* Without finishing: what the sink has got is no file. NULL is allowed. */
void cs_perf_data_abandon(cs_perf_data_writer *writer);

typedef struct cs_perf_data_totals {
    uint64_t records;
    uint64_t samples;
    uint64_t data_bytes; /* with the payloads */
} cs_perf_data_totals;
cs_perf_data_totals cs_perf_data_get_totals(const cs_perf_data_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
