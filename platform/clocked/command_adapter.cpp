// SPDX-License-Identifier: Apache-2.0
// Messages to pins.
#include "platform/clocked/command_adapter.h"

#include <algorithm>
#include <memory>

#include "model/base/overloaded.h"
#include "model/policy/scheduling_tables.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"
#include "rtl_model/policy/policy_register.h"

namespace tessera::platform {

using rtl_model::kNone;
using tlm_model::EngineMessage;

namespace {

std::shared_ptr<const rtl_model::LoopDescriptor> loops_of(const tlm_model::LoopLaunch& launch) {
  return std::make_shared<rtl_model::LoopDescriptor>(
      rtl_model::LoopDescriptor{launch.program, launch.is_blocking, launch.slots, launch.state_bytes_per_slot,
                                launch.spread_ppm, launch.key, launch.num_relaunches > 0, launch.number});
}

}  // namespace

CommandAdapter::CommandAdapter(const spec::Spec& spec, const rtl_model::Params& params,
                               rtl_model::LaunchTable& launches, rtl_model::LoopMemory& loops)
    : spec_(spec),
      params_(params),
      launches_(launches),
      loops_(loops),
      waiting_(params.num_command_buffers),
      slice_period_(params.slice_cycles),
      keeps_turn_(spec::keeps_turn(params.scheduler)) {
  for (std::uint32_t context = 0; context < params.num_contexts; ++context) listed_.set(context);
}

void CommandAdapter::send(const EngineMessage& message) {
  const auto later = [](const EngineMessage& a, const EngineMessage& b) {
    return a.stamp != b.stamp ? a.stamp < b.stamp : a.sender < b.sender;
  };
  inbox_.insert(std::upper_bound(inbox_.begin(), inbox_.end(), message, later), message);
}

CommandAdapter::Place CommandAdapter::retire(std::uint64_t descriptor) {
  retired_.push_back(descriptor);
  const auto entry = place_of_.find(descriptor);
  const Place place = entry->second;
  place_of_.erase(entry);
  return place;
}

void CommandAdapter::drive(rtl_model::SchedulerInputs& inputs, const rtl_model::SchedulerOutputs& outputs,
                           const rtl_model::ClockCount& clock) {
  for (const std::uint64_t descriptor : retired_) launches_.retire(descriptor);
  retired_.clear();
  // 1. What has arrived by the last edge.
  auto first_later = inbox_.begin();
  for (; first_later != inbox_.end() && first_later->stamp < clock.sm; ++first_later) receive(*first_later);
  inbox_.erase(inbox_.begin(), first_later);
  // 2. A control write and a command, until which its context waits.
  if (params_.has_kept_turn) inputs.set_lists(waiting_contexts(), listed_);
  inputs.control.valid = !writes_.empty() && outputs.control_ready;
  if (inputs.control.valid) {
    inputs.control = writes_.front();
    writes_.pop_front();
  }
  const std::uint32_t buffer = first_ready_buffer(outputs);
  inputs.command.valid = buffer != kNone;
  if (buffer == kNone) return;
  inputs.command = command_of(buffer, waiting_[buffer].front(), clock.sm);
  waiting_[buffer].pop_front();
  --num_waiting_;
}

void CommandAdapter::receive(const EngineMessage& message) {
  std::visit(Overloaded{[&](const tlm_model::KernelLaunch& launch) {
                          queue_up(waiting_[index(launch.context) % waiting_.size()], launch);
                          ++num_waiting_;
                        },
                        [&](const tlm_model::RegisterWrite& write) { receive(write); },
                        [](const tlm_model::LoopWord&) {},  // not the scheduler's
                        [&](const tlm_model::TurnInput& said) { receive(said); },
                        [](const tlm_model::CopyTraffic&) {}},  // the loader refuses the memory that asks
             message.what);
}

void CommandAdapter::receive(const tlm_model::RegisterWrite& write) {
  using rtl_model::ControlRegister;
  const auto drive = [&](ControlRegister reg, ContextId context, std::uint64_t value) {
    writes_.push_back({true, reg, static_cast<std::uint32_t>(index(context)), value});
  };
  std::visit(
      Overloaded{[&](const tlm_model::SetPriority& set) {
                   for (auto& queue : waiting_) {
                     for (tlm_model::KernelLaunch& launch : queue) {
                       if (launch.context == set.context) launch.priority = set.priority;
                     }
                   }
                   drive(ControlRegister::kPriority, set.context, set.priority);
                 },
                 [&](const tlm_model::SetTokens& set) { drive(ControlRegister::kTokens, set.context, set.tokens); },
                 [&](const tlm_model::SetPageTable& set) { drive(ControlRegister::kPageTable, set.context, set.base); },
                 [&](const tlm_model::SetPolicy& set) {
                   slice_period_ = rtl_model::Params::slice_cycles_of(set.scheduler, spec_.gpu.clock_hz);
                   keeps_turn_ = spec::keeps_turn(set.scheduler);
                   drive(ControlRegister::kPolicy, {}, rtl_model::policy_register(set.scheduler));
                 },
                 [&](const tlm_model::SetPartition& set) {
                   drive(ControlRegister::kPartition, {},
                         rtl_model::sm_partition_data(static_cast<std::uint32_t>(index(set.sm)),
                                                      static_cast<std::uint32_t>(index(set.partition))));
                 },
                 [](const tlm_model::SetMask&) {},  // there are no registers for them
                 [&](const tlm_model::SetSliceEnd& set) {
                   drive(ControlRegister::kSliceEnd, set.context, static_cast<std::uint64_t>(set.slice_end));
                 }},
      write);
}

void CommandAdapter::receive(const tlm_model::TurnInput& said) {
  std::visit(Overloaded{[&](const tlm_model::SetWaiting& set) {
                          are_to_come_.set(static_cast<std::uint32_t>(index(set.context)), set.is_waiting);
                        },
                        [&](const tlm_model::SetListed& set) {
                          listed_.set(static_cast<std::uint32_t>(index(set.context)), set.is_listed);
                        }},
             said);
}

// A launch that has left the front end may wait here for its buffer.
rtl_model::SmSet CommandAdapter::waiting_contexts() const {
  rtl_model::SmSet contexts = are_to_come_;
  if (num_waiting_ == 0) return contexts;
  for (const auto& queue : waiting_) {
    for (const tlm_model::KernelLaunch& launch : queue) contexts.set(static_cast<std::uint32_t>(index(launch.context)));
  }
  return contexts;
}

Cycle CommandAdapter::slice_period(std::uint32_t turn) const {
  return keeps_turn_ ? params_.own_slice_cycles[turn].value_or(slice_period_) : slice_period_;
}

rtl_model::CommandPins CommandAdapter::command_of(std::uint32_t buffer, const tlm_model::KernelLaunch& launch,
                                                  Cycle now) {
  const workload::Occupancy occupancy = workload::occupancy(spec_.gpu, resources_of(launch));
  rtl_model::Launch descriptor;
  descriptor.id = LaunchId{next_launch_++};
  descriptor.process = launch.process;
  descriptor.kernel = launch.kernel;
  descriptor.run = launch.run;
  descriptor.context = static_cast<std::uint32_t>(index(launch.context));
  descriptor.num_tbs = launch.num_tbs;
  descriptor.regs_per_tb = launch.regs_per_tb;
  descriptor.smem_bytes_per_tb = launch.smem_bytes_per_tb;
  descriptor.threads_per_tb = launch.threads_per_tb;
  descriptor.smem_config_bytes = occupancy.shared_memory_config_bytes;
  descriptor.idempotent_until_ppm = launch.idempotent_until_ppm;
  descriptor.durations = launch.durations;
  descriptor.progress = launch.progress;
  if (launch.loops != nullptr) {
    descriptor.loops = loops_of(*launch.loops);
    loops_.launch(descriptor.context, *descriptor.loops, descriptor.num_tbs);
  }
  const std::uint64_t address = launches_.add(descriptor);
  place_of_[address] = {launch.queue, launch.node};
  const std::uint64_t due = policy::deadline_unit(now, launch.deadline);
  return {true,
          buffer,
          descriptor.context,
          launch.priority,
          launch.num_tbs,
          occupancy.tbs_per_sm,
          address,
          due != policy::kNoDeadline,
          static_cast<std::uint32_t>(due),  // modulo 2^32
          static_cast<std::uint32_t>(index(launch.partition))};
}

std::uint32_t CommandAdapter::first_ready_buffer(const rtl_model::SchedulerOutputs& outputs) const {
  if (num_waiting_ == 0) return kNone;
  for (std::uint32_t buffer = 0; buffer < waiting_.size(); ++buffer) {
    if (!waiting_[buffer].empty() && outputs.buffer_free.has(buffer)) return buffer;
  }
  return kNone;
}

Cycle CommandAdapter::next_activity(const rtl_model::SchedulerOutputs& outputs) const {
  if (!writes_.empty() || first_ready_buffer(outputs) != kNone) return 0;
  return inbox_.empty() ? kNever : inbox_.front().stamp + 1;
}

}  // namespace tessera::platform
