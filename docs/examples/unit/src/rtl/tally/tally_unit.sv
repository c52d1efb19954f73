// SPDX-License-Identifier: Apache-2.0
// The tally behind its register bridge (docs/hw/tally.md).
module tally_unit (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [7:0]                      strap_access_cycles_i,
  output logic [15:0]                     event_o,
  output logic                            counting_o,
  input  logic [3:0]                      inc_i,
  input  logic [1*bus_pkg::ReqBits-1:0]   t_req_i,
  output logic [1*bus_pkg::RspBits-1:0]   t_rsp_o,
  output logic [reg_bus_pkg::AccBits-1:0] acc_o
);
  logic        reg_en, reg_write, reg_wide, refused;
  logic [15:0] reg_addr;
  logic [63:0] reg_wdata, reg_rdata;

  axi_reg_bridge #(
    .NrSlot  (1),
    .OneSlot (1'b1)
  ) u_bridge (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .access_cycles_i (strap_access_cycles_i),
    .present_i       (1'b1),
    .req_i           (t_req_i),
    .rsp_o           (t_rsp_o),
    .reg_en_o        (reg_en),
    .reg_write_o     (reg_write),
    .reg_addr_o      (reg_addr),
    .reg_wide_o      (reg_wide),
    .reg_wdata_o     (reg_wdata),
    .reg_rdata_i     (reg_rdata),
    .reg_err_i       (reg_en && refused),
    .acc_o           (acc_o)
  );

  logic [63:0] count_q, value;
  logic        write, is_ctrl, is_count;
  assign refused  = (reg_addr[1:0] != 2'd0) || (reg_wide && reg_addr[2]);
  assign write    = reg_en && reg_write && !refused;
  assign is_ctrl  = reg_addr[15:3] == tally_regs_pkg::CTRL_OFFSET[15:3];
  assign is_count = reg_addr[15:3] == tally_regs_pkg::COUNT_OFFSET[15:3];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counting_o <= 1'b0;
      event_o    <= '0;
      count_q    <= '0;
    end else begin
      if (write && is_count) count_q <= '0;
      else if (counting_o) count_q <= count_q + 64'(inc_i);
      if (write && is_ctrl && !reg_addr[2]) begin
        counting_o <= reg_wdata[0];
        event_o    <= reg_wdata[31:16];
      end
    end
  end
  assign value     = is_ctrl ? {32'd0, event_o, 15'd0, counting_o} : is_count ? count_q : 64'd0;
  assign reg_rdata = refused ? 64'd0 : reg_wide ? value : {32'd0, reg_addr[2] ? value[63:32] : value[31:0]};

  logic unused_fields;
  assign unused_fields = ^{reg_wdata[63:32], reg_wdata[15:1]};
endmodule
