// SPDX-License-Identifier: Apache-2.0
// tsr_command_port in front of any core that frees its buffers and reports kernels when it likes, each once, and behind
// any driver.
module tsr_command_port_props #(
  parameter NUM_COMMAND_BUFFERS = 2,
  parameter NUM_CONTEXTS        = 2,
  parameter MAX_TBS_PER_SM      = 2,
  parameter TB_WIDTH            = 4,
  parameter DONE_DEPTH          = 2,
  parameter CW                  = $clog2(NUM_CONTEXTS + 1)
) (
  input                           clk_i,
  input                           look_i,
  input [2:0]                     word_i,
  input                           is_upper_i,
  input                           write_i,
  input [31:0]                    data_i,
  input [3:0]                     priority_i,
  input                           write_priority_i,
  input [CW-1:0]                  write_context_i,
  input [31:0]                    write_data_i,
  input [47:0]                    deadline_i,
  input                           write_deadline_i,
  input                           write_is_upper_i,
  input                           enable_i,
  input                           hold_i,
  input [NUM_COMMAND_BUFFERS-1:0] frees_i, // the core frees these
  input                           kernel_done_i
);

  localparam N = NUM_COMMAND_BUFFERS, D = DONE_DEPTH;
  localparam BW = $clog2(N + 1), TW = $clog2(MAX_TBS_PER_SM + 1), W = $clog2(D + 1);

  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  reg  [N-1:0]        buffer_free_q;
  wire                command_valid;
  wire [BW-1:0]       command_buffer;
  wire [CW-1:0]       command_context;
  wire [TB_WIDTH-1:0] command_num_tbs;
  wire [TW-1:0]       command_tbs_per_sm;
  tsr_command_port #(
    .NUM_COMMAND_BUFFERS(N), .NUM_CONTEXTS(NUM_CONTEXTS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM), .TB_WIDTH(TB_WIDTH),
    .DONE_DEPTH(D)
  ) dut (
    .clk_i(clk_i), .rst_ni(started_q), .look_i(look_i), .word_i(word_i), .is_upper_i(is_upper_i), .write_i(write_i),
    .data_i(data_i), .priority_i(priority_i), .deadline_i(deadline_i), .write_priority_i(write_priority_i),
    .write_context_i(write_context_i), .write_deadline_i(write_deadline_i), .write_is_upper_i(write_is_upper_i),
    .write_data_i(write_data_i), .enable_i(enable_i), .hold_i(hold_i), .command_valid_o(command_valid),
    .command_buffer_o(command_buffer), .command_context_o(command_context), .command_num_tbs_o(command_num_tbs),
    .command_tbs_per_sm_o(command_tbs_per_sm), .buffer_free_i(buffer_free_q), .kernel_done_valid_i(kernel_done_i),
    .kernel_done_descriptor_i(40'd0));

  // The core: a buffer is taken by a command alone, and a kernel is done that came and was not done before.
  wire [N-1:0] takes = command_valid ? {{(N-1){1'b0}}, 1'b1} << command_buffer : {N{1'b0}};
  reg  [7:0]   in_core_q;
  always @(posedge clk_i) begin
    if (!started_q) begin
      buffer_free_q <= {N{1'b1}};
      in_core_q     <= 0;
    end else begin
      buffer_free_q <= (buffer_free_q | frees_i) & ~takes;
      in_core_q     <= in_core_q + command_valid - kernel_done_i;
    end
  end
  assume_done: assume property (!kernel_done_i || in_core_q != 0);

(* hierconn *) wire [W-1:0] \dut.outstanding_q ;
(* hierconn *) wire [W-1:0] \dut.u_done.count_q ;
(* hierconn *) wire         \dut.waits_q ;
(* hierconn *) wire         \dut.is_any_free_q ;
(* hierconn *) wire [31:0]  \dut.num_tbs_q ;
(* hierconn *) wire [7:0]   \dut.tbs_per_sm_q ;
(* hierconn *) wire [CW-1:0] \dut.context_q ;
  wire [W-1:0] outstanding = \dut.outstanding_q ;
  wire [W-1:0] num_done    = \dut.u_done.count_q ;
  wire [31:0]  num_tbs     = \dut.num_tbs_q ;
  wire [7:0]   tbs_per_sm  = \dut.tbs_per_sm_q ;
  wire         waits       = \dut.waits_q ;
  wire         knows_one   = \dut.is_any_free_q ;
  wire [CW-1:0] a_context  = \dut.context_q ;

  wire is_kernel = num_tbs != 0 && num_tbs < (33'd1 << TB_WIDTH) && tbs_per_sm != 0 && tbs_per_sm <= MAX_TBS_PER_SM &&
                   a_context < NUM_CONTEXTS;

  done_queue_never_overflows: assert property (!started_q ||
    outstanding <= D && outstanding == num_done + in_core_q + command_valid && num_done <= D && in_core_q <= D);
  command_goes_to_a_free_buffer: assert property (!started_q ||
    (!command_valid || command_buffer < N && buffer_free_q[command_buffer] && !waits) &&
    (!knows_one || |buffer_free_q));
  command_is_a_kernel_that_can_be: assert property (!started_q || !(command_valid || waits) || is_kernel);

  cover_done_queue_never_overflows: assert property (!started_q || num_done != D);
  cover_command_goes_to_a_free_buffer: assert property (!started_q || !command_valid || command_buffer != N - 1);
  cover_command_is_a_kernel_that_can_be: assert property (!started_q ||
    !(command_valid && command_context == NUM_CONTEXTS - 1 && command_tbs_per_sm == MAX_TBS_PER_SM &&
      &command_num_tbs));

endmodule
