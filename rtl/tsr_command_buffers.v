// SPDX-License-Identifier: Apache-2.0
// Command buffers ([T14] 3.3): a kernel launch each, waiting to enter the active queue; the order in which they came;
// and the choice among them. Choosing costs a comparator of priorities a buffer, and a multiplexer an age. What the
// choice does not look at waits in a RAM.
module tsr_command_buffers #(
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter MAX_TBS_PER_SM      = 16,
  parameter TB_WIDTH            = 32,
  parameter PIPELINED           = 0,
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
  // The chosen one becomes active.
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
  // The one to be activated: that which is selected, or with PIPELINED, was selected in the cycle before.
  input                            choose_i,
  output [BUFFER_WIDTH-1:0]        chosen_o, // of any, while none waits
  output [CONTEXT_WIDTH-1:0]       chosen_context_o,
  output [3:0]                     chosen_priority_o,
  output [TB_COUNT_WIDTH-1:0]      chosen_tbs_per_sm_o,
  // Of the one that became active in the last cycle.
  output [TB_WIDTH-1:0]            retired_num_tbs_o,
  output [39:0]                    retired_descriptor_o
);

  localparam N  = NUM_COMMAND_BUFFERS;
  localparam BW = BUFFER_WIDTH;
  localparam CW = CONTEXT_WIDTH;
  localparam TW = TB_COUNT_WIDTH;
  localparam ADDRESS_WIDTH = N > 1 ? $clog2(N) : 1;

  reg [N-1:0]    valid_q;
  reg [N*CW-1:0] context_q;
  reg [N*4-1:0]  priority_q;
  reg [N*TW-1:0] tbs_per_sm_q;
  reg [N*BW-1:0] age_q;   // buffers in order of arrival
  reg [BW-1:0]   count_q; // that many of them wait
  reg [BW-1:0]   last_q;  // activated last

  assign free_o  = ~valid_q;
  assign waits_o = |valid_q;

  // ---- selection --------------------------------------------------------------------------------------------------

  // 1. Candidates: all that wait, or those of the highest priority among them, found bit by bit.
  reg [N-1:0] is_eligible, has_bit;
  integer p, c;
  always @* begin
    is_eligible = valid_q;
    has_bit     = {N{1'b0}};
    p           = 0;
    c           = 0;
    if (by_priority_i) begin
      for (p = 3; p >= 0; p = p - 1) begin
        for (c = 0; c < N; c = c + 1) has_bit[c] = is_eligible[c] && priority_q[c*4 + p];
        if (|has_bit) is_eligible = has_bit;
      end
    end
  end

  // 2. The first of them in turn, or by age.
  wire [BW-1:0] selected_in_turn, first_age, selected_by_age;
  wire [N-1:0]  in_turn_row, first_age_row;
  wire [N-1:0]  is_aged; // a candidate of this age
  genvar g;
  generate
    for (g = 0; g < N; g = g + 1) begin : g_age
      wire is_eligible_of_age;
      tsr_read_port #(.ROWS(N), .WIDTH(1)) u_eligible (
        .rows_i(is_eligible), .index_i(age_q[g*BW +: BW]), .data_o(is_eligible_of_age));
      assign is_aged[g] = is_eligible_of_age && g < count_q;
    end
  endgenerate

  tsr_in_turn #(.COUNT(N)) u_in_turn (
    .request_i(is_eligible), .last_i(last_q), .row_o(in_turn_row), .index_o(selected_in_turn));
  tsr_lowest #(.COUNT(N)) u_first_age (.request_i(is_aged), .row_o(first_age_row), .index_o(first_age));
  tsr_select #(.ROWS(N), .WIDTH(BW)) u_by_age (.rows_i(age_q), .row_i(first_age_row), .data_o(selected_by_age));
  wire unused = &{1'b0, in_turn_row, first_age};

  wire [BW-1:0] selected = in_turn_i ? selected_in_turn : selected_by_age;

  // 3. To be activated. Its fields are those of this cycle: the OS may just have written its priority.
  tsr_stage #(.PRESENT(PIPELINED), .WIDTH(BW)) u_chosen (
    .clk_i(clk_i), .enable_i(choose_i), .data_i(selected), .data_o(chosen_o));

  tsr_read_port #(.ROWS(N), .WIDTH(CW)) u_context (
    .rows_i(context_q), .index_i(chosen_o), .data_o(chosen_context_o));
  tsr_read_port #(.ROWS(N), .WIDTH(4)) u_priority (
    .rows_i(priority_q), .index_i(chosen_o), .data_o(chosen_priority_o));
  tsr_read_port #(.ROWS(N), .WIDTH(TW)) u_tbs_per_sm (
    .rows_i(tbs_per_sm_q), .index_i(chosen_o), .data_o(chosen_tbs_per_sm_o));

  // ---- RAM: what only the KSR needs ---------------------------------------------------------------------------------

  tsr_sram_1r1w #(.DEPTH(N), .WIDTH(TB_WIDTH + 40)) u_launches (
    .clk_i           (clk_i),
    .write_i         (accept_i),
    .write_address_i (accept_buffer_i[ADDRESS_WIDTH-1:0]),
    .write_data_i    ({accept_num_tbs_i, accept_descriptor_i}),
    .read_i          (retire_i),
    .read_address_i  (chosen_o[ADDRESS_WIDTH-1:0]),
    .read_data_o     ({retired_num_tbs_o, retired_descriptor_o})
  );

  // ---- registers --------------------------------------------------------------------------------------------------

  // 1. Age: entries from the retired one on close up; the newcomer goes behind what is left.
  wire [N*BW-1:0] moved_up   = age_q >> BW;
  wire [BW-1:0]   count_left = count_q - {{(BW-1){1'b0}}, retire_i};
  wire [N-1:0]    accept_row, retire_row, append_row, leaves, is_behind;

  tsr_one_hot #(.ROWS(N)) u_accept (.valid_i(accept_i), .index_i(accept_buffer_i), .row_o(accept_row));
  tsr_one_hot #(.ROWS(N)) u_retire (.valid_i(retire_i), .index_i(chosen_o), .row_o(retire_row));
  tsr_one_hot #(.ROWS(N)) u_append (.valid_i(accept_i), .index_i(count_left), .row_o(append_row));

  tsr_prefix_or #(.COUNT(N)) u_is_behind (.bits_i(leaves), .any_o(is_behind));

  // 2. Rows. A priority written in the cycle of a command does not reach it.
  always @(posedge clk_i) begin
    if (!rst_ni) valid_q <= {N{1'b0}};
    else         valid_q <= valid_q & ~retire_row | accept_row;
  end

  generate
    for (g = 0; g < N; g = g + 1) begin : g_row
      assign leaves[g] = retire_i && age_q[g*BW +: BW] == chosen_o;

      always @(posedge clk_i) begin
        if (!rst_ni) age_q[g*BW +: BW] <= {BW{1'b0}};
        else if (append_row[g]) age_q[g*BW +: BW] <= accept_buffer_i;
        else if (is_behind[g]) age_q[g*BW +: BW] <= moved_up[g*BW +: BW];
      end

      always @(posedge clk_i) begin
        if (accept_row[g]) begin
          context_q[g*CW +: CW]    <= accept_context_i;
          priority_q[g*4 +: 4]     <= accept_priority_i;
          tbs_per_sm_q[g*TW +: TW] <= accept_tbs_per_sm_i;
        end else if (write_priority_i && context_q[g*CW +: CW] == write_context_i) begin
          priority_q[g*4 +: 4]     <= write_data_i;
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
      if (retire_i) last_q <= chosen_o;
    end
  end

endmodule
