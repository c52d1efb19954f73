// SPDX-License-Identifier: Apache-2.0
// The bus port of a core's engine: posts first, then the records of the threads in turn, one
// burst at a time (docs/hw/imc.md, "Writer").
module imc_writer #(
  parameter int NrThread = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    hold_i,          // no power: nothing is taken

  // What waits.
  input  logic                    core_waits_i,
  input  logic                    thread_waits_i,
  input  logic [55:0]             core_addr_i,
  input  logic [55:0]             thread_addr_i,
  input  logic [255:0]            post_data_i,
  input  logic [NrThread-1:0]     record_waits_i,
  input  logic [NrThread*56-1:0]  record_addr_i,
  input  logic [NrThread*64-1:0]  record_snap_i,
  input  logic [NrThread*512-1:0] record_data_i,
  output logic                    take_core_o,
  output logic                    take_thread_o,
  output logic [NrThread-1:0]     take_record_o,

  // What is being written, and its end.
  output logic                    busy_o,
  output logic                    record_o,        // a record is being written
  output logic                    core_post_o,     // a core's post is being written
  output logic                    done_o,          // the cycle of the response
  output logic [1:0]              thread_o,        // of a record
  output logic [63:0]             snap_o,
  output logic [31:0]             number_o,        // records of the thread before this one

  // AXI4 write channels.
  output logic [bus_pkg::ReqBits-1:0] req_o,
  input  logic [bus_pkg::RspBits-1:0] rsp_i
);

  // The response by its fields.
  wire        awready = rsp_i[bus_pkg::RspAwReady];
  wire        wready = rsp_i[bus_pkg::RspWReady];
  wire        bvalid = rsp_i[bus_pkg::RspBValid];

  // Bit 56 makes the address one that is added to (docs/hw/bus.md, "Adding").
  localparam logic [7:0] Add   = 8'd1;
  localparam logic [7:0] Plain = 8'd0;

  logic                   busy_q, record_q, core_q;
  logic                   aw_q, w_q;
  logic [63:0]            addr_q;
  logic [511:0]           data_q;    // the word of the beat lowest
  logic [2:0]             left_q;    // beats after this one
  logic [1:0]             thread_q;  // of the record taken last
  logic [1:0]             next_q;    // where the search begins
  logic [63:0]            snap_q;
  logic [NrThread*32-1:0] number_q;  // records carried out

  // --- pick ---
  logic       idle;
  logic [1:0] pick;
  assign idle = !busy_q && !hold_i;
  always_comb begin
    pick = 2'd0;
    for (int t = NrThread - 1; t >= 0; t--) begin
      if (record_waits_i[t]) pick = 2'(t);
    end
    for (int t = NrThread - 1; t >= 0; t--) begin
      if (record_waits_i[t] && (2'(t) >= next_q)) pick = 2'(t);
    end
  end

  logic take_record;
  assign take_core_o   = idle && core_waits_i;
  assign take_thread_o = idle && !core_waits_i && thread_waits_i;
  assign take_record   = idle && !core_waits_i && !thread_waits_i && (record_waits_i != '0);
  always_comb begin
    for (int t = 0; t < NrThread; t++) begin
      take_record_o[t] = take_record && (pick == 2'(t));
    end
  end

  logic done;
  assign done = busy_q && bvalid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      record_q <= 1'b0;
      core_q   <= 1'b0;
      aw_q     <= 1'b0;
      w_q      <= 1'b0;
      left_q   <= '0;
      thread_q <= '0;
      next_q   <= '0;
      number_q <= '0;
    end else begin
      if (awready) aw_q <= 1'b0;
      if (w_q && wready) begin
        left_q <= left_q - 3'd1;
        if (left_q == 3'd0) w_q <= 1'b0;
      end
      if (done) begin
        busy_q   <= 1'b0;
        record_q <= 1'b0;
        core_q   <= 1'b0;
      end
      if (take_core_o || take_thread_o || take_record) begin
        busy_q   <= 1'b1;
        record_q <= take_record;
        core_q   <= take_core_o;
        aw_q     <= 1'b1;
        w_q      <= 1'b1;
        left_q   <= take_record ? 3'd7 : 3'd3;
      end
      for (int t = 0; t < NrThread; t++) begin
        if (take_record_o[t]) begin
          thread_q <= 2'(t);
          next_q   <= (t == NrThread - 1) ? 2'd0 : 2'(t + 1);
        end
        if (done && record_q && (thread_q == 2'(t))) begin
          number_q[32*t +: 32] <= number_q[32*t +: 32] + 32'd1;
        end
      end
    end
  end

  // Address and data are those of the transfer from its take to its response.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      addr_q <= '0;
      data_q <= '0;
      snap_q <= '0;
    end else begin
      if (w_q && wready) data_q <= {64'd0, data_q[511:64]};
      if (take_core_o || take_thread_o) begin
        addr_q <= {Add, take_core_o ? core_addr_i : thread_addr_i};
        data_q <= {256'd0, post_data_i};
      end
      for (int t = 0; t < NrThread; t++) begin
        if (take_record_o[t]) begin
          addr_q <= {Plain, record_addr_i[56*t +: 56]};
          data_q <= record_data_i[512*t +: 512];
          snap_q <= record_snap_i[64*t +: 64];
        end
      end
    end
  end

  logic [31:0] number;
  always_comb begin
    number = '0;
    for (int t = 0; t < NrThread; t++) begin
      if (thread_q == 2'(t)) number = number_q[32*t +: 32];
    end
  end

  assign busy_o      = busy_q;
  assign record_o    = record_q;
  assign core_post_o = core_q;
  assign done_o      = done;
  assign thread_o    = thread_q;
  assign snap_o      = snap_q;
  assign number_o    = number;

  assign req_o[bus_pkg::ReqAwId +: 4] = 4'd0;
  assign req_o[bus_pkg::ReqAwAddr +: 64] = addr_q;
  assign req_o[bus_pkg::ReqAwLen +: 8] = record_q ? 8'd7 : 8'd3;
  assign req_o[bus_pkg::ReqAwSize +: 3] = 3'd3;
  assign req_o[bus_pkg::ReqAwBurst +: 2] = 2'd1;
  assign req_o[bus_pkg::ReqAwValid] = aw_q;
  // Memory is big-endian: the first byte lane has the most significant byte.
  assign req_o[bus_pkg::ReqWData +: 64] = {data_q[7:0], data_q[15:8], data_q[23:16], data_q[31:24],
                      data_q[39:32], data_q[47:40], data_q[55:48], data_q[63:56]};
  assign req_o[bus_pkg::ReqWStrb +: 8] = 8'hff;
  assign req_o[bus_pkg::ReqWLast] = left_q == 3'd0;
  assign req_o[bus_pkg::ReqWValid] = w_q;
  assign req_o[bus_pkg::ReqBReady] = 1'b1;

  // It only writes.
  assign req_o[bus_pkg::ReqArAddr +: 64] = '0;
  assign req_o[bus_pkg::ReqArLen +: 8] = '0;
  assign req_o[bus_pkg::ReqArId +: 4] = '0;
  assign req_o[bus_pkg::ReqArSize +: 3] = '0;
  assign req_o[bus_pkg::ReqArBurst +: 2] = '0;
  assign req_o[bus_pkg::ReqArValid] = 1'b0;
  assign req_o[bus_pkg::ReqRReady] = 1'b0;
  logic unused_rsp;
  assign unused_rsp = ^rsp_i;

endmodule
