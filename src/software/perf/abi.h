// SPDX-License-Identifier: Apache-2.0
/* How perf_event_open(2)'s structures lie in memory, and numbers that only the system call has;
 * those that files have too are in <countersink/formats/perf/abi/perf.h>. */
#ifndef CS_SOFTWARE_PERF_ABI_H
#define CS_SOFTWARE_PERF_ABI_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/formats/perf/abi/perf.h>

struct cs_perf_attr_abi {
    uint32_t type, size;
    uint64_t config, sample_period, sample_type, read_format, flags;
    uint32_t wakeup, bp_type;
    uint64_t config1, config2, branch_sample_type, sample_regs_user;
    uint32_t sample_stack_user;
    int32_t clockid;
    uint64_t sample_regs_intr;
    uint32_t aux_watermark;
    uint16_t sample_max_stack, reserved_2;
    uint32_t aux_sample_size, reserved_3;
    uint64_t sig_data, config3;
};

/* ---- attr ---- */

#define CS_PERF_ATTR_EXCLUSIVE (UINT64_C(1) << 3)
#define CS_PERF_ATTR_EXCLUDE_IDLE (UINT64_C(1) << 7)
#define CS_PERF_ATTR_INHERIT_STAT (UINT64_C(1) << 11)
#define CS_PERF_ATTR_ENABLE_ON_EXEC (UINT64_C(1) << 12)
#define CS_PERF_ATTR_WATERMARK (UINT64_C(1) << 14)
#define CS_PERF_ATTR_PRECISE_IP (UINT64_C(3) << 15)
#define CS_PERF_ATTR_MMAP_DATA (UINT64_C(1) << 17)
#define CS_PERF_ATTR_NO_CHAIN_KERNEL (UINT64_C(1) << 21)
#define CS_PERF_ATTR_NO_CHAIN_USER (UINT64_C(1) << 22)
#define CS_PERF_ATTR_USE_CLOCKID (UINT64_C(1) << 25)
#define CS_PERF_ATTR_WRITE_BACKWARD (UINT64_C(1) << 27)
#define CS_PERF_ATTR_NAMESPACES (UINT64_C(1) << 28)
#define CS_PERF_ATTR_AUX_OUTPUT (UINT64_C(1) << 31)
#define CS_PERF_ATTR_INHERIT_THREAD (UINT64_C(1) << 35)
#define CS_PERF_ATTR_REMOVE_ON_EXEC (UINT64_C(1) << 36)
#define CS_PERF_ATTR_SIGTRAP (UINT64_C(1) << 37)
#define CS_PERF_ATTR_EXCLUDES                                                                      \
    (CS_PERF_ATTR_EXCLUDE_USER | CS_PERF_ATTR_EXCLUDE_KERNEL | CS_PERF_ATTR_EXCLUDE_HV |           \
     CS_PERF_ATTR_EXCLUDE_IDLE | CS_PERF_ATTR_EXCLUDE_HOST | CS_PERF_ATTR_EXCLUDE_GUEST)
#define CS_PERF_ATTR_KNOWN ((UINT64_C(1) << 38) - 1)

#define CS_PERF_SAMPLE_BRANCH_STACK (UINT64_C(1) << 11)
#define CS_PERF_SAMPLE_REGS_USER (UINT64_C(1) << 12)
#define CS_PERF_SAMPLE_STACK_USER (UINT64_C(1) << 13)
#define CS_PERF_SAMPLE_WEIGHT (UINT64_C(1) << 14)
#define CS_PERF_SAMPLE_DATA_SRC (UINT64_C(1) << 15)
#define CS_PERF_SAMPLE_TRANSACTION (UINT64_C(1) << 17)
#define CS_PERF_SAMPLE_REGS_INTR (UINT64_C(1) << 18)
#define CS_PERF_SAMPLE_PHYS_ADDR (UINT64_C(1) << 19)
#define CS_PERF_SAMPLE_AUX (UINT64_C(1) << 20)
#define CS_PERF_SAMPLE_CGROUP (UINT64_C(1) << 21)
#define CS_PERF_SAMPLE_DATA_PAGE_SIZE (UINT64_C(1) << 22)
#define CS_PERF_SAMPLE_CODE_PAGE_SIZE (UINT64_C(1) << 23)
#define CS_PERF_SAMPLE_WEIGHT_STRUCT (UINT64_C(1) << 24)
#define CS_PERF_SAMPLE_KNOWN ((UINT64_C(1) << 25) - 1)

