// SPDX-License-Identifier: Apache-2.0
// Front end: commands come in from the rings, fences and interrupts go out.
#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"
#include "tlm/base/bus_access.h"
#include "tlm/front_end/front_end.h"

namespace tessera::tlm_model {
namespace {

// Fetched and not yet done, per queue: enough to hide the link's latency behind the kernel that runs.
constexpr std::uint64_t kPrefetch = 8;

// So many rounds can be counted in steps.
constexpr std::uint64_t kMaxLoopCount = std::uint64_t{1} << 40;

// Of the device's side: system memory answers for itself.
bool is_copy_inside(const Command& copy) {
  const std::uint64_t device_address = copy.direction != 0 ? copy.source : copy.destination;
  if (copy.bytes > reg::kDeviceMemoryBytes) return false;
  return (copy.flags & kTimingOnly) != 0 || device_address <= reg::kDeviceMemoryBytes - copy.bytes;
}

workload::ProgressSpreads spreads_of(const KernelDescriptor& kernel) {
  return {kernel.work_share, kernel.segment_cpi_spread, kernel.neighbour_cpi_spread};
}

// Of its nodes, as they lie in system memory.
std::uint64_t bytes_of(const GraphWork& graph) { return sizeof(GraphHeader) + graph.nodes.size() * sizeof(GraphNode); }

// Whom it contends with, and what others on its SM do to it, stands in the Spec, not in the descriptor: hardware would
// find out. Null: the Spec does not have it.
const spec::KernelSpec* kernel_in_spec(const spec::Spec& spec, const KernelDescriptor& kernel) {
  const std::uint32_t application = spec.processes.at(kernel.process).application;
  if (application >= spec.applications.size()) return nullptr;
  const std::vector<spec::KernelSpec>& kernels = spec.applications[application].kernels;
  return kernel.kernel < kernels.size() ? &kernels[kernel.kernel] : nullptr;
}

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
    using Kind = FetchedCommand::Kind;
    Cycle here = read_back(sizeof(Command), time_.now());
    if (fetched.kind == Kind::kLaunch) here = read_back(sizeof(KernelDescriptor), here);
    if (fetched.kind == Kind::kGraph) here = read_back(bytes_of(*fetched.graph), here);
    if (fetched.launch.loops != nullptr) here = read_back(sizeof(LoopProgramHeader), here);
    queue.delivered_until = std::max(queue.delivered_until, here);
    dispatcher_.push(id, fetched, queue.delivered_until);
  }
}

// A read of system memory: the cycle in which it is here.
Cycle FrontEnd::read_back(std::uint64_t bytes, Cycle now) const {
  const Cycle asked = sent(LinkDirection::kToHost, kRequestBytes, now) + pcie_.one_way();
  return sent(LinkDirection::kToGpu, bytes, asked) + pcie_.one_way();
}

// A command that cannot be carried out is reported and ends as a fence: whoever waits for it is not left waiting.
FetchedCommand FrontEnd::decode(const Command& command, QueueId id) {
  FetchedCommand fetched;
  fetched.fence_address = command.fence_address;
  fetched.fence_value = command.fence_value;
  fetched.interrupts = (command.flags & kInterruptWhenDone) != 0;
  if (command.context >= contexts_.size()) {
    report_error(reg::ErrorCode::kBadContext, id);
    return fetched;
  }
  fetched.context = ContextId(command.context);
  switch (command.opcode) {
    case Opcode::kCopy:
      if (decode_copy(command, id, fetched)) fetched.kind = FetchedCommand::Kind::kCopy;
      break;
    case Opcode::kLaunch:
      if (const auto kernel = read_kernel(command, id); kernel && decode_launch(command, *kernel, id, fetched)) {
        fetched.kind = FetchedCommand::Kind::kLaunch;
      }
      break;
    case Opcode::kGraph:
      fetched.graph = read_graph(command, id);
      if (fetched.graph) fetched.kind = FetchedCommand::Kind::kGraph;
      break;
    case Opcode::kWait:
      if (command.source >= queues_.size() || command.source == index(id)) {
        report_error(reg::ErrorCode::kBadWait, id);
        break;
      }
      fetched.kind = FetchedCommand::Kind::kWait;
      fetched.awaited = QueueId(command.source);
      fetched.awaited_commands = command.bytes;
      break;
    case Opcode::kFence:
      break;
    default:
      report_error(reg::ErrorCode::kBadOpcode, id);
  }
  return fetched;
}

bool FrontEnd::decode_copy(const Command& command, QueueId id, FetchedCommand& fetched) {
  if (!is_copy_inside(command)) {
    report_error(reg::ErrorCode::kBadAddress, id);
    return false;
  }
  fetched.source = command.source;
  fetched.destination = command.destination;
  fetched.bytes = command.bytes;
  fetched.is_to_host = command.direction != 0;
  fetched.moves_bytes = (command.flags & kTimingOnly) == 0;
  return true;
}

