// SPDX-License-Identifier: Apache-2.0
// What a fetched command says, with the kernel descriptor and the loop program that it points to.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"
#include "tlm/front_end/front_end.h"

namespace tessera::tlm_model {
namespace {

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

// Whom it contends with, and what others on its SM do to it, stands in the Spec, not in the descriptor: hardware would
// find out. Null: the Spec does not have it.
const spec::KernelSpec* kernel_in_spec(const spec::Spec& spec, const KernelDescriptor& kernel) {
  const std::uint32_t application = spec.processes.at(kernel.process).application;
  if (application >= spec.applications.size()) return nullptr;
  const std::vector<spec::KernelSpec>& kernels = spec.applications[application].kernels;
  return kernel.kernel < kernels.size() ? &kernels[kernel.kernel] : nullptr;
}

std::uint64_t bytes_per_tb(const spec::KernelSpec& kernel, Cycle mean, const spec::GpuSpec& gpu) {
  if (!kernel.loads_all_along) return kernel.dram_bytes_per_tb;
  return mul_div_round(kernel.bytes_in_flight_per_tb, Clock(gpu.clock_hz).time_of(mean), gpu.memory_latency->unloaded);
}

}  // namespace

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
      if (const auto copy = decode_copy(command, id)) fetched.what = *copy;
      break;
    case Opcode::kLaunch:
      if (const auto kernel = read_kernel(command, id)) {
        if (auto launch = decode_launch(command, *kernel, fetched.context, id)) fetched.what = std::move(*launch);
      }
      break;
    case Opcode::kGraph:
      if (auto graph = read_graph(command, id)) fetched.what = GraphCommand{std::move(graph)};
      break;
    case Opcode::kWait:
      if (const auto wait = decode_wait(command, id)) fetched.what = *wait;
      break;
    case Opcode::kFence:
      break;
    default:
      report_error(reg::ErrorCode::kBadOpcode, id);
  }
  return fetched;
}

std::optional<CopyCommand> FrontEnd::decode_copy(const Command& command, QueueId id) {
  if (!is_copy_inside(command)) {
    report_error(reg::ErrorCode::kBadAddress, id);
    return std::nullopt;
  }
  CopyCommand copy;
  copy.source = command.source;
  copy.destination = command.destination;
  copy.bytes = command.bytes;
  copy.is_to_host = command.direction != 0;
  copy.moves_bytes = (command.flags & kTimingOnly) == 0;
  return copy;
}

std::optional<WaitCommand> FrontEnd::decode_wait(const Command& command, QueueId id) {
  if (command.source >= queues_.size() || command.source == index(id)) {
    report_error(reg::ErrorCode::kBadWait, id);
    return std::nullopt;
  }
  return WaitCommand{QueueId(command.source), command.bytes};
}

// The launch of a kernel that is good.
std::optional<LaunchCommand> FrontEnd::decode_launch(const Command& command, const KernelDescriptor& kernel,
                                                     ContextId context, QueueId id) {
  LaunchCommand decoded;
  KernelLaunch& launch = decoded.launch;
  if (!read_loops(kernel, id, launch)) return std::nullopt;
  launch.queue = id;
  launch.context = context;
  launch.process = static_cast<std::uint16_t>(kernel.process);
  launch.kernel = static_cast<std::uint16_t>(kernel.kernel);
  launch.run = kernel.run;
  launch.num_tbs = kernel.num_tbs;
  launch.regs_per_tb = kernel.regs_per_tb;
  launch.smem_bytes_per_tb = kernel.smem_bytes_per_tb;
  launch.threads_per_tb = kernel.threads_per_tb;
  launch.max_tbs_per_sm = kernel.max_tbs_per_sm;
  launch.idempotent_until_ppm = kernel.idempotent_until;
  const Cycle mean = std::min<Cycle>(kernel.mean_tb_cycles, kNever);
  launch.durations = workload::TbDurations({mean, std::min(kernel.half_spread_cycles, mean)}, kernel.duration_key,
                                           kernel.neighbour_cpi_spread);
  launch.progress = workload::TbProgress(spreads_of(kernel), kernel.duration_key);
  if (const spec::KernelSpec* const in_spec = kernel_in_spec(spec_, kernel)) {
    if (spec_.contention.is_on()) launch.kind = in_spec->kind;
    launch.occupancy_speedup_ppm = in_spec->occupancy_speedup_ppm;
    launch.dram_bytes_per_tb = bytes_per_tb(*in_spec, mean, spec_.gpu);
    launch.bytes_in_flight_per_tb = in_spec->bytes_in_flight_per_tb;
  }
  launch.priority = kernel.priority;
  decoded.has_own_priority = (command.flags & kOwnPriority) != 0;
  return decoded;
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

}  // namespace tessera::tlm_model
