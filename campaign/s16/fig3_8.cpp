// SPDX-License-Identifier: Apache-2.0
// Figures 3.8 and 3.9: whom each position of the guest needs gone, and what is left of these sets when one is
// preempted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "campaign/s16/figures.h"
#include "model/preemption/victim_sets.h"

namespace tessera::campaign::s16 {
namespace {

// The figures name no sizes. Eight thread blocks of R registers and positions P apart give their sets wherever 2 R < P
// and 3 P < 7 R; R is one of Table 4.2.
constexpr std::uint32_t kVictimRegisters = 3584;
constexpr std::uint32_t kStride = 8064;
constexpr std::uint32_t kSlots = 8;
constexpr std::size_t kPreempted = 1;  // the candidate of Figure 3.9

// As printed: slot 0 stands first, and a set reads as a number of eight digits.
struct PrintedSets {
  double before;  // Figure 3.8
  double after;   // Figure 3.9
};
constexpr std::array kPrintedSets{PrintedSets{11100000, 11000000}, PrintedSets{111000, 0}, PrintedSets{1110, 110},
                                  PrintedSets{11, 11}};

double digits(std::uint64_t set) {
  double number = 0;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) number = 10 * number + static_cast<double>(set >> slot & 1);
  return number;
}

void add(Figure& figure, std::size_t candidate, const char* when, double paper, std::uint64_t set) {
  Value value;
  value.panel = fmt::format("candidate {}", candidate);
  value.series = when;
  value.paper = paper;
  value.ours.mean = digits(set);
  figure.values.push_back(value);
}

}  // namespace

Figure fig3_8() {
  Figure figure;
  figure.name = "s16-fig3_8";
  figure.title = "Figures 3.8 and 3.9: candidate victim sets, and their update (a digit a slot)";
  const preemption::TbSize victim{kVictimRegisters, 0, 128};
  std::vector<preemption::Placed> tbs;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) tbs.push_back({slot, victim});
  const std::vector<std::uint64_t> before =
      preemption::victim_sets(tbs, (1U << kSlots) - 1, {kStride, 0, 256}, kPrintedSets.size());
  std::vector<std::uint64_t> after = before;
  preemption::evict(after, before[kPreempted]);
  for (std::size_t i = 0; i < kPrintedSets.size(); ++i) {
    add(figure, i, "before", kPrintedSets[i].before, before[i]);
    add(figure, i, "after candidate 1", kPrintedSets[i].after, after[i]);
  }
  const bool is_exact = std::all_of(figure.values.begin(), figure.values.end(),
                                    [](const Value& value) { return value.ours.mean == *value.paper; });
  figure.orderings.push_back({"the sets of Figure 3.8 and their update in Figure 3.9, bit for bit", is_exact,
                              fmt::format("{} sets", figure.values.size())});
  figure.notes.push_back(fmt::format("Sizes are not printed: {} registers a thread block, positions {} apart.",
                                     kVictimRegisters, kStride));
  return figure;
}

}  // namespace tessera::campaign::s16
