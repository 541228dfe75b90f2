// SPDX-License-Identifier: Apache-2.0
// Walks a program without unrolling its loops.
#include "verification/agreement/group_shapes.h"

#include <algorithm>
#include <variant>

#include "model/command_scheduling/task.h"

namespace tessera::verification {

namespace cs = command_scheduling;

GroupShapes::GroupShapes(const spec::ApplicationSpec& application, std::uint32_t number)
    : application_(application), number_(number), has_commands_(spec::num_commands(application.program) > 0) {}

GroupShape GroupShapes::next() {
  GroupShape shape;
  while (has_commands_) {
    if (frames_.empty()) frames_.push_back({&application_.program});
    Frame& frame = frames_.back();
    const bool is_over = frame.at == frame.steps->size();
    if (is_over ? leave_frame(shape) : take((*frame.steps)[frame.at++], shape)) break;
  }
  return shape;
}

bool GroupShapes::leave_frame(const GroupShape& shape) {
  Frame& frame = frames_.back();
  frame.at = 0;
  if (--frame.turns_left > 0) return false;
  const bool ends_group = frame.is_group && !shape.key.empty();
  frames_.pop_back();
  return ends_group;
}

bool GroupShapes::is_in_group() const {
  return std::any_of(frames_.begin(), frames_.end(), [](const Frame& frame) { return frame.is_group; });
}

// A launch: its kernel and thread blocks; a copy: its direction and bytes.
void GroupShapes::add_command(const spec::HostStep& step, GroupShape& shape) const {
  if (const auto* launch = std::get_if<spec::Launch>(&step)) {
    shape.engines |= cs::kComputeEngine;
    shape.key.push_back((number_ + std::uint64_t{1}) << 32 | launch->kernel);
    shape.key.push_back(application_.kernels[launch->kernel].num_tbs);
  } else if (const auto* copy = std::get_if<spec::Copy>(&step)) {
    shape.engines |= cs::kCopyEngine;
    shape.key.push_back(copy->direction == spec::CopyDirection::kToHost ? 1 : 0);
    shape.key.push_back(copy->bytes);
  }
}

// A graph is one command, known by those of its nodes.
bool GroupShapes::take(const spec::HostStep& step, GroupShape& shape) {
  if (const auto* loop = std::get_if<spec::Loop>(&step)) {
    if (loop->count > 0) frames_.push_back({&loop->body, loop->count});
    return false;
  }
  if (const auto* group = std::get_if<spec::Group>(&step)) {
    frames_.push_back({&group->work, 1, true});
    return false;
  }
  if (const auto* graph = std::get_if<spec::Graph>(&step)) {
    for (const spec::HostStep* const node : spec::nodes_of(*graph)) add_command(*node, shape);
    return !is_in_group();
  }
  const bool is_command = std::holds_alternative<spec::Launch>(step) || std::holds_alternative<spec::Copy>(step);
  if (!is_command) return false;
  add_command(step, shape);
  return !is_in_group();
}

}  // namespace tessera::verification
