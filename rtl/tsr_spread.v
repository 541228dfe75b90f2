// SPDX-License-Identifier: Apache-2.0
// The most thread blocks that one SM had of those in a kernel's ring, a KSR each (timing.md 4.2, `saved_per_sm`). With a
// kept turn and breadth first, a batch ends once its SM has as many: they come back as spread as they were.
module tsr_spread #(
`include "tsr_sizes.vh"
) (
  input                       clk_i,
  input                       rst_ni,
  input  [7:0]                phase_i,
  input  [KSR_WIDTH-1:0]      ksr_i,        // that is visited
  // LOAD
  input                       valid_i,      // the row is a kernel's
  output                      fault_o,      // and wrong
  input                       activates_i,  // with a row of its own
  input                       spreads_i,    // batches end so
  // CALC
  input                       is_second_i,
  input                       saved_i,
  input                       has_handles_i, // the ring, before that
  input  [TB_COUNT_WIDTH-1:0] count_i,      // the SM's TBs; in LOAD, too
  // BURST
  input                       chooses_i,
  output                      ends_o,       // the batch, with the TB that is chosen
  // WRITE
  input                       writes_i      // the row is a kernel's
);

`include "tsr_codes.vh"

  generate
    if (KEPT_TURN == 0) begin : g_none
      wire unused_spread = &{1'b0, clk_i, rst_ni, phase_i, ksr_i, valid_i, activates_i, spreads_i, is_second_i, saved_i,
                             has_handles_i, count_i, chooses_i, writes_i};
      assign fault_o = 1'b0;
      assign ends_o  = 1'b0;
    end else begin : g_spread
      wire unused = &{1'b0, phase_i[PICK], phase_i[FIND], phase_i[SM], phase_i[BURST], ksr_i};
      reg  [TB_COUNT_WIDTH-1:0] most_q;
      wire [TB_COUNT_WIDTH-1:0] read_most;
      wire [TB_COUNT_WIDTH-1:0] most = activates_i ? {TB_COUNT_WIDTH{1'b0}} : read_most;
      wire [TB_COUNT_WIDTH-1+PARITY:0] written_word, read_word;
      tsr_parity #(.PARITY(PARITY), .WIDTH(TB_COUNT_WIDTH)) u_parity (
        .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(most_q), .write_word_o(written_word), .read_i(phase_i[ROW]),
        .used_i(valid_i), .read_word_i(read_word), .read_data_o(read_most), .fault_o(fault_o));
      tsr_sram_1r1w #(.DEPTH(NUM_KSRS), .WIDTH(TB_COUNT_WIDTH + PARITY)) u_most (
        .clk_i(clk_i), .write_i(phase_i[WRITE] && writes_i), .write_address_i(ksr_i[KSR_ADDRESS-1:0]),
        .write_data_i(written_word), .read_i(phase_i[ROW]), .read_address_i(ksr_i[KSR_ADDRESS-1:0]),
        .read_data_o(read_word));

      // TBs that the SM is to get; one at least.
      reg                     spreads_q;
      reg  [TB_COUNT_WIDTH:0] left_q;
      assign ends_o = spreads_q && (left_q[TB_COUNT_WIDTH] || left_q <= {{TB_COUNT_WIDTH{1'b0}}, 1'b1});
      always @(posedge clk_i) begin
        if (phase_i[LOAD]) begin
          most_q    <= most;
          spreads_q <= spreads_i;
          left_q    <= {1'b0, most} - {1'b0, count_i};
        end else begin
          if (phase_i[CALC] && saved_i && !is_second_i && !(has_handles_i && most_q > count_i)) most_q <= count_i;
          if (chooses_i) left_q <= left_q - {{TB_COUNT_WIDTH{1'b0}}, 1'b1};
        end
      end
    end
  endgenerate

endmodule
