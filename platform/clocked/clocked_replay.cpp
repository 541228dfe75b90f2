// SPDX-License-Identifier: Apache-2.0
// The machine of the log, on a scheduler clock that is fast enough.
#include "platform/clocked/clocked_replay.h"

#include <algorithm>
#include <map>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "platform/clocked/clocked_core.h"
#include "rtl_model/params.h"

namespace tessera::platform {
namespace {

constexpr Cycle kJob = spec::kToWrite + 1;
// With fewer TBs left, or to a carry, the lane leaves a kernel to the engine (docs/hardware/timing.md 6.7, 7.).
constexpr std::uint32_t kFew = 5;

// Core cycles of what comes in one SM cycle, at the most.
// 1. The kernel arrives: its activation; BEGIN, a walk, and its offer; the assign of all SMs; a set-up of each, the
// last of which is on the pins a cycle later.
Cycle cycles_of_a_start(const spec::Spec& machine) {
  const Cycle activation = 1 + spec::activation_core_cycles(machine);
  const Cycle decision = 1 + spec::walk_step_cycles(machine) + spec::kWalkBeyondSteps + 1;
  const Cycle assign = spec::kAssignBeyondSms + machine.gpu.num_sms;
  return activation + decision + assign + machine.gpu.num_sms * kJob + 1;
}

// 2. TBs that end, and one for each SM that has room: an entry of the lane each, or a job.
Cycle cycles_of_a_round(const workload::TbLog& log, const spec::Spec& machine) {
  struct Round {
    Cycle starts = 0, ends = 0;
  };
  std::map<Cycle, Round> rounds;
  for (const workload::TbPlacement& tb : log.tbs) {
    ++rounds[tb.start].starts;
    ++rounds[tb.end].ends;
  }
  const std::uint64_t counted = std::uint64_t{1} << rtl_model::Params(machine).lane_count_width();
  const auto is_left_to_engine = [counted](std::uint64_t most, std::uint64_t least) {
    return least % counted < kFew || most / counted != least / counted;
  };
  Cycle longest = 0;
  std::uint64_t left = log.tbs.size();
  for (const auto& [cycle, round] : rounds) {
    const Cycle starts = std::min<std::uint64_t>(log.num_sms, left);
    const std::uint64_t next = log.tbs.size() - left;
    const bool are_jobs =
        is_left_to_engine(left, left - starts) || is_left_to_engine(next + starts + kFew, next + kFew);
    longest = std::max(longest, are_jobs ? round.ends * kJob + starts * (kJob + 1) : round.ends + starts);
    left -= round.starts;
  }
  return longest + spec::lane_entry_cycles(machine) + kJob;
}

}  // namespace

ClockedReplay replay_log_clocked(const workload::TbLog& log, const rtl_model::SchedulerFactory& make_scheduler) {
  spec::Spec machine = tlm_model::replay_machine(log);
  machine.scheduler.search_width = spec::kWidestSearch;
  machine.gpu.framework.refill_lane = true;
  machine.gpu.framework.setup_tag_bits = 1;
  const Cycle ratio = std::max(cycles_of_a_start(machine), cycles_of_a_round(log, machine));
  machine.scheduler.tbs_per_cycle = static_cast<std::uint32_t>(ratio);
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
