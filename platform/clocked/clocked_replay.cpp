// SPDX-License-Identifier: Apache-2.0
// The machine of the log, on a scheduler clock that is fast enough.
#include "platform/clocked/clocked_replay.h"

#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "platform/clocked/clocked_core.h"

namespace tessera::platform {
namespace {

constexpr std::uint32_t kWidestSearch = 4;

// Core cycles that an SM takes, at the most, of one SM cycle.
// 1. A job for each slot in which a TB ends, and one that gives the SM its next TB.
std::uint32_t cycles_of_a_round(std::uint32_t num_slots) {
  return static_cast<std::uint32_t>(spec::kToWrite + 1) * num_slots + static_cast<std::uint32_t>(spec::kToWrite + 2);
}

// 2. When the kernel arrives: a decision that assigns all SMs, and a set-up of each.
std::uint32_t cycles_of_a_decision(const spec::Spec& machine) {
  const Cycle walk = spec::walk_step_cycles(machine) + spec::kWalkBeyondSteps;
  return static_cast<std::uint32_t>(1 + walk + spec::kToWrite + 1);
}

std::uint32_t cycles_of_a_set_up() { return static_cast<std::uint32_t>(1 + spec::kToWrite + 1); }

}  // namespace

ClockedReplay replay_log_clocked(const workload::TbLog& log, const rtl_model::SchedulerFactory& make_scheduler) {
  spec::Spec machine = tlm_model::replay_machine(log);
  machine.scheduler.search_width = kWidestSearch;
  const std::uint32_t of_an_sm = std::max(cycles_of_a_round(log.tbs_per_sm), cycles_of_a_set_up());
  const auto activation = static_cast<std::uint32_t>(spec::activation_core_cycles(machine));
  machine.scheduler.tbs_per_cycle = activation + cycles_of_a_decision(machine) + log.num_sms * of_an_sm;
  ClockedReplay result;
  result.clock_ratio = machine.scheduler.tbs_per_cycle;
  result.replay = tlm_model::replay_log(
      log, machine,
      [&](const spec::Spec& spec, record::RecordLog& records) {
        return std::make_unique<ClockedCore>(spec, records, nullptr, make_scheduler);
      },
      tlm_model::ReplayBegin::kAfterAnother);
  return result;
}

}  // namespace tessera::platform
