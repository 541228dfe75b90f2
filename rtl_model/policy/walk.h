// SPDX-License-Identifier: Apache-2.0
// WALK and DRAIN: reads rows of the active queue and of the SMST and evaluates them in a pipeline of three more cycles
// (docs/hardware/timing.md 5.3).
#pragma once

#include <array>

#include "rtl_model/policy/trackers.h"
#include "rtl_model/tables/tables.h"

namespace tessera::rtl_model {

class Walk {
 public:
  Walk(const CoreParams& params, Tables& tables, Trackers& trackers);

  void start(bool is_second);
  // A cycle of WALK or DRAIN. Returns whether the walk is over: the next cycle is JUDGE.
  bool step();
  bool is_second() const { return is_second_; }
  bool is_draining() const { return steps_passed_ == num_steps_; }  // the last rows have been read

 private:
  static constexpr std::uint32_t kMaxWidth = 4;
  static constexpr std::uint32_t kDrainCycles = 3;
  static constexpr std::uint32_t kStages = kDrainCycles + 1;

  // The rows of a step in the pipeline to the trackers.
  struct Rows {
    std::uint32_t num_kernels = 0, num_sms = 0;
    std::array<KernelView, kMaxWidth> kernels;  // first walk: entries; second: the kernels to which the SMs count
    std::array<std::uint32_t, kMaxWidth> sms;   // first walk: idle SMs; second: SMs that count to a kernel
    std::array<bool, kMaxWidth> is_running;     // second walk only
    std::array<bool, kMaxWidth> is_free;        // first walk only: not kept by a hold-off
  };
  bool sees(std::uint32_t sm) const;
  void pass(Rows& rows) const;  // in e
  void pass_entries(Rows& rows) const;
  void pass_sms(Rows& rows) const;
  void read_status(Rows& rows) const;  // in e + 1
  void read_keys(Rows& rows) const;    // in e + 2: tokens left, nearness; with the partitions:
  void read_partitions(Rows& rows) const;
  void compare(const Rows& rows) const;  // in e + 3
  Rows& stage(std::uint32_t cycles_ago) { return stages_[(cycle_ - cycles_ago) % kStages]; }

  Tables& tables_;  // not const: a survey sets bits of partitions
  Trackers& trackers_;
  std::uint32_t width_;
  std::uint32_t num_steps_;
  std::uint32_t step_cycles_;
  bool is_second_ = false;
  std::uint32_t steps_passed_ = 0;
  std::uint32_t cycle_in_step_ = 0;  // cycle of DRAIN once all steps have passed
  std::uint32_t cycle_ = kStages;
  std::array<Rows, kStages> stages_;
};

}  // namespace tessera::rtl_model
