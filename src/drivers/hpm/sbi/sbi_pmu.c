#include "drivers/hpm/sbi/sbi_pmu.h"

#include <stdlib.h>

#include "drivers/hpm/sbi/sbi_pmu_impl.h"

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

static cs_status check(const cs_sbi_pmu_config *config, cs_diag *diag)
{
    if (config->form != CS_SBI_RATIFIED && config->form != CS_SBI_PROPOSAL_V3)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "no such form of the SBI PMU: %d",
                           (int)config->form);
    if (config->firmware_counters > CS_SBI_PMU_MAX_FIRMWARE)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "expected at most %u firmware counters, found %u",
                           CS_SBI_PMU_MAX_FIRMWARE, config->firmware_counters);
    if (config->specific_events > MAX_SPECIFIC)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "expected at most %u specific firmware events, found %u", MAX_SPECIFIC,
                           config->specific_events);
    return CS_OK;
}

cs_status cs_sbi_pmu_create(const cs_sbi_pmu_config *config, cs_sbi_pmu **out, cs_diag *diag)
{
    cs_status status = check(config, diag);
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
    *out = fw;
    return CS_OK;
}

void cs_sbi_pmu_destroy(cs_sbi_pmu *fw)
{
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
    const uint64_t index = args[0];
    const bool hole = index < fw->nr_hardware && cs_sbi_deviates(fw, CS_SBI_DEV_HOLES_HAVE_INFO);

    (void)hart;
    if (!cs_sbi_is_counter(fw, index) && !hole)
        return cs_sbi_error_of(CS_SBI_ERR_INVALID_PARAM);
    if (cs_sbi_is_firmware(fw, index))
        return cs_sbi_value_of(UINT64_C(1) << (fw->xlen - 1) | 63u << 12);
    return cs_sbi_value_of((0xc00u + index) | (uint64_t)((fw->width[index] - 1u) & 63u) << 12);
}

static cs_sbi_error firmware_value(cs_sbi_pmu *fw, uint64_t index, uint64_t *value)
{
    if (!cs_sbi_is_firmware(fw, index) || cs_sbi_passed_over(fw, index))
        return CS_SBI_ERR_INVALID_PARAM;
    *value = cs_sbi_cell_of(fw, index)->value;
    return CS_SBI_SUCCESS;
}

static cs_sbi_ret fw_read(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    cs_sbi_ret ret = {0};

    (void)hart;
    ret.error = firmware_value(fw, args[0], &ret.value);
    return ret;
}

static cs_sbi_ret fw_read_hi(cs_sbi_pmu *fw, cs_hart *hart, const uint64_t args[6])
{
    uint64_t value = 0;
    const cs_sbi_error error = firmware_value(fw, args[0], &value);

    (void)hart;
    if (fw->xlen == 64 && cs_sbi_deviates(fw, CS_SBI_DEV_HI_ANY_INDEX))
        return cs_sbi_value_of(0);
    return (cs_sbi_ret){.error = error, .value = fw->xlen == 32 ? value >> 32 : 0};
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
        return cs_sbi_value_of(eid == CS_SBI_EID_BASE || (eid == CS_SBI_EID_PMU && has_pmu(fw)));
    default:
        return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
    }
}

static cs_sbi_ret pmu_call(cs_sbi_pmu *fw, cs_hart *hart, uint64_t fid, const uint64_t args[6])
{
    if (fw->config.form == CS_SBI_PROPOSAL_V3)
        return cs_sbi_v3_call(fw, hart, fid, args);
    if (fid >= sizeof functions / sizeof functions[0] ||
        fw->config.version < functions[fid].version)
        return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
    return functions[fid].run(fw, hart, args);
}

static cs_sbi_ret dispatch(cs_sbi_pmu *fw, cs_hart *hart, uint64_t eid, uint64_t fid,
                           const uint64_t args[6])
{
    if (fw->booted && eid == CS_SBI_EID_BASE)
        return base_call(fw, fid, args[0]);
    if (fw->booted && eid == CS_SBI_EID_PMU)
        return pmu_call(fw, hart, fid, args);
    return cs_sbi_error_of(CS_SBI_ERR_NOT_SUPPORTED);
}

static cs_sbi_ret call(void *ctx, cs_hart *hart, uint64_t eid, uint64_t fid, const uint64_t args[6])
{
    cs_sbi_pmu *fw = ctx;
    const uint64_t ones = cs_hart_xlen(hart) == 32 ? UINT32_MAX : UINT64_MAX;
    const cs_hart_track caller = cs_hart_trap(hart, CS_HART_FIRMWARE);
    uint64_t registers[6];
    cs_sbi_ret ret;

    for (unsigned i = 0; i < 6; i++)
        registers[i] = args[i] & ones;
    cs_hart_work(hart, fw->config.call_cycles);
    ret = dispatch(fw, hart, eid & ones, fid & ones, registers);
    cs_hart_return(hart, caller);
    ret.value &= ones;
    return ret;
}

cs_sbi cs_sbi_pmu_interface(cs_sbi_pmu *fw)
{
    return (cs_sbi){.call = call, .ctx = fw};
}

/* ---- firmware events ---- */

/* In every counter that has the event and runs; where they share a cell, once. */
static void count_event(cs_sbi_pmu *fw, uint32_t event_idx, uint64_t data, uint64_t count)
{
    for (unsigned i = fw->nr_hardware; i < fw->nr_counters; i++) {
        cs_sbi_cell *cell = cs_sbi_cell_of(fw, i);

        if (fw->counters[i].event_idx != event_idx || fw->counters[i].data != data ||
            !cell->started)
            continue;
        cell->value += count;
        if (cell != &fw->counters[i].cell || cs_sbi_deviates(fw, CS_SBI_DEV_FW_FIRST_ONLY))
            return;
    }
}

void cs_sbi_pmu_firmware_event(cs_sbi_pmu *fw, cs_hart *hart, unsigned code, uint64_t count)
{
    if (fw->config.form == CS_SBI_PROPOSAL_V3)
        cs_sbi_v3_event(fw, hart, code, count);
    else if (code < CS_SBI_FW_PLATFORM)
        count_event(fw, CS_SBI_TYPE_FW << 16 | code, 0, count);
}

void cs_sbi_pmu_platform_event(cs_sbi_pmu *fw, cs_hart *hart, uint64_t encoding, uint64_t count)
{
    (void)hart;
    if (fw->config.form == CS_SBI_RATIFIED)
        count_event(fw, CS_SBI_TYPE_FW << 16 | CS_SBI_FW_PLATFORM, encoding, count);
}