// The launch of a kernel that is good.
bool FrontEnd::decode_launch(const Command& command, const KernelDescriptor& kernel, QueueId id,
                             FetchedCommand& fetched) {
  if (!read_loops(kernel, id, fetched.launch)) return false;
  fetched.launch.queue = id;
  fetched.launch.context = fetched.context;
  fetched.launch.process = static_cast<std::uint16_t>(kernel.process);
  fetched.launch.kernel = static_cast<std::uint16_t>(kernel.kernel);
  fetched.launch.run = kernel.run;
  fetched.launch.num_tbs = kernel.num_tbs;
  fetched.launch.regs_per_tb = kernel.regs_per_tb;
  fetched.launch.smem_bytes_per_tb = kernel.smem_bytes_per_tb;
  fetched.launch.threads_per_tb = kernel.threads_per_tb;
  fetched.launch.max_tbs_per_sm = kernel.max_tbs_per_sm;
  fetched.launch.idempotent_until_ppm = kernel.idempotent_until;
  const Cycle mean = std::min<Cycle>(kernel.mean_tb_cycles, kNever);
  fetched.launch.durations = workload::TbDurations({mean, std::min(kernel.half_spread_cycles, mean)},
                                                   kernel.duration_key, kernel.neighbour_cpi_spread);
  fetched.launch.progress = workload::TbProgress(spreads_of(kernel), kernel.duration_key);
  if (const spec::KernelSpec* const in_spec = kernel_in_spec(spec_, kernel)) {
    if (spec_.contention.is_on()) fetched.launch.kind = in_spec->kind;
    fetched.launch.occupancy_speedup_ppm = in_spec->occupancy_speedup_ppm;
  }
  fetched.has_own_priority = (command.flags & kOwnPriority) != 0;
  fetched.launch.priority = kernel.priority;
  return true;
}

std::optional<KernelDescriptor> FrontEnd::read_kernel(const Command& command, QueueId id) {
  KernelDescriptor kernel;
  if (!access_system_memory(::tlm::TLM_READ_COMMAND, command.source, &kernel, sizeof(kernel))) {
    report_error(reg::ErrorCode::kBadAddress, id);
    return std::nullopt;
  }
  return is_kernel_good(command, kernel, id) ? std::optional(kernel) : std::nullopt;
}

bool FrontEnd::is_kernel_good(const Command& command, const KernelDescriptor& kernel, QueueId id) {
  spec::KernelSpec resources;
  resources.regs_per_tb = kernel.regs_per_tb;
  resources.smem_bytes_per_tb = kernel.smem_bytes_per_tb;
  resources.threads_per_tb = kernel.threads_per_tb;
  const bool has_bad_priority = (command.flags & kOwnPriority) != 0 && kernel.priority > reg::kMaxPriority;
  if (kernel.num_tbs == 0 || kernel.process >= contexts_.size() || has_bad_priority ||
      kernel.idempotent_until > kMaxPpm || !spreads_of(kernel).are_allowed() ||
      workload::occupancy(spec_.gpu, resources).tbs_per_sm == 0) {
    report_error(reg::ErrorCode::kBadKernel, id);
    return false;
  }
  return true;
}

// The program of an event-driven kernel; false where it cannot be. An ordinary kernel has none.
bool FrontEnd::read_loops(const KernelDescriptor& kernel, QueueId id, KernelLaunch& launch) {
  if (kernel.loop_program == 0) return true;
  LoopProgramHeader header;
  std::vector<LoopStepWords> words;
  bool is_read = access_system_memory(::tlm::TLM_READ_COMMAND, kernel.loop_program, &header, sizeof(header));
  const bool is_known = is_read && !spec::info(spec_.scheduler.technique).chooses_victims && header.count > 0 &&
                        header.slots > 0 && header.num_steps > 0 && header.num_steps <= kMaxLoopSteps &&
                        header.spread <= kMaxPpm && header.count <= kMaxLoopCount;
  if (is_known) {
    words.resize(header.num_steps);
    is_read = access_system_memory(::tlm::TLM_READ_COMMAND, kernel.loop_program + sizeof(header), words.data(),
                                   words.size() * sizeof(LoopStepWords));
  }
  if (!is_read || !is_known) {
    report_error(is_read ? reg::ErrorCode::kBadKernel : reg::ErrorCode::kBadAddress, id);
    return false;
  }
  std::vector<cooperative::Step> steps;
  for (const LoopStepWords& step : words) {
    steps.push_back({std::min(step.cycles, kNever),
                     step.is_write != 0 ? spec::IoDirection::kWrite : spec::IoDirection::kRead,
                     step.is_on_disk != 0 ? spec::IoMedium::kDisk : spec::IoMedium::kCache, step.bytes});
  }
  launch.loops = std::make_shared<LoopLaunch>(LoopLaunch{{header.count, std::move(steps)},
                                                         header.is_blocking != 0,
                                                         header.slots,
                                                         header.state_bytes_per_slot,
                                                         header.spread,
                                                         kernel.duration_key,
                                                         kernel.num_relaunches,
                                                         kernel.launch_number});
  return true;
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
