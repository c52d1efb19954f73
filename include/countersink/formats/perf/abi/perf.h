// SPDX-License-Identifier: Apache-2.0
/* Numbers of perf's ABI as files and rings have them (the kernel's perf_event.h; above 63, perf's own
 * records; features of a perf.data header). */
#ifndef CS_FORMATS_PERF_ABI_PERF_H
#define CS_FORMATS_PERF_ABI_PERF_H

#include <stdint.h>

/* attr.type; dynamic PMUs have numbers from 6 on. */
#define CS_PERF_TYPE_HARDWARE 0u
#define CS_PERF_TYPE_SOFTWARE 1u
#define CS_PERF_TYPE_TRACEPOINT 2u
#define CS_PERF_TYPE_CACHE 3u
#define CS_PERF_TYPE_RAW 4u
#define CS_PERF_TYPE_FIRST_DYNAMIC 6u

/* attr.config of software events. */
#define CS_PERF_SW_DUMMY 9u

/* attr.sample_type */
#define CS_PERF_SAMPLE_IP (UINT64_C(1) << 0)
#define CS_PERF_SAMPLE_TID (UINT64_C(1) << 1)
#define CS_PERF_SAMPLE_TIME (UINT64_C(1) << 2)
#define CS_PERF_SAMPLE_ADDR (UINT64_C(1) << 3)
#define CS_PERF_SAMPLE_READ (UINT64_C(1) << 4)
#define CS_PERF_SAMPLE_CALLCHAIN (UINT64_C(1) << 5)
#define CS_PERF_SAMPLE_ID (UINT64_C(1) << 6)
#define CS_PERF_SAMPLE_CPU (UINT64_C(1) << 7)
#define CS_PERF_SAMPLE_PERIOD (UINT64_C(1) << 8)
#define CS_PERF_SAMPLE_STREAM_ID (UINT64_C(1) << 9)
#define CS_PERF_SAMPLE_RAW (UINT64_C(1) << 10)
#define CS_PERF_SAMPLE_IDENTIFIER (UINT64_C(1) << 16)

/* attr.read_format */
#define CS_PERF_READ_ENABLED (UINT64_C(1) << 0)
#define CS_PERF_READ_RUNNING (UINT64_C(1) << 1)
#define CS_PERF_READ_ID (UINT64_C(1) << 2)
#define CS_PERF_READ_GROUP (UINT64_C(1) << 3)
#define CS_PERF_READ_LOST (UINT64_C(1) << 4)

/* attr's flags */
#define CS_PERF_ATTR_DISABLED (UINT64_C(1) << 0)
#define CS_PERF_ATTR_INHERIT (UINT64_C(1) << 1)
#define CS_PERF_ATTR_PINNED (UINT64_C(1) << 2)
#define CS_PERF_ATTR_EXCLUDE_USER (UINT64_C(1) << 4)
#define CS_PERF_ATTR_EXCLUDE_KERNEL (UINT64_C(1) << 5)
#define CS_PERF_ATTR_EXCLUDE_HV (UINT64_C(1) << 6)
#define CS_PERF_ATTR_MMAP (UINT64_C(1) << 8)
#define CS_PERF_ATTR_COMM (UINT64_C(1) << 9)
#define CS_PERF_ATTR_FREQ (UINT64_C(1) << 10)
#define CS_PERF_ATTR_TASK (UINT64_C(1) << 13)
#define CS_PERF_ATTR_SAMPLE_ID_ALL (UINT64_C(1) << 18)
#define CS_PERF_ATTR_EXCLUDE_HOST (UINT64_C(1) << 19)
#define CS_PERF_ATTR_EXCLUDE_GUEST (UINT64_C(1) << 20)
#define CS_PERF_ATTR_MMAP2 (UINT64_C(1) << 23)
#define CS_PERF_ATTR_COMM_EXEC (UINT64_C(1) << 24)
#define CS_PERF_ATTR_CONTEXT_SWITCH (UINT64_C(1) << 26)

