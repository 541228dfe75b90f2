// SPDX-License-Identifier: Apache-2.0
// Launches come in, wait and are retired.
#include "rtl_model/tables/command_buffers.h"

#include <algorithm>

namespace tessera::rtl_model {

CommandBuffers::Row::Row(const CoreParams& params)
    : context(params.context_width()),
      priority(CoreParams::kPriorityWidth),
      due(CoreParams::kDueWidth),
      partition(params.partition_width()),
      num_tbs(params.tb_width),
      tbs_per_sm(params.tb_count_width()),
      descriptor(CoreParams::kDescriptorWidth) {}

CommandBuffers::CommandBuffers(const CoreParams& params)
    : rows_q_(params.num_command_buffers, Row(params)),
      num_of_context_(params.num_contexts, 0),
      ages_q_(params.num_command_buffers, 0),
      last_q_(params.num_command_buffers - 1) {
  for (std::uint32_t buffer = 0; buffer < size(); ++buffer) free_q_.set(buffer);
}

void CommandBuffers::count(std::uint32_t context, std::int32_t commands) {
  num_of_context_[context] += static_cast<std::uint32_t>(commands);
  contexts_q_.set(context, num_of_context_[context] != 0);
}

void CommandBuffers::retire(std::uint32_t buffer) {
  free_q_.set(buffer);
  count(rows_q_[buffer].context, -1);
  last_q_ = buffer;
  const auto end = ages_q_.begin() + count_q_;
  const auto retired = std::find(ages_q_.begin(), end, buffer);
  std::copy(retired + 1, end, retired);
  --count_q_;
}

void CommandBuffers::write_priority(std::uint32_t context, std::uint32_t priority) {
  for (Row& row : rows_q_) {
    if (row.context == context) row.priority = priority;
  }
}

void CommandBuffers::accept(const CommandPins& command) {
  Row& row = rows_q_.at(command.buffer);
  row.context = command.context;
  row.priority = command.priority;
  row.due = command.due;
  row.has_due = command.has_due;
  row.partition = command.partition;
  row.num_tbs = command.num_tbs;
  row.tbs_per_sm = command.tbs_per_sm;
  row.descriptor = command.descriptor;
  free_q_.clear(command.buffer);
  count(command.context, +1);
  ages_q_[count_q_++] = command.buffer;
}

}  // namespace tessera::rtl_model
