// SPDX-License-Identifier: Apache-2.0
/* Generated from src/regs/pmcu.rdl by tools/regs/generate.py: do not edit.
 *
 * REG is a byte offset (of element 0 of an array, which has _COUNT and _STRIDE too),
 * REG_RESET the value after reset; of a field _SHIFT, _WIDTH and _MASK, the mask in
 * its place in the register. */
#ifndef CS_PMCU_REGS_H
#define CS_PMCU_REGS_H

#define CS_PMCU_FSM_STATUS 0x000u /* state of the engine */
#define CS_PMCU_FSM_STATUS_RESET 0x0u
#define CS_PMCU_FSM_STATUS_STATE_SHIFT 0u
#define CS_PMCU_FSM_STATUS_STATE_WIDTH 4u
#define CS_PMCU_FSM_STATUS_STATE_MASK 0xFu
#define CS_PMCU_FSM_STATUS_STATE_IDLE 0u
#define CS_PMCU_FSM_STATUS_STATE_INIT 1u
#define CS_PMCU_FSM_STATUS_STATE_FETCH 2u
#define CS_PMCU_FSM_STATUS_STATE_PROGRAM 3u
#define CS_PMCU_FSM_STATUS_STATE_START 4u
#define CS_PMCU_FSM_STATUS_STATE_WAIT 5u
#define CS_PMCU_FSM_STATUS_STATE_STOP 6u
#define CS_PMCU_FSM_STATUS_STATE_READ 7u
#define CS_PMCU_FSM_STATUS_STATE_STORE 8u
#define CS_PMCU_FSM_STATUS_STATE_SWITCH 9u
#define CS_PMCU_FSM_STATUS_STATE_BREAK 10u
#define CS_PMCU_FSM_STATUS_BUSY_SHIFT 4u
#define CS_PMCU_FSM_STATUS_BUSY_WIDTH 1u
#define CS_PMCU_FSM_STATUS_BUSY_MASK 0x10u
#define CS_PMCU_FSM_STATUS_CFG_ERR_SHIFT 8u
#define CS_PMCU_FSM_STATUS_CFG_ERR_WIDTH 1u
#define CS_PMCU_FSM_STATUS_CFG_ERR_MASK 0x100u
#define CS_PMCU_FSM_STATUS_FETCH_ERR_SHIFT 9u
#define CS_PMCU_FSM_STATUS_FETCH_ERR_WIDTH 1u
#define CS_PMCU_FSM_STATUS_FETCH_ERR_MASK 0x200u
#define CS_PMCU_FSM_STATUS_CORE_ERR_SHIFT 10u
#define CS_PMCU_FSM_STATUS_CORE_ERR_WIDTH 1u
#define CS_PMCU_FSM_STATUS_CORE_ERR_MASK 0x400u
#define CS_PMCU_FSM_STATUS_STORE_ERR_SHIFT 11u
#define CS_PMCU_FSM_STATUS_STORE_ERR_WIDTH 1u
#define CS_PMCU_FSM_STATUS_STORE_ERR_MASK 0x800u
#define CS_PMCU_FSM_STATUS_KILL_SHIFT 12u
#define CS_PMCU_FSM_STATUS_KILL_WIDTH 1u
#define CS_PMCU_FSM_STATUS_KILL_MASK 0x1000u
#define CS_PMCU_FSM_STATUS_TRIG_LOST_SHIFT 13u
#define CS_PMCU_FSM_STATUS_TRIG_LOST_WIDTH 1u
#define CS_PMCU_FSM_STATUS_TRIG_LOST_MASK 0x2000u

#define CS_PMCU_FSM_CFG 0x004u /* size of a run */
#define CS_PMCU_FSM_CFG_RESET 0x0u
#define CS_PMCU_FSM_CFG_EV_LEN_SHIFT 0u
#define CS_PMCU_FSM_CFG_EV_LEN_WIDTH 8u
#define CS_PMCU_FSM_CFG_EV_LEN_MASK 0xFFu
#define CS_PMCU_FSM_CFG_NR_LOOP_SHIFT 8u
#define CS_PMCU_FSM_CFG_NR_LOOP_WIDTH 8u
#define CS_PMCU_FSM_CFG_NR_LOOP_MASK 0xFF00u
#define CS_PMCU_FSM_CFG_NR_PMU_SHIFT 16u
#define CS_PMCU_FSM_CFG_NR_PMU_WIDTH 4u
#define CS_PMCU_FSM_CFG_NR_PMU_MASK 0xF0000u

#define CS_PMCU_EVENT_BASE_H 0x008u /* event array, high half */
#define CS_PMCU_EVENT_BASE_H_RESET 0x0u
#define CS_PMCU_EVENT_BASE_H_ADDR_SHIFT 0u
#define CS_PMCU_EVENT_BASE_H_ADDR_WIDTH 32u
#define CS_PMCU_EVENT_BASE_H_ADDR_MASK 0xFFFFFFFFu

