// SPDX-License-Identifier: Apache-2.0
// tsr_active_queue, where only kernels enter that are not in it and only those leave that are: order of arrival. Two
// kernels, any, are watched.
module tsr_active_queue_props #(
  parameter NUM_KSRS  = 3,
  parameter KSR_WIDTH = $clog2(NUM_KSRS + 1)
) (
  input                 clk_i,
  input                 push_i,
  input [KSR_WIDTH-1:0] push_ksr_i,
  input                 remove_i,
  input [KSR_WIDTH-1:0] remove_ksr_i
);

  localparam K = NUM_KSRS, W = KSR_WIDTH;

  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  wire [K*W-1:0] ksr;
  wire [W-1:0]   count;
  wire           full;
  tsr_active_queue #(.NUM_KSRS(K)) dut (
    .clk_i(clk_i), .rst_ni(started_q), .push_i(push_i), .push_ksr_i(push_ksr_i), .remove_i(remove_i),
    .remove_ksr_i(remove_ksr_i), .ksr_o(ksr), .count_o(count), .full_o(full));

  reg [K:0] in_q; // kernels in the queue
  always @(posedge clk_i) begin
    if (!started_q) in_q <= 0;
    else in_q <= in_q & ~({{K{1'b0}}, remove_i} << remove_ksr_i) | ({{K{1'b0}}, push_i} << push_ksr_i);
  end
  assume_push: assume property (!push_i || push_ksr_i < K && !in_q[push_ksr_i] && !full);
  assume_remove: assume property (!remove_i || remove_ksr_i < K && in_q[remove_ksr_i]);

  // One that came before the other.
  (* anyconst *) wire [W-1:0] first, second;
  assume_two: assume property (first < K && second < K && first != second);
  reg is_before_q;
  always @(posedge clk_i) begin
    if (!started_q) is_before_q <= 1'b0;
    else if (push_i && push_ksr_i == second) is_before_q <= in_q[first] && !(remove_i && remove_ksr_i == first);
    else if (push_i && push_ksr_i == first) is_before_q <= 1'b0;
  end

  reg         has_each_once, is_in_order;
  reg [W-1:0] n, at_first, at_second;
  integer     a, k;
  always @* begin
    has_each_once = full == (count == K);
    at_first      = K;
    at_second     = K;
    for (k = 0; k < K; k = k + 1) begin
      n = 0;
      for (a = 0; a < K; a = a + 1) if (a < count && ksr[a*W +: W] == k) n = n + 1'b1;
      if (n != in_q[k]) has_each_once = 1'b0;
    end
    n = 0;
    for (k = 0; k < K; k = k + 1) n = n + in_q[k];
    if (count != n) has_each_once = 1'b0;
    for (a = 0; a < K; a = a + 1) begin
      if (a < count && ksr[a*W +: W] == first) at_first = a;
      if (a < count && ksr[a*W +: W] == second) at_second = a;
    end
    is_in_order = !(in_q[first] && in_q[second]) || is_before_q == (at_first < at_second);
  end

  queue_holds_each_once: assert property (!started_q || has_each_once);
  queue_in_order_of_arrival: assert property (!started_q || is_in_order);
  cover_queue_holds_each_once: assert property (!started_q || !full);
  cover_queue_in_order_of_arrival: assert property (!started_q || !(
    in_q[first] && in_q[second] && is_before_q && at_second == K - 1 &&
    remove_i && remove_ksr_i != first && remove_ksr_i != second));

endmodule
