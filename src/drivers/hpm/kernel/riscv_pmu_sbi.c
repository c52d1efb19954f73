// SPDX-License-Identifier: Apache-2.0
/* The ratified SBI PMU extension; its firmware counters serve the delegated kind, too. */
#include <errno.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

/* ---- counters ---- */

int cs_riscv_sbi_find(cs_riscv_pmu *pmu, cs_hart *hart, bool hardware_too)
{
    const unsigned xlen = cs_hart_xlen(hart);
    const uint64_t nothing[6] = {0};
    const cs_sbi_ret all =
        cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_NUM_COUNTERS, nothing);

    if (all.error != CS_SBI_SUCCESS)
        return -ENODEV;
    for (unsigned i = 0; i < all.value && i < CS_RISCV_MAX_COUNTERS; i++) {
        const uint64_t args[6] = {i};
        const cs_sbi_ret info =
            cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_GET_INFO, args);
        const bool software = info.value >> (xlen - 1) & 1;

        if (info.error != CS_SBI_SUCCESS || (pmu->present >> i & 1) != 0)
            continue;
        if (software)
            cs_riscv_found(
                pmu, i,
                (counter){.software = true, .width = xlen == 32 && pmu->spec_major < 2 ? 31 : 63});
        else if (hardware_too && is_counter_csr(info.value & 0xfff))
            cs_riscv_found(pmu, i,
                           (counter){.csr = (uint16_t)(info.value & 0xfff),
                                     .width = (uint8_t)(info.value >> 12 & 0x3f)});
    }
    return 0;
}

static int find_counters(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const int error = cs_riscv_sbi_find(pmu, hart, true);

    return error == 0 && pmu->present == 0 ? -ENODEV : error;
}

/* Not all of them run: errors are nothing. */
void cs_riscv_sbi_stop_all(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set, uint64_t flags)
{
    for (unsigned i = 0; i < cs_riscv_words(hart); i++) {
        const uint64_t args[6] = {(uint64_t)i * cs_hart_xlen(hart), cs_riscv_word(hart, set, i),
                                  flags};

        if (args[1] != 0)
            cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_STOP, args);
    }
}

static void stop_all(cs_riscv_pmu *pmu, cs_hart *hart)
{
    cs_riscv_sbi_stop_all(pmu, hart, pmu->present, CS_SBI_STOP_RESET);
}

/* ---- which counter ---- */

cs_sbi_ret cs_riscv_sbi_match(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set, uint64_t flags,
                              uint32_t event_idx, uint64_t data)
{
    cs_sbi_ret ret = {CS_SBI_ERR_NOT_SUPPORTED, 0};

    for (unsigned i = 0; i < cs_riscv_words(hart) && ret.error != CS_SBI_SUCCESS; i++) {
        const uint64_t args[6] = {(uint64_t)i * cs_hart_xlen(hart), cs_riscv_word(hart, set, i),
                                  flags, event_idx};

        if (args[1] != 0)
            ret = cs_riscv_call64(pmu, hart, CS_SBI_PMU_COUNTER_CONFIG_MATCHING, args, 4, data);
    }
    return ret;
}

/* The counter that legacy user space expects the event in; 0: any. */
static uint64_t fixed_set(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event)
{
    static const uint64_t sets[] = {1u << COUNTER_CYCLE, 1u << COUNTER_INSTRET};
    const cs_riscv_attr *attr = &event->attr;

    if (pmu->config.user_access != CS_RISCV_USER_LEGACY || attr->type != CS_RISCV_PERF_HARDWARE)
        return 0;
    return attr->config < sizeof sets / sizeof sets[0] ? sets[attr->config] : 0;
}

int cs_riscv_sbi_get_index(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                           uint64_t set, uint64_t flags)
{
    const uint64_t free = set & ~pmu->used;
    const uint64_t asked = pmu->config.find == CS_RISCV_FIND_ALL ? set : free;
    cs_sbi_ret ret;

    if (asked == 0)
        return -ENOENT;
    ret = cs_riscv_sbi_match(pmu, hart, asked, flags | cs_riscv_filters(&event->attr),
                             event->event_idx, event->data);
    if (ret.error != CS_SBI_SUCCESS)
        return cs_riscv_errno(ret.error);
    if (ret.value >= CS_RISCV_MAX_COUNTERS || (free >> ret.value & 1) == 0)
        return -ENOENT;
    return (int)ret.value;
}

static int get_index(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    const uint64_t fixed = fixed_set(pmu, event);

    if (fixed != 0)
        return cs_riscv_sbi_get_index(pmu, hart, event, fixed, CS_SBI_CFG_SKIP_MATCH);
    return cs_riscv_sbi_get_index(pmu, hart, event, pmu->present, 0);
}