#define CS_PMCU_EVENT_BASE_L 0x00Cu /* event array, low half */
#define CS_PMCU_EVENT_BASE_L_RESET 0x0u
#define CS_PMCU_EVENT_BASE_L_ADDR_SHIFT 0u
#define CS_PMCU_EVENT_BASE_L_ADDR_WIDTH 32u
#define CS_PMCU_EVENT_BASE_L_ADDR_MASK 0xFFFFFFFFu

#define CS_PMCU_KILL_BASE_H 0x010u /* end of the output buffer, high half */
#define CS_PMCU_KILL_BASE_H_RESET 0x0u
#define CS_PMCU_KILL_BASE_H_ADDR_SHIFT 0u
#define CS_PMCU_KILL_BASE_H_ADDR_WIDTH 32u
#define CS_PMCU_KILL_BASE_H_ADDR_MASK 0xFFFFFFFFu

#define CS_PMCU_KILL_BASE_L 0x014u /* end of the output buffer, low half */
#define CS_PMCU_KILL_BASE_L_RESET 0x0u
#define CS_PMCU_KILL_BASE_L_ADDR_SHIFT 0u
#define CS_PMCU_KILL_BASE_L_ADDR_WIDTH 32u
#define CS_PMCU_KILL_BASE_L_ADDR_MASK 0xFFFFFFFFu

#define CS_PMCU_STORE_BASE_H 0x018u /* start of the output, high half */
#define CS_PMCU_STORE_BASE_H_RESET 0x0u
#define CS_PMCU_STORE_BASE_H_ADDR_SHIFT 0u
#define CS_PMCU_STORE_BASE_H_ADDR_WIDTH 32u
#define CS_PMCU_STORE_BASE_H_ADDR_MASK 0xFFFFFFFFu

#define CS_PMCU_STORE_BASE_L 0x01Cu /* start of the output, low half */
#define CS_PMCU_STORE_BASE_L_RESET 0x0u
#define CS_PMCU_STORE_BASE_L_ADDR_SHIFT 0u
#define CS_PMCU_STORE_BASE_L_ADDR_WIDTH 32u
#define CS_PMCU_STORE_BASE_L_ADDR_MASK 0xFFFFFFFFu

#define CS_PMCU_WAIT_CNT 0x020u /* counting time */
#define CS_PMCU_WAIT_CNT_RESET 0x249F0u
#define CS_PMCU_WAIT_CNT_TICKS_SHIFT 0u
#define CS_PMCU_WAIT_CNT_TICKS_WIDTH 32u
#define CS_PMCU_WAIT_CNT_TICKS_MASK 0xFFFFFFFFu

#define CS_PMCU_FSM_CTRL 0x038u /* start */
#define CS_PMCU_FSM_CTRL_RESET 0x0u
#define CS_PMCU_FSM_CTRL_TRIGGER_SHIFT 0u
#define CS_PMCU_FSM_CTRL_TRIGGER_WIDTH 1u
#define CS_PMCU_FSM_CTRL_TRIGGER_MASK 0x1u

#define CS_PMCU_FSM_BRK 0x03Cu /* abort */
#define CS_PMCU_FSM_BRK_RESET 0x0u
#define CS_PMCU_FSM_BRK_BRK_SHIFT 0u
#define CS_PMCU_FSM_BRK_BRK_WIDTH 1u
#define CS_PMCU_FSM_BRK_BRK_MASK 0x1u

#define CS_PMCU_COMP 0x044u /* compatibility mode */
#define CS_PMCU_COMP_RESET 0x0u
#define CS_PMCU_COMP_EN_SHIFT 0u
#define CS_PMCU_COMP_EN_WIDTH 1u
#define CS_PMCU_COMP_EN_MASK 0x1u

#define CS_PMCU_INT_EN 0x100u /* interrupt enable */
#define CS_PMCU_INT_EN_RESET 0x0u
#define CS_PMCU_INT_EN_DONE_SHIFT 0u
#define CS_PMCU_INT_EN_DONE_WIDTH 1u
#define CS_PMCU_INT_EN_DONE_MASK 0x1u
#define CS_PMCU_INT_EN_BRK_SHIFT 1u
#define CS_PMCU_INT_EN_BRK_WIDTH 1u
#define CS_PMCU_INT_EN_BRK_MASK 0x2u

#define CS_PMCU_INT_MSK 0x104u /* interrupt mask */
#define CS_PMCU_INT_MSK_RESET 0x0u
#define CS_PMCU_INT_MSK_DONE_SHIFT 0u
#define CS_PMCU_INT_MSK_DONE_WIDTH 1u
#define CS_PMCU_INT_MSK_DONE_MASK 0x1u
#define CS_PMCU_INT_MSK_BRK_SHIFT 1u
#define CS_PMCU_INT_MSK_BRK_WIDTH 1u
#define CS_PMCU_INT_MSK_BRK_MASK 0x2u

