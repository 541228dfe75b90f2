// SPDX-License-Identifier: Apache-2.0
// Buffers pass and are compared.
#include "rtl_model/policy/command_scan.h"

#include "rtl_model/policy/nearness.h"

namespace tessera::rtl_model {

void CommandScan::step(const PolicyRow& policy, std::uint32_t turn) {
  const bool is_better = best_.buffer == kNone || has_higher_key(policy.command_key, passing_, best_);
  if (passing_.buffer != kNone && is_better) best_ = passing_;
  passing_ = cycle_ < num_buffers_ ? command_that_passes(policy.entry, turn) : Command{};
  const ActiveQueue& queue = tables_.active_queue;
  engine_context_ = queue.size() == 0 ? kNone : std::uint32_t{tables_.ksrt.traits(queue.at(0)).context};
  ++cycle_;
}

CommandScan::Command CommandScan::command_that_passes(Entry entry, std::uint32_t turn) const {
  const CommandBuffers& buffers = tables_.command_buffers;
  const bool is_by_arrival = entry == Entry::kByArrival;
  if (is_by_arrival && cycle_ >= buffers.num_waiting()) return {};
  const std::uint32_t buffer = is_by_arrival ? buffers.by_age(cycle_) : (buffers.last() + 1 + cycle_) % num_buffers_;
  if (!buffers.is_valid(buffer)) return {};
  const CommandBuffers::Row& row = buffers.row(buffer);
  return {
      buffer, row.context, row.priority, {row.has_due, row.due}, distance_from_turn(row.context, turn, num_contexts_)};
}

bool CommandScan::has_higher_key(Key key, const Command& command, const Command& than) {
  if (key == Key::kPriority) return command.priority > than.priority;
  if (key == Key::kNearness) return command.distance < than.distance;
  return key == Key::kUrgency && command.urgency.is_above(than.urgency);
}

std::uint32_t CommandScan::outcome(const PolicyRow& policy) const {
  if (best_.buffer == kNone || policy.contexts == Contexts::kAny) return best_.buffer;
  return engine_context_ == kNone || engine_context_ == best_.context ? best_.buffer : kNone;
}

}  // namespace tessera::rtl_model
