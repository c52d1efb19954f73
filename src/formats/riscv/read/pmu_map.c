// SPDX-License-Identifier: Apache-2.0
#include <countersink/formats/riscv/read/pmu_map.h>

#include <string.h>

#define NR_OF(ARRAY) (sizeof(ARRAY) / sizeof(ARRAY)[0])

static const cs_riscv_event events[] = {
    {1, "CYCLES.HART", 1, {0x1}},
    {2, "INST.RET", 1, {0x2}},
    {3, "CACHE.L1.RD.DATA.ACCESS", 2, {0x3, 0x10000}},
    {4, "CACHE.L1.RD.DATA.MISS", 2, {0x4, 0x10001}},
    {5, "INST.BRJMP.SPEC", 2, {0x5, 0x10028}},
    {6, "INST.MISPRED.SPEC", 2, {0x6, 0x10029}},
    {10, "CYCLES.REF", 1, {0xa}},
    {11, "CACHE.L1I.RD.CODE.ACCESS", 1, {0x10008}},
    {12, "CACHE.L1I.RD.CODE.MISS", 1, {0x10009}},
    {13, "CACHE.LL.RD.DATA.ACCESS", 1, {0x10010}},
    {14, "CACHE.LL.RD.DATA.MISS", 1, {0x10011}},
    {15, "TLB.L1.LDST.ACCESS", 1, {0x10018}},
    {16, "TLB.L1.LDST.MISS", 1, {0x10019}},
    {17, "TLB.L1I.CODE.ACCESS", 1, {0x10020}},
    {18, "TLB.L1I.CODE.MISS", 1, {0x10021}},
    {19, "INST.BRJMP.TK.RET", 0, {0}},
    {20, "TOPDOWN.SLOTS", 0, {0}},
    {21, "TOPDOWN.RETIRING.SLOTS", 0, {0}},
    {22, "TOPDOWN.FRONTEND_BOUND.SLOTS", 0, {0}},
    {23, "TOPDOWN.BACKEND_BOUND.SLOTS", 0, {0}},
    {24, "TOPDOWN.BAD_SPECULATION.SLOTS", 0, {0}},
};

const cs_riscv_event *cs_riscv_event_at(size_t nr)
{
    return nr < NR_OF(events) ? &events[nr] : NULL;
}

const cs_riscv_event *cs_riscv_event_named(const char *name)
{
    for (size_t i = 0; i < NR_OF(events); i++)
        if (strcmp(events[i].name, name) == 0)
            return &events[i];
    return NULL;
}

const cs_riscv_event *cs_riscv_event_encoded(uint16_t encoding)
{
    for (size_t i = 0; i < NR_OF(events); i++)
        if (events[i].encoding == encoding)
            return &events[i];
    return NULL;
}

static uint32_t default_counters(uint16_t encoding)
{
    switch (encoding) {
    case 1:
        return CS_RISCV_PMU_HPMCOUNTERS | 1u << 0; /* mcycle */
    case 2:
        return CS_RISCV_PMU_HPMCOUNTERS | 1u << 2; /* minstret */
    default:
        return CS_RISCV_PMU_HPMCOUNTERS;
    }
}

void cs_riscv_pmu_map_default(cs_riscv_pmu_map *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < NR_OF(events); i++)
        for (unsigned k = 0; k < events[i].nr_sbi; k++) {
            const uint32_t idx = events[i].sbi[k];

            out->selects[out->nr_selects++] = (cs_riscv_pmu_select){idx, events[i].encoding};
            out->ranges[out->nr_ranges++] =
                (cs_riscv_pmu_range){idx, idx, default_counters(events[i].encoding)};
        }
    out->raws[out->nr_raws++] = (cs_riscv_pmu_raw){0, ~UINT64_C(0xffff), CS_RISCV_PMU_HPMCOUNTERS};
}

uint64_t cs_riscv_pmu_map_select(const cs_riscv_pmu_map *map, uint32_t event_idx)
{
    for (size_t i = 0; i < map->nr_selects; i++)
        if (map->selects[i].event_idx == event_idx)
            return map->selects[i].value;
    return 0;
}

uint32_t cs_riscv_pmu_map_counters(const cs_riscv_pmu_map *map, uint32_t event_idx)
{
    for (size_t i = 0; i < map->nr_ranges; i++)
        if (map->ranges[i].first <= event_idx && event_idx <= map->ranges[i].last)
            return map->ranges[i].counters;
    return 0;
}

uint32_t cs_riscv_pmu_map_raw_counters(const cs_riscv_pmu_map *map, uint64_t data)
{
    uint32_t counters = 0;

    for (size_t i = 0; i < map->nr_raws; i++)
        if ((data & map->raws[i].mask) == map->raws[i].match)
            counters |= map->raws[i].counters;
    return counters;
}
