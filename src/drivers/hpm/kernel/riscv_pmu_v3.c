// SPDX-License-Identifier: Apache-2.0
/* The SBI proposal of July 2020 (docs/sources.md): one counter a call, an event set by hand,
 * software counters that are cells in memory. */
#include <errno.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

#define SOFTWARE_CSR 0xfffu
#define RAW_SOFTWARE bit(63) /* of perf's config */

static cs_sbi_ret pmu_v3_call(cs_riscv_pmu *pmu, cs_hart *hart, cs_sbi_v3_function function,
                              unsigned first)
{
    const uint64_t args[6] = {first};

    return cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, function, args);
}

static uint64_t pmu_v3_cell(const cs_riscv_pmu *pmu, unsigned i)
{
    return pmu->config.snapshot_address + 8u * (uint64_t)i;
}

static int pmu_v3_map(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                      uint64_t *data)
{
    switch (attr->type) {
    case CS_RISCV_PERF_HARDWARE:
    case CS_RISCV_PERF_CACHE:
        return cs_riscv_map_standard(pmu, attr, 0, event_idx);
    case CS_RISCV_PERF_RAW:
        if (attr->config & RAW_SOFTWARE) {
            *event_idx = CS_SBI_TYPE_FW << 16 | (uint32_t)(attr->config & 0xffff);
        } else {
            *event_idx = CS_SBI_TYPE_RAW << 16;
            *data = attr->config;
        }
        return 0;
    default:
        return -ENOENT;
    }
}

static int find_counters(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const cs_sbi_ret all = pmu_v3_call(pmu, hart, CS_SBI_V3_NUM_COUNTERS, 0);

    for (unsigned i = 0; i < all.value && i < CS_RISCV_MAX_COUNTERS; i++) {
        const cs_sbi_ret info = pmu_v3_call(pmu, hart, CS_SBI_V3_COUNTER_GET_CSR, i);
        const unsigned bits = info.value >> 12 & 0xff;
        const bool software = (info.value & 0xfff) == SOFTWARE_CSR;
        const bool hardware = is_counter_csr(info.value & 0xfff) && bits > 0 && bits <= 64;

        if (info.error != CS_SBI_SUCCESS || !(software || hardware))
            continue;
        cs_riscv_found(pmu, i,
                       (counter){.software = software,
                                 .csr = software ? 0 : (uint16_t)(info.value & 0xfff),
                                 .width = software ? 63 : (uint8_t)(bits - 1)});
    }
    return all.error != CS_SBI_SUCCESS || pmu->present == 0 ? -ENODEV : 0;
}

static void stop_all(cs_riscv_pmu *pmu, cs_hart *hart)
{
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        if (pmu->present >> i & 1)
            pmu_v3_call(pmu, hart, CS_SBI_V3_COUNTER_STOP, i);
}

/* ---- which counter ---- */

/* cycle and instret need no SET_EVENT. */
static int fixed_index(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event)
{
    static const uint16_t csrs[] = {CSR_CYCLE + COUNTER_CYCLE, CSR_CYCLE + COUNTER_INSTRET};

    if (is_sampling(event) || event->event_idx >= sizeof csrs / sizeof csrs[0])
        return -ENOENT;
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        if (((pmu->present & ~pmu->used) >> i & 1) &&
            pmu->counters[i].csr == csrs[event->event_idx])
            return (int)i;
    return -ENOENT;
}

static bool may_have(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event, unsigned i)
{
    const bool software = CS_SBI_EVENT_TYPE(event->event_idx) == CS_SBI_TYPE_FW;
    const counter *counter = &pmu->counters[i];

    if (((pmu->present & ~pmu->used) >> i & 1) == 0 || counter->software != software)
        return false;
    return software || counter->csr >= CSR_CYCLE + COUNTER_HPM;
}

/* Those that may have the event, as a mask. */
static uint64_t pmu_v3_candidates(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        set |= may_have(pmu, event, i) ? bit(i) : 0;
    return set;
}

