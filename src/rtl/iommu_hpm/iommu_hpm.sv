// SPDX-License-Identifier: Apache-2.0
// The performance monitor of a RISC-V IOMMU (docs/hw/iommu_hpm.md).
module iommu_hpm #(
  // Event counters that are built, 1..31; the strap counters_i says how many of them exist.
  parameter int NrCounter = 31,
  // Records of a cycle, 1..16.
  parameter int NrRecord = 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [4:0]             counters_i,
  input  logic [6:0]             width_i,

  input  logic                   reg_en_i,
  input  logic                   reg_write_i,
  input  logic                   reg_wide_i,
  input  logic [15:0]            reg_addr_i,
  input  logic [63:0]            reg_wdata_i,
  output logic [63:0]            reg_rdata_o,
  output logic                   reg_err_o,

  input  logic [NrRecord-1:0]    valid_i,
  input  logic [32*NrRecord-1:0] inc_i,
  input  logic [24*NrRecord-1:0] did_i,
  input  logic [NrRecord-1:0]    pv_i,
  input  logic [20*NrRecord-1:0] pid_i,
  input  logic [NrRecord-1:0]    gscv_i,
  input  logic [16*NrRecord-1:0] gscid_i,
  input  logic [NrRecord-1:0]    pscv_i,
  input  logic [20*NrRecord-1:0] pscid_i,
  output logic                   irq_o
);

  // Registers, as offsets without the three bits that are within one. In both of the first two, the
  // halves are registers of their own.
  localparam logic [12:0] Pending = 13'h00a, OvfInh = 13'h00b; // .ipsr; iocountovf, iocountinh
  localparam logic [12:0] Cycles = 13'h00c;
  localparam logic [12:0] Counter = 13'h00d, Evt = 13'h02c;    // of counter 1

  // --- state: bit 0 is of the cycles counter, bit n of counter n ---
  logic [NrCounter:0] inhibit_q, of_q;
  logic               pmip_q;

  logic [NrCounter:0]        exists, wrap;
  logic [64*NrCounter+63:0]  value;
  logic [64*NrCounter-1:0]   evt;
  always_comb begin
    for (int n = 0; n <= NrCounter; n++) begin
      exists[n] = 6'(n) <= {1'b0, counters_i};
    end
  end

  // The cycles counter has 63 bits at most: bit 63 is its OF.
  logic [63:0] mask, cycles_mask;
  assign mask        = ~64'd0 >> (7'd64 - width_i);
  assign cycles_mask = {1'b0, mask[62:0]};

  // --- access: a register, and which of its halves are written ---
  logic        refused, read, write_any;
  logic [1:0]  write;
  logic [12:0] register;
  logic [63:0] wdata;
  assign register  = reg_addr_i[15:3];
  assign refused   = (reg_addr_i[1:0] != 2'd0) ||
                     (reg_wide_i && (reg_addr_i[2] || (register == Pending) || (register == OvfInh)));
  assign reg_err_o = reg_en_i && refused;
  assign read      = reg_en_i && !reg_write_i && !refused;
  assign write_any = reg_en_i && reg_write_i && !refused;
  assign write     = write_any ? {reg_addr_i[2] || reg_wide_i, !reg_addr_i[2]} : 2'b00;
  assign wdata     = reg_wide_i ? reg_wdata_i : {2{reg_wdata_i[31:0]}};

  // --- the cycles counter ---
  logic [1:0] write_cycles;
  assign write_cycles = (register == Cycles) ? write : 2'b00;

  iommu_hpm_counter u_cycles (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .mask_i  (cycles_mask),
    .count_i (!inhibit_q[0]),
    .inc_i   (8'd1),
    .write_i (write_cycles),
    .wdata_i (wdata),
    .value_o (value[63:0]),
    .wrap_o  (wrap[0])
  );

  // --- event counters ---
  logic [NrCounter:0] write_of; // OF is written
  assign write_of[0] = write_cycles[1];

  for (genvar n = 1; n <= NrCounter; n++) begin : g_counter
    logic [1:0]  write_value, write_evt;
    logic [3:0]  event_q;
    logic        dmask_q, pv_pscv_q, dv_gscv_q, idt_q;
    logic [19:0] pid_pscid_q;
    logic [23:0] did_gscid_q;
    logic [7:0]  inc;
    assign write_value = (exists[n] && (register == Counter + 13'(n - 1))) ? write : 2'b00;
    assign write_evt   = (exists[n] && (register == Evt + 13'(n - 1))) ? write : 2'b00;
    assign write_of[n] = write_evt[1];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        event_q     <= '0;
        dmask_q     <= 1'b0;
        pid_pscid_q <= '0;
        did_gscid_q <= '0;
        pv_pscv_q   <= 1'b0;
        dv_gscv_q   <= 1'b0;
        idt_q       <= 1'b0;
      end else begin
        if (write_evt[0]) begin
          event_q           <= (wdata[14:0] <= 15'd8) ? wdata[3:0] : 4'd0;
          dmask_q           <= wdata[15];
          pid_pscid_q[15:0] <= wdata[31:16];
        end
        if (write_evt[1]) begin
          pid_pscid_q[19:16] <= wdata[35:32];
          did_gscid_q        <= wdata[59:36];
          pv_pscv_q          <= wdata[60];
          dv_gscv_q          <= wdata[61];
          idt_q              <= wdata[62];
        end
      end
    end
    assign evt[64*(n-1) +: 64] = {of_q[n], idt_q, dv_gscv_q, pv_pscv_q, did_gscid_q, pid_pscid_q,
                                  dmask_q, 11'd0, event_q};

    iommu_hpm_filter #(
      .NrRecord (NrRecord)
    ) u_filter (
      .event_i     (event_q),
      .dmask_i     (dmask_q),
      .pid_pscid_i (pid_pscid_q),
      .did_gscid_i (did_gscid_q),
      .pv_pscv_i   (pv_pscv_q),
      .dv_gscv_i   (dv_gscv_q),
      .idt_i       (idt_q),
      .valid_i     (valid_i),
      .inc_i       (inc_i),
      .did_i       (did_i),
      .pv_i        (pv_i),
      .pid_i       (pid_i),
      .gscv_i      (gscv_i),
      .gscid_i     (gscid_i),
      .pscv_i      (pscv_i),
      .pscid_i     (pscid_i),
      .inc_o       (inc)
    );

    iommu_hpm_counter u_counter (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .mask_i  (mask),
      .count_i (!inhibit_q[n]),
      .inc_i   (inc),
      .write_i (write_value),
      .wdata_i (wdata),
      .value_o (value[64*n +: 64]),
      .wrap_o  (wrap[n])
    );
  end

  // --- overflow: a wrap beats a write of OF, and one that is new a clear of pmip ---
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inhibit_q <= '0;
      of_q      <= '0;
      pmip_q    <= 1'b0;
    end else begin
      if (write[1] && (register == OvfInh)) inhibit_q <= wdata[32 +: NrCounter+1] & exists;
      for (int n = 0; n <= NrCounter; n++) begin
        if (wrap[n])          of_q[n] <= 1'b1;
        else if (write_of[n]) of_q[n] <= wdata[63];
      end
      if ((wrap & ~of_q) != '0)                                pmip_q <= 1'b1;
      else if (write[1] && (register == Pending) && wdata[34]) pmip_q <= 1'b0;
    end
  end
  assign irq_o = pmip_q;

  // --- reads ---
  logic [63:0] word;
  always_comb begin
    word = '0;
    if (read) begin
      unique case (register)
        Pending: word = {29'd0, pmip_q, 34'd0};
        OvfInh:  word = {32'(inhibit_q), 32'(of_q)};
        Cycles:  word = {of_q[0], value[62:0]};
        default: word = '0;
      endcase
      for (int n = 1; n <= NrCounter; n++) begin
        if (register == Counter + 13'(n - 1)) word = value[64*n +: 64];
        if (register == Evt + 13'(n - 1))     word = evt[64*(n-1) +: 64];
      end
    end
  end

  logic [31:0] half;
  assign half        = reg_addr_i[2] ? word[63:32] : word[31:0];
  assign reg_rdata_o = reg_wide_i ? word : {32'd0, half};

endmodule
