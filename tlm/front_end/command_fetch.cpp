// SPDX-License-Identifier: Apache-2.0
// Front end: commands come in from the rings, fences and interrupts go out. What they say is read in
// command_decode.cpp.
#include <algorithm>
#include <variant>

#include "model/spec/spec.h"
#include "tlm/base/bus_access.h"
#include "tlm/front_end/front_end.h"

namespace tessera::tlm_model {
namespace {

// Fetched and not yet done, per queue: enough to hide the link's latency behind the kernel that runs.
constexpr std::uint64_t kPrefetch = 8;

// Of its nodes, as they lie in system memory.
std::uint64_t bytes_of(const GraphWork& graph) { return sizeof(GraphHeader) + graph.nodes.size() * sizeof(GraphNode); }

}  // namespace

// ---- fetch ---------------------------------------------------------------------------------------------------

// Rings are read when the doorbell arrives and when the dispatcher has made room. The link carries reads of
// several queues at once; a command arrives a round trip later, its kernel descriptor another one, and so does a graph.
void FrontEnd::fetch() {
  for (;;) {
    wait(fetch_event_);
    // Reads that take time let others in, whose notifications find nobody waiting here: look again.
    sc_dt::uint64 began = 0;
    do {
      began = sc_core::sc_delta_count();
      ring_doorbells(time_.now());
      for (std::size_t i = 0; i < queues_.size(); ++i) {
        if (queues_[i].head != queues_[i].doorbell) fetch_queue(QueueId(i));  // most have nothing
      }
    } while (sc_core::sc_delta_count() != began);
  }
}

void FrontEnd::ring_doorbells(Cycle now) {
  Cycle next = kNever;
  for (const Doorbell& doorbell : doorbells_) {
    Queue& queue = queues_[index(doorbell.queue)];
    if (doorbell.cycle > now) {
      next = std::min(next, doorbell.cycle);
    } else if (doorbell.value - queue.head > queue.entries) {
      report_error(reg::ErrorCode::kBadDoorbell, doorbell.queue);
    } else {
      queue.doorbell = doorbell.value;
      if (look_ahead_) read_ahead(doorbell.queue);
    }
  }
  doorbells_.erase(std::remove_if(doorbells_.begin(), doorbells_.end(),
                                  [now](const Doorbell& doorbell) { return doorbell.cycle <= now; }),
                   doorbells_.end());
  if (next != kNever) request_fetch(next);
}

void FrontEnd::fetch_queue(QueueId id) {
  Queue& queue = queues_[index(id)];
  while (control_ != 0 && queue.head != queue.doorbell && dispatcher_.num_waiting(id) < kPrefetch) {
    // 1. The command, and the kernel it points to.
    const std::uint32_t resets = queue.resets;
    Command command;
    if (!access_system_memory(::tlm::TLM_READ_COMMAND, queue.base + queue.head % queue.entries * sizeof(Command),
                              &command, sizeof(command))) {
      report_error(reg::ErrorCode::kBadAddress, id);
      command = Command{};
    }
    const FetchedCommand fetched = decode(command, id);
    if (queue.resets != resets) continue;  // the host emptied the queue while memory took its time
    ++queue.head;
    // 2. It is here after its reads, and never before its predecessor.
    queue.delivered_until = std::max(queue.delivered_until, read_with_work(fetched));
    dispatcher_.push(id, fetched, queue.delivered_until);
    if (look_ahead_) {
      look_ahead_->fetched(id);
      look_again(id);
    }
  }
}

// ---- looking ahead -------------------------------------------------------------------------------------------

// From now on; what is there already counts.
void FrontEnd::start_looking_ahead() {
  if (look_ahead_) return;
  look_ahead_.emplace(queues_.size(), contexts_.size());
  for (std::size_t i = 0; i < queues_.size(); ++i) read_ahead(QueueId(i));
}

// The commands that a doorbell has brought, without time: hardware would be told of them with it.
void FrontEnd::read_ahead(QueueId id) {
  const Queue& queue = queues_[index(id)];
  const std::uint64_t num_ahead = queue.doorbell - queue.head;
  if (num_ahead < look_ahead_->num_ahead(id)) look_ahead_->shortened(id, num_ahead);
  while (look_ahead_->num_ahead(id) < num_ahead) {
    const std::uint64_t number = queue.head + look_ahead_->num_ahead(id);
    look_ahead_->brought(id, peek(queue.base + number % queue.entries * sizeof(Command)));
  }
  look_again(id);
}

// Where memory has no debug access, a command is nothing until it is fetched.
LookAhead::Ahead FrontEnd::peek(std::uint64_t address) {
  using Kind = LookAhead::Ahead::Kind;
  const std::optional<Command> command = peek_command(address);
  if (!command || command->context >= contexts_.size()) return {};
  const auto context = static_cast<ContextId>(command->context);
  // A graph is taken for its first node, which waits for none.
  const std::optional<Command> first =
      command->opcode == Opcode::kGraph ? peek_command(command->source + sizeof(GraphHeader)) : command;
  if (!first) return {};
  const bool holds = first->opcode == Opcode::kCopy || first->opcode == Opcode::kWait;
  return {first->opcode == Opcode::kLaunch ? Kind::kLaunches : (holds ? Kind::kHolds : Kind::kNothing), context};
}

std::optional<Command> FrontEnd::peek_command(std::uint64_t address) {
  Command command;
  ::tlm::tlm_generic_payload payload;
  payload.set_command(::tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&command));
  payload.set_data_length(sizeof(command));
  const bool is_read = system_memory_isock->transport_dbg(payload) == sizeof(command);
  return is_read ? std::optional(command) : std::nullopt;
}

