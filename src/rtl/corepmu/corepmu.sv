// SPDX-License-Identifier: Apache-2.0
// The core PMU as its external frame shows it (docs/hw/corepmu.md).
module corepmu #(
  // Counters that are built; the strap nr_counter_i says how many of them exist.
  parameter int NrCounter = 8
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [4:0]              nr_counter_i,
  input  logic                    ext64_i,
  input  logic [4:0]              hpmn_i,
  input  logic                    hpme_i,
  input  logic                    hpmd_i,
  input  logic                    spme_i,

  // Pins: the core has no power, the OS lock is set.
  input  logic                    offline_i,
  input  logic                    locked_i,

  input  logic                    reg_en_i,
  input  logic                    reg_write_i,
  input  logic [15:0]             reg_addr_i,
  input  logic                    reg_wide_i,
  input  logic [63:0]             reg_wdata_i,
  output logic [63:0]             reg_rdata_o,
  output logic                    reg_err_o,

  // The core's own access, which waits for the frame's.
  input  logic                    sys_en_i,
  input  logic                    sys_write_i,
  input  logic                    sys_guest_i,
  input  logic [11:0]             sys_addr_i,
  input  logic [63:0]             sys_wdata_i,
  output logic                    sys_ready_o,
  output logic [63:0]             sys_rdata_o,
  output logic                    irq_o,

  output logic                    counting_o,
  output logic [16*NrCounter-1:0] event_o,
  input  logic [1:0]              mode_i,
  input  logic [8*NrCounter-1:0]  inc_i,
  input  logic [7:0]              cycle_inc_i,
  output logic                    capture_o,
  input  logic [63:0]             pc_i,
  input  logic [31:0]             cid1_i,
  input  logic [31:0]             cid2_i
);

  localparam logic [15:0] PmccntrLow = corepmu_regs_pkg::EXT32_PMCCNTR_OFFSET;

  // Counters are bits of vectors: those that count events, and the cycle counter, which is bit 31 of
  // registers.
  localparam int NrAll  = NrCounter + 1;
  localparam int NrBank = (NrAll + 7) / 8;

  // --- state ---
  logic [NrAll-1:0]        enable_q, int_enable_q, flags;
  logic [3:0]              pmcr_q;                   // LP LC DP E
  logic [16*NrCounter-1:0] event_q;
  logic [6*NrAll-1:0]      filter_q;                 // P, then U, NSK, NSU, NSH and M of all
  logic [31:0]             pc_high_q, cid1_q, cid2_q;

  logic pmcr_e, pmcr_dp, pmcr_lc, pmcr_lp;
  assign {pmcr_lp, pmcr_lc, pmcr_dp, pmcr_e} = pmcr_q;

  // What follows from straps alone: counters that exist, and those of the first range.
  logic [NrAll-1:0] exists, first;
  always_comb begin
    exists = {1'b1, {NrCounter{1'b0}}};
    first  = {1'b1, {NrCounter{1'b0}}};
    for (int n = 0; n < NrCounter; n++) begin
      exists[n] = 5'(n) < nr_counter_i;
      first[n]  = 5'(n) < hpmn_i;
    end
  end

  function automatic logic [15:0] typer_addr(input logic ext64, input int n);
    typer_addr = ext64 ? corepmu_regs_pkg::EXT64_PMEVTYPER_OFFSET + 16'(8 * n)
                       : corepmu_regs_pkg::EXT32_PMEVTYPER_OFFSET + 16'(4 * n);
  endfunction

  // --- access: the words at addr and addr + 4, of the frame or, in the ext64 map, of the core. All of
  // it is worked out only when somebody asks. ---
  logic        sys, both, map64, refused, write, read;
  logic [15:0] addr;
  logic [63:0] data;
  logic [31:0] wdata;                  // all registers but counters are low words
  logic [NrAll-1:0] visible;           // to who is there: a guest sees those of the first range
  logic [NrAll-1:0] wbits;             // of a register with a bit a counter
  logic [NrAll-1:0] at_counter;        // the counter whose value lies there
  logic [NrAll-1:0] touched;           // counters that a write is for
  logic [1:0]  halves;                 // of their values
  logic        at_pmcr, at_ccfiltr, at_pmpcsr, clear, flag_set, flag_clear;
  always_comb begin
    sys        = 1'b0;
    both       = 1'b0;
    map64      = 1'b0;
    refused    = 1'b0;
    write      = 1'b0;
    read       = 1'b0;
    addr       = '0;
    data       = '0;
    wdata      = '0;
    visible    = '0;
    wbits      = '0;
    at_counter = '0;
    touched    = '0;
    halves     = 2'b00;
    at_pmcr    = 1'b0;
    at_ccfiltr = 1'b0;
    at_pmpcsr  = 1'b0;
    clear      = 1'b0;
    flag_set   = 1'b0;
    flag_clear = 1'b0;
    if (reg_en_i || sys_en_i) begin
      sys     = !reg_en_i;
      both    = sys || reg_wide_i;
      map64   = sys || ext64_i;
      refused = !sys && (offline_i || locked_i || (reg_wide_i && !ext64_i));
      write   = (sys ? sys_write_i : reg_write_i) && !refused;
      read    = !(sys ? sys_write_i : reg_write_i) && !refused;
      addr    = sys ? {4'd0, sys_addr_i} : reg_addr_i;
      data    = sys ? sys_wdata_i : reg_wdata_i;
      if (!both) data[63:32] = data[31:0];
      wdata   = data[31:0];
      visible = (sys && sys_guest_i) ? exists & first : exists;
      wbits   = {wdata[31], wdata[NrCounter-1:0]} & visible;

      if ((addr[15:8] == 8'd0) && (addr[1:0] == 2'd0)) begin
        for (int n = 0; n < NrCounter; n++) begin
          at_counter[n] = visible[n] && (addr[7:3] == 5'(n));
        end
        at_counter[NrCounter] = addr[7:3] == PmccntrLow[7:3];
      end
      at_pmcr    = addr == (map64 ? corepmu_regs_pkg::EXT64_PMCR_OFFSET
                                  : corepmu_regs_pkg::EXT32_PMCR_OFFSET);
      at_ccfiltr = addr == (map64 ? corepmu_regs_pkg::EXT64_PMCCFILTR_OFFSET
                                  : corepmu_regs_pkg::EXT32_PMCCFILTR_OFFSET);
      at_pmpcsr  = !sys && ((addr == corepmu_regs_pkg::EXT32_PMPCSR_OFFSET) ||
                            (addr == corepmu_regs_pkg::EXT32_PMPCSR_ALIAS_OFFSET));
      if (write) begin
        clear      = at_pmcr;
        flag_set   = addr == corepmu_regs_pkg::EXT32_PMOVSSET_OFFSET;
        flag_clear = addr == corepmu_regs_pkg::EXT32_PMOVSCLR_OFFSET;
        if (at_counter != '0) halves = {addr[2] || both, !addr[2]};
        touched = at_counter;
        if (flag_set || flag_clear) touched = wbits;
        if (clear) touched = {wdata[2], {NrCounter{wdata[1]}} & visible[NrCounter-1:0]};
      end
    end
  end
  assign sys_ready_o = sys_en_i && !reg_en_i;
  assign reg_err_o   = refused;

  // --- counting ---
  logic [NrAll-1:0] on;                // their range is on
  assign on = (first & {NrAll{pmcr_e}}) | (~first & {NrAll{hpme_i}});

  // Those that count in this mode.
  logic [NrAll-1:0] passes, counts;
  always_comb begin
    unique case (mode_i)
      2'd0:    passes = ~(filter_q[4*NrAll +: NrAll] ^ filter_q[2*NrAll +: NrAll]);
      2'd1:    passes = ~(filter_q[5*NrAll +: NrAll] ^ filter_q[3*NrAll +: NrAll]);
      2'd2:    passes = filter_q[NrAll +: NrAll] &
                        ~({pmcr_dp, first[NrCounter-1:0]} & {NrAll{hpmd_i}});
      default: passes = ~(filter_q[0 +: NrAll] ^ filter_q[5*NrAll +: NrAll]) &
                        ~({pmcr_dp, {NrCounter{1'b1}}} & {NrAll{!spme_i}});
    endcase
    counts = enable_q & on & passes;
  end

  logic [NrAll-1:0]   wide;
  logic [8*NrAll-1:0] inc;
  logic [64*NrBank-1:0] values;        // what each bank reads, zero where it does not
  assign wide = {pmcr_lc, ~first[NrCounter-1:0] | {NrCounter{pmcr_lp}}};
  assign inc  = {cycle_inc_i, inc_i};

  for (genvar b = 0; b < NrBank; b++) begin : g_bank
    localparam int First = 8 * b;
    localparam int Size  = (NrAll - First < 8) ? NrAll - First : 8;

    corepmu_counters #(
      .NrCounter (Size)
    ) u_counters (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .offline_i    (offline_i),
      .count_i      (counts[First +: Size]),
      .wide_i       (wide[First +: Size]),
      .inc_i        (inc[8*First +: 8*Size]),
      .write_i      (touched[First +: Size]),
      .clear_i      (clear),
      .halves_i     (halves),
      .wdata_i      (data),
      .flag_set_i   (flag_set),
      .flag_clear_i (flag_clear),
      .read_i       (at_counter[First +: Size]),
      .value_o      (values[64*b +: 64]),
      .flag_o       (flags[First +: Size])
    );
  end

  // --- registers ---
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q     <= '0;
      int_enable_q <= '0;
      pmcr_q       <= '0;
      event_q      <= '0;
      filter_q     <= '0;
    end else if (offline_i) begin
      enable_q     <= '0;
      int_enable_q <= '0;
      pmcr_q       <= '0;
      event_q      <= '0;
      filter_q     <= '0;
    end else if (write) begin
      if (addr == corepmu_regs_pkg::EXT32_PMCNTENSET_OFFSET) enable_q <= enable_q | wbits;
      if (addr == corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET) enable_q <= enable_q & ~wbits;
      if (addr == corepmu_regs_pkg::EXT32_PMINTENSET_OFFSET) int_enable_q <= int_enable_q | wbits;
      if (addr == corepmu_regs_pkg::EXT32_PMINTENCLR_OFFSET) int_enable_q <= int_enable_q & ~wbits;
      if (at_pmcr) pmcr_q <= {wdata[7:5], wdata[0]};
      for (int n = 0; n < NrCounter; n++) begin
        if (visible[n] && (addr == typer_addr(map64, n))) event_q[16*n +: 16] <= wdata[15:0];
      end
      for (int n = 0; n < NrAll; n++) begin
        if ((n == NrCounter) ? at_ccfiltr : visible[n] && (addr == typer_addr(map64, n))) begin
          for (int i = 0; i < 6; i++) filter_q[NrAll*i + n] <= wdata[26+i];
        end
      end
    end
  end

  // --- capture ---
  assign capture_o = read && at_pmpcsr;

  logic [31:0] pc_high;
  assign pc_high = {mode_i != 2'd3, mode_i, 5'd0, pc_i[55:32]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_high_q <= '0;
      cid1_q    <= '0;
      cid2_q    <= '0;
    end else if (offline_i) begin
      pc_high_q <= '0;
      cid1_q    <= '0;
      cid2_q    <= '0;
    end else if (capture_o) begin
      pc_high_q <= pc_high;
      cid1_q    <= cid1_i;
      cid2_q    <= cid2_i;
    end
  end

  // --- reads ---
  function automatic logic [31:0] id_word(input logic [4:0] counters);
    id_word = {17'd0, 1'b1, 6'd63, 3'd0, counters};
  endfunction

  // A register with a bit a counter.
  function automatic logic [31:0] bits_word(input logic [NrAll-1:0] bits);
    bits_word = 32'(bits[NrCounter-1:0]) | {bits[NrCounter], 31'd0};
  endfunction

  // The words at the address and behind it.
  logic [31:0] low_word, high_word;
  logic [15:0] high_addr;
  logic [63:0] value;
  always_comb begin
    low_word  = '0;
    high_word = '0;
    value     = '0;
    high_addr = {addr[15:3], 3'd4};
    if (read) begin
      if (at_counter != '0) begin
        for (int b = 0; b < NrBank; b++) value = value | values[64*b +: 64];
        low_word  = addr[2] ? value[63:32] : value[31:0];
        high_word = value[63:32];
      end
      for (int n = 0; n < NrCounter; n++) begin
        if (visible[n] && (addr == typer_addr(map64, n))) begin
          for (int i = 0; i < 6; i++) low_word[26+i] = filter_q[NrAll*i + n];
          low_word[15:0] = event_q[16*n +: 16];
        end
      end
      // What is no system register.
      if (!sys) begin
        if (at_pmpcsr) begin
          low_word  = pc_i[31:0];
          high_word = pc_high;
        end
        if ((addr == corepmu_regs_pkg::EXT32_PMPCSR_OFFSET + 16'd4) ||
            (addr == corepmu_regs_pkg::EXT32_PMPCSR_ALIAS_OFFSET + 16'd4)) begin
          low_word = pc_high_q;
        end
        if ((addr == corepmu_regs_pkg::EXT32_PMCID1SR_OFFSET) ||
            (addr == corepmu_regs_pkg::EXT32_PMCID1SR_ALIAS_OFFSET)) begin
          low_word = cid1_q;
        end
        if (addr == corepmu_regs_pkg::EXT32_PMCID2SR_OFFSET) low_word = cid2_q;
        if (high_addr == corepmu_regs_pkg::EXT32_PMCID2SR_OFFSET) high_word = cid2_q;
        if (addr == corepmu_regs_pkg::EXT32_PMCFGR_OFFSET) low_word = id_word(nr_counter_i);
      end
      if (at_ccfiltr) begin
        for (int i = 0; i < 6; i++) low_word[26+i] = filter_q[NrAll*i + NrCounter];
      end
      if ((addr == corepmu_regs_pkg::EXT32_PMCNTENSET_OFFSET) ||
          (addr == corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET)) begin
        low_word = bits_word(enable_q & visible);
      end
      if ((addr == corepmu_regs_pkg::EXT32_PMINTENSET_OFFSET) ||
          (addr == corepmu_regs_pkg::EXT32_PMINTENCLR_OFFSET)) begin
        low_word = bits_word(int_enable_q & visible);
      end
      if ((addr == corepmu_regs_pkg::EXT32_PMOVSCLR_OFFSET) ||
          (addr == corepmu_regs_pkg::EXT32_PMOVSSET_OFFSET)) begin
        low_word = bits_word(flags & visible);
      end
      // PMCR.N of a system register.
      if (at_pmcr) begin
        low_word = {24'd0, pmcr_lp, pmcr_lc, pmcr_dp, 4'd0, pmcr_e};
        if (sys) low_word[15:11] = (sys_guest_i && (hpmn_i < nr_counter_i)) ? hpmn_i : nr_counter_i;
      end
    end
  end

  assign reg_rdata_o = {both ? high_word : 32'd0, low_word};
  assign sys_rdata_o = {high_word, low_word};

  assign irq_o      = ((flags & int_enable_q & on) != '0) && !offline_i;
  assign counting_o = (enable_q != '0) && !offline_i;
  assign event_o    = event_q;

  logic unused_pc;
  assign unused_pc = ^pc_i[63:56];

endmodule
