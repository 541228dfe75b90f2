// SPDX-License-Identifier: Apache-2.0
// The program of an event-driven kernel's loops as arithmetic ([G16] 3.1; docs/concepts/gloop.md): where callbacks end,
// and when. Callbacks are no events of a simulator: how far a loop has come, and where it may stop, is computed when
// one asks.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/spec/application_spec.h"
#include "model/workload/draws.h"

namespace tessera::cooperative {

// A callback of `cycles`, or an I/O operation.
struct Step {
  Cycle cycles = 0;  // above 0: a callback, with a factor of one
  spec::IoDirection direction = spec::IoDirection::kRead;
  spec::IoMedium medium = spec::IoMedium::kCache;
  std::uint64_t bytes = 0;

  bool is_callback() const { return cycles > 0; }
};

// A place in a program: so many steps are done. Steps are counted through all rounds.
using Position = std::uint64_t;

// A stretch of callbacks: from where it began, so many cycles later its end is reached.
struct Stretch {
  Position end = 0;
  Cycle cycles = 0;
};

class LoopProgram {
 public:
  LoopProgram() = default;
  // `steps`: one round; none is empty.
  LoopProgram(std::uint64_t count, std::vector<Step> steps);

  Position end() const { return count_ * steps_.size(); }
  const Step& step(Position position) const { return steps_[position % steps_.size()]; }
  std::uint64_t count() const { return count_; }
  const std::vector<Step>& round() const { return steps_; }

  // A loop whose callbacks take `factor_ppm` of their time, in whole cycles and at least one.
  static Cycle cycles_of(const Step& step, std::uint64_t factor_ppm);
  // From `from` to the next I/O operation, or the end.
  Stretch stretch(Position from, std::uint64_t factor_ppm) const;
  // The first end of a callback at or after `elapsed` cycles of the stretch from `from`, itself where `elapsed` is 0;
  // at most the stretch's end.
  Stretch boundary(Position from, Cycle elapsed, std::uint64_t factor_ppm) const;

 private:
  Cycle round_cycles(std::uint64_t factor_ppm) const;

  std::uint64_t count_ = 0;
  std::vector<Step> steps_;
  bool has_io_ = false;
};

// As the Spec has it.
LoopProgram make_program(const spec::EventDrivenSpec& event_driven, const Clock& clock);

// By what the callbacks of a thread block differ from the kernel's: a draw of its launch.
constexpr std::uint64_t loop_factor_ppm(std::uint64_t launch_key, std::uint32_t tb, std::uint32_t spread_ppm) {
  return spread_ppm == 0 ? workload::kMillion : workload::draw_around(launch_key, tb, workload::kMillion, spread_ppm);
}

// What a loop moves when it leaves and when it comes back: a control bit a slot, in whole bytes, and what the one
// callback keeps that is registered, or waits for its I/O; a loop that is done has none.
constexpr std::uint64_t state_bytes(std::uint32_t slots, std::uint64_t bytes_per_slot, bool is_done) {
  return (slots + 7) / 8 + (is_done ? 0 : bytes_per_slot);
}

}  // namespace tessera::cooperative
