// SPDX-License-Identifier: Apache-2.0
// Memory of a foreign core with an AXI4 port of 64 bits: reads and writes, a burst (INCR or WRAP) of each at a time.
// Beats are held back by chance. Addresses repeat after its size.
module axi_memory #(
  parameter int Words   = 16384,
  parameter int IdWidth = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               aw_valid_i,
  output logic               aw_ready_o,
  input  logic [IdWidth-1:0] aw_id_i,
  input  logic [31:0]        aw_addr_i,
  input  logic [7:0]         aw_len_i,
  input  logic [2:0]         aw_size_i,
  input  logic [1:0]         aw_burst_i,
  input  logic               w_valid_i,
  output logic               w_ready_o,
  input  logic [63:0]        w_data_i,
  input  logic [7:0]         w_strb_i,
  input  logic               w_last_i,
  output logic               b_valid_o,
  input  logic               b_ready_i,
  output logic [IdWidth-1:0] b_id_o,

  input  logic               ar_valid_i,
  output logic               ar_ready_o,
  input  logic [IdWidth-1:0] ar_id_i,
  input  logic [31:0]        ar_addr_i,
  input  logic [7:0]         ar_len_i,
  input  logic [2:0]         ar_size_i,
  input  logic [1:0]         ar_burst_i,
  output logic               r_valid_o,
  input  logic               r_ready_i,
  output logic [IdWidth-1:0] r_id_o,
  output logic [63:0]        r_data_o,
  output logic               r_last_o,

  output logic               ended_o       // a store to the last word
);

  localparam int Bits = $clog2(Words);
  localparam logic [1:0] Wrap = 2'd2;

  logic [31:0] words [Words];
  logic [31:0] lfsr_q;

  initial begin
    string name;
    if (!$value$plusargs("program=%s", name)) $fatal(1, "+program=FILE");
    $readmemh(name, words);
  end

  // Where the next beat of a burst is.
  function automatic logic [31:0] next_of(logic [31:0] addr, logic [7:0] len, logic [2:0] size,
                                          logic [1:0] burst);
    logic [31:0] whole, next;
    whole = ({24'd0, len} + 32'd1) << size;
    next  = addr + (32'd1 << size);
    return (burst == Wrap) ? (addr & ~(whole - 32'd1)) | (next & (whole - 32'd1)) : next;
  endfunction

  logic               read_q, write_q, answer_q;
  logic [IdWidth-1:0] read_id_q, write_id_q;
  logic [31:0]        read_addr_q, write_addr_q;
  logic [7:0]         read_len_q, read_left_q, write_len_q;
  logic [2:0]         read_size_q, write_size_q;
  logic [1:0]         read_burst_q, write_burst_q;
  logic               read_waits_q; // this beat waits

  assign ar_ready_o = !read_q;
  assign aw_ready_o = !write_q && !answer_q;
  assign w_ready_o  = write_q && (lfsr_q[4:3] != 2'd0);
  assign r_valid_o  = read_q && !read_waits_q;
  assign r_last_o   = read_left_q == 8'd0;
  assign r_id_o     = read_id_q;
  assign r_data_o   = {words[{read_addr_q[Bits+1:3], 1'b1}], words[{read_addr_q[Bits+1:3], 1'b0}]};
  assign b_valid_o  = answer_q;
  assign b_id_o     = write_id_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfsr_q       <= 32'hACE1_1234;
      read_q       <= 1'b0;
      write_q      <= 1'b0;
      answer_q     <= 1'b0;
      read_waits_q <= 1'b0;
      ended_o      <= 1'b0;
    end else begin
      lfsr_q       <= {lfsr_q[30:0], lfsr_q[31] ^ lfsr_q[21] ^ lfsr_q[1] ^ lfsr_q[0]};
      read_waits_q <= (lfsr_q[1:0] == 2'd0) && !(r_valid_o && !r_ready_i);
      if (ar_valid_i && ar_ready_o) begin
        read_q       <= 1'b1;
        read_id_q    <= ar_id_i;
        read_addr_q  <= ar_addr_i;
        read_len_q   <= ar_len_i;
        read_left_q  <= ar_len_i;
        read_size_q  <= ar_size_i;
        read_burst_q <= ar_burst_i;
      end
      if (r_valid_o && r_ready_i) begin
        read_q      <= !r_last_o;
        read_left_q <= read_left_q - 8'd1;
        read_addr_q <= next_of(read_addr_q, read_len_q, read_size_q, read_burst_q);
      end
      if (aw_valid_i && aw_ready_o) begin
        write_q       <= 1'b1;
        write_id_q    <= aw_id_i;
        write_addr_q  <= aw_addr_i;
        write_len_q   <= aw_len_i;
        write_size_q  <= aw_size_i;
        write_burst_q <= aw_burst_i;
      end
      if (w_valid_i && w_ready_o) begin
        for (int i = 0; i < 8; i++) begin
          if (w_strb_i[i]) words[{write_addr_q[Bits+1:3], i[2]}][8*(i%4) +: 8] <= w_data_i[8*i +: 8];
        end
        if ((&write_addr_q[Bits+1:3]) && w_strb_i[7]) ended_o <= 1'b1;
        write_addr_q <= next_of(write_addr_q, write_len_q, write_size_q, write_burst_q);
        write_q      <= !w_last_i;
        answer_q     <= w_last_i;
      end
      if (b_valid_o && b_ready_i) answer_q <= 1'b0;
    end
  end

endmodule
