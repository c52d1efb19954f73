// SPDX-License-Identifier: Apache-2.0
#include <countersink/scenario/hpm/sbi_deviation.h>

#include <string.h>

#define NR_OF(ARRAY) (sizeof(ARRAY) / sizeof(ARRAY)[0])

/* Who does it. */
#define V1_1 (1u << CS_SBI_OPENSBI_1_1)
#define V1_6 (1u << CS_SBI_OPENSBI_1_6)
#define V1_9 (1u << CS_SBI_OPENSBI_1_9)
#define KVM (1u << CS_SBI_KVM)
#define OPENSBI (V1_1 | V1_6 | V1_9)

static const struct row {
    const char *name;
    uint64_t bit;
    unsigned who; /* 0: between two releases only */
    const char *text;
} rows[] = {
    {"fixed_running", CS_SBI_DEV_FIXED_RUNNING, OPENSBI, "mcycle and minstret run from boot on"},
    {"boot_writes", CS_SBI_DEV_BOOT_WRITES, OPENSBI,
     "boot writes scounteren = 2 and mhpmevent = OF and MINH, and leaves mhpmcounter3 all ones"},
    {"scounteren_open", CS_SBI_DEV_SCOUNTEREN_OPEN, V1_1 | V1_6, "boot writes scounteren = 7"},
    {"fixed_have_event", CS_SBI_DEV_FIXED_HAVE_EVENT, OPENSBI,
     "mcycle and minstret have their event from boot on"},
    {"contiguous_only", CS_SBI_DEV_CONTIGUOUS_ONLY, V1_1,
     "mhpmcounters behind one that is not there are not seen, but boot opens all in mcounteren"},
    {"uniform_width", CS_SBI_DEV_UNIFORM_WIDTH, OPENSBI,
     "the width found in mhpmcounter3 is every mhpmcounter's"},
    {"first_width", CS_SBI_DEV_FIRST_WIDTH, KVM,
     "the width of the first mhpmcounter is every mhpmcounter's"},
    {"sets_shift", CS_SBI_DEV_SETS_SHIFT, V1_1,
     "a set is its mask shifted by its base, in one register"},
    {"base_wraps", CS_SBI_DEV_BASE_WRAPS, V1_6,
     "base and counter are added without a look at the carry"},
    {"empty_sets", CS_SBI_DEV_EMPTY_SETS, V1_1 | V1_6,
     "CONFIG_MATCHING looks for a counter in an empty set, too"},
    {"unconfigured_skipped", CS_SBI_DEV_UNCONFIGURED_SKIPPED, OPENSBI | KVM,
     "START and STOP pass over counters without an event"},
    {"holes_have_info", CS_SBI_DEV_HOLES_HAVE_INFO, 0,
     "GET_INFO answers for counters that are not there"},
    {"all_have_info", CS_SBI_DEV_ALL_HAVE_INFO, KVM, "GET_INFO answers for all below 64"},
    {"info_index_short", CS_SBI_DEV_INFO_INDEX_SHORT, OPENSBI,
     "GET_INFO looks at 32 bits of its index"},
    {"fw_index_short", CS_SBI_DEV_FW_INDEX_SHORT, V1_1 | V1_6,
     "FW_READ looks at 32 bits of its index"},
    {"events_unchecked", CS_SBI_DEV_EVENTS_UNCHECKED, V1_1, "any event_idx is an event"},
    {"unknown_event_invalid", CS_SBI_DEV_UNKNOWN_EVENT_INVALID, V1_6 | V1_9,
     "what is no event is INVALID_PARAM, not NOT_SUPPORTED"},
    {"high_bits_unchecked", CS_SBI_DEV_HIGH_BITS_UNCHECKED, V1_6 | V1_9,
     "bits of event_idx above 19 are looked at in the rows of the map only"},
    {"high_bits_ignored", CS_SBI_DEV_HIGH_BITS_IGNORED, KVM,
     "bits of event_idx above 19 are not looked at"},
    {"standard_fw_only", CS_SBI_DEV_STANDARD_FW_ONLY, V1_6 | V1_9 | KVM,
     "firmware events are 0 to 21"},
    {"reserved_unchecked", CS_SBI_DEV_RESERVED_UNCHECKED, OPENSBI | KVM,
     "reserved flags and data are not looked at"},
    {"mapped_taken", CS_SBI_DEV_MAPPED_TAKEN, OPENSBI | KVM,
     "a counter is free only without an event"},
    {"rows_in_order", CS_SBI_DEV_ROWS_IN_ORDER, OPENSBI,
     "of the rows of the map that have an event, each goes on where the one before ended"},
    {"map_needs_all", CS_SBI_DEV_MAP_NEEDS_ALL, V1_1,
     "the map is read up to the first property that is not there"},
    {"highest_first", CS_SBI_DEV_HIGHEST_FIRST, V1_1 | V1_6,
     "the highest counter that can is taken"},
    {"fixed_from_outside", CS_SBI_DEV_FIXED_FROM_OUTSIDE, OPENSBI,
     "mcycle and minstret are taken though not in the set, or running"},
    {"fixed_always", CS_SBI_DEV_FIXED_ALWAYS, KVM,
     "cycles get counter 0, instructions counter 2, whatever the set"},
    {"fixed_unfiltered", CS_SBI_DEV_FIXED_UNFILTERED, V1_1 | V1_6,
     "mcycle and minstret are taken where they cannot filter"},
    {"fixed_no_filter", CS_SBI_DEV_FIXED_NO_FILTER, V1_1,
     "mcyclecfg and minstretcfg are never written"},
    {"minh_implied", CS_SBI_DEV_MINH_IMPLIED, OPENSBI, "SET_MINH is always added"},
    {"of_preset", CS_SBI_DEV_OF_PRESET, OPENSBI, "mhpmevent is configured with OF = 1"},
    {"skip_needs_event", CS_SBI_DEV_SKIP_NEEDS_EVENT, OPENSBI,
     "SKIP_MATCH needs a counter with an event, and leaves the event alone"},
    {"skip_takes_base", CS_SBI_DEV_SKIP_TAKES_BASE, V1_1,
     "SKIP_MATCH takes the base, in the set or not"},
    {"skip_fails", CS_SBI_DEV_SKIP_FAILS, KVM,
     "SKIP_MATCH of a counter without an event is FAILED"},
    {"general_only", CS_SBI_DEV_GENERAL_ONLY, V1_1 | V1_6,
     "CLEAR_VALUE and AUTO_START pass over cache and raw events"},
    {"fw_relative", CS_SBI_DEV_FW_RELATIVE, V1_6,
     "a firmware counter is looked for, and answered, without the set's base"},
    {"start_rewrites", CS_SBI_DEV_START_REWRITES, V1_9,
     "START writes mhpmevent anew with OF = 1, also of a counter that runs"},
    {"filters_lost", CS_SBI_DEV_FILTERS_LOST, 0, "START writes mhpmevent anew without filters"},
    {"of_waits", CS_SBI_DEV_OF_WAITS, OPENSBI, "START clears OF only when LCOFIP is 0"},
    {"value_late", CS_SBI_DEV_VALUE_LATE, V1_1, "a counter runs before its value is written"},
    {"last_result", CS_SBI_DEV_LAST_RESULT, OPENSBI,
     "START and STOP answer what the last counter did"},
    {"one_by_one", CS_SBI_DEV_ONE_BY_ONE, OPENSBI | KVM,
     "the counters of a set begin and end one by one"},
    {"fixed_keep_event", CS_SBI_DEV_FIXED_KEEP_EVENT, V1_6 | V1_9,
     "RESET leaves counters 0 to 2 as they are"},
    {"fw_width_xlen", CS_SBI_DEV_FW_WIDTH_XLEN, V1_1, "firmware counters have XLEN bits"},
    {"fw_first_only", CS_SBI_DEV_FW_FIRST_ONLY, V1_6 | V1_9,
     "a firmware event bumps its first counter only"},
    {"fw_per_event", CS_SBI_DEV_FW_PER_EVENT, V1_1 | KVM,
     "firmware counters of one event share value and state"},
    {"fw_never_already", CS_SBI_DEV_FW_NEVER_ALREADY, V1_1 | V1_6,
     "START and STOP of firmware counters are never ALREADY"},
    {"fw_reset_event", CS_SBI_DEV_FW_RESET_EVENT, OPENSBI,
     "RESET of a firmware counter below 32 clears mhpmevent of that number"},
    {"fw_read_nothing", CS_SBI_DEV_FW_READ_NOTHING, V1_1,
     "FW_READ of a hardware counter with an event is 0"},
    {"fw_read_hardware", CS_SBI_DEV_FW_READ_HARDWARE, KVM,
     "FW_READ of a hardware counter with an event is its value"},
    {"hi_any_index", CS_SBI_DEV_HI_ANY_INDEX, V1_6, "FW_READ_HI with XLEN 64 takes any index"},
    {"hi_unconfigured", CS_SBI_DEV_HI_UNCONFIGURED, V1_9,
     "FW_READ_HI with XLEN 64 takes a counter without an event"},
    {"hi_never", CS_SBI_DEV_HI_NEVER, KVM, "FW_READ_HI with XLEN 64 is INVALID_PARAM"},
    {"no_snapshot", CS_SBI_DEV_NO_SNAPSHOT, OPENSBI, "there is no snapshot"},
    {"page_anywhere", CS_SBI_DEV_PAGE_ANYWHERE, KVM,
     "SET_SHMEM takes an address that is not a multiple of 4096"},
    {"page_whole", CS_SBI_DEV_PAGE_WHOLE, KVM, "the snapshot page is loaded and stored as a whole"},
    {"error_sticks", CS_SBI_DEV_ERROR_STICKS, KVM,
     "after an ALREADY_STOPPED the rest of the set has no snapshot"},
    {"bitmap_sticks", CS_SBI_DEV_BITMAP_STICKS, KVM,
     "bits of the overflow bitmap stay until RESET"},
    {"info_early", CS_SBI_DEV_INFO_EARLY, V1_6,
     "EVENT_GET_INFO and raw events of type 3 are there in any version"},
    {"info_by_table", CS_SBI_DEV_INFO_BY_TABLE, V1_6 | V1_9,
     "EVENT_GET_INFO looks for a row of the map, and for raw events for any"},
    {"info_by_host", CS_SBI_DEV_INFO_BY_HOST, KVM,
     "EVENT_GET_INFO says 1 to raw events, FAILED to what is not in memory"},
    {"info_some", CS_SBI_DEV_INFO_SOME, V1_6 | V1_9 | KVM,
     "EVENT_GET_INFO without entries is INVALID_PARAM"},
    {"sse_stop_clears", CS_SBI_DEV_SSE_STOP_CLEARS, V1_9,
     "with SSE any STOP clears LCOFIP, whatever still runs"},
    {"sse_disable_clears", CS_SBI_DEV_SSE_DISABLE_CLEARS, V1_9,
     "to disable the overflow event of SSE clears LCOFIP"},
};

