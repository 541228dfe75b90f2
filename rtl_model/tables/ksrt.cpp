// SPDX-License-Identifier: Apache-2.0
// Rows are written back, and their status follows.
#include "rtl_model/tables/ksrt.h"

#include <algorithm>

namespace tessera::rtl_model {

KsrRow::KsrRow(const CoreParams& params)
    : descriptor(CoreParams::kDescriptorWidth),
      tbs_per_sm(params.tb_count_width()),
      remaining(params.tb_width),
      next_tb(params.tb_width),
      outstanding(params.slot_count_width()),
      preempted(params.slot_count_width()),
      promised(params.slot_count_width()),
      covered(params.slot_count_width()),
      head(bits_for_value(params.ptbq_depth - 1)),
      owned(params.sm_count_width()),
      reserved(params.sm_count_width()),
      saved_per_sm(params.tb_count_width()) {}

Ksrt::Ksrt(const CoreParams& params)
    : is_breadth_first_(params.is_breadth_first),
      rows_q_(params.num_ksrs, KsrRow(params)),
      traits_q_(params.num_ksrs, KernelTraits(params)) {}

void Ksrt::write(std::uint32_t ksr, const KsrRow& row) {
  rows_q_[ksr] = row;
  fresh_q_.set(ksr, row.remaining != 0);
  handles_q_.set(ksr, row.preempted != 0);
  holds_q_.set(ksr, row.held() != 0);
  written_q_ = ksr;
}

void Ksrt::activate(std::uint32_t ksr, const KsrRow& row, const KernelTraits& traits) {
  write(ksr, row);
  traits_q_[ksr] = traits;
  valid_q_.set(ksr);
  is_valid_written_ = true;
}

void Ksrt::free(std::uint32_t ksr) {
  valid_q_.clear(ksr);
  is_valid_written_ = true;
}

void Ksrt::start_late(std::uint32_t ksr, std::uint32_t num_tbs) {
  rows_q_[ksr].next_tb = num_tbs;
  rows_q_[ksr].remaining = rows_q_[ksr].remaining - num_tbs;
}

void Ksrt::write_priority(std::uint32_t context, std::uint32_t priority) {
  for (KernelTraits& traits : traits_q_) {
    if (traits.context == context) traits.priority = priority;
  }
}

void Ksrt::settle() {
  if (written_q_ != kNone) uncovered_q_.set(written_q_, is_uncovered(rows_q_[written_q_]));
  written_q_ = kNone;
}

void Ksrt::seq() {
  free_before_q_ = free_q_;
  if (is_valid_written_) free_q_ = lowest_free();
  is_valid_written_ = false;
}

// Has TBs that no slot waits for. With breadth-first issue a TB wants an SM of its own.
bool Ksrt::is_uncovered(const KsrRow& row) const {
  const std::uint64_t waiting = std::uint64_t{row.remaining} + row.preempted;
  if (!is_breadth_first_) return waiting > row.covered;
  const std::uint32_t free_slots = row.covered;
  const std::uint32_t owned = row.owned;
  return waiting > std::uint64_t{std::min(free_slots, owned)} + row.reserved;
}

std::uint32_t Ksrt::lowest_free() const {
  for (std::uint32_t ksr = 0; ksr < size(); ++ksr) {
    if (!valid_q_.has(ksr)) return ksr;
  }
  return kNone;
}

}  // namespace tessera::rtl_model
