// SPDX-License-Identifier: Apache-2.0
// When entries are in which stage: from A to S and from there to R or B, a cycle each while B is empty.
#include "tlm/execution_engine/one_job/refill_lane.h"

#include "model/spec/spec.h"

namespace tessera::tlm_model {
namespace {

constexpr std::uint32_t kLeastCountedBits = 12;

std::uint32_t bits_to_count(std::uint64_t most) {
  std::uint32_t bits = 1;
  while (most >> bits != 0) ++bits;
  return bits;
}

// As many TBs as have slots can be counted without the upper bits.
std::uint32_t counted_bits(const spec::GpuSpec& gpu) {
  const std::uint32_t slots = bits_to_count(std::uint64_t{gpu.num_sms} * gpu.max_tbs_per_sm);
  return std::min(gpu.framework.tb_id_bits, std::max(kLeastCountedBits, slots));
}

}  // namespace

RefillLane::RefillLane(const spec::Spec& spec)
    : low_bits_(static_cast<std::uint32_t>((std::uint64_t{1} << counted_bits(spec.gpu)) - 1)),
      rows_(spec.gpu.framework.num_ksrs) {}

// Something is in B from the cycle after its S to the one before its R.
Cycle RefillLane::next_entry(Cycle from) const {
  Cycle at = std::max(from, open_from_);
  if (num_entries_ == 0) return at;
  if (at > waiting_[0].out_of_s) at = std::max(at, waiting_[0].in_r);
  return num_entries_ > 1 && at > waiting_[1].out_of_s ? kNever : at;
}

void RefillLane::enter(const Entry& entry, Cycle at) {
  open_from_ = at + 1;
  if (entry.is_issue) asked_.set(static_cast<std::uint32_t>(index(entry.sm)));
  waiting_[num_entries_] = {entry, at, 0, 0};
  ++num_entries_;
  if (num_entries_ == 1) {
    Waiting& first = waiting_[0];
    first.out_of_s = std::max(at + kEntryToR - 1, last_in_r_);
    first.in_r = std::max(first.out_of_s, last_left_) + 1;
  } else if (num_entries_ == 2) {
    place_second();
  }
}

void RefillLane::leaves(Cycle at) {
  if (first().is_issue) asked_.clear(static_cast<std::uint32_t>(index(first().sm)));
  last_in_r_ = waiting_[0].in_r;
  last_left_ = at;
  std::move(waiting_.begin() + 1, waiting_.begin() + num_entries_, waiting_.begin());
  --num_entries_;
  if (num_entries_ == 0) return;
  waiting_[0].in_r = std::max(waiting_[0].out_of_s, at) + 1;
  if (num_entries_ > 1) place_second();
}

void RefillLane::place_second() { waiting_[1].out_of_s = std::max(waiting_[1].at + kEntryToR - 1, waiting_[0].in_r); }

}  // namespace tessera::tlm_model
