// Generated from src/regs/nest_rows.txt by tools/regs/nest_rows.py: do not edit.
//
// The program of the nest posting engine (docs/hw/nest.md, "Rows"): a vector a column, of
// which element n, from the right, is row n.
package nest_rows_pkg;

  localparam int NrRow = 62;
  localparam int NrCounter = 208;
  localparam int NrGroup = 7;

  localparam logic [1:0] KIND_HEADER = 2'd0;
  localparam logic [1:0] KIND_TRAILER = 2'd1;
  localparam logic [1:0] KIND_COUNTERS = 2'd2;
  localparam logic [1:0] STYLE_CLEAR = 2'd0;
  localparam logic [1:0] STYLE_WRAP = 2'd1;
  localparam logic [1:0] STYLE_WRAP2 = 2'd2;
  localparam logic [1:0] EPOCH_ALL = 2'd3;

  localparam logic [185:0] GROUP = {
    3'd7, 3'd7, 3'd7, 3'd7, 3'd7, 3'd7, 3'd7, 3'd7, 3'd6, 3'd6, 3'd6, 3'd6, 3'd6, 3'd6,
    3'd6, 3'd6, 3'd6, 3'd6, 3'd5, 3'd5, 3'd5, 3'd5, 3'd5, 3'd5, 3'd5, 3'd5, 3'd5, 3'd5,
    3'd4, 3'd4, 3'd4, 3'd4, 3'd4, 3'd4, 3'd4, 3'd4, 3'd3, 3'd3, 3'd3, 3'd3, 3'd3, 3'd3,
    3'd3, 3'd3, 3'd3, 3'd2, 3'd2, 3'd2, 3'd2, 3'd2, 3'd2, 3'd2, 3'd2, 3'd2, 3'd2, 3'd1,
    3'd1, 3'd1, 3'd1, 3'd1, 3'd1, 3'd1
  };

  localparam logic [495:0] STATES = {
    8'h80, 8'h80, 8'h80, 8'h80, 8'h80, 8'h80, 8'h80, 8'h80, 8'h20, 8'h20, 8'h20, 8'h20,
    8'h20, 8'h20, 8'h20, 8'h20, 8'h20, 8'h20, 8'h08, 8'h08, 8'h08, 8'h08, 8'h08, 8'h08,
    8'h08, 8'h08, 8'h08, 8'h08, 8'h02, 8'h02, 8'h02, 8'h02, 8'h02, 8'h02, 8'h02, 8'h02,
    8'haa, 8'haa, 8'haa, 8'haa, 8'haa, 8'haa, 8'haa, 8'haa, 8'haa, 8'h55, 8'h55, 8'h55,
    8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55,
    8'h55, 8'h55
  };

  localparam logic [123:0] KIND = {
    2'd1, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd0, 2'd1, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2,
    2'd2, 2'd2, 2'd2, 2'd0, 2'd1, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd0,
    2'd1, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd0, 2'd1, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2,
    2'd2, 2'd2, 2'd0, 2'd1, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd0, 2'd1,
    2'd2, 2'd2, 2'd2, 2'd2, 2'd2, 2'd0
  };

  localparam logic [743:0] OFFSET = {
    12'h768, 12'h748, 12'h708, 12'h6c8, 12'h6a8, 12'h688, 12'h668, 12'h660, 12'h658,
    12'h5b0, 12'h5a0, 12'h598, 12'h588, 12'h580, 12'h570, 12'h568, 12'h558, 12'h550,
    12'h548, 12'h4a0, 12'h490, 12'h488, 12'h478, 12'h470, 12'h460, 12'h458, 12'h448,
    12'h440, 12'h438, 12'h3d8, 12'h3b8, 12'h398, 12'h378, 12'h358, 12'h338, 12'h330,
    12'h328, 12'h2e8, 12'h2c8, 12'h2a8, 12'h288, 12'h268, 12'h248, 12'h228, 12'h220,
    12'h218, 12'h5f8, 12'h5b8, 12'h4e8, 12'h4a8, 12'h1d8, 12'h198, 12'h158, 12'h118,
    12'h110, 12'h108, 12'h100, 12'h0c8, 12'h080, 12'h048, 12'h008, 12'h000
  };

  localparam logic [247:0] COUNT = {
    4'd1, 4'd4, 4'd8, 4'd8, 4'd4, 4'd4, 4'd4, 4'd1, 4'd1, 4'd1, 4'd2, 4'd1, 4'd2, 4'd1,
    4'd2, 4'd1, 4'd2, 4'd1, 4'd1, 4'd1, 4'd2, 4'd1, 4'd2, 4'd1, 4'd2, 4'd1, 4'd2, 4'd1,
    4'd1, 4'd4, 4'd4, 4'd4, 4'd4, 4'd4, 4'd4, 4'd1, 4'd1, 4'd8, 4'd4, 4'd4, 4'd4, 4'd4,
    4'd4, 4'd4, 4'd1, 4'd1, 4'd8, 4'd8, 4'd8, 4'd8, 4'd8, 4'd8, 4'd8, 4'd8, 4'd1, 4'd1,
    4'd1, 4'd7, 4'd9, 4'd7, 4'd8, 4'd1
  };

  localparam logic [3967:0] UNITS = {
    64'hffffffffffffffff, 64'hffffffffffffffff, 64'h0000000002000000, 64'h0000000004000000,
    64'h0000000000006000, 64'h0000000000018000, 64'h0000000000060000, 64'hffffffffffffffff,
    64'hffffffffffffffff, 64'h0000800000000000, 64'h0000800000000000, 64'h0001000000000000,
    64'h0001000000000000, 64'h0002000000000000, 64'h0002000000000000, 64'h0004000000000000,
    64'h0004000000000000, 64'hffffffffffffffff, 64'hffffffffffffffff, 64'h0008000000000000,
    64'h0008000000000000, 64'h0010000000000000, 64'h0010000000000000, 64'h0020000000000000,
    64'h0020000000000000, 64'h0040000000000000, 64'h0040000000000000, 64'hffffffffffffffff,
    64'hffffffffffffffff, 64'h0000000010000000, 64'h0000000020000000, 64'h0000000040000000,
    64'h0000000080000000, 64'h0000000100000000, 64'h0000000200000000, 64'hffffffffffffffff,
    64'hffffffffffffffff, 64'h000000000007e000, 64'h0000000000002000, 64'h0000000000004000,
    64'h0000000000008000, 64'h0000000000010000, 64'h0000000000020000, 64'h0000000000040000,
    64'hffffffffffffffff, 64'hffffffffffffffff, 64'h0000000000080000, 64'h0000000000100000,
    64'h0000000000200000, 64'h0000000000400000, 64'h0000000008000000, 64'h0000001000000000,
    64'h0000002000000000, 64'h0000004000000000, 64'hffffffffffffffff, 64'hffffffffffffffff,
    64'h8000000000000000, 64'h6000000000000000, 64'h8000000000000000, 64'h1800000000000000,
    64'h8000000000000000, 64'hffffffffffffffff
  };

  localparam logic [371:0] WIDTH = {
    6'd0, 6'd32, 6'd16, 6'd16, 6'd16, 6'd16, 6'd16, 6'd0, 6'd0, 6'd32, 6'd32, 6'd32,
    6'd32, 6'd32, 6'd32, 6'd32, 6'd32, 6'd0, 6'd0, 6'd32, 6'd32, 6'd32, 6'd32, 6'd32,
    6'd32, 6'd32, 6'd32, 6'd0, 6'd0, 6'd48, 6'd48, 6'd48, 6'd48, 6'd48, 6'd48, 6'd0,
    6'd0, 6'd16, 6'd16, 6'd16, 6'd16, 6'd16, 6'd16, 6'd16, 6'd0, 6'd0, 6'd16, 6'd16,
    6'd16, 6'd16, 6'd16, 6'd16, 6'd16, 6'd16, 6'd0, 6'd0, 6'd16, 6'd16, 6'd16, 6'd16,
    6'd16, 6'd0
  };

  localparam logic [247:0] PRESCALE = {
    4'd0, 4'd0, 4'd8, 4'd8, 4'd8, 4'd8, 4'd8, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0,
    4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0,
    4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0, 4'd0,
    4'd0, 4'd8, 4'd8, 4'd8, 4'd8, 4'd8, 4'd8, 4'd8, 4'd0, 4'd0, 4'd12, 4'd12,
    4'd12, 4'd12, 4'd8, 4'd12, 4'd12, 4'd12, 4'd0, 4'd0, 4'd8, 4'd8, 4'd8, 4'd8,
    4'd8, 4'd0
  };

  localparam logic [123:0] STYLE = {
    2'd0, 2'd1, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd2, 2'd1, 2'd2, 2'd1, 2'd2,
    2'd1, 2'd2, 2'd1, 2'd0, 2'd0, 2'd2, 2'd1, 2'd2, 2'd1, 2'd2, 2'd1, 2'd2, 2'd1, 2'd0,
    2'd0, 2'd1, 2'd1, 2'd1, 2'd1, 2'd1, 2'd1, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0,
    2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0,
    2'd0, 2'd0, 2'd0, 2'd0, 2'd0, 2'd0
  };

  localparam logic [123:0] EPOCH = {
    2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3,
    2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3,
    2'd3, 2'd2, 2'd2, 2'd1, 2'd1, 2'd0, 2'd0, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3,
    2'd3, 2'd3, 2'd3, 2'd1, 2'd0, 2'd0, 2'd0, 2'd0, 2'd1, 2'd1, 2'd1, 2'd1, 2'd1, 2'd3,
    2'd3, 2'd3, 2'd3, 2'd3, 2'd3, 2'd3
  };

  localparam logic [495:0] FIRST = {
    8'd208, 8'd204, 8'd196, 8'd188, 8'd184, 8'd180, 8'd176, 8'd176, 8'd176, 8'd175, 8'd173,
    8'd172, 8'd170, 8'd169, 8'd167, 8'd166, 8'd164, 8'd164, 8'd164, 8'd163, 8'd161, 8'd160,
    8'd158, 8'd157, 8'd155, 8'd154, 8'd152, 8'd152, 8'd152, 8'd148, 8'd144, 8'd140, 8'd136,
    8'd132, 8'd128, 8'd128, 8'd128, 8'd120, 8'd116, 8'd112, 8'd108, 8'd104, 8'd100, 8'd96,
    8'd96, 8'd96, 8'd88, 8'd80, 8'd72, 8'd64, 8'd56, 8'd48, 8'd40, 8'd32, 8'd32,
    8'd32, 8'd31, 8'd24, 8'd15, 8'd8, 8'd0, 8'd0
  };

  // Element n - 1: the states of group n.
  localparam logic [55:0] GROUP_STATES = {
    8'h80, 8'h20, 8'h08, 8'h02, 8'haa, 8'h55, 8'h55
  };

  // Every name is used here, so that no module has to use all of them.
  localparam logic unused_sized = ^{
    KIND_HEADER,
    KIND_TRAILER,
    KIND_COUNTERS,
    STYLE_CLEAR,
    STYLE_WRAP,
    STYLE_WRAP2,
    EPOCH_ALL,
    GROUP,
    STATES,
    KIND,
    OFFSET,
    COUNT,
    UNITS,
    WIDTH,
    PRESCALE,
    STYLE,
    EPOCH,
    FIRST,
    GROUP_STATES};
  localparam int unused_plain = NrRow ^ NrCounter ^ NrGroup;

endpackage
