// SPDX-License-Identifier: Apache-2.0
// The counters of the nest and the engine that posts them to memory (docs/hw/nest.md).
module nest #(
  parameter bit Power10   = 1'b0,    // POWER10's engine; else POWER9's
  parameter int NrCounter = Power10 ? nest_p10_rows_pkg::NrCounter : nest_rows_pkg::NrCounter
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,

  // Straps.
  input  logic [63:0]                           base_i,
  input  logic [31:0]                           tick_cycles_i,

  // Increments of the counters, in the order of the rows.
  input  logic [4*NrCounter-1:0]                inc_i,

  // AXI4 manager port.
  output logic [bus_pkg::ReqBits-1:0]           req_o,
  input  logic [bus_pkg::RspBits-1:0]           rsp_i,

  output logic [2:0]                            status_o,
  output logic                                  sample_valid_o,
  output logic [3:0]                            sample_group_o,
  output logic [63:0]                           sample_addr_o,
  output logic [31:0]                           sample_number_o,
  output logic [15:0]                           sample_bytes_o,
  output logic [1:0]                            sample_resp_o,
  output logic [63:0]                           sample_start_o
);

  // Ticks and registers.
  logic        tick_waits, take_tick;
  logic [63:0] cycle;
  logic        decide, forget;
  logic [63:0] command, speed, block_units, block_mode, units, mode;
  logic [5:0]  todo;
  logic [12:0] posted;
  logic        epoch2;
  logic [1:0]  epoch4;

  // Counters.
  logic        collect, counts;
  logic [8:0]  number;
  logic [5:0]  width;
  logic [1:0]  style;
  logic [3:0]  index;
  logic [63:0] collected;

  // Bus port.
  logic        start, write, word_en, done, error;
  logic [63:0] addr, word, read_word;
  logic [4:0]  beats;
  logic [3:0]  beat;

  nest_ticker u_ticker (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .tick_cycles_i (tick_cycles_i),
    .take_i        (take_tick),
    .waits_o       (tick_waits),
    .cycle_o       (cycle)
  );

  nest_control #(
    .Power10 (Power10)
  ) u_control (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .decide_i       (decide),
    .command_i      (command),
    .speed_i        (speed),
    .block_units_i  (block_units),
    .mode_i         (block_mode),
    .forget_o       (forget),
    .clean_o        (todo[0]),
    .version_o      (todo[1]),
    .units_o        (todo[2]),
    .mode_o         (todo[3]),
    .status_write_o (todo[4]),
    .visit_o        (todo[5]),
    .status_o       (status_o),
    .units_value_o  (units),
    .mode_value_o   (mode),
    .posted_o       (posted),
    .epoch2_o       (epoch2),
    .epoch4_o       (epoch4)
  );

  nest_counters #(
    .Power10 (Power10)
  ) u_counters (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .inc_i     (inc_i),
    .forget_i  (forget),
    .collect_i (collect),
    .counts_i  (counts),
    .number_i  (number),
    .width_i   (width),
    .style_i   (style),
    .index_i   (index),
    .beat_i    (beat),
    .word_o    (collected)
  );

  nest_engine #(
    .Power10 (Power10)
  ) u_engine (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .base_i          (base_i),
    .tick_waits_i    (tick_waits),
    .take_tick_o     (take_tick),
    .cycle_i         (cycle),
    .decide_o        (decide),
    .command_o       (command),
    .speed_o         (speed),
    .block_units_o   (block_units),
    .block_mode_o    (block_mode),
    .todo_i          (todo),
    .status_i        (status_o),
    .units_i         (units),
    .mode_i          (mode),
    .posted_i        (posted),
    .epoch2_i        (epoch2),
    .epoch4_i        (epoch4),
    .collect_o       (collect),
    .counts_o        (counts),
    .number_o        (number),
    .width_o         (width),
    .style_o         (style),
    .index_o         (index),
    .collected_i     (collected),
    .start_o         (start),
    .write_o         (write),
    .addr_o          (addr),
    .beats_o         (beats),
    .beat_i          (beat),
    .word_o          (word),
    .word_en_i       (word_en),
    .word_i          (read_word),
    .done_i          (done),
    .error_i         (error),
    .bresp_i         (rsp_i[bus_pkg::RspBResp +: 2]),
    .sample_valid_o  (sample_valid_o),
    .sample_group_o  (sample_group_o),
    .sample_addr_o   (sample_addr_o),
    .sample_number_o (sample_number_o),
    .sample_bytes_o  (sample_bytes_o),
    .sample_resp_o   (sample_resp_o),
    .sample_start_o  (sample_start_o)
  );

  nest_writer u_writer (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .start_i   (start),
    .write_i   (write),
    .addr_i    (addr),
    .beats_i   (beats),
    .beat_o    (beat),
    .word_i    (word),
    .word_en_o (word_en),
    .word_o    (read_word),
    .done_o    (done),
    .error_o   (error),
    .req_o     (req_o),
    .rsp_i     (rsp_i)
  );

endmodule
