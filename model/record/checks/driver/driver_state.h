// SPDX-License-Identifier: Apache-2.0
// State of a driver's groups and budgets after the records so far. Internal to the driver's ledger.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/record/driver/charge_window.h"
#include "model/record/driver/driver_facts.h"

namespace tessera::record::driver_check {

enum class Rule : std::uint8_t { kGroups, kBudgets, kOrder };
using Complain = std::function<void(Rule rule, const Record& record, const std::string& what)>;

struct Waiter {
  std::uint64_t group = 0;
  Cycle predicted = 0;  // at its arrival
  bool was_suspended = false;
};

struct OnlineGroup {
  std::uint64_t group = 0;
  std::uint16_t process = kNoIndex;
  Cycle submitted = 0;
  Cycle predicted = 0;
  Cycle charged = 0;  // before completion: continuous accounting
};

struct ReserveState {
  std::int64_t budget = 0;
  std::int64_t lowest = 0;  // in this cycle
  Cycle due = 0;            // its next replenishment
  ChargeWindow window;
  // For the bound on its window.
  Cycle most_charged = 0;       // for one group
  Cycle most_predicted = 0;     // of those submitted
  std::size_t most_beside = 0;  // its groups online when another one was submitted
  bool is_predicted_exactly = true;
};

struct State {
  explicit State(const DriverFacts& of_driver);

  // With one list, one group has the GPU at a time, so its charge is wall time that can be computed from the log.
  bool has_one_list() const { return !facts.has_online_list_per_engine && !facts.lets_higher_join; }
  // False for continuous accounting with ticks or without one list: it charges at replenishments, and the log does not
  // tell these charges.
  bool knows_budgets() const;
  const command_scheduling::TaskParameters& task(std::uint16_t process) const;
  ReserveState* reserve_of(std::uint16_t process);
  const ReserveState* reserve_of(std::uint16_t process) const;
  bool is_apriori(std::uint16_t process) const;
  // The first of the reserve's waiters, by priority and arrival; the others wait behind it.
  std::optional<std::uint16_t> head(std::size_t reserve) const;
  // True only if it is certainly ready.
  bool is_ready(std::uint16_t process) const;

  const DriverFacts& facts;
  std::vector<std::optional<Waiter>> waiting;  // by process
  std::deque<OnlineGroup> online;              // in order of submission
  std::vector<ReserveState> reserves;
  std::uint64_t num_arrived = 0;
  Cycle counted_until = 0;  // wall time up to here has been charged for
};

}  // namespace tessera::record::driver_check
