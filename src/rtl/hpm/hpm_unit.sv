// SPDX-License-Identifier: Apache-2.0
// RISC-V harts: a CSR block each, and the port of its software on the bus, which pins drive.
module hpm_unit #(
  parameter int NrHart    = 2,
  // mhpmcounter3 .. mhpmcounter(NrCounter + 2).
  parameter int NrCounter = 29
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Straps.
  input  logic                  strap_xlen64_i,
  input  logic [1:0]            strap_modes_i,
  input  logic [31:0]           strap_counters_i,
  input  logic [7*32-1:0]       strap_width_i,
  input  logic                  strap_sscofpmf_i,
  input  logic                  strap_smcntrpmf_i,
  input  logic                  strap_smcdeleg_i,
  input  logic                  strap_aia_i,
  input  logic [4:0]            strap_lcofi_latency_i,

  // What the harts do.
  input  logic [63:0]           time_i,
  input  logic [NrHart*2-1:0]   mode_i,
  input  logic [NrHart-1:0]     v_i,
  input  logic [NrHart*4-1:0]   cycle_inc_i,
  input  logic [NrHart*4-1:0]   instret_inc_i,
  output logic [NrHart*16*32-1:0] event_o,
  output logic [NrHart*32-1:0]  counting_o,
  input  logic [NrHart*4*32-1:0] inc_i,

  // CSR instructions.
  input  logic [NrHart-1:0]     csr_valid_i,
  input  logic [NrHart*12-1:0]  csr_addr_i,
  input  logic [NrHart*2-1:0]   csr_op_i,
  input  logic [NrHart*64-1:0]  csr_wdata_i,
  output logic [NrHart*64-1:0]  csr_rdata_o,
  output logic [NrHart*2-1:0]   csr_exc_o,
  output logic [NrHart*3-1:0]   lcofi_o,

  // Loads and stores.
  input  logic [NrHart*bus_pkg::ReqBits-1:0] req_i,
  output logic [NrHart*bus_pkg::ReqBits-1:0] m_req_o,
  input  logic [NrHart*bus_pkg::RspBits-1:0] m_rsp_i
);

  // The pins show what all managers hear.
  assign m_req_o = req_i;
  logic unused_rsp;
  assign unused_rsp = ^m_rsp_i;

  for (genvar h = 0; h < NrHart; h++) begin : g_hart
    hpm #(
      .NrHpm (NrCounter)
    ) u_hpm (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .xlen64_i        (strap_xlen64_i),
      .modes_i         (strap_modes_i),
      .counters_i      (strap_counters_i),
      .width_i         (strap_width_i),
      .sscofpmf_i      (strap_sscofpmf_i),
      .smcntrpmf_i     (strap_smcntrpmf_i),
      .smcdeleg_i      (strap_smcdeleg_i),
      .aia_i           (strap_aia_i),
      .lcofi_latency_i (strap_lcofi_latency_i),
      .mode_i          (mode_i[2*h +: 2]),
      .v_i             (v_i[h]),
      .stateen_m_i     (1'b1),
      .stateen_h_i     (1'b1),
      .time_i          (time_i),
      .cycle_inc_i     (cycle_inc_i[4*h +: 4]),
      .instret_inc_i   (instret_inc_i[4*h +: 4]),
      .event_o         (event_o[16*32*h +: 16*32]),
      .counting_o      (counting_o[32*h +: 32]),
      .inc_i           (inc_i[4*32*h +: 4*32]),
      .csr_valid_i     (csr_valid_i[h]),
      .csr_addr_i      (csr_addr_i[12*h +: 12]),
      .csr_op_i        (csr_op_i[2*h +: 2]),
      .csr_wdata_i     (csr_wdata_i[64*h +: 64]),
      .csr_rdata_o     (csr_rdata_o[64*h +: 64]),
      .csr_exc_o       (csr_exc_o[2*h +: 2]),
      .lcofi_o         (lcofi_o[3*h +: 3])
    );
  end

endmodule
