// SPDX-License-Identifier: Apache-2.0
// Command buffers ([T14] 3.3): a kernel launch each, waiting to enter the active queue; the order in which they came;
// and the choice among them. Choosing costs a comparator of priorities and three priority encoders over all buffers.
module tsr_command_buffers #(
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter MAX_TBS_PER_SM      = 16,
  // Not to be set.
  parameter BUFFER_WIDTH   = $clog2(NUM_COMMAND_BUFFERS + 1),
  parameter CONTEXT_WIDTH  = $clog2(NUM_CONTEXTS + 1),
  parameter TB_COUNT_WIDTH = $clog2(MAX_TBS_PER_SM + 1)
) (
  input                            clk_i,
  input                            rst_ni,
  // A command comes, towards a free buffer.
  input                            accept_i,
  input  [BUFFER_WIDTH-1:0]        accept_buffer_i,
  input  [CONTEXT_WIDTH-1:0]       accept_context_i,
  input  [3:0]                     accept_priority_i,
  input  [31:0]                    accept_num_tbs_i,
  input  [TB_COUNT_WIDTH-1:0]      accept_tbs_per_sm_i,
  input  [39:0]                    accept_descriptor_i,
  // The selected one has become active.
  input                            retire_i,
  // The OS writes a context's priority.
  input                            write_priority_i,
  input  [CONTEXT_WIDTH-1:0]       write_context_i,
  input  [3:0]                     write_data_i,
  // Which comes first: by arrival or in turn, the highest priority first or not.
  input                            in_turn_i,
  input                            by_priority_i,
  output [NUM_COMMAND_BUFFERS-1:0] free_o,
  output                           waits_o,
  output [BUFFER_WIDTH-1:0]        selected_o, // all ones: none waits
  output [CONTEXT_WIDTH-1:0]       selected_context_o,
  output [3:0]                     selected_priority_o,
  output [31:0]                    selected_num_tbs_o,
  output [TB_COUNT_WIDTH-1:0]      selected_tbs_per_sm_o,
  output [39:0]                    selected_descriptor_o
);

  localparam N  = NUM_COMMAND_BUFFERS;
  localparam BW = BUFFER_WIDTH;
  localparam CW = CONTEXT_WIDTH;
  localparam TW = TB_COUNT_WIDTH;

  reg [N-1:0]    valid_q;
  reg [N*CW-1:0] context_q;
  reg [N*4-1:0]  priority_q;
  reg [N*32-1:0] num_tbs_q;
  reg [N*TW-1:0] tbs_per_sm_q;
  reg [N*40-1:0] descriptor_q;
  reg [N*BW-1:0] age_q;   // buffers in order of arrival
  reg [BW-1:0]   count_q; // that many of them wait
  reg [BW-1:0]   last_q;  // activated last

  assign free_o  = ~valid_q;
  assign waits_o = |valid_q;

  // ---- selection --------------------------------------------------------------------------------------------------

  // 1. The highest priority of those that wait, and who has it: bit p of has_priority says that somebody has p.
  reg  [15:0]  has_priority;
  wire [3:0]   highest;
  wire [N-1:0] is_candidate;

  integer b;
  always @* begin
    has_priority = 16'd0;
    for (b = 0; b < N; b = b + 1) begin
      if (valid_q[b]) has_priority[priority_q[b*4 +: 4]] = 1'b1;
    end
  end

  integer p;
  reg [3:0] highest_found;
  always @* begin
    highest_found = 4'd0;
    for (p = 0; p < 16; p = p + 1) begin
      if (has_priority[p]) highest_found = p[3:0];
    end
  end
  assign highest = highest_found;

  // 2. In turn, or by age.
  wire [N-1:0]  is_aged_candidate; // in order of arrival
  wire [BW-1:0] selected_in_turn, oldest, selected_by_age;

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_candidate
      wire aged;
      assign is_candidate[i] = valid_q[i] && (!by_priority_i || priority_q[i*4 +: 4] == highest);
      tsr_read_port #(.ROWS(N), .WIDTH(1)) u_aged (
        .rows_i(is_candidate), .index_i(age_q[i*BW +: BW]), .data_o(aged));
      assign is_aged_candidate[i] = i < count_q && aged;
    end
  endgenerate

  tsr_in_turn #(.COUNT(N)) u_in_turn (.request_i(is_candidate), .last_i(last_q), .index_o(selected_in_turn));
  tsr_lowest #(.COUNT(N)) u_oldest (.request_i(is_aged_candidate), .index_o(oldest));
  tsr_read_port #(.ROWS(N), .WIDTH(BW)) u_age (.rows_i(age_q), .index_i(oldest), .data_o(selected_by_age));

  assign selected_o = !waits_o ? {BW{1'b1}} : in_turn_i ? selected_in_turn : selected_by_age;

  tsr_read_port #(.ROWS(N), .WIDTH(CW)) u_context (
    .rows_i(context_q), .index_i(selected_o), .data_o(selected_context_o));
  tsr_read_port #(.ROWS(N), .WIDTH(4)) u_priority (
    .rows_i(priority_q), .index_i(selected_o), .data_o(selected_priority_o));
  tsr_read_port #(.ROWS(N), .WIDTH(32)) u_num_tbs (
    .rows_i(num_tbs_q), .index_i(selected_o), .data_o(selected_num_tbs_o));
  tsr_read_port #(.ROWS(N), .WIDTH(TW)) u_tbs_per_sm (
    .rows_i(tbs_per_sm_q), .index_i(selected_o), .data_o(selected_tbs_per_sm_o));
  tsr_read_port #(.ROWS(N), .WIDTH(40)) u_descriptor (
    .rows_i(descriptor_q), .index_i(selected_o), .data_o(selected_descriptor_o));

  // ---- registers --------------------------------------------------------------------------------------------------

  // 1. Age: entries from the retired one on close up; the newcomer goes behind what is left.
  wire [N*BW-1:0] moved_up   = age_q >> BW;
  wire [BW-1:0]   count_left = count_q - {{(BW-1){1'b0}}, retire_i};
  wire [N-1:0]    leaves;

  generate
    for (i = 0; i < N; i = i + 1) begin : g_row
      assign leaves[i] = retire_i && age_q[i*BW +: BW] == selected_o && i < count_q;
      wire is_accepted = accept_i && accept_buffer_i == i;

      always @(posedge clk_i) begin
        if (!rst_ni) begin
          age_q[i*BW +: BW] <= {BW{1'b0}};
        end else if (accept_i && count_left == i) begin
          age_q[i*BW +: BW] <= accept_buffer_i;
        end else if (|leaves[i:0]) begin
          age_q[i*BW +: BW] <= moved_up[i*BW +: BW];
        end
      end

      // 2. Rows. A priority written in the cycle of a command does not reach it.
      always @(posedge clk_i) begin
        if (!rst_ni) begin
          valid_q[i] <= 1'b0;
        end else if (is_accepted) begin
          valid_q[i] <= 1'b1;
        end else if (retire_i && selected_o == i) begin
          valid_q[i] <= 1'b0;
        end
      end

      always @(posedge clk_i) begin
        if (is_accepted) begin
          context_q[i*CW +: CW]    <= accept_context_i;
          priority_q[i*4 +: 4]     <= accept_priority_i;
          num_tbs_q[i*32 +: 32]    <= accept_num_tbs_i;
          tbs_per_sm_q[i*TW +: TW] <= accept_tbs_per_sm_i;
          descriptor_q[i*40 +: 40] <= accept_descriptor_i;
        end else if (write_priority_i && context_q[i*CW +: CW] == write_context_i) begin
          priority_q[i*4 +: 4]     <= write_data_i;
        end
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= {BW{1'b0}};
      last_q  <= N[BW-1:0] - 1'b1;
    end else begin
      count_q <= count_left + {{(BW-1){1'b0}}, accept_i};
      if (retire_i) last_q <= selected_o;
    end
  end

endmodule
