// SPDX-License-Identifier: Apache-2.0
/* What firmware is known to do otherwise than the SBI PMU extension says, by bit and by name, and
 * which of it a release does (docs/drivers/sbi_pmu.md, "Deviations"). */
#ifndef CS_SCENARIO_SBI_DEVIATION_H
#define CS_SCENARIO_SBI_DEVIATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* boot */
#define CS_SBI_DEV_FIXED_RUNNING (UINT64_C(1) << 0)
#define CS_SBI_DEV_BOOT_WRITES (UINT64_C(1) << 1)
#define CS_SBI_DEV_SCOUNTEREN_OPEN (UINT64_C(1) << 2)
#define CS_SBI_DEV_FIXED_HAVE_EVENT (UINT64_C(1) << 3)
#define CS_SBI_DEV_CONTIGUOUS_ONLY (UINT64_C(1) << 4)
#define CS_SBI_DEV_UNIFORM_WIDTH (UINT64_C(1) << 5)
#define CS_SBI_DEV_FIRST_WIDTH (UINT64_C(1) << 6)
/* sets and indexes */
#define CS_SBI_DEV_SETS_SHIFT (UINT64_C(1) << 7)
#define CS_SBI_DEV_BASE_WRAPS (UINT64_C(1) << 8)
#define CS_SBI_DEV_EMPTY_SETS (UINT64_C(1) << 9)
#define CS_SBI_DEV_UNCONFIGURED_SKIPPED (UINT64_C(1) << 10)
#define CS_SBI_DEV_HOLES_HAVE_INFO (UINT64_C(1) << 11)
#define CS_SBI_DEV_ALL_HAVE_INFO (UINT64_C(1) << 12)
#define CS_SBI_DEV_INFO_INDEX_SHORT (UINT64_C(1) << 13)
#define CS_SBI_DEV_FW_INDEX_SHORT (UINT64_C(1) << 14)
/* events */
#define CS_SBI_DEV_EVENTS_UNCHECKED (UINT64_C(1) << 15)
#define CS_SBI_DEV_UNKNOWN_EVENT_INVALID (UINT64_C(1) << 16)
#define CS_SBI_DEV_HIGH_BITS_UNCHECKED (UINT64_C(1) << 17)
#define CS_SBI_DEV_HIGH_BITS_IGNORED (UINT64_C(1) << 18)
#define CS_SBI_DEV_STANDARD_FW_ONLY (UINT64_C(1) << 19)
#define CS_SBI_DEV_RESERVED_UNCHECKED (UINT64_C(1) << 20)
/* CONFIG_MATCHING */
#define CS_SBI_DEV_MAPPED_TAKEN (UINT64_C(1) << 21)
#define CS_SBI_DEV_ROWS_IN_ORDER (UINT64_C(1) << 22)
#define CS_SBI_DEV_MAP_NEEDS_ALL (UINT64_C(1) << 23)
#define CS_SBI_DEV_HIGHEST_FIRST (UINT64_C(1) << 24)
#define CS_SBI_DEV_FIXED_FROM_OUTSIDE (UINT64_C(1) << 25)
#define CS_SBI_DEV_FIXED_ALWAYS (UINT64_C(1) << 26)
#define CS_SBI_DEV_FIXED_UNFILTERED (UINT64_C(1) << 27)
#define CS_SBI_DEV_FIXED_NO_FILTER (UINT64_C(1) << 28)
#define CS_SBI_DEV_MINH_IMPLIED (UINT64_C(1) << 29)
#define CS_SBI_DEV_OF_PRESET (UINT64_C(1) << 30)
#define CS_SBI_DEV_SKIP_NEEDS_EVENT (UINT64_C(1) << 31)
#define CS_SBI_DEV_SKIP_TAKES_BASE (UINT64_C(1) << 32)
#define CS_SBI_DEV_SKIP_FAILS (UINT64_C(1) << 33)
#define CS_SBI_DEV_GENERAL_ONLY (UINT64_C(1) << 34)
#define CS_SBI_DEV_FW_RELATIVE (UINT64_C(1) << 35)
/* START and STOP */
#define CS_SBI_DEV_START_REWRITES (UINT64_C(1) << 36)
#define CS_SBI_DEV_FILTERS_LOST (UINT64_C(1) << 37)
#define CS_SBI_DEV_OF_WAITS (UINT64_C(1) << 38)
#define CS_SBI_DEV_VALUE_LATE (UINT64_C(1) << 39)
#define CS_SBI_DEV_LAST_RESULT (UINT64_C(1) << 40)
#define CS_SBI_DEV_ONE_BY_ONE (UINT64_C(1) << 41)
#define CS_SBI_DEV_FIXED_KEEP_EVENT (UINT64_C(1) << 42)
/* firmware counters */
#define CS_SBI_DEV_FW_WIDTH_XLEN (UINT64_C(1) << 43)
#define CS_SBI_DEV_FW_FIRST_ONLY (UINT64_C(1) << 44)
#define CS_SBI_DEV_FW_PER_EVENT (UINT64_C(1) << 45)
#define CS_SBI_DEV_FW_NEVER_ALREADY (UINT64_C(1) << 46)
#define CS_SBI_DEV_FW_RESET_EVENT (UINT64_C(1) << 47)
#define CS_SBI_DEV_FW_READ_NOTHING (UINT64_C(1) << 48)
#define CS_SBI_DEV_FW_READ_HARDWARE (UINT64_C(1) << 49)
#define CS_SBI_DEV_HI_ANY_INDEX (UINT64_C(1) << 50)
#define CS_SBI_DEV_HI_UNCONFIGURED (UINT64_C(1) << 51)
#define CS_SBI_DEV_HI_NEVER (UINT64_C(1) << 52)
/* shared memory */
#define CS_SBI_DEV_NO_SNAPSHOT (UINT64_C(1) << 53)
#define CS_SBI_DEV_PAGE_ANYWHERE (UINT64_C(1) << 54)
#define CS_SBI_DEV_PAGE_WHOLE (UINT64_C(1) << 55)
#define CS_SBI_DEV_ERROR_STICKS (UINT64_C(1) << 56)
#define CS_SBI_DEV_BITMAP_STICKS (UINT64_C(1) << 57)
#define CS_SBI_DEV_INFO_EARLY (UINT64_C(1) << 58)
#define CS_SBI_DEV_INFO_BY_TABLE (UINT64_C(1) << 59)
#define CS_SBI_DEV_INFO_BY_HOST (UINT64_C(1) << 60)
#define CS_SBI_DEV_INFO_SOME (UINT64_C(1) << 61)
#define CS_SBI_DEV_SSE_STOP_CLEARS (UINT64_C(1) << 62)
#define CS_SBI_DEV_SSE_DISABLE_CLEARS (UINT64_C(1) << 63)
#define CS_SBI_NR_DEVIATIONS 64u

