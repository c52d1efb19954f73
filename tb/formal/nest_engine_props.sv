// SPDX-License-Identifier: Apache-2.0
// What holds of the nest's posting engine (docs/hw/nest.md, "The window", "A tick", "POWER10",
// "Probe records").
module nest_engine_props #(
  parameter bit Power10 = 1'b0
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic [63:0]  base_i,
  input logic         tick_waits_i,
  input logic         take_tick_o,
  input logic [63:0]  cycle_i,
  input logic         decide_o,
  input logic [63:0]  command_o,
  input logic [63:0]  speed_o,
  input logic [63:0]  block_units_o,
  input logic [63:0]  block_mode_o,
  input logic [5:0]   todo_i,
  input logic [2:0]   status_i,
  input logic [63:0]  units_i,
  input logic [63:0]  mode_i,
  input logic [12:0]  posted_i,
  input logic         epoch2_i,
  input logic [1:0]   epoch4_i,
  input logic         collect_o,
  input logic         counts_o,
  input logic [8:0]   number_o,
  input logic [3:0]   index_o,
  input logic [63:0]  collected_i,
  input logic         start_o,
  input logic         write_o,
  input logic [63:0]  addr_o,
  input logic [4:0]   beats_o,
  input logic [3:0]   beat_i,
  input logic [63:0]  word_o,
  input logic         word_en_i,
  input logic [63:0]  word_i,
  input logic         done_i,
  input logic         error_i,
  input logic [1:0]   bresp_i,
  input logic         sample_valid_o,
  input logic [3:0]   sample_group_o,
  input logic [63:0]  sample_addr_o,
  input logic [31:0]  sample_number_o,
  input logic [15:0]  sample_bytes_o,
  input logic [1:0]   sample_resp_o,
  input logic [63:0]  sample_start_o,
  input logic [3:0]   state_q,
  input logic [4:0]   burst_q,
  input logic [6:0]   row_q,
  input logic [3:0]   index_q,
  input logic [415:0] number_q
);

  // The page's numbers: places in the window, what CLEAN writes, the bursts and rows of a program.
  localparam logic [63:0] Window     = 64'h40000;
  localparam logic [63:0] Add        = 64'h0100_0000_0000_0000;
  localparam logic [63:0] Block      = 64'h3fc00;
  localparam logic [63:0] BlockEnd   = 64'h3fc30;
  localparam logic [11:0] CleanEnd   = Power10 ? 12'he10 : 12'h770;
  localparam logic [4:0]  LastBurst  = Power10 ? 5'd28 : 5'd14;
  localparam logic [6:0]  LastRow    = Power10 ? 7'd90 : 7'd61;

  // Out of reset, in the cycle before, too.
  logic past_q, live;
  initial past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= rst_ni;
  assign live = rst_ni && past_q;

  // --- the row, as the table has it ---
  logic [3:0]  group, slot, count;   // slot: of the group, from 0 on
  logic [1:0]  kind, epoch;
  logic [11:0] offset;
  logic [8:0]  first;
  logic [63:0] units;
  assign group  = Power10 ? nest_p10_rows_pkg::GROUP[4*row_q +: 4] : nest_rows_pkg::GROUP[4*row_q +: 4];
  assign count  = Power10 ? nest_p10_rows_pkg::COUNT[4*row_q +: 4] : nest_rows_pkg::COUNT[4*row_q +: 4];
  assign kind   = Power10 ? nest_p10_rows_pkg::KIND[2*row_q +: 2] : nest_rows_pkg::KIND[2*row_q +: 2];
  assign epoch  = Power10 ? nest_p10_rows_pkg::EPOCH[2*row_q +: 2] : nest_rows_pkg::EPOCH[2*row_q +: 2];
  assign offset = Power10 ? nest_p10_rows_pkg::OFFSET[12*row_q +: 12]
                          : nest_rows_pkg::OFFSET[12*row_q +: 12];
  assign first  = Power10 ? nest_p10_rows_pkg::FIRST[9*row_q +: 9] : nest_rows_pkg::FIRST[9*row_q +: 9];
  assign units  = Power10 ? nest_p10_rows_pkg::UNITS[64*row_q +: 64]
                          : nest_rows_pkg::UNITS[64*row_q +: 64];

  // Whether the visit carries it out, and where it goes to.
  logic        due, adds;
  logic [63:0] place;
  assign slot  = group - 4'd1;
  assign due   = posted_i[slot] && (&units || ((units & units_i) != 64'd0)) &&
                 ((epoch == nest_rows_pkg::EPOCH_ALL) ||
                  ((group == 4'd2) && (epoch == {1'b0, epoch2_i})) ||
                  ((group == 4'd4) && (epoch == epoch4_i)));
  assign adds  = (state_q == nest_pkg::StPost) && (Power10 || (offset != 12'h748));
  assign place = ((mode_i == 64'd1) && ((group == 4'd1) || (Power10 && (group == 4'd2))))
                 ? base_i + 64'h10000 : base_i;

  // --- what a tick has done so far ---
  logic transfers, writes;           // the state is one of a transfer, of a write
  assign transfers = (state_q == nest_pkg::StLook) || writes;
  assign writes    = ((state_q >= nest_pkg::StClean) && (state_q <= nest_pkg::StStatus)) ||
                     (state_q == nest_pkg::StPost);

  logic        busy_q;               // a transfer has begun, and has not ended
  logic [5:0]  owed_q;               // what DECIDE asked for, and has not ended
  logic [11:0] clean_q;              // all below is clean
  logic [3:0]  reads_q;              // counters of this row
  logic [7:0]  words_q, words;       // doublewords posted since the last header
  logic [63:0] header_q;             // the cycle of its COLLECT
  logic [5:0]  ends;
  logic [3:0]  next;
  assign ends = {(state_q >= nest_pkg::StScan) && (row_q == LastRow),
                 (state_q == nest_pkg::StStatus) && done_i, (state_q == nest_pkg::StMode) && done_i,
                 (state_q == nest_pkg::StUnits) && done_i, (state_q == nest_pkg::StVersion) && done_i,
                 (state_q == nest_pkg::StClean) && done_i && (burst_q == LastBurst)};
  assign next = owed_q[0] ? nest_pkg::StClean : owed_q[1] ? nest_pkg::StVersion :
                owed_q[2] ? nest_pkg::StUnits : owed_q[3] ? nest_pkg::StMode :
                owed_q[4] ? nest_pkg::StStatus : nest_pkg::StScan;

  assign words = !(start_o && (state_q == nest_pkg::StPost)) ? words_q :
                 {3'd0, beats_o} + ((kind == nest_rows_pkg::KIND_HEADER) ? 8'd0 : words_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      owed_q   <= '0;
      clean_q  <= '0;
      reads_q  <= '0;
      words_q  <= '0;
      header_q <= '0;
    end else begin
      busy_q <= start_o || (busy_q && !done_i);
      if (decide_o) owed_q <= todo_i;
      else          owed_q <= owed_q & ~{ends[5] && over, ends[4:0]};
      if (decide_o)                                           clean_q <= '0;
      else if (start_o && (state_q == nest_pkg::StClean))     clean_q <= clean_q + {4'd0, beats_o, 3'd0};
      if (state_q == nest_pkg::StScan) reads_q <= '0;
      else if (collect_o)              reads_q <= reads_q + 4'd1;
      words_q <= words;
      if (collect_o && (kind == nest_rows_pkg::KIND_HEADER)) header_q <= cycle_i;
    end
  end

  // The row's last cycle: a SCAN that passes it by, or the end of its POST.
  logic over;
  assign over = ((state_q == nest_pkg::StScan) && !due) || ((state_q == nest_pkg::StPost) && done_i);

  // A tick's place in its course: it only rises.
  logic [16:0] rank;
  assign rank = (state_q >= nest_pkg::StScan) ? {4'd8, row_q, state_q[1:0], index_q} :
                {state_q, 8'd0, (state_q == nest_pkg::StClean) ? burst_q : 5'd0};

  logic [415:0] numbers;             // of the next cycle
  always_comb begin
    for (int g = 0; g < 13; g++) begin
      numbers[32*g +: 32] = number_q[32*g +: 32] + {31'd0, sample_valid_o && (group == 4'(g + 1))};
    end
  end

  always_ff @(posedge clk_i) begin
    // The window is a strap: it begins at a page, and lies below 2^56.
    assume ((base_i[11:0] == 12'd0) && (base_i <= Add - Window));
    if (past_q) assume (base_i == $past(base_i));
    // The port (nest_writer): no end without a beginning, and doublewords are read by reads only.
    assume (!done_i || busy_q);
    assume (!word_en_i || (busy_q && (state_q == nest_pkg::StLook)));
    // The registers (nest_control) move by DECIDE, what was collected (nest_counters) by COLLECT.
    if (past_q && !$past(decide_o))
      assume ((status_i == $past(status_i)) && (units_i == $past(units_i)) && (mode_i == $past(mode_i)) &&
              (posted_i == $past(posted_i)) && (epoch2_i == $past(epoch2_i)) &&
              (epoch4_i == $past(epoch4_i)));
    if (past_q && !$past(collect_o) && (beat_i == $past(beat_i)))
      assume (collected_i == $past(collected_i));
    // UNITS is asked for where the block has 0 there, and never of POWER10.
    assume (!(decide_o && todo_i[2]) || (!Power10 && (block_units_o == 64'd0)));

    if (live) begin
      // A transfer lies in the window.
      // fault: DebugPlace = 64'h10000; => DebugPlace = 64'h40000;
      no_write_outside:
        assert (!start_o || (((addr_o & ~Add) >= base_i) &&
                ((addr_o & ~Add) + {56'd0, beats_o, 3'd0} <= base_i + Window)));
      // It is of whole doublewords, and of one page.
      // fault: {52'd0, burst_q, 7'd0} => {52'd0, burst_q, 7'd4}
      within_page:
        assert (!start_o || ((addr_o[2:0] == 3'd0) &&
                ({1'b0, addr_o[11:0]} + {5'd0, beats_o, 3'd0} <= 13'h1000)));
      // It has 1 to 16 beats.
      // fault: beats_o = {1'b0, row_count}; => beats_o = {1'b1, row_count};
      beats_in_bounds:
        assert (!start_o || ((beats_o != 5'd0) && (beats_o <= 5'd16)));
      // Only LOOK reads: the control block.
      // fault: write_o = state_q != nest_pkg::StLook; => write_o = state_q > nest_pkg::StClean;
      only_look_reads:
        assert (!start_o || ((state_q == nest_pkg::StLook) ?
                (!write_o && (addr_o == base_i + Block) && (beats_o == 5'd6)) : write_o));
      // Only POST adds to what is there, and not to the time of day: bit 56 of an address is that of
      // adding.
      // fault: (row_stores ? 64'd0 : Add); => (row_stores ? Add : 64'd0);
      only_posts_add:
        assert (!start_o || (addr_o[63:56] == {7'd0, adds}));
      // Of the control block only status and command, availability, and mode state are written.
      // fault: beats_o = 5'd2; => beats_o = 5'd3;
      host_words_stay:
        assert (!(start_o && write_o) || (addr_o >= base_i + BlockEnd) ||
                (addr_o + {56'd0, beats_o, 3'd0} <= base_i + Block) ||
                ((state_q == nest_pkg::StStatus) && (addr_o == base_i + Block) && (beats_o == 5'd2)) ||
                ((state_q == nest_pkg::StUnits) && (addr_o == base_i + Block + 64'h18) &&
                 (beats_o == 5'd1) && (block_units_o == 64'd0) && !Power10) ||
                ((state_q == nest_pkg::StMode) && (addr_o == base_i + Block + 64'h28) &&
                 (beats_o == 5'd1)));
      // What is written there, and elsewhere: a command is answered with 0, CLEAN writes zeros.
      // fault: (beat_i == 4'd0) ? {61'd0, status_i} => (beat_i != 4'd2) ? {61'd0, status_i}
      words_as_said:
        assert (!writes || (word_o ==
                ((state_q == nest_pkg::StStatus) ? ((beat_i == 4'd0) ? {61'd0, status_i} : 64'd0) :
                 (state_q == nest_pkg::StUnits) ? 64'hffff_8073_f007_e000 :
                 (state_q == nest_pkg::StMode) ? mode_i :
                 (state_q == nest_pkg::StVersion) ? 64'h0100_1511_2026_0000 :
                 (state_q == nest_pkg::StPost) ? collected_i : 64'd0)));
      // A word stays until its beat is over (nest_writer asks for it).
      // fault: word_o  = collected_i; => word_o  = cycle_i[0] ? 64'd0 : collected_i;
      words_hold:
        assert (!(busy_q && writes && (beat_i == $past(beat_i))) || (word_o == $past(word_o)));
      // A tick is taken when one waits and nothing is left of the last, and only then.
      // fault: (state_q == nest_pkg::StIdle) && tick_waits_i; => (state_q <= nest_pkg::StLook) && tick_waits_i;
      no_lost_tick:
        assert (take_tick_o == (tick_waits_i && !transfers && !decide_o && (owed_q == 6'd0)));
      // One that is taken begins with LOOK, and nothing else does.
      // fault: if (tick_waits_i) begin => if (tick_waits_i && !cycle_i[0]) begin
      tick_begins:
        assert ($past(take_tick_o) == (start_o && (state_q == nest_pkg::StLook)));
      // DECIDE follows a LOOK without an error, and nothing a LOOK with one.
      // fault: if (error_i) state_q => if (error_i && (command_o == 64'd0)) state_q
      look_that_fails:
        assert ((decide_o == (state_q == nest_pkg::StDecide)) &&
                (decide_o == $past((state_q == nest_pkg::StLook) && done_i && !error_i)) &&
                (!$past((state_q == nest_pkg::StLook) && done_i && error_i) ||
                 (state_q == nest_pkg::StIdle)));
      // DECIDE has the block's words as they were read.
      // fault: if (beat_i == 4'd2) speed_o => if (beat_i == 4'd3) speed_o
      block_is_kept:
        assert ((command_o == ($past(word_en_i && (beat_i == 4'd1)) ? $past(word_i) : $past(command_o))) &&
                (speed_o == ($past(word_en_i && (beat_i == 4'd2)) ? $past(word_i) : $past(speed_o))) &&
                (block_units_o ==
                 ($past(word_en_i && (beat_i == 4'd3)) ? $past(word_i) : $past(block_units_o))) &&
                (block_mode_o ==
                 ($past(word_en_i && (beat_i == 4'd4)) ? $past(word_i) : $past(block_mode_o))));
      // What DECIDE asks for is done: each once, in its order, and nothing else.
      // fault: if (steps[3]) first_of = nest_pkg::StMode; => if (steps[3]) first_of = nest_pkg::StStatus;
      nothing_left_out:
        assert ((state_q < nest_pkg::StClean) ? (owed_q == 6'd0) :
                ((owed_q != 6'd0) && ((next == nest_pkg::StScan) ? (state_q >= nest_pkg::StScan)
                                                                  : (state_q == next))));
      // CLEAN writes from the window's begin on without a gap, in bursts of 16, to its end.
      // fault: (burst_q != LastClean) => (burst_q != 5'd1)
      cleans_all:
        assert (((state_q != nest_pkg::StClean) || !start_o || ((addr_o == base_i + {52'd0, clean_q}) &&
                 ((beats_o == 5'd16) || (clean_q + {4'd0, beats_o, 3'd0} == CleanEnd)))) &&
                (!$past(state_q == nest_pkg::StClean) || (state_q == nest_pkg::StClean) ||
                 (clean_q == CleanEnd)));
      // There are no other states.
      // fault: state_q <= nest_pkg::StPost; => state_q <= 4'd11;
      known_states:
        assert (state_q <= nest_pkg::StPost);
      // Bursts, rows and a row's counters are those that there are.
      // fault: row_q <= row_q + 7'd1; => row_q <= row_q + 7'd127;
      in_bounds:
        assert ((burst_q <= LastBurst) && ((state_q < nest_pkg::StScan) || (row_q <= LastRow)) &&
                (index_q <= 4'd8) && (!collect_o || (index_q < count)));
      // A state of a transfer begins one, and waits for its end; no other state does.
      // fault: assign start_o = first_q && => assign start_o = !done_i &&
      one_transfer:
        assert ((transfers == (start_o || busy_q)) && !(start_o && busy_q));
      // No deadlock: each step leads on, but for waiting for a transfer. So a tick ends.
      // fault: end else begin\n            row_q <= row_q + 7'd1; => end else begin\n            row_q <= row_q;
      tick_ends:
        assert ($past(state_q == nest_pkg::StIdle) || (state_q == nest_pkg::StIdle) ||
                ($past(transfers && !done_i) ? (rank == $past(rank)) : (rank > $past(rank))));
      // Rows are looked at one by one, from the first to the last.
      // fault: row_q <= row_q + 7'd1; => row_q <= row_q + 7'd2;
      rows_in_turn:
        assert ((state_q == nest_pkg::StScan) ?
                (row_q == ($past(over) ? $past(row_q) + 7'd1 : 7'd0)) :
                (!$past(over) || ($past(row_q == LastRow) && (state_q == nest_pkg::StIdle))));
      // No lost posting: a row is carried out when it is due, and only then.
      // fault: (&row_units || ((row_units & units_i) != 64'd0)) => (&row_units || (row_units != 64'd0))
      rows_that_are_due:
        assert (!$past(state_q == nest_pkg::StScan) || (collect_o == $past(due)));
      // No lost increment: COLLECT reads each counter of the row once, and POST follows.
      // fault: + {5'd0, index_q}; => + {6'd0, index_q[3:1]};
      reads_its_counters:
        assert (((state_q != nest_pkg::StPost) || (reads_q == count)) &&
                (collect_o == (state_q == nest_pkg::StCollect)) &&
                (!collect_o || ((index_o == reads_q) && (number_o == first + {5'd0, reads_q}) &&
                 (counts_o == (kind == nest_rows_pkg::KIND_COUNTERS)))));
      // A row's doublewords go to its place, in debug mode to the second one.
      // fault: debugs = (row_group == 4'd1) || => debugs = (row_group > 4'd2) ||
      rows_in_place:
        assert (!start_o || (state_q != nest_pkg::StPost) ||
                (((addr_o & ~Add) == place + {52'd0, offset}) && (beats_o == {1'b0, count})));
      // A sample is told when a trailer's POST has its response, and only then.
      // fault: (row_kind == nest_rows_pkg::KIND_TRAILER); => (row_kind != nest_rows_pkg::KIND_COUNTERS);
      no_lost_sample:
        assert ((sample_valid_o == ((state_q == nest_pkg::StPost) && done_i &&
                 (kind == nest_rows_pkg::KIND_TRAILER))) &&
                (!sample_valid_o || ((sample_group_o == group) && (sample_resp_o == bresp_i))));
      // The samples of each group are counted one by one.
      // fault: if (sample_valid_o && (row_slot => if (done_i && (row_slot
      no_lost_number:
        assert ((number_q == $past(numbers)) &&
                (!sample_valid_o || (sample_number_o == number_q[32*slot +: 32])));
      // A sample's bytes are those that were posted since the header (in COLLECT, that will be).
      // fault: words_q <= words_q + 8'd1; => words_q <= words_q + {7'd0, index_q == 4'd0};
      bytes_as_posted:
        assert (sample_bytes_o == {5'd0, words + (collect_o ? {4'd0, index_q} : 8'd0), 3'd0});
      // Its address and its first cycle are the header's.
      // fault: if (collect_o && (row_kind == nest_rows_pkg::KIND_HEADER)) begin => if (decide_o) begin
      begins_with_header:
        assert ((sample_start_o == header_q) &&
                (!$past(collect_o && (kind == nest_rows_pkg::KIND_HEADER)) ||
                 (sample_addr_o == place + {52'd0, offset})));
    end
  end

endmodule
