// SPDX-License-Identifier: Apache-2.0
// The registers of the engine, and what DECIDE makes of the control block's words
// (docs/hw/nest.md, "Registers of the engine", "DECIDE", "Visit").
module nest_control #(
  parameter bit Power10 = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        decide_i,      // DECIDE is in this cycle
  input  logic [63:0] command_i,
  input  logic [63:0] speed_i,
  input  logic [63:0] block_units_i,
  input  logic [63:0] mode_i,

  // In DECIDE.
  output logic        forget_o,      // all prevs are cleared
  output logic        clean_o,       // what follows
  output logic        version_o,
  output logic        units_o,
  output logic        mode_o,
  output logic        status_write_o,
  output logic        visit_o,

  // From the registers.
  output logic [2:0]  status_o,
  output logic [63:0] units_value_o, // as the rows' masks know them
  output logic [63:0] mode_value_o,
  output logic [12:0] posted_o,      // groups 1..13 of the visit
  output logic        epoch2_o,      // of the visit: group 2's,
  output logic [1:0]  epoch4_o       // and group 4's
);

  // "POWER10"
  localparam logic [3:0]  LastRing     = Power10 ? 4'd15 : 4'd7;
  localparam logic [4:0]  Phases       = Power10 ? 5'd16 : 5'd4;
  localparam logic [63:0] DefaultUnits = Power10 ? 64'd0 : nest_pkg::DefaultUnits;

  logic        seen_q, paused_q;
  logic [4:0]  phase_q;
  logic [63:0] speed_q, units_q, mode_q;
  logic [3:0]  ring_q;               // one less than the page's
  logic [27:0] delay_q;              // 4 bits a group of POWER9
  logic        epoch2_q;
  logic [1:0]  epoch4_q;
  logic [2:0]  written_q;            // status
  logic [12:0] posted_q;
  logic        visit_epoch2_q;
  logic [1:0]  visit_epoch4_q;

  function automatic logic [2:0] status_of(input logic speed_fails, input logic mode_fails,
                                           input logic paused, input logic [4:0] phase);
    if (speed_fails)       status_of = nest_pkg::StatusErr1;
    else if (mode_fails)   status_of = nest_pkg::StatusErr2;
    else if (paused)       status_of = nest_pkg::StatusPause;
    else if (phase < Phases) status_of = nest_pkg::StatusInit;
    else                   status_of = nest_pkg::StatusRun;
  endfunction

  assign status_o = status_of(seen_q && (speed_q > nest_pkg::MaxSpeed),
                              seen_q && (mode_q > nest_pkg::ModeDebug), paused_q, phase_q);

  // --- steps 1 to 7 ---
  logic        fresh, again, change, mode_differs;
  logic [63:0] units;
  assign units        = (block_units_i == 64'd0) ? DefaultUnits : block_units_i;
  assign mode_differs = mode_i != mode_q;
  assign fresh        = !seen_q;
  assign again        = fresh || (command_i == nest_pkg::CommandClear) || (speed_i != speed_q);
  assign change       = again || (units != units_q) || mode_differs;

  logic       pause, paused, speed_fails, mode_fails;
  logic [4:0] phase_before, phase;
  logic [3:0] ring_now;
  logic [2:0] status_before, status;
  assign pause        = command_i == nest_pkg::CommandPause;
  assign paused       = pause || (paused_q && (command_i != nest_pkg::CommandResume) &&
                                  (command_i != nest_pkg::CommandClear));
  assign speed_fails  = speed_i > nest_pkg::MaxSpeed;
  assign mode_fails   = mode_i > nest_pkg::ModeDebug;
  assign phase_before = change ? 5'd0 : phase_q;
  assign ring_now     = change ? 4'd0 : ring_q;
  assign status_before = status_of(speed_fails, mode_fails, paused, phase_before);
  assign phase        = ((status_before == nest_pkg::StatusInit) && ({1'b0, ring_now} == phase_before))
                        ? phase_before + 5'd1 : phase_before;
  assign status       = status_of(speed_fails, mode_fails, paused, phase);

  assign forget_o       = decide_i && pause;
  assign clean_o        = again;
  assign version_o      = fresh;
  assign units_o        = (block_units_i == 64'd0) && !Power10;
  assign mode_o         = mode_differs || fresh;
  assign status_write_o = (status != written_q) || fresh || (command_i != nest_pkg::CommandNop);
  assign visit_o        = status_before == nest_pkg::StatusRun;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q    <= 1'b0;
      paused_q  <= 1'b0;
      phase_q   <= '0;
      speed_q   <= '0;
      units_q   <= '0;
      mode_q    <= '0;
      written_q <= nest_pkg::StatusInit;
    end else if (decide_i) begin
      seen_q   <= 1'b1;
      paused_q <= paused;
      phase_q  <= phase;
      speed_q  <= speed_i;
      units_q  <= units;
      mode_q   <= mode_i;
      if (status_write_o) written_q <= status;
    end
  end

  // --- visit ---
  // Which groups are due in this state of the ring: those of which the delay has gone by.
  function automatic logic [12:0] visited(input logic [3:0] ring);
    for (int g = 0; g < 13; g++) begin
      visited[g] = Power10 ? nest_p10_rows_pkg::GROUP_STATES[16*g + 32'(ring)]
                           : nest_rows_pkg::GROUP_STATES[16*g + 32'(ring)];
    end
  endfunction

  // POWER10's groups have no delay.
  function automatic logic [12:0] due(input logic [27:0] delays);
    due = 13'h1fff;
    for (int g = 0; g < 7; g++) due[g] = Power10 || (delays[4*g +: 4] == 4'd0);
  endfunction

  logic [12:0] here, ends;
  assign here = visited(ring_q);
  assign ends = here & due(delay_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ring_q         <= '0;
      delay_q        <= '0;
      epoch2_q       <= '0;
      epoch4_q       <= '0;
      posted_q       <= '0;
      visit_epoch2_q <= '0;
      visit_epoch4_q <= '0;
    end else if (decide_i) begin
      ring_q <= (ring_now == LastRing) ? 4'd0 : ring_now + 4'd1;
      if (visit_o) begin
        posted_q <= ends;
        for (int g = 0; g < 7; g++) begin
          if (ends[g])      delay_q[4*g +: 4] <= (g < 3) ? speed_q[3:0] : {3'd0, speed_q[3]};
          else if (here[g]) delay_q[4*g +: 4] <= delay_q[4*g +: 4] - 4'd1;
        end
        if (ends[1] && !Power10) begin
          visit_epoch2_q <= epoch2_q;
          epoch2_q       <= !epoch2_q;
        end
        if (ends[3] && !Power10) begin
          visit_epoch4_q <= epoch4_q;
          epoch4_q       <= (epoch4_q == 2'd2) ? 2'd0 : epoch4_q + 2'd1;
        end
      end
    end
  end

  // Of a link the three bits that are a number become one of three.
  function automatic logic [63:0] of_rows(input logic [63:0] vector);
    logic [2:0] kind;
    of_rows = vector;
    for (int n = 0; n < 8; n++) begin
      kind = vector[63 - 13 - 3*n +: 3];
      of_rows[63 - 13 - 3*n +: 3] = {kind == 3'd5, kind == 3'd6, kind == 3'd7};
    end
  endfunction

  assign units_value_o = Power10 ? of_rows(units_q) : units_q;
  assign mode_value_o  = mode_q;
  assign posted_o      = posted_q;
  assign epoch2_o      = visit_epoch2_q;
  assign epoch4_o      = visit_epoch4_q;

endmodule
