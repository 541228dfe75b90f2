// SPDX-License-Identifier: Apache-2.0
// Events, arrivals and slots that may have changed a kernel's time.
#include "verification/agreement/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tessera::verification {
namespace {

// Two models put a TB that becomes due at one time into a slot within so many cycles of each other.
constexpr Cycle kSameTime = 64;

Cycle distance(Cycle a, Cycle b) { return a < b ? b - a : a - b; }

// The less, the better an event explains what came about in a span: in it, then before it, near its beginning.
std::pair<int, Cycle> nearness(const InnerEvent* event, const Span& span) {
  if (event == nullptr) return {2, kNever};
  return {event->record.cycle >= span.from ? 0 : 1, distance(event->record.cycle, span.from)};
}

const LaunchTimes* find(const LogSummary& log, const LaunchRef& ref) {
  if (ref.process >= log.launches.size() || ref.nth >= log.launches[ref.process].size()) return nullptr;
  return &log.launches[ref.process][ref.nth];
}

// By how much a kernel arrives later in the clocked log.
std::int64_t offset(const LaunchTimes& tlm, const LaunchTimes& clocked) {
  return static_cast<std::int64_t>(clocked.arrived) - static_cast<std::int64_t>(tlm.arrived);
}

bool is_in(const LaunchTimes& launch, const Span& span) {
  return launch.busy_since == span.since && launch.arrived < span.before;
}

}  // namespace

Explanations::Explanations(InnerEvents tlm, InnerEvents clocked, const LogSummary& tlm_summary,
                           const LogSummary& clocked_summary)
    : tlm_(tlm_summary), clocked_(clocked_summary), tlm_events_(std::move(tlm)), clocked_events_(std::move(clocked)) {}

std::string Explanations::of_span(const Span& tlm, const Span& clocked) const {
  const InnerEvent* const in_tlm = tlm_events_.find(tlm);
  const InnerEvent* const in_clocked = clocked_events_.find(clocked);
  if (in_tlm == nullptr && in_clocked == nullptr) return "";
  return nearness(in_tlm, tlm) <= nearness(in_clocked, clocked) ? describe("tlm", *in_tlm)
                                                                : describe("clocked", *in_clocked);
}

std::string Explanations::of(const Late& late) const {
  std::string text = of_span(late.tlm, late.clocked);
  if (text.empty()) text = of_arrivals(late);
  if (text.empty()) text = of_places(late);
  return text;
}

// In the engine with it, in either log.
bool Explanations::is_beside(const LaunchRef& other, const Late& late) const {
  const LaunchTimes* const tlm = find(tlm_, other);
  const LaunchTimes* const clocked = find(clocked_, other);
  return tlm != nullptr && clocked != nullptr && (is_in(*tlm, late.tlm) || is_in(*clocked, late.clocked));
}

std::string Explanations::of_arrivals(const Late& late) const {
  const LaunchTimes* const tlm = find(tlm_, late.ref);
  const LaunchTimes* const clocked = find(clocked_, late.ref);
  if (tlm == nullptr || clocked == nullptr) return "";
  for (std::uint16_t process = 0; process < tlm_.launches.size(); ++process) {
    for (std::size_t nth = 0; nth < tlm_.launches[process].size(); ++nth) {
      const LaunchRef other{process, nth};
      if (!is_beside(other, late)) continue;
      const std::int64_t apart = offset(*find(tlm_, other), *find(clocked_, other)) - offset(*tlm, *clocked);
      if (apart != 0)
        return fmt::format("process {} launch {}, beside it, arrives {:+} cycles later in clocked", process, nth,
                           apart);
    }
  }
  return "";
}

std::string Explanations::of_places(const Late& late) const {
  std::string text;
  Cycle earliest = kNever;
  for (std::uint16_t process = 0; process < tlm_.launches.size(); ++process) {
    for (std::size_t nth = 0; nth < tlm_.launches[process].size(); ++nth) {
      const LaunchRef other{process, nth};
      const bool is_itself = process == late.ref.process && nth == late.ref.nth;
      if (!is_beside(other, late) || (is_itself && !find(tlm_, other)->was_preempted)) continue;
      const bool was_saved = find(tlm_, other)->was_saved;
      const auto& clocked = find(clocked_, other)->places;
      for (const auto& [tb, place] : find(tlm_, other)->places) {
        const auto found = clocked.find(tb);
        if (found == clocked.end() || place.since_arrival >= earliest) continue;
        const TbPlace& there = found->second;
        const bool is_moved = place.sm != there.sm || (was_saved && place.slot != there.slot);
        if (!is_moved || distance(place.since_arrival, there.since_arrival) > kSameTime) continue;
        earliest = place.since_arrival;
        text = fmt::format("tb {} of process {} launch {} is issued to sm {} slot {} in tlm, sm {} slot {} in clocked",
                           tb, process, nth, place.sm, place.slot, there.sm, there.slot);
      }
    }
  }
  return text;
}

}  // namespace tessera::verification
