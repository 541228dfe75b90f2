// SPDX-License-Identifier: Apache-2.0
// The world around tsr_scheduler as timing.md section 3 describes it, as weak as can be: any order, any time, SMs
// that offer an event or take it back. Names of assumptions begin with assume_. What an SM was told is kept from pins.
//
// From the includer: B clk_i command_buffer_i command_context_i command_num_tbs_i command_tbs_per_sm_i command_valid_i
//   control_context_i control_reg_i control_valid_i handle_sm_i handle_valid_i P POLICIES S sm_event_kind_i
//   sm_event_sm_i sm_event_valid_i T TW WAIT_MAX
// From tsr_pins.vh: buffer_free_o dispatch_last_o dispatch_sm_o dispatch_valid_o rst_ni sm_control_kind_o
//   sm_control_sm_o sm_control_valid_o sm_event_ready_o strap_activation_cycles_i strap_breadth_first_i strap_policy_i
//   strap_rounds_i strap_search_step_cycles_i
// From tsr_scenario.vh: command_buffer_i command_context_i command_num_tbs_i command_tbs_per_sm_i command_valid_i
//   control_context_i control_reg_i control_valid_i handle_sm_i handle_valid_i sm_event_kind_i sm_event_sm_i
//   sm_event_valid_i
// For others: handed_q PREEMPTED reports resident_q RESTORE_DONE restores_q sets_up_q SETUP_DONE stops_q TB_DONE told

// ---- straps, commands, control ------------------------------------------------------------------------------------

wire [15:0] is_present = POLICIES;
assume_policy_present: assume property (is_present[strap_policy_i[3:0]] && strap_policy_i[6:4] < 3);
assume_waits: assume property (strap_activation_cycles_i != 0 && strap_search_step_cycles_i != 0 &&
                               strap_activation_cycles_i <= WAIT_MAX && strap_search_step_cycles_i <= WAIT_MAX);
assume_rounds: assume property (!strap_rounds_i || strap_breadth_first_i);

wire [B:0] free_buffers = {1'b0, buffer_free_o};
assume_command: assume property (!command_valid_i || command_buffer_i < B && free_buffers[command_buffer_i] &&
  command_context_i < P && command_num_tbs_i != 0 && command_tbs_per_sm_i != 0 && command_tbs_per_sm_i <= T);
assume_control: assume property (!control_valid_i || control_reg_i == 2'd0 || control_context_i < P);

// ---- what each SM was told, and has reported ----------------------------------------------------------------------

localparam [2:0] TB_DONE = 3'd0, SETUP_DONE = 3'd1, RESTORE_DONE = 3'd2, PREEMPTED = 3'd3;

wire event_taken = sm_event_valid_i && sm_event_ready_o;

reg [S-1:0]    sets_up_q;  // a set-up was sent, not answered
reg [S-1:0]    stops_q;    // a trap was sent, not answered
reg [S-1:0]    restores_q; // a batch is complete, not answered
reg [S*TW-1:0] resident_q; // TBs that are there
reg [S*TW-1:0] handed_q;   // handles of them that were given back since the trap
reg [S-1:0]    may_report; // the event that is offered
reg [S-1:0]    may_hand;   // the handle

wire [S-1:0] told     = sm_control_valid_o ? {{(S-1){1'b0}}, 1'b1} << sm_control_sm_o : {S{1'b0}};
wire [S-1:0] given    = dispatch_valid_o ? {{(S-1){1'b0}}, 1'b1} << dispatch_sm_o : {S{1'b0}};
wire [S-1:0] reports  = event_taken ? {{(S-1){1'b0}}, 1'b1} << sm_event_sm_i : {S{1'b0}};
wire [S-1:0] hands    = handle_valid_i ? {{(S-1){1'b0}}, 1'b1} << handle_sm_i : {S{1'b0}};

genvar s;
generate
  for (s = 0; s < S; s = s + 1) begin : g_sm_world
    wire [TW-1:0] resident = resident_q[s*TW +: TW];
    wire [TW-1:0] handed   = handed_q[s*TW +: TW];
    always @* begin
      case (sm_event_kind_i)
        TB_DONE:      may_report[s] = resident != 0 && handed == 0; // frozen from the first handle on
        SETUP_DONE:   may_report[s] = sets_up_q[s];
        RESTORE_DONE: may_report[s] = restores_q[s] && !sets_up_q[s];
        PREEMPTED:    may_report[s] = stops_q[s] && handed == resident;
        default:      may_report[s] = 1'b0; // not sent
      endcase
      may_hand[s] = stops_q[s] && handed != resident;
    end
    always @(posedge clk_i) begin
      if (!rst_ni) begin
        sets_up_q[s]          <= 1'b0;
        stops_q[s]            <= 1'b0;
        restores_q[s]         <= 1'b0;
        resident_q[s*TW +: TW] <= {TW{1'b0}};
        handed_q[s*TW +: TW]   <= {TW{1'b0}};
      end else begin
        sets_up_q[s]  <= told[s] ? !sm_control_kind_o : sets_up_q[s] && !(reports[s] && sm_event_kind_i == SETUP_DONE);
        stops_q[s]    <= told[s] ? |sm_control_kind_o : stops_q[s] && !(reports[s] && sm_event_kind_i == PREEMPTED);
        restores_q[s] <= given[s] && dispatch_last_o ||
                         restores_q[s] && !(reports[s] && sm_event_kind_i == RESTORE_DONE);
        resident_q[s*TW +: TW] <= reports[s] && sm_event_kind_i == PREEMPTED ? {TW{1'b0}} :
                                  resident + given[s] - (reports[s] && sm_event_kind_i == TB_DONE);
        handed_q[s*TW +: TW]   <= reports[s] && sm_event_kind_i == PREEMPTED ? {TW{1'b0}} : handed + hands[s];
      end
    end
  end
endgenerate

assume_event: assume property (!sm_event_valid_i || sm_event_sm_i < S && may_report[sm_event_sm_i]);
assume_handle: assume property (!handle_valid_i || handle_sm_i < S && may_hand[handle_sm_i]);
// All handles were given in earlier cycles.
assume_handles_first: assume property (!(sm_event_valid_i && sm_event_kind_i == PREEMPTED && handle_valid_i &&
                                         handle_sm_i == sm_event_sm_i));
assume_done_or_handle: assume property (!(sm_event_valid_i && sm_event_kind_i == TB_DONE && handle_valid_i &&
                                          handle_sm_i == sm_event_sm_i));