typedef struct cs_sbi_deviation {
    const char *name; /* "of_waits"; of a group "opensbi_1_9" */
    uint64_t mask;
    const char *text; /* a line for people */
} cs_sbi_deviation;

/* Groups: all that one release does. */
typedef enum cs_sbi_group {
    CS_SBI_OPENSBI_1_1,
    CS_SBI_OPENSBI_1_6,
    CS_SBI_OPENSBI_1_9,
    CS_SBI_KVM,
    CS_SBI_NR_GROUPS
} cs_sbi_group;

/* The single ones in the order of their bits, then the groups. False at `nr` and beyond. */
bool cs_sbi_deviation_at(size_t nr, cs_sbi_deviation *out);
/* False: there is none of that name; *mask is as it was. */
bool cs_sbi_deviation_named(const char *name, uint64_t *mask);
/* What an earlier name of a group is called now, for people; NULL: it never was one. */
const char *cs_sbi_deviation_renamed(const char *name);

uint64_t cs_sbi_group_mask(cs_sbi_group group);
/* Of the SBI, as GET_SPEC_VERSION of that release tells it: 0x02000000; 0: any. */
unsigned cs_sbi_group_version(cs_sbi_group group);
/* Firmware that does all of OpenSBI 1.1 is older than Smcdeleg: it leaves menvcfg.CDE alone. */
bool cs_sbi_knows_smcdeleg(uint64_t deviations);
/* False: no group. */
bool cs_sbi_group_named(const char *name, cs_sbi_group *group);

#ifdef __cplusplus
}
#endif

#endif
