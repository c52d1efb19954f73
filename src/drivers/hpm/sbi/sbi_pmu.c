// SPDX-License-Identifier: Apache-2.0
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

#include <stdlib.h>

#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define TIME_COUNTER 1u
#define ALL_COUNTERS 64u
#define MAX_SPECIFIC (CS_SBI_FW_PLATFORM - CS_SBI_FW_SPECIFIC)

/* ---- create, destroy ---- */

cs_sbi_pmu_config cs_sbi_pmu_defaults(void)
{
    return (cs_sbi_pmu_config){
        .form = CS_SBI_RATIFIED,
        .version = CS_SBI_VERSION_3_0,
        .firmware_counters = 16,
        .sscofpmf = true,
        .smcntrpmf = true,
        .hypervisor = true,
    };
}

static cs_status sbi_check(const cs_sbi_pmu_config *config, cs_diag *diag)
{
    if (config->form != CS_SBI_RATIFIED && config->form != CS_SBI_PROPOSAL_V3)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "no such form of the SBI PMU: %d",
                           (int)config->form);
    if (config->firmware_counters > CS_SBI_PMU_MAX_FIRMWARE)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "expected at most %u firmware counters, found %u",
                           CS_SBI_PMU_MAX_FIRMWARE, config->firmware_counters);
    if (config->sse && (config->form != CS_SBI_RATIFIED || config->version < CS_SBI_VERSION_3_0))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "software events need SBI 3.0");
    if (config->nr_units > CS_SBI_MAX_UNITS)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "expected at most %u units, found %u",
                           CS_SBI_MAX_UNITS, config->nr_units);
    if (config->nr_units != 0 && config->form != CS_SBI_RATIFIED)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "units need the ratified form");
    if (config->specific_events > MAX_SPECIFIC)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "expected at most %u specific firmware events, found %u", MAX_SPECIFIC,
                           config->specific_events);
    return CS_OK;
}

/* Rows of the map that a release does not take: one for all raw events beside a row of events, which
 * looks the same to it; what is behind one that it has refused; what is behind a property that is
 * not there. */
static void drop_rows(cs_sbi_pmu *fw)
{
    const bool needs_all = cs_sbi_deviates(fw, CS_SBI_DEV_MAP_NEEDS_ALL);
    cs_riscv_pmu_map *map = &fw->map;
    size_t kept = 0;

    if (needs_all && map->nr_ranges == 0)
        map->nr_selects = 0;
    if (needs_all && map->nr_selects == 0)
        map->nr_raws = 0;
    if (map->nr_ranges == 0 || !cs_sbi_deviates(fw, CS_SBI_DEV_ROWS_IN_ORDER))
        return;
    for (size_t i = 0; i < map->nr_raws; i++) {
        const bool refused = map->raws[i].match == 0 && map->raws[i].mask == 0;

        if (refused && !needs_all)
            break;
        if (!refused)
            map->raws[kept++] = map->raws[i];
    }
    map->nr_raws = kept;
}

static cs_status make_sse(cs_sbi_pmu *fw, cs_diag *diag)
{
    const cs_sbi_pmu_config *c = &fw->config;
    const cs_sbi_sse_config config = {
        .hart = c->hart,
        .harts = c->harts != 0 ? c->harts : 1,
        .pmu_overflow = c->sscofpmf,
        .hypervisor = c->hypervisor,
        .memory_base = c->memory_base,
        .memory_size = c->memory_size,
    };

    return cs_sbi_sse_create(&config, &fw->sse, diag);
}

