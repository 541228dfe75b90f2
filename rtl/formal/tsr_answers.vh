// SPDX-License-Identifier: Apache-2.0
// SMs of the scenario: each answers at once, the lowest first.
//
// From the includer: MW S TW
// From tsr_environment.vh: handed_q PREEMPTED resident_q RESTORE_DONE restores_q sets_up_q SETUP_DONE stops_q TB_DONE
// From tsr_scenario.vh: ENDS_FROM handle_sm_i handle_valid_i sm_event_kind_i sm_event_sm_i sm_event_valid_i time_q
// For others: nothing

reg [S-1:0]  can_set_up, can_restore, can_preempted, can_end, can_hand, can_report;
reg [2:0]    answer;
reg [MW-1:0] answering_sm, handing_sm;
integer      n;
always @* begin
  for (n = 0; n < S; n = n + 1) begin
    can_set_up[n]    = sets_up_q[n];
    can_restore[n]   = restores_q[n] && !sets_up_q[n];
    can_preempted[n] = stops_q[n] && handed_q[n*TW +: TW] == resident_q[n*TW +: TW];
    can_end[n]       = resident_q[n*TW +: TW] != 0 && !stops_q[n] && time_q >= ENDS_FROM;
    can_hand[n]      = stops_q[n] && handed_q[n*TW +: TW] != resident_q[n*TW +: TW];
  end
  {answer, can_report} = {PREEMPTED, can_preempted};
  if (can_end != 0)     {answer, can_report} = {TB_DONE, can_end};
  if (can_restore != 0) {answer, can_report} = {RESTORE_DONE, can_restore};
  if (can_set_up != 0)  {answer, can_report} = {SETUP_DONE, can_set_up};
  {answering_sm, handing_sm} = 0;
  for (n = S - 1; n >= 0; n = n - 1) begin
    if (can_report[n]) answering_sm = n;
    if (can_hand[n])   handing_sm = n;
  end
end
assign sm_event_valid_i = can_report != 0;
assign sm_event_sm_i    = answering_sm;
assign sm_event_kind_i  = answer;
assign handle_valid_i   = can_hand != 0;
assign handle_sm_i      = handing_sm;
