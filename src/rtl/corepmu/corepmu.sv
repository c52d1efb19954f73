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
  input  logic                    offline_i,
  input  logic                    locked_i,

  input  logic                    reg_en_i,
  input  logic                    reg_write_i,
  input  logic [15:0]             reg_addr_i,
  input  logic                    reg_wide_i,
  input  logic [63:0]             reg_wdata_i,
  output logic [63:0]             reg_rdata_o,
  output logic                    reg_err_o,

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

  // --- state ---
  logic [31:0]             enable_q, flags;
  logic                    pmcr_e_q, pmcr_dp_q, pmcr_lc_q, pmcr_lp_q;
  logic [16*NrCounter-1:0] event_q;
  logic [6*NrCounter-1:0]  filter_q;
  logic [5:0]              cc_filter_q;
  logic [31:0]             pc_high_q, cid1_q, cid2_q;
  logic [64*NrCounter-1:0] value;
  logic [63:0]             cycles;

  // Counters that exist, as bits of the enables.
  logic [31:0] exists;
  always_comb begin
    exists = 32'h8000_0000;
    for (int n = 0; n < NrCounter; n++) begin
      exists[n] = 5'(n) < nr_counter_i;
    end
  end

  // --- access: the words at word_addr and word_addr + 4 ---
  logic refused, write_low, write_high;
  assign refused    = offline_i || locked_i || (reg_wide_i && !ext64_i);
  assign write_low  = reg_en_i && reg_write_i && !refused;
  assign write_high = write_low && reg_wide_i;

  logic [15:0] high_addr;
  assign high_addr = {reg_addr_i[15:3], 3'd4};

  // Which words of counters are written: low and high of each, the cycle counter last.
  logic [2*NrCounter+1:0] write_words;
  always_comb begin
    write_words = '0;
    if (write_low) begin
      for (int n = 0; n < NrCounter; n++) begin
        write_words[2*n]   = exists[n] && (reg_addr_i == 16'(8 * n));
        write_words[2*n+1] = exists[n] && ((reg_addr_i == 16'(8 * n + 4)) ||
                                           (write_high && (high_addr == 16'(8 * n + 4))));
      end
      write_words[2*NrCounter]   = reg_addr_i == PmccntrLow;
      write_words[2*NrCounter+1] = (reg_addr_i == PmccntrLow + 16'd4) ||
                                   (write_high && (high_addr == PmccntrLow + 16'd4));
    end
  end

  logic [15:0] pmcr_addr, ccfiltr_addr;
  assign pmcr_addr    = ext64_i ? corepmu_regs_pkg::EXT64_PMCR_OFFSET
                                : corepmu_regs_pkg::EXT32_PMCR_OFFSET;
  assign ccfiltr_addr = ext64_i ? corepmu_regs_pkg::EXT64_PMCCFILTR_OFFSET
                                : corepmu_regs_pkg::EXT32_PMCCFILTR_OFFSET;

  // All registers but counters are low words of an access.
  logic [31:0] wdata;
  assign wdata = reg_wdata_i[31:0];

  logic write_pmcr, write_set, write_clr, write_ovsclr, write_ovsset;
  assign write_pmcr   = write_low && (reg_addr_i == pmcr_addr);
  assign write_set    = write_low && (reg_addr_i == corepmu_regs_pkg::EXT32_PMCNTENSET_OFFSET);
  assign write_clr    = write_low && (reg_addr_i == corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET);
  assign write_ovsclr = write_low && (reg_addr_i == corepmu_regs_pkg::EXT32_PMOVSCLR_OFFSET);
  assign write_ovsset = write_low && (reg_addr_i == corepmu_regs_pkg::EXT32_PMOVSSET_OFFSET);

  // --- counting ---
  logic        clear_events, clear_cycles;
  assign clear_events = write_pmcr && wdata[1];
  assign clear_cycles = write_pmcr && wdata[2];

  for (genvar n = 0; n < NrCounter; n++) begin : g_counter
    logic first_range, count;
    assign first_range = 5'(n) < hpmn_i;
    assign count       = enable_q[n] && (first_range ? pmcr_e_q : hpme_i) && !offline_i;

    corepmu_counter u_counter (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .enable_i     (count),
      .filter_i     (filter_q[6*n +: 6]),
      .no_el2_i     (hpmd_i && first_range),
      .no_el3_i     (!spme_i),
      .wide_i       (!first_range || pmcr_lp_q),
      .mode_i       (mode_i),
      .inc_i        (inc_i[8*n +: 8]),
      .clear_i      (clear_events && exists[n]),
      .write_i      (write_words[2*n +: 2]),
      .wdata_i      (reg_wide_i ? reg_wdata_i : {2{wdata}}),
      .flag_set_i   (write_ovsset && wdata[n] && exists[n]),
      .flag_clear_i (write_ovsclr && wdata[n]),
      .value_o      (value[64*n +: 64]),
      .flag_o       (flags[n])
    );
  end

  for (genvar n = NrCounter; n < 31; n++) begin : g_no_counter
    assign flags[n] = 1'b0;
  end

  corepmu_counter u_cycle_counter (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .enable_i     (enable_q[31] && pmcr_e_q && !offline_i),
    .filter_i     (cc_filter_q),
    .no_el2_i     (hpmd_i && pmcr_dp_q),
    .no_el3_i     (!spme_i && pmcr_dp_q),
    .wide_i       (pmcr_lc_q),
    .mode_i       (mode_i),
    .inc_i        (cycle_inc_i),
    .clear_i      (clear_cycles),
    .write_i      (write_words[2*NrCounter +: 2]),
    .wdata_i      (reg_wide_i ? reg_wdata_i : {2{wdata}}),
    .flag_set_i   (write_ovsset && wdata[31]),
    .flag_clear_i (write_ovsclr && wdata[31]),
    .value_o      (cycles),
    .flag_o       (flags[31])
  );

  // --- registers ---
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q    <= '0;
      pmcr_e_q    <= 1'b0;
      pmcr_dp_q   <= 1'b0;
      pmcr_lc_q   <= 1'b0;
      pmcr_lp_q   <= 1'b0;
      cc_filter_q <= '0;
      event_q     <= '0;
      filter_q    <= '0;
    end else begin
      if (write_set) enable_q <= enable_q | (wdata & exists);
      if (write_clr) enable_q <= enable_q & ~wdata;
      if (write_pmcr) begin
        pmcr_e_q  <= wdata[0];
        pmcr_dp_q <= wdata[5];
        pmcr_lc_q <= wdata[6];
        pmcr_lp_q <= wdata[7];
      end
      if (write_low && (reg_addr_i == ccfiltr_addr)) cc_filter_q <= wdata[31:26];
      if (write_low) begin
        for (int n = 0; n < NrCounter; n++) begin
          if (exists[n] && (reg_addr_i == typer_addr(ext64_i, n))) begin
            event_q[16*n +: 16] <= wdata[15:0];
            filter_q[6*n +: 6]  <= wdata[31:26];
          end
        end
      end
    end
  end

  function automatic logic [15:0] typer_addr(input logic ext64, input int n);
    typer_addr = ext64 ? corepmu_regs_pkg::EXT64_PMEVTYPER_OFFSET + 16'(8 * n)
                       : corepmu_regs_pkg::EXT32_PMEVTYPER_OFFSET + 16'(4 * n);
  endfunction

  // --- capture ---
  logic at_pmpcsr;
  assign at_pmpcsr = (reg_addr_i == corepmu_regs_pkg::EXT32_PMPCSR_OFFSET) ||
                     (reg_addr_i == corepmu_regs_pkg::EXT32_PMPCSR_ALIAS_OFFSET);
  assign capture_o = reg_en_i && !reg_write_i && !refused && at_pmpcsr;

  logic [31:0] pc_high;
  assign pc_high = {mode_i != 2'd3, mode_i, 5'd0, pc_i[55:32]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
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

  // The words at the address and behind it, worked out only when somebody reads.
  logic        read;
  logic [31:0] low_word, high_word;
  assign read = reg_en_i && !reg_write_i && !refused;
  always_comb begin
    low_word  = '0;
    high_word = '0;
    if (read) begin
      for (int n = 0; n < NrCounter; n++) begin
        if (exists[n]) begin
          if (reg_addr_i == 16'(8 * n))                  low_word  = value[64*n +: 32];
          if (reg_addr_i == 16'(8 * n + 4))              low_word  = value[64*n+32 +: 32];
          if (high_addr == 16'(8 * n + 4))               high_word = value[64*n+32 +: 32];
          if (reg_addr_i == typer_addr(ext64_i, n))      low_word  = {filter_q[6*n +: 6], 10'd0,
                                                                      event_q[16*n +: 16]};
        end
      end
      if (reg_addr_i == PmccntrLow)         low_word  = cycles[31:0];
      if (reg_addr_i == PmccntrLow + 16'd4) low_word  = cycles[63:32];
      if (high_addr == PmccntrLow + 16'd4)  high_word = cycles[63:32];
      if (at_pmpcsr) begin
        low_word  = pc_i[31:0];
        high_word = pc_high;
      end
      if ((reg_addr_i == corepmu_regs_pkg::EXT32_PMPCSR_OFFSET + 16'd4) ||
          (reg_addr_i == corepmu_regs_pkg::EXT32_PMPCSR_ALIAS_OFFSET + 16'd4)) begin
        low_word = pc_high_q;
      end
      if ((reg_addr_i == corepmu_regs_pkg::EXT32_PMCID1SR_OFFSET) ||
          (reg_addr_i == corepmu_regs_pkg::EXT32_PMCID1SR_ALIAS_OFFSET)) begin
        low_word = cid1_q;
      end
      if (reg_addr_i == corepmu_regs_pkg::EXT32_PMCID2SR_OFFSET) low_word = cid2_q;
      if (high_addr == corepmu_regs_pkg::EXT32_PMCID2SR_OFFSET)  high_word = cid2_q;
      if (reg_addr_i == ccfiltr_addr) low_word = {cc_filter_q, 26'd0};
      if ((reg_addr_i == corepmu_regs_pkg::EXT32_PMCNTENSET_OFFSET) ||
          (reg_addr_i == corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET)) begin
        low_word = enable_q;
      end
      if ((reg_addr_i == corepmu_regs_pkg::EXT32_PMOVSCLR_OFFSET) ||
          (reg_addr_i == corepmu_regs_pkg::EXT32_PMOVSSET_OFFSET)) begin
        low_word = flags;
      end
      if (reg_addr_i == corepmu_regs_pkg::EXT32_PMCFGR_OFFSET) low_word = id_word(nr_counter_i);
      if (reg_addr_i == pmcr_addr) low_word = {24'd0, pmcr_lp_q, pmcr_lc_q, pmcr_dp_q,
                                              4'd0, pmcr_e_q};
    end
  end

  assign reg_err_o   = refused;
  assign reg_rdata_o = {reg_wide_i ? high_word : 32'd0, low_word};

  assign counting_o = (enable_q != 32'd0) && !offline_i;
  assign event_o    = event_q;

  logic unused_pc;
  assign unused_pc = ^pc_i[63:56];

endmodule
