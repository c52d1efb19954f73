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

  // --- state ---
  logic [31:0]             enable_q, int_enable_q, flags;
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

  // --- access: the words at addr and addr + 4, of the frame or, in the ext64 map, of the core ---
  logic sys;
  assign sys         = sys_en_i && !reg_en_i;
  assign sys_ready_o = sys;

  logic        access, both, map64;
  logic [15:0] addr;
  logic [63:0] data;
  assign access = reg_en_i || sys_en_i;
  assign both   = sys || reg_wide_i;
  assign map64  = sys || ext64_i;
  assign addr   = sys ? {4'd0, sys_addr_i} : reg_addr_i;
  assign data   = sys ? sys_wdata_i : reg_wdata_i;

  logic refused, write_low, write_high;
  assign refused    = !sys && (offline_i || locked_i || (reg_wide_i && !ext64_i));
  assign write_low  = access && (sys ? sys_write_i : reg_write_i) && !refused;
  assign write_high = write_low && both;

  logic [15:0] high_addr;
  assign high_addr = {addr[15:3], 3'd4};

  // Counters that who is there sees: a guest those of the first range.
  logic [31:0] visible;
  always_comb begin
    visible = exists;
    for (int n = 0; n < NrCounter; n++) begin
      if (sys && sys_guest_i && (5'(n) >= hpmn_i)) visible[n] = 1'b0;
    end
  end

  // Which words of counters are written: low and high of each, the cycle counter last.
  logic [2*NrCounter+1:0] write_words;
  always_comb begin
    write_words = '0;
    if (write_low) begin
      for (int n = 0; n < NrCounter; n++) begin
        write_words[2*n]   = visible[n] && (addr == 16'(8 * n));
        write_words[2*n+1] = visible[n] && ((addr == 16'(8 * n + 4)) ||
                                           (write_high && (high_addr == 16'(8 * n + 4))));
      end
      write_words[2*NrCounter]   = addr == PmccntrLow;
      write_words[2*NrCounter+1] = (addr == PmccntrLow + 16'd4) ||
                                   (write_high && (high_addr == PmccntrLow + 16'd4));
    end
  end

  logic [15:0] pmcr_addr, ccfiltr_addr;
  assign pmcr_addr    = map64 ? corepmu_regs_pkg::EXT64_PMCR_OFFSET
                                : corepmu_regs_pkg::EXT32_PMCR_OFFSET;
  assign ccfiltr_addr = map64 ? corepmu_regs_pkg::EXT64_PMCCFILTR_OFFSET
                                : corepmu_regs_pkg::EXT32_PMCCFILTR_OFFSET;

  // All registers but counters are low words of an access.
  logic [31:0] wdata;
  assign wdata = data[31:0];

  logic write_pmcr, write_set, write_clr, write_intset, write_intclr, write_ovsclr, write_ovsset;
  assign write_pmcr   = write_low && (addr == pmcr_addr);
  assign write_set    = write_low && (addr == corepmu_regs_pkg::EXT32_PMCNTENSET_OFFSET);
  assign write_clr    = write_low && (addr == corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET);
  assign write_intset = write_low && (addr == corepmu_regs_pkg::EXT32_PMINTENSET_OFFSET);
  assign write_intclr = write_low && (addr == corepmu_regs_pkg::EXT32_PMINTENCLR_OFFSET);
  assign write_ovsclr = write_low && (addr == corepmu_regs_pkg::EXT32_PMOVSCLR_OFFSET);
  assign write_ovsset = write_low && (addr == corepmu_regs_pkg::EXT32_PMOVSSET_OFFSET);

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
      .offline_i    (offline_i),
      .enable_i     (count),
      .filter_i     (filter_q[6*n +: 6]),
      .no_el2_i     (hpmd_i && first_range),
      .no_el3_i     (!spme_i),
      .wide_i       (!first_range || pmcr_lp_q),
      .mode_i       (mode_i),
      .inc_i        (inc_i[8*n +: 8]),
      .clear_i      (clear_events && visible[n]),
      .write_i      (write_words[2*n +: 2]),
      .wdata_i      (both ? data : {2{wdata}}),
      .flag_set_i   (write_ovsset && wdata[n] && visible[n]),
      .flag_clear_i (write_ovsclr && wdata[n] && visible[n]),
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
    .offline_i    (offline_i),
    .enable_i     (enable_q[31] && pmcr_e_q && !offline_i),
    .filter_i     (cc_filter_q),
    .no_el2_i     (hpmd_i && pmcr_dp_q),
    .no_el3_i     (!spme_i && pmcr_dp_q),
    .wide_i       (pmcr_lc_q),
    .mode_i       (mode_i),
    .inc_i        (cycle_inc_i),
    .clear_i      (clear_cycles),
    .write_i      (write_words[2*NrCounter +: 2]),
    .wdata_i      (both ? data : {2{wdata}}),
    .flag_set_i   (write_ovsset && wdata[31]),
    .flag_clear_i (write_ovsclr && wdata[31]),
    .value_o      (cycles),
    .flag_o       (flags[31])
  );

  // --- registers ---
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q     <= '0;
      int_enable_q <= '0;
      pmcr_e_q    <= 1'b0;
      pmcr_dp_q   <= 1'b0;
      pmcr_lc_q   <= 1'b0;
      pmcr_lp_q   <= 1'b0;
      cc_filter_q <= '0;
      event_q     <= '0;
      filter_q    <= '0;
    end else if (offline_i) begin
      enable_q     <= '0;
      int_enable_q <= '0;
      pmcr_e_q    <= 1'b0;
      pmcr_dp_q   <= 1'b0;
      pmcr_lc_q   <= 1'b0;
      pmcr_lp_q   <= 1'b0;
      cc_filter_q <= '0;
      event_q     <= '0;
      filter_q    <= '0;
    end else begin
      if (write_set)    enable_q     <= enable_q | (wdata & visible);
      if (write_clr)    enable_q     <= enable_q & ~(wdata & visible);
      if (write_intset) int_enable_q <= int_enable_q | (wdata & visible);
      if (write_intclr) int_enable_q <= int_enable_q & ~(wdata & visible);
      if (write_pmcr) begin
        pmcr_e_q  <= wdata[0];
        pmcr_dp_q <= wdata[5];
        pmcr_lc_q <= wdata[6];
        pmcr_lp_q <= wdata[7];
      end
      if (write_low && (addr == ccfiltr_addr)) cc_filter_q <= wdata[31:26];
      if (write_low) begin
        for (int n = 0; n < NrCounter; n++) begin
          if (visible[n] && (addr == typer_addr(map64, n))) begin
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
  assign at_pmpcsr = (addr == corepmu_regs_pkg::EXT32_PMPCSR_OFFSET) ||
                     (addr == corepmu_regs_pkg::EXT32_PMPCSR_ALIAS_OFFSET);
  assign capture_o = reg_en_i && !reg_write_i && !refused && at_pmpcsr;

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

  // PMCR.N of a system register.
  logic [4:0] number;
  assign number = !sys ? 5'd0 : sys_guest_i && (hpmn_i < nr_counter_i) ? hpmn_i : nr_counter_i;

  // The words at the address and behind it, worked out only when somebody reads.
  logic        read;
  logic [31:0] low_word, high_word;
  assign read = access && !(sys ? sys_write_i : reg_write_i) && !refused;
  always_comb begin
    low_word  = '0;
    high_word = '0;
    if (read) begin
      for (int n = 0; n < NrCounter; n++) begin
        if (visible[n]) begin
          if (addr == 16'(8 * n))                  low_word  = value[64*n +: 32];
          if (addr == 16'(8 * n + 4))              low_word  = value[64*n+32 +: 32];
          if (high_addr == 16'(8 * n + 4))               high_word = value[64*n+32 +: 32];
          if (addr == typer_addr(map64, n))      low_word  = {filter_q[6*n +: 6], 10'd0,
                                                                      event_q[16*n +: 16]};
        end
      end
      if (addr == PmccntrLow)         low_word  = cycles[31:0];
      if (addr == PmccntrLow + 16'd4) low_word  = cycles[63:32];
      if (high_addr == PmccntrLow + 16'd4)  high_word = cycles[63:32];
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
      if (addr == ccfiltr_addr) low_word = {cc_filter_q, 26'd0};
      if ((addr == corepmu_regs_pkg::EXT32_PMCNTENSET_OFFSET) ||
          (addr == corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET)) begin
        low_word = enable_q & visible;
      end
      if ((addr == corepmu_regs_pkg::EXT32_PMINTENSET_OFFSET) ||
          (addr == corepmu_regs_pkg::EXT32_PMINTENCLR_OFFSET)) begin
        low_word = int_enable_q & visible;
      end
      if ((addr == corepmu_regs_pkg::EXT32_PMOVSCLR_OFFSET) ||
          (addr == corepmu_regs_pkg::EXT32_PMOVSSET_OFFSET)) begin
        low_word = flags & visible;
      end
      if (addr == pmcr_addr) low_word = {16'd0, number, 3'd0, pmcr_lp_q, pmcr_lc_q, pmcr_dp_q,
                                              4'd0, pmcr_e_q};
    end
  end

  assign reg_err_o   = refused;
  assign reg_rdata_o = {reg_wide_i ? high_word : 32'd0, low_word};
  assign sys_rdata_o = {high_word, low_word};

  // Counters whose range is on.
  logic [31:0] on;
  always_comb begin
    on = {pmcr_e_q, 31'd0};
    for (int n = 0; n < NrCounter; n++) begin
      on[n] = (5'(n) < hpmn_i) ? pmcr_e_q : hpme_i;
    end
  end
  assign irq_o = ((flags & int_enable_q & on) != 32'd0) && !offline_i;

  assign counting_o = (enable_q != 32'd0) && !offline_i;
  assign event_o    = event_q;

  logic unused_pc;
  assign unused_pc = ^pc_i[63:56];

endmodule
