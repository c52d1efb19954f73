// SPDX-License-Identifier: Apache-2.0
/* What a guest's counters can count, and how its device tree says so. */
#include <libfdt.h>
#include <stddef.h>

#include "guest/hpm/caches.h"
#include "guest/hpm/kinds.h"
#include "guest/hpm/parts.h"
#include "scenario/hpm/harts_spec.h"

#define CACHE(which) (1u << CS_GUEST_##which)
#define KIND(kind) (1u << CS_RISCV_##kind)
#define OUTCOME(of) CS_RISCV_OUTCOME(of)
#define ALL ((1u << CS_RISCV_KINDS) - 1)
#define LOADS (KIND(LOAD) | KIND(ATOMIC))
#define STORES (KIND(STORE) | KIND(ATOMIC))

/* docs/hw/hpm.md, section 10; what comes after 31 is this machine's own (docs/uses/linux_riscv.md). */
const cs_riscv_counted cs_riscv_counted_events[] = {
    {1, 0x1, .kinds = ALL, .cycles = true},
    {2, 0x2, .kinds = ALL},
    {5, 0x5, .kinds = KIND(BRANCH) | KIND(JUMP)},
    {32, 0, .kinds = KIND(LOAD)},
    {33, 0, .kinds = KIND(STORE)},
    {34, 0, .kinds = KIND(BRANCH)},
    {35, 0, .kinds = KIND(JUMP)},
    {36, 0, .kinds = KIND(ATOMIC)},
    {37, 0, .kinds = KIND(FLOAT)},
    {38, 0, .kinds = KIND(CSR)},
    {39, 0, .kinds = KIND(FENCE)},
    {19, 0, .kinds = KIND(JUMP), .outcomes = OUTCOME(TAKEN)},
    {42, 0, .outcomes = OUTCOME(TAKEN)},
    {43, 0, .outcomes = OUTCOME(NOT_TAKEN)},
    {44, 0, .outcomes = OUTCOME(EXCEPTION)},
    {45, 0, .outcomes = OUTCOME(INTERRUPT)},
    {46, 0, .outcomes = OUTCOME(EXCEPTION) | OUTCOME(INTERRUPT)},
    {3, 0x3, .kinds = LOADS, .needs = CACHE(L1D)},
    {3, 0x10000, .kinds = LOADS, .needs = CACHE(L1D)},
    {40, 0x10002, .kinds = STORES, .needs = CACHE(L1D)},
    {11, 0x10008, .kinds = ALL, .needs = CACHE(L1I)},
    {15, 0x10018, .kinds = LOADS | STORES, .needs = CACHE(DTLB)},
    {17, 0x10020, .kinds = ALL, .needs = CACHE(ITLB)},
    {4, 0x4, .outcomes = CACHES_MISS(L1D_LOAD), .needs = CACHE(L1D)},
    {4, 0x10001, .outcomes = CACHES_MISS(L1D_LOAD), .needs = CACHE(L1D)},
    {41, 0x10003, .outcomes = CACHES_MISS(L1D_STORE), .needs = CACHE(L1D)},
    {12, 0x10009, .outcomes = CACHES_MISS(L1I), .needs = CACHE(L1I)},
    {16, 0x10019, .outcomes = CACHES_MISS(DTLB), .needs = CACHE(DTLB)},
    {18, 0x10021, .outcomes = CACHES_MISS(ITLB), .needs = CACHE(ITLB)},
    {0},
};

const char *const cs_riscv_outcomes[] = {
    [CS_RISCV_L1D_LOAD_MISS] = "l1d load misses", [CS_RISCV_L1D_STORE_MISS] = "l1d store misses",
    [CS_RISCV_L1I_MISS] = "l1i misses",           [CS_RISCV_DTLB_MISS] = "dtlb misses",
    [CS_RISCV_ITLB_MISS] = "itlb misses",         [CS_RISCV_TAKEN] = "taken branches",
    [CS_RISCV_NOT_TAKEN] = "branches not taken",  [CS_RISCV_EXCEPTION] = "exceptions",
    [CS_RISCV_INTERRUPT] = "interrupts",
};

bool cs_riscv_counts(const cs_guest_spec *guest, const cs_riscv_counted *event)
{
    for (unsigned i = 0; i < CS_GUEST_CACHES; i++)
        if ((event->needs >> i & 1) != 0 && guest->caches[i].sets == 0)
            return false;
    return true;
}

static int append(void *tree, int node, const char *name, const uint32_t words[], unsigned nr)
{
    int error = 0;

    for (unsigned i = 0; i < nr && error == 0; i++)
        error = fdt_appendprop_u32(tree, node, name, words[i]);
    return error;
}

/* All counters but mcycle and minstret can count all of them. */
int cs_riscv_add_counters(void *tree, const cs_scenario *scenario)
{
    static const char *const lists[] = {"riscv,event-to-mhpmcounters", "riscv,event-to-mhpmevent",
                                        "riscv,raw-event-to-mhpmcounters"};
    const uint32_t counters = (uint32_t)(((UINT64_C(1) << scenario->harts->counters) - 1) << 3);
    const int node = fdt_node_offset_by_compatible(tree, -1, "riscv,pmu");
    int error = node < 0 ? node : 0;

    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && error == 0; i++) {
        error = fdt_delprop(tree, node, lists[i]);
        error = error == -FDT_ERR_NOTFOUND ? 0 : error;
    }
    for (const cs_riscv_counted *of = cs_riscv_counted_events; of->number != 0 && error == 0;
         of++) {
        const uint32_t by_idx[] = {of->sbi, of->sbi, counters};
        const uint32_t chosen[] = {of->sbi, 0, of->number};
        const uint32_t raw[] = {0, of->number, UINT32_MAX, UINT32_MAX, counters};

        if (!cs_riscv_counts(scenario->guest, of))
            continue;
        if (of->sbi == 0)
            error = append(tree, node, lists[2], raw, 5);
        else
            error = append(tree, node, lists[0], by_idx, 3);
        if (of->sbi != 0 && error == 0)
            error = append(tree, node, lists[1], chosen, 3);
    }
    return error;
}
