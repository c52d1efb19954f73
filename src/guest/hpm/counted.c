// SPDX-License-Identifier: Apache-2.0
/* What a guest's counters can count, and how its device tree says so. */
#include <libfdt.h>
#include <stddef.h>

#include "guest/hpm/kinds.h"
#include "guest/hpm/parts.h"

#define KIND(kind) (1u << CS_RISCV_##kind)
#define ALL ((1u << CS_RISCV_KINDS) - 1)

/* docs/hw/hpm.md, section 10; what comes after 31 is this machine's own (docs/uses/linux_riscv.md). */
const cs_riscv_counted cs_riscv_counted_events[] = {
    {1, 0x1, ALL, true},
    {2, 0x2, ALL, false},
    {5, 0x5, KIND(BRANCH) | KIND(JUMP), false},
    {32, 0, KIND(LOAD), false},
    {33, 0, KIND(STORE), false},
    {34, 0, KIND(BRANCH), false},
    {35, 0, KIND(JUMP), false},
    {36, 0, KIND(ATOMIC), false},
    {37, 0, KIND(FLOAT), false},
    {38, 0, KIND(CSR), false},
    {39, 0, KIND(FENCE), false},
    {0, 0, 0, false},
};

static int append(void *tree, int node, const char *name, const uint32_t words[], unsigned nr)
{
    int error = 0;

    for (unsigned i = 0; i < nr && error == 0; i++)
        error = fdt_appendprop_u32(tree, node, name, words[i]);
    return error;
}

/* All counters but mcycle and minstret can count all of them. */
int cs_riscv_add_counters(void *tree, const cs_harts_spec *harts)
{
    static const char *const lists[] = {"riscv,event-to-mhpmcounters", "riscv,event-to-mhpmevent",
                                        "riscv,raw-event-to-mhpmcounters"};
    const uint32_t counters = (uint32_t)(((UINT64_C(1) << harts->counters) - 1) << 3);
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

        if (of->sbi == 0)
            error = append(tree, node, lists[2], raw, 5);
        else
            error = append(tree, node, lists[0], by_idx, 3);
        if (of->sbi != 0 && error == 0)
            error = append(tree, node, lists[1], chosen, 3);
    }
    return error;
}
