// SPDX-License-Identifier: Apache-2.0
// Converts messages of the transaction-level part to the command and control pins of the scheduler.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "rtl_model/engine/clocked_engine.h"
#include "tlm/execution_engine/engine_message.h"

namespace tessera::platform {

// A message with time stamp c is on the pins in cycle c + 1 at the earliest: the first edge strictly after its stamp
// samples it. At most one command and one control write per core cycle; commands wait here while their buffer is full.
class CommandAdapter final : public rtl_model::IStimulus {
 public:
  CommandAdapter(const spec::Spec& spec, const rtl_model::Params& params, rtl_model::LaunchTable& launches,
                 rtl_model::LoopMemory& loops);

  // Where a launch comes from: its hardware queue and, within a graph, its node.
  struct Place {
    QueueId queue{};
    std::uint32_t node = 0;
  };

  void send(const tlm_model::EngineMessage& message);
  // The kernel is done; its descriptor is no longer needed.
  Place retire(std::uint64_t descriptor);

  void drive(rtl_model::SchedulerInputs& inputs, const rtl_model::SchedulerOutputs& outputs,
             const rtl_model::ClockCount& clock) override;
  Cycle next_activity(const rtl_model::SchedulerOutputs& outputs) const override;
  Cycle slice_period(std::uint32_t turn) const override;

 private:
  void receive(const tlm_model::EngineMessage& message);
  void receive(const tlm_model::RegisterWrite& write);
  void receive(const tlm_model::TurnInput& said);
  rtl_model::SmSet waiting_contexts() const;
  rtl_model::CommandPins command_of(std::uint32_t buffer, const tlm_model::KernelLaunch& launch, Cycle now);
  std::uint32_t first_ready_buffer(const rtl_model::SchedulerOutputs& outputs) const;  // kNone: none is ready

  const spec::Spec& spec_;
  const rtl_model::Params& params_;
  rtl_model::LaunchTable& launches_;
  rtl_model::LoopMemory& loops_;
  std::vector<tlm_model::EngineMessage> inbox_;               // sorted by (stamp, sender)
  std::vector<std::deque<tlm_model::KernelLaunch>> waiting_;  // by command buffer
  std::size_t num_waiting_ = 0;
  Cycle slice_period_;            // of the policy that was written last,
  bool keeps_turn_;               // under which contexts may have their own
  rtl_model::SmSet are_to_come_;  // contexts of which the front end has launches
  rtl_model::SmSet listed_;       // contexts on the run list
  std::deque<rtl_model::ControlPins> writes_;
  std::unordered_map<std::uint64_t, Place> place_of_;  // by descriptor
  std::vector<std::uint64_t> retired_;                 // in the last cycle
  std::uint32_t next_launch_ = 0;
};

}  // namespace tessera::platform