static const struct group {
    const char *name;
    unsigned version; /* 0: any */
    const char *text;
} groups[CS_SBI_NR_GROUPS] = {
    [CS_SBI_OPENSBI_1_1] = {"opensbi_1_1", 0x01000000, "OpenSBI 1.1, June 2022"},
    [CS_SBI_OPENSBI_1_6] = {"opensbi_1_6", 0x02000000, "OpenSBI 1.6, December 2024"},
    [CS_SBI_OPENSBI_1_9] = {"opensbi_1_9", 0x03000000, "OpenSBI 1.9, June 2026"},
    [CS_SBI_KVM] = {"kvm", 0, "KVM, as far as a callee shows it"},
};

uint64_t cs_sbi_group_mask(cs_sbi_group group)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < NR_OF(rows); i++)
        mask |= (rows[i].who >> group & 1) != 0 ? rows[i].bit : 0;
    return mask;
}

unsigned cs_sbi_group_version(cs_sbi_group group)
{
    return groups[group].version;
}

bool cs_sbi_knows_smcdeleg(uint64_t deviations)
{
    const uint64_t before = cs_sbi_group_mask(CS_SBI_OPENSBI_1_1);

    return (deviations & before) != before;
}

bool cs_sbi_group_named(const char *name, cs_sbi_group *group)
{
    for (unsigned i = 0; i < CS_SBI_NR_GROUPS; i++)
        if (strcmp(groups[i].name, name) == 0) {
            *group = (cs_sbi_group)i;
            return true;
        }
    return false;
}

