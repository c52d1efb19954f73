// SPDX-License-Identifier: Apache-2.0
/* From perf's attr to an event, by type. */
#include <errno.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

#define RAW_BITS (bit(48) - 1)
#define RAW_V2_BITS (bit(56) - 1)
#define PLATFORM_BITS (bit(62) - 1)

uint32_t cs_riscv_standard_idx(unsigned i, unsigned first_code)
{
    const unsigned cache = i - NR_STANDARD_HW;

    if (i < NR_STANDARD_HW)
        return first_code + i;
    return CS_SBI_TYPE_CACHE << 16 | cache / (NR_CACHE_OPS * NR_CACHE_RESULTS) << 3 |
           cache / NR_CACHE_RESULTS % NR_CACHE_OPS << 1 | cache % NR_CACHE_RESULTS;
}

/* The number of a standard event; negative: none. */
static int pmu_map_standard(const cs_riscv_attr *attr)
{
    const uint64_t id = attr->config & 0xff;
    const uint64_t op = attr->config >> 8 & 0xff;
    const uint64_t result = attr->config >> 16 & 0xff;

    if (attr->type == CS_RISCV_PERF_HARDWARE)
        return attr->config < NR_STANDARD_HW ? (int)attr->config : -EINVAL;
    if (id >= NR_CACHES || op >= NR_CACHE_OPS || result >= NR_CACHE_RESULTS)
        return -EINVAL;
    return (int)(NR_STANDARD_HW + (id * NR_CACHE_OPS + op) * NR_CACHE_RESULTS + result);
}

int cs_riscv_map_standard(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, unsigned first_code,
                          uint32_t *event_idx)
{
    const int i = pmu_map_standard(attr);

    if (i < 0)
        return i;
    if (pmu->unsupported[i])
        return -ENOENT;
    *event_idx = cs_riscv_standard_idx((unsigned)i, first_code);
    return 0;
}

static int map_raw(const cs_riscv_pmu *pmu, uint64_t config, uint32_t *event_idx, uint64_t *data)
{
    const bool v2 = pmu->spec_major >= 3;

    switch (config >> 62) {
    case 0:
        if ((config & ~(v2 ? RAW_V2_BITS : RAW_BITS)) != 0)
            return -ENOENT;
        *event_idx = (v2 ? CS_SBI_TYPE_RAW_V2 : CS_SBI_TYPE_RAW) << 16;
        *data = config;
        return 0;
    case 2:
        *event_idx = CS_SBI_TYPE_FW << 16 | (uint32_t)(config & 0xffff);
        return 0;
    case 3:
        *event_idx = CS_SBI_TYPE_FW << 16 | CS_SBI_FW_PLATFORM;
        *data = config & PLATFORM_BITS;
        return 0;
    default:
        return -ENOENT;
    }
}

int cs_riscv_map_sbi(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                     uint64_t *data)
{
    switch (attr->type) {
    case CS_RISCV_PERF_HARDWARE:
    case CS_RISCV_PERF_CACHE:
        return cs_riscv_map_standard(pmu, attr, EVENT_CYCLES, event_idx);
    case CS_RISCV_PERF_RAW:
        return map_raw(pmu, attr->config, event_idx, data);
    default:
        return -ENOENT;
    }
}

uint64_t cs_riscv_filters(const cs_riscv_attr *attr)
{
    const bool guest = attr->guest_events;
    uint64_t flags = 0;

    if (attr->exclude_kernel)
        flags |= guest ? CS_SBI_CFG_SET_VSINH : CS_SBI_CFG_SET_SINH;
    if (attr->exclude_user)
        flags |= guest ? CS_SBI_CFG_SET_VUINH : CS_SBI_CFG_SET_UINH;
    if (attr->exclude_hv && guest)
        flags |= CS_SBI_CFG_SET_SINH;
    if (attr->exclude_host)
        flags |= CS_SBI_CFG_SET_UINH | CS_SBI_CFG_SET_SINH;
    if (attr->exclude_guest)
        flags |= CS_SBI_CFG_SET_VSINH | CS_SBI_CFG_SET_VUINH;
    return flags;
}
