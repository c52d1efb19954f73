// SPDX-License-Identifier: Apache-2.0
/* What a perf.data file says of itself: the events that were recorded, and the facts of its
 * header (hostname, PMU names, build ids ...). Filled by data.h; strings and arrays
 * belong to the reader. Numbers as in the kernel's include/uapi/linux/perf_event.h. */
#ifndef CS_FORMATS_PERF_READ_EVENT_H
#define CS_FORMATS_PERF_READ_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of sample_type. */
enum {
    CS_PERFREAD_IP = 1u << 0,
    CS_PERFREAD_TID = 1u << 1,
    CS_PERFREAD_TIME = 1u << 2,
    CS_PERFREAD_ADDR = 1u << 3,
    CS_PERFREAD_READ = 1u << 4,
    CS_PERFREAD_CALLCHAIN = 1u << 5,
    CS_PERFREAD_ID = 1u << 6,
    CS_PERFREAD_CPU = 1u << 7,
    CS_PERFREAD_PERIOD = 1u << 8,
    CS_PERFREAD_STREAM_ID = 1u << 9,
    CS_PERFREAD_RAW = 1u << 10,
    CS_PERFREAD_BRANCH_STACK = 1u << 11,
    CS_PERFREAD_REGS_USER = 1u << 12,
    CS_PERFREAD_STACK_USER = 1u << 13,
    CS_PERFREAD_WEIGHT = 1u << 14,
    CS_PERFREAD_DATA_SRC = 1u << 15,
    CS_PERFREAD_IDENTIFIER = 1u << 16,
    CS_PERFREAD_TRANSACTION = 1u << 17,
    CS_PERFREAD_REGS_INTR = 1u << 18,
    CS_PERFREAD_PHYS_ADDR = 1u << 19,
    CS_PERFREAD_AUX = 1u << 20,
    CS_PERFREAD_CGROUP = 1u << 21,
    CS_PERFREAD_DATA_PAGE_SIZE = 1u << 22,
    CS_PERFREAD_CODE_PAGE_SIZE = 1u << 23,
    CS_PERFREAD_WEIGHT_STRUCT = 1u << 24,
    CS_PERFREAD_ALL_SAMPLE_BITS = (1u << 25) - 1
};

/* Bits of read_format. */
enum {
    CS_PERFREAD_FORMAT_ENABLED = 1u << 0,
    CS_PERFREAD_FORMAT_RUNNING = 1u << 1,
    CS_PERFREAD_FORMAT_ID = 1u << 2,
    CS_PERFREAD_FORMAT_GROUP = 1u << 3,
    CS_PERFREAD_FORMAT_LOST = 1u << 4,
    CS_PERFREAD_ALL_FORMAT_BITS = (1u << 5) - 1
};

/* Those of branch_type that change what a sample holds. */
#define CS_PERFREAD_BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define CS_PERFREAD_BRANCH_COUNTERS (UINT64_C(1) << 19)

/* Bits of flags, as on a little endian machine. */
#define CS_PERFREAD_FLAG_FREQ (UINT64_C(1) << 10)
#define CS_PERFREAD_FLAG_SAMPLE_ID_ALL (UINT64_C(1) << 18)

/* One perf_event_attr with what belongs to it. Members that an older attr does not have are 0. */
typedef struct cs_perfread_event {
    uint32_t index; /* its place in the file, from 0 */
    uint32_t type;  /* number of the PMU */
    uint32_t attr_bytes;
    uint64_t attr_offset; /* of the attr in the file */
    uint64_t config;
    uint64_t config1;
    uint64_t config2;
    uint64_t period; /* Hz where flags has CS_PERFREAD_FLAG_FREQ */
    uint64_t sample_type;
    uint64_t read_format;
    uint64_t flags;
    uint64_t branch_type;
    uint64_t regs_user;
    uint64_t regs_intr;
    uint32_t stack_user;
    const char *name; /* NULL: the file does not say */
    const char *unit; /* likewise */
    double scale;     /* 1 where the file does not say */
    const uint64_t *ids;
    size_t nr_ids;
} cs_perfread_event;

/* Numbers of features (the bit in the header, feat_id in a pipe). */
enum {
    CS_PERFREAD_FEAT_TRACING_DATA = 1,
    CS_PERFREAD_FEAT_BUILD_ID = 2,
    CS_PERFREAD_FEAT_HOSTNAME = 3,
    CS_PERFREAD_FEAT_OSRELEASE = 4,
    CS_PERFREAD_FEAT_VERSION = 5,
    CS_PERFREAD_FEAT_ARCH = 6,
    CS_PERFREAD_FEAT_NRCPUS = 7,
    CS_PERFREAD_FEAT_CPUDESC = 8,
    CS_PERFREAD_FEAT_CPUID = 9,
    CS_PERFREAD_FEAT_TOTAL_MEM = 10,
    CS_PERFREAD_FEAT_CMDLINE = 11,
    CS_PERFREAD_FEAT_EVENT_DESC = 12,
    CS_PERFREAD_FEAT_PMU_MAPPINGS = 16,
    CS_PERFREAD_FEAT_GROUP_DESC = 17,
    CS_PERFREAD_FEAT_AUXTRACE = 18,
    CS_PERFREAD_FEAT_STAT = 19,
    CS_PERFREAD_FEAT_SAMPLE_TIME = 21,
    CS_PERFREAD_NR_FEATURES = 256
};

typedef struct cs_perfread_pmu {
    uint32_t type;
    const char *name;
} cs_perfread_pmu;

typedef struct cs_perfread_build_id {
    uint32_t pid; /* as written: 0xffffffff is the host's kernel */
    uint16_t misc;
    uint8_t bytes; /* of id that count, 0..20 */
    uint8_t id[20];
    const char *file;
} cs_perfread_build_id;

typedef struct cs_perfread_group {
    const char *name;
    uint32_t leader; /* index of its first event */
    uint32_t nr_members;
} cs_perfread_group;

/* Where a feature stands; offset 0 and bytes 0: the file does not have it. */
typedef struct cs_perfread_section {
    uint64_t offset;
    uint64_t bytes;
} cs_perfread_section;

/* Strings are NULL and numbers 0 where the file does not say. Of a pipe all of it grows as
 * records are read. */
typedef struct cs_perfread_facts {
    bool pipe;
    bool big_endian;
    bool unfinished; /* the recorder did not come to write the size of the data */
    uint64_t data_offset;
    uint64_t data_bytes; /* of a pipe 0 */
    const cs_perfread_event *events;
    size_t nr_events;
    cs_perfread_section features[CS_PERFREAD_NR_FEATURES]; /* of a pipe: the record's data */
    const char *hostname;
    const char *os_release;
    const char *version;
    const char *arch;
    const char *cpu_desc;
    const char *cpu_id;
    const char *const *cmdline;
    size_t nr_cmdline;
    uint32_t cpus_available;
    uint32_t cpus_online;
    uint64_t total_mem_kib;
    uint64_t first_sample_ns;
    uint64_t last_sample_ns;
    const cs_perfread_pmu *pmus;
    size_t nr_pmus;
    const cs_perfread_build_id *build_ids;
    size_t nr_build_ids;
    const cs_perfread_group *groups;
    size_t nr_groups;
    bool stat; /* the records are those of perf stat */
} cs_perfread_facts;

#ifdef __cplusplus
}
#endif

#endif