bool cs_sbi_deviation_at(size_t nr, cs_sbi_deviation *out)
{
    if (nr < NR_OF(rows)) {
        *out = (cs_sbi_deviation){rows[nr].name, rows[nr].bit, rows[nr].text};
        return true;
    }
    nr -= NR_OF(rows);
    if (nr >= CS_SBI_NR_GROUPS)
        return false;
    *out =
        (cs_sbi_deviation){groups[nr].name, cs_sbi_group_mask((cs_sbi_group)nr), groups[nr].text};
    return true;
}

bool cs_sbi_deviation_named(const char *name, uint64_t *mask)
{
    cs_sbi_deviation one;

    for (size_t i = 0; cs_sbi_deviation_at(i, &one); i++)
        if (strcmp(one.name, name) == 0) {
            *mask = one.mask;
            return true;
        }
    return false;
}

const char *cs_sbi_deviation_renamed(const char *name)
{
    static const struct {
        const char *before, *now;
    } renamed[] = {
        {"opensbi", "opensbi_1_9"},
        {"opensbi_old", "opensbi_1_1 or opensbi_1_6"},
    };

    for (size_t i = 0; i < NR_OF(renamed); i++)
        if (strcmp(renamed[i].before, name) == 0)
            return renamed[i].now;
    return NULL;
}
