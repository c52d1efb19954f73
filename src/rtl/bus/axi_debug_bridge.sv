// SPDX-License-Identifier: Apache-2.0
// The register bridge of a cluster: slower by a clock ratio, and with posted writes
// (docs/hw/bus.md, "The bridge of a cluster"). With ratio 1 and no places it is axi_reg_bridge.
module axi_debug_bridge #(
  parameter int NrSlot = 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [7:0]           access_cycles_i,
  input  logic [4:0]           ratio_i,
  input  logic [3:0]           posted_i,
  input  logic [NrSlot-1:0]    present_i,

  input  logic [bus_pkg::ReqBits-1:0] req_i,
  output logic [bus_pkg::RspBits-1:0] rsp_o,

  // Register ports.
  output logic [NrSlot-1:0]    reg_en_o,
  output logic                 reg_write_o,
  output logic [15:0]          reg_addr_o,
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

  localparam int NrPlace = 8;

  // --- the side of the fabric ---
  typedef enum logic [1:0] {
    FrontIdle,
    FrontData,
    FrontAccess,
    FrontRespond
  } front_state_e;

  front_state_e state_d, state_q;
  logic         write_q, burst_q, err_q;
  logic [19:0]  addr_q;
  logic [2:0]   size_q;
  logic [3:0]   id_q;
  logic [7:0]   beats_q;           // of the answer to a read: left, minus one
  logic [63:0]  data_q;            // write data right-aligned, then read data on its lanes
  logic [7:0]   strb_q;            // right-aligned

  // The write data of this cycle, right-aligned.
  logic        upper;
  logic [63:0] w_data;
  logic [7:0]  w_strb;
  assign upper  = (size_q == 3'd2) && addr_q[2];
  assign w_data = upper ? {32'd0, wdata[63:32]} : wdata;
  assign w_strb = upper ? {4'd0, wstrb[7:4]} : wstrb;

  logic              to_all;
  logic [NrSlot-1:0] front_slots;  // that the front's access is for
  always_comb begin
    for (int i = 0; i < NrSlot; i++) begin
      front_slots[i] = present_i[i] && (to_all || (addr_q[19:16] == 4'(i)));
    end
  end

  logic whole, reads_all;
  assign to_all    = addr_q[19:16] == reg_bus_pkg::BroadcastSlot;
  assign whole     = !burst_q && ((size_q == 3'd2) || (size_q == 3'd3));
  assign reads_all = to_all && !write_q;

  // --- posted writes: a row of places, the oldest in place 0 ---
  localparam int PlaceBits = 84;   // address, data
  logic [PlaceBits*NrPlace-1:0] place_q;
  logic [NrPlace-1:0] wide_q;
  logic [3:0]  count_q;
  logic        posts, room, push, pop, acceptable;
  assign posts      = posted_i != 4'd0;
  assign room       = !posts || burst_q || (count_q < posted_i);
  assign acceptable = whole && ((size_q == 3'd3) ? (w_strb == 8'hff) : (w_strb[3:0] == 4'hf)) &&
                      (to_all || (front_slots != '0));
  assign push       = posts && (state_q == FrontData) && wvalid && room && wlast && acceptable;

  // --- the access under way: the oldest posted write, or what the front has ---
  logic        run_q;              // it has begun
  logic [11:0] left_q;             // cycles left after this one
  logic [3:0]  phase_q;            // bus cycles since the last edge of the debug bus
  logic        from_place, wants, begins, effect;
  logic [11:0] length;
  assign from_place = count_q != 4'd0;
  assign wants      = from_place || (state_q == FrontAccess);
  assign begins     = wants && !run_q && (phase_q == 4'd0);
  assign length     = {4'd0, access_cycles_i} * {7'd0, ratio_i} - 12'd1;
  assign effect     = wants && (run_q ? (left_q == 12'd0) : (begins && (length == 12'd0)));
  assign pop        = effect && from_place;

  logic        a_write, a_wide;
  logic [19:0] a_addr;
  logic [63:0] a_data;
  assign a_write = from_place || write_q;
  assign a_wide  = from_place ? wide_q[0] : (size_q == 3'd3);
  assign a_addr  = from_place ? place_q[83:64] : addr_q;
  assign a_data  = from_place ? place_q[63:0] : data_q;

  logic [NrSlot-1:0] late_q;       // an error of a posted write that nobody has been told
  logic [NrSlot-1:0] slots, select;
  logic              a_all, legal, late;
  assign a_all  = a_addr[19:16] == reg_bus_pkg::BroadcastSlot;
  always_comb begin
    for (int i = 0; i < NrSlot; i++) begin
      slots[i] = present_i[i] && (a_all || (a_addr[19:16] == 4'(i)));
    end
  end
  assign late   = !a_write && !a_all && whole && ((late_q & slots) != '0);
  assign legal  = from_place ||
                  (whole && !reads_all && !late &&
                   (!write_q || ((size_q == 3'd3) ? (strb_q == 8'hff) : (strb_q[3:0] == 4'hf))));
  assign select = legal ? slots : '0;

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
    if (a_write) unit_rdata = '0;
    if (a_all && legal) unit_err = 1'b0;
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      FrontIdle: begin
        if (arvalid)      state_d = FrontAccess;
        else if (awvalid) state_d = FrontData;
      end
      FrontData: begin
        if (wvalid && room && wlast) begin
          if (posts) state_d = FrontRespond;
          else       state_d = FrontAccess;
        end
      end
      FrontAccess:  if (effect && !from_place) state_d = FrontRespond;
      FrontRespond: if (write_q ? bready : (rready && (beats_q == 8'd0))) state_d = FrontIdle;
      default:      state_d = FrontIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= FrontIdle;
      write_q <= 1'b0;
      burst_q <= 1'b0;
      err_q   <= 1'b0;
      addr_q  <= '0;
      size_q  <= '0;
      id_q    <= '0;
      beats_q <= '0;
      data_q  <= '0;
      strb_q  <= '0;
    end else begin
      state_q <= state_d;
      if (state_q == FrontIdle) begin
        write_q <= !arvalid;
        addr_q  <= arvalid ? araddr[19:0] : awaddr[19:0];
        size_q  <= arvalid ? arsize : awsize;
        id_q    <= arvalid ? arid : awid;
        burst_q <= arvalid ? (arlen != 8'd0) : (awlen != 8'd0);
        beats_q <= arlen;
      end
      if ((state_q == FrontData) && wvalid && room) begin
        data_q <= w_data;
        strb_q <= w_strb;
        err_q  <= !acceptable;
      end
      if (effect && !from_place) begin
        err_q  <= unit_err;
        data_q <= unit_err ? 64'd0 : (upper ? {unit_rdata[31:0], 32'd0} : unit_rdata);
      end
      if ((state_q == FrontRespond) && !write_q && rready) beats_q <= beats_q - 8'd1;
    end
  end

  logic [3:0] last_place;          // where a write is pushed to
  assign last_place = count_q - {3'd0, pop};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      wide_q  <= '0;
      place_q <= '0;
    end else begin
      count_q <= count_q + {3'd0, push} - {3'd0, pop};
      for (int i = 0; i < NrPlace; i++) begin
        if (push && (last_place == 4'(i))) begin
          place_q[PlaceBits*i +: PlaceBits] <= {addr_q, w_data};
          wide_q[i]                         <= size_q == 3'd3;
        end else if (pop) begin
          // Nothing comes from behind the last place: it is never looked at then.
          place_q[PlaceBits*i +: PlaceBits] <= place_q[PlaceBits*((i + 1) % NrPlace) +: PlaceBits];
          wide_q[i]                         <= wide_q[(i + 1) % NrPlace];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q   <= 1'b0;
      left_q  <= '0;
      phase_q <= '0;
      late_q  <= '0;
    end else begin
      phase_q <= ({1'b0, phase_q} + 5'd1 == ratio_i) ? 4'd0 : phase_q + 4'd1;
      run_q   <= (run_q || begins) && !effect;
      left_q  <= (begins ? length : left_q) - 12'd1;
      if (pop && !a_all) late_q <= late_q | (reg_err_i & slots);
      if (effect && late) late_q <= late_q & ~slots;
    end
  end

  assign rsp_o[bus_pkg::RspArReady] = state_q == FrontIdle;
  assign rsp_o[bus_pkg::RspAwReady] = (state_q == FrontIdle) && !arvalid;
  assign rsp_o[bus_pkg::RspWReady] = (state_q == FrontData) && room;
  assign rsp_o[bus_pkg::RspBValid] = (state_q == FrontRespond) && write_q;
  assign rsp_o[bus_pkg::RspBResp +: 2] = err_q ? bus_pkg::RespSlvErr : bus_pkg::RespOkay;
  assign rsp_o[bus_pkg::RspBId +: 4] = id_q;
  assign rsp_o[bus_pkg::RspRValid] = (state_q == FrontRespond) && !write_q;
  assign rsp_o[bus_pkg::RspRData +: 64] = data_q;
  assign rsp_o[bus_pkg::RspRResp +: 2] = err_q ? bus_pkg::RespSlvErr : bus_pkg::RespOkay;
  assign rsp_o[bus_pkg::RspRLast] = beats_q == 8'd0;
  assign rsp_o[bus_pkg::RspRId +: 4] = id_q;

  assign reg_en_o    = effect ? select : '0;
  assign reg_write_o = a_write;
  assign reg_addr_o  = a_addr[15:0];
  assign reg_wide_o  = a_wide;
  assign reg_wdata_o = a_data;

  assign acc_o[reg_bus_pkg::AccWData +: 64] = a_data;
  assign acc_o[reg_bus_pkg::AccRData +: 64] = unit_err ? 64'd0 : unit_rdata;
  assign acc_o[reg_bus_pkg::AccAddr +: 36] = 36'(a_addr);
  assign acc_o[reg_bus_pkg::AccValid] = effect && legal && (a_all || (select != '0));
  assign acc_o[reg_bus_pkg::AccWrite] = a_write;
  assign acc_o[reg_bus_pkg::AccWide] = a_wide;
  assign acc_o[reg_bus_pkg::AccErr] = unit_err;

  logic unused_fields;
  assign unused_fields = ^{awaddr[63:20], araddr[63:20], awburst, arburst};

endmodule
