// SPDX-License-Identifier: Apache-2.0
// The posting engine: the states of a tick, the program's rows and the postings that end
// (docs/hw/nest.md, "A tick", "Probe records").
module nest_engine #(
  parameter bit Power10 = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [63:0] base_i,

  // Ticks.
  input  logic        tick_waits_i,
  output logic        take_tick_o,
  input  logic [63:0] cycle_i,

  // Registers: docs/hw/nest.md, "DECIDE".
  output logic        decide_o,
  output logic [63:0] command_o,
  output logic [63:0] speed_o,
  output logic [63:0] block_units_o,
  output logic [63:0] block_mode_o,
  input  logic [5:0]  todo_i,        // SCAN, STATUS, MODE, UNITS, VERSION, CLEAN
  input  logic [2:0]  status_i,
  input  logic [63:0] units_i,
  input  logic [63:0] mode_i,
  input  logic [12:0] posted_i,
  input  logic        epoch2_i,      // of the visit, by group
  input  logic [1:0]  epoch4_i,

  // Counters.
  output logic        collect_o,
  output logic        counts_o,
  output logic [8:0]  number_o,
  output logic [5:0]  width_o,
  output logic [1:0]  style_o,
  output logic [3:0]  index_o,
  input  logic [63:0] collected_i,   // the doubleword of the beat

  // Bus port.
  output logic        start_o,
  output logic        write_o,
  output logic [63:0] addr_o,
  output logic [4:0]  beats_o,
  input  logic [3:0]  beat_i,
  output logic [63:0] word_o,
  input  logic        word_en_i,
  input  logic [63:0] word_i,
  input  logic        done_i,
  input  logic        error_i,
  input  logic [1:0]  bresp_i,

  // A posting ends in this cycle.
  output logic        sample_valid_o,
  output logic [3:0]  sample_group_o,
  output logic [63:0] sample_addr_o,
  output logic [31:0] sample_number_o,
  output logic [15:0] sample_bytes_o,
  output logic [1:0]  sample_resp_o,
  output logic [63:0] sample_start_o
);

  // "POWER10"
  localparam logic [6:0]  LastRow    = Power10 ? 7'(nest_p10_rows_pkg::NrRow - 1)
                                               : 7'(nest_rows_pkg::NrRow - 1);
  localparam logic [4:0]  LastClean  = Power10 ? 5'd28 : 5'd14; // its burst is short:
  localparam logic [4:0]  ShortBeats = Power10 ? 5'd2 : 5'd14;
  localparam logic [63:0] Add       = 64'h0100_0000_0000_0000; // docs/hw/bus.md, "Adding"
  localparam logic [63:0] DebugPlace = 64'h10000;

  logic [3:0] state_q;
  logic       first_q;               // the first cycle of a transfer's state
  logic [5:0] todo_q;                // states that are to come before the tick ends
  logic [4:0] burst_q;               // of CLEAN
  logic [6:0] row_q;
  logic [3:0] index_q;               // of COLLECT

  // --- the row ---
  logic [3:0]  row_group, row_slot;  // and from 0 on
  logic [1:0]  row_kind, row_epoch, epoch;
  logic [11:0] row_offset;
  logic [3:0]  row_count;
  logic [63:0] row_units;
  logic        row_posted, row_due, row_ends, row_stores;
  assign row_group  = Power10 ? nest_p10_rows_pkg::GROUP[4*row_q +: 4]
                               : nest_rows_pkg::GROUP[4*row_q +: 4];
  assign row_kind   = Power10 ? nest_p10_rows_pkg::KIND[2*row_q +: 2]
                               : nest_rows_pkg::KIND[2*row_q +: 2];
  assign row_epoch  = Power10 ? nest_p10_rows_pkg::EPOCH[2*row_q +: 2]
                               : nest_rows_pkg::EPOCH[2*row_q +: 2];
  assign row_offset = Power10 ? nest_p10_rows_pkg::OFFSET[12*row_q +: 12]
                               : nest_rows_pkg::OFFSET[12*row_q +: 12];
  assign row_count  = Power10 ? nest_p10_rows_pkg::COUNT[4*row_q +: 4]
                               : nest_rows_pkg::COUNT[4*row_q +: 4];
  assign row_units  = Power10 ? nest_p10_rows_pkg::UNITS[64*row_q +: 64]
                               : nest_rows_pkg::UNITS[64*row_q +: 64];
  assign row_slot   = row_group - 4'd1;
  assign row_posted = posted_i[row_slot];
  assign epoch      = (row_group == 4'd2) ? {1'b0, epoch2_i} : epoch4_i;
  assign row_due    = row_posted &&
                      ((row_epoch == nest_rows_pkg::EPOCH_ALL) || (row_epoch == epoch)) &&
                      (&row_units || ((row_units & units_i) != 64'd0));
  assign row_ends   = index_q + 4'd1 == row_count;
  assign row_stores = style_o == nest_rows_pkg::STYLE_STORE;

  // --- states ---
  function automatic logic [3:0] first_of(input logic [5:0] steps);
    if (steps[0])      first_of = nest_pkg::StClean;
    else if (steps[1]) first_of = nest_pkg::StVersion;
    else if (steps[2]) first_of = nest_pkg::StUnits;
    else if (steps[3]) first_of = nest_pkg::StMode;
    else if (steps[4]) first_of = nest_pkg::StStatus;
    else if (steps[5]) first_of = nest_pkg::StScan;
    else              first_of = nest_pkg::StIdle;
  endfunction

  function automatic logic [5:0] rest_of(input logic [5:0] steps);
    rest_of = steps & (steps - 6'd1);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= nest_pkg::StIdle;
      first_q <= 1'b0;
      todo_q  <= '0;
      burst_q <= '0;
      row_q   <= '0;
      index_q <= '0;
    end else begin
      first_q <= 1'b0;
      case (state_q)
        nest_pkg::StIdle: begin
          if (tick_waits_i) begin
            state_q <= nest_pkg::StLook;
            first_q <= 1'b1;
          end
        end

        nest_pkg::StLook: begin
          if (done_i) begin
            if (error_i) state_q <= nest_pkg::StIdle;
            else         state_q <= nest_pkg::StDecide;
          end
        end

        nest_pkg::StDecide: begin
          state_q <= first_of(todo_i);
          todo_q  <= rest_of(todo_i);
          first_q <= 1'b1;
          burst_q <= '0;
          row_q   <= '0;
          index_q <= '0;
        end

        nest_pkg::StScan: begin
          if (row_due) begin
            state_q <= nest_pkg::StCollect;
          end else begin
            row_q <= row_q + 7'd1;
            if (row_q == LastRow) state_q <= nest_pkg::StIdle;
          end
        end

        nest_pkg::StCollect: begin
          index_q <= index_q + 4'd1;
          if (row_ends) begin
            state_q <= nest_pkg::StPost;
            first_q <= 1'b1;
            index_q <= '0;
          end
        end

        nest_pkg::StPost: begin
          if (done_i) begin
            row_q <= row_q + 7'd1;
            if (row_q == LastRow) state_q <= nest_pkg::StIdle;
            else                  state_q <= nest_pkg::StScan;
          end
        end

        // CLEAN to STATUS: a write, of which CLEAN has many.
        default: begin
          if (done_i) begin
            first_q <= 1'b1;
            if ((state_q == nest_pkg::StClean) && (burst_q != LastClean)) begin
              burst_q <= burst_q + 5'd1;
            end else begin
              state_q <= first_of(todo_q);
              todo_q  <= rest_of(todo_q);
            end
          end
        end
      endcase
    end
  end

  assign take_tick_o = (state_q == nest_pkg::StIdle) && tick_waits_i;
  assign decide_o    = state_q == nest_pkg::StDecide;

  // --- LOOK: the control block ---
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      command_o     <= '0;
      speed_o       <= '0;
      block_units_o <= '0;
      block_mode_o  <= '0;
    end else if (word_en_i) begin
      if (beat_i == 4'd1) command_o     <= word_i;
      if (beat_i == 4'd2) speed_o       <= word_i;
      if (beat_i == 4'd3) block_units_o <= word_i;
      if (beat_i == 4'd4) block_mode_o  <= word_i;
    end
  end

  // --- transfers ---
  logic [63:0] place;                // of rows: a second one for debugging
  logic        debugs;
  assign debugs = (row_group == 4'd1) || (Power10 && (row_group == 4'd2));
  assign place  = base_i + (((mode_i == nest_pkg::ModeDebug) && debugs) ? DebugPlace : 64'd0);

  always_comb begin
    beats_o = 5'd1;
    word_o  = 64'd0;
    case (state_q)
      nest_pkg::StLook: begin
        addr_o  = base_i + nest_pkg::Block;
        beats_o = 5'd6;
      end
      nest_pkg::StClean: begin
        addr_o  = base_i + {52'd0, burst_q, 7'd0};
        beats_o = (burst_q == LastClean) ? ShortBeats : 5'd16;
      end
      nest_pkg::StVersion: begin
        addr_o = base_i + nest_pkg::VersionPlace;
        word_o = nest_pkg::Version;
      end
      nest_pkg::StUnits: begin
        addr_o = base_i + nest_pkg::BlockUnits;
        word_o = nest_pkg::DefaultUnits;
      end
      nest_pkg::StMode: begin
        addr_o = base_i + nest_pkg::BlockState;
        word_o = mode_i;
      end
      nest_pkg::StStatus: begin
        addr_o  = base_i + nest_pkg::Block;
        beats_o = 5'd2;
        word_o  = (beat_i == 4'd0) ? {61'd0, status_i} : 64'd0;
      end
      default: begin                 // POST
        addr_o  = (place + {52'd0, row_offset}) | (row_stores ? 64'd0 : Add);
        beats_o = {1'b0, row_count};
        word_o  = collected_i;
      end
    endcase
  end

  assign start_o = first_q && (state_q != nest_pkg::StIdle) && (state_q != nest_pkg::StScan);
  assign write_o = state_q != nest_pkg::StLook;

  // --- COLLECT ---
  assign collect_o = state_q == nest_pkg::StCollect;
  assign counts_o  = row_kind == nest_rows_pkg::KIND_COUNTERS;
  assign number_o  = (Power10 ? nest_p10_rows_pkg::FIRST[9*row_q +: 9]
                              : nest_rows_pkg::FIRST[9*row_q +: 9]) + {5'd0, index_q};
  assign width_o   = Power10 ? nest_p10_rows_pkg::WIDTH[6*row_q +: 6]
                             : nest_rows_pkg::WIDTH[6*row_q +: 6];
  assign style_o   = Power10 ? nest_p10_rows_pkg::STYLE[2*row_q +: 2]
                             : nest_rows_pkg::STYLE[2*row_q +: 2];
  assign index_o   = index_q;

  // --- postings ---
  logic [63:0]  start_q;             // cycle of the header's COLLECT
  logic [11:0]  header_q;            // its offset
  logic [7:0]   words_q;             // doublewords so far
  logic [415:0] number_q;            // 32 bits a group

  assign sample_valid_o = (state_q == nest_pkg::StPost) && done_i &&
                          (row_kind == nest_rows_pkg::KIND_TRAILER);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q  <= '0;
      header_q <= '0;
      words_q  <= '0;
      number_q <= '0;
    end else begin
      if (collect_o && (row_kind == nest_rows_pkg::KIND_HEADER)) begin
        start_q  <= cycle_i;
        header_q <= row_offset;
        words_q  <= 8'd1;
      end else if (collect_o) begin
        words_q <= words_q + 8'd1;
      end
      for (int g = 0; g < 13; g++) begin
        if (sample_valid_o && (row_slot == 4'(g))) begin
          number_q[32*g +: 32] <= number_q[32*g +: 32] + 32'd1;
        end
      end
    end
  end

  assign sample_group_o  = row_group;
  assign sample_addr_o   = place + {52'd0, header_q};
  assign sample_number_o = number_q[32*row_slot +: 32];
  assign sample_bytes_o  = {5'd0, words_q, 3'd0};
  assign sample_resp_o   = bresp_i;
  assign sample_start_o  = start_q;

endmodule
