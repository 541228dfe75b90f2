// SPDX-License-Identifier: Apache-2.0
// Rows are written back, and their status follows.
#include "rtl_model/tables/ksrt.h"

#include <algorithm>
#include <stdexcept>

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
      has_refill_lane_(params.has_refill_lane),
      lane_count_width_(params.lane_count_width()),
      rows_q_(params.num_ksrs, KsrRow(params)),
      traits_q_(params.num_ksrs, KernelTraits(params)) {}

void Ksrt::write(std::uint32_t ksr, const KsrRow& row) {
  rows_q_[ksr] = row;
  fresh_q_.set(ksr, row.remaining != 0);
  handles_q_.set(ksr, row.preempted != 0);
  holds_q_.set(ksr, row.held() != 0);
  if (has_refill_lane_) refills_q_.set(ksr, has_many_to_issue(row));
  show_later(ksr);
}

// In hardware a carry out of the bits that are counted would be lost.
void Ksrt::count(std::uint32_t ksr, const TbCount& step) {
  KsrRow& row = rows_q_[ksr];
  row.outstanding.add(step.outstanding);
  row.covered.add(step.covered);
  if (step.is_fresh) {
    const std::uint64_t upper_next_tb = std::uint64_t{row.next_tb} >> lane_count_width_;
    const std::uint64_t upper_remaining = std::uint64_t{row.remaining} >> lane_count_width_;
    row.next_tb.add(+1);
    row.remaining.add(-1);
    const bool carries = std::uint64_t{row.next_tb} >> lane_count_width_ != upper_next_tb ||
                         std::uint64_t{row.remaining} >> lane_count_width_ != upper_remaining;
    if (carries || row.remaining == 0) throw std::logic_error("rtl_model: the refill lane counts too far");
    if (!has_many_to_issue(row)) refills_q_.clear(ksr);
  }
  show_later(ksr);
}

// The row has one write port.
void Ksrt::show_later(std::uint32_t ksr) {
  if (written_d_.exists()) throw std::logic_error("rtl_model: engine and refill lane write a row in one cycle");
  written_d_ = {ksr, is_uncovered(rows_q_[ksr])};
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
  if (has_refill_lane_) refills_q_.set(ksr, has_many_to_issue(rows_q_[ksr]));
}

void Ksrt::write_priority(std::uint32_t context, std::uint32_t priority) {
  for (KernelTraits& traits : traits_q_) {
    if (traits.context == context) traits.priority = priority;
  }
}

// What is written in cycle w is visible in w + 3.
void Ksrt::seq() {
  if (written_q_[1].exists()) uncovered_q_.set(written_q_[1].ksr, written_q_[1].is_so);
  written_q_[1] = written_q_[0];
  written_q_[0] = written_d_;
  written_d_ = {};
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

// Fresh, without handles, and no counter near its carry: neither changes by the TBs that may be in the lane when one of
// them clears the bit.
bool Ksrt::has_many_to_issue(const KsrRow& row) const {
  constexpr std::uint64_t kMargin = 5;
  const std::uint64_t mask = (std::uint64_t{1} << lane_count_width_) - 1;
  const std::uint64_t end = mask + 1 - kMargin;
  const bool is_near_carry = (row.next_tb & mask) >= end || (~std::uint64_t{row.remaining} & mask) >= end;
  return row.remaining != 0 && row.preempted == 0 && !is_near_carry;
}

std::uint32_t Ksrt::lowest_free() const {
  for (std::uint32_t ksr = 0; ksr < size(); ++ksr) {
    if (!valid_q_.has(ksr)) return ksr;
  }
  return kNone;
}

}  // namespace tessera::rtl_model