cs_status cs_sbi_pmu_create(const cs_sbi_pmu_config *config, cs_sbi_pmu **out, cs_diag *diag)
{
    cs_status status = sbi_check(config, diag);
    cs_sbi_pmu *fw;

    *out = NULL;
    if (status != CS_OK)
        return status;
    fw = calloc(1, sizeof *fw);
    if (fw == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for firmware");
    fw->config = *config;
    if (config->map != NULL)
        fw->map = *config->map;
    else
        cs_riscv_pmu_map_default(&fw->map);
    fw->config.map = NULL;
    if (config->form == CS_SBI_PROPOSAL_V3)
        fw->config.deviations = 0;
    drop_rows(fw);
    status = config->sse ? make_sse(fw, diag) : CS_OK;
    if (status != CS_OK) {
        cs_sbi_pmu_destroy(fw);
        return status;
    }
    *out = fw;
    return CS_OK;
}

void cs_sbi_pmu_destroy(cs_sbi_pmu *fw)
{
    if (fw != NULL)
        cs_sbi_sse_destroy(fw->sse);
    free(fw);
}

/* ---- the small functions ---- */

static cs_sbi_ret num_counters(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    (void)hart;
    (void)args;
    return cs_sbi_value_of(fw->nr_counters);
}

static cs_sbi_ret get_info(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const bool is_short = cs_sbi_deviates(fw, CS_SBI_DEV_INFO_INDEX_SHORT);
    const bool narrow = cs_sbi_deviates(fw, CS_SBI_DEV_FW_WIDTH_XLEN);
    const uint64_t index = is_short ? (uint32_t)args[0] : args[0];
    const bool hole = index < fw->nr_hardware && index != TIME_COUNTER &&
                      cs_sbi_deviates(fw, CS_SBI_DEV_HOLES_HAVE_INFO);

    (void)hart;
    if (!cs_sbi_is_counter(fw, index) && !hole)
        return index < ALL_COUNTERS && index != TIME_COUNTER &&
                       cs_sbi_deviates(fw, CS_SBI_DEV_ALL_HAVE_INFO)
                   ? cs_sbi_value_of(0)
                   : cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (cs_sbi_is_firmware(fw, index))
        return cs_sbi_value_of(UINT64_C(1) << (fw->xlen - 1) | (narrow ? fw->xlen - 1 : 63u) << 12);
    return cs_sbi_value_of((0xc00u + index) | (uint64_t)((fw->width[index] - 1u) & 63u) << 12);
}

/* A counter without an event has no value. */
static cs_sbi_error firmware_value(cs_sbi_pmu *fw, uint64_t index, uint64_t *value)
{
    if (!cs_sbi_is_firmware(fw, index) || !cs_sbi_is_configured(fw, index))
        return CS_SBI_ERR_INVALID_PARAM;
    *value = cs_sbi_cell_of(fw, index)->value;
    return CS_SBI_SUCCESS;
}

static bool is_hardware_with_event(const cs_sbi_pmu *fw, uint64_t index)
{
    return index < fw->nr_hardware && cs_sbi_is_counter(fw, index) &&
           cs_sbi_is_configured(fw, index);
}

static cs_sbi_ret fw_read(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const bool is_short = cs_sbi_deviates(fw, CS_SBI_DEV_FW_INDEX_SHORT);
    const uint64_t index = is_short ? (uint32_t)args[0] : args[0];
    cs_sbi_ret ret = {0};

    if (is_hardware_with_event(fw, index)) {
        if (cs_sbi_deviates(fw, CS_SBI_DEV_FW_READ_NOTHING))
            return cs_sbi_value_of(0);
        if (cs_sbi_deviates(fw, CS_SBI_DEV_FW_READ_HARDWARE))
            return cs_sbi_value_of(cs_sbi_counter_read(fw, hart, (unsigned)index));
    }
    if (cs_sbi_is_firmware(fw, index) && !cs_sbi_unit_look(fw, hart, index))
        return cs_sbi_error_of(CS_SBI_ERR_FAILED);
    ret.error = firmware_value(fw, index, &ret.value);
    return ret;
}

static cs_sbi_ret fw_read_hi(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    const bool is_short = cs_sbi_deviates(fw, CS_SBI_DEV_FW_INDEX_SHORT);
    const uint64_t index = is_short ? (uint32_t)args[0] : args[0];
    uint64_t value = 0;
    cs_sbi_error error = firmware_value(fw, index, &value);

    (void)hart;
    if (fw->xlen == 64) {
        value = 0;
        if (cs_sbi_deviates(fw, CS_SBI_DEV_HI_NEVER))
            error = CS_SBI_ERR_INVALID_PARAM;
        else if (cs_sbi_deviates(fw, CS_SBI_DEV_HI_ANY_INDEX) ||
                 (cs_sbi_deviates(fw, CS_SBI_DEV_HI_UNCONFIGURED) && cs_sbi_is_firmware(fw, index)))
            error = CS_SBI_SUCCESS;
    }
    return (cs_sbi_ret){.error = error, .value = value >> 32};
}

/* ---- a call ---- */

static const struct function {
    unsigned version; /* since */
    cs_sbi_ret (*run)(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6]);
} functions[] = {
    [CS_SBI_PMU_NUM_COUNTERS] = {CS_SBI_VERSION_0_3, num_counters},
    [CS_SBI_PMU_COUNTER_GET_INFO] = {CS_SBI_VERSION_0_3, get_info},
    [CS_SBI_PMU_COUNTER_CONFIG_MATCHING] = {CS_SBI_VERSION_0_3, cs_sbi_config_matching},
    [CS_SBI_PMU_COUNTER_START] = {CS_SBI_VERSION_0_3, cs_sbi_counter_start},
    [CS_SBI_PMU_COUNTER_STOP] = {CS_SBI_VERSION_0_3, cs_sbi_counter_stop},
    [CS_SBI_PMU_COUNTER_FW_READ] = {CS_SBI_VERSION_0_3, fw_read},
    [CS_SBI_PMU_COUNTER_FW_READ_HI] = {CS_SBI_VERSION_2_0, fw_read_hi},
    [CS_SBI_PMU_SNAPSHOT_SET_SHMEM] = {CS_SBI_VERSION_2_0, cs_sbi_set_shmem},
    [CS_SBI_PMU_EVENT_GET_INFO] = {CS_SBI_VERSION_3_0, cs_sbi_event_get_info},
};

