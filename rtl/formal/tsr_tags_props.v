// SPDX-License-Identifier: Apache-2.0
// tsr_tags in the phases of any jobs, of any SMs. Set-ups are numbered here, further than tags count: an SM answers any
// that it has not answered, nor one after it, and gets none while as many may be answered as there are tags.
module tsr_tags_props #(
  parameter S         = 2, // SMs
  parameter TAG_WIDTH = 1
) (
  input                 clk_i,
  input                 reset_i,
  input                 starts_i,  // a job
  input                 sets_up_i, // it is a set-up; else
  input                 answers_i, // a set-up done; else another
  input [1:0]           sm_i,
  input [TAG_WIDTH+1:0] number_i   // of the set-up that is answered
);

  localparam NW = TAG_WIDTH + 2, CW = TAG_WIDTH + 1;
  localparam [NW-1:0] TAGS = 1 << TAG_WIDTH;

  // 1. The job: a phase a cycle (tsr_codes.vh), but for BURST.
  localparam PICK = 0, FIND = 1, SM = 2, ROW = 3, LOAD = 4, CALC = 5, WRITE = 6;
  reg [6:0]    phase_q;
  reg [S-1:0]  row_q;
  reg [NW-1:0] number_q;
  reg          sets_up_q, answers_q, started_q = 1'b0;
  wire         rst_ni = started_q && !reset_i;
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni)                           phase_q <= 7'd1 << PICK;
    else if (!phase_q[PICK] || starts_i)   phase_q <= {phase_q[5:0], phase_q[6]};
    if (phase_q[PICK]) begin
      row_q     <= {{(S-1){1'b0}}, 1'b1} << sm_i;
      number_q  <= number_i;
      sets_up_q <= sets_up_i;
      answers_q <= answers_i && !sets_up_i;
    end
  end

  // 2. Set-ups of each SM: the number of the last one, and of the last that was answered.
  reg [S*NW-1:0] sent_q, answered_q;
  wire           writes = phase_q[WRITE] && (sets_up_q || answers_q);
  genvar i;
  generate
    for (i = 0; i < S; i = i + 1) begin : g_sm
      always @(posedge clk_i) begin
        if (!rst_ni)                                sent_q[i*NW +: NW]     <= {NW{1'b0}};
        else if (writes && row_q[i] && sets_up_q)   sent_q[i*NW +: NW]     <= sent_q[i*NW +: NW] + 1'b1;
        if (!rst_ni)                                answered_q[i*NW +: NW] <= {NW{1'b0}};
        else if (writes && row_q[i] && answers_q)   answered_q[i*NW +: NW] <= number_q;
      end
    end
  endgenerate

  wire [NW-1:0] sent       = sent_q >> sm_i * NW,     its_sent     = its(sent_q);
  wire [NW-1:0] answered   = answered_q >> sm_i * NW, its_answered = its(answered_q);
  wire [NW-1:0] unanswered = sent - answered,         its_unanswered = its_sent - its_answered; // of the job's SM
  wire [NW-1:0] behind     = number_i - answered;
  function [NW-1:0] its(input [S*NW-1:0] rows);
    integer n;
    begin
      its = {NW{1'b0}};
      for (n = 0; n < S; n = n + 1) if (row_q[n]) its = its | rows[n*NW +: NW];
    end
  endfunction

  assume_an_sm: assume property (sm_i < S);
  assume_no_set_up_of_a_full_sm: assume property (!(phase_q[PICK] && sets_up_i) || unanswered != TAGS);
  assume_answer_to_a_set_up: assume property (!(phase_q[PICK] && answers_i) || behind != 0 && behind <= unanswered);

  // 3. The module.
  wire [TAG_WIDTH-1:0] tag;
  wire [S-1:0]         full;
  wire                 is_current, was_full;
  tsr_tags #(.NUM_SMS(S), .TAG_WIDTH(TAG_WIDTH)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .picks_i(phase_q[PICK]), .event_tag_i(number_i[TAG_WIDTH-1:0]),
    .reads_i(phase_q[SM]), .row_i(row_q), .sets_up_i(sets_up_q), .writes_i(writes), .tag_o(tag),
    .is_current_o(is_current), .was_full_o(was_full), .lane_row_i({S{1'b0}}),
    .lane_answered_i({S{1'b0}}), .full_o(full));
  (* hierconn *) wire [S*TAG_WIDTH-1:0] \dut.tag_q ;
  (* hierconn *) wire [S*CW-1:0]        \dut.unanswered_q ;
  (* hierconn *) wire [TAG_WIDTH-1:0]   \dut.event_tag_q ;
  (* hierconn *) wire [CW-1:0]          \dut.new_count_q ;
  wire [S*TAG_WIDTH-1:0] tags   = \dut.tag_q ;
  wire [S*CW-1:0]        counts = \dut.unanswered_q ;
  wire [TAG_WIDTH-1:0]   event_tag = \dut.event_tag_q ;
  wire [CW-1:0]          new_count = \dut.new_count_q ;

  // 4. What is to be.
  wire was_read = phase_q[ROW] || phase_q[LOAD] || phase_q[CALC] || phase_q[WRITE];
  wire is_known = phase_q[FIND] || phase_q[SM] || was_read;
  reg  tags_ok, counts_ok, full_ok, within, some_full;
  integer n;
  always @* begin
    {tags_ok, counts_ok, full_ok, within, some_full} = 5'b11110;
    for (n = 0; n < S; n = n + 1) begin
      if (tags[n*TAG_WIDTH +: TAG_WIDTH] != sent_q[n*NW +: TAG_WIDTH]) tags_ok = 1'b0;
      if (counts[n*CW +: CW] != sent_q[n*NW +: NW] - answered_q[n*NW +: NW]) counts_ok = 1'b0;
      if (full[n] != (sent_q[n*NW +: NW] - answered_q[n*NW +: NW] == TAGS)) full_ok = 1'b0;
      if (counts[n*CW +: CW] > TAGS) within = 1'b0;
      if (full[n]) some_full = 1'b1;
    end
  end

  tag_phases_pass_one_by_one: assert property (!started_q || phase_q != 0 && (phase_q & (phase_q - 7'd1)) == 0);
  job_of_tags_is_legal: assert property (!started_q || !is_known || row_q != 0 && (row_q & (row_q - 1'b1)) == 0 &&
    (!sets_up_q || its_unanswered != TAGS) && !(sets_up_q && answers_q) &&
    (!answers_q || number_q - its_answered != 0 && number_q - its_answered <= its_unanswered));
  event_tag_is_kept: assert property (!started_q || !is_known || event_tag == number_q[TAG_WIDTH-1:0]);
  tag_counts_set_ups: assert property (!started_q || tags_ok);
  set_up_has_the_next_tag: assert property (!started_q || !(was_read && sets_up_q) ||
    tag == its_sent[TAG_WIDTH-1:0] + 1'b1);
  unanswered_are_those_behind: assert property (!started_q || counts_ok);
  next_unanswered: assert property (!started_q || !was_read || (!sets_up_q || new_count == its_unanswered + 1'b1) &&
    (!answers_q || {1'b0, new_count[TAG_WIDTH-1:0]} == its_sent - number_q));
  no_more_than_tags: assert property (!started_q || within);
  full_is_as_many_as_tags: assert property (!started_q || full_ok && (!(was_read && answers_q) ||
    was_full == (its_unanswered == TAGS)));
  current_answers_the_last: assert property (!started_q || !(was_read && answers_q) ||
    is_current == (number_q == its_sent));

  cover_tag_phases_pass_one_by_one: assert property (!started_q || !phase_q[WRITE]);
  cover_job_of_tags_is_legal: assert property (!started_q || !(phase_q[WRITE] && answers_q));
  cover_event_tag_is_kept: assert property (!started_q || !(phase_q[SM] && answers_q && event_tag != 0));
  cover_tag_counts_set_ups: assert property (!started_q || !(phase_q[PICK] && its_sent > TAGS));
  cover_set_up_has_the_next_tag: assert property (!started_q || !(phase_q[WRITE] && sets_up_q && its_sent != 0));
  cover_unanswered_are_those_behind: assert property (!started_q || !(phase_q[PICK] && its_answered == 1 &&
    its_sent == 2));
  cover_next_unanswered: assert property (!started_q || !(phase_q[WRITE] && answers_q && number_q != its_sent));
  cover_no_more_than_tags: assert property (!started_q || !some_full);
  cover_full_is_as_many_as_tags: assert property (!started_q || !(phase_q[WRITE] && answers_q && was_full));
  cover_current_answers_the_last: assert property (!started_q || !(phase_q[WRITE] && answers_q && !is_current));

endmodule
