// SPDX-License-Identifier: Apache-2.0
// The four cycles of a row.
#include "rtl_model/policy/walk.h"

#include <algorithm>

namespace tessera::rtl_model {

Walk::Walk(const CoreParams& params, Tables& tables, Trackers& trackers)
    : tables_(tables),
      trackers_(trackers),
      width_(params.search_width),
      num_steps_(params.search_steps()),
      step_cycles_(params.search_step_cycles) {}

void Walk::start(bool is_second) {
  is_second_ = is_second;
  steps_passed_ = cycle_in_step_ = 0;
  for (Rows& rows : stages_) rows.num_kernels = rows.num_sms = 0;
  is_second ? trackers_.start_second_walk() : trackers_.start_first_walk();
}

bool Walk::step() {
  ++cycle_;
  compare(stage(3));
  read_keys(stage(2));
  if (trackers_.row().has(kPartitions)) read_partitions(stage(2));
  read_status(stage(1));
  Rows& rows = stage(0);
  rows.num_kernels = rows.num_sms = 0;
  ++cycle_in_step_;
  if (is_draining()) return cycle_in_step_ == kDrainCycles;
  if (cycle_in_step_ == step_cycles_) {
    pass(rows);
    ++steps_passed_;
    cycle_in_step_ = 0;
  }
  return false;
}

void Walk::pass(Rows& rows) const {
  if (!is_second_) pass_entries(rows);
  pass_sms(rows);
}

void Walk::pass_entries(Rows& rows) const {
  const std::uint32_t first = steps_passed_ * width_;
  const std::uint32_t end = std::min(first + width_, tables_.active_queue.size());
  for (std::uint32_t i = first; i < end; ++i) rows.kernels[rows.num_kernels++].ksr = tables_.active_queue.at(i);
}

bool Walk::sees(std::uint32_t sm) const {
  return !trackers_.row().has(kPartitions) || tables_.partitions.is_of_step(tables_.smst.row(sm).partition);
}

void Walk::pass_sms(Rows& rows) const {
  const std::uint32_t first = steps_passed_ * width_;
  const std::uint32_t end = std::min(first + width_, tables_.smst.size());
  for (std::uint32_t sm = first; sm < end; ++sm) {
    if (!sees(sm)) continue;
    if (!is_second_) {
      if (!tables_.smst.idle().has(sm) || tables_.set_up_tags.are_used_up(sm)) continue;
      rows.is_free[rows.num_sms] = !tables_.linger.is_kept(sm);
      rows.sms[rows.num_sms++] = sm;
      continue;
    }
    const std::uint32_t ksr = tables_.smst.claimant(sm);
    if (ksr == kNone) continue;
    rows.sms[rows.num_sms++] = sm;
    rows.is_running[rows.num_kernels] = tables_.smst.row(sm).state == SmState::kRunning;
    rows.kernels[rows.num_kernels++].ksr = ksr;
  }
}

// An entry whose kernel has finished since it passed does not count; an SM counts against whom it did.
void Walk::read_status(Rows& rows) const {
  const Ksrt& ksrt = tables_.ksrt;
  for (std::uint32_t i = 0; i < rows.num_kernels; ++i) {
    KernelView& kernel = rows.kernels[i];
    if (!is_second_ && !ksrt.is_valid(kernel.ksr)) {
      kernel.ksr = kNone;
      continue;
    }
    const KernelTraits& traits = ksrt.traits(kernel.ksr);
    kernel.context = traits.context;
    kernel.priority = traits.priority;
    kernel.urgency = {traits.has_due, traits.due};
    kernel.is_uncovered = ksrt.is_uncovered(kernel.ksr);
    kernel.holds = ksrt.holds(kernel.ksr);
    kernel.is_foreign = false;
  }
}

void Walk::read_keys(Rows& rows) const {
  if (is_second_) return;  // no policy ranks victims by them
  const bool by_process = trackers_.policy().by_process;
  for (std::uint32_t i = 0; i < rows.num_kernels; ++i) {
    KernelView& kernel = rows.kernels[i];
    if (!kernel.exists()) continue;
    kernel.tokens_left = tables_.tokens.left(tables_.tokens.row_of(kernel.ksr, kernel.context, by_process));
    if (trackers_.row().key == Key::kNearness) kernel.distance = trackers_.distance(kernel.context);
  }
}

// Kernels of other partitions do not count; SMs that such a kernel still has are foreign.
void Walk::read_partitions(Rows& rows) const {
  Partitions& partitions = tables_.partitions;
  for (std::uint32_t i = 0; i < rows.num_kernels; ++i) {
    KernelView& kernel = rows.kernels[i];
    if (!kernel.exists()) continue;
    const std::uint32_t partition = tables_.ksrt.traits(kernel.ksr).partition;
    if (partitions.is_survey()) partitions.touch(partition);
    if (is_second_) {
      kernel.is_foreign = !partitions.is_of_step(partition);
    } else if (!partitions.is_of_step(partition)) {
      kernel.ksr = kNone;
    }
  }
}

void Walk::compare(const Rows& rows) const {
  if (is_second_) {
    for (std::uint32_t i = 0; i < rows.num_sms; ++i) {
      trackers_.show_owned_sm(rows.sms[i], rows.is_running[i], rows.kernels[i]);
    }
    return;
  }
  for (std::uint32_t i = 0; i < rows.num_kernels; ++i) {
    if (rows.kernels[i].exists()) trackers_.show_kernel(rows.kernels[i]);
  }
  for (std::uint32_t i = 0; i < rows.num_sms; ++i) trackers_.show_idle_sm(rows.sms[i], rows.is_free[i]);
}

}  // namespace tessera::rtl_model
