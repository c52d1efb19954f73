// SPDX-License-Identifier: Apache-2.0
// The performance counters of a RISC-V hart (docs/hw/hpm.md).
module hpm #(
  // mhpmcounters that are built, from 3 on; the strap counters_i says which of them are there.
  parameter int NrHpm = 29
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             xlen64_i,
  input  logic [1:0]       modes_i,
  input  logic [31:0]      counters_i,
  input  logic [7*32-1:0]  width_i,
  input  logic             sscofpmf_i,
  input  logic             smcntrpmf_i,
  input  logic             smcdeleg_i,
  input  logic             aia_i,
  input  logic [4:0]       lcofi_latency_i,

  input  logic [1:0]       mode_i,
  input  logic             v_i,
  input  logic             stateen_m_i,
  input  logic             stateen_h_i,
  input  logic [63:0]      time_i,

  input  logic [3:0]       cycle_inc_i,
  input  logic [3:0]       instret_inc_i,
  output logic [16*32-1:0] event_o,
  output logic [31:0]      counting_o,
  input  logic [4*32-1:0]  inc_i,

  input  logic             csr_valid_i,
  input  logic [11:0]      csr_addr_i,
  input  logic [1:0]       csr_op_i,
  input  logic [63:0]      csr_wdata_i,
  output logic [63:0]      csr_rdata_o,
  output logic [1:0]       csr_exc_o,

  output logic [2:0]       lcofi_o
);

  // --- straps ---
  logic        has_u, has_s, has_h;
  logic [31:0] impl, enables;
  logic [4:0]  filters;            // MINH SINH UINH VSINH VUINH
  assign has_u   = modes_i != 2'd0;
  assign has_s   = modes_i >= 2'd2;
  assign has_h   = modes_i == 2'd3;
  assign impl    = {counters_i[31:3], 3'b101};
  assign enables = {counters_i[31:3], 3'b111};
  assign filters = {1'b1, has_s, has_u, has_h, has_h};

  // --- state outside the counters ---
  logic [31:0] inhibit_q, mcounteren_q, scounteren_q, hcounteren_q;
  logic [63:0] htimedelta_q;
  logic [11:0] siselect_q, vsiselect_q;
  logic        cde_q;

  // --- access ---
  logic [4:0] target, index;
  logic       high, window;
  hpm_access u_access (
    .valid_i      (csr_valid_i),
    .addr_i       (csr_addr_i),
    .write_i      (csr_op_i != hpm_pkg::OpRead),
    .mode_i       (mode_i),
    .v_i          (v_i),
    .stateen_m_i  (stateen_m_i),
    .stateen_h_i  (stateen_h_i),
    .xlen64_i     (xlen64_i),
    .has_u_i      (has_u),
    .has_s_i      (has_s),
    .has_h_i      (has_h),
    .sscofpmf_i   (sscofpmf_i),
    .smcntrpmf_i  (smcntrpmf_i),
    .smcdeleg_i   (smcdeleg_i),
    .aia_i        (aia_i),
    .cde_i        (cde_q),
    .siselect_i   (siselect_q),
    .vs_selects_i (vsiselect_q[11:5] == 7'b0000010),
    .mcounteren_i (mcounteren_q),
    .scounteren_i (scounteren_q),
    .hcounteren_i (hcounteren_q),
    .exc_o        (csr_exc_o),
    .target_o     (target),
    .index_o      (index),
    .high_o       (high),
    .window_o     (window)
  );

  // The halves that are written: both with XLEN 64.
  logic       write;
  logic [1:0] halves;
  assign write  = (csr_op_i != hpm_pkg::OpRead) && (target != hpm_pkg::TgtNone);
  assign halves = {write && (high || xlen64_i), write && !high};

  function automatic logic [63:0] written(input logic [1:0] op, input logic [63:0] was,
                                          input logic [63:0] operand);
    unique case (op)
      hpm_pkg::OpSet:   written = was | operand;
      hpm_pkg::OpClear: written = was & ~operand;
      default:          written = operand;
    endcase
  endfunction

  logic [63:0] after, wdata;
  assign after = write ? written(csr_op_i, csr_rdata_o, csr_wdata_i) : 64'd0;
  assign wdata = xlen64_i ? after : {2{after[31:0]}};

  logic [31:0] named, at_counter, at_setup;  // writes of a counter, of what it counts
  assign named      = 32'd1 << index;
  assign at_counter = (write && (target == hpm_pkg::TgtCounter)) ? named : 32'd0;
  assign at_setup   = (write && (target == hpm_pkg::TgtSetup)) ? named : 32'd0;

  // --- counters ---
  logic [64*32-1:0] value, setup;      // setup: mcyclecfg, minstretcfg and mhpmevent
  logic [31:0]      of, request;

  logic [7:0] fixed_inc;
  assign fixed_inc = {instret_inc_i, cycle_inc_i};
  for (genvar n = 0; n < 2; n++) begin : g_fixed  // mcycle at 0, minstret at 2
    hpm_counter u_counter (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .there_i        (1'b1),
      .width_i        (7'd64),
      .has_event_i    (1'b0),
      .has_of_i       (1'b0),
      .has_filter_i   (filters),  // no access reaches it without Smcntrpmf
      .inhibit_i      (inhibit_q[2*n]),
      .mode_i         (mode_i),
      .v_i            (v_i),
      .inc_i          (fixed_inc[4*n +: 4]),
      .write_value_i  (at_counter[2*n] ? halves : 2'b00),
      .write_setup_i  (at_setup[2*n] ? halves : 2'b00),
      .keep_minh_i    (window),
      .wdata_i        (wdata),
      .value_o        (value[128*n +: 64]),
      .setup_o        (setup[128*n +: 64]),
      .counting_o     (counting_o[2*n]),
      .request_o      (request[2*n])
    );
  end

  for (genvar n = 3; n < NrHpm + 3; n++) begin : g_hpm
    hpm_counter u_counter (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .there_i        (counters_i[n]),
      .width_i        (width_i[7*n +: 7]),
      .has_event_i    (counters_i[n]),
      .has_of_i       (counters_i[n] && sscofpmf_i),
      .has_filter_i   ((counters_i[n] && sscofpmf_i) ? filters : 5'd0),
      .inhibit_i      (inhibit_q[n]),
      .mode_i         (mode_i),
      .v_i            (v_i),
      .inc_i          (inc_i[4*n +: 4]),
      .write_value_i  (at_counter[n] ? halves : 2'b00),
      .write_setup_i  (at_setup[n] ? halves : 2'b00),
      .keep_minh_i    (window),
      .wdata_i        (wdata),
      .value_o        (value[64*n +: 64]),
      .setup_o        (setup[64*n +: 64]),
      .counting_o     (counting_o[n]),
      .request_o      (request[n])
    );
  end

  // Number 1 is time's: there is no counter.
  assign value[127:64] = '0;
  assign setup[127:64] = '0;
  assign counting_o[1] = 1'b0;
  assign request[1]    = 1'b0;

  for (genvar n = NrHpm + 3; n < 32; n++) begin : g_no_counter
    assign value[64*n +: 64] = '0;
    assign setup[64*n +: 64] = '0;
    assign counting_o[n]     = 1'b0;
    assign request[n]        = 1'b0;
  end

  for (genvar n = 0; n < 32; n++) begin : g_setup
    assign event_o[16*n +: 16] = setup[64*n +: 16];
    assign of[n]               = setup[64*n+63];
  end

  // Pins of what is not built.
  logic unused_pins;
  assign unused_pins = ^{inc_i, width_i, counters_i[2:0], at_counter, at_setup};

  // --- the interrupt ---
  logic bit_13;
  hpm_lcofi u_lcofi (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .sscofpmf_i (sscofpmf_i),
    .aia_i      (aia_i),
    .latency_i  (lcofi_latency_i),
    .request_i  (request != 32'd0),
    .target_i   (target),
    .write_i    (write),
    .wdata_i    (wdata[13]),
    .rdata_o    (bit_13),
    .lcofi_o    (lcofi_o)
  );

  // --- registers ---
  logic [31:0] delegated;
  assign delegated = impl & mcounteren_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inhibit_q    <= '0;
      mcounteren_q <= '0;
      scounteren_q <= '0;
      hcounteren_q <= '0;
      htimedelta_q <= '0;
      siselect_q   <= '0;
      vsiselect_q  <= '0;
      cde_q        <= 1'b0;
    end else if (write) begin
      unique case (target)
        hpm_pkg::TgtInhibit:    inhibit_q    <= wdata[31:0] & impl;
        hpm_pkg::TgtScountinhibit:
          inhibit_q <= (inhibit_q & ~delegated) | (wdata[31:0] & delegated);
        hpm_pkg::TgtMcounteren: mcounteren_q <= wdata[31:0] & enables;
        hpm_pkg::TgtScounteren: scounteren_q <= wdata[31:0] & enables;
        hpm_pkg::TgtHcounteren: hcounteren_q <= wdata[31:0] & enables;
        hpm_pkg::TgtSiselect:   siselect_q   <= wdata[11:0];
        hpm_pkg::TgtVsiselect:  vsiselect_q  <= wdata[11:0];
        hpm_pkg::TgtMenvcfg:    if (halves[1]) cde_q <= wdata[60] && smcdeleg_i;
        hpm_pkg::TgtHtimedelta: begin
          if (halves[0]) htimedelta_q[31:0]  <= wdata[31:0];
          if (halves[1]) htimedelta_q[63:32] <= wdata[63:32];
        end
        default: ;
      endcase
    end
  end

  // --- reads: the whole register, worked out only when somebody reads ---
  logic [31:0] ovf_mask;
  assign ovf_mask = (mode_i == hpm_pkg::ModeM) ? 32'hFFFF_FFFF :
                    v_i ? mcounteren_q & hcounteren_q : mcounteren_q;

  logic [63:0] whole;
  always_comb begin
    unique case (target)
      hpm_pkg::TgtNone,
      hpm_pkg::TgtMiselect:      whole = '0;
      hpm_pkg::TgtCounter:       whole = value[{index, 6'd0} +: 64];
      hpm_pkg::TgtSetup:         whole = setup[{index, 6'd0} +: 64] & ~{1'b0, window, 62'd0};
      hpm_pkg::TgtTime:          whole = v_i ? time_i + htimedelta_q : time_i;
      hpm_pkg::TgtInhibit:       whole = {32'd0, inhibit_q};
      hpm_pkg::TgtMcounteren:    whole = {32'd0, mcounteren_q};
      hpm_pkg::TgtScounteren:    whole = {32'd0, scounteren_q};
      hpm_pkg::TgtHcounteren:    whole = {32'd0, hcounteren_q};
      hpm_pkg::TgtMenvcfg:       whole = {3'd0, cde_q, 60'd0};
      hpm_pkg::TgtScountinhibit: whole = {32'd0, inhibit_q & delegated};
      hpm_pkg::TgtScountovf:     whole = {32'd0, of & ovf_mask};
      hpm_pkg::TgtSiselect:      whole = {52'd0, siselect_q};
      hpm_pkg::TgtVsiselect:     whole = {52'd0, vsiselect_q};
      hpm_pkg::TgtHtimedelta:    whole = htimedelta_q;
      default:                   whole = {50'd0, bit_13, 13'd0};
    endcase
  end

  assign csr_rdata_o = xlen64_i ? whole : {32'd0, high ? whole[63:32] : whole[31:0]};

endmodule
