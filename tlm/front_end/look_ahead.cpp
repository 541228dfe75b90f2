// SPDX-License-Identifier: Apache-2.0
// The first command that is more than a fence decides for its queue.
#include "tlm/front_end/look_ahead.h"

#include <algorithm>

namespace tessera::tlm_model {

// It is not there if a doorbell has taken it back while it was read.
void LookAhead::fetched(QueueId id) {
  std::deque<Ahead>& ahead = queues_[index(id)].ahead;
  if (!ahead.empty()) ahead.pop_front();
}

// Whose launches these are is known of the last command only, as hardware has one register a queue for it.
std::optional<ContextId> LookAhead::shown_by(const std::deque<Ahead>& ahead) {
  const auto decides = [](const Ahead& command) { return command.kind != Ahead::Kind::kNothing; };
  const auto first = std::find_if(ahead.begin(), ahead.end(), decides);
  if (first == ahead.end() || first->kind != Ahead::Kind::kLaunches) return std::nullopt;
  return ahead.back().context;
}

std::vector<LookAhead::Change> LookAhead::update(QueueId id, const CommandDispatcher& dispatcher) {
  Queue& queue = queues_[index(id)];
  const QueueOutlook at_dispatcher = dispatcher.outlook(id);
  std::optional<ContextId> shown = at_dispatcher.is_decided ? at_dispatcher.waiting : shown_by(queue.ahead);
  if (!at_dispatcher.is_decided && shown && dispatcher.is_held(*shown)) shown.reset();
  std::vector<Change> changes;
  if (shown == queue.shown) return changes;
  if (shown && num_waiting_[index(*shown)]++ == 0) changes.push_back({*shown, true});
  if (queue.shown && --num_waiting_[index(*queue.shown)] == 0) changes.push_back({*queue.shown, false});
  queue.shown = shown;
  return changes;
}

}  // namespace tessera::tlm_model
