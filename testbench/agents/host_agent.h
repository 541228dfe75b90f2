// SPDX-License-Identifier: Apache-2.0
// The core's host side: commands towards free buffers, control writes, the slice timer's ticks, and the SM clock's.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "rtl_model/interfaces/pins.h"
#include "testbench/agents/turn_agent.h"
#include "testbench/profile.h"

namespace tessera::testbench {

class HostAgent {
 public:
  HostAgent(const Profile& profile, std::uint64_t seed);

  // The host's inputs of cycle `now`, chosen from the outputs of that cycle.
  void drive(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::SchedulerInputs& in);
  // When it has something to say next, if the outputs stay as they are.
  Cycle next_activity(const rtl_model::SchedulerOutputs& out, const rtl_model::SchedulerInputs& in) const;
  // A kernel of that context has finished: control writes may meet what the core does about it.
  void see_finish(Cycle now, std::uint32_t context);
  // No more of anything.
  void stop() {
    is_stopped_ = true;
    turn_.stop();
  }

 private:
  struct Aim {
    Cycle at = 0;
    std::optional<rtl_model::ControlPins> write;  // any, if not this one
  };
  void plan_command(Cycle from);
  Cycle announced_at() const { return next_command_at_ - std::min(next_command_at_, announced_for_); }
  void drive_turn(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::SchedulerInputs& in);
  void drive_command(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::CommandPins& command);
  void drive_control(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::ControlPins& control);
  bool drive_tick(Cycle now, const rtl_model::SchedulerOutputs& out);
  bool drive_linger_over(Cycle now, const rtl_model::SchedulerOutputs& out);
  void aim(Cycle now, const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out);
  std::optional<Aim> due_aim(Cycle now);
  std::uint32_t any_num_tbs();
  bool has_booted() const;
  rtl_model::ControlPins next_page_table();
  rtl_model::ControlPins next_sm_partition();
  std::uint32_t any_partition();
  void draw_write(Cycle now, const rtl_model::SchedulerOutputs& out);
  rtl_model::ControlPins any_write();
  rtl_model::ControlPins any_write_of(rtl_model::ControlRegister reg);
  std::uint64_t any_tokens();
  std::uint64_t policy_data();
  std::uint32_t any_free_buffer(const rtl_model::SmSet& free);

  HostProfile profile_;
  rtl_model::Params params_;
  Cycle walk_cycles_;
  Random random_;
  TurnAgent turn_;
  std::uint32_t due_base_;
  bool is_stopped_ = false;
  Cycle next_command_at_;
  std::uint32_t next_context_ = 0;  // of the next command, which is announced so many cycles before:
  Cycle announced_for_ = 0;
  Range announced_;
  std::uint64_t num_commands_ = 0;
  Cycle next_write_at_;
  std::uint64_t burst_left_ = 0;       // writes of the burst under way
  rtl_model::ControlPins write_;       // held until it is taken
  std::uint32_t num_page_tables_ = 0;  // written: contexts launch nothing before
  std::uint32_t num_partitioned_ = 0;  // SMs: the same
  std::vector<Aim> aims_;              // cycles in which something may end that a write drops, or meets
  Cycle tick_at_ = kNever;
  Cycle stray_tick_at_ = kNever;
  Cycle linger_over_at_ = kNever;
};

}  // namespace tessera::testbench
