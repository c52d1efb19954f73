// SPDX-License-Identifier: Apache-2.0
/* One record of a perf.data file, taken apart. Bytes that a record points to are those of the
 * reader and stay until the next record. */
#ifndef CS_FORMATS_PERF_READ_RECORD_H
#define CS_FORMATS_PERF_READ_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/perf/read/event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the flags of an AUX record: there was no room for what came then. */
#define CS_PERFREAD_AUX_TRUNCATED 1u

enum {
    CS_PERFREAD_MMAP = 1,
    CS_PERFREAD_LOST = 2,
    CS_PERFREAD_COMM = 3,
    CS_PERFREAD_EXIT = 4,
    CS_PERFREAD_THROTTLE = 5,
    CS_PERFREAD_UNTHROTTLE = 6,
    CS_PERFREAD_FORK = 7,
    CS_PERFREAD_READ_RECORD = 8,
    CS_PERFREAD_SAMPLE = 9,
    CS_PERFREAD_MMAP2 = 10,
    CS_PERFREAD_AUX_RECORD = 11,
    CS_PERFREAD_ITRACE_START = 12,
    CS_PERFREAD_LOST_SAMPLES = 13,
    CS_PERFREAD_SWITCH = 14,
    CS_PERFREAD_SWITCH_CPU_WIDE = 15,
    CS_PERFREAD_NAMESPACES = 16,
    CS_PERFREAD_KSYMBOL = 17,
    CS_PERFREAD_BPF_EVENT = 18,
    CS_PERFREAD_CGROUP_RECORD = 19,
    CS_PERFREAD_TEXT_POKE = 20,
    CS_PERFREAD_AUX_OUTPUT_HW_ID = 21,
    CS_PERFREAD_FIRST_USER = 64, /* from here on perf's own, without a sample_id */
    CS_PERFREAD_HEADER_ATTR = 64,
    CS_PERFREAD_HEADER_EVENT_TYPE = 65,
    CS_PERFREAD_HEADER_TRACING_DATA = 66,
    CS_PERFREAD_HEADER_BUILD_ID = 67,
    CS_PERFREAD_FINISHED_ROUND = 68,
    CS_PERFREAD_ID_INDEX = 69,
    CS_PERFREAD_AUXTRACE_INFO = 70,
    CS_PERFREAD_AUXTRACE = 71,
    CS_PERFREAD_AUXTRACE_ERROR = 72,
    CS_PERFREAD_THREAD_MAP = 73,
    CS_PERFREAD_CPU_MAP = 74,
    CS_PERFREAD_STAT_CONFIG = 75,
    CS_PERFREAD_STAT = 76,
    CS_PERFREAD_STAT_ROUND = 77,
    CS_PERFREAD_EVENT_UPDATE = 78,
    CS_PERFREAD_TIME_CONV = 79,
    CS_PERFREAD_HEADER_FEATURE = 80,
    CS_PERFREAD_COMPRESSED = 81,
    CS_PERFREAD_FINISHED_INIT = 82,
    CS_PERFREAD_COMPRESSED2 = 83
};

/* misc */
#define CS_PERFREAD_CPU_MODE 7u        /* 1 kernel, 2 user, 3 hypervisor, 4, 5 guest's */
#define CS_PERFREAD_MISC_13 (1u << 13) /* MMAP: data; COMM, FORK: exec; SWITCH: out */
#define CS_PERFREAD_MISC_14 (1u << 14) /* MMAP2: build id; SAMPLE: exact ip; SWITCH: preempted */

/* Words of 64 bits in the file's byte order. */
typedef struct cs_perfread_words {
    const uint8_t *bytes;
    size_t count;
    bool big_endian;
} cs_perfread_words;

/* Word i < count. */
uint64_t cs_perfread_word(const cs_perfread_words *words, size_t i);

typedef struct cs_perfread_blob {
    const uint8_t *bytes;
    size_t count;
} cs_perfread_blob;

/* Who and when: of a sample, or from the sample_id at another record's end. */
typedef struct cs_perfread_who {
    uint64_t has; /* bits of sample_type: TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER */
    uint32_t pid;
    uint32_t tid;
    uint64_t time;
    uint64_t id; /* of ID or IDENTIFIER */
    uint64_t stream_id;
    uint32_t cpu;
} cs_perfread_who;

