// SPDX-License-Identifier: Apache-2.0
// What one log says of a driver that holds groups back: what it was told and what it decided, in order. Groups are
// named by process and place, since their numbers are a log's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/record/record.h"

namespace tessera::verification {

// A group's life.
struct GroupTimes {
  Cycle arrived = 0;
  std::optional<Cycle> submitted;
  Cycle doorbell = 0;  // where it was submitted
  std::optional<Cycle> done;
  Cycle charged = 0;
};

struct DriverEvent {
  record::Kind kind = record::Kind::kGroupDone;
  std::uint16_t who = record::kNoIndex;  // process, or reserve
  std::size_t nth = 0;                   // its group, or its replenishment
  Cycle cycle = 0;

  // Told: done, arrived, or a replenishment's time; else decided.
  bool is_told() const { return kind != record::Kind::kGroupSubmitted && kind != record::Kind::kGroupSuspended; }
  bool is_same(const DriverEvent& other) const { return kind == other.kind && who == other.who && nth == other.nth; }
};

struct DriverStory {
  explicit DriverStory(const std::vector<record::Record>& records);

  const GroupTimes* group(std::uint16_t process, std::size_t nth) const;
  // The cycle of such an event from `first` on; none: it does not come.
  std::optional<Cycle> find(const DriverEvent& event, std::size_t first) const;

  std::vector<DriverEvent> events;              // in the order in which a driver works in a cycle
  std::vector<std::vector<GroupTimes>> groups;  // [process][n-th]
  std::vector<std::vector<Cycle>> run_starts;   // [process][n-th]
  Cycle end = 0;
};

// "group 3 of process 1 is done", "reserve 0 is replenished for the 7th time"
std::string describe(const DriverEvent& event);

}  // namespace tessera::verification