static unsigned first_of(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static cs_sbi_ret set_event(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                            unsigned i)
{
    const uint64_t args[6] = {i, event->event_idx};

    return cs_riscv_call64(pmu, hart, CS_SBI_V3_COUNTER_SET_EVENT, args, 2, event->data);
}

/* One after the other. */
static int find_each(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                     uint64_t set)
{
    for (; set != 0; set &= set - 1)
        if (set_event(pmu, hart, event, first_of(set)).error == CS_SBI_SUCCESS)
            return (int)first_of(set);
    return -ENOENT;
}

/* The first; where it cannot, the answer tells which can. It tells of hardware alone. */
static int find_by_mask(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                        uint64_t set)
{
    const unsigned first = first_of(set);
    cs_sbi_ret ret;

    if (pmu->counters[first].software)
        return find_each(pmu, hart, event, set);
    ret = set_event(pmu, hart, event, first);
    if (ret.error == CS_SBI_SUCCESS)
        return (int)first;
    set &= ret.value;
    return set != 0 ? find_each(pmu, hart, event, set) : -ENOENT;
}

/* The firmware picks: of all counters, for it does not know which are free. */
static int find_any(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                    uint64_t set)
{
    const uint64_t args[6] = {first_of(set), event->event_idx, event->data, true};
    const cs_sbi_ret ret =
        cs_riscv_call(pmu, hart, CS_SBI_EID_PMU, CS_SBI_V3_COUNTER_SET_EVENT, args);

    if (ret.error != CS_SBI_SUCCESS)
        return -ENOENT;
    return ret.value < CS_RISCV_MAX_COUNTERS && (set >> ret.value & 1) ? (int)ret.value : -ENOENT;
}

static int find_matching(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                         uint64_t set)
{
    for (unsigned i = 0; i < cs_riscv_words(hart); i++) {
        const uint64_t args[6] = {(uint64_t)i * cs_hart_xlen(hart), cs_riscv_word(hart, set, i),
                                  event->event_idx};
        cs_sbi_ret ret;

        if (args[1] == 0)
            continue;
        ret = cs_riscv_call64(pmu, hart, CS_SBI_V3_COUNTER_CONFIG_MATCHING, args, 3, event->data);
        if (ret.error == CS_SBI_SUCCESS && ret.value < CS_RISCV_MAX_COUNTERS &&
            (set >> ret.value & 1))
            return (int)ret.value;
    }
    return -ENOENT;
}

static int get_index(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    static int (*const ways[])(cs_riscv_pmu *, cs_hart *, const cs_riscv_perf_event *, uint64_t) = {
        [CS_RISCV_FIND_FREE] = find_matching,
        [CS_RISCV_FIND_EACH] = find_each,
        [CS_RISCV_FIND_MASK] = find_by_mask,
        [CS_RISCV_FIND_ANY] = find_any,
    };
    const uint64_t set = pmu_v3_candidates(pmu, event);
    const int fixed = fixed_index(pmu, event);
    int index;

    if (fixed >= 0)
        return fixed;
    index = set != 0 ? ways[pmu->config.find](pmu, hart, event, set) : -ENOENT;
    if (index >= 0 && pmu->counters[index].software) {
        const uint64_t place[6] = {(unsigned)index};

        cs_riscv_note(pmu, cs_riscv_call64(pmu, hart, CS_SBI_V3_COUNTER_SET_PHYS_ADDR, place, 1,
                                           pmu_v3_cell(pmu, (unsigned)index)));
    }
    return index;
}

/* ---- start, stop, read ---- */

static void start_at(cs_riscv_pmu *pmu, cs_hart *hart, unsigned i, uint64_t value)
{
    const uint64_t args[6] = {i};

    cs_riscv_note(pmu, cs_riscv_call64(pmu, hart, CS_SBI_V3_COUNTER_START, args, 1, value));
}

static void pmu_v3_start(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                         uint64_t value)
{
    start_at(pmu, hart, (unsigned)event->index, value);
}

static void pmu_v3_stop(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    cs_riscv_note(pmu, pmu_v3_call(pmu, hart, CS_SBI_V3_COUNTER_STOP, (unsigned)event->index));
}

static uint64_t pmu_v3_read(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event)
{
    const counter *counter = &pmu->counters[event->index];

    return counter->software ? cs_riscv_load64(pmu, hart, pmu_v3_cell(pmu, (unsigned)event->index))
                             : cs_riscv_read_csr(pmu, hart, counter->csr);
}

static uint64_t stop_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t set)
{
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        if (set >> i & 1)
            cs_riscv_note(pmu, pmu_v3_call(pmu, hart, CS_SBI_V3_COUNTER_STOP, i));
    return cs_hart_csr_read(hart, CSR_SCOUNTOVF);
}

/* START has always a value: those that go on get their own. */
static void start_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t same, uint64_t anew)
{
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++) {
        if (anew >> i & 1)
            start_at(pmu, hart, i, cs_riscv_start_value(pmu, pmu->events[i]));
        else if (same >> i & 1)
            start_at(pmu, hart, i, cs_riscv_read_csr(pmu, hart, pmu->counters[i].csr));
    }
}

const kind_ops cs_riscv_v3_ops = {
    .needs_sbi = true,
    .samples = true,
    .map = pmu_v3_map,
    .find_counters = find_counters,
    .stop_all = stop_all,
    .get_index = get_index,
    .start = pmu_v3_start,
    .stop = pmu_v3_stop,
    .read = pmu_v3_read,
    .stop_set = stop_set,
    .overflowed = cs_riscv_by_csr,
    .start_set = start_set,
};