#define CS_PMCU_INT_STAT 0x108u /* raw interrupt status */
#define CS_PMCU_INT_STAT_RESET 0x0u
#define CS_PMCU_INT_STAT_DONE_SHIFT 0u
#define CS_PMCU_INT_STAT_DONE_WIDTH 1u
#define CS_PMCU_INT_STAT_DONE_MASK 0x1u
#define CS_PMCU_INT_STAT_BRK_SHIFT 1u
#define CS_PMCU_INT_STAT_BRK_WIDTH 1u
#define CS_PMCU_INT_STAT_BRK_MASK 0x2u

#define CS_PMCU_INT_CLR 0x10Cu /* interrupt clear */
#define CS_PMCU_INT_CLR_RESET 0x0u
#define CS_PMCU_INT_CLR_DONE_SHIFT 0u
#define CS_PMCU_INT_CLR_DONE_WIDTH 1u
#define CS_PMCU_INT_CLR_DONE_MASK 0x1u
#define CS_PMCU_INT_CLR_BRK_SHIFT 1u
#define CS_PMCU_INT_CLR_BRK_WIDTH 1u
#define CS_PMCU_INT_CLR_BRK_MASK 0x2u

#define CS_PMCU_PMCR 0x200u /* for the cores' PMCR */
#define CS_PMCU_PMCR_RESET 0xC1u
#define CS_PMCU_PMCR_E_SHIFT 0u
#define CS_PMCU_PMCR_E_WIDTH 1u
#define CS_PMCU_PMCR_E_MASK 0x1u
#define CS_PMCU_PMCR_DP_SHIFT 5u
#define CS_PMCU_PMCR_DP_WIDTH 1u
#define CS_PMCU_PMCR_DP_MASK 0x20u
#define CS_PMCU_PMCR_LC_SHIFT 6u
#define CS_PMCU_PMCR_LC_WIDTH 1u
#define CS_PMCU_PMCR_LC_MASK 0x40u
#define CS_PMCU_PMCR_LP_SHIFT 7u
#define CS_PMCU_PMCR_LP_WIDTH 1u
#define CS_PMCU_PMCR_LP_MASK 0x80u

#define CS_PMCU_PMCCFILTR 0x204u /* for the cores' PMCCFILTR */
#define CS_PMCU_PMCCFILTR_RESET 0x0u
#define CS_PMCU_PMCCFILTR_FILTER_SHIFT 24u
#define CS_PMCU_PMCCFILTR_FILTER_WIDTH 8u
#define CS_PMCU_PMCCFILTR_FILTER_MASK 0xFF000000u

/* X(name, offset, count, stride, bits, access, reset, text) for every register; count 1
 * and stride 0 where it is no array; access is "mixed" where the fields differ. */
#define CS_PMCU_REGISTERS(X) \
    X(FSM_STATUS, 0x000u, 1u, 0u, 32u, "ro", 0x0u, "state of the engine") \
    X(FSM_CFG, 0x004u, 1u, 0u, 32u, "rw", 0x0u, "size of a run") \
    X(EVENT_BASE_H, 0x008u, 1u, 0u, 32u, "rw", 0x0u, "event array, high half") \
    X(EVENT_BASE_L, 0x00Cu, 1u, 0u, 32u, "rw", 0x0u, "event array, low half") \
    X(KILL_BASE_H, 0x010u, 1u, 0u, 32u, "rw", 0x0u, "end of the output buffer, high half") \
    X(KILL_BASE_L, 0x014u, 1u, 0u, 32u, "rw", 0x0u, "end of the output buffer, low half") \
    X(STORE_BASE_H, 0x018u, 1u, 0u, 32u, "rw", 0x0u, "start of the output, high half") \
    X(STORE_BASE_L, 0x01Cu, 1u, 0u, 32u, "rw", 0x0u, "start of the output, low half") \
    X(WAIT_CNT, 0x020u, 1u, 0u, 32u, "rw", 0x249F0u, "counting time") \
    X(FSM_CTRL, 0x038u, 1u, 0u, 32u, "w1", 0x0u, "start") \
    X(FSM_BRK, 0x03Cu, 1u, 0u, 32u, "w1", 0x0u, "abort") \
    X(COMP, 0x044u, 1u, 0u, 32u, "rw", 0x0u, "compatibility mode") \
    X(INT_EN, 0x100u, 1u, 0u, 32u, "rw", 0x0u, "interrupt enable") \
    X(INT_MSK, 0x104u, 1u, 0u, 32u, "rw", 0x0u, "interrupt mask") \
    X(INT_STAT, 0x108u, 1u, 0u, 32u, "ro", 0x0u, "raw interrupt status") \
    X(INT_CLR, 0x10Cu, 1u, 0u, 32u, "w1c", 0x0u, "interrupt clear") \
    X(PMCR, 0x200u, 1u, 0u, 32u, "rw", 0xC1u, "for the cores' PMCR") \
    X(PMCCFILTR, 0x204u, 1u, 0u, 32u, "rw", 0x0u, "for the cores' PMCCFILTR")

#endif
