// SPDX-License-Identifier: Apache-2.0
// One lane of the PMCU: walks its clusters and their slots and does the accesses of a step
// (docs/hw/pmcu.md, "Walks").
module pmcu_lane #(
  parameter logic [2:0] Lane = 3'd0
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // Straps.
  input  logic [5:0]   first_cluster_i, // of the die, on the bus
  input  logic [4:0]   nr_cluster_i,
  input  logic [3:0]   nr_slot_i,
  input  logic [2:0]   nr_lane_i,
  input  logic         broadcast_i,
  input  logic [1:0]   order_i,
  input  logic         ext64_i,
  input  logic         posted_i,

  // The step, and the run's copies.
  input  logic         go_i,
  input  logic         stop_i,     // no new request: BRK
  input  logic         run_begins_i, // the group is the first of its run
  input  logic         run_ends_i,   // and the last
  input  logic [3:0]   state_i,
  input  logic [3:0]   nr_pmu_i,
  input  logic         comp_i,
  input  logic [31:0]  mask_i,
  input  logic [31:0]  pmcr_i,
  input  logic [31:0]  pmccfiltr_i,
  input  logic [127:0] events_i,
  output logic         busy_o,
  output logic         error_o,    // an error response completes in this cycle

  // To the sample buffer, at the completion of a read.
  output logic         put_o,      // a field is complete
  output logic [3:0]   entry_o,    // 0 context IDs, 1 + i counter i, 1 + nr_pmu cycles
  output logic [2:0]   slot_o,
  output logic [3:0]   cluster_o,
  output logic [63:0]  data_o,

  // At an error response: what of the slot fails (docs/hw/pmcu.md, "Failed slots").
  output logic [2:0]   fail_o,     // the run, the next subsample, this one
  output logic         fail_all_o, // of all slots of the cluster

  // Bus port, one beat at a time.
  output logic [63:0]  addr_o,
  output logic         wide_o,
  output logic         awvalid_o,
  input  logic         awready_i,
  output logic         wvalid_o,
  output logic [31:0]  wdata_o,
  input  logic         wready_i,
  input  logic         bvalid_i,
  input  logic [1:0]   bresp_i,
  output logic         arvalid_o,
  input  logic         arready_i,
  input  logic         rvalid_i,
  input  logic [63:0]  rdata_i,
  input  logic [1:0]   rresp_i
);

  logic       busy_q;
  logic [4:0] cluster_q;
  logic [3:0] slot_q;
  logic [5:0] access_q;
  logic       pre_q;             // READ: at the stop that comes before access_q ("Orders")
  logic       ar_q, aw_q, w_q;   // xVALID
  logic [31:0] low_q;            // low word of the field that is being read

  // --- the access: what number access_q of this step is ---
  logic [15:0] first_counter;    // offset of the first used counter
  logic [5:0]  nr_words;         // accesses that cover the used counters
  logic [5:0]  at_reset;         // READ: the first access of the reset
  logic [5:0]  last;             // the step's last access of a slot
  logic        to_slot15;
  logic        running;
  assign running       = order_i == pmcu_pkg::OrderRunning;
  assign first_counter = comp_i ? 16'(pmcu_pkg::CompFirst) << 3 : 16'd0;
  assign nr_words      = ext64_i ? {2'd0, nr_pmu_i} : {1'd0, nr_pmu_i, 1'b0};
  assign at_reset      = 6'd1 + (ext64_i ? 6'd1 : 6'd2) + nr_words +
                         (comp_i ? 6'd0 : (ext64_i ? 6'd1 : 6'd2));

  always_comb begin
    case (state_i)
      pmcu_pkg::StInit:    last = comp_i ? nr_words + 6'd1 : 6'd3;
      pmcu_pkg::StProgram: last = {2'd0, nr_pmu_i} - 6'd1 +
                                  (!running ? 6'd0 : (comp_i ? nr_words : 6'd1));
      pmcu_pkg::StRead:    last = running ? at_reset - 6'd1
                                          : (comp_i ? at_reset + nr_words - 6'd1 : at_reset);
      default:             last = 6'd0;
    endcase
  end

  assign to_slot15 = broadcast_i && ((state_i == pmcu_pkg::StStart) ||
                                     (state_i == pmcu_pkg::StStop) ||
                                     (state_i == pmcu_pkg::StBreak));

  // The word of the used counters that this access is for, where it is for one.
  logic [5:0]  word;
  logic [15:0] word_offset;
  always_comb begin
    // A running counter: its high word first.
    if (state_i == pmcu_pkg::StProgram)
      word = (access_q - {2'd0, nr_pmu_i}) ^ (ext64_i ? 6'd0 : 6'd1);
    else if (state_i != pmcu_pkg::StRead) word = access_q - 6'd1;
    else if (access_q >= at_reset)   word = access_q - at_reset;
    else                             word = access_q - 6'd2 - (ext64_i ? 6'd0 : 6'd1);
  end
  assign word_offset = first_counter + (ext64_i ? {7'd0, word, 3'd0} : {8'd0, word, 2'd0});

  logic        write, wide;
  logic [15:0] offset;
  logic [31:0] wdata;
  logic [3:0]  entry;
  logic        entry_low;        // the low word of a field whose high word follows
  logic [4:0]  field_word;       // READ: accesses since the context IDs

  logic [15:0] pmcr_offset, pmccfiltr_offset, pmevtyper_offset;
  assign pmcr_offset      = ext64_i ? corepmu_regs_pkg::EXT64_PMCR_OFFSET
                                    : corepmu_regs_pkg::EXT32_PMCR_OFFSET;
  assign pmccfiltr_offset = ext64_i ? corepmu_regs_pkg::EXT64_PMCCFILTR_OFFSET
                                    : corepmu_regs_pkg::EXT32_PMCCFILTR_OFFSET;
  logic [5:0]  counter_number;
  assign counter_number   = access_q + (comp_i ? 6'(pmcu_pkg::CompFirst) : 6'd0);
  assign pmevtyper_offset = ext64_i ?
      corepmu_regs_pkg::EXT64_PMEVTYPER_OFFSET + {7'd0, counter_number, 3'd0} :
      corepmu_regs_pkg::EXT32_PMEVTYPER_OFFSET + {8'd0, counter_number, 2'd0};

  assign field_word = access_q[4:0] - 5'd1;

  // The counter that READ stops by itself before it reads it.
  logic [4:0] stop_counter;
  assign stop_counter = (entry == nr_pmu_i + 4'd1)
      ? 5'd31 : {1'b0, entry} - 5'd1 + (comp_i ? 5'(pmcu_pkg::CompFirst) : 5'd0);

  always_comb begin
    write     = 1'b1;
    wide      = 1'b0;
    offset    = '0;
    wdata     = '0;
    entry     = '0;
    entry_low = 1'b0;

    case (state_i)
      pmcu_pkg::StInit: begin
        if (access_q == 6'd0) begin
          offset = corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET;
          wdata  = mask_i;
        end else if (access_q == last) begin
          offset = corepmu_regs_pkg::EXT32_PMOVSCLR_OFFSET;
          wdata  = mask_i;
        end else if (comp_i) begin
          offset = word_offset;
          wide   = ext64_i;
        end else if (access_q == 6'd1) begin
          offset = pmccfiltr_offset;
          wdata  = pmccfiltr_i;
        end else begin
          offset = pmcr_offset;
          wdata  = pmcr_i | 32'h6;
        end
      end

      pmcu_pkg::StProgram: begin
        if (access_q < {2'd0, nr_pmu_i}) begin
          offset = pmevtyper_offset;
          wdata  = {16'd0, events_i[16*access_q[2:0] +: 16]};
        end else begin
          offset = comp_i ? word_offset : pmcr_offset;
          wdata  = comp_i ? 32'd0 : pmcr_i | 32'h6;
          wide   = comp_i && ext64_i;
        end
      end

      pmcu_pkg::StStart: begin
        offset = corepmu_regs_pkg::EXT32_PMCNTENSET_OFFSET;
        wdata  = mask_i;
      end

      pmcu_pkg::StRead: begin
        write     = access_q >= at_reset;
        wide      = ext64_i && (access_q != 6'd0);
        entry     = ext64_i ? field_word[3:0] : field_word[4:1];
        entry_low = !ext64_i && !field_word[0];
        if (access_q >= at_reset) begin
          offset = comp_i ? word_offset : pmcr_offset;
          wdata  = comp_i ? 32'd0 : pmcr_i | 32'h6;
          wide   = comp_i && ext64_i;
        end else if (access_q == 6'd0) begin
          offset = corepmu_regs_pkg::EXT32_PMPCSR_OFFSET;
        end else if (entry == 4'd0) begin
          // CID1SR and CID2SR; one double word where the map has one.
          if (ext64_i)        offset = corepmu_regs_pkg::EXT32_PMCID1SR_ALIAS_OFFSET;
          else if (entry_low) offset = corepmu_regs_pkg::EXT32_PMCID1SR_OFFSET;
          else                offset = corepmu_regs_pkg::EXT32_PMCID2SR_OFFSET;
        end else if (entry == nr_pmu_i + 4'd1) begin
          offset = corepmu_regs_pkg::EXT32_PMCCNTR_OFFSET +
                   ((ext64_i || entry_low) ? 16'd0 : 16'd4);
        end else begin
          offset = word_offset;
        end
      end

      default: begin // STOP, BREAK
        offset = corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET;
        wdata  = mask_i;
      end
    endcase

    if (pre_q) begin
      write     = 1'b1;
      wide      = 1'b0;
      entry_low = 1'b0;
      offset    = corepmu_regs_pkg::EXT32_PMCNTENCLR_OFFSET;
      wdata     = (order_i == pmcu_pkg::OrderCore) ? mask_i : 32'd1 << stop_counter;
    end
  end

  // --- completion and what comes next ---
  logic done, error;
  assign done  = busy_q && (write ? bvalid_i : rvalid_i);
  assign error = (write ? bresp_i : rresp_i) != 2'd0;

  logic [2:0] spoilt;         // run, next, now
  always_comb begin
    case (state_i)
      pmcu_pkg::StInit:  spoilt = 3'b100;
      pmcu_pkg::StStart: spoilt = running ? 3'b100 : 3'b001;
      pmcu_pkg::StStop:  spoilt = 3'b011;
      pmcu_pkg::StRead: begin
        if (pre_q)                                      spoilt = 3'b011;
        else if (write)                                 spoilt = 3'b010;
        else if (posted_i)                              spoilt = {run_begins_i, 2'b11};
        else if (order_i == pmcu_pkg::OrderCounter)     spoilt = 3'b011;
        else                                            spoilt = 3'b001;
      end
      pmcu_pkg::StBreak: spoilt = 3'b000;
      default:           spoilt = 3'b001; // PROGRAM
    endcase
  end

  logic       slot_ends, cluster_ends;
  logic [5:0] next_cluster;
  assign slot_ends    = (access_q == last) && !pre_q;
  assign cluster_ends = to_slot15 || (slot_q + 4'd1 == nr_slot_i);
  assign next_cluster = {1'b0, cluster_q} + {3'd0, nr_lane_i};

  logic       next_busy;      // another access follows
  logic [4:0] cluster_d;
  logic [3:0] slot_d;
  logic [5:0] access_d;
  always_comb begin
    next_busy = 1'b1;
    cluster_d = cluster_q;
    slot_d    = slot_q;
    access_d  = pre_q ? access_q : access_q + 6'd1;
    if (slot_ends || (!write && error && running)) begin
      access_d = '0;
      slot_d   = slot_q + 4'd1;
      if (cluster_ends) begin
        slot_d    = '0;
        cluster_d = next_cluster[4:0];
        next_busy = next_cluster < {1'b0, nr_cluster_i};
      end
    end else if (!write && error) begin
      access_d = at_reset;
    end
  end

  // Whether a stop comes before access_d.
  logic       next_counter, pre_d;
  assign next_counter = (access_d > (ext64_i ? 6'd1 : 6'd2)) && (access_d < at_reset) &&
                        (ext64_i || access_d[0]); // the low word
  always_comb begin
    case (order_i)
      pmcu_pkg::OrderCore:    pre_d = access_d == 6'd0;
      pmcu_pkg::OrderCounter: pre_d = next_counter;
      default:                pre_d = 1'b0;
    endcase
    if ((state_i != pmcu_pkg::StRead) || pre_q) pre_d = 1'b0;
  end

  // A walk that has nothing to do in this order.
  logic empty;
  always_comb begin
    case (state_i)
      pmcu_pkg::StStart: empty = running && !run_begins_i;
      pmcu_pkg::StStop:  empty = running ? !run_ends_i : (order_i != pmcu_pkg::OrderDie);
      default:           empty = 1'b0;
    endcase
  end

  // The next access' direction decides which xVALID rises: it is read when access_q has moved on.
  logic start, new_q;         // new_q: the access in access_q has not been asked for yet
  assign start = go_i && !empty && (5'(Lane) < nr_cluster_i) && (Lane < nr_lane_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      cluster_q <= '0;
      slot_q    <= '0;
      access_q  <= '0;
      low_q     <= '0;
      new_q     <= 1'b0;
      pre_q     <= 1'b0;
    end else begin
      new_q <= 1'b0;
      if (start) begin
        busy_q    <= 1'b1;
        cluster_q <= 5'(Lane);
        slot_q    <= '0;
        access_q  <= '0;
        new_q     <= 1'b1;
        pre_q     <= (state_i == pmcu_pkg::StRead) && (order_i == pmcu_pkg::OrderCore);
      end else if (done) begin
        busy_q    <= next_busy && !stop_i;
        cluster_q <= cluster_d;
        slot_q    <= slot_d;
        access_q  <= access_d;
        pre_q     <= pre_d;
        new_q     <= next_busy && !stop_i;
        if (entry_low) low_q <= rdata_i[31:0];
      end
    end
  end

  // xVALID rises in the access' first cycle and stays until its handshake.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_q <= 1'b0;
      aw_q <= 1'b0;
      w_q  <= 1'b0;
    end else begin
      ar_q <= (new_q ? !write : ar_q) && !arready_i;
      aw_q <= (new_q ? write : aw_q) && !awready_i;
      w_q  <= (new_q ? write : w_q) && !wready_i;
    end
  end
  assign arvalid_o = new_q ? !write : ar_q;
  assign awvalid_o = new_q ? write : aw_q;
  assign wvalid_o  = new_q ? write : w_q;

  logic [5:0] bus_cluster;
  assign bus_cluster = first_cluster_i + {1'b0, cluster_q};
  assign addr_o = pmcu_pkg::ClusterBase +
                  {38'd0, bus_cluster, to_slot15 ? reg_bus_pkg::BroadcastSlot : slot_q, offset};
  assign wide_o  = wide;
  assign wdata_o = wdata;

  assign busy_o    = busy_q;
  assign error_o   = done && error;
  assign put_o     = done && !write && (access_q != 6'd0) && !entry_low;
  assign entry_o   = entry;
  assign slot_o    = slot_q[2:0];
  assign cluster_o = cluster_q[3:0];
  assign fail_o     = (done && error) ? spoilt : 3'd0;
  assign fail_all_o = to_slot15;
  assign data_o    = ext64_i ? rdata_i : {rdata_i[31:0], low_q};

endmodule
