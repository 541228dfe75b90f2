// SPDX-License-Identifier: Apache-2.0
// TimeGraph on the tiny machine: lines of its specification in short, the way of a group that has the GPU to itself,
// from the Spec, and what the driver did, from the log.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/record/driver/driver_facts.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {

using spec::GroupDispatch;
using spec::Reservation;

inline constexpr std::optional<std::uint32_t> kAutomatic = std::nullopt;  // priority `*`

// Adds a line for the process that was added last; its times in cycles.
inline void add_entry(spec::Spec& spec, GroupDispatch dispatch, std::optional<std::uint32_t> priority,
                      Reservation reservation = Reservation::kNone, Cycle capacity = 0, Cycle period = 0,
                      const std::string& shared = "") {
  spec::TimegraphEntry entry;
  entry.name = spec.processes.back().name;
  entry.dispatch = dispatch;
  entry.reservation = reservation;
  entry.shared_reserve = shared;
  entry.priority = priority;
  entry.capacity = capacity * kCyclePs;
  entry.period = period * kCyclePs;
  spec.driver.entries.push_back(entry);
}

// A driver whose calls and handlers take some odd time each.
inline spec::Spec timegraph_platform(std::uint32_t num_sms = 4) {
  spec::Spec spec = tiny_platform(num_sms);
  spec.driver.kind = spec::DriverKind::kTimegraph;
  spec.driver.arrival = 1013 * kCyclePs;
  spec.driver.completion = 1103 * kCyclePs;
  return spec;
}

// A group of one kernel of one TB, alone on the GPU.
struct GroupPath {
  explicit GroupPath(const spec::Spec& spec)
      : host(spec),
        engine(spec),
        arrival(host.clock.cycles_in(spec.driver.arrival)),
        completion(host.clock.cycles_in(spec.driver.completion)) {}

  HostLatencies host;
  tlm_model::test::Latencies engine;
  Cycle arrival, completion;  // of the driver: from a decision to the doorbell

  Cycle kernel(Cycle tb) const { return engine.assign() + engine.start() + tb; }
  // From its doorbell until the driver sees its completion: a fence behind it tells.
  Cycle to_handler(Cycle tb) const { return host.to_arrival() + kernel(tb) + host.to_process(); }
  // From a decision to that: what it is charged.
  Cycle if_at_arrival(Cycle tb) const { return arrival + to_handler(tb); }
  Cycle if_at_handler(Cycle tb) const { return completion + to_handler(tb); }
};

// ---- what the driver did -----------------------------------------------------------------------------------------

// When the driver was told; a record tells of it a cycle later.
inline std::vector<Cycle> told(const Log& log, Kind kind, std::uint16_t process = record::kNoIndex) {
  std::vector<Cycle> cycles = log.cycles(kind, process);
  for (Cycle& cycle : cycles) --cycle;
  return cycles;
}

// Of a group that has just been submitted or that is done.
using GroupOf = std::pair<std::uint16_t, std::uint64_t>;  // process, number
inline std::vector<GroupOf> groups(const Log& log, Kind kind) {
  std::vector<GroupOf> found;
  for (const Record& record : log.all(kind)) found.emplace_back(record.process, record.value);
  return found;
}

// Whose they are, in order.
inline std::vector<std::uint16_t> submitters(const Log& log) {
  std::vector<std::uint16_t> found;
  for (const Record& record : log.all(Kind::kGroupSubmitted)) found.push_back(record.process);
  return found;
}

// In the order of the groups: records of one cycle have an order of their own.
inline std::vector<Cycle> charges(const Log& log, std::uint16_t process = record::kNoIndex) {
  std::map<std::uint64_t, Cycle> of_group;
  for (const Record& record : log.all(Kind::kGroupDone, process)) of_group[record.value] = record.cycles;
  std::vector<Cycle> found;
  for (const auto& [group, cycles] : of_group) found.push_back(cycles);
  return found;
}

// After each replenishment of a reserve.
inline std::vector<std::int64_t> budgets(const Log& log, std::uint64_t reserve = 0) {
  std::vector<std::int64_t> found;
  for (const Record& record : log.all(Kind::kBudgetReplenished)) {
    if (record.value == reserve) found.push_back(record::budget_of(record));
  }
  return found;
}

}  // namespace tessera::platform::test
