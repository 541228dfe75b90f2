// SPDX-License-Identifier: Apache-2.0
// Active queue and command buffers: every valid row stands in its queue once.
//
// From the includer: B BW CW K KW P T TW UW
// From tsr_pins.vh: started_q
// From tsr_registers.vh: buffer_age buffer_context buffer_count buffer_last buffer_launch buffer_slots buffer_valid
//   ksr_valid queue_count queue_ksr
// From tsr_ownership.vh: is_active_kernel k
// For others: a b

reg       queue_ok, age_ok, buffers_ok;
reg [7:0] n_queued;
integer   a, b;

always @* begin
  queue_ok = 1'b1;
  n_queued = 0;
  for (k = 0; k < K; k = k + 1) n_queued = n_queued + ksr_valid[k];
  if (queue_count != n_queued) queue_ok = 1'b0;
  for (a = 0; a < K; a = a + 1) begin
    if (a < queue_count && !is_active_kernel(queue_ksr[a*KW +: KW], ksr_valid)) queue_ok = 1'b0;
    for (b = 0; b < a; b = b + 1) begin
      if (a < queue_count && queue_ksr[a*KW +: KW] == queue_ksr[b*KW +: KW]) queue_ok = 1'b0;
    end
  end
end

reg [7:0] n_waiting;
reg       is_waiting;
always @* begin
  age_ok     = 1'b1;
  buffers_ok = buffer_last < B;
  n_waiting  = 0;
  is_waiting = 1'b0;
  for (a = 0; a < B; a = a + 1) begin
    n_waiting  = n_waiting + buffer_valid[a];
    if (buffer_valid[a] && (buffer_launch[a*(BW+40)+40 +: BW] == 0 || buffer_slots[a*TW +: TW] == 0 ||
                            buffer_slots[a*TW +: TW] > T || buffer_context[a*CW +: CW] >= P)) buffers_ok = 1'b0;
  end
  if (buffer_count != n_waiting) age_ok = 1'b0;
  for (a = 0; a < B; a = a + 1) begin
    is_waiting = 1'b0;
    for (b = 0; b < B; b = b + 1) if (buffer_age[a*UW +: UW] == b) is_waiting = buffer_valid[b];
    if (a < buffer_count && !is_waiting) age_ok = 1'b0;
    for (b = 0; b < a; b = b + 1) begin
      if (a < buffer_count && buffer_age[a*UW +: UW] == buffer_age[b*UW +: UW]) age_ok = 1'b0;
    end
  end
end

active_queue_holds_each_kernel_once: assert property (!started_q || queue_ok);
buffers_hold_each_command_once: assert property (!started_q || age_ok && buffers_ok);