#define CS_PERF_READ_KNOWN ((UINT64_C(1) << 5) - 1)

#define CS_PERF_BRANCH_PRIVILEGES UINT64_C(7)
#define CS_PERF_BRANCH_KNOWN ((UINT64_C(1) << 20) - 1)
#define CS_PERF_STACK_MOST_BYTES 65535u

/* What a sample has where the kernel knows nothing of a memory access. */
#define CS_PERF_MEM_UNKNOWN UINT64_C(0x5080021)

/* config of PERF_TYPE_SOFTWARE; CS_PERF_SW_DUMMY is 9. */
#define CS_PERF_SW_CPU_CLOCK 0u
#define CS_PERF_SW_TASK_CLOCK 1u
#define CS_PERF_SW_PAGE_FAULTS 2u
#define CS_PERF_SW_CONTEXT_SWITCHES 3u
#define CS_PERF_SW_CPU_MIGRATIONS 4u
#define CS_PERF_SW_PAGE_FAULTS_MIN 5u
#define CS_PERF_SW_PAGE_FAULTS_MAJ 6u

/* config of PERF_TYPE_HARDWARE and _CACHE: below these the number is one that there could be. */
#define CS_PERF_HARDWARE_EVENTS 10u
#define CS_PERF_CACHES 7u
#define CS_PERF_CACHE_OPS 3u
#define CS_PERF_CACHE_RESULTS 2u
#define CS_PERF_CONFIG_MASK UINT64_C(0xffffffff) /* above: the PMU's type */
#define CS_PERF_CONFIG_PMU_SHIFT 32u

/* ---- the system call ---- */

#define CS_PERF_FLAG_NO_GROUP (UINT64_C(1) << 0)
#define CS_PERF_FLAG_OUTPUT (UINT64_C(1) << 1)
#define CS_PERF_FLAG_CGROUP (UINT64_C(1) << 2)
#define CS_PERF_FLAG_KNOWN UINT64_C(0xf)

/* `_IO('$', n)` and its like, as all of Countersink's hosts have them. */
#define CS_PERF_IOC_ENABLE 0x2400u
#define CS_PERF_IOC_DISABLE 0x2401u
#define CS_PERF_IOC_REFRESH 0x2402u
#define CS_PERF_IOC_RESET 0x2403u
#define CS_PERF_IOC_PERIOD 0x40082404u
#define CS_PERF_IOC_SET_OUTPUT 0x2405u
#define CS_PERF_IOC_SET_FILTER 0x40082406u
#define CS_PERF_IOC_ID 0x80082407u
#define CS_PERF_IOC_SET_BPF 0x40042408u
#define CS_PERF_IOC_PAUSE_OUTPUT 0x40042409u
#define CS_PERF_IOC_QUERY_BPF 0xc008240au
#define CS_PERF_IOC_MODIFY_ATTRIBUTES 0x4008240bu
#define CS_PERF_IOC_FLAG_GROUP UINT64_C(1)

/* ---- the first page of a ring ---- */

struct cs_perf_page_abi {
    uint32_t version, compat_version;
    uint32_t lock, index;
    int64_t offset;
    uint64_t time_enabled, time_running;
    uint64_t capabilities;
    uint16_t pmc_width, time_shift;
    uint32_t time_mult;
    uint64_t time_offset, time_zero;
    uint32_t size, reserved_1;
    uint64_t time_cycles, time_mask;
    uint64_t reserved[116];
    uint64_t data_head, data_tail, data_offset, data_size;
    uint64_t aux_head, aux_tail, aux_offset, aux_size;
};

#define CS_PERF_PAGE_CAP_BIT0_DEPRECATED (UINT64_C(1) << 1)

/* ---- records that no file has ---- */

#define CS_PERF_REC_READ 8u

#define CS_PERF_MISC_EXACT_IP (1u << 14)
#define CS_PERF_MISC_MMAP_DATA (1u << 13)

static_assert(offsetof(struct cs_perf_page_abi, reserved) == 96, "as the kernel lays it out");
static_assert(offsetof(struct cs_perf_page_abi, data_head) == 1024, "as the kernel lays it out");

#endif
