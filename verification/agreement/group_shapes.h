// SPDX-License-Identifier: Apache-2.0
// What a process's groups are made of, from its program: a log does not tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/command_scheduling/group_key.h"
#include "model/spec/application_spec.h"

namespace tessera::verification {

struct GroupShape {
  command_scheduling::GroupKey key;
  std::uint8_t engines = 0;  // bits of command_scheduling/task.h
};

// The groups of a process in the order of its program, run after run; what stands in no group is one.
class GroupShapes {
 public:
  // The application must outlive this object; `number`: its index in the Spec.
  GroupShapes(const spec::ApplicationSpec& application, std::uint32_t number);

  // Empty where the program has no commands.
  GroupShape next();

 private:
  struct Frame {
    const std::vector<spec::HostStep>* steps = nullptr;
    std::uint32_t turns_left = 1;
    bool is_group = false;
    std::size_t at = 0;
  };
  bool is_in_group() const;
  // Whether a group ends with this.
  bool leave_frame(const GroupShape& shape);
  bool take(const spec::HostStep& step, GroupShape& shape);
  void add_command(const spec::HostStep& step, GroupShape& shape) const;

  const spec::ApplicationSpec& application_;
  std::uint32_t number_;
  bool has_commands_;
  std::vector<Frame> frames_;
};

}  // namespace tessera::verification
