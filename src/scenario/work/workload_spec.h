// SPDX-License-Identifier: Apache-2.0
/* What the cores do: segments with streams of events and functions. */
#ifndef CS_SCENARIO_WORK_WORKLOAD_SPEC_H
#define CS_SCENARIO_WORK_WORKLOAD_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"
#include <countersink/base/stream/events.h>

/* A rate as the exact fraction that the YAML decimal says; per core cycle. */
typedef struct cs_fraction {
    uint64_t num;
    uint64_t den;
} cs_fraction;

typedef enum cs_stream_kind {
    CS_STREAM_NONE,
    CS_STREAM_RATE,     /* rate */
    CS_STREAM_PERIODIC, /* increment every period_cycles, at offset_cycles */
    CS_STREAM_BURSTS,   /* rate during length_cycles of every period_cycles */
    CS_STREAM_RANDOM,   /* rate */
    CS_STREAM_RATIO,    /* rate = increments for each of event `of` */
    CS_STREAM_SPREAD,   /* random; each event of the range has a rate of its own,
                           log-uniform between rate and rate_high, from the seed */
    CS_STREAM_REPLAY    /* `perf stat -I -x,` file, event file_event */
} cs_stream_kind;

typedef struct cs_stream_spec {
    uint32_t first_event; /* the events that have a stream of this kind, each its own */
    uint32_t last_event;
    cs_stream_kind kind;
    cs_fraction rate;
    cs_fraction rate_high;
    uint64_t period_cycles; /* bus cycles */
    uint64_t offset_cycles;
    uint64_t length_cycles;
    uint32_t increment;     /* of CS_STREAM_PERIODIC, in one bus cycle */
    uint32_t max_increment; /* of CS_STREAM_RANDOM and _SPREAD, in one bus cycle */
    uint32_t of;
    uint64_t tag;      /* 0: none */
    uint32_t as_event; /* what it is in its timeline; 0: first_event and on */
    char file[256];    /* relative to the scenario's folder */
    char file_event[CS_NAME_BYTES];
    bool repeat;   /* of CS_STREAM_REPLAY: again from its start when the file has ended */
    unsigned line; /* in the YAML, for errors found later */
    unsigned column;
} cs_stream_spec;

#define CS_MAX_CALLERS 126u /* of a function; with it, what perf keeps of a stack */

/* A function in which another was called (docs/traces/call_chains.md). */
typedef struct cs_caller_spec {
    uint64_t base;
    uint64_t size; /* 0: not known yet */
    uint64_t ret;  /* where the other returns to */
} cs_caller_spec;

typedef struct cs_function_spec {
    char name[CS_NAME_BYTES];
    uint64_t base;
    uint64_t size;
    uint32_t weight;
    bool of_program;      /* base and size are those of a symbol */
    const char **callers; /* [nr_callers] innermost first */
    size_t nr_callers;
    cs_caller_spec *caller_specs; /* [nr_callers] the same, as they lie */
    uint32_t number;              /* among those of all workloads */
} cs_function_spec;

#define CS_PROCESS_NAME_BYTES 16u /* as the kernel's */

/* Not a mode of any CPU: the one that a kernel runs in, until it is known (modes.c). */
#define CS_MODE_KERNEL ((cs_privilege)15)

typedef struct cs_segment_spec {
    uint64_t cycles; /* bus cycles; 0: the only segment, for ever */
    cs_privilege mode;
    bool wfi;      /* it waits for an interrupt */
    bool irqs_off; /* it takes none */
    uint32_t cid1;
    uint32_t cid2;
    uint32_t pid;                        /* in one of the two (pids.c) */
    char process[CS_PROCESS_NAME_BYTES]; /* who pid is; "": not said here (process.h) */
    unsigned like;                       /* a measured program (measured.h); 0: none */
    cs_function_spec *functions;
    size_t nr_functions;
    cs_stream_spec *streams;
    size_t nr_streams;
} cs_segment_spec;

#define CS_PROGRAM_NAME_BYTES 1024u
#define CS_PROGRAM_TEXTS 8u
#define CS_PROGRAM_BUILD_ID_BYTES 20u

/* A real program, as it is loaded. */
typedef struct cs_program_spec {
    const char *path; /* absolute */
    uint8_t build_id[CS_PROGRAM_BUILD_ID_BYTES];
    unsigned build_id_bytes; /* 0: it has none */
    struct cs_program_text {
        uint64_t base;         /* in memory */
        uint64_t size;         /* both whole pages */
        uint64_t offset;       /* in the file */
    } texts[CS_PROGRAM_TEXTS]; /* what can be executed */
    unsigned nr_texts;
} cs_program_spec;

/* Where in its segments a workload is at cycle 0. */
typedef enum cs_phase {
    CS_PHASE_START,    /* at the start of the first */
    CS_PHASE_SEED,     /* somewhere, by the seed: all its CPUs at the same place */
    CS_PHASE_SEED_EACH /* each CPU at a place of its own */
} cs_phase;

typedef struct cs_workload_spec {
    char name[CS_NAME_BYTES];
    bool cpus[CS_MAX_CPUS];              /* the CPUs that run it */
    char program[CS_PROGRAM_NAME_BYTES]; /* as it was named; "": none */
    uint64_t program_base;
    const cs_program_spec *loaded; /* NULL: there is no program */
    cs_phase phase;
    cs_segment_spec *segments; /* repeated for ever */
    size_t nr_segments;
} cs_workload_spec;

#endif