/* ---- start, stop, read ---- */

void cs_riscv_sbi_start(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                        uint64_t value)
{
    const uint64_t args[6] = {(uint64_t)event->index, 1, CS_SBI_START_SET_INIT_VALUE};

    cs_riscv_note(pmu, cs_riscv_call64(pmu, hart, CS_SBI_PMU_COUNTER_START, args, 3, value));
}

static void pmu_sbi_stop(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                         uint64_t flags)
{
    const uint64_t args[6] = {(uint64_t)event->index, 1,
                              flags | (pmu->snapshot ? CS_SBI_STOP_TAKE_SNAPSHOT : 0)};
    const cs_sbi_ret ret = cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_STOP, args);

    cs_riscv_note(pmu, ret);
    if (cs_riscv_has_stopped(ret) && pmu->snapshot)
        cs_riscv_snapshot_stopped(pmu, hart, (unsigned)event->index);
}

void cs_riscv_sbi_stop(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    pmu_sbi_stop(pmu, hart, event, 0);
}

void cs_riscv_sbi_release(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    pmu_sbi_stop(pmu, hart, event, CS_SBI_STOP_RESET);
}

static uint64_t read_firmware(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    const uint64_t args[6] = {(uint64_t)event->index};
    cs_sbi_ret ret = cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_FW_READ, args);
    uint64_t value;

    cs_riscv_note(pmu, ret);
    value = ret.error == CS_SBI_SUCCESS ? ret.value : 0;
    if (cs_hart_xlen(hart) == 64 || pmu->counters[event->index].width < 32)
        return value;
    ret = cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_FW_READ_HI, args);
    cs_riscv_note(pmu, ret);
    return value | (ret.error == CS_SBI_SUCCESS ? ret.value << 32 : 0);
}

uint64_t cs_riscv_sbi_read(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    const counter *counter = &pmu->counters[event->index];

    if (counter->software)
        return read_firmware(pmu, hart, event);
    if (pmu->snapshot && (event->state & CS_RISCV_HES_STOPPED) != 0)
        return cs_riscv_snapshot_value(pmu, hart, (unsigned)event->index);
    return cs_riscv_read_csr(pmu, hart, counter->csr);
}

/* ---- the handler's ---- */

static uint64_t stop_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set)
{
    if (pmu->snapshot)
        return cs_riscv_snapshot_stop_set(pmu, hart, set);
    for (unsigned i = 0; i < cs_riscv_words(hart); i++) {
        const uint64_t args[6] = {(uint64_t)i * cs_hart_xlen(hart), cs_riscv_word(hart, set, i)};
        const cs_sbi_ret ret =
            cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_STOP, args);

        if (args[1] != 0)
            cs_riscv_note(pmu, ret);
    }
    return cs_hart_csr_read(hart, CSR_SCOUNTOVF);
}

static bool pmu_sbi_overflowed(const cs_riscv_pmu *pmu, uint64_t overflow, unsigned i)
{
    return pmu->snapshot ? overflow >> i & 1 : cs_riscv_by_csr(pmu, overflow, i);
}

static void start_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t same, uint64_t anew)
{
    if (pmu->snapshot) {
        cs_riscv_snapshot_start_set(pmu, hart, same, anew);
        return;
    }
    for (unsigned i = 0; i < cs_riscv_words(hart); i++) {
        const uint64_t args[6] = {(uint64_t)i * cs_hart_xlen(hart), cs_riscv_word(hart, same, i)};
        const cs_sbi_ret ret =
            cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_PMU_COUNTER_START, args);

        if (args[1] != 0)
            cs_riscv_note(pmu, ret);
    }
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        if (anew >> i & 1)
            cs_riscv_sbi_start(pmu, hart, pmu->events[i],
                               cs_riscv_start_value(pmu, pmu->events[i]));
}

const kind_ops cs_riscv_sbi_ops = {
    .needs_sbi = true,
    .samples = true,
    .filters = true,
    .map = cs_riscv_map_sbi,
    .find_counters = find_counters,
    .stop_all = stop_all,
    .check_events = cs_riscv_check_events,
    .get_index = get_index,
    .start = cs_riscv_sbi_start,
    .stop = cs_riscv_sbi_stop,
    .release = cs_riscv_sbi_release,
    .read = cs_riscv_sbi_read,
    .stop_set = stop_set,
    .overflowed = pmu_sbi_overflowed,
    .start_set = start_set,
};
