// SPDX-License-Identifier: Apache-2.0
// The stages of a batch.
#include "tlm/execution_engine/shared_sm/move_queue.h"

#include <algorithm>

#include "model/spec/spec.h"

namespace tessera::tlm_model {

using Stage = QueuedMove::Stage;

MoveQueue::MoveQueue(SmParts& parts, SharedSms& sms) : spec_(parts.spec), array_(parts.array), sms_(sms) {
  array_.set_move_timer(this);
}

void MoveQueue::add_save(SmId id, std::uint64_t slots, Cycle now) {
  sms_.at(id).moves.push_back({true, slots, array_.slot(id, lowest(slots)).kernel, now});
}

void MoveQueue::add_restore(SmId id, std::uint64_t slots, Cycle last_handle) {
  sms_.at(id).moves.push_back({false, slots, array_.slot(id, lowest(slots)).kernel, last_handle});
}

void MoveQueue::forget(SmId id, std::uint32_t slot) {
  for (QueuedMove& batch : sms_.at(id).moves) batch.slots &= ~slot_bit(slot);
}

std::optional<MoveQueue::Over> MoveQueue::step(SmId id, Cycle now) {
  std::vector<QueuedMove>& moves = sms_.at(id).moves;
  for (auto batch = moves.begin(); batch != moves.end(); ++batch) {
    if (!sms_.is_its_turn(sms_.at(id), *batch) || step(id, *batch, now)) continue;
    Over over{*batch};
    moves.erase(batch);
    if (over.batch.stage == Stage::kMoving) over.bytes = array_.end_move(id, over.batch.slots, now).bytes;
    return over;
  }
  sms_.retime(id);
  return std::nullopt;
}

bool MoveQueue::step(SmId id, QueuedMove& batch, Cycle now) {
  if (batch.stage == Stage::kWaiting) {
    if (batch.slots == 0) return false;  // they have all finished
    if (batch.not_before > now) return true;
    if (!batch.is_save) {
      start(id, batch, now);
    } else {
      batch.stage = Stage::kDrainingPipeline;
      batch.stage_ends = now + spec_.gpu.framework.pipeline_drain_cycles;
    }
  }
  if (batch.stage == Stage::kDrainingPipeline && batch.stage_ends <= now) {
    if (batch.slots == 0) return false;
    array_.stop(id, batch.slots, now);
    batch.stage = Stage::kEnteringTrap;
    batch.stage_ends = now + spec_.gpu.framework.trap_entry_cycles;
  }
  if (batch.stage == Stage::kEnteringTrap && batch.stage_ends <= now) start(id, batch, now);
  return batch.stage != Stage::kMoving || batch.stage_ends > now;
}

void MoveQueue::start(SmId id, QueuedMove& batch, Cycle now) {
  batch.stage = Stage::kMoving;
  const auto takes = sms_.has_per_tb_price() ? std::optional(moving_cycles(batch)) : std::nullopt;
  array_.start_move(id, batch.is_save, batch.slots, now, takes);
  batch.stage_ends = array_.end_of_move(id, array_.sm(id).moves.back());
}

// On the channel it is the first of the SM's batches.
void MoveQueue::move_will_end(SmId id, Cycle end) {
  sms_.at(id).moves.front().stage_ends = end;
  sms_.retime(id);
}

// ---- estimates -----------------------------------------------------------------------------------------------

Cycle MoveQueue::remaining(const QueuedMove& batch, Cycle now) const {
  const spec::FrameworkSpec& framework = spec_.gpu.framework;
  const Cycle this_stage = batch.stage_ends == kNever ? 0 : batch.stage_ends - std::min(now, batch.stage_ends);
  switch (batch.stage) {
    case Stage::kWaiting:
      return (batch.is_save ? framework.pipeline_drain_cycles + framework.trap_entry_cycles : 0) + moving_cycles(batch);
    case Stage::kDrainingPipeline:
      return this_stage + framework.trap_entry_cycles + moving_cycles(batch);
    case Stage::kEnteringTrap:
      return this_stage + moving_cycles(batch);
    case Stage::kMoving:
      break;
  }
  return this_stage;
}

Cycle MoveQueue::moving_cycles(const QueuedMove& batch) const {
  const std::uint64_t num_tbs = num_slots(batch.slots);
  const std::uint64_t num_contexts = sms_.has_per_tb_price() ? std::min<std::uint64_t>(1, num_tbs) : num_tbs;
  return mul_div_ceil(array_.kernel(batch.ksr).context_bytes_per_tb * num_contexts * spec_.gpu.num_sms,
                      spec_.gpu.clock_hz, spec_.gpu.memory_bandwidth_bytes_per_s);
}

}  // namespace tessera::tlm_model
