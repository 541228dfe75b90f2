// SPDX-License-Identifier: Apache-2.0
// A command that the front end has fetched and decoded, as the command dispatcher gets it
// (docs/hardware/register_map.md).
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "model/base/ids.h"
#include "tlm/execution_engine/kernel_launch.h"

namespace tessera::tlm_model {

struct LaunchCommand {
  KernelLaunch launch;
  bool has_own_priority = false;  // use launch.priority instead of the context's
};

struct CopyCommand {
  std::uint32_t node = 0;         // node within a graph command
  std::uint64_t source = 0;       // address in system memory; in device memory if is_to_host
  std::uint64_t destination = 0;  // address in the other memory
  std::uint64_t bytes = 0;
  bool is_to_host = false;
  bool moves_bytes = false;  // false: takes its time only
};

// Does nothing but the fence write with which every command ends.
struct FenceCommand {};

// Waits until queue `awaited` has completed `awaited_commands` commands, as its host counts them.
struct WaitCommand {
  QueueId awaited{};
  std::uint64_t awaited_commands = 0;
};

using NodeCommand = std::variant<LaunchCommand, CopyCommand>;

// Edges lead to later nodes.
struct GraphWork {
  std::vector<NodeCommand> nodes;
  std::vector<std::vector<std::uint32_t>> behind;  // by node: those that wait for it, in order
  std::vector<std::uint32_t> num_ahead;            // by node: those that it waits for
};

struct GraphCommand {
  std::shared_ptr<const GraphWork> graph;
};

struct FetchedCommand {
  ContextId context{};
  // What happens when the command is done.
  std::uint64_t fence_address = 0;  // in system memory; 0: no fence is written
  std::uint64_t fence_value = 0;
  bool interrupts = false;
  std::variant<FenceCommand, LaunchCommand, CopyCommand, WaitCommand, GraphCommand> what;
};

}  // namespace tessera::tlm_model
