// SPDX-License-Identifier: Apache-2.0
// Stands for somebody's own counter block: other names, reset the other way round, wider increment
// fields, two CSRs at other numbers, and outputs that come late. Inside it is src/rtl/hpm/hpm.sv.
// hart_counters.yaml is its MAP.
module hart_counters #(
  parameter int Counters = 29
) (
  input  logic             clk,
  input  logic             reset,
  input  logic             scan_enable,
  input  logic             is_rv64,
  input  logic [1:0]       privileges,
  input  logic [31:0]      have,
  input  logic [31:0][6:0] bits,
  input  logic             has_overflow,
  input  logic             has_filters,
  input  logic             has_delegation,
  input  logic             has_aia,
  input  logic [4:0]       irq_delay,
  input  logic [1:0]       prv,
  input  logic             virt,
  input  logic             state_m,
  input  logic             state_h,
  input  logic [63:0]      mtime,
  input  logic [3:0]       clocks,
  input  logic [3:0]       retired,
  output logic [511:0]     selected,
  output logic [31:0]      active,
  input  logic [28:0][5:0] increments, // of counters 3 to 31
  input  logic             request,
  input  logic [11:0]      number,
  input  logic [1:0]       operation,
  input  logic [63:0]      operand,
  output logic [63:0]      old_value,
  output logic [1:0]       trap,
  output logic [2:0]       interrupt
);

  logic         unused;
  logic [127:0] inc;
  logic [11:0]  csr;
  logic [63:0]  rdata;
  logic [2:0]   lcofi, lcofi_q;
  assign unused = scan_enable;

  always_comb begin
    inc = '0;
    for (int n = 3; n < 32; n++) inc[4*n +: 4] = increments[n-3][3:0];
  end

  // mhpmcounter3 is at 0x7c3 here, and nothing at 0xb03 but what 0x7c3 is elsewhere.
  assign csr = (number == 12'h7c3) ? 12'hb03 : (number == 12'hb03) ? 12'h7c3 : number;

  hpm #(
    .NrHpm (Counters)
  ) u_hpm (
    .clk_i           (clk),
    .rst_ni          (!reset),
    .xlen64_i        (is_rv64),
    .modes_i         (privileges),
    .counters_i      (have),
    .width_i         (bits),
    .sscofpmf_i      (has_overflow),
    .smcntrpmf_i     (has_filters),
    .smcdeleg_i      (has_delegation),
    .aia_i           (has_aia),
    .lcofi_latency_i (irq_delay),
    .mode_i          (prv),
    .v_i             (virt),
    .stateen_m_i     (state_m),
    .stateen_h_i     (state_h),
    .time_i          (mtime),
    .cycle_inc_i     (clocks),
    .instret_inc_i   (retired),
    .event_o         (selected),
    .counting_o      (active),
    .inc_i           (inc),
    .csr_valid_i     (request),
    .csr_addr_i      (csr),
    .csr_op_i        (operation),
    .csr_wdata_i     (operand),
    .csr_rdata_o     (rdata),
    .csr_exc_o       (trap),
    .lcofi_o         (lcofi)
  );

  always_ff @(posedge clk) begin
    old_value <= rdata;
    lcofi_q   <= lcofi;
    interrupt <= lcofi_q;
  end

endmodule
