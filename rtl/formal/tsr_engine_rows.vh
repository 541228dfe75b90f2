// SPDX-License-Identifier: Apache-2.0
// Kernel rows that pass an engine in a first walk, ROWS in a cycle: each kernel once, in any order. What passed since the
// walk began is kept, this cycle's rows included. The candidate is chosen from all that passed, PIPELINED without this
// cycle's rows.
//
// From the includer: clk_i K KW pass_i PIPELINED row_ksr_i row_uncovered_i row_valid_i ROWS start_i
// For others: candidate_seen candidate_uncovered has_candidate j k seen_q started uncovered_q

reg [K-1:0] seen_q, seen, uncovered_q, uncovered;
integer     j, k;
wire        started = started_q;
reg         started_q = 1'b0; // a walk has begun
always @(posedge clk_i) if (pass_i && start_i) started_q <= 1'b1;

reg rows_ok;
always @* begin
  seen      = start_i ? {K{1'b0}} : seen_q;
  uncovered = start_i ? {K{1'b0}} : uncovered_q;
  rows_ok   = 1'b1;
  for (j = 0; j < ROWS; j = j + 1) begin
    for (k = 0; k < K; k = k + 1) begin
      if (row_valid_i[j] && row_ksr_i[j*KW +: KW] == k) begin
        if (seen[k]) rows_ok = 1'b0;
        seen[k]      = 1'b1;
        uncovered[k] = row_uncovered_i[j];
      end
    end
    if (row_valid_i[j] && row_ksr_i[j*KW +: KW] >= K) rows_ok = 1'b0;
  end
end
always @(posedge clk_i) if (pass_i) {seen_q, uncovered_q} <= {seen, uncovered};

wire [K-1:0] candidate_seen      = PIPELINED != 0 ? seen_q : seen;
wire [K-1:0] candidate_uncovered = PIPELINED != 0 ? uncovered_q : uncovered;
wire         has_candidate       = PIPELINED != 0 ? started : pass_i && (started || start_i);

assume_each_kernel_once: assume property (rows_ok);
assume_walk_begins: assume property (started || !pass_i || start_i);