/* Values of counters. enabled and running are common in a group, and also those of the one
 * value without. */
typedef struct cs_perfread_values {
    uint64_t format; /* bits of read_format */
    uint64_t enabled;
    uint64_t running;
    size_t nr_values;
    cs_perfread_words words; /* of all values: use cs_perfread_value */
} cs_perfread_values;

typedef struct cs_perfread_one_value {
    uint64_t value;
    uint64_t id;   /* 0 without FORMAT_ID */
    uint64_t lost; /* 0 without FORMAT_LOST */
} cs_perfread_one_value;

/* Value i < nr_values. */
cs_perfread_one_value cs_perfread_value(const cs_perfread_values *values, size_t i);

typedef struct cs_perfread_branches {
    bool has_hw_index;
    uint64_t hw_index;
    size_t count;
    cs_perfread_words entries;  /* from, to, flags of each: use cs_perfread_branch_of */
    cs_perfread_words counters; /* one an entry, or none */
} cs_perfread_branches;

typedef struct cs_perfread_branch {
    uint64_t from;
    uint64_t to;
    bool mispredicted;
    bool predicted;
    bool in_transaction;
    bool abort;
    uint16_t cycles;
    uint8_t type;
    uint8_t speculation;
    uint8_t new_type;
    uint8_t privilege;
} cs_perfread_branch;

/* Branch i < count. */
cs_perfread_branch cs_perfread_branch_of(const cs_perfread_branches *branches, size_t i);

/* Registers in the order of the bits of the event's mask; abi 0: none. */
typedef struct cs_perfread_regs {
    uint64_t abi; /* 1: of 32 bits, 2: of 64 */
    uint64_t mask;
    cs_perfread_words words;
} cs_perfread_regs;

/* What the event's sample_type has no bit for is 0. pid .. cpu are in the record's `who`. */
typedef struct cs_perfread_sample {
    uint64_t has; /* sample_type */
    uint64_t ip;
    uint64_t addr;
    uint64_t period;
    cs_perfread_values values;
    cs_perfread_words callchain;
    cs_perfread_blob raw;
    cs_perfread_branches branches;
    cs_perfread_regs regs_user;
    cs_perfread_blob stack_user;
    uint64_t stack_dyn_bytes; /* of stack_user that were really there */
    uint64_t weight;          /* WEIGHT; of WEIGHT_STRUCT var1 */
    uint16_t weight_var2;
    uint16_t weight_var3;
    uint64_t data_src;
    uint64_t transaction;
    cs_perfread_regs regs_intr;
    uint64_t phys_addr;
    uint64_t cgroup;
    uint64_t data_page_bytes;
    uint64_t code_page_bytes;
    cs_perfread_blob aux;
} cs_perfread_sample;

typedef struct cs_perfread_mmap {
    uint32_t pid;
    uint32_t tid;
    uint64_t start;
    uint64_t bytes;
    uint64_t pgoff;
    const char *file;
    /* MMAP2: */
    uint32_t protection;
    uint32_t flags;
    uint8_t build_id_bytes; /* 0: major .. generation are there instead */
    uint8_t build_id[20];
    uint32_t major;
    uint32_t minor;
    uint64_t inode;
    uint64_t generation;
} cs_perfread_mmap;

/* FORK, EXIT: all; COMM, ITRACE_START, SWITCH_CPU_WIDE, NAMESPACES: pid and tid. */
typedef struct cs_perfread_task {
    uint32_t pid;
    uint32_t tid;
    uint32_t ppid;
    uint32_t ptid;
    uint64_t time;
    const char *comm; /* COMM */
} cs_perfread_task;

typedef struct cs_perfread_stat {
    uint64_t id;
    uint32_t cpu; /* 0xffffffff: none */
    uint32_t thread;
    uint64_t value;
    uint64_t enabled;
    uint64_t running;
} cs_perfread_stat;

typedef struct cs_perfread_auxtrace {
    uint64_t bytes; /* of the payload: cs_perfread_payload */
    uint64_t offset;
    uint64_t reference;
    uint32_t idx;
    uint32_t tid;
    uint32_t cpu;
} cs_perfread_auxtrace;

