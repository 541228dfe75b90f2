// SPDX-License-Identifier: Apache-2.0
// Command buffers ([T14] 3.3): a kernel launch each, waiting to enter the active queue; the order in which they came;
// and the choice among them. Choosing costs a comparator of priorities a buffer, and a multiplexer an age.
module tsr_command_buffers #(
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter MAX_TBS_PER_SM      = 16,
  parameter TB_WIDTH            = 32,
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
  input  [TB_WIDTH-1:0]            accept_num_tbs_i,
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
  output [TB_WIDTH-1:0]            selected_num_tbs_o,
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
  reg [N*TB_WIDTH-1:0] num_tbs_q;
  reg [N*TW-1:0] tbs_per_sm_q;
  reg [N*40-1:0] descriptor_q;
  reg [N*BW-1:0] age_q;   // buffers in order of arrival
  reg [BW-1:0]   count_q; // that many of them wait
  reg [BW-1:0]   last_q;  // activated last

  assign free_o  = ~valid_q;
  assign waits_o = |valid_q;

  // ---- selection --------------------------------------------------------------------------------------------------

  // 1. Candidates: all that wait, or those of the highest priority among them.
  reg [3:0]   highest;
  reg [N-1:0] is_candidate;
  integer c;
  always @* begin
    highest      = 4'd0;
    is_candidate = valid_q;
    c            = 0;
    if (by_priority_i && waits_o) begin
      for (c = 0; c < N; c = c + 1) begin
        if (valid_q[c] && priority_q[c*4 +: 4] > highest) highest = priority_q[c*4 +: 4];
      end
      for (c = 0; c < N; c = c + 1) begin
        is_candidate[c] = valid_q[c] && priority_q[c*4 +: 4] == highest;
      end
    end
  end

  // 2. The first of them in turn, or by age.
  wire [BW-1:0] selected_in_turn;
  tsr_in_turn #(.COUNT(N)) u_in_turn (.request_i(is_candidate), .last_i(last_q), .index_o(selected_in_turn));

  reg [BW-1:0] selected_by_age;
  reg [N-1:0]  is_aged; // the candidate bit of the buffer at this age
  integer a;
  always @* begin
    selected_by_age = {BW{1'b1}};
    is_aged         = {N{1'b0}};
    a               = 0;
    if (!in_turn_i && waits_o) begin
      for (a = N - 1; a >= 0; a = a - 1) begin
        is_aged = is_candidate >> age_q[a*BW +: BW];
        if (a < count_q && is_aged[0]) selected_by_age = age_q[a*BW +: BW];
      end
    end
  end

  wire unused = &{1'b0, is_aged};

  assign selected_o = in_turn_i ? selected_in_turn : selected_by_age;

  tsr_read_port #(.ROWS(N), .WIDTH(CW)) u_context (
    .rows_i(context_q), .index_i(selected_o), .data_o(selected_context_o));
  tsr_read_port #(.ROWS(N), .WIDTH(4)) u_priority (
    .rows_i(priority_q), .index_i(selected_o), .data_o(selected_priority_o));
  tsr_read_port #(.ROWS(N), .WIDTH(TB_WIDTH)) u_num_tbs (
    .rows_i(num_tbs_q), .index_i(selected_o), .data_o(selected_num_tbs_o));
  tsr_read_port #(.ROWS(N), .WIDTH(TW)) u_tbs_per_sm (
    .rows_i(tbs_per_sm_q), .index_i(selected_o), .data_o(selected_tbs_per_sm_o));
  tsr_read_port #(.ROWS(N), .WIDTH(40)) u_descriptor (
    .rows_i(descriptor_q), .index_i(selected_o), .data_o(selected_descriptor_o));

  // ---- registers --------------------------------------------------------------------------------------------------

  // 1. Age: entries from the retired one on close up; the newcomer goes behind what is left.
  wire [N*BW-1:0] moved_up   = age_q >> BW;
  wire [BW-1:0]   count_left = count_q - {{(BW-1){1'b0}}, retire_i};
  wire [N-1:0]    accept_row, retire_row, append_row;
  reg  [N-1:0]    is_behind;
  reg             found;

  tsr_one_hot #(.ROWS(N)) u_accept (.valid_i(accept_i), .index_i(accept_buffer_i), .row_o(accept_row));
  tsr_one_hot #(.ROWS(N)) u_retire (.valid_i(retire_i), .index_i(selected_o), .row_o(retire_row));
  tsr_one_hot #(.ROWS(N)) u_append (.valid_i(accept_i), .index_i(count_left), .row_o(append_row));

  integer e;
  always @* begin
    is_behind = {N{1'b0}};
    found     = 1'b0;
    e         = 0;
    if (retire_i) begin
      for (e = 0; e < N; e = e + 1) begin
        found        = found || age_q[e*BW +: BW] == selected_o;
        is_behind[e] = found;
      end
    end
  end

  // 2. Rows. A priority written in the cycle of a command does not reach it.
  always @(posedge clk_i) begin
    if (!rst_ni) valid_q <= {N{1'b0}};
    else         valid_q <= valid_q & ~retire_row | accept_row;
  end

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_row
      always @(posedge clk_i) begin
        if (!rst_ni) age_q[i*BW +: BW] <= {BW{1'b0}};
        else if (append_row[i]) age_q[i*BW +: BW] <= accept_buffer_i;
        else if (is_behind[i]) age_q[i*BW +: BW] <= moved_up[i*BW +: BW];
      end

      always @(posedge clk_i) begin
        if (accept_row[i]) begin
          context_q[i*CW +: CW]    <= accept_context_i;
          priority_q[i*4 +: 4]     <= accept_priority_i;
          num_tbs_q[i*TB_WIDTH +: TB_WIDTH] <= accept_num_tbs_i;
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
