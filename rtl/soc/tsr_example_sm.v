// SPDX-License-Identifier: Apache-2.0
// The smallest SM that keeps the rules of timing.md 3.3, 3.4 and 3.11. Its thread blocks count cycles: as many as the
// low 16 bits of the kernel's descriptor say, and four more for each of the low four bits of their number. The stack
// pointer of a saved one is what it has left, so that no memory is needed: to the core it is a number like any other.
module tsr_example_sm #(
  parameter SLOTS         = 4,
  parameter TB_WIDTH      = 32,
  parameter TAG_BITS      = 1,
  parameter CONTEXT_WIDTH = 2,
  // How long it takes, in cycles, 1 .. 255
  parameter SET_UP_CYCLES = 20,
  parameter DRAIN_CYCLES  = 4,
  parameter MOVE_CYCLES   = 12 // contexts, to memory or back
) (
  input                      clk_i,
  input                      rst_ni,
  // From the core
  input                      control_valid_i,
  input  [2:0]               control_kind_i,
  input  [TAG_BITS-1:0]      control_tag_i,
  input  [CONTEXT_WIDTH-1:0] control_context_i,
  input  [63:0]              control_page_table_i,
  input  [39:0]              control_descriptor_i,
  input                      dispatch_valid_i,
  input                      dispatch_is_restore_i,
  input                      dispatch_last_i,
  input  [TB_WIDTH-1:0]      dispatch_tb_i,
  input  [31:0]              dispatch_stack_pointer_i,
  // To the core
  output                     event_valid_o,
  output [2:0]               event_kind_o,
  output [TAG_BITS-1:0]      event_tag_o,
  input                      event_taken_i,
  output                     handle_valid_o,
  output [TB_WIDTH-1:0]      handle_tb_o,
  output [31:0]              handle_stack_pointer_o,
  output                     handle_last_o,
  input                      handle_taken_i,
  // For who watches
  output                     ran_valid_o, // a thread block has run
  output [39:0]              ran_descriptor_o,
  output [TB_WIDTH-1:0]      ran_tb_o,
  output reg                 broken_o     // a rule was, by the core or on the way; until reset
);

  localparam [2:0] TB_DONE = 3'd0, SETUP_DONE = 3'd1, RESTORE_DONE = 3'd2, PREEMPTED = 3'd3; // events
  localparam [2:0] SET_UP = 3'd0, TRAP = 3'd1, FLUSH = 3'd2;                                 // commands
  localparam [2:0] IDLE = 3'd0, SETTING_UP = 3'd1, RUNNING = 3'd2, STOPPING = 3'd3, SAVING = 3'd4;
  localparam [31:0] FLUSHED = 32'hFFFFFFFF; // the stack pointer of what has no context, and begins anew

  reg [2:0]               state_q;
  reg [7:0]               wait_q;       // cycles left in it
  reg                     flushes_q;
  reg [TAG_BITS-1:0]      tag_q;
  reg [CONTEXT_WIDTH-1:0] context_q;    // whose registers and page table real thread blocks would use
  reg [63:0]              page_table_q;
  reg [39:0]              descriptor_q;
  reg                     batch_q;      // handles come, and the last has not
  reg                     moves_q;      // their contexts come
  reg [7:0]               move_wait_q;
  reg                     restored_q;   // they are there, which has not been told
  wire unused = &{1'b0, context_q, page_table_q};

  wire is_set_up = control_valid_i && control_kind_i == SET_UP;
  wire is_stop   = control_valid_i && (control_kind_i == TRAP || control_kind_i == FLUSH);
  wire freezes   = state_q == STOPPING && wait_q == 8'd0;
  wire restores  = moves_q && move_wait_q == 8'd0;
  wire hands     = state_q == SAVING && wait_q == 8'd0;

  // ---- slots ------------------------------------------------------------------------------------------------------

  wire [SLOTS-1:0]          free, finished, frozen, free_up, finished_up, frozen_up;
  wire [SLOTS*TB_WIDTH-1:0] tbs;
  wire [SLOTS*32-1:0]       cycles;
  tsr_prefix_or #(.COUNT(SLOTS)) u_free (.bits_i(free), .any_o(free_up));
  tsr_prefix_or #(.COUNT(SLOTS)) u_finished (.bits_i(finished), .any_o(finished_up));
  tsr_prefix_or #(.COUNT(SLOTS)) u_frozen (.bits_i(frozen), .any_o(frozen_up));
  wire [SLOTS-1:0] free_slot     = free_up & ~(free_up << 1);
  wire [SLOTS-1:0] finished_slot = finished_up & ~(finished_up << 1);
  wire [SLOTS-1:0] frozen_slot   = frozen_up & ~(frozen_up << 1);

  wire [31:0] duration    = {16'd0, descriptor_q[15:0]} + {26'd0, dispatch_tb_i[3:0], 2'd0} + 32'd1;
  wire        is_anew     = !dispatch_is_restore_i || dispatch_stack_pointer_i == FLUSHED;
  wire        tells_tb    = |finished;
  wire        takes_event = event_valid_o && event_taken_i;

  genvar i;
  generate
    for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
      tsr_example_slot #(.TB_WIDTH(TB_WIDTH)) u_slot (
        .clk_i(clk_i), .rst_ni(rst_ni), .fills_i(dispatch_valid_i && free_slot[i]),
        .restores_i(dispatch_is_restore_i), .tb_i(dispatch_tb_i),
        .cycles_i(is_anew ? duration : dispatch_stack_pointer_i), .restored_i(restores), .freezes_i(freezes),
        .leaves_i(takes_event && tells_tb && finished_slot[i] || handle_valid_o && handle_taken_i && frozen_slot[i]),
        .free_o(free[i]), .finished_o(finished[i]), .frozen_o(frozen[i]),
        .tb_o(tbs[i*TB_WIDTH +: TB_WIDTH]), .cycles_o(cycles[i*32 +: 32]));
    end
  endgenerate

  // ---- what it shows ----------------------------------------------------------------------------------------------

  wire is_up        = state_q == SETTING_UP && wait_q == 8'd0;
  wire is_restored  = state_q == RUNNING && restored_q;
  wire is_preempted = hands && &free;
  assign event_valid_o = tells_tb || is_up || is_restored || is_preempted;
  assign event_kind_o  = tells_tb ? TB_DONE : is_up ? SETUP_DONE : is_restored ? RESTORE_DONE : PREEMPTED;
  assign event_tag_o   = tag_q;

  wire [31:0] cycles_left;
  tsr_select #(.ROWS(SLOTS), .WIDTH(TB_WIDTH)) u_tb (.rows_i(tbs), .row_i(frozen_slot), .data_o(handle_tb_o));
  tsr_select #(.ROWS(SLOTS), .WIDTH(32)) u_cycles (.rows_i(cycles), .row_i(frozen_slot), .data_o(cycles_left));
  assign handle_valid_o         = hands && |frozen;
  assign handle_stack_pointer_o = flushes_q ? FLUSHED : cycles_left;
  assign handle_last_o          = frozen == frozen_slot;

  assign ran_valid_o      = takes_event && tells_tb;
  assign ran_descriptor_o = descriptor_q;
  tsr_select #(.ROWS(SLOTS), .WIDTH(TB_WIDTH)) u_ran (.rows_i(tbs), .row_i(finished_slot), .data_o(ran_tb_o));

  // ---- edge: what was taken, then what it is told -----------------------------------------------------------------

  localparam [7:0] SET_UP_WAIT = SET_UP_CYCLES - 1, DRAIN_WAIT = DRAIN_CYCLES - 1, MOVE_WAIT = MOVE_CYCLES - 1;

  always @(posedge clk_i) begin
    if (wait_q != 8'd0) wait_q <= wait_q - 8'd1;
    if (freezes) begin
      state_q <= SAVING;
      wait_q  <= flushes_q ? 8'd0 : MOVE_WAIT;
    end
    if (takes_event && event_kind_o == SETUP_DONE) state_q <= RUNNING;
    if (takes_event && event_kind_o == PREEMPTED)  state_q <= IDLE;
    if (is_stop) begin
      state_q   <= STOPPING;
      wait_q    <= control_kind_i == FLUSH ? 8'd0 : DRAIN_WAIT;
      flushes_q <= control_kind_i == FLUSH;
    end
    if (is_set_up) begin
      state_q      <= SETTING_UP;
      wait_q       <= SET_UP_WAIT;
      tag_q        <= control_tag_i;
      context_q    <= control_context_i;
      page_table_q <= control_page_table_i;
      descriptor_q <= control_descriptor_i;
    end
    if (!rst_ni) state_q <= IDLE;
  end

  always @(posedge clk_i) begin
    if (takes_event && event_kind_o == RESTORE_DONE) restored_q <= 1'b0;
    if (restores) {moves_q, restored_q} <= 2'b01;
    if (moves_q) move_wait_q <= move_wait_q - 8'd1;
    if (dispatch_valid_i && dispatch_is_restore_i) begin
      batch_q     <= !dispatch_last_i;
      moves_q     <= dispatch_last_i;
      move_wait_q <= MOVE_WAIT;
    end
    if (!rst_ni) {batch_q, moves_q, restored_q} <= 3'd0;
  end

  // What must not come as the SM is (timing.md 3.4).
  wire is_bad_set_up   = is_set_up && !(&free);
  wire is_bad_stop     = is_stop && (state_q != RUNNING || batch_q || moves_q || restored_q);
  wire is_bad_dispatch = dispatch_valid_i && (state_q != RUNNING || free == {SLOTS{1'b0}} || moves_q || restored_q ||
                                              batch_q && !dispatch_is_restore_i);
  wire is_bad_kind     = control_valid_i && !is_set_up && !is_stop;
  always @(posedge clk_i) begin
    if (!rst_ni) broken_o <= 1'b0;
    else         broken_o <= broken_o || is_bad_set_up || is_bad_stop || is_bad_dispatch || is_bad_kind;
  end

endmodule
