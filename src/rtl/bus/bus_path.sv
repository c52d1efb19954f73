// SPDX-License-Identifier: Apache-2.0
// One path of the fabric: picks a requester, carries its transfer to a target and the answer
// back (docs/hw/bus.md, "Paths"). Requester 2m is manager m's reads, 2m+1 its writes.
module bus_path #(
  parameter int NrManager = 2,
  // Width of a target number.
  parameter int TargetWidth = 3,
  // The target number of the hole.
  parameter int Hole = 4
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [7:0]                         forward_cycles_i,
  input  logic [7:0]                         return_cycles_i,

  // Requesters: xVALID of those whose target is on this path, and their fields.
  input  logic [2*NrManager-1:0]             req_i,
  input  logic [2*NrManager*TargetWidth-1:0] req_target_i,
  input  logic [2*NrManager*64-1:0]          req_addr_i,
  input  logic [2*NrManager*8-1:0]           req_len_i,
  input  logic [2*NrManager*3-1:0]           req_size_i,
  input  logic [2*NrManager*2-1:0]           req_burst_i,
  input  logic [2*NrManager*4-1:0]           req_id_i,
  output logic [2*NrManager-1:0]             grant_o,

  // The guard.
  output logic                               chk_valid_o,
  output logic                               chk_write_o,
  output logic [63:0]                        chk_addr_o,
  output logic [7:0]                         chk_bytes_o,
  input  logic                               chk_error_i,
  input  logic [15:0]                        chk_stall_i,

  // Manager side of the data channels, of the manager that owns the path.
  output logic [NrManager-1:0]               owner_o,
  input  logic [NrManager*bus_pkg::ReqBits-1:0] m_req_i,
  output logic                               m_wready_o,
  output logic                               m_bvalid_o,
  output logic [1:0]                         m_bresp_o,
  output logic                               m_rvalid_o,
  output logic [63:0]                        m_rdata_o,
  output logic [1:0]                         m_rresp_o,
  output logic                               m_rlast_o,

  // Target side; t_target_o says which target takes part while the path is busy.
  output logic                               busy_o,
  output logic [TargetWidth-1:0]             t_target_o,
  output logic [3:0]                         t_id_o,
  output logic [63:0]                        t_addr_o,
  output logic [7:0]                         t_len_o,
  output logic [2:0]                         t_size_o,
  output logic                               t_awvalid_o,
  input  logic                               t_awready_i,
  output logic                               t_wvalid_o,
  output logic [63:0]                        t_wdata_o,
  output logic [7:0]                         t_wstrb_o,
  output logic                               t_wlast_o,
  input  logic                               t_wready_i,
  input  logic                               t_bvalid_i,
  input  logic [1:0]                         t_bresp_i,
  output logic                               t_bready_o,
  output logic                               t_arvalid_o,
  input  logic                               t_arready_i,
  input  logic                               t_rvalid_i,
  input  logic [63:0]                        t_rdata_i,
  input  logic [1:0]                         t_rresp_i,
  input  logic                               t_rlast_i,
  output logic                               t_rready_o
);

  localparam int NrRequester = 2 * NrManager;
  localparam int ReqWidth    = $clog2(NrRequester);
  localparam logic [ReqWidth-1:0] LastRequester = ReqWidth'(NrRequester - 1);

  // "Paths"
  typedef enum logic [2:0] {
    PathIdle,
    PathGrant,
    PathCheck,
    PathForward,
    PathAddress,
    PathData,
    PathResponse,
    PathError
  } path_state_e;

  path_state_e             state_d, state_q;
  logic [ReqWidth-1:0]     owner_d, owner_q;
  logic [TargetWidth-1:0]  target_q;
  logic [63:0]             addr_q;
  logic [7:0]              len_q;
  logic [2:0]              size_q;
  logic [1:0]              burst_q;
  logic [3:0]              id_q;
  logic                    error_d, error_q;    // the transfer reaches no target
  logic [16:0]             wait_d, wait_q;      // cycles left in FORWARD
  logic [7:0]              hold_d, hold_q;      // cycles left of the hold
  logic [7:0]              beats_d, beats_q;    // ERROR, read: beats left - 1
  logic                    taken_d, taken_q;    // ERROR, write: all W beats are in

  // The pick: the first requester above the last owner, wrapping.
  logic                    pick_valid;
  logic [ReqWidth-1:0]     pick;
  always_comb begin
    pick_valid = 1'b0;
    pick       = owner_q;
    if ((state_q == PathIdle) && (req_i != '0)) begin
      for (int i = 0; i < NrRequester; i++) begin
        if (req_i[i] && (ReqWidth'(i) > owner_q) && !pick_valid) begin
          pick_valid = 1'b1;
          pick       = ReqWidth'(i);
        end
      end
      for (int i = 0; i < NrRequester; i++) begin
        if (req_i[i] && !pick_valid) begin
          pick_valid = 1'b1;
          pick       = ReqWidth'(i);
        end
      end
    end
  end

  // The owner's wires, while there is a transfer.
  logic        own_wvalid, own_wlast, own_bready, own_rready;
  logic [63:0] own_wdata;
  logic [7:0]  own_wstrb;
  logic        write;
  assign write = owner_q[0];
  always_comb begin
    owner_o    = '0;
    own_wvalid = 1'b0;
    own_wlast  = 1'b0;
    own_bready = 1'b0;
    own_rready = 1'b0;
    own_wdata  = '0;
    own_wstrb  = '0;
    if (busy_o) begin
      for (int m = 0; m < NrManager; m++) begin
        if ((owner_q >> 1) == ReqWidth'(m)) begin
          owner_o[m] = 1'b1;
          own_wvalid = m_req_i[bus_pkg::ReqBits*m + bus_pkg::ReqWValid];
          own_wlast  = m_req_i[bus_pkg::ReqBits*m + bus_pkg::ReqWLast];
          own_bready = m_req_i[bus_pkg::ReqBits*m + bus_pkg::ReqBReady];
          own_rready = m_req_i[bus_pkg::ReqBits*m + bus_pkg::ReqRReady];
          own_wdata  = m_req_i[bus_pkg::ReqBits*m + bus_pkg::ReqWData +: 64];
          own_wstrb  = m_req_i[bus_pkg::ReqBits*m + bus_pkg::ReqWStrb +: 8];
        end
      end
    end
  end

  // "What a manager may ask for": one INCR burst of whole beats, or one aligned beat.
  logic [15:0] bytes;
  logic        aligned, malformed, hole;
  assign bytes = ({8'd0, len_q} + 16'd1) << size_q;
  always_comb begin
    unique case (size_q)
      3'd0:    aligned = 1'b1;
      3'd1:    aligned = !addr_q[0];
      3'd2:    aligned = addr_q[1:0] == 2'd0;
      3'd3:    aligned = addr_q[2:0] == 3'd0;
      default: aligned = 1'b0;
    endcase
  end
  assign malformed = !aligned || (burst_q != 2'd1) || (len_q > 8'd15) ||
                     ((len_q != 8'd0) && (size_q != 3'd3)) ||
                     (({4'd0, addr_q[11:0]} + bytes) > 16'h1000);
  assign hole      = target_q == TargetWidth'(Hole);

  assign chk_valid_o = state_q == PathCheck;
  assign chk_write_o = write;
  assign chk_addr_o  = addr_q;
  // A malformed transfer may ask for more; "Guard" counts 128 at most.
  assign chk_bytes_o = (bytes > 16'd128) ? 8'd128 : bytes[7:0];

  logic [16:0] forward;
  assign forward = {9'd0, forward_cycles_i} + {1'b0, chk_stall_i};

  logic r_open, b_open;
  assign r_open = (state_q == PathData) && !write && (hold_q == 8'd0);
  assign b_open = (state_q == PathResponse) && (hold_q == 8'd0);

  always_comb begin
    state_d     = state_q;
    owner_d     = owner_q;
    error_d     = error_q;
    wait_d      = wait_q;
    hold_d      = hold_q;
    beats_d     = beats_q;
    taken_d     = taken_q;
    m_wready_o  = 1'b0;
    m_bvalid_o  = 1'b0;
    m_bresp_o   = t_bresp_i;
    m_rvalid_o  = 1'b0;
    m_rdata_o   = t_rdata_i;
    m_rresp_o   = t_rresp_i;
    m_rlast_o   = t_rlast_i;
    t_awvalid_o = 1'b0;
    t_arvalid_o = 1'b0;
    t_wvalid_o  = 1'b0;
    t_bready_o  = b_open && own_bready;
    t_rready_o  = r_open && own_rready;

    unique case (state_q)
      PathIdle: begin
        if (pick_valid) begin
          owner_d = pick;
          state_d = PathGrant;
        end
      end

      PathGrant: state_d = PathCheck;

      PathCheck: begin
        error_d = hole || malformed || chk_error_i;
        wait_d  = forward - 17'd1;
        hold_d  = return_cycles_i;
        beats_d = len_q;
        taken_d = 1'b0;
        if (forward != 17'd0) begin
          state_d = PathForward;
        end else begin
          if (error_d) state_d = PathError;
          else         state_d = PathAddress;
        end
      end

      PathForward: begin
        wait_d = wait_q - 17'd1;
        if (wait_q == 17'd0) begin
          if (error_q) state_d = PathError;
          else         state_d = PathAddress;
        end
      end

      PathAddress: begin
        t_awvalid_o = write;
        t_arvalid_o = !write;
        if (write ? t_awready_i : t_arready_i) begin
          state_d = PathData;
        end
      end

      PathData: begin
        if (write) begin
          t_wvalid_o = own_wvalid;
          m_wready_o = t_wready_i;
          if (own_wvalid && t_wready_i && own_wlast) begin
            state_d = PathResponse;
          end
        end else begin
          m_rvalid_o = t_rvalid_i && r_open;
          if (t_rvalid_i && (hold_q != 8'd0)) begin
            hold_d = hold_q - 8'd1;
          end
          if (m_rvalid_o && own_rready && t_rlast_i) begin
            state_d = PathIdle;
          end
        end
      end

      PathResponse: begin
        m_bvalid_o = t_bvalid_i && b_open;
        if (t_bvalid_i && (hold_q != 8'd0)) begin
          hold_d = hold_q - 8'd1;
        end
        if (m_bvalid_o && own_bready) begin
          state_d = PathIdle;
        end
      end

      PathError: begin
        m_bresp_o = hole ? bus_pkg::RespDecErr : bus_pkg::RespSlvErr;
        m_rresp_o = hole ? bus_pkg::RespDecErr : bus_pkg::RespSlvErr;
        m_rdata_o = '0;
        m_rlast_o = beats_q == 8'd0;
        if (write && !taken_q) begin
          m_wready_o = 1'b1;
          taken_d    = own_wvalid && own_wlast;
        end else if (hold_q != 8'd0) begin
          hold_d = hold_q - 8'd1;
        end else if (write) begin
          m_bvalid_o = 1'b1;
          if (own_bready) begin
            state_d = PathIdle;
          end
        end else begin
          m_rvalid_o = 1'b1;
          if (own_rready) begin
            beats_d = beats_q - 8'd1;
            if (beats_q == 8'd0) begin
              state_d = PathIdle;
            end
          end
        end
      end

      default: state_d = PathIdle;
    endcase
  end

  always_comb begin
    grant_o = '0;
    if (state_q == PathGrant) begin
      for (int i = 0; i < NrRequester; i++) begin
        grant_o[i] = owner_q == ReqWidth'(i);
      end
    end
  end

  assign busy_o     = state_q != PathIdle;
  assign t_target_o = target_q;
  assign t_id_o     = id_q;
  assign t_addr_o   = addr_q;
  assign t_len_o    = len_q;
  assign t_size_o   = size_q;
  assign t_wdata_o  = own_wdata;
  assign t_wstrb_o  = own_wstrb;
  assign t_wlast_o  = own_wlast;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= PathIdle;
      owner_q <= LastRequester;
      error_q <= 1'b0;
      wait_q  <= '0;
      hold_q  <= '0;
      beats_q <= '0;
      taken_q <= 1'b0;
    end else begin
      state_q <= state_d;
      owner_q <= owner_d;
      error_q <= error_d;
      wait_q  <= wait_d;
      hold_q  <= hold_d;
      beats_q <= beats_d;
      taken_q <= taken_d;
    end
  end

  // The fields of the transfer, captured with the address handshake.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      target_q <= '0;
      addr_q   <= '0;
      len_q    <= '0;
      size_q   <= '0;
      burst_q  <= '0;
      id_q     <= '0;
    end else if (state_q == PathGrant) begin
      for (int i = 0; i < NrRequester; i++) begin
        if (owner_q == ReqWidth'(i)) begin
          target_q <= req_target_i[TargetWidth*i +: TargetWidth];
          addr_q   <= req_addr_i[64*i +: 64];
          len_q    <= req_len_i[8*i +: 8];
          size_q   <= req_size_i[3*i +: 3];
          burst_q  <= req_burst_i[2*i +: 2];
          id_q     <= req_id_i[4*i +: 4];
        end
      end
    end
  end

endmodule