/* Types of records. */
#define CS_PERF_REC_MMAP 1u
#define CS_PERF_REC_LOST 2u
#define CS_PERF_REC_COMM 3u
#define CS_PERF_REC_EXIT 4u
#define CS_PERF_REC_THROTTLE 5u
#define CS_PERF_REC_UNTHROTTLE 6u
#define CS_PERF_REC_FORK 7u
#define CS_PERF_REC_SAMPLE 9u
#define CS_PERF_REC_MMAP2 10u
#define CS_PERF_REC_AUX 11u
#define CS_PERF_REC_ITRACE_START 12u
#define CS_PERF_REC_LOST_SAMPLES 13u
#define CS_PERF_REC_SWITCH 14u
#define CS_PERF_REC_SWITCH_CPU_WIDE 15u
#define CS_PERF_REC_FINISHED_ROUND 68u
#define CS_PERF_REC_ID_INDEX 69u
#define CS_PERF_REC_AUXTRACE_INFO 70u
#define CS_PERF_REC_AUXTRACE 71u
#define CS_PERF_REC_THREAD_MAP 73u
#define CS_PERF_REC_CPU_MAP 74u
#define CS_PERF_REC_STAT_CONFIG 75u
#define CS_PERF_REC_STAT 76u
#define CS_PERF_REC_STAT_ROUND 77u
#define CS_PERF_REC_EVENT_UPDATE 78u
#define CS_PERF_REC_FINISHED_INIT 82u

/* misc of a record: the mode of the CPU, and flags. */
#define CS_PERF_MISC_KERNEL 1u
#define CS_PERF_MISC_USER 2u
#define CS_PERF_MISC_GUEST_KERNEL 4u
#define CS_PERF_MISC_GUEST_USER 5u
#define CS_PERF_MISC_COMM_EXEC (1u << 13)
#define CS_PERF_MISC_FORK_EXEC (1u << 13)
#define CS_PERF_MISC_SWITCH_OUT (1u << 13)
#define CS_PERF_MISC_SWITCH_OUT_PREEMPT (1u << 14)
#define CS_PERF_MISC_MMAP_BUILD_ID (1u << 14)
#define CS_PERF_MISC_BUILD_ID_SIZE (1u << 15)

/* Where in a callchain the addresses that follow belong. */
#define CS_PERF_CONTEXT_KERNEL UINT64_C(0xffffffffffffff80)
#define CS_PERF_CONTEXT_USER UINT64_C(0xfffffffffffffe00)
#define CS_PERF_CONTEXT_GUEST_KERNEL UINT64_C(0xfffffffffffff780)
#define CS_PERF_CONTEXT_GUEST_USER UINT64_C(0xfffffffffffff600)

/* From here on a word of a chain is a marker, no address. */
#define CS_PERF_CONTEXT_FIRST UINT64_C(0xfffffffffffff001)

/* Words of a call chain: two markers and a stack's addresses. */
#define CS_PERF_CHAIN_MOST 129u

/* Flags of an AUX record. */
#define CS_PERF_AUX_TRUNCATED (UINT64_C(1) << 0)
#define CS_PERF_AUX_OVERWRITE (UINT64_C(1) << 1)
#define CS_PERF_AUX_PARTIAL (UINT64_C(1) << 2)
#define CS_PERF_AUX_COLLISION (UINT64_C(1) << 3)

/* STAT_CONFIG: tags, and what the first can be; STAT_ROUND; EVENT_UPDATE. */
#define CS_PERF_STAT_CONFIG_AGGR_MODE 0u
#define CS_PERF_STAT_CONFIG_INTERVAL 1u
#define CS_PERF_STAT_CONFIG_SCALE 2u
#define CS_PERF_AGGR_NONE 0u
#define CS_PERF_AGGR_GLOBAL 1u
#define CS_PERF_AGGR_SOCKET 2u
#define CS_PERF_STAT_ROUND_INTERVAL 0u
#define CS_PERF_STAT_ROUND_FINAL 1u
#define CS_PERF_UPDATE_UNIT 0u
#define CS_PERF_UPDATE_SCALE 1u
#define CS_PERF_UPDATE_NAME 2u
#define CS_PERF_UPDATE_CPUS 3u

/* Features of the header. */
#define CS_PERF_FEATURE_BUILD_ID 2u
#define CS_PERF_FEATURE_HOSTNAME 3u
#define CS_PERF_FEATURE_OSRELEASE 4u
#define CS_PERF_FEATURE_VERSION 5u
#define CS_PERF_FEATURE_ARCH 6u
#define CS_PERF_FEATURE_NRCPUS 7u
#define CS_PERF_FEATURE_CPUDESC 8u
#define CS_PERF_FEATURE_CPUID 9u
#define CS_PERF_FEATURE_TOTAL_MEM 10u
#define CS_PERF_FEATURE_CMDLINE 11u
#define CS_PERF_FEATURE_EVENT_DESC 12u
#define CS_PERF_FEATURE_CPU_TOPOLOGY 13u
#define CS_PERF_FEATURE_PMU_MAPPINGS 16u
#define CS_PERF_FEATURE_AUXTRACE 18u
#define CS_PERF_FEATURE_STAT 19u
#define CS_PERF_FEATURE_SAMPLE_TIME 21u

#endif
