// SPDX-License-Identifier: Apache-2.0
// Bursts through lane 0's port: FETCH reads the events of a group, STORE writes a subsample
// (docs/hw/pmcu.md, "FETCH", "STORE").
module pmcu_engine (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic [4:0]   nr_cluster_i,
  input  logic [3:0]   nr_slot_i,

  input  logic         load_i,        // a run begins: the store pointer is set
  input  logic [63:0]  store_base_i,
  input  logic [63:0]  kill_base_i,
  input  logic [3:0]   nr_pmu_i,
  input  logic         comp_i,

  input  logic         fetch_i,       // start
  input  logic [63:0]  fetch_addr_i,  // 4-byte aligned
  input  logic [3:0]   fetch_count_i, // events, 1..8; the others become the null event
  input  logic         store_i,       // start
  input  logic         stop_i,        // no new request: BRK
  output logic         busy_o,
  output logic         fetch_error_o, // in the cycle of the completion
  output logic         store_error_o,
  output logic         kill_o,
  output logic [127:0] events_o,
  output logic [63:0]  pointer_o,
  output logic [15:0]  bytes_o,       // of a subsample

  // Sample buffer.
  output logic [3:0]   a_entry_o,
  output logic [2:0]   a_slot_o,
  output logic [3:0]   a_cluster_o,
  output logic         a_high_o,
  input  logic [31:0]  a_data_i,
  output logic [3:0]   b_entry_o,
  output logic [2:0]   b_slot_o,
  output logic [3:0]   b_cluster_o,
  output logic         b_high_o,
  input  logic [31:0]  b_data_i,

  // Bus port: bursts of 8-byte beats.
  output logic [63:0]  addr_o,
  output logic [7:0]   len_o,
  output logic         awvalid_o,
  input  logic         awready_i,
  output logic         wvalid_o,
  output logic [63:0]  wdata_o,
  output logic         wlast_o,
  input  logic         wready_i,
  input  logic         bvalid_i,
  input  logic [1:0]   bresp_i,
  output logic         arvalid_o,
  input  logic         arready_i,
  input  logic         rvalid_i,
  input  logic [63:0]  rdata_i,
  input  logic [1:0]   rresp_i,
  input  logic         rlast_i
);

  logic        busy_q, write_q;
  logic [63:0] addr_q;                // of the burst; STORE: the store pointer
  logic [63:0] pointer_q;
  logic [11:0] left_q;                // 8-byte words that follow this burst
  logic [4:0]  beats_q;               // of the burst
  logic [4:0]  sent_q;                // W beats taken
  logic        ar_q, aw_q, w_q;
  logic        failed_q;              // an R beat of this burst was an error
  logic [127:0] events_q;
  logic [3:0]  event_q;               // next event to take from the array
  logic        skip_q;                // the first half of the first beat is not ours
  logic [3:0]  count_q;

  // --- how much a subsample is ---
  logic [7:0]  nr_cpu;
  logic [11:0] nr_words;
  assign nr_cpu   = nr_cluster_i[4:0] * {4'd0, nr_slot_i};
  assign nr_words = {4'd0, nr_cpu} * ({8'd0, nr_pmu_i} + (comp_i ? 12'd1 : 12'd2));
  assign bytes_o  = {1'b0, nr_words, 3'd0};

  // --- the next burst: from `from`, `words` left in all ---
  logic        done;
  logic [63:0] from, room;
  logic [11:0] words;
  logic [9:0]  to_page;               // words to the next 4 KiB boundary
  logic        planning_store;
  logic [4:0]  burst;
  assign planning_store = store_i || (busy_q && write_q);
  assign from  = store_i ? pointer_q
               : fetch_i ? {fetch_addr_i[63:3], 3'd0}
                         : addr_q + {56'd0, beats_q, 3'd0};
  assign words = store_i ? nr_words
               : fetch_i ? {8'd0, fetch_count_i + {3'd0, fetch_addr_i[2]} + 4'd1} >> 1
                         : left_q;
  assign to_page = 10'd512 - {1'b0, from[11:3]};
  assign room    = (kill_base_i > from) ? kill_base_i - from : 64'd0; // bytes below KILL_BASE
  always_comb begin
    burst = (words > 12'd16) ? 5'd16 : words[4:0];
    if (to_page < {5'd0, burst}) burst = to_page[4:0];
    if (planning_store && (room < {56'd0, burst, 3'd0})) burst = room[7:3];
  end

  logic last_r, last_b, error;
  assign last_r = busy_q && !write_q && rvalid_i && rlast_i;
  assign last_b = busy_q && write_q && bvalid_i;
  assign done   = last_r || last_b;
  assign error  = write_q ? (bresp_i != 2'd0) : (failed_q || (rresp_i != 2'd0));

  logic more;                         // words follow the burst that completes
  logic plan;                         // a burst may start in the next cycle
  assign more = (left_q != 12'd0) && !error;
  assign plan = fetch_i || store_i || (done && more);

  assign fetch_error_o = last_r && error;
  assign store_error_o = last_b && error;
  assign kill_o        = plan && planning_store && (burst == 5'd0);

  logic begin_burst;
  assign begin_burst = plan && (burst != 5'd0) && !(done && stop_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      write_q   <= 1'b0;
      addr_q    <= '0;
      pointer_q <= '0;
      left_q    <= '0;
      beats_q   <= '0;
      sent_q    <= '0;
      ar_q      <= 1'b0;
      aw_q      <= 1'b0;
      w_q       <= 1'b0;
      failed_q  <= 1'b0;
    end else begin
      if (arready_i) ar_q <= 1'b0;
      if (awready_i) aw_q <= 1'b0;
      if (w_q && wready_i) begin
        sent_q <= sent_q + 5'd1;
        if (wlast_o) w_q <= 1'b0;
      end
      if (busy_q && !write_q && rvalid_i && (rresp_i != 2'd0)) failed_q <= 1'b1;
      if (done) busy_q <= 1'b0;
      if (begin_burst) begin
        busy_q   <= 1'b1;
        write_q  <= planning_store;
        addr_q   <= from;
        left_q   <= words - {7'd0, burst};
        beats_q  <= burst;
        sent_q   <= '0;
        ar_q     <= !planning_store;
        aw_q     <= planning_store;
        w_q      <= planning_store;
        failed_q <= 1'b0;
      end
      if (load_i) begin
        pointer_q <= {store_base_i[63:3], 3'd0};
      end else if (last_b) begin
        pointer_q <= pointer_q + {56'd0, beats_q, 3'd0};
      end
    end
  end

  // --- FETCH: events out of the beats ---
  logic [3:0] event_next;
  assign event_next = event_q + 4'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      events_q <= '0;
      event_q  <= '0;
      skip_q   <= 1'b0;
      count_q  <= '0;
    end else if (fetch_i) begin
      events_q <= {pmcu_pkg::MaxCounter{pmcu_pkg::NullEvent}};
      event_q  <= '0;
      skip_q   <= fetch_addr_i[2];
      count_q  <= fetch_count_i;
    end else if (busy_q && !write_q && rvalid_i) begin
      skip_q <= 1'b0;
      if (skip_q) begin
        if (event_q < count_q) events_q[16*event_q[2:0] +: 16] <= rdata_i[47:32];
        event_q <= event_q + 4'd1;
      end else begin
        if (event_q < count_q) events_q[16*event_q[2:0] +: 16] <= rdata_i[15:0];
        if (event_next < count_q) events_q[16*event_next[2:0] +: 16] <= rdata_i[47:32];
        event_q <= event_q + 4'd2;
      end
    end
  end

  // --- STORE: where the next word comes from ---
  // Halves: all of CID1SR, all of CID2SR (entry 0, low then high words), then whole fields.
  logic [3:0] entry_q, slot_q, cluster_q;
  logic       second_q;               // entry 0: CID2SR

  logic [3:0] a_next_slot, b_slot, b_next_slot, a_next_cluster, b_cluster, b_next_cluster;
  logic       a_next_second, b_second, b_next_second, a_wraps, b_wraps;
  assign a_wraps        = {1'b0, cluster_q} + 5'd1 == nr_cluster_i;
  assign a_next_cluster = a_wraps ? 4'd0 : cluster_q + 4'd1;
  assign a_next_slot    = !a_wraps ? slot_q : (slot_q + 4'd1 == nr_slot_i) ? 4'd0 : slot_q + 4'd1;
  assign a_next_second  = second_q ^ (a_wraps && (slot_q + 4'd1 == nr_slot_i));

  assign b_cluster      = (entry_q == 4'd0) ? a_next_cluster : cluster_q;
  assign b_slot         = (entry_q == 4'd0) ? a_next_slot : slot_q;
  assign b_second       = (entry_q == 4'd0) ? a_next_second : 1'b1;

  assign b_wraps        = {1'b0, b_cluster} + 5'd1 == nr_cluster_i;
  assign b_next_cluster = b_wraps ? 4'd0 : b_cluster + 4'd1;
  assign b_next_slot    = !b_wraps ? b_slot : (b_slot + 4'd1 == nr_slot_i) ? 4'd0 : b_slot + 4'd1;
  assign b_next_second  = b_second ^ (b_wraps && (b_slot + 4'd1 == nr_slot_i));

  // The last word of a field: everybody's share is out.
  logic field_ends;
  assign field_ends = b_wraps && (b_slot + 4'd1 == nr_slot_i) && b_second;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entry_q   <= '0;
      slot_q    <= '0;
      cluster_q <= '0;
      second_q  <= 1'b0;
    end else if (store_i) begin
      entry_q   <= '0;
      slot_q    <= '0;
      cluster_q <= '0;
      second_q  <= 1'b0;
    end else if (w_q && wready_i) begin
      cluster_q <= b_next_cluster;
      slot_q    <= b_next_slot;
      second_q  <= (entry_q == 4'd0) && b_next_second;
      if (field_ends) entry_q <= entry_q + 4'd1;
    end
  end

  assign a_entry_o   = entry_q;
  assign a_slot_o    = slot_q[2:0];
  assign a_cluster_o = cluster_q;
  assign a_high_o    = second_q;
  assign b_entry_o   = entry_q;
  assign b_slot_o    = b_slot[2:0];
  assign b_cluster_o = b_cluster;
  assign b_high_o    = b_second;

  assign addr_o    = addr_q;
  assign len_o     = {3'd0, beats_q - 5'd1};
  assign awvalid_o = aw_q;
  assign wvalid_o  = w_q;
  assign wdata_o   = {b_data_i, a_data_i};
  assign wlast_o   = sent_q + 5'd1 == beats_q;
  assign arvalid_o = ar_q;
  assign busy_o    = busy_q;
  assign events_o  = events_q;
  assign pointer_o = pointer_q;

  logic unused_bits;
  assign unused_bits = ^{store_base_i[2:0], kill_base_i[2:0], fetch_addr_i[1:0], rdata_i[63:48],
                         rdata_i[31:16], room[63:8], room[2:0], b_next_slot, slot_q[3], b_slot[3]};

endmodule
