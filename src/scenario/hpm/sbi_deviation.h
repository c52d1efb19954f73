/* What firmware is known to do otherwise than the SBI PMU extension says, by bit and by name
 * (docs/sbi_pmu.md, "Deviations"). */
#ifndef CS_SCENARIO_SBI_DEVIATION_H
#define CS_SCENARIO_SBI_DEVIATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* OpenSBI, 2026 */
#define CS_SBI_DEV_FIXED_RUNNING (1u << 0)
#define CS_SBI_DEV_BOOT_WRITES (1u << 1)
#define CS_SBI_DEV_UNIFORM_WIDTH (1u << 2)
#define CS_SBI_DEV_UNKNOWN_EVENT_INVALID (1u << 3)
#define CS_SBI_DEV_SKIP_NEEDS_EVENT (1u << 4)
#define CS_SBI_DEV_MINH_IMPLIED (1u << 5)
#define CS_SBI_DEV_MAPPED_TAKEN (1u << 6)
#define CS_SBI_DEV_OF_PRESET (1u << 7)
#define CS_SBI_DEV_OF_WAITS (1u << 8)
#define CS_SBI_DEV_UNCONFIGURED_SKIPPED (1u << 9)
#define CS_SBI_DEV_LAST_RESULT (1u << 10)
#define CS_SBI_DEV_ONE_BY_ONE (1u << 11)
#define CS_SBI_DEV_RESERVED_UNCHECKED (1u << 12)
#define CS_SBI_DEV_NO_SNAPSHOT (1u << 13)
#define CS_SBI_DEV_FIXED_KEEP_EVENT (1u << 14)
#define CS_SBI_DEV_FIXED_FROM_OUTSIDE (1u << 15)
#define CS_SBI_DEV_FW_FIRST_ONLY (1u << 16)
#define CS_SBI_DEV_FW_RESET_EVENT (1u << 17)
#define CS_SBI_DEV_INFO_BY_TABLE (1u << 18)
/* KVM */
#define CS_SBI_DEV_SKIP_FAILS (1u << 19)
#define CS_SBI_DEV_PAGE_WHOLE (1u << 20)
#define CS_SBI_DEV_ERROR_STICKS (1u << 21)
#define CS_SBI_DEV_BITMAP_STICKS (1u << 22)
#define CS_SBI_DEV_FW_PER_EVENT (1u << 23)
/* OpenSBI, repaired since */
#define CS_SBI_DEV_HIGHEST_FIRST (1u << 24)
#define CS_SBI_DEV_VALUE_LATE (1u << 25)
#define CS_SBI_DEV_GENERAL_ONLY (1u << 26)
#define CS_SBI_DEV_FIXED_UNFILTERED (1u << 27)
#define CS_SBI_DEV_HOLES_HAVE_INFO (1u << 28)
#define CS_SBI_DEV_FW_NEVER_ALREADY (1u << 29)
#define CS_SBI_DEV_HI_ANY_INDEX (1u << 30)
#define CS_SBI_DEV_FILTERS_LOST (1u << 31)

#define CS_SBI_DEV_OPENSBI 0x0007ffffu
#define CS_SBI_DEV_OPENSBI_OLD 0xff000000u
#define CS_SBI_DEV_KVM                                                                             \
    (CS_SBI_DEV_MAPPED_TAKEN | CS_SBI_DEV_UNCONFIGURED_SKIPPED | CS_SBI_DEV_ONE_BY_ONE |           \
     CS_SBI_DEV_RESERVED_UNCHECKED | CS_SBI_DEV_SKIP_FAILS | CS_SBI_DEV_PAGE_WHOLE |               \
     CS_SBI_DEV_ERROR_STICKS | CS_SBI_DEV_BITMAP_STICKS | CS_SBI_DEV_FW_PER_EVENT)

typedef struct cs_sbi_deviation {
    const char *name; /* "of_waits"; of the groups "opensbi", "opensbi_old", "kvm" */
    uint32_t mask;
    const char *text; /* a line for people */
} cs_sbi_deviation;

/* The single ones in the order of their bits, then the groups; NULL at `nr` and beyond. */
const cs_sbi_deviation *cs_sbi_deviation_at(size_t nr);
/* The name of a mask that is exactly one deviation or group; NULL: none. */
const char *cs_sbi_deviation_name(uint32_t mask);
bool cs_sbi_deviation_named(const char *name, uint32_t *mask);

#ifdef __cplusplus
}
#endif

#endif
