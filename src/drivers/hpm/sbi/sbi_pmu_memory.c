// SPDX-License-Identifier: Apache-2.0
/* Shared memory: the snapshot page, and entries of events. */
#include <string.h>

#include "drivers/hpm/sbi/sbi_pmu_impl.h"
#include "formats/common/little.h"

#define ENTRY_BYTES 16u
#define ENTRY_OUTPUT 4u
#define ENTRY_DATA 8u

bool cs_sbi_in_memory(const cs_sbi_pmu *fw, uint64_t address, uint64_t bytes)
{
    const uint64_t offset = address - fw->config.memory_base;

    return address >= fw->config.memory_base && offset <= fw->config.memory_size &&
           bytes <= fw->config.memory_size - offset;
}

/* An address in two registers. false: it has more than 64 bits. */
static bool address_of(const cs_sbi_pmu *fw, uint64_t low, uint64_t high, uint64_t *address)
{
    *address = fw->xlen == 32 ? low | high << 32 : low;
    return fw->xlen == 32 || high == 0;
}

/* ---- the page ---- */

static bool store_whole(cs_sbi_pmu *fw, cs_hart *hart, uint64_t page)
{
    uint8_t bytes[CS_SBI_SNAPSHOT_BYTES] = {0};

    for (unsigned i = 0; i <= CS_SBI_SLOTS; i++)
        cs_little_put64(bytes + 8 * i, fw->copy[i]);
    return cs_hart_store(hart, page, bytes, sizeof bytes) == CS_BUS_OKAY;
}

static bool load_whole(cs_sbi_pmu *fw, cs_hart *hart)
{
    uint8_t bytes[CS_SBI_SNAPSHOT_BYTES];

    if (cs_hart_load(hart, fw->page, bytes, sizeof bytes) != CS_BUS_OKAY)
        return false;
    for (unsigned i = 0; i <= CS_SBI_SLOTS; i++)
        fw->copy[i] = cs_little_get64(bytes + 8 * i);
    return true;
}

bool cs_sbi_page_load(cs_sbi_pmu *fw, cs_hart *hart, uint64_t mask, uint64_t values[CS_SBI_SLOTS])
{
    const unsigned first = cs_sbi_first(mask), last = 63u - (unsigned)__builtin_clzll(mask);
    uint8_t bytes[8 * CS_SBI_SLOTS];

    if (cs_sbi_deviates(fw, CS_SBI_DEV_PAGE_WHOLE)) {
        if (!load_whole(fw, hart))
            return false;
        memcpy(values, fw->copy + 1, sizeof fw->copy - sizeof fw->copy[0]);
        return true;
    }
    if (cs_hart_load(hart, fw->page + CS_SBI_SNAPSHOT_VALUES + 8 * first, bytes,
                     8 * (last - first + 1)) != CS_BUS_OKAY)
        return false;
    for (unsigned i = first; i <= last; i++)
        values[i] = cs_little_get64(bytes + 8 * (i - first));
    return true;
}

/* The slots of the mask, neighbours together. */
static bool store_slots(const cs_sbi_pmu *fw, cs_hart *hart, const cs_sbi_snapshot *snapshot)
{
    const uint64_t values = fw->page + CS_SBI_SNAPSHOT_VALUES;
    uint8_t bytes[8 * CS_SBI_SLOTS];
    bool good = true;

    for (unsigned i = 0; i < CS_SBI_SLOTS; i++) {
        const unsigned first = i;

        while (i < CS_SBI_SLOTS && (snapshot->slots >> i & 1) != 0) {
            cs_little_put64(bytes + 8 * (i - first), snapshot->values[i]);
            i++;
        }
        if (i > first &&
            cs_hart_store(hart, values + 8 * first, bytes, 8 * (i - first)) != CS_BUS_OKAY)
            good = false;
    }
    return good;
}

bool cs_sbi_page_store(cs_sbi_pmu *fw, cs_hart *hart, const cs_sbi_snapshot *snapshot)
{
    bool good;

    if (cs_sbi_deviates(fw, CS_SBI_DEV_BITMAP_STICKS))
        fw->copy[0] = (fw->copy[0] | snapshot->bitmap) & ~snapshot->reset;
    else
        fw->copy[0] = snapshot->bitmap;
    for (uint64_t left = snapshot->slots; left != 0; left &= left - 1)
        fw->copy[1 + cs_sbi_first(left)] = snapshot->values[cs_sbi_first(left)];
    if (cs_sbi_deviates(fw, CS_SBI_DEV_PAGE_WHOLE))
        return store_whole(fw, hart, fw->page);
    good = store_slots(fw, hart, snapshot);
    return cs_hart_store64(hart, fw->page, fw->copy[0]) == CS_BUS_OKAY && good;
}

