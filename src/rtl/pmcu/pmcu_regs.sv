// SPDX-License-Identifier: Apache-2.0
// The PMCU's registers (docs/hw/pmcu.md, "Registers"): what software wrote, the interrupt and
// the error bits. What a run works on are copies in pmcu_fsm.
module pmcu_regs (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        reg_en_i,
  input  logic        reg_write_i,
  input  logic [15:0] reg_addr_i,
  input  logic        reg_wide_i,
  input  logic [31:0] reg_wdata_i,
  output logic [63:0] reg_rdata_o,
  output logic        reg_err_o,

  // To the state machine.
  output logic        trigger_o,
  output logic        brk_o,
  output logic [19:0] fsm_cfg_o,
  output logic [63:0] event_base_o,
  output logic [63:0] kill_base_o,
  output logic [63:0] store_base_o,
  output logic [31:0] wait_cnt_o,
  output logic        comp_o,
  output logic [31:0] pmcr_o,
  output logic [31:0] pmccfiltr_o,

  // From it.
  input  logic [3:0]  state_i,
  input  logic        clear_errors_i,
  input  logic [5:0]  errors_i,     // bits 13:8 of FSM_STATUS that are set in the next cycle
  input  logic        done_i,
  input  logic        broken_i,
  output logic [5:0]  errors_o,
  output logic        irq_o
);

  logic [19:0] fsm_cfg_q;
  logic [63:0] event_base_q, kill_base_q, store_base_q;
  logic [31:0] wait_cnt_q;
  logic        comp_q;
  logic [1:0]  int_en_q, int_msk_q, int_stat_q;
  logic [3:0]  pmcr_q;       // LP, LC, DP, E
  logic [7:0]  pmccfiltr_q;
  logic [5:0]  errors_q;

  logic write;
  assign write = reg_en_i && reg_write_i && !reg_wide_i;

  assign trigger_o = write && (reg_addr_i == pmcu_regs_pkg::FSM_CTRL_OFFSET) && reg_wdata_i[0];
  assign brk_o     = write && (reg_addr_i == pmcu_regs_pkg::FSM_BRK_OFFSET) && reg_wdata_i[0];

  logic [1:0] int_clr;
  assign int_clr = (write && (reg_addr_i == pmcu_regs_pkg::INT_CLR_OFFSET)) ? reg_wdata_i[1:0]
                                                                          : 2'b00;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fsm_cfg_q    <= '0;
      event_base_q <= '0;
      kill_base_q  <= '0;
      store_base_q <= '0;
      wait_cnt_q   <= pmcu_regs_pkg::WAIT_CNT_RESET;
      comp_q       <= 1'b0;
      int_en_q     <= '0;
      int_msk_q    <= '0;
      int_stat_q   <= '0;
      pmcr_q       <= {pmcu_regs_pkg::PMCR_RESET[7:5], pmcu_regs_pkg::PMCR_RESET[0]};
      pmccfiltr_q  <= '0;
      errors_q     <= '0;
    end else begin
      if (write) begin
        case (reg_addr_i)
          pmcu_regs_pkg::FSM_CFG_OFFSET:      fsm_cfg_q           <= reg_wdata_i[19:0];
          pmcu_regs_pkg::EVENT_BASE_H_OFFSET: event_base_q[63:32] <= reg_wdata_i;
          pmcu_regs_pkg::EVENT_BASE_L_OFFSET: event_base_q[31:0]  <= reg_wdata_i;
          pmcu_regs_pkg::KILL_BASE_H_OFFSET:  kill_base_q[63:32]  <= reg_wdata_i;
          pmcu_regs_pkg::KILL_BASE_L_OFFSET:  kill_base_q[31:0]   <= reg_wdata_i;
          pmcu_regs_pkg::STORE_BASE_H_OFFSET: store_base_q[63:32] <= reg_wdata_i;
          pmcu_regs_pkg::STORE_BASE_L_OFFSET: store_base_q[31:0]  <= reg_wdata_i;
          pmcu_regs_pkg::WAIT_CNT_OFFSET:     wait_cnt_q          <= reg_wdata_i;
          pmcu_regs_pkg::COMP_OFFSET:         comp_q              <= reg_wdata_i[0];
          pmcu_regs_pkg::INT_EN_OFFSET:       int_en_q            <= reg_wdata_i[1:0];
          pmcu_regs_pkg::INT_MSK_OFFSET:      int_msk_q           <= reg_wdata_i[1:0];
          pmcu_regs_pkg::PMCR_OFFSET:         pmcr_q      <= {reg_wdata_i[7:5], reg_wdata_i[0]};
          pmcu_regs_pkg::PMCCFILTR_OFFSET:    pmccfiltr_q         <= reg_wdata_i[31:24];
          default: ;
        endcase
      end
      // Hardware sets, and wins over a clear of the same cycle.
      int_stat_q <= (int_stat_q & ~int_clr) | {broken_i, done_i};
      errors_q   <= (clear_errors_i ? 6'd0 : errors_q) | errors_i;
    end
  end

  logic [31:0] word;
  always_comb begin
    case (reg_addr_i)
      pmcu_regs_pkg::FSM_STATUS_OFFSET:   word = {18'd0, errors_q, 3'd0, state_i != 4'd0, state_i};
      pmcu_regs_pkg::FSM_CFG_OFFSET:      word = {12'd0, fsm_cfg_q};
      pmcu_regs_pkg::EVENT_BASE_H_OFFSET: word = event_base_q[63:32];
      pmcu_regs_pkg::EVENT_BASE_L_OFFSET: word = event_base_q[31:0];
      pmcu_regs_pkg::KILL_BASE_H_OFFSET:  word = kill_base_q[63:32];
      pmcu_regs_pkg::KILL_BASE_L_OFFSET:  word = kill_base_q[31:0];
      pmcu_regs_pkg::STORE_BASE_H_OFFSET: word = store_base_q[63:32];
      pmcu_regs_pkg::STORE_BASE_L_OFFSET: word = store_base_q[31:0];
      pmcu_regs_pkg::WAIT_CNT_OFFSET:     word = wait_cnt_q;
      pmcu_regs_pkg::COMP_OFFSET:         word = {31'd0, comp_q};
      pmcu_regs_pkg::INT_EN_OFFSET:       word = {30'd0, int_en_q};
      pmcu_regs_pkg::INT_MSK_OFFSET:      word = {30'd0, int_msk_q};
      pmcu_regs_pkg::INT_STAT_OFFSET:     word = {30'd0, int_stat_q};
      pmcu_regs_pkg::PMCR_OFFSET:         word = pmcr_o;
      pmcu_regs_pkg::PMCCFILTR_OFFSET:    word = pmccfiltr_o;
      default:                            word = '0;
    endcase
  end

  assign reg_err_o    = reg_wide_i;
  assign reg_rdata_o  = reg_wide_i ? 64'd0 : {32'd0, word};
  assign fsm_cfg_o    = fsm_cfg_q;
  assign event_base_o = event_base_q;
  assign kill_base_o  = kill_base_q;
  assign store_base_o = store_base_q;
  assign wait_cnt_o   = wait_cnt_q;
  assign comp_o       = comp_q;
  assign pmcr_o       = {24'd0, pmcr_q[3:1], 4'd0, pmcr_q[0]};
  assign pmccfiltr_o  = {pmccfiltr_q, 24'd0};
  assign errors_o     = errors_q;
  assign irq_o        = (int_stat_q & int_en_q & ~int_msk_q) != 2'b00;

endmodule
