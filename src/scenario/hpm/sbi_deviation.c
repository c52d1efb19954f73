#include "scenario/hpm/sbi_deviation.h"

#include <string.h>

static const cs_sbi_deviation deviations[] = {
    {"fixed_running", CS_SBI_DEV_FIXED_RUNNING, "mcycle and minstret run from boot on"},
    {"boot_writes", CS_SBI_DEV_BOOT_WRITES, "boot writes scounteren = 2, mhpmevent = OF and MINH"},
    {"uniform_width", CS_SBI_DEV_UNIFORM_WIDTH, "the first counter's width is every counter's"},
    {"unknown_event_invalid", CS_SBI_DEV_UNKNOWN_EVENT_INVALID,
     "what is no event is INVALID_PARAM, not NOT_SUPPORTED"},
    {"skip_needs_event", CS_SBI_DEV_SKIP_NEEDS_EVENT,
     "SKIP_MATCH needs a counter with an event, and leaves the event alone"},
    {"minh_implied", CS_SBI_DEV_MINH_IMPLIED, "SET_MINH is always added"},
    {"mapped_taken", CS_SBI_DEV_MAPPED_TAKEN, "a counter is free only without an event"},
    {"of_preset", CS_SBI_DEV_OF_PRESET,
     "mhpmevent is written with OF = 1, and again with each START, also of a counter that runs"},
    {"of_waits", CS_SBI_DEV_OF_WAITS, "START clears OF only when LCOFIP is 0"},
    {"unconfigured_skipped", CS_SBI_DEV_UNCONFIGURED_SKIPPED,
     "START and STOP pass over counters without an event"},
    {"last_result", CS_SBI_DEV_LAST_RESULT, "START and STOP answer what the last counter did"},
    {"one_by_one", CS_SBI_DEV_ONE_BY_ONE, "the counters of a set begin and end one by one"},
    {"reserved_unchecked", CS_SBI_DEV_RESERVED_UNCHECKED,
     "reserved flags and data are not looked at"},
    {"no_snapshot", CS_SBI_DEV_NO_SNAPSHOT, "there is no snapshot"},
    {"fixed_keep_event", CS_SBI_DEV_FIXED_KEEP_EVENT, "RESET leaves counters 0 to 2 as they are"},
    {"fixed_from_outside", CS_SBI_DEV_FIXED_FROM_OUTSIDE,
     "mcycle and minstret are taken though not in the set, or running"},
    {"fw_first_only", CS_SBI_DEV_FW_FIRST_ONLY, "a firmware event bumps its first counter only"},
    {"fw_reset_event", CS_SBI_DEV_FW_RESET_EVENT,
     "RESET of a firmware counter below 32 clears mhpmevent of that number"},
    {"info_by_table", CS_SBI_DEV_INFO_BY_TABLE,
     "EVENT_GET_INFO says 0 to firmware events and to what is no event"},
    {"skip_fails", CS_SBI_DEV_SKIP_FAILS, "SKIP_MATCH of a counter without an event is FAILED"},
    {"page_whole", CS_SBI_DEV_PAGE_WHOLE, "the snapshot page is loaded and stored as a whole"},
    {"error_sticks", CS_SBI_DEV_ERROR_STICKS,
     "after an ALREADY_STOPPED the rest of the set has no snapshot"},
    {"bitmap_sticks", CS_SBI_DEV_BITMAP_STICKS, "bits of the overflow bitmap stay until RESET"},
    {"fw_per_event", CS_SBI_DEV_FW_PER_EVENT,
     "firmware counters of one event share value and state"},
    {"highest_first", CS_SBI_DEV_HIGHEST_FIRST, "the highest counter that can is taken"},
    {"value_late", CS_SBI_DEV_VALUE_LATE, "a counter runs before its value is written"},
    {"general_only", CS_SBI_DEV_GENERAL_ONLY,
     "CLEAR_VALUE and AUTO_START pass over cache and raw events"},
    {"fixed_unfiltered", CS_SBI_DEV_FIXED_UNFILTERED,
     "mcycle and minstret are taken where they cannot filter"},
    {"holes_have_info", CS_SBI_DEV_HOLES_HAVE_INFO,
     "GET_INFO answers for counters that are not there"},
    {"fw_never_already", CS_SBI_DEV_FW_NEVER_ALREADY,
     "START and STOP of firmware counters are never ALREADY"},
    {"hi_any_index", CS_SBI_DEV_HI_ANY_INDEX, "FW_READ_HI with XLEN 64 takes any index"},
    {"filters_lost", CS_SBI_DEV_FILTERS_LOST, "START writes mhpmevent anew without filters"},
    {"opensbi", CS_SBI_DEV_OPENSBI, "OpenSBI, 2026"},
    {"opensbi_old", CS_SBI_DEV_OPENSBI_OLD, "OpenSBI, repaired since"},
    {"kvm", CS_SBI_DEV_KVM, "KVM, as far as a callee shows it"},
};

#define NR_OF(ARRAY) (sizeof(ARRAY) / sizeof(ARRAY)[0])

const cs_sbi_deviation *cs_sbi_deviation_at(size_t nr)
{
    return nr < NR_OF(deviations) ? &deviations[nr] : NULL;
}

const char *cs_sbi_deviation_name(uint32_t mask)
{
    for (size_t i = 0; i < NR_OF(deviations); i++)
        if (deviations[i].mask == mask)
            return deviations[i].name;
    return NULL;
}

bool cs_sbi_deviation_named(const char *name, uint32_t *mask)
{
    for (size_t i = 0; i < NR_OF(deviations); i++)
        if (strcmp(deviations[i].name, name) == 0) {
            *mask = deviations[i].mask;
            return true;
        }
    return false;
}
