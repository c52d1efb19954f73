// SPDX-License-Identifier: Apache-2.0
/* Which events there are, and which counters count them. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define LAST_GENERAL 10u
#define LAST_CACHE 6u
#define LAST_OPERATION 2u

static bool is_cache_code(uint32_t code)
{
    return code >> 3 <= LAST_CACHE && (code >> 1 & 3) <= LAST_OPERATION;
}

static bool is_firmware_code(uint32_t code)
{
    return code < CS_SBI_FW_EVENTS || code >= CS_SBI_FW_SPECIFIC;
}

static bool has_raw_v2(const cs_sbi_pmu *fw)
{
    return fw->config.version >= CS_SBI_VERSION_3_0 || cs_sbi_deviates(fw, CS_SBI_DEV_INFO_EARLY);
}

static cs_sbi_kind unchecked_kind(const cs_sbi_pmu *fw, uint64_t event_idx)
{
    if (CS_SBI_EVENT_TYPE((uint32_t)event_idx) == CS_SBI_TYPE_FW)
        return CS_SBI_KIND_FIRMWARE;
    if (event_idx == CS_SBI_RAW_IDX || (event_idx == CS_SBI_RAW_V2_IDX && has_raw_v2(fw)))
        return CS_SBI_KIND_RAW;
    return CS_SBI_KIND_HARDWARE;
}

uint64_t cs_sbi_event_taken(const cs_sbi_pmu *fw, uint64_t event_idx)
{
    return cs_sbi_deviates(fw, CS_SBI_DEV_HIGH_BITS_IGNORED)
               ? event_idx & ((1u << CS_SBI_IDX_BITS) - 1)
               : event_idx;
}

cs_sbi_kind cs_sbi_event_kind(const cs_sbi_pmu *fw, uint64_t event_idx)
{
    const uint32_t code = CS_SBI_EVENT_CODE((uint32_t)event_idx);

    if (cs_sbi_deviates(fw, CS_SBI_DEV_EVENTS_UNCHECKED))
        return unchecked_kind(fw, event_idx);
    if (event_idx >> CS_SBI_IDX_BITS != 0 && !cs_sbi_deviates(fw, CS_SBI_DEV_HIGH_BITS_UNCHECKED))
        return CS_SBI_KIND_NONE;
    switch (CS_SBI_EVENT_TYPE((uint32_t)event_idx)) {
    case CS_SBI_TYPE_HW:
        return code <= LAST_GENERAL ? CS_SBI_KIND_HARDWARE : CS_SBI_KIND_NONE;
    case CS_SBI_TYPE_CACHE:
        return is_cache_code(code) ? CS_SBI_KIND_HARDWARE : CS_SBI_KIND_NONE;
    case CS_SBI_TYPE_RAW:
        return code == 0 ? CS_SBI_KIND_RAW : CS_SBI_KIND_NONE;
    case CS_SBI_TYPE_RAW_V2:
        return code == 0 && has_raw_v2(fw) ? CS_SBI_KIND_RAW : CS_SBI_KIND_NONE;
    case CS_SBI_TYPE_FW:
        return is_firmware_code(code) ? CS_SBI_KIND_FIRMWARE : CS_SBI_KIND_NONE;
    default:
        return CS_SBI_KIND_NONE;
    }
}

/* The bits of mhpmevent that a raw event may choose. */
static uint64_t raw_bits(const cs_sbi_pmu *fw, uint64_t event_idx)
{
    if (fw->xlen == 32 && !fw->config.sscofpmf)
        return UINT32_MAX;
    return CS_SBI_EVENT_TYPE((uint32_t)event_idx) == CS_SBI_TYPE_RAW ? (UINT64_C(1) << 48) - 1
                                                                     : CS_SBI_EVENT_BITS;
}

bool cs_sbi_event_data_valid(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data)
{
    if (cs_sbi_deviates(fw, CS_SBI_DEV_RESERVED_UNCHECKED))
        return true;
    switch (cs_sbi_event_kind(fw, event_idx)) {
    case CS_SBI_KIND_RAW:
        return (data & ~raw_bits(fw, event_idx)) == 0;
    case CS_SBI_KIND_FIRMWARE:
        return data == 0 || CS_SBI_EVENT_CODE((uint32_t)event_idx) == CS_SBI_FW_PLATFORM;
    default:
        return data == 0;
    }
}

uint64_t cs_sbi_event_select(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data)
{
    uint64_t value;

    if (cs_sbi_event_kind(fw, event_idx) == CS_SBI_KIND_RAW)
        return data & raw_bits(fw, event_idx);
    value = cs_riscv_pmu_map_select(&fw->map, (uint32_t)event_idx);
    return (value != 0 ? value : event_idx) & CS_SBI_EVENT_BITS;
}

uint32_t cs_sbi_event_counters(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data)
{
    const bool raw = cs_sbi_event_kind(fw, event_idx) == CS_SBI_KIND_RAW;
    uint32_t counters = 0;

    if (cs_sbi_event_select(fw, event_idx, data) != 0)
        counters = raw ? cs_riscv_pmu_map_raw_counters(&fw->map, data)
                       : cs_riscv_pmu_map_counters(&fw->map, (uint32_t)event_idx);
    counters &= CS_RISCV_PMU_HPMCOUNTERS;
    if (event_idx > UINT32_MAX)
        return 0;
    if (event_idx == CS_SBI_CPU_CYCLES)
        counters |= 1u << 0;
    if (event_idx == CS_SBI_INSTRUCTIONS)
        counters |= 1u << 2;
    return counters & fw->there;
}

bool cs_sbi_event_in_firmware(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data)
{
    const uint32_t code = CS_SBI_EVENT_CODE((uint32_t)event_idx);

    if (cs_sbi_deviates(fw, CS_SBI_DEV_EVENTS_UNCHECKED))
        return true;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_STANDARD_FW_ONLY))
        return code < CS_SBI_FW_EVENTS;
    if (code == CS_SBI_FW_PLATFORM)
        return data < fw->config.platform_events || cs_sbi_is_unit_event(fw, event_idx, data);
    if (code >= CS_SBI_FW_SPECIFIC)
        return code - CS_SBI_FW_SPECIFIC < fw->config.specific_events;
    return code < CS_SBI_FW_EVENTS;
}
