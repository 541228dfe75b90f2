// SPDX-License-Identifier: Apache-2.0
// The ring's places that saves under way will need, a KSR each (timing.md 4.2). They are only counted where the ring
// may be too small.
module tsr_promised #(
`include "tsr_sizes.vh"
) (
  input                      clk_i,
  input                      rst_ni,
  input  [7:0]               phase_i,
  input  [KSR_WIDTH-1:0]     ksr_i,       // that is visited
  // LOAD
  input                      valid_i,     // the row is a kernel's
  output                     fault_o,     // and wrong
  input                      activates_i, // with a row of its own
  input  [SLOT_WIDTH-1:0]    preempted_i, // handles in the ring
  output                     has_room_o,  // for the SM's TBs
  // CALC
  input                      is_second_i,
  input                      traps_i,
  input                      saved_i,
  input                      tb_done_i,
  input                      trapped_i,   // the SM
  input [TB_COUNT_WIDTH-1:0] count_i,     // its TBs
  // WRITE
  input                      writes_i     // the row is a kernel's
);

`include "tsr_codes.vh"

  localparam HAS_ROOM = PTBQ_DEPTH >= NUM_SMS * MAX_TBS_PER_SM; // always
  localparam [SLOT_WIDTH-1:0] ONE = 1;

  generate
    if (HAS_ROOM) begin : g_room
      wire unused_room = &{1'b0, clk_i, rst_ni, phase_i, ksr_i, valid_i, activates_i, preempted_i, is_second_i, traps_i,
                           saved_i, tb_done_i, trapped_i, count_i, writes_i};
      assign fault_o = 1'b0;
      assign has_room_o     = 1'b1;
    end else begin : g_small
      localparam [SLOT_WIDTH+1:0] DEPTH = PTBQ_DEPTH[SLOT_WIDTH+1:0];
      wire unused = &{1'b0, phase_i[PICK], phase_i[FIND], phase_i[SM], phase_i[BURST], ksr_i};
      wire [SLOT_WIDTH-1:0] count = {{(SLOT_WIDTH-TB_COUNT_WIDTH){1'b0}}, count_i};
      wire [SLOT_WIDTH-1:0] read_promised;
      wire [SLOT_WIDTH-1:0] promised = activates_i ? {SLOT_WIDTH{1'b0}} : read_promised;
      reg  [SLOT_WIDTH-1:0] promised_q;
      wire [SLOT_WIDTH-1+PARITY:0] written_promised, promised_word;
      tsr_parity #(.PARITY(PARITY), .WIDTH(SLOT_WIDTH)) u_parity (
        .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(promised_q), .write_word_o(written_promised),
        .read_i(phase_i[ROW]), .used_i(valid_i), .read_word_i(promised_word), .read_data_o(read_promised),
        .fault_o(fault_o));
      tsr_sram_1r1w #(.DEPTH(NUM_KSRS), .WIDTH(SLOT_WIDTH + PARITY)) u_places (
        .clk_i(clk_i), .write_i(phase_i[WRITE] && writes_i), .write_address_i(ksr_i[KSR_ADDRESS-1:0]),
        .write_data_i(written_promised), .read_i(phase_i[ROW]), .read_address_i(ksr_i[KSR_ADDRESS-1:0]),
        .read_data_o(promised_word));
      assign has_room_o = {2'b00, preempted_i} + {2'b00, promised} + {2'b00, count} <= DEPTH ||
                          count_i == {TB_COUNT_WIDTH{1'b0}};
      always @(posedge clk_i) begin
        if (phase_i[LOAD]) promised_q <= promised;
        else if (phase_i[CALC] && !is_second_i) begin
          if (traps_i)                     promised_q <= promised_q + count;
          else if (saved_i)                promised_q <= promised_q - count;
          else if (tb_done_i && trapped_i) promised_q <= promised_q - ONE;
        end
      end
    end
  endgenerate

endmodule
