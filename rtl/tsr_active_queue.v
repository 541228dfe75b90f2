// SPDX-License-Identifier: Apache-2.0
// The active queue ([T14] 3.3): KSRs of the kernels that run or are preempted, in the order of their activation. It
// closes up when a kernel leaves: a comparator and a multiplexer of two an entry.
module tsr_active_queue #(
  parameter NUM_KSRS  = 13,
  parameter KSR_WIDTH = $clog2(NUM_KSRS + 1) // not to be set; the count has the same width
) (
  input                           clk_i,
  input                           rst_ni,
  input                           push_i,
  input  [KSR_WIDTH-1:0]          push_ksr_i,
  input                           remove_i,
  input  [KSR_WIDTH-1:0]          remove_ksr_i,
  output [NUM_KSRS*KSR_WIDTH-1:0] ksr_o, // the first `count_o` count
  output [KSR_WIDTH-1:0]          count_o,
  output                          full_o
);

  reg [NUM_KSRS*KSR_WIDTH-1:0] ksr_q;
  reg [KSR_WIDTH-1:0]          count_q;

  assign ksr_o   = ksr_q;
  assign count_o = count_q;
  assign full_o  = count_q == NUM_KSRS;

  // 1. Entries at or behind the one that leaves move up.
  wire [NUM_KSRS*KSR_WIDTH-1:0] moved_up = ksr_q >> KSR_WIDTH;
  wire [NUM_KSRS-1:0]           leaves, is_behind;
  tsr_prefix_or #(.COUNT(NUM_KSRS)) u_is_behind (.bits_i(leaves), .any_o(is_behind));

  // 2. A newcomer goes behind what is left.
  wire [KSR_WIDTH-1:0] count_left = count_q - {{(KSR_WIDTH-1){1'b0}}, remove_i};
  wire [NUM_KSRS-1:0]  push_row;
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_push (.valid_i(push_i), .index_i(count_left), .row_o(push_row));

  genvar i;
  generate
    for (i = 0; i < NUM_KSRS; i = i + 1) begin : g_entry
      assign leaves[i] = remove_i && ksr_q[i*KSR_WIDTH +: KSR_WIDTH] == remove_ksr_i;

      always @(posedge clk_i) begin
        if (!rst_ni) begin
          ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= {KSR_WIDTH{1'b0}};
        end else if (push_row[i]) begin
          ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= push_ksr_i;
        end else if (is_behind[i]) begin
          ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= moved_up[i*KSR_WIDTH +: KSR_WIDTH];
        end
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    if (!rst_ni) count_q <= {KSR_WIDTH{1'b0}};
    else         count_q <= count_left + {{(KSR_WIDTH-1){1'b0}}, push_i};
  end

endmodule
