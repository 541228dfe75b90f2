// SPDX-License-Identifier: Apache-2.0
// All that stands around a core in an episode: the host and the SMs, and the nudges that make what meets rarely meet
// often.
#pragma once

#include "testbench/agents/host_agent.h"
#include "testbench/agents/sm_ports.h"
#include "testbench/scoreboard.h"

namespace tessera::testbench {

class Surroundings {
 public:
  Surroundings(const Profile& profile, std::uint64_t seed);

  // Inputs of cycle `now`, from its outputs.
  void drive(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::SchedulerInputs& in);
  // The end of cycle `now`.
  void settle(Cycle now, const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out,
              const Scoreboard& board);
  // With which of its thread blocks a kernel begins that has so many.
  std::uint32_t first_tb(std::uint32_t num_tbs);
  // `in`: of the cycle before.
  Cycle next_activity(const rtl_model::SchedulerOutputs& out, const rtl_model::SchedulerInputs& in) const;
  // No more input but what the SMs have to say.
  void stop() { host_.stop(); }

 private:
  void hurry(Cycle now, const rtl_model::EventPins& events, const Scoreboard& board);

  Profile profile_;
  Random random_;
  HostAgent host_;
  SmPorts sms_;
};

}  // namespace tessera::testbench
