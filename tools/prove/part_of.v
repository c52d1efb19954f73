// SPDX-License-Identifier: Apache-2.0
// A part of a long vector, A[B +: Y_WIDTH], by multiplexers of pieces (past its end: zeros). Yosys's own
// way, a shift of the whole vector, takes minutes where the vector is a table.
(* techmap_celltype = "$shiftx" *)
module part_of (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTMSK_B_ = 0;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTVAL_B_ = 0;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  // Pieces are as wide as the zeros at the end of B let them be.
  localparam [B_WIDTH-1:0] ZEROS = _TECHMAP_CONSTMSK_B_ & ~_TECHMAP_CONSTVAL_B_;
  localparam L = (ZEROS[5:0] == 63 && Y_WIDTH % 64 == 0) ? 6 :
                 (ZEROS[4:0] == 31 && Y_WIDTH % 32 == 0) ? 5 :
                 (ZEROS[3:0] == 15 && Y_WIDTH % 16 == 0) ? 4 :
                 (ZEROS[2:0] == 7 && Y_WIDTH % 8 == 0) ? 3 :
                 (ZEROS[1:0] == 3 && Y_WIDTH % 4 == 0) ? 2 :
                 (ZEROS[0] && Y_WIDTH % 2 == 0) ? 1 : 0;
  localparam G = 1 << L;
  localparam S = $clog2((A_WIDTH + G - 1) / G);
  // Not where the place may lie before the vector.
  localparam NEGATIVE = B_SIGNED && !(_TECHMAP_CONSTMSK_B_[B_WIDTH-1] && !_TECHMAP_CONSTVAL_B_[B_WIDTH-1]);
  localparam FAIL = (A_WIDTH < 128) || (B_WIDTH < L + S) || NEGATIVE;
  wire _TECHMAP_FAIL_ = FAIL;
  generate
    if (!FAIL) begin
      wire [(G << S)+Y_WIDTH-1:0] all;
      assign all = A;
      genvar j;
      for (j = 0; j < Y_WIDTH / G; j = j + 1) begin : g
        wire [(G << S)-1:0] from;
        assign from = all[G*j +: (G << S)];
        \$bmux #(.WIDTH(G), .S_WIDTH(S)) u (.A(from), .S(B[L+S-1:L]), .Y(Y[G*j +: G]));
      end
    end
  endgenerate
endmodule