cs_sbi_ret cs_sbi_set_shmem(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const uint64_t ones = fw->xlen == 32 ? UINT32_MAX : UINT64_MAX;
    uint64_t page;

    if (cs_sbi_deviates(fw, CS_SBI_DEV_NO_SNAPSHOT))
        return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
    if (args[2] != 0)
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (args[0] == ones && args[1] == ones) {
        fw->page_set = false;
        return cs_sbi_value_of(0);
    }
    if (args[0] % CS_SBI_SNAPSHOT_BYTES != 0 && !cs_sbi_deviates(fw, CS_SBI_DEV_PAGE_ANYWHERE))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (!address_of(fw, args[0], args[1], &page) ||
        !cs_sbi_in_memory(fw, page, CS_SBI_SNAPSHOT_BYTES))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_ADDRESS);
    memset(fw->copy, 0, sizeof fw->copy);
    if (cs_sbi_deviates(fw, CS_SBI_DEV_PAGE_WHOLE) && !store_whole(fw, hart, page)) {
        fw->page_set = false;
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_ADDRESS);
    }
    fw->page_set = true;
    fw->page = page;
    return cs_sbi_value_of(0);
}

/* ---- entries of events ---- */

/* By the rows of the map alone; one of an event that is not raw has no data to look at, and is a
 * match for any raw event. */
static bool has_row(const cs_sbi_pmu *fw, uint32_t event_idx, uint64_t data)
{
    const cs_riscv_pmu_map *map = &fw->map;
    const bool raw =
        cs_sbi_event_kind(fw, event_idx) == CS_SBI_KIND_RAW && event_idx >> CS_SBI_IDX_BITS == 0;

    if (raw && map->nr_ranges != 0)
        return true;
    for (size_t i = 0; i < map->nr_ranges; i++)
        if (map->ranges[i].first <= event_idx && event_idx <= map->ranges[i].last)
            return true;
    for (size_t i = 0; raw && i < map->nr_raws; i++)
        if ((data & map->raws[i].mask) == map->raws[i].match)
            return true;
    return false;
}

/* 1: some counter can count it. Where data means nothing, it is not looked at. */
static uint32_t is_supported(const cs_sbi_pmu *fw, uint32_t event_idx, uint64_t data)
{
    const cs_sbi_kind kind = cs_sbi_event_kind(fw, event_idx);

    if (kind == CS_SBI_KIND_NONE)
        return 0;
    if (cs_sbi_deviates(fw, CS_SBI_DEV_INFO_BY_TABLE))
        return has_row(fw, event_idx, data);
    if (kind == CS_SBI_KIND_RAW && cs_sbi_deviates(fw, CS_SBI_DEV_INFO_BY_HOST))
        return 1;
    switch (kind) {
    case CS_SBI_KIND_HARDWARE:
        return cs_sbi_event_counters(fw, event_idx, 0) != 0;
    case CS_SBI_KIND_RAW:
        return cs_sbi_event_data_valid(fw, event_idx, data) &&
               cs_sbi_event_counters(fw, event_idx, data) != 0;
    case CS_SBI_KIND_FIRMWARE:
        return fw->config.firmware_counters > 0 && cs_sbi_event_in_firmware(fw, event_idx, data);
    default:
        return 0;
    }
}

static bool looks_at_reserved(const cs_sbi_pmu *fw)
{
    return !cs_sbi_deviates(fw, CS_SBI_DEV_HIGH_BITS_UNCHECKED | CS_SBI_DEV_HIGH_BITS_IGNORED |
                                    CS_SBI_DEV_INFO_BY_TABLE);
}

static cs_sbi_error answer_entry(const cs_sbi_pmu *fw, cs_hart *hart, uint64_t address)
{
    uint8_t entry[ENTRY_BYTES], output[4];
    uint32_t event_idx;

    if (cs_hart_load(hart, address, entry, sizeof entry) != CS_BUS_OKAY)
        return CS_SBI_ERR_FAILED;
    event_idx = cs_little_get32(entry);
    if (event_idx >> CS_SBI_IDX_BITS != 0 && looks_at_reserved(fw))
        return CS_SBI_ERR_INVALID_PARAM;
    event_idx = (uint32_t)cs_sbi_event_taken(fw, event_idx);
    cs_little_put32(output, is_supported(fw, event_idx, cs_little_get64(entry + ENTRY_DATA)));
    return cs_hart_store(hart, address + ENTRY_OUTPUT, output, sizeof output) == CS_BUS_OKAY
               ? CS_SBI_SUCCESS
               : CS_SBI_ERR_FAILED;
}

cs_sbi_ret cs_sbi_event_get_info(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const uint64_t entries = args[2];
    cs_sbi_error error = CS_SBI_SUCCESS;
    uint64_t address;

    if (args[3] != 0 || args[0] % ENTRY_BYTES != 0)
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (entries == 0)
        return cs_sbi_error_of(cs_sbi_deviates(fw, CS_SBI_DEV_INFO_SOME) ? CS_SBI_ERR_INVALID_PARAM
                                                                         : CS_SBI_SUCCESS);
    if (!address_of(fw, args[0], args[1], &address))
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_ADDRESS);
    if (entries > UINT64_MAX / ENTRY_BYTES || !cs_sbi_in_memory(fw, address, entries * ENTRY_BYTES))
        return cs_sbi_error_of(cs_sbi_deviates(fw, CS_SBI_DEV_INFO_BY_HOST)
                                   ? CS_SBI_ERR_FAILED
                                   : CS_SBI_ERR_INVALID_ADDRESS);
    for (uint64_t i = 0; i < entries && error == CS_SBI_SUCCESS; i++)
        error = answer_entry(fw, hart, address + i * ENTRY_BYTES);
    return cs_sbi_error_of(error);
}
