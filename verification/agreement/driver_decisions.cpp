// SPDX-License-Identifier: Apache-2.0
// Event by event, until the two drivers part.
#include "verification/agreement/driver_decisions.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::verification {

using record::Kind;

namespace {

bool is_decision(Kind kind) { return kind != Kind::kGroupDone && kind != Kind::kGroupArrived; }

// What a driver was told of before it decided otherwise, and in the other log at another time.
std::string told_otherwise(const DriverEvent& event, const DriverStory& tlm, const DriverStory& clocked,
                           std::size_t from, bool is_of_tlm) {
  if (!event.is_told()) return "";
  const std::optional<Cycle> there = (is_of_tlm ? clocked : tlm).find(event, from);
  const char* const other = is_of_tlm ? "clocked" : "tlm";
  if (!there)
    return fmt::format("{} at cycle {} in {}, not until its end in {}", describe(event), event.cycle,
                       is_of_tlm ? "tlm" : "clocked", other);
  if (*there == event.cycle) return "";
  const Cycle in_tlm = is_of_tlm ? event.cycle : *there;
  const Cycle in_clocked = is_of_tlm ? *there : event.cycle;
  return fmt::format("{} {:+} cycles later in clocked", describe(event),
                     static_cast<std::int64_t>(in_clocked) - static_cast<std::int64_t>(in_tlm));
}

// The last thing before the drivers part that they were not told alike.
std::string told_before(const DriverStory& tlm, const DriverStory& clocked, std::size_t parting) {
  for (std::size_t i = parting; i-- > 0;) {
    const DriverEvent& a = tlm.events[i];
    const DriverEvent& b = clocked.events[i];
    if (!a.is_told()) continue;
    if (a.cycle != b.cycle) return told_otherwise(a, tlm, clocked, i, true);
    if (a.kind != Kind::kGroupDone) continue;
    const Cycle in_tlm = tlm.group(a.who, a.nth)->charged;
    const Cycle in_clocked = clocked.group(b.who, b.nth)->charged;
    if (in_tlm != in_clocked)
      return fmt::format("process {} group {} is charged {} cycles in tlm, {} in clocked", a.who, a.nth, in_tlm,
                         in_clocked);
  }
  return "";
}

}  // namespace

DriverAgreement compare_drivers(const DriverStory& tlm, const DriverStory& clocked) {
  DriverAgreement agreement;
  const std::size_t num_common = std::min(tlm.events.size(), clocked.events.size());
  std::size_t i = 0;
  for (; i < num_common && tlm.events[i].is_same(clocked.events[i]); ++i) {
    agreement.decisions += is_decision(tlm.events[i].kind);
  }
  if (i == num_common) return agreement;
  const DriverEvent& a = tlm.events[i];
  const DriverEvent& b = clocked.events[i];
  agreement.differs = true;
  agreement.first_difference =
      fmt::format("{} in tlm at cycle {}, where {} in clocked at {}", describe(a), a.cycle, describe(b), b.cycle);
  agreement.explanation = told_otherwise(a, tlm, clocked, i, true);
  if (agreement.explanation.empty()) agreement.explanation = told_otherwise(b, tlm, clocked, i, false);
  if (agreement.explanation.empty()) agreement.explanation = told_before(tlm, clocked, i);
  agreement.is_explained = !agreement.explanation.empty();
  return agreement;
}

std::string of_groups_left(const DriverStory& tlm, const DriverStory& clocked, std::uint16_t process) {
  const auto num_of = [process](const DriverStory& story, auto is_counted) -> std::size_t {
    if (process >= story.groups.size()) return 0;
    const std::vector<GroupTimes>& groups = story.groups[process];
    return static_cast<std::size_t>(std::count_if(groups.begin(), groups.end(), is_counted));
  };
  const auto is_done = [](const GroupTimes& group) { return group.done.has_value(); };
  const std::size_t in_tlm = num_of(tlm, is_done);
  const std::size_t in_clocked = num_of(clocked, is_done);
  if (in_tlm == in_clocked) return "";
  return fmt::format("{} groups of process {} are done in tlm, {} in clocked, as its driver was told", in_tlm, process,
                     in_clocked);
}

}  // namespace tessera::verification
