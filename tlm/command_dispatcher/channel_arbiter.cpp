// SPDX-License-Identifier: Apache-2.0
// The turn of channels: a quantum each, gaps included, and the end of what is in flight then.
#include "tlm/command_dispatcher/channel_arbiter.h"

#include <algorithm>
#include <iterator>

namespace tessera::tlm_model {

std::vector<QueueId> ChannelArbiter::grant(Cycle now) {
  // 1. Whose turn is it? One that is over stays where it is as long as nobody else wants it.
  const bool is_over = !current_ || now >= quantum_end_;
  if (is_over && num_in_flight_ == 0 && is_waited_for()) turn_to_next(now);
  // 2. Over and wanted, a turn ends with what is in flight: another queue's commands would prolong it for ever.
  std::vector<QueueId> granted;
  if (now >= quantum_end_ && is_waited_for()) return granted;
  // 3. All that waits of the current channel goes out.
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    if (it->second == current_) granted.push_back(it->first);
    it = it->second == current_ ? waiting_.erase(it) : std::next(it);
  }
  num_in_flight_ += static_cast<std::uint32_t>(granted.size());
  return granted;
}

std::optional<Cycle> ChannelArbiter::next_turn() const {
  if (num_in_flight_ > 0 || !is_waited_for()) return std::nullopt;
  return quantum_end_;
}

// By another channel than the current one.
bool ChannelArbiter::is_waited_for() const {
  return std::any_of(waiting_.begin(), waiting_.end(), [this](const auto& entry) { return entry.second != current_; });
}

// Round robin: the lowest number above the current one, or else of all.
void ChannelArbiter::turn_to_next(Cycle now) {
  std::optional<ContextId> lowest, above;
  for (const auto& [queue, context] : waiting_) {
    if (!lowest || context < *lowest) lowest = context;
    if (current_ && context > *current_ && (!above || context < *above)) above = context;
  }
  current_ = above ? above : lowest;
  quantum_end_ = now + quantum_;
}

}  // namespace tessera::tlm_model
