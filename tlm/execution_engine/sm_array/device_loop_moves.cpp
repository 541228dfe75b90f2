// SPDX-License-Identifier: Apache-2.0
// Loops write their state when they leave, and read it when they are back: those of an SM one after the other.
#include <algorithm>

#include "tlm/execution_engine/sm_array/device_loops.h"

namespace tessera::tlm_model {

void DeviceLoops::queue_move(std::uint32_t leaf, Cycle now) {
  const std::uint32_t sm = leaf >> slot_bits_;
  moves_[sm].push_back(leaf);
  if (moves_[sm].size() == 1) start_move(sm, now);
}

void DeviceLoops::start_move(std::uint32_t sm, Cycle now) {
  if (moves_[sm].empty()) return;
  const std::uint32_t leaf = moves_[sm].front();
  channel_.start(mover_of(sm), loop_of(residents_[leaf]).state_bytes, now);
  events_.set(leaf, channel_.end_of(mover_of(sm)));
  if (channel_.is_coupled()) on_channel_changed();
}

void DeviceLoops::withdraw_move(std::uint32_t leaf, Cycle now) {
  const std::uint32_t sm = leaf >> slot_bits_;
  std::deque<std::uint32_t>& moves = moves_[sm];
  const bool is_under_way = !moves.empty() && moves.front() == leaf;
  moves.erase(std::remove(moves.begin(), moves.end(), leaf), moves.end());
  events_.clear(leaf);
  if (!is_under_way) return;
  channel_.end(mover_of(sm), now);
  if (channel_.is_coupled()) on_channel_changed();
  start_move(sm, now);
}

void DeviceLoops::move_done(const Resident& of, Cycle now) {
  Loop& loop = loop_of(of);
  withdraw_move(loop.leaf, now);
  if (loop.phase == Phase::kLeaving) {
    note_left(of, loop.state_bytes, now);
    return retire(of, now);
  }
  record::Record resumed = about(record::Kind::kLoopResumed, of, now);
  resumed.bytes = loop.state_bytes;
  log_.emit(now, resumed);
  go_on(of, now);
}

// Where all share the channel, one more or one less moves the ends of all transfers.
void DeviceLoops::time_moves() {
  for (std::uint32_t sm = 0; sm < num_sms_; ++sm) {
    if (!moves_[sm].empty()) events_.set(moves_[sm].front(), channel_.end_of(mover_of(sm)));
  }
}

}  // namespace tessera::tlm_model
