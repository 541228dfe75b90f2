// SPDX-License-Identifier: Apache-2.0
// A core with a refill lane has the rows of kernels in three memories (rtl/tsr_refill_steps.v, tsr_ksr_row.v): what the
// lane steps, what it only reads, the rest. In a core without one nothing here is read.
#pragma once

#include "core_config.h"
#include "cosim/glue/packed.h"
#include "rtl_model/interfaces/core_snapshot.h"

#define TESSERA_STEPS_REGISTER(name) TESSERA_REGISTER(u_events__DOT__g_refill__DOT__u_lane__DOT__u_steps, name)

namespace tessera::cosim {

constexpr unsigned kHighTbWidth = kTbWidth - kLowTbWidth;
// Where fields begin: {low next_tb, low ~remaining, covered, outstanding}, {upper next_tb, upper ~remaining are ones,
// owned, reserved}, {upper ~remaining, preempted, head, tbs_per_sm}.
constexpr unsigned kStepNotLeft = 2 * kSlotCountWidth, kStepNext = kStepNotLeft + kLowTbWidth;
constexpr unsigned kBaseIsLow = 2 * kSmWidth, kBaseNext = kBaseIsLow + 1;
constexpr unsigned kRowNotLeft = kTbCountWidth + kRingAddress + kSlotCountWidth;

// `low` with the bits above it that another memory has.
template <typename Word>
std::uint64_t with_high(std::uint64_t low, const Word& word, unsigned lsb) {
  if constexpr (kHighTbWidth == 0)
    return low;
  else
    return low | bits(word, lsb, kHighTbWidth) << kLowTbWidth;
}

// Returns where the kernel's ring begins.
template <typename Row, typename Step, typename Base>
std::uint32_t read_split_row(const Row& row, const Step& step, const Base& base, rtl_model::KsrSnapshot& ksr) {
  const auto field = [](const auto& word, unsigned lsb, unsigned width) {
    return static_cast<std::uint32_t>(bits(word, lsb, width));
  };
  ksr.tbs_per_sm = field(row, 0, kTbCountWidth);
  ksr.preempted = field(row, kTbCountWidth + kRingAddress, kSlotCountWidth);
  ksr.outstanding = field(step, 0, kSlotCountWidth);
  ksr.covered = field(step, kSlotCountWidth, kSlotCountWidth);
  ksr.reserved = field(base, 0, kSmWidth);
  ksr.owned = field(base, kSmWidth, kSmWidth);
  const std::uint64_t not_left = with_high(bits(step, kStepNotLeft, kLowTbWidth), row, kRowNotLeft);
  ksr.remaining = static_cast<std::uint32_t>(~not_left & mask(kTbWidth));
  ksr.next_tb = static_cast<std::uint32_t>(with_high(bits(step, kStepNext, kLowTbWidth), base, kBaseNext));
  return field(row, kTbCountWidth, kRingAddress);
}

// A kernel none of whose thread blocks was issued begins `num_tbs` later. Returns whether the lane has TBs of it then
// (docs/hardware/timing.md 6.7.7).
template <typename Row, typename Step, typename Base>
bool start_split_row_late(Row& row, Step& step, Base& base, std::uint32_t num_tbs) {
  const std::uint64_t low_mask = mask(kLowTbWidth);
  const std::uint64_t not_left = with_high(bits(step, kStepNotLeft, kLowTbWidth), row, kRowNotLeft) + num_tbs;
  replace_bits(step, kStepNotLeft, kLowTbWidth, not_left);
  replace_bits(step, kStepNext, kLowTbWidth, num_tbs);
  if constexpr (kHighTbWidth != 0) {
    replace_bits(row, kRowNotLeft, kHighTbWidth, not_left >> kLowTbWidth);
    replace_bits(base, kBaseNext, kHighTbWidth, std::uint64_t{num_tbs} >> kLowTbWidth);
    replace_bits(base, kBaseIsLow, 1, not_left >> kLowTbWidth == mask(kHighTbWidth));
  }
  const std::uint64_t few = low_mask - 4;  // 2^L - 5
  return (not_left & low_mask) < few && (num_tbs & low_mask) < few;
}

}  // namespace tessera::cosim
