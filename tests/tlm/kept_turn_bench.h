// SPDX-License-Identifier: Apache-2.0
// Benches for a kept turn: what became of it, in one line each.
#pragma once

#include <ostream>

#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {

inline constexpr Cycle kSlice = 1000;
inline constexpr Cycle kSwitch = 200;
inline constexpr Cycle kDrySwitch = 150;
inline constexpr Cycle kInSlice = 30;

inline void keep_turn(spec::Spec& spec, spec::SwitchScope scope = spec::SwitchScope::kGpu) {
  spec.scheduler.policy = spec::PolicyKind::kTimeSlice;
  spec.scheduler.turn = spec::Turn::kKept;
  spec.scheduler.switch_scope = scope;
  spec.scheduler.time_slice = kSlice * 1000;  // a cycle is a nanosecond
  spec.gpu.framework.gpu_switch.preempted = kSwitch * 1000;
  spec.gpu.framework.gpu_switch.dry = kDrySwitch * 1000;
  spec.gpu.framework.gpu_switch.in_slice = kInSlice * 1000;
}

inline spec::Spec kept_turn_machine(spec::Engine engine, std::uint32_t num_sms, std::uint32_t num_processes) {
  spec::Spec spec = engine == spec::Engine::kIdeal
                        ? machine(num_sms, num_processes, spec::PolicyKind::kTimeSlice)
                        : one_job_machine(num_sms, num_processes, spec::PolicyKind::kTimeSlice);
  keep_turn(spec);
  return spec;
}

// A turn that passed or began.
struct TurnStep {
  Cycle at;
  std::uint16_t context;
  std::optional<record::TurnCause> cause;  // empty: it began
};
inline bool operator==(const TurnStep& a, const TurnStep& b) {
  return a.at == b.at && a.context == b.context && a.cause == b.cause;
}
inline std::ostream& operator<<(std::ostream& out, const TurnStep& step) {
  out << "in " << step.at << " context " << step.context;
  return step.cause ? out << " loses it, cause " << static_cast<int>(*step.cause) : out << " gets it";
}
inline TurnStep began(Cycle at, std::uint16_t context) { return {at, context, std::nullopt}; }
inline TurnStep dry(Cycle at, std::uint16_t context) { return {at, context, record::TurnCause::kDry}; }
inline TurnStep over(Cycle at, std::uint16_t context) { return {at, context, record::TurnCause::kSliceOver}; }
inline TurnStep unlisted(Cycle at, std::uint16_t context) { return {at, context, record::TurnCause::kUnlisted}; }

class KeptTurnBench : public OneJobBench {
 public:
  using OneJobBench::OneJobBench;

  std::vector<TurnStep> turn() const {
    std::vector<TurnStep> steps;
    for (const Record& record : all_records()) {
      if (record.kind == Kind::kTurnBegan) steps.push_back(began(record.cycle, record.process));
      if (record.kind != Kind::kTurnPassed) continue;
      steps.push_back({record.cycle, record.process, static_cast<record::TurnCause>(record.value)});
    }
    return steps;
  }
};

}  // namespace tessera::tlm_model::test