/* A list of CPUs, as numbers or as a mask. */
typedef struct cs_perfread_cpu_map {
    uint16_t type;       /* 0 numbers, 1 mask, 2 range */
    uint16_t count;      /* numbers; words of the mask */
    uint16_t word_bytes; /* of each: 2, or of the mask 4 or 8 */
    const uint8_t *bytes;
    bool big_endian;
    bool any_cpu; /* of a range */
    uint16_t first_cpu, last_cpu;
} cs_perfread_cpu_map;

/* The next CPU of the map after *place (begin with 0), -1 for "any"; false after the last. */
bool cs_perfread_cpu_map_next(const cs_perfread_cpu_map *map, uint32_t *place, int32_t *cpu);

typedef struct cs_perfread_record {
    uint64_t index; /* from 0 */
    uint64_t
        offset; /* of its first byte in the file; packed: of the COMPRESSED record that it ends in */
    bool packed;      /* it was compressed; */
    uint64_t place;   /* where it was in all that was */
    const char *part; /* the last word of the path that it is in; NULL: of the file itself */
    uint32_t type;    /* CS_PERFREAD_..; another: unknown, only bytes are there */
    uint16_t misc;
    uint16_t size;
    bool known;                     /* `type` is one of the above */
    const uint8_t *bytes;           /* [size], with the header */
    const cs_perfread_event *event; /* to which it belongs; NULL: none, or not known */
    cs_perfread_who who;
    uint64_t payload_bytes; /* that follow: AUXTRACE, HEADER_TRACING_DATA */
    union {
        cs_perfread_sample sample;
        cs_perfread_mmap mmap;
        cs_perfread_task task;
        struct {
            uint64_t id, lost; /* LOST; LOST_SAMPLES: lost */
        } lost;
        struct {
            uint64_t time, id, stream_id;
        } throttle;
        struct {
            uint32_t pid, tid;
            cs_perfread_values values;
        } read;
        struct {
            uint64_t offset, bytes, flags;
        } aux;
        struct {
            uint32_t pid, tid;
            cs_perfread_words links; /* dev, inode of each */
        } namespaces;
        struct {
            uint64_t address;
            uint32_t bytes;
            uint16_t type, flags;
            const char *name;
        } ksymbol;
        struct {
            uint16_t type, flags;
            uint32_t id;
            const uint8_t *tag; /* [8] */
        } bpf;
        struct {
            uint64_t id;
            const char *path;
        } cgroup;
        struct {
            uint64_t address;
            cs_perfread_blob before, after;
        } text_poke;
        uint64_t hw_id;
        struct {
            const cs_perfread_event *event; /* whose attr it is */
        } attr;
        struct {
            uint64_t id;
            const char *name;
        } event_type;
        cs_perfread_build_id build_id;
        struct {
            cs_perfread_words entries; /* id, idx, cpu, tid of each */
        } id_index;
        struct {
            uint32_t type;
            cs_perfread_words private_words;
        } auxtrace_info;
        cs_perfread_auxtrace auxtrace;
        struct {
            uint32_t type, code, cpu, pid, tid, format;
            uint64_t ip, time;
            const char *message;
        } auxtrace_error;
        struct {
            cs_perfread_words entries; /* pid and 16 bytes of comm of each */
        } thread_map;
        cs_perfread_cpu_map cpu_map;
        cs_perfread_blob compressed; /* its records come next */
        struct {
            cs_perfread_words entries; /* tag, value of each */
        } stat_config;
        cs_perfread_stat stat;
        struct {
            uint64_t type, time; /* 0 interval, 1 final */
        } stat_round;
        struct {
            uint64_t type, id; /* 0 unit, 1 scale, 2 name, 3 CPUs */
            const char *text;  /* unit, name */
            double scale;
            cs_perfread_cpu_map cpus;
        } update;
        struct {
            uint64_t shift, mult, zero, cycles, mask;
            bool has_zero, has_short;
        } time_conv;
        struct {
            uint64_t number;
            cs_perfread_blob data;
        } feature;
    };
} cs_perfread_record;

/* "SAMPLE"; NULL: of no known type. */
const char *cs_perfread_type_name(uint32_t type);

#ifdef __cplusplus
}
#endif

#endif
