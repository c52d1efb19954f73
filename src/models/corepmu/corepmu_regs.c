// SPDX-License-Identifier: Apache-2.0
/* The register map of the core PMU: docs/hw/corepmu.md, "Access", as a table. */
#include <assert.h>
#include <stddef.h>

#include "models/corepmu/corepmu_internal.h"
#include <countersink/regs/corepmu_regs.h>

/* The cycle counter and its filter stand where those of a counter 31 would. */
#define IS_31ST(map, first, which)                                                                 \
    (CS_COREPMU_##map##_##which ==                                                                 \
     CS_COREPMU_##map##_##first + CS_COREPMU_CYCLE_COUNTER * CS_COREPMU_##map##_##first##_STRIDE)
static_assert(IS_31ST(EXT32, PMEVCNTR, PMCCNTR), "index 31");
static_assert(IS_31ST(EXT64, PMEVCNTR, PMCCNTR), "index 31");
static_assert(IS_31ST(EXT32, PMEVTYPER, PMCCFILTR), "index 31");
static_assert(IS_31ST(EXT64, PMEVTYPER, PMCCFILTR), "index 31");
#undef IS_31ST

/* Fields are the same in both maps. */
#define FILTER_BITS                                                                                \
    (CS_COREPMU_EXT32_PMCCFILTR_M_MASK | CS_COREPMU_EXT32_PMCCFILTR_NSH_MASK |                     \
     CS_COREPMU_EXT32_PMCCFILTR_NSU_MASK | CS_COREPMU_EXT32_PMCCFILTR_NSK_MASK |                   \
     CS_COREPMU_EXT32_PMCCFILTR_U_MASK | CS_COREPMU_EXT32_PMCCFILTR_P_MASK)
#define CONTROL_BITS                                                                               \
    (CS_COREPMU_EXT32_PMCR_E_MASK | CS_COREPMU_EXT32_PMCR_DP_MASK |                                \
     CS_COREPMU_EXT32_PMCR_LC_MASK | CS_COREPMU_EXT32_PMCR_LP_MASK)

/* For who is at the registers. */
static bool exists(const cs_corepmu *pmu, unsigned n)
{
    return pmu->view.visible >> n & 1;
}

/* Halves of counters: index 2n is the low word of counter n, 2n + 1 the high word. */

static uint32_t read_half(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    unsigned n = index / 2;

    if (!exists(pmu, n))
        return 0;
    cs_corepmu_settle(pmu, 1u << n, cycle);
    return (uint32_t)(pmu->counter[n].value >> (32 * (index & 1)));
}

static void write_half(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle)
{
    unsigned n = index / 2;
    unsigned shift = 32 * (index & 1);

    if (!exists(pmu, n))
        return;
    cs_corepmu_settle(pmu, 1u << n, cycle);
    uint64_t kept = pmu->counter[n].value & ~((uint64_t)UINT32_MAX << shift);
    cs_corepmu_set_counter(pmu, n, kept | (uint64_t)data << shift, cycle + 1);
}

/* PMEVTYPER<n>, and PMCCFILTR with n = 31. */

static uint32_t read_type(cs_corepmu *pmu, unsigned n, cs_cycle cycle)
{
    (void)cycle;
    return exists(pmu, n) ? pmu->counter[n].type : 0;
}

static void write_type(cs_corepmu *pmu, unsigned n, uint32_t data, cs_cycle cycle)
{
    uint32_t kept = FILTER_BITS;

    if (!exists(pmu, n))
        return;
    if (n != CS_COREPMU_CYCLE_COUNTER)
        kept |= CS_COREPMU_EXT32_PMEVTYPER_EVT_MASK;
    cs_corepmu_settle(pmu, 1u << n, cycle + 1);
    cs_corepmu_set_type(pmu, n, data & kept);
    cs_corepmu_recount(pmu, cycle + 1);
}

/* Enables and flags: one bit a counter. */

static uint32_t read_enables(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    return pmu->enabled & pmu->view.visible;
}

static void write_enable_set(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle)
{
    (void)index;
    pmu->enabled |= data & pmu->view.visible;
    cs_corepmu_recount(pmu, cycle + 1);
}

static void write_enable_clear(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle)
{
    (void)index;
    data &= pmu->view.visible;
    cs_corepmu_settle(pmu, data, cycle + 1);
    pmu->enabled &= ~data;
    cs_corepmu_recount(pmu, cycle + 1);
}

static uint32_t read_overflow(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    (void)index;
    cs_corepmu_settle(pmu, pmu->counting, cycle);
    return pmu->overflow & pmu->view.visible;
}

/* Set wins: the increment of `cycle` itself is left for the next settling. */
static void write_overflow_clear(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle)
{
    (void)index;
    data &= pmu->view.visible;
    cs_corepmu_settle(pmu, data, cycle);
    pmu->overflow &= ~data;
}

static void write_overflow_set(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    pmu->overflow |= data & pmu->view.visible;
}

static uint32_t read_interrupts(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    return pmu->int_enabled & pmu->view.visible;
}

static void write_interrupt_set(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    pmu->int_enabled |= data & pmu->view.visible;
}

static void write_interrupt_clear(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    pmu->int_enabled &= ~(data & pmu->view.visible);
}

/* Control. */

static uint32_t read_config(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    return pmu->config.counters << CS_COREPMU_EXT32_PMCFGR_N_SHIFT | CS_COREPMU_EXT32_PMCFGR_RESET;
}

static uint32_t read_control(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    uint32_t number = 0;

    (void)index;
    (void)cycle;
    if (pmu->view.system)
        number = (uint32_t)__builtin_popcount(pmu->view.visible & pmu->event_mask);
    return pmu->pmcr | number << CS_COREPMU_EXT64_PMCR_N_SHIFT;
}

static void write_control(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle)
{
    uint32_t zeroed = 0;

    (void)index;
    if (data & CS_COREPMU_EXT32_PMCR_P_MASK)
        zeroed |= pmu->event_mask & pmu->view.visible;
    if (data & CS_COREPMU_EXT32_PMCR_C_MASK)
        zeroed |= CS_COREPMU_CYCLE_BIT;

    /* 1. What was counted, under the old setting; a zeroed counter loses this cycle's. */
    cs_corepmu_settle(pmu, zeroed, cycle);
    cs_corepmu_settle(pmu, ~zeroed, cycle + 1);
    /* 2. P and C. */
    for (uint32_t rest = zeroed; rest != 0; rest &= rest - 1)
        cs_corepmu_set_counter(pmu, (unsigned)__builtin_ctz(rest), 0, cycle + 1);
    /* 3. The new setting. */
    pmu->pmcr = data & CONTROL_BITS;
    cs_corepmu_set_type(pmu, CS_COREPMU_CYCLE_COUNTER, pmu->counter[CS_COREPMU_CYCLE_COUNTER].type);
    cs_corepmu_recount(pmu, cycle + 1);
}

/* The capture. */

static uint32_t read_pc_low(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    cs_context context;

    (void)index;
    pmu->events.context(pmu->events.ctx, cycle, &context);
    uint64_t sample = context.pc & CS_COREPMU_EXT32_PMPCSR_PC_MASK;
    sample |= (uint64_t)context.mode << CS_COREPMU_EXT32_PMPCSR_EL_SHIFT;
    if (context.mode != CS_MODE_EL3)
        sample |= CS_COREPMU_EXT32_PMPCSR_NS_MASK;
    pmu->pc_high = (uint32_t)(sample >> 32);
    pmu->cid1 = context.cid1;
    pmu->cid2 = context.cid2;
    return (uint32_t)sample;
}

static uint32_t read_pc_high(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    return pmu->pc_high;
}

static uint32_t read_cid1(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    return pmu->cid1;
}

static uint32_t read_cid2(cs_corepmu *pmu, unsigned index, cs_cycle cycle)
{
    (void)index;
    (void)cycle;
    return pmu->cid2;
}

/* A row is `count` words, `step` bytes apart; offset and step by map (ext32, ext64). */
typedef struct register_row {
    bool frame_only; /* it is no system register */
    uint16_t offset[2];
    uint16_t step[2];
    uint16_t count;
    uint32_t (*read)(cs_corepmu *pmu, unsigned index, cs_cycle cycle);
    void (*write)(cs_corepmu *pmu, unsigned index, uint32_t data, cs_cycle cycle);
} register_row;

#define MAPS(name)                                                                                 \
    {                                                                                              \
        CS_COREPMU_EXT32_##name, CS_COREPMU_EXT64_##name                                           \
    }
#define HIGH(name)                                                                                 \
    {                                                                                              \
        CS_COREPMU_EXT32_##name + 4, CS_COREPMU_EXT64_##name + 4                                   \
    }
#define ONE {4, 4}, 1
/* clang-format off */
static const register_row rows[] = {
    {false, MAPS(PMEVCNTR),       {4, 4}, 64, read_half, write_half},
    {false, MAPS(PMEVTYPER),      MAPS(PMEVTYPER_STRIDE), 32, read_type, write_type},
    {true,  MAPS(PMPCSR),         ONE, read_pc_low, NULL},
    {true,  HIGH(PMPCSR),         ONE, read_pc_high, NULL},
    {true,  MAPS(PMPCSR_ALIAS),   ONE, read_pc_low, NULL},
    {true,  HIGH(PMPCSR_ALIAS),   ONE, read_pc_high, NULL},
    {true,  MAPS(PMCID1SR),       ONE, read_cid1, NULL},
    {true,  MAPS(PMCID1SR_ALIAS), ONE, read_cid1, NULL},
    {true,  MAPS(PMCID2SR),       ONE, read_cid2, NULL},
    {false, MAPS(PMCNTENSET),     ONE, read_enables, write_enable_set},
    {false, MAPS(PMCNTENCLR),     ONE, read_enables, write_enable_clear},
    {false, MAPS(PMINTENSET),     ONE, read_interrupts, write_interrupt_set},
    {false, MAPS(PMINTENCLR),     ONE, read_interrupts, write_interrupt_clear},
    {false, MAPS(PMOVSCLR),       ONE, read_overflow, write_overflow_clear},
    {false, MAPS(PMOVSSET),       ONE, read_overflow, write_overflow_set},
    {true,  MAPS(PMCFGR),         ONE, read_config, NULL},
    {false, MAPS(PMCR),           ONE, read_control, write_control},
};
/* clang-format on */
#undef MAPS
#undef HIGH
#undef ONE

static const register_row *find(const cs_corepmu *pmu, uint32_t offset, unsigned *index)
{
    const unsigned map = pmu->view.ext64;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const register_row *row = &rows[i];
        uint32_t distance = offset - row->offset[map];

        if (distance < (uint32_t)row->step[map] * row->count) {
            *index = distance / row->step[map];
            if (distance % row->step[map] != 0 || (pmu->view.system && row->frame_only))
                return NULL;
            return row;
        }
    }
    return NULL;
}

uint32_t cs_corepmu_read_word(cs_corepmu *pmu, cs_cycle cycle, uint32_t offset)
{
    unsigned index;
    const register_row *row = find(pmu, offset, &index);

    return row != NULL ? row->read(pmu, index, cycle) : 0;
}

void cs_corepmu_write_word(cs_corepmu *pmu, cs_cycle cycle, uint32_t offset, uint32_t data)
{
    unsigned index;
    const register_row *row = find(pmu, offset, &index);

    if (row != NULL && row->write != NULL)
        row->write(pmu, index, data, cycle);
}