void FrontEnd::look_again(QueueId id) {
  for (const LookAhead::Change& change : look_ahead_->update(id, dispatcher_)) {
    framework_.tell(SetWaiting{change.context, change.is_waiting}, time_.now());
  }
}

// A read of system memory: the cycle in which it is here.
Cycle FrontEnd::read_back(std::uint64_t bytes, Cycle now) const {
  const Cycle asked = sent(LinkDirection::kToHost, kRequestBytes, now) + pcie_.one_way();
  return sent(LinkDirection::kToGpu, bytes, asked) + pcie_.one_way();
}

// The command, then what it points to: the cycle in which all is here.
Cycle FrontEnd::read_with_work(const FetchedCommand& fetched) const {
  const Cycle here = read_back(sizeof(Command), time_.now());
  if (const auto* const graph = std::get_if<GraphCommand>(&fetched.what)) {
    return read_back(bytes_of(*graph->graph), here);
  }
  const auto* const launch = std::get_if<LaunchCommand>(&fetched.what);
  if (launch == nullptr) return here;
  const Cycle described = read_back(sizeof(KernelDescriptor), here);
  return launch->launch.loops == nullptr ? described : read_back(sizeof(LoopProgramHeader), described);
}

// ---- fences and interrupts -----------------------------------------------------------------------------------

void FrontEnd::retire(QueueId queue, const FetchedCommand& command) {
  if (command.fence_address != 0 || command.interrupts) {
    fence_writes_.push_back({sent(LinkDirection::kToHost, kWordBytes, time_.now()) + pcie_.one_way(), queue,
                             command.fence_address, command.fence_value, command.interrupts});
    fence_event_.notify(time_.until(fence_writes_.front().cycle));
  }
  if (queues_[index(queue)].head != queues_[index(queue)].doorbell) request_fetch(time_.now());
}

void FrontEnd::write_fences() {
  for (;;) {
    wait(fence_event_);
    while (!fence_writes_.empty() && fence_writes_.front().cycle <= time_.now()) {
      FenceWrite fence = fence_writes_.front();
      if (fence.address != 0 &&
          !access_system_memory(::tlm::TLM_WRITE_COMMAND, fence.address, &fence.value, sizeof(fence.value))) {
        report_error(reg::ErrorCode::kBadAddress, fence.queue);
      }
      fence_writes_.erase(fence_writes_.begin());
      if (!fence.interrupts) continue;
      fresh_completions_.push_back({sc_core::sc_delta_count(), fence.queue});
      irq_event_.notify(sc_core::SC_ZERO_TIME);
    }
    if (!fence_writes_.empty()) fence_event_.notify(time_.until(fence_writes_.front().cycle));
  }
}

bool FrontEnd::access_system_memory(::tlm::tlm_command command, std::uint64_t address, void* data,
                                    std::uint64_t bytes) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;  // the link's latency is ours to add
  const bool is_ok = access_bus(system_memory_isock, command, address, data, bytes, delay);
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  return is_ok;
}

}  // namespace tessera::tlm_model
