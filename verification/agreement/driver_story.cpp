// SPDX-License-Identifier: Apache-2.0
// Numbers of groups become places.
#include "verification/agreement/driver_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "model/record/driver/driver_facts.h"
#include "model/record/numbers.h"

namespace tessera::verification {

using record::Kind;
using record::Record;
namespace number = record::number;

namespace {

std::string_view verb(Kind kind) {
  switch (kind) {
    case Kind::kGroupDone:
      return "is done";
    case Kind::kGroupArrived:
      return "arrives";
    case Kind::kGroupSuspended:
      return "is suspended";
    default:
      return "is submitted";
  }
}

}  // namespace

DriverStory::DriverStory(const std::vector<Record>& records) {
  std::unordered_map<std::uint64_t, std::size_t> place_of;  // by group
  std::map<std::uint64_t, std::size_t> times_replenished;   // by reserve
  for (const Record& record : records) {
    if (record.kind == Kind::kRunStarted) {
      if (record.process >= run_starts.size()) run_starts.resize(record.process + 1U);
      run_starts[record.process].push_back(record.cycle);
    }
    if (!record::is_of_driver(record.kind) || record.kind == Kind::kDriverInvoked) continue;
    if (record.kind == Kind::kBudgetReplenished) {
      events.push_back({record.kind, static_cast<std::uint16_t>(number::reserve(record)),
                        times_replenished[number::reserve(record)]++, record.cycle});
      continue;
    }
    if (record.process >= groups.size()) groups.resize(record.process + 1U);
    std::vector<GroupTimes>& of_process = groups[record.process];
    if (record.kind == Kind::kGroupArrived) {
      place_of[number::group(record)] = of_process.size();
      of_process.emplace_back().arrived = record.cycle;
    }
    const auto place = place_of.find(number::group(record));
    if (place == place_of.end()) continue;  // check_log's concern
    GroupTimes& group = of_process[place->second];
    if (record.kind == Kind::kGroupSubmitted) {
      group.submitted = record.cycle;
      group.doorbell = record.cycle + number::until_doorbell(record);
    } else if (record.kind == Kind::kGroupDone) {
      group.done = record.cycle;
      group.charged = number::charged(record);
    }
    events.push_back({record.kind, record.process, place->second, record.cycle});
  }
  if (!records.empty()) end = records.back().cycle;
}

const GroupTimes* DriverStory::group(std::uint16_t process, std::size_t nth) const {
  return process < groups.size() && nth < groups[process].size() ? &groups[process][nth] : nullptr;
}

std::optional<Cycle> DriverStory::find(const DriverEvent& event, std::size_t first) const {
  const auto found = std::find_if(events.begin() + static_cast<std::ptrdiff_t>(std::min(first, events.size())),
                                  events.end(), [&](const DriverEvent& each) { return each.is_same(event); });
  return found == events.end() ? std::nullopt : std::optional(found->cycle);
}

std::string describe(const DriverEvent& event) {
  if (event.kind == Kind::kBudgetReplenished)
    return fmt::format("replenishment {} of reserve {}", event.nth, event.who);
  return fmt::format("process {} group {} {}", event.who, event.nth, verb(event.kind));
}

}  // namespace tessera::verification
