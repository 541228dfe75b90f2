// SPDX-License-Identifier: Apache-2.0
// The wiring between the front end, the dispatcher, the engines and memory.
#include "tlm/gpu/gpu.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/spec/spec.h"
#include "tlm/execution_engine/execution_core.h"

namespace tessera::tlm_model {
namespace {

// A Spec built in code has not passed the loader: what would divide by zero, hang, or leave the register window.
const spec::Spec& checked(const spec::Spec& spec) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("Gpu: ") + what);
  };
  require(spec.gpu.clock_hz > 0 && spec.gpu.pcie.bytes_per_second() > 0, "clock frequency is zero");
  require(spec.gpu.pcie.burst_bytes > 0, "pcie.burst_bytes is 0");
  require(spec.gpu.num_sms > 0 && spec.gpu.framework.num_ksrs > 0, "num_sms or framework.num_ksrs is 0");
  require(!spec.gpu.shared_memory_bytes.empty(), "shared_memory_bytes is empty");
  require(spec.gpu.num_hardware_queues >= 1 && spec.gpu.num_hardware_queues <= reg::kNumQueues,
          "num_hardware_queues is not in 1 .. 1024");
  require(!spec.processes.empty() && spec.processes.size() <= reg::kNumContexts, "processes are not 1 .. 256");
  return spec;
}

std::unique_ptr<LinkTraffic> make_link(const spec::GpuSpec& gpu) {
  return gpu.pcie.transfers == spec::Transfers::kBursts ? std::make_unique<LinkTraffic>(gpu) : nullptr;
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log,
         ExecutionEngine::Pace pace)
    : Gpu(name, spec, log, [&](IEngineListener& gpu) -> std::unique_ptr<IExecutionEngine> {
        auto core = std::make_unique<ExecutionCore>(spec, log, &device_bytes_);
        return std::make_unique<ExecutionEngine>("u_execution_engine", spec.gpu.clock_hz, std::move(core), pace, gpu);
      }) {}

Gpu::Gpu(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log,
         const EngineFactory& make_engine)
    : sc_module(name),
      spec_(checked(spec)),
      time_(spec.gpu.clock_hz),
      link_(make_link(spec.gpu)),
      u_command_dispatcher_("u_command_dispatcher", spec.gpu, spec.processes.size(), *this),
      u_front_end_("u_front_end", spec, u_command_dispatcher_, *this, link_.get()),
      u_dma_engine_("u_dma_engine", spec.gpu, spec.dma_policy, log, *this, link_.get()),
      u_execution_engine_(make_engine(*this)),
      u_device_memory_("u_device_memory", device_bytes_, kDeviceMemoryBytes, sc_core::SC_ZERO_TIME, true) {}

// ---- of the dispatcher ---------------------------------------------------------------------------------------

void Gpu::launch(QueueId queue, const LaunchCommand& command) {
  KernelLaunch launch = command.launch;
  const ContextRegisters& context = u_front_end_.context(launch.context);
  if (!command.has_own_priority) launch.priority = static_cast<std::uint32_t>(context.priority);
  launch.deadline = context.deadline;
  launch.partition = PartitionId(context.partition);
  u_execution_engine_->send({time_.now(), static_cast<std::uint32_t>(index(queue)), launch});
}

void Gpu::copy(QueueId queue, ContextId context, const CopyCommand& command) {
  DmaTransfer transfer;
  transfer.queue = queue;
  transfer.node = command.node;
  transfer.process = static_cast<std::uint16_t>(context);
  transfer.priority = static_cast<std::uint32_t>(u_front_end_.context(context).priority);
  transfer.is_to_host = command.is_to_host;
  transfer.moves_bytes = command.moves_bytes;
  transfer.source = command.source;
  transfer.destination = command.destination;
  transfer.bytes = command.bytes;
  u_dma_engine_.submit(transfer);
}

// ---- of the front end ----------------------------------------------------------------------------------------

// A new policy starts from the Spec; tokens that the OS has written are told to it again.
void Gpu::write(const RegisterWrite& write, Cycle arrival) {
  send(write, arrival);
  if (!std::holds_alternative<SetPolicy>(write)) return;
  for (std::uint16_t i = 0; i < spec_.processes.size(); ++i) {
    const ContextRegisters& context = u_front_end_.context(ContextId(i));
    if (context.has_tokens) send(SetTokens{ContextId(i), static_cast<std::uint32_t>(context.tokens)}, arrival);
  }
}

void Gpu::tell(const TurnInput& input, Cycle stamp) { send(input, stamp); }

template <typename What>
void Gpu::send(const What& what, Cycle stamp) {
  u_execution_engine_->send({stamp, spec_.gpu.num_hardware_queues, what});  // after the queues
}

std::uint64_t Gpu::sm_cycles(ContextId context, Cycle now) const {
  return u_execution_engine_->core().sm_cycles(context, now);
}

spec::Cores Gpu::which_core() const { return u_execution_engine_->core().which(); }

// ---- of the engines ------------------------------------------------------------------------------------------

void Gpu::kernel_done(const KernelDone& kernel) { u_command_dispatcher_.done(kernel.queue, kernel.node); }

void Gpu::loop_requested(const LoopRequest& request) {
  if (loop_host_ != nullptr) loop_host_->request(request);
}

void Gpu::transfer_done(const DmaTransfer& transfer) {
  tell_traffic(false);
  u_command_dispatcher_.done(transfer.queue, transfer.node);
}

// To memory that answers later under load; any other does not ask.
void Gpu::tell_traffic(bool copy_starts) {
  if (spec_.channel_sharing == spec::ChannelSharing::kLoadedLatency) send(CopyTraffic{copy_starts}, time_.now());
}

// Burst by burst between system memory and device memory.
void Gpu::move_bytes(const DmaTransfer& transfer) {
  std::vector<std::uint8_t> burst(spec_.gpu.pcie.burst_bytes);
  for (std::uint64_t at = 0; at < transfer.bytes; at += burst.size()) {
    const std::uint64_t size = std::min<std::uint64_t>(burst.size(), transfer.bytes - at);
    bool is_ok = true;
    if (transfer.is_to_host) {
      device_bytes_.read(transfer.source + at, burst.data(), size);
      is_ok =
          u_front_end_.access_system_memory(::tlm::TLM_WRITE_COMMAND, transfer.destination + at, burst.data(), size);
    } else {
      is_ok = u_front_end_.access_system_memory(::tlm::TLM_READ_COMMAND, transfer.source + at, burst.data(), size);
      if (is_ok) device_bytes_.write(transfer.destination + at, burst.data(), size);
    }
    if (!is_ok) return u_front_end_.report_error(reg::ErrorCode::kBadAddress, transfer.queue);
  }
}

}  // namespace tessera::tlm_model
