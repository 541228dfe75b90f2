// SPDX-License-Identifier: Apache-2.0
// tsr_ptbq, where nobody pushes into a full ring nor pops from an empty one: first in, first out. A ring and a word, any,
// are watched.
module tsr_ptbq_props #(
  parameter NUM_KSRS   = 2,
  parameter PTBQ_DEPTH = 4,
  parameter TB_WIDTH   = 4,
  parameter KW         = $clog2(NUM_KSRS + 1)
) (
  input          clk_i,
  input          push_i,
  input [KW-1:0] push_ksr_i,
  input [TB_WIDTH-1:0] push_tb_i,
  input          pop_i,
  input [KW-1:0] pop_ksr_i,
  input          watch_i // this push is the one
);

  localparam D = PTBQ_DEPTH;
  localparam RW = D > 1 ? $clog2(D) : 1;
  localparam HW = TB_WIDTH + 32;

  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  wire [HW-1:0] handle;
  tsr_ptbq #(.NUM_KSRS(NUM_KSRS), .PTBQ_DEPTH(D), .TB_WIDTH(TB_WIDTH)) dut (
    .clk_i(clk_i), .rst_ni(started_q), .push_i(push_i), .push_ksr_i(push_ksr_i),
    .push_handle_i({push_tb_i, 32'd0}), .pop_i(pop_i), .pop_ksr_i(pop_ksr_i), .handle_o(handle));

  // A ring, its filling, and a word of it on its way.
  (* anyconst *) wire [KW-1:0] ring;
  assume_ring: assume property (ring < NUM_KSRS);
  wire pushes = push_i && push_ksr_i == ring;
  wire pops   = pop_i && pop_ksr_i == ring;
  reg [7:0]          filling_q, ahead_q;
  reg                is_watched_q, is_out_q;
  reg [TB_WIDTH-1:0] word_q;
  always @(posedge clk_i) begin
    if (!started_q) {filling_q, is_watched_q, is_out_q} <= 0;
    else begin
      filling_q <= filling_q + pushes - pops;
      is_out_q  <= pops && is_watched_q && ahead_q == 0;
      if (pushes && watch_i && !is_watched_q) begin
        {is_watched_q, word_q} <= {1'b1, push_tb_i};
        ahead_q <= filling_q - pops;
      end else if (pops && is_watched_q) begin
        if (ahead_q == 0) is_watched_q <= 1'b0;
        else ahead_q <= ahead_q - 1'b1;
      end
    end
  end
  assume_push: assume property (!push_i || push_ksr_i < NUM_KSRS);
  assume_pop: assume property (!pop_i || pop_ksr_i < NUM_KSRS);
  assume_room: assume property (!pushes || filling_q < D);
  assume_filled: assume property (!pops || filling_q != 0);

(* hierconn *) wire [NUM_KSRS*RW-1:0]   \dut.head_q ;
(* hierconn *) wire [NUM_KSRS*RW-1:0]   \dut.tail_q ;
(* hierconn *) wire [NUM_KSRS*D*HW-1:0] \dut.u_sram.words ;
  wire [NUM_KSRS*RW-1:0]   heads = \dut.head_q ;
  wire [NUM_KSRS*RW-1:0]   tails = \dut.tail_q ;
  wire [NUM_KSRS*D*HW-1:0] words = \dut.u_sram.words ;

  reg       is_counted, is_in_place;
  reg [7:0] distance, head;
  integer   k, a;
  always @* begin
    is_counted  = filling_q <= D;
    is_in_place = !is_watched_q || ahead_q < filling_q;
    distance    = 0;
    head        = 0;
    for (k = 0; k < NUM_KSRS; k = k + 1) begin
      if (heads[k*RW +: RW] >= D || tails[k*RW +: RW] >= D) is_counted = 1'b0;
      if (ring == k) begin
        head     = heads[k*RW +: RW];
        distance = tails[k*RW +: RW] + (tails[k*RW +: RW] < head ? D : 0) - head;
        if (distance != (filling_q == D ? 0 : filling_q)) is_counted = 1'b0;
        for (a = 0; a < D; a = a + 1) begin
          distance = a + (a < head ? D : 0) - head;
          if (is_watched_q && ahead_q == distance && words[(k*D+a)*HW+32 +: TB_WIDTH] != word_q) is_in_place = 1'b0;
        end
      end
    end
  end

  ring_counts: assert property (!started_q || is_counted);
  ring_keeps_words: assert property (!started_q || is_in_place);
  ring_first_in_first_out: assert property (!started_q || !is_out_q || handle[32 +: TB_WIDTH] == word_q);
  cover_ring_counts: assert property (!started_q || filling_q != D);
  cover_ring_keeps_words: assert property (!started_q || !(is_watched_q && ahead_q == D - 1));
  cover_ring_first_in_first_out: assert property (!started_q || !(is_out_q && filling_q != 0));

endmodule
