// SPDX-License-Identifier: Apache-2.0
// The program of an event-driven kernel's loops as arithmetic ([G16] 3.1; docs/concepts/gloop.md): where callbacks end,
// and when. Callbacks are not simulation events: a loop's progress, and where it may stop, are computed on demand.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/spec/application_spec.h"
#include "model/workload/draws.h"

namespace tessera::cooperative {

// A callback of `cycles`, or an I/O operation.
struct Step {
  Cycle cycles = 0;  // above 0: a callback; before scaling by the loop's factor
  spec::IoDirection direction = spec::IoDirection::kRead;
  spec::IoMedium medium = spec::IoMedium::kCache;
  std::uint64_t bytes = 0;

  bool is_callback() const { return cycles > 0; }
};

// A place in a program: the number of steps done, counted over all rounds.
using Position = std::uint64_t;

// A stretch of callbacks: its end, and the cycles from its beginning to its end.
struct Stretch {
  Position end = 0;
  Cycle cycles = 0;
};

class LoopProgram {
 public:
  LoopProgram() = default;
  // `steps`: one round; no step is empty.
  LoopProgram(std::uint64_t count, std::vector<Step> steps);

  Position end() const { return count_ * steps_.size(); }
  const Step& step(Position position) const { return steps_[position % steps_.size()]; }
  std::uint64_t count() const { return count_; }
  const std::vector<Step>& round() const { return steps_; }

  // Cycles of a callback at `factor_ppm` of its time: whole cycles, at least one.
  static Cycle cycles_of(const Step& step, std::uint64_t factor_ppm);
  // From `from` to the next I/O operation, or the end.
  Stretch stretch(Position from, std::uint64_t factor_ppm) const;
  // The first end of a callback at or after `elapsed` cycles of the stretch from `from`, at most the stretch's end;
  // `from` itself if `elapsed` is 0.
  Stretch boundary(Position from, Cycle elapsed, std::uint64_t factor_ppm) const;

 private:
  Cycle round_cycles(std::uint64_t factor_ppm) const;

  std::uint64_t count_ = 0;
  std::vector<Step> steps_;
  bool has_io_ = false;
};

// Converts the Spec's program.
LoopProgram make_program(const spec::EventDrivenSpec& event_driven, const Clock& clock);

// Factor of a thread block's callback times, drawn from the launch's key.
constexpr std::uint64_t loop_factor_ppm(std::uint64_t launch_key, std::uint32_t tb, std::uint32_t spread_ppm) {
  return spread_ppm == 0 ? workload::kMillion : workload::draw_around(launch_key, tb, workload::kMillion, spread_ppm);
}

// State that a loop moves when it leaves and when it comes back: one control bit per slot, rounded up to bytes, and,
// unless the loop is done, the state of its one registered or I/O-waiting callback.
constexpr std::uint64_t state_bytes(std::uint32_t slots, std::uint64_t bytes_per_slot, bool is_done) {
  return (slots + 7) / 8 + (is_done ? 0 : bytes_per_slot);
}

}  // namespace tessera::cooperative