/* The proposal came before any version had the extension. */
static bool has_pmu(const cs_sbi_pmu *fw)
{
    return fw->config.form == CS_SBI_PROPOSAL_V3 || fw->config.version >= CS_SBI_VERSION_0_3;
}

static cs_sbi_ret base_call(const cs_sbi_pmu *fw, uint64_t fid, uint64_t eid)
{
    switch (fid) {
    case CS_SBI_BASE_GET_SPEC_VERSION:
        return cs_sbi_value_of(fw->config.version);
    case CS_SBI_BASE_PROBE_EXTENSION:
        return cs_sbi_value_of(eid == CS_SBI_EID_BASE || (eid == CS_SBI_EID_PMU && has_pmu(fw)) ||
                               (eid == CS_SBI_EID_SSE && fw->sse != NULL));
    default:
        return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
    }
}

static bool is_early(const cs_sbi_pmu *fw, uint64_t fid)
{
    return fid == CS_SBI_PMU_EVENT_GET_INFO && cs_sbi_deviates(fw, CS_SBI_DEV_INFO_EARLY);
}

static cs_sbi_ret pmu_call(cs_sbi_pmu *fw, cs_hart *hart, uint64_t fid, const uint64_t args[6])
{
    if (fw->config.form == CS_SBI_PROPOSAL_V3)
        return cs_sbi_v3_call(fw, hart, fid, args);
    if (fid >= sizeof functions / sizeof functions[0] ||
        (fw->config.version < functions[fid].version && !is_early(fw, fid)))
        return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
    return functions[fid].run(fw, hart, args);
}

static cs_sbi_ret sbi_dispatch(cs_sbi_pmu *fw, cs_hart *hart, uint64_t eid, uint64_t fid,
                               const uint64_t args[6])
{
    if (fw->booted && eid == CS_SBI_EID_BASE)
        return base_call(fw, fid, args[0]);
    if (fw->booted && eid == CS_SBI_EID_PMU)
        return pmu_call(fw, hart, fid, args);
    if (fw->booted && eid == CS_SBI_EID_SSE && fw->sse != NULL)
        return cs_sse_ecall(fw, hart, fid, args);
    return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
}

static cs_sbi_ret sbi_call(void *ctx, cs_hart *hart, uint64_t eid, uint64_t fid,
                           const uint64_t args[6])
{
    cs_sbi_pmu *fw = ctx;
    const uint64_t ones = cs_hart_xlen(hart) == 32 ? UINT32_MAX : UINT64_MAX;
    cs_sse_entry from = {0};
    cs_hart_track caller;
    uint64_t registers[6];
    cs_sbi_ret ret;

    cs_sse_capture(fw, hart, &from);
    caller = cs_hart_trap(hart, CS_HART_FIRMWARE);
    for (unsigned i = 0; i < 6; i++)
        registers[i] = args[i] & ones;
    cs_hart_work(hart, fw->config.call_cycles);
    ret = sbi_dispatch(fw, hart, eid & ones, fid & ones, registers);
    cs_sse_leave(fw, hart, caller, &from);
    ret.value &= ones;
    return ret;
}

cs_sbi cs_sbi_pmu_interface(cs_sbi_pmu *fw)
{
    return (cs_sbi){.call = sbi_call, .ctx = fw};
}

/* ---- firmware events ---- */

/* In every counter that has the event and runs; where the event has a cell, in that. */
static void count_event(cs_sbi_pmu *fw, uint32_t code, uint64_t data, uint64_t count)
{
    if (cs_sbi_deviates(fw, CS_SBI_DEV_FW_PER_EVENT) && code < CS_SBI_FW_CELLS) {
        fw->per_event[code].value += fw->per_event[code].started ? count : 0;
        return;
    }
    for (unsigned i = fw->nr_hardware; i < fw->nr_counters; i++) {
        const cs_sbi_counter *counter = &fw->counters[i];
        cs_sbi_cell *cell = &fw->counters[i].cell;

        if (!cs_sbi_is_configured(fw, i) || CS_SBI_EVENT_CODE(counter->event_idx) != code ||
            counter->data != data || !cell->started)
            continue;
        cell->value += count;
        if (cs_sbi_deviates(fw, CS_SBI_DEV_FW_FIRST_ONLY))
            return;
    }
}

void cs_sbi_pmu_firmware_event(cs_sbi_pmu *fw, cs_hart *hart, unsigned code, uint64_t count)
{
    if (fw->config.form == CS_SBI_PROPOSAL_V3)
        cs_sbi_v3_event(fw, hart, code, count);
    else if (code < CS_SBI_FW_PLATFORM)
        count_event(fw, code, 0, count);
}

void cs_sbi_pmu_platform_event(cs_sbi_pmu *fw, cs_hart *hart, uint64_t encoding, uint64_t count)
{
    (void)hart;
    if (fw->config.form == CS_SBI_RATIFIED)
        count_event(fw, CS_SBI_FW_PLATFORM, encoding, count);
}
