// SPDX-License-Identifier: Apache-2.0
// The PMCU's state machine and the copies that a run works on (docs/hw/pmcu.md, "States").
module pmcu_fsm (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         prefetch_i,
  input  logic [15:0]  tick_cycles_i,

  // Registers.
  input  logic         trigger_i,
  input  logic         brk_i,
  input  logic [19:0]  fsm_cfg_i,
  input  logic [63:0]  event_base_i,
  input  logic [63:0]  kill_base_i,
  input  logic [31:0]  wait_cnt_i,
  input  logic         comp_i,
  input  logic [31:0]  pmcr_i,
  input  logic [31:0]  pmccfiltr_i,
  input  logic [5:0]   errors_i,
  output logic         clear_errors_o,
  output logic [5:0]   errors_o,
  output logic         done_o,
  output logic         broken_o,

  // The run's copies.
  output logic [3:0]   nr_pmu_o,
  output logic         comp_o,
  output logic [31:0]  mask_o,
  output logic [31:0]  pmcr_o,
  output logic [31:0]  pmccfiltr_o,
  output logic [63:0]  kill_base_o,

  // Lanes and engine.
  output logic [3:0]   state_o,
  output logic         run_begins_o, // this group is the first of the run
  output logic         run_ends_o,   // and the last
  output logic         go_o,
  output logic         stop_o,
  input  logic         lanes_busy_i,
  input  logic         lane_error_i,
  output logic         load_o,
  output logic         fetch_o,
  output logic [63:0]  fetch_addr_o,
  output logic [3:0]   fetch_count_o,
  output logic         store_o,
  input  logic         engine_busy_i,
  input  logic         fetch_error_i,
  input  logic         store_error_i,
  input  logic         kill_i,

  output logic         sample_valid_o,
  output logic [31:0]  sample_number_o
);

  logic [3:0]       state_d, state_q; // pmcu_pkg::state_e
  logic             first_q;       // first cycle in this state
  logic             brk_q;
  logic [7:0]       ev_len_q, nr_loop_q;
  logic [3:0]       nr_pmu_q;
  logic [63:0]      event_base_q, kill_base_q;
  logic [31:0]      wait_cnt_q, pmcr_q, pmccfiltr_q;
  logic             comp_q;
  logic [8:0]       offset_q;      // first event of the group
  logic [7:0]       loop_q;
  logic             fetched_q;     // the next group's events are in the engine
  logic [47:0]      wait_q;        // cycles of WAIT that are left after this one
  logic [31:0]      number_q;

  // --- trigger ---
  logic [7:0] cfg_ev_len, cfg_nr_loop;
  logic [3:0] cfg_nr_pmu;
  logic       legal, accepted, begins;
  assign cfg_ev_len  = fsm_cfg_i[7:0];
  assign cfg_nr_loop = fsm_cfg_i[15:8];
  assign cfg_nr_pmu  = fsm_cfg_i[19:16];
  assign legal       = (cfg_ev_len != 8'd0) && (cfg_nr_loop != 8'd0) && (cfg_nr_pmu != 4'd0) &&
                       (cfg_nr_pmu <= (comp_i ? 4'd5 : 4'd8));
  assign accepted    = trigger_i && (state_q == pmcu_pkg::StIdle);
  assign begins      = accepted && legal;

  // --- groups ---
  logic [8:0] next_offset;
  logic       loop_ends, run_ends;
  assign next_offset = offset_q + {5'd0, nr_pmu_q};
  assign loop_ends   = next_offset >= {1'b0, ev_len_q};
  assign run_ends    = loop_ends && (loop_q + 8'd1 == nr_loop_q);

  // The group to fetch: this one, or in WAIT the next.
  logic [8:0] fetch_offset, fetch_left;
  assign fetch_offset  = (state_q != pmcu_pkg::StWait) ? offset_q
                                                       : (loop_ends ? 9'd0 : next_offset);
  assign fetch_left    = {1'b0, ev_len_q} - fetch_offset;
  assign fetch_count_o = (fetch_left < {5'd0, nr_pmu_q}) ? fetch_left[3:0] : nr_pmu_q;
  assign fetch_addr_o  = {event_base_q[63:2], 2'd0} + {53'd0, fetch_offset, 2'd0};

  // --- WAIT ---
  logic [47:0] wait_cycles;
  logic        prefetch, wait_over;
  assign wait_cycles = {16'd0, wait_cnt_q} * {32'd0, tick_cycles_i};
  assign prefetch    = prefetch_i && !run_ends;
  assign wait_over   = first_q ? ((wait_cycles <= 48'd1) && !prefetch)
                               : ((wait_q == 48'd0) && !engine_busy_i);

  // --- states ---
  // fetch_failed and the like are registers: known in the first cycle in which nothing is busy.
  logic fetch_failed, store_ended;
  assign fetch_failed = errors_i[1];
  assign store_ended  = errors_i[3] || errors_i[4];

  logic is_walk, left;
  assign is_walk = (state_q == pmcu_pkg::StInit) || (state_q == pmcu_pkg::StProgram) ||
                   (state_q == pmcu_pkg::StStart) || (state_q == pmcu_pkg::StStop) ||
                   (state_q == pmcu_pkg::StRead) || (state_q == pmcu_pkg::StBreak);
  assign left    = !first_q && !lanes_busy_i && !engine_busy_i;

  always_comb begin
    state_d  = state_q;
    go_o     = 1'b0;
    fetch_o  = 1'b0;
    store_o  = 1'b0;
    done_o   = 1'b0;
    broken_o = 1'b0;

    case (state_q)
      pmcu_pkg::StIdle: begin
        if (begins) state_d = pmcu_pkg::StInit;
        done_o   = accepted && !legal;
        broken_o = brk_q;
      end

      pmcu_pkg::StInit:    if (left) state_d = pmcu_pkg::StFetch;
      pmcu_pkg::StProgram: if (left) state_d = pmcu_pkg::StStart;
      pmcu_pkg::StStart:   if (left) state_d = pmcu_pkg::StWait;
      pmcu_pkg::StStop:    if (left) state_d = pmcu_pkg::StRead;
      pmcu_pkg::StRead:    if (left) state_d = pmcu_pkg::StStore;

      pmcu_pkg::StFetch: begin
        fetch_o = first_q && !brk_q;
        if (left) begin
          state_d = pmcu_pkg::StProgram;
          if (fetch_failed && !brk_q) begin
            state_d = pmcu_pkg::StIdle;
            done_o  = 1'b1;
          end
        end
      end

      pmcu_pkg::StWait: begin
        fetch_o = first_q && prefetch && !brk_q;
        if (wait_over) state_d = pmcu_pkg::StStop;
      end

      pmcu_pkg::StStore: begin
        store_o = first_q && !brk_q;
        if (left) begin
          state_d = pmcu_pkg::StSwitch;
          if (store_ended && !brk_q) begin
            state_d = pmcu_pkg::StIdle;
            done_o  = 1'b1;
          end
        end
      end

      pmcu_pkg::StSwitch: begin
        if (fetched_q) state_d = pmcu_pkg::StProgram;
        else           state_d = pmcu_pkg::StFetch;
        if ((run_ends || fetch_failed) && !brk_q) begin
          state_d = pmcu_pkg::StIdle;
          done_o  = 1'b1;
        end
      end

      pmcu_pkg::StBreak: begin
        if (left) begin
          state_d  = pmcu_pkg::StIdle;
          broken_o = 1'b1;
        end
      end

      default: state_d = pmcu_pkg::StIdle;
    endcase

    if (is_walk && first_q) begin
      go_o = !brk_q || (state_q == pmcu_pkg::StBreak);
    end

    // BRK comes before every other way out.
    if (brk_q && (state_q != pmcu_pkg::StIdle) && (state_q != pmcu_pkg::StBreak)) begin
      if (first_q || left || (state_q == pmcu_pkg::StSwitch)) state_d = pmcu_pkg::StBreak;
      else                                                    state_d = state_q;
    end
  end

  // Bits 13:8 of FSM_STATUS: TRIG_LOST, KILL, STORE_ERR, CORE_ERR, FETCH_ERR, CFG_ERR.
  assign errors_o = {trigger_i && (state_q != pmcu_pkg::StIdle), kill_i, store_error_i,
                     lane_error_i, fetch_error_i, accepted && !legal};
  assign clear_errors_o = accepted;
  assign load_o         = begins;
  assign stop_o         = brk_q && (state_q != pmcu_pkg::StBreak);

  logic brk_ends;
  assign brk_ends = broken_o || ((state_d == pmcu_pkg::StBreak) && (state_q != pmcu_pkg::StBreak));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= pmcu_pkg::StIdle;
      first_q   <= 1'b0;
      brk_q     <= 1'b0;
      offset_q  <= '0;
      loop_q    <= '0;
      fetched_q <= 1'b0;
      wait_q    <= '0;
      number_q  <= '0;
    end else begin
      state_q <= state_d;
      first_q <= state_d != state_q;
      brk_q   <= brk_i || (brk_q && !brk_ends);
      if (begins) begin
        offset_q  <= '0;
        loop_q    <= '0;
        fetched_q <= 1'b0;
        number_q  <= '0;
      end
      if (state_q == pmcu_pkg::StWait) begin
        wait_q <= first_q ? ((wait_cycles <= 48'd2) ? 48'd0 : wait_cycles - 48'd2)
                          : ((wait_q == 48'd0) ? 48'd0 : wait_q - 48'd1);
        if (first_q) fetched_q <= prefetch;
      end
      if (state_q == pmcu_pkg::StSwitch) begin
        offset_q <= loop_ends ? 9'd0 : next_offset;
        loop_q   <= loop_ends ? loop_q + 8'd1 : loop_q;
        number_q <= number_q + 32'd1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ev_len_q     <= '0;
      nr_loop_q    <= '0;
      nr_pmu_q     <= '0;
      event_base_q <= '0;
      kill_base_q  <= '0;
      wait_cnt_q   <= '0;
      comp_q       <= 1'b0;
      pmcr_q       <= '0;
      pmccfiltr_q  <= '0;
    end else if (begins) begin
      ev_len_q     <= cfg_ev_len;
      nr_loop_q    <= cfg_nr_loop;
      nr_pmu_q     <= cfg_nr_pmu;
      event_base_q <= event_base_i;
      kill_base_q  <= kill_base_i;
      wait_cnt_q   <= wait_cnt_i;
      comp_q       <= comp_i;
      pmcr_q       <= pmcr_i;
      pmccfiltr_q  <= pmccfiltr_i;
    end
  end

  logic [31:0] counters;
  assign counters = (32'd1 << nr_pmu_q) - 32'd1;
  assign mask_o   = comp_q ? counters << pmcu_pkg::CompFirst : {1'b1, counters[30:0]};

  assign nr_pmu_o        = nr_pmu_q;
  assign comp_o          = comp_q;
  assign pmcr_o          = pmcr_q;
  assign pmccfiltr_o     = pmccfiltr_q;
  assign kill_base_o     = kill_base_q;
  assign state_o         = state_q;
  assign run_begins_o    = number_q == '0;
  assign run_ends_o      = run_ends;
  assign sample_valid_o  = state_q == pmcu_pkg::StSwitch;
  assign sample_number_o = number_q;

  logic unused_bits;
  assign unused_bits = ^{errors_i[5], errors_i[2], errors_i[0], event_base_q[1:0]};

endmodule
