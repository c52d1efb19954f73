// Generated from src/regs/pmcu.rdl by tools/regs/generate.py: do not edit.
package pmcu_regs_pkg;

  localparam logic [15:0] FSM_STATUS_OFFSET = 16'h0000;
  localparam logic [31:0] FSM_STATUS_RESET = 32'h0;
  localparam int FSM_STATUS_STATE_LSB = 0;
  localparam int FSM_STATUS_STATE_WIDTH = 4;
  localparam logic [3:0] FSM_STATUS_STATE_IDLE = 4'd0;
  localparam logic [3:0] FSM_STATUS_STATE_INIT = 4'd1;
  localparam logic [3:0] FSM_STATUS_STATE_FETCH = 4'd2;
  localparam logic [3:0] FSM_STATUS_STATE_PROGRAM = 4'd3;
  localparam logic [3:0] FSM_STATUS_STATE_START = 4'd4;
  localparam logic [3:0] FSM_STATUS_STATE_WAIT = 4'd5;
  localparam logic [3:0] FSM_STATUS_STATE_STOP = 4'd6;
  localparam logic [3:0] FSM_STATUS_STATE_READ = 4'd7;
  localparam logic [3:0] FSM_STATUS_STATE_STORE = 4'd8;
  localparam logic [3:0] FSM_STATUS_STATE_SWITCH = 4'd9;
  localparam logic [3:0] FSM_STATUS_STATE_BREAK = 4'd10;
  localparam int FSM_STATUS_BUSY_LSB = 4;
  localparam int FSM_STATUS_BUSY_WIDTH = 1;
  localparam int FSM_STATUS_CFG_ERR_LSB = 8;
  localparam int FSM_STATUS_CFG_ERR_WIDTH = 1;
  localparam int FSM_STATUS_FETCH_ERR_LSB = 9;
  localparam int FSM_STATUS_FETCH_ERR_WIDTH = 1;
  localparam int FSM_STATUS_CORE_ERR_LSB = 10;
  localparam int FSM_STATUS_CORE_ERR_WIDTH = 1;
  localparam int FSM_STATUS_STORE_ERR_LSB = 11;
  localparam int FSM_STATUS_STORE_ERR_WIDTH = 1;
  localparam int FSM_STATUS_KILL_LSB = 12;
  localparam int FSM_STATUS_KILL_WIDTH = 1;
  localparam int FSM_STATUS_TRIG_LOST_LSB = 13;
  localparam int FSM_STATUS_TRIG_LOST_WIDTH = 1;

  localparam logic [15:0] FSM_CFG_OFFSET = 16'h0004;
  localparam logic [31:0] FSM_CFG_RESET = 32'h0;
  localparam int FSM_CFG_EV_LEN_LSB = 0;
  localparam int FSM_CFG_EV_LEN_WIDTH = 8;
  localparam int FSM_CFG_NR_LOOP_LSB = 8;
  localparam int FSM_CFG_NR_LOOP_WIDTH = 8;
  localparam int FSM_CFG_NR_PMU_LSB = 16;
  localparam int FSM_CFG_NR_PMU_WIDTH = 4;

  localparam logic [15:0] EVENT_BASE_H_OFFSET = 16'h0008;
  localparam logic [31:0] EVENT_BASE_H_RESET = 32'h0;
  localparam int EVENT_BASE_H_ADDR_LSB = 0;
  localparam int EVENT_BASE_H_ADDR_WIDTH = 32;

  localparam logic [15:0] EVENT_BASE_L_OFFSET = 16'h000C;
  localparam logic [31:0] EVENT_BASE_L_RESET = 32'h0;
  localparam int EVENT_BASE_L_ADDR_LSB = 0;
  localparam int EVENT_BASE_L_ADDR_WIDTH = 32;

  localparam logic [15:0] KILL_BASE_H_OFFSET = 16'h0010;
  localparam logic [31:0] KILL_BASE_H_RESET = 32'h0;
  localparam int KILL_BASE_H_ADDR_LSB = 0;
  localparam int KILL_BASE_H_ADDR_WIDTH = 32;

  localparam logic [15:0] KILL_BASE_L_OFFSET = 16'h0014;
  localparam logic [31:0] KILL_BASE_L_RESET = 32'h0;
  localparam int KILL_BASE_L_ADDR_LSB = 0;
  localparam int KILL_BASE_L_ADDR_WIDTH = 32;

  localparam logic [15:0] STORE_BASE_H_OFFSET = 16'h0018;
  localparam logic [31:0] STORE_BASE_H_RESET = 32'h0;
  localparam int STORE_BASE_H_ADDR_LSB = 0;
  localparam int STORE_BASE_H_ADDR_WIDTH = 32;

  localparam logic [15:0] STORE_BASE_L_OFFSET = 16'h001C;
  localparam logic [31:0] STORE_BASE_L_RESET = 32'h0;
  localparam int STORE_BASE_L_ADDR_LSB = 0;
  localparam int STORE_BASE_L_ADDR_WIDTH = 32;

  localparam logic [15:0] WAIT_CNT_OFFSET = 16'h0020;
  localparam logic [31:0] WAIT_CNT_RESET = 32'h249F0;
  localparam int WAIT_CNT_TICKS_LSB = 0;
  localparam int WAIT_CNT_TICKS_WIDTH = 32;

  localparam logic [15:0] FSM_CTRL_OFFSET = 16'h0038;
  localparam logic [31:0] FSM_CTRL_RESET = 32'h0;
  localparam int FSM_CTRL_TRIGGER_LSB = 0;
  localparam int FSM_CTRL_TRIGGER_WIDTH = 1;

  localparam logic [15:0] FSM_BRK_OFFSET = 16'h003C;
  localparam logic [31:0] FSM_BRK_RESET = 32'h0;
  localparam int FSM_BRK_BRK_LSB = 0;
  localparam int FSM_BRK_BRK_WIDTH = 1;

  localparam logic [15:0] COMP_OFFSET = 16'h0044;
  localparam logic [31:0] COMP_RESET = 32'h0;
  localparam int COMP_EN_LSB = 0;
  localparam int COMP_EN_WIDTH = 1;

  localparam logic [15:0] INT_EN_OFFSET = 16'h0100;
  localparam logic [31:0] INT_EN_RESET = 32'h0;
  localparam int INT_EN_DONE_LSB = 0;
  localparam int INT_EN_DONE_WIDTH = 1;
  localparam int INT_EN_BRK_LSB = 1;
  localparam int INT_EN_BRK_WIDTH = 1;

  localparam logic [15:0] INT_MSK_OFFSET = 16'h0104;
  localparam logic [31:0] INT_MSK_RESET = 32'h0;
  localparam int INT_MSK_DONE_LSB = 0;
  localparam int INT_MSK_DONE_WIDTH = 1;
  localparam int INT_MSK_BRK_LSB = 1;
  localparam int INT_MSK_BRK_WIDTH = 1;

  localparam logic [15:0] INT_STAT_OFFSET = 16'h0108;
  localparam logic [31:0] INT_STAT_RESET = 32'h0;
  localparam int INT_STAT_DONE_LSB = 0;
  localparam int INT_STAT_DONE_WIDTH = 1;
  localparam int INT_STAT_BRK_LSB = 1;
  localparam int INT_STAT_BRK_WIDTH = 1;

  localparam logic [15:0] INT_CLR_OFFSET = 16'h010C;
  localparam logic [31:0] INT_CLR_RESET = 32'h0;
  localparam int INT_CLR_DONE_LSB = 0;
  localparam int INT_CLR_DONE_WIDTH = 1;
  localparam int INT_CLR_BRK_LSB = 1;
  localparam int INT_CLR_BRK_WIDTH = 1;

  localparam logic [15:0] PMCR_OFFSET = 16'h0200;
  localparam logic [31:0] PMCR_RESET = 32'hC1;
  localparam int PMCR_E_LSB = 0;
  localparam int PMCR_E_WIDTH = 1;
  localparam int PMCR_DP_LSB = 5;
  localparam int PMCR_DP_WIDTH = 1;
  localparam int PMCR_LC_LSB = 6;
  localparam int PMCR_LC_WIDTH = 1;
  localparam int PMCR_LP_LSB = 7;
  localparam int PMCR_LP_WIDTH = 1;

  localparam logic [15:0] PMCCFILTR_OFFSET = 16'h0204;
  localparam logic [31:0] PMCCFILTR_RESET = 32'h0;
  localparam int PMCCFILTR_FILTER_LSB = 24;
  localparam int PMCCFILTR_FILTER_WIDTH = 8;

  // Every name is used here, so that no module has to use all of them.
  localparam logic unused_sized = ^{
    FSM_STATUS_OFFSET,
    FSM_STATUS_RESET,
    FSM_STATUS_STATE_IDLE,
    FSM_STATUS_STATE_INIT,
    FSM_STATUS_STATE_FETCH,
    FSM_STATUS_STATE_PROGRAM,
    FSM_STATUS_STATE_START,
    FSM_STATUS_STATE_WAIT,
    FSM_STATUS_STATE_STOP,
    FSM_STATUS_STATE_READ,
    FSM_STATUS_STATE_STORE,
    FSM_STATUS_STATE_SWITCH,
    FSM_STATUS_STATE_BREAK,
    FSM_CFG_OFFSET,
    FSM_CFG_RESET,
    EVENT_BASE_H_OFFSET,
    EVENT_BASE_H_RESET,
    EVENT_BASE_L_OFFSET,
    EVENT_BASE_L_RESET,
    KILL_BASE_H_OFFSET,
    KILL_BASE_H_RESET,
    KILL_BASE_L_OFFSET,
    KILL_BASE_L_RESET,
    STORE_BASE_H_OFFSET,
    STORE_BASE_H_RESET,
    STORE_BASE_L_OFFSET,
    STORE_BASE_L_RESET,
    WAIT_CNT_OFFSET,
    WAIT_CNT_RESET,
    FSM_CTRL_OFFSET,
    FSM_CTRL_RESET,
    FSM_BRK_OFFSET,
    FSM_BRK_RESET,
    COMP_OFFSET,
    COMP_RESET,
    INT_EN_OFFSET,
    INT_EN_RESET,
    INT_MSK_OFFSET,
    INT_MSK_RESET,
    INT_STAT_OFFSET,
    INT_STAT_RESET,
    INT_CLR_OFFSET,
    INT_CLR_RESET,
    PMCR_OFFSET,
    PMCR_RESET,
    PMCCFILTR_OFFSET,
    PMCCFILTR_RESET};
  localparam int unused_plain =
    FSM_STATUS_STATE_LSB ^
    FSM_STATUS_STATE_WIDTH ^
    FSM_STATUS_BUSY_LSB ^
    FSM_STATUS_BUSY_WIDTH ^
    FSM_STATUS_CFG_ERR_LSB ^
    FSM_STATUS_CFG_ERR_WIDTH ^
    FSM_STATUS_FETCH_ERR_LSB ^
    FSM_STATUS_FETCH_ERR_WIDTH ^
    FSM_STATUS_CORE_ERR_LSB ^
    FSM_STATUS_CORE_ERR_WIDTH ^
    FSM_STATUS_STORE_ERR_LSB ^
    FSM_STATUS_STORE_ERR_WIDTH ^
    FSM_STATUS_KILL_LSB ^
    FSM_STATUS_KILL_WIDTH ^
    FSM_STATUS_TRIG_LOST_LSB ^
    FSM_STATUS_TRIG_LOST_WIDTH ^
    FSM_CFG_EV_LEN_LSB ^
    FSM_CFG_EV_LEN_WIDTH ^
    FSM_CFG_NR_LOOP_LSB ^
    FSM_CFG_NR_LOOP_WIDTH ^
    FSM_CFG_NR_PMU_LSB ^
    FSM_CFG_NR_PMU_WIDTH ^
    EVENT_BASE_H_ADDR_LSB ^
    EVENT_BASE_H_ADDR_WIDTH ^
    EVENT_BASE_L_ADDR_LSB ^
    EVENT_BASE_L_ADDR_WIDTH ^
    KILL_BASE_H_ADDR_LSB ^
    KILL_BASE_H_ADDR_WIDTH ^
    KILL_BASE_L_ADDR_LSB ^
    KILL_BASE_L_ADDR_WIDTH ^
    STORE_BASE_H_ADDR_LSB ^
    STORE_BASE_H_ADDR_WIDTH ^
    STORE_BASE_L_ADDR_LSB ^
    STORE_BASE_L_ADDR_WIDTH ^
    WAIT_CNT_TICKS_LSB ^
    WAIT_CNT_TICKS_WIDTH ^
    FSM_CTRL_TRIGGER_LSB ^
    FSM_CTRL_TRIGGER_WIDTH ^
    FSM_BRK_BRK_LSB ^
    FSM_BRK_BRK_WIDTH ^
    COMP_EN_LSB ^
    COMP_EN_WIDTH ^
    INT_EN_DONE_LSB ^
    INT_EN_DONE_WIDTH ^
    INT_EN_BRK_LSB ^
    INT_EN_BRK_WIDTH ^
    INT_MSK_DONE_LSB ^
    INT_MSK_DONE_WIDTH ^
    INT_MSK_BRK_LSB ^
    INT_MSK_BRK_WIDTH ^
    INT_STAT_DONE_LSB ^
    INT_STAT_DONE_WIDTH ^
    INT_STAT_BRK_LSB ^
    INT_STAT_BRK_WIDTH ^
    INT_CLR_DONE_LSB ^
    INT_CLR_DONE_WIDTH ^
    INT_CLR_BRK_LSB ^
    INT_CLR_BRK_WIDTH ^
    PMCR_E_LSB ^
    PMCR_E_WIDTH ^
    PMCR_DP_LSB ^
    PMCR_DP_WIDTH ^
    PMCR_LC_LSB ^
    PMCR_LC_WIDTH ^
    PMCR_LP_LSB ^
    PMCR_LP_WIDTH ^
    PMCCFILTR_FILTER_LSB ^
    PMCCFILTR_FILTER_WIDTH;

endpackage
