// SPDX-License-Identifier: Apache-2.0
// Whole rounds by division, the rest step by step.
#include "model/cooperative/loop_program.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera::cooperative {

LoopProgram::LoopProgram(std::uint64_t count, std::vector<Step> steps) : count_(count), steps_(std::move(steps)) {
  if (count_ == 0 || steps_.empty()) throw std::invalid_argument("a loop without a step");
  has_io_ = std::any_of(steps_.begin(), steps_.end(), [](const Step& step) { return !step.is_callback(); });
}

Cycle LoopProgram::cycles_of(const Step& step, std::uint64_t factor_ppm) {
  return std::max<Cycle>(1, mul_div_round(step.cycles, factor_ppm, workload::kMillion));
}

Cycle LoopProgram::round_cycles(std::uint64_t factor_ppm) const {
  Cycle cycles = 0;
  for (const Step& step : steps_) cycles += step.is_callback() ? cycles_of(step, factor_ppm) : 0;
  return cycles;
}

Stretch LoopProgram::stretch(Position from, std::uint64_t factor_ppm) const {
  return boundary(from, kNever, factor_ppm);
}

Stretch LoopProgram::boundary(Position from, Cycle elapsed, std::uint64_t factor_ppm) const {
  Stretch reached{from, 0};
  // 1. Whole rounds, where nothing but callbacks is in them.
  if (!has_io_) {
    const std::uint64_t rounds_left = (end() - from) / steps_.size();
    const Cycle per_round = round_cycles(factor_ppm);
    const std::uint64_t rounds = std::min(rounds_left, elapsed / per_round);
    reached = {from + rounds * steps_.size(), rounds * per_round};
  }
  // 2. The rest: fewer steps than two rounds have.
  while (reached.cycles < elapsed && reached.end < end() && step(reached.end).is_callback()) {
    reached.cycles += cycles_of(step(reached.end), factor_ppm);
    ++reached.end;
  }
  return reached;
}

LoopProgram make_program(const spec::EventDrivenSpec& event_driven, const Clock& clock) {
  std::vector<Step> steps;
  for (const spec::LoopStep& step : event_driven.body) {
    const Cycle cycles = step.is_callback() ? std::max<Cycle>(1, clock.cycles_in(step.callback)) : 0;
    steps.push_back({cycles, step.direction, step.medium, step.bytes});
  }
  return {event_driven.count, std::move(steps)};
}

}  // namespace tessera::cooperative
