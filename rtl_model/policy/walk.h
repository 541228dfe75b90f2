// SPDX-License-Identifier: Apache-2.0
// WALK and DRAIN: reads entries of the active queue and evaluates their kernels in a pipeline of three more cycles
// (docs/hardware/timing.md 5.3).
#pragma once

#include <array>

#include "rtl_model/policy/trackers.h"
#include "rtl_model/tables/tables.h"

namespace tessera::rtl_model {

class Walk {
 public:
  Walk(const CoreParams& params, Tables& tables, Trackers& trackers);

  void start();
  // A cycle of WALK or DRAIN. Returns whether the walk is over: the next cycle is JUDGE.
  bool step();
  bool is_draining() const { return is_draining_; }  // the last entries have been read

 private:
  static constexpr std::uint32_t kMaxWidth = 4;
  static constexpr std::uint32_t kDrainCycles = 3;
  static constexpr std::uint32_t kStages = kDrainCycles + 1;

  // The kernels of a step in the pipeline to the trackers.
  struct Kernels {
    std::uint32_t count = 0;
    std::array<KernelView, kMaxWidth> views;
  };
  void pass(Kernels& kernels);               // in e
  void read_status(Kernels& kernels) const;  // in e + 1
  void read_keys(Kernels& kernels) const;    // in e + 2: tokens left, nearness; with the partitions:
  void read_partitions(Kernels& kernels) const;
  void compare(const Kernels& kernels) const;  // in e + 3
  Kernels& stage(std::uint32_t cycles_ago) { return stages_[(cycle_ - cycles_ago) % kStages]; }

  Tables& tables_;  // not const: a survey sets bits of partitions
  Trackers& trackers_;
  std::uint32_t width_;
  std::uint32_t step_cycles_;
  std::uint32_t next_entry_ = 0;
  bool is_draining_ = false;
  std::uint32_t cycle_in_step_ = 0;  // of DRAIN, once all steps have passed
  std::uint32_t cycle_ = kStages;
  std::array<Kernels, kStages> stages_;
};

}  // namespace tessera::rtl_model
