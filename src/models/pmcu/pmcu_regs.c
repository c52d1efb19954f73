// SPDX-License-Identifier: Apache-2.0
/* The registers: spec, "Registers", as a table; and the trigger. */
#include <stddef.h>
#include <string.h>

#include "models/pmcu/pmcu_internal.h"
#include <countersink/regs/pmcu_regs.h>

#define ALL_BITS UINT32_MAX
#define INT_BITS (CS_PMCU_INT_EN_DONE_MASK | CS_PMCU_INT_EN_BRK_MASK)
#define CFG_BITS                                                                                   \
    (CS_PMCU_FSM_CFG_EV_LEN_MASK | CS_PMCU_FSM_CFG_NR_LOOP_MASK | CS_PMCU_FSM_CFG_NR_PMU_MASK)
#define PMCR_BITS                                                                                  \
    (CS_PMCU_PMCR_E_MASK | CS_PMCU_PMCR_DP_MASK | CS_PMCU_PMCR_LC_MASK | CS_PMCU_PMCR_LP_MASK)

/* The cycle counter in the enables of a core PMU. */
#define ENABLE_CYCLES (1u << 31)

/* The registers that keep what is written. */
typedef struct register_row {
    uint32_t offset;
    uint32_t kept;
    uint32_t reset;
    size_t place;
} register_row;

#define ROW(name, kept, field)                                                                     \
    {                                                                                              \
        CS_PMCU_##name, kept, CS_PMCU_##name##_RESET, offsetof(cs_pmcu_registers, field)           \
    }
/* clang-format off */
static const register_row rows[] = {
    ROW(FSM_CFG,      CFG_BITS,             fsm_cfg),
    ROW(EVENT_BASE_H, ALL_BITS,             event_base_h),
    ROW(EVENT_BASE_L, ALL_BITS,             event_base_l),
    ROW(KILL_BASE_H,  ALL_BITS,             kill_base_h),
    ROW(KILL_BASE_L,  ALL_BITS,             kill_base_l),
    ROW(STORE_BASE_H, ALL_BITS,             store_base_h),
    ROW(STORE_BASE_L, ALL_BITS,             store_base_l),
    ROW(WAIT_CNT,     ALL_BITS,             wait_cnt),
    ROW(COMP,         CS_PMCU_COMP_EN_MASK, comp),
    ROW(INT_EN,       INT_BITS,             int_en),
    ROW(INT_MSK,      INT_BITS,             int_msk),
    ROW(PMCR,         PMCR_BITS,            pmcr),
    ROW(PMCCFILTR,    CS_PMCU_PMCCFILTR_FILTER_MASK, pmccfiltr),
};
/* clang-format on */
#undef ROW
#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static const register_row *find(uint32_t offset)
{
    for (size_t i = 0; i < NR_ROWS; i++)
        if (rows[i].offset == offset)
            return &rows[i];
    return NULL;
}

static uint32_t *place_of(cs_pmcu_registers *regs, const register_row *row)
{
    return (uint32_t *)(void *)((unsigned char *)regs + row->place);
}

void cs_pmcu_regs_reset(cs_pmcu *pmcu)
{
    pmcu->regs = (cs_pmcu_registers){0};
    for (size_t i = 0; i < NR_ROWS; i++)
        *place_of(&pmcu->regs, &rows[i]) = rows[i].reset;
}

static uint32_t status(const cs_pmcu *pmcu)
{
    uint32_t value = (uint32_t)pmcu->state << CS_PMCU_FSM_STATUS_STATE_SHIFT;

    if (pmcu->state != CS_PMCU_IDLE)
        value |= CS_PMCU_FSM_STATUS_BUSY_MASK;
    return value | pmcu->regs.errors;
}

uint32_t cs_pmcu_regs_read(const cs_pmcu *pmcu, uint32_t offset)
{
    cs_pmcu_registers regs = pmcu->regs;
    const register_row *row;

    switch (offset) {
    case CS_PMCU_FSM_STATUS:
        return status(pmcu);
    case CS_PMCU_INT_STAT:
        return regs.int_stat;
    default:
        row = find(offset);
        return row != NULL ? *place_of(&regs, row) : 0;
    }
}

static uint32_t field(uint32_t value, uint32_t mask, unsigned shift)
{
    return (value & mask) >> shift;
}

