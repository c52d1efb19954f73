// SPDX-License-Identifier: Apache-2.0
/* The SBI PMU extension as caller and callee see it: numbers, flags, and how a call is made
 * (docs/drivers/sbi_pmu.md). */
#ifndef CS_DRIVERS_HPM_SBI_SBI_H
#define CS_DRIVERS_HPM_SBI_SBI_H

#include <stdint.h>

#include <countersink/drivers/hpm/hart.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_SBI_EID_BASE 0x10u
#define CS_SBI_EID_PMU 0x504d55u
#define CS_SBI_EID_SSE 0x535345u

/* Of the base extension what a PMU driver asks. */
#define CS_SBI_BASE_GET_SPEC_VERSION 0u
#define CS_SBI_BASE_PROBE_EXTENSION 3u

typedef enum cs_sbi_pmu_function {
    CS_SBI_PMU_NUM_COUNTERS = 0,
    CS_SBI_PMU_COUNTER_GET_INFO = 1,
    CS_SBI_PMU_COUNTER_CONFIG_MATCHING = 2,
    CS_SBI_PMU_COUNTER_START = 3,
    CS_SBI_PMU_COUNTER_STOP = 4,
    CS_SBI_PMU_COUNTER_FW_READ = 5,
    CS_SBI_PMU_COUNTER_FW_READ_HI = 6,
    CS_SBI_PMU_SNAPSHOT_SET_SHMEM = 7,
    CS_SBI_PMU_EVENT_GET_INFO = 8
} cs_sbi_pmu_function;

/* "Proposal v3: SBI PMU Extension" (Anup Patel, July 2020; docs/sources.md) numbers its calls so;
 * config matching is from the mails that answered it. */
typedef enum cs_sbi_v3_function {
    CS_SBI_V3_NUM_COUNTERS = 0,
    CS_SBI_V3_COUNTER_GET_CSR = 1,
    CS_SBI_V3_COUNTER_SET_EVENT = 2,
    CS_SBI_V3_COUNTER_SET_PHYS_ADDR = 3,
    CS_SBI_V3_COUNTER_START = 4,
    CS_SBI_V3_COUNTER_STOP = 5,
    CS_SBI_V3_COUNTER_CONFIG_MATCHING = 6
} cs_sbi_v3_function;

typedef enum cs_sbi_sse_function {
    CS_SBI_SSE_READ_ATTRS = 0,
    CS_SBI_SSE_WRITE_ATTRS = 1,
    CS_SBI_SSE_REGISTER = 2,
    CS_SBI_SSE_UNREGISTER = 3,
    CS_SBI_SSE_ENABLE = 4,
    CS_SBI_SSE_DISABLE = 5,
    CS_SBI_SSE_COMPLETE = 6,
    CS_SBI_SSE_INJECT = 7,
    CS_SBI_SSE_HART_UNMASK = 8,
    CS_SBI_SSE_HART_MASK = 9
} cs_sbi_sse_function;

typedef enum cs_sbi_error {
    CS_SBI_SUCCESS = 0,
    CS_SBI_ERR_FAILED = -1,
    CS_SBI_ERR_NOT_SUPPORTED = -2,
    CS_SBI_ERR_INVALID_PARAM = -3,
    CS_SBI_ERR_DENIED = -4,
    CS_SBI_ERR_INVALID_ADDRESS = -5,
    CS_SBI_ERR_ALREADY_AVAILABLE = -6,
    CS_SBI_ERR_ALREADY_STARTED = -7,
    CS_SBI_ERR_ALREADY_STOPPED = -8,
    CS_SBI_ERR_NO_SHMEM = -9,
    CS_SBI_ERR_INVALID_STATE = -10,
    CS_SBI_ERR_BAD_RANGE = -11
} cs_sbi_error;

#define CS_SBI_CFG_SKIP_MATCH (1u << 0)
#define CS_SBI_CFG_CLEAR_VALUE (1u << 1)
#define CS_SBI_CFG_AUTO_START (1u << 2)
#define CS_SBI_CFG_SET_VUINH (1u << 3)
#define CS_SBI_CFG_SET_VSINH (1u << 4)
#define CS_SBI_CFG_SET_UINH (1u << 5)
#define CS_SBI_CFG_SET_SINH (1u << 6)
#define CS_SBI_CFG_SET_MINH (1u << 7)
#define CS_SBI_CFG_ALL 0xffu

#define CS_SBI_START_SET_INIT_VALUE (1u << 0)
#define CS_SBI_START_INIT_SNAPSHOT (1u << 1)
#define CS_SBI_STOP_RESET (1u << 0)
#define CS_SBI_STOP_TAKE_SNAPSHOT (1u << 1)

/* event_idx = type[19:16] | code[15:0] */
#define CS_SBI_EVENT_TYPE(event_idx) ((event_idx) >> 16 & 0xfu)
#define CS_SBI_EVENT_CODE(event_idx) ((event_idx)&0xffffu)
#define CS_SBI_TYPE_HW 0x0u
#define CS_SBI_TYPE_CACHE 0x1u
#define CS_SBI_TYPE_RAW 0x2u
#define CS_SBI_TYPE_RAW_V2 0x3u
#define CS_SBI_TYPE_FW 0xfu
#define CS_SBI_FW_PLATFORM 0xffffu

/* The snapshot page. */
#define CS_SBI_SNAPSHOT_BYTES 4096u
#define CS_SBI_SNAPSHOT_VALUES 8u /* offset of 64 values; before them the overflow bitmap */

typedef struct cs_sbi_ret {
    int64_t error; /* cs_sbi_error */
    uint64_t value;
} cs_sbi_ret;

/* What answers ecalls: firmware, a hypervisor, or your own code. The call comes from the track that
 * runs on the hart and takes its time, traps included. With XLEN 32 an argument is 32 bits, and
 * what has 64 takes two (low, high). */
typedef struct cs_sbi {
    cs_sbi_ret (*call)(void *ctx, cs_hart *hart, uint64_t eid, uint64_t fid,
                       const uint64_t args[6]);
    void *ctx;
} cs_sbi;

#ifdef __cplusplus
}
#endif

#endif
