// SPDX-License-Identifier: Apache-2.0
// Command buffers: selection and edge.
#include "rtl_model/tables/command_buffers.h"

namespace tessera::rtl_model {

CommandBuffers::CommandBuffers(const sc_core::sc_module_name& name, const Params& params)
    : ClockedModule(name),
      age_q_(params.num_command_buffers, Field32(params.buffer_width())),
      count_q_(bits_for_value(params.num_command_buffers)),
      last_q_(params.buffer_width()) {
  Row row;
  row.context = Field32(params.context_width());
  row.priority = Field32(Params::kPriorityWidth);
  row.num_tbs = Field32(params.tb_width);
  row.tbs_per_sm = Field32(params.tb_count_width());
  row.descriptor = Field64(Params::kDescriptorWidth);
  rows_q_.assign(params.num_command_buffers, row);
  for (std::uint32_t i = 0; i < params.num_command_buffers; ++i) free_q_.set(i);
  last_q_ = params.num_command_buffers - 1;
}

std::uint32_t CommandBuffers::select(CommandOrder order) const {
  if (count_q_ == 0) return kNone;
  if (order == CommandOrder::kArrival) return age_q_[0];
  if (order == CommandOrder::kInTurn) return next_in_turn(true, 0);
  // The oldest of the highest priority.
  std::uint32_t best = age_q_[0];
  for (std::uint32_t i = 1; i < count_q_; ++i) {
    if (rows_q_[age_q_[i]].priority > rows_q_[best].priority) best = age_q_[i];
  }
  return order == CommandOrder::kPriority ? best : next_in_turn(false, rows_q_[best].priority);
}

std::uint32_t CommandBuffers::next_in_turn(bool any_priority, std::uint32_t priority) const {
  const auto num_buffers = static_cast<std::uint32_t>(rows_q_.size());
  for (std::uint32_t i = 1; i <= num_buffers; ++i) {
    const std::uint32_t buffer = (last_q_ + i) % num_buffers;
    if (rows_q_[buffer].valid && (any_priority || rows_q_[buffer].priority == priority)) return buffer;
  }
  return kNone;
}

void CommandBuffers::set_priority(std::uint32_t context, std::uint32_t priority) {
  writes_priority_ = true;
  written_context_ = context;
  written_priority_ = priority;
}

void CommandBuffers::seq() {
  has_changed_ = has_changed_ || accept_.valid || retired_ != kNone;
  // 1. The OS's write reaches the commands that wait.
  if (writes_priority_) {
    for (Row& row : rows_q_) {
      if (row.context == written_context_) row.priority = written_priority_;
    }
    writes_priority_ = false;
  }
  // 2. A buffer becomes free; the order closes up.
  if (retired_ != kNone) {
    rows_q_[retired_].valid = false;
    free_q_.set(retired_);
    last_q_ = retired_;
    bool is_behind = false;
    for (std::uint32_t i = 0; i < count_q_; ++i) {
      is_behind = is_behind || age_q_[i] == retired_;
      if (is_behind && i + 1 < count_q_) age_q_[i] = age_q_[i + 1];
    }
    count_q_.add(-1);
    retired_ = kNone;
  }
  // 3. A command comes in, behind all others.
  if (accept_.valid) {
    Row& row = rows_q_[accept_.buffer];
    row.valid = true;
    row.context = accept_.context;
    row.priority = accept_.priority;
    row.num_tbs = accept_.num_tbs;
    row.tbs_per_sm = accept_.tbs_per_sm;
    row.descriptor = accept_.descriptor;
    free_q_.clear(accept_.buffer);
    age_q_[count_q_] = accept_.buffer;
    count_q_.add(1);
    accept_.valid = false;
  }
}

void CommandBuffers::list_signals(ISignalSink& signals) const {
  signals.enter("u_command_buffers");
  signals.signal("count_q", count_q_.width(), [this] { return count_q_; });
  signals.signal("last_q", last_q_.width(), [this] { return last_q_; });
  for (std::size_t i = 0; i < rows_q_.size(); ++i) {
    const Row& row = rows_q_[i];
    signals.signal(indexed("valid_q", i), 1, [&row] { return row.valid; });
    signals.signal(indexed("context_q", i), row.context.width(), [&row] { return row.context; });
    signals.signal(indexed("priority_q", i), row.priority.width(), [&row] { return row.priority; });
    signals.signal(indexed("num_tbs_q", i), row.num_tbs.width(), [&row] { return row.num_tbs; });
    signals.signal(indexed("tbs_per_sm_q", i), row.tbs_per_sm.width(), [&row] { return row.tbs_per_sm; });
    signals.signal(indexed("descriptor_q", i), row.descriptor.width(), [&row] { return row.descriptor; });
    signals.signal(indexed("age_q", i), age_q_[i].width(), [this, i] { return age_q_[i]; });
  }
  signals.leave();
}

}  // namespace tessera::rtl_model