static uint64_t address(uint32_t high, uint32_t low, unsigned zero_bits)
{
    return ((uint64_t)high << 32 | low) >> zero_bits << zero_bits;
}

/* The copies that the run works on, and what follows from them. */
static void take_copies(cs_pmcu_run *run, const cs_pmcu *pmcu)
{
    const cs_pmcu_registers *regs = &pmcu->regs;
    const uint64_t wait = (uint64_t)regs->wait_cnt * pmcu->config.tick_cycles;

    *run = (cs_pmcu_run){0};
    run->ev_len = field(regs->fsm_cfg, CS_PMCU_FSM_CFG_EV_LEN_MASK, CS_PMCU_FSM_CFG_EV_LEN_SHIFT);
    run->nr_loop =
        field(regs->fsm_cfg, CS_PMCU_FSM_CFG_NR_LOOP_MASK, CS_PMCU_FSM_CFG_NR_LOOP_SHIFT);
    run->nr_pmu = field(regs->fsm_cfg, CS_PMCU_FSM_CFG_NR_PMU_MASK, CS_PMCU_FSM_CFG_NR_PMU_SHIFT);
    run->comp = regs->comp != 0;
    run->first_counter = run->comp ? 3 : 0;
    run->enable_mask = ((1u << run->nr_pmu) - 1) << run->first_counter;
    if (!run->comp)
        run->enable_mask |= ENABLE_CYCLES;
    run->pmcr = regs->pmcr;
    run->pmccfiltr = regs->pmccfiltr;
    run->event_base = address(regs->event_base_h, regs->event_base_l, 2);
    run->kill_base = address(regs->kill_base_h, regs->kill_base_l, 3);
    run->store_pointer = address(regs->store_base_h, regs->store_base_l, 3);
    run->wait_cycles = wait > 1 ? wait : 1;
    run->sample_words = (run->nr_pmu + (run->comp ? 1 : 2)) * cs_pmcu_nr_cpu(pmcu);
}

static bool is_legal(const cs_pmcu_run *run)
{
    const unsigned most = run->comp ? CS_PMCU_MAX_NR_PMU_COMP : CS_PMCU_MAX_NR_PMU;

    return run->ev_len != 0 && run->nr_loop != 0 && run->nr_pmu != 0 && run->nr_pmu <= most;
}

/* Spec, "Trigger". */
static void trigger(cs_pmcu *pmcu, cs_pmcu_state state)
{
    if (state != CS_PMCU_IDLE) {
        pmcu->regs.errors |= CS_PMCU_FSM_STATUS_TRIG_LOST_MASK;
        return;
    }
    pmcu->regs.errors = 0;
    take_copies(&pmcu->run, pmcu);
    if (!is_legal(&pmcu->run)) {
        pmcu->regs.errors = CS_PMCU_FSM_STATUS_CFG_ERR_MASK;
        pmcu->int_set |= CS_PMCU_INT_STAT_DONE_MASK;
        return;
    }
    memset(pmcu->failed, 0, sizeof pmcu->failed);
    pmcu->run.nr_groups = (pmcu->run.ev_len + pmcu->run.nr_pmu - 1) / pmcu->run.nr_pmu;
    cs_pmcu_fsm_enter(pmcu, CS_PMCU_INIT);
}

void cs_pmcu_regs_write(cs_pmcu *pmcu, cs_pmcu_state state, uint32_t offset, uint32_t data)
{
    const register_row *row;

    switch (offset) {
    case CS_PMCU_FSM_CTRL:
        if (data & CS_PMCU_FSM_CTRL_TRIGGER_MASK)
            trigger(pmcu, state);
        break;
    case CS_PMCU_FSM_BRK:
        if (data & CS_PMCU_FSM_BRK_BRK_MASK)
            pmcu->brk = true;
        break;
    case CS_PMCU_INT_CLR:
        pmcu->int_clear = data;
        break;
    default:
        row = find(offset);
        if (row != NULL)
            *place_of(&pmcu->regs, row) = data & row->kept;
        break;
    }
}

bool cs_pmcu_regs_irq(const cs_pmcu_registers *regs)
{
    return (regs->int_stat & regs->int_en & ~regs->int_msk) != 0;
}
