// SPDX-License-Identifier: Apache-2.0
// One job at a time, in one phase; the search is in one state (timing.md 5.1, 6.1).
//
// From the includer: clk_i KW S T
// From tsr_environment.vh: PREEMPTED TB_DONE
// From tsr_pins.vh: rst_ni started_q
// From tsr_registers.vh: a_ksr b_ksr event_kind is_a is_second is_take job leaves phase refills rejected row_drains
//   row_ksr row_next row_reserved row_running row_trapped search_state
// For others: ACTIVATE BEGIN BURST burst_age_q CALC DEAL_BUDGET DEAL_CONTEXT DEAL_OFFER DRAIN EVICT evicting FIND
//   has_sm in_job is_dealing is_one_hot JOB_ACTIVATE job_age_ok job_assigns job_bursts job_cancels JOB_DEAL JOB_EVENT
//   job_event JOB_EVICT job_hands_over JOB_ISSUE JOB_LEAVE JOB_MOVE job_moves job_reserves job_retargets job_saved
//   JOB_SETUP job_takes job_tb_done JOB_TRAP JUDGE LOAD MOVE move_ksr NONE PICK ROW SCAN SM WALK WRITE

localparam JOB_ACTIVATE = 0, JOB_DEAL = 1, JOB_MOVE = 2, JOB_LEAVE = 3, JOB_TRAP = 4, JOB_SETUP = 5, JOB_EVENT = 6,
           JOB_ISSUE = 7, JOB_EVICT = 8;
localparam PICK = 0, FIND = 1, SM = 2, ROW = 3, LOAD = 4, CALC = 5, BURST = 6, WRITE = 7;
localparam SEARCH_IDLE = 0, BEGIN = 1, SCAN = 2, ACTIVATE = 3, WALK = 4, DRAIN = 5, JUDGE = 6, MOVE = 7, DEAL_READ = 8,
           DEAL_CONTEXT = 9, DEAL_BUDGET = 10, DEAL_OFFER = 11, EVICT = 12;
localparam [KW-1:0] NONE = {KW{1'b1}};

function is_one_hot(input [12:0] bits);
  is_one_hot = bits != 0 && (bits & (bits - 13'd1)) == 0;
endfunction

wire in_job = !phase[PICK];
wire is_dealing = |search_state[DEAL_OFFER:DEAL_READ];
wire has_sm = !job[JOB_ACTIVATE] && !job[JOB_DEAL] && !job[JOB_EVICT] && !(job[JOB_MOVE] && !is_take); // an assign has several
wire evicting = in_job && job[JOB_EVICT];

// What the job does, as it follows from registers.
wire job_moves    = in_job && job[JOB_MOVE];
wire job_assigns  = job_moves && !is_take;
wire job_retargets = job_moves && is_take && row_reserved;
wire job_reserves = job_moves && is_take && row_running;
wire [KW-1:0] move_ksr = is_a ? a_ksr : b_ksr;
wire job_cancels  = job_retargets && row_drains && move_ksr == row_ksr;
wire job_takes    = job_reserves || job_retargets && !job_cancels;
wire job_event    = in_job && job[JOB_EVENT];
wire job_tb_done  = job_event && event_kind == TB_DONE;
wire job_saved    = job_event && event_kind == PREEMPTED && row_trapped;
wire job_hands_over = row_reserved && leaves || job_saved;
wire job_has_second = job_reserves || job_retargets || job_hands_over && row_next != NONE;

// A job has as long as its phases say, and its burst as many cycles as an SM has slots (twice that with carries); of an
// assign as many as there are SMs, and one.
reg [7:0] job_age_q, burst_age_q;
always @(posedge clk_i) begin
  job_age_q   <= phase[PICK] || phase[WRITE] && job[JOB_EVICT] || !rst_ni ? 8'd1 : job_age_q + 8'd1;
  burst_age_q <= phase[BURST] ? burst_age_q + 8'd1 : 8'd0;
end
wire job_bursts = !is_second && (job[JOB_ISSUE] || refills && job_tb_done); // of TBs
wire [7:0] first_age = has_sm ? 8'd3 : job[JOB_EVICT] ? 8'd2 : 8'd1; // of ROW
wire [7:0] second_age = is_second ? 8'd4 : 8'd0;
wire job_age_ok = phase[FIND] ? job_age_q == 1 : phase[SM] ? job_age_q == 2 :
              phase[ROW] ? job_age_q == first_age + second_age : phase[LOAD] ? job_age_q == first_age + second_age + 1 :
              phase[CALC] ? job_age_q == first_age + second_age + 2 :
              phase[BURST] ? job_age_q == first_age + 3 + burst_age_q && burst_age_q < (job_assigns ? S + 1 : T) :
              phase[WRITE] ? job_age_q >= first_age + second_age + 3 && job_age_q <= first_age + second_age + 3 + (job_assigns ? S + 1 : job_bursts ? T : 0) : 1'b1;

one_phase: assert property (!started_q || is_one_hot({5'd0, phase}));
one_job: assert property (!started_q || phase[PICK] || is_one_hot({4'd0, job}));
one_search_state: assert property (!started_q || is_one_hot(search_state));
phase_of_the_job: assert property (!started_q ||
  !(phase[FIND] && (!has_sm && !job[JOB_EVICT] || is_second)) && !(phase[SM] && (!has_sm || is_second)) &&
  !(phase[BURST] && (is_second || !job_assigns && !job_bursts)) &&
  !(in_job && is_second && !phase[ROW] && !phase[LOAD] && !phase[CALC] && !phase[WRITE]) &&
  !(in_job && is_second && (!has_sm || !job_has_second)) &&
  !((phase[BURST] || phase[WRITE]) && rejected) &&
  !(phase[CALC] && rejected && (is_second || !job[JOB_MOVE] && !job[JOB_TRAP])));
search_waits_for_its_job: assert property (!started_q ||
  (!in_job || (!job[JOB_ACTIVATE] || search_state[ACTIVATE]) && (!job[JOB_DEAL] || search_state[DEAL_OFFER]) &&
              (!job[JOB_MOVE] || search_state[MOVE]) && (!job[JOB_EVICT] || search_state[EVICT])));
