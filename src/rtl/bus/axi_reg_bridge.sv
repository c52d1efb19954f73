// SPDX-License-Identifier: Apache-2.0
// Register bridge: AXI4 to the register ports of the units behind it, one access at a time
// (docs/hw/bus.md, "Register bridge").
module axi_reg_bridge #(
  parameter int NrSlot  = 8,
  // The window is one slot, whatever bits 19:16 of the address say; there is no broadcast.
  parameter bit OneSlot = 1'b0,
  // Bits of an address in the window: what acc_o shows.
  parameter int AddrWidth = 20,
  // Bits of it that the units see.
  parameter int RegWidth = 16,
  // Bits of the number of cycles in ACCESS.
  parameter int CycleWidth = 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [CycleWidth-1:0] access_cycles_i,
  input  logic [NrSlot-1:0]    present_i,

  input  logic [bus_pkg::ReqBits-1:0] req_i,
  output logic [bus_pkg::RspBits-1:0] rsp_o,

  // Register ports.
  output logic [NrSlot-1:0]    reg_en_o,
  output logic                 reg_write_o,
  output logic [RegWidth-1:0]          reg_addr_o,
  output logic                 reg_wide_o,
  output logic [63:0]          reg_wdata_o,
  input  logic [NrSlot*64-1:0] reg_rdata_i,
  input  logic [NrSlot-1:0]    reg_err_i,

  // Monitor: an access takes effect in this cycle.
  output logic [reg_bus_pkg::AccBits-1:0] acc_o
);

  // The request by its fields.
  wire [3:0]  awid = req_i[bus_pkg::ReqAwId +: 4];
  wire [63:0] awaddr = req_i[bus_pkg::ReqAwAddr +: 64];
  wire [7:0]  awlen = req_i[bus_pkg::ReqAwLen +: 8];
  wire [2:0]  awsize = req_i[bus_pkg::ReqAwSize +: 3];
  wire [1:0]  awburst = req_i[bus_pkg::ReqAwBurst +: 2];
  wire        awvalid = req_i[bus_pkg::ReqAwValid];
  wire [63:0] wdata = req_i[bus_pkg::ReqWData +: 64];
  wire [7:0]  wstrb = req_i[bus_pkg::ReqWStrb +: 8];
  wire        wlast = req_i[bus_pkg::ReqWLast];
  wire        wvalid = req_i[bus_pkg::ReqWValid];
  wire        bready = req_i[bus_pkg::ReqBReady];
  wire [3:0]  arid = req_i[bus_pkg::ReqArId +: 4];
  wire [63:0] araddr = req_i[bus_pkg::ReqArAddr +: 64];
  wire [7:0]  arlen = req_i[bus_pkg::ReqArLen +: 8];
  wire [2:0]  arsize = req_i[bus_pkg::ReqArSize +: 3];
  wire [1:0]  arburst = req_i[bus_pkg::ReqArBurst +: 2];
  wire        arvalid = req_i[bus_pkg::ReqArValid];
  wire        rready = req_i[bus_pkg::ReqRReady];

  localparam logic [CycleWidth-1:0] One = {{(CycleWidth-1){1'b0}}, 1'b1};

  typedef enum logic [1:0] {
    BridgeIdle,
    BridgeData,
    BridgeAccess,
    BridgeRespond
  } bridge_state_e;

  bridge_state_e state_d, state_q;
  logic          write_d, write_q;
  logic [AddrWidth-1:0] addr_d, addr_q;
  logic [7:0]    beats_d, beats_q; // of the answer to a read: left, minus one
  logic [2:0]    size_d, size_q;
  logic [3:0]    id_d, id_q;
  logic [CycleWidth-1:0] wait_d, wait_q; // cycles left in ACCESS, minus one
  logic          burst_d, burst_q; // more than one beat: refused
  logic [63:0]   data_d, data_q;   // write data right-aligned, then read data on its lanes
  logic [7:0]    strb_d, strb_q;   // of the first beat, right-aligned
  logic          err_d, err_q;

  logic effect;
  assign effect = (state_q == BridgeAccess) && (wait_q == '0);

  // Which slots the access reaches.
  logic [NrSlot-1:0] select;
  logic              broadcast, legal;
  assign broadcast = !OneSlot && (addr_q[19:16] == reg_bus_pkg::BroadcastSlot);
  assign legal     = !burst_q && ((size_q == 3'd2) || (size_q == 3'd3)) &&
                     (!write_q || ((size_q == 3'd3) ? (strb_q == 8'hff) : (strb_q[3:0] == 4'hf))) &&
                     !(broadcast && !write_q);
  always_comb begin
    for (int s = 0; s < NrSlot; s++) begin
      select[s] = legal && present_i[s] &&
                  (OneSlot || broadcast || (addr_q[19:16] == 4'(s)));
    end
  end

  // What the units answer; nobody: an error, but not for a broadcast.
  logic [63:0] unit_rdata;
  logic        unit_err;
  always_comb begin
    unit_rdata = '0;
    unit_err   = 1'b1;
    for (int s = 0; s < NrSlot; s++) begin
      if (select[s]) begin
        unit_rdata = reg_rdata_i[64*s +: 64];
        unit_err   = reg_err_i[s];
      end
    end
    if (write_q) begin
      unit_rdata = '0;
    end
    if (broadcast && legal) begin
      unit_err = 1'b0;
    end
  end

  always_comb begin
    state_d = state_q;
    write_d = write_q;
    addr_d  = addr_q;
    beats_d = beats_q;
    size_d  = size_q;
    id_d    = id_q;
    wait_d  = wait_q;
    burst_d = burst_q;
    data_d  = data_q;
    strb_d  = strb_q;
    err_d   = err_q;

    unique case (state_q)
      BridgeIdle: begin
        wait_d = access_cycles_i - One;
        if (arvalid) begin
          write_d = 1'b0;
          addr_d  = araddr[AddrWidth-1:0];
          beats_d = arlen;
          size_d  = arsize;
          id_d    = arid;
          burst_d = arlen != 8'd0;
          state_d = BridgeAccess;
        end else if (awvalid) begin
          write_d = 1'b1;
          addr_d  = awaddr[AddrWidth-1:0];
          size_d  = awsize;
          id_d    = awid;
          burst_d = awlen != 8'd0;
          state_d = BridgeData;
        end
      end

      BridgeData: begin
        if (wvalid) begin
          data_d = wdata;
          strb_d = wstrb;
          if ((size_q == 3'd2) && addr_q[2]) begin
            data_d = {32'd0, wdata[63:32]};
            strb_d = {4'd0, wstrb[7:4]};
          end
          if (wlast) begin
            state_d = BridgeAccess;
          end
        end
      end

      BridgeAccess: begin
        wait_d = wait_q - One;
        if (effect) begin
          err_d   = unit_err;
          data_d  = unit_err ? 64'd0 : unit_rdata;
          if ((size_q == 3'd2) && addr_q[2]) begin
            data_d = {data_d[31:0], 32'd0};
          end
          state_d = BridgeRespond;
        end
      end

      BridgeRespond: begin
        if (write_q ? bready : rready) begin
          beats_d = beats_q - 8'd1;
          if (write_q || (beats_q == 8'd0)) begin
            state_d = BridgeIdle;
          end
        end
      end

      default: state_d = BridgeIdle;
    endcase
  end

  assign rsp_o[bus_pkg::RspArReady] = state_q == BridgeIdle;
  assign rsp_o[bus_pkg::RspAwReady] = (state_q == BridgeIdle) && !arvalid;
  assign rsp_o[bus_pkg::RspWReady] = state_q == BridgeData;
  assign rsp_o[bus_pkg::RspBValid] = (state_q == BridgeRespond) && write_q;
  assign rsp_o[bus_pkg::RspBResp +: 2] = err_q ? bus_pkg::RespSlvErr : bus_pkg::RespOkay;
  assign rsp_o[bus_pkg::RspBId +: 4] = id_q;
  assign rsp_o[bus_pkg::RspRValid] = (state_q == BridgeRespond) && !write_q;
  assign rsp_o[bus_pkg::RspRData +: 64] = data_q;
  assign rsp_o[bus_pkg::RspRResp +: 2] = err_q ? bus_pkg::RespSlvErr : bus_pkg::RespOkay;
  assign rsp_o[bus_pkg::RspRLast] = beats_q == 8'd0;
  assign rsp_o[bus_pkg::RspRId +: 4] = id_q;

  assign reg_en_o    = effect ? select : '0;
  assign reg_write_o = write_q;
  assign reg_addr_o  = addr_q[RegWidth-1:0];
  assign reg_wide_o  = size_q == 3'd3;
  assign reg_wdata_o = data_q;

  assign acc_o[reg_bus_pkg::AccWData +: 64] = data_q;
  assign acc_o[reg_bus_pkg::AccRData +: 64] = unit_err ? 64'd0 : unit_rdata;
  assign acc_o[reg_bus_pkg::AccAddr +: 36] = 36'(addr_q);
  assign acc_o[reg_bus_pkg::AccValid] = effect && legal && (broadcast || (select != '0));
  assign acc_o[reg_bus_pkg::AccWrite] = write_q;
  assign acc_o[reg_bus_pkg::AccWide] = reg_wide_o;
  assign acc_o[reg_bus_pkg::AccErr] = unit_err;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= BridgeIdle;
      write_q <= 1'b0;
      addr_q  <= '0;
      beats_q <= '0;
      size_q  <= '0;
      id_q    <= '0;
      wait_q  <= '0;
      burst_q <= 1'b0;
      data_q  <= '0;
      strb_q  <= '0;
      err_q   <= 1'b0;
    end else begin
      state_q <= state_d;
      write_q <= write_d;
      addr_q  <= addr_d;
      beats_q <= beats_d;
      size_q  <= size_d;
      id_q    <= id_d;
      wait_q  <= wait_d;
      burst_q <= burst_d;
      data_q  <= data_d;
      strb_q  <= strb_d;
      err_q   <= err_d;
    end
  end

  logic unused_fields;
  assign unused_fields = ^{awaddr[63:AddrWidth], araddr[63:AddrWidth], awburst, arburst};

endmodule
