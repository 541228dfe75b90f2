// SPDX-License-Identifier: Apache-2.0
// The four cycles of an entry.
#include "rtl_model/policy/walk.h"

#include <algorithm>

namespace tessera::rtl_model {

Walk::Walk(const CoreParams& params, Tables& tables, Trackers& trackers)
    : tables_(tables), trackers_(trackers), width_(params.search_width), step_cycles_(params.search_step_cycles) {}

void Walk::start() {
  next_entry_ = cycle_in_step_ = 0;
  is_draining_ = false;
  for (Kernels& kernels : stages_) kernels.count = 0;
  trackers_.start_walk();
}

bool Walk::step() {
  ++cycle_;
  compare(stage(3));
  read_keys(stage(2));
  if (trackers_.row().has(kPartitions)) read_partitions(stage(2));
  read_status(stage(1));
  stage(0).count = 0;
  ++cycle_in_step_;
  if (is_draining_) return cycle_in_step_ == kDrainCycles;
  if (cycle_in_step_ == step_cycles_) {
    pass(stage(0));
    cycle_in_step_ = 0;
  }
  return false;
}

// The queue may have closed up since the walk began.
void Walk::pass(Kernels& kernels) {
  const std::uint32_t end = std::min(next_entry_ + width_, tables_.active_queue.size());
  for (std::uint32_t i = next_entry_; i < end; ++i) kernels.views[kernels.count++].ksr = tables_.active_queue.at(i);
  next_entry_ += width_;
  is_draining_ = next_entry_ >= tables_.active_queue.size();
}

// An entry whose kernel has finished since it passed does not count.
void Walk::read_status(Kernels& kernels) const {
  const Ksrt& ksrt = tables_.ksrt;
  for (std::uint32_t i = 0; i < kernels.count; ++i) {
    KernelView& kernel = kernels.views[i];
    if (!ksrt.is_valid(kernel.ksr)) {
      kernel.ksr = kNone;
      continue;
    }
    const KernelTraits& traits = ksrt.traits(kernel.ksr);
    kernel.context = traits.context;
    kernel.priority = traits.priority;
    kernel.urgency = {traits.has_due, traits.due};
    kernel.is_uncovered = ksrt.is_uncovered(kernel.ksr);
    kernel.holds = ksrt.holds(kernel.ksr);
  }
}

void Walk::read_keys(Kernels& kernels) const {
  const bool by_process = trackers_.policy().by_process;
  for (std::uint32_t i = 0; i < kernels.count; ++i) {
    KernelView& kernel = kernels.views[i];
    if (!kernel.exists()) continue;
    kernel.tokens_left = tables_.tokens.left(tables_.tokens.row_of(kernel.ksr, kernel.context, by_process));
    if (trackers_.row().key == Key::kNearness) kernel.distance = trackers_.distance(kernel.context);
  }
}

// Kernels of other partitions do not count.
void Walk::read_partitions(Kernels& kernels) const {
  Partitions& partitions = tables_.partitions;
  for (std::uint32_t i = 0; i < kernels.count; ++i) {
    KernelView& kernel = kernels.views[i];
    if (!kernel.exists()) continue;
    const std::uint32_t partition = tables_.ksrt.traits(kernel.ksr).partition;
    if (partitions.is_survey()) partitions.touch(partition);
    if (!partitions.is_of_step(partition)) kernel.ksr = kNone;
  }
}

void Walk::compare(const Kernels& kernels) const {
  for (std::uint32_t i = 0; i < kernels.count; ++i) {
    if (kernels.views[i].exists()) trackers_.show(kernels.views[i]);
  }
}

}  // namespace tessera::rtl_model
