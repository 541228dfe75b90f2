// SPDX-License-Identifier: Apache-2.0
// What the tests of a driver's records share: its records in one call, and logs of the timelines that the readings of
// [K11] work out by hand (docs/concepts/readings.md, TimeGraph). What a timeline says of a cycle is in the records of
// the next.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/record/driver/driver_facts.h"
#include "tests/model/record/support.h"

namespace tessera::record::test {

namespace cs = command_scheduling;

inline Record arrived(Cycle cycle, std::uint16_t process, std::uint64_t group, Cycle predicted = 0) {
  return at(cycle, Kind::kGroupArrived).process(process).value(group).cycles(predicted);
}
inline Record suspended(Cycle cycle, std::uint16_t process, std::uint64_t group) {
  return at(cycle, Kind::kGroupSuspended).process(process).value(group);
}
inline Record submitted(Cycle cycle, std::uint16_t process, std::uint64_t group, Cycle predicted = 0) {
  return at(cycle, Kind::kGroupSubmitted).process(process).value(group).cycles(predicted).bytes(1);
}
inline Record done(Cycle cycle, std::uint16_t process, std::uint64_t group, Cycle charged) {
  return at(cycle, Kind::kGroupDone).process(process).value(group).cycles(charged);
}
inline Record replenished(Cycle cycle, std::uint64_t reserve, std::int64_t budget) {
  const auto size = static_cast<std::uint64_t>(budget < 0 ? -budget : budget);
  return at(cycle, Kind::kBudgetReplenished).value(reserve).cycles(budget < 0 ? 0 : size).bytes(budget < 0 ? size : 0);
}

inline cs::PlannedTask task(cs::Dispatch dispatch, std::uint32_t priority, int reserve = -1) {
  cs::PlannedTask planned;
  planned.parameters.dispatch = dispatch;
  planned.parameters.priority = priority;
  if (reserve >= 0) planned.parameters.reserve = cs::ReserveId(reserve);
  return planned;
}

// HP, MP, LP: processes 0, 1, 2.
inline DriverFacts three_tasks(cs::Dispatch dispatch) {
  DriverFacts facts;
  facts.plan.tasks = {task(dispatch, 3), task(dispatch, 2), task(dispatch, 1)};
  facts.keeps_order = {true, true, true};
  return facts;
}

// Timeline A under PRT: MP 0-4, HP 5-8, HP 9-12, MP 13-17, LP 18-20; interrupts are handled a cycle after the end.
inline std::vector<Record> prt_log() {
  return {arrived(1, 1, 0),   submitted(1, 1, 0),  arrived(2, 1, 1),  arrived(3, 0, 2),    done(6, 1, 0, 5),
          submitted(6, 0, 2), arrived(7, 2, 3),    arrived(8, 0, 4),  done(10, 0, 2, 4),   submitted(10, 0, 4),
          done(14, 0, 4, 4),  submitted(14, 1, 1), done(19, 1, 1, 5), submitted(19, 2, 3), done(22, 2, 3, 3)};
}

// Under HT: MP 0-4, MP 4-8, HP 9-12, HP 12-15, LP 16-18.
inline std::vector<Record> ht_log() {
  return {arrived(1, 1, 0),    submitted(1, 1, 0), arrived(2, 1, 1),  submitted(2, 1, 1),  arrived(3, 0, 2),
          done(6, 1, 0, 5),    arrived(7, 2, 3),   done(10, 1, 1, 4), submitted(10, 0, 2), arrived(12, 0, 4),
          submitted(12, 0, 4), done(14, 0, 2, 4),  done(17, 0, 4, 3), submitted(17, 2, 3), done(20, 2, 3, 3)};
}

// One PRT task with C = 40, T = 100; the other process has no reserve and does nothing.
inline DriverFacts one_reserve(bool is_apriori) {
  DriverFacts facts;
  facts.plan.tasks = {task(cs::Dispatch::kPrt, 1, 0), task(cs::Dispatch::kPrt, 0)};
  facts.plan.reserves = {{"alpha", {40, 100, 0, is_apriori}}};
  facts.keeps_order = {true, true};
  return facts;
}

// Timeline B under PE: 0-20, 30-80, 100-105, 105-143.
inline std::vector<Record> pe_log() {
  return {arrived(1, 0, 0),        submitted(1, 0, 0),   done(21, 0, 0, 20),     arrived(31, 0, 1),
          submitted(31, 0, 1),     done(81, 0, 1, 50),   arrived(91, 0, 2),      suspended(91, 0, 2),
          replenished(101, 0, 10), submitted(101, 0, 2), arrived(104, 0, 3),     done(106, 0, 2, 5),
          submitted(106, 0, 3),    done(144, 0, 3, 38),  replenished(201, 0, 7), replenished(301, 0, 40)};
}

// Under AE with exact predictions: 0-20, 100-150, 200-205, 300-338.
inline std::vector<Record> ae_log() {
  return {arrived(1, 0, 0, 20),     submitted(1, 0, 0, 20),  done(21, 0, 0, 20),       arrived(31, 0, 1, 50),
          suspended(31, 0, 1),      replenished(101, 0, 50), submitted(101, 0, 1, 50), done(151, 0, 1, 50),
          arrived(161, 0, 2, 5),    suspended(161, 0, 2),    replenished(201, 0, 40),  submitted(201, 0, 2, 5),
          arrived(204, 0, 3, 38),   done(206, 0, 2, 5),      suspended(206, 0, 3),     replenished(301, 0, 40),
          submitted(301, 0, 3, 38), done(339, 0, 3, 38)};
}

// The one record of a log that is equal to `from` becomes `to`.
inline std::vector<Record> with(std::vector<Record> log, const Record& from, const Record& to) {
  const auto is_same = [&](const Record& each) { return !canonical_less(each, from) && !canonical_less(from, each); };
  std::replace_if(log.begin(), log.end(), is_same, to);
  return log;
}

inline std::vector<Record> without(std::vector<Record> log, const Record& record) {
  const auto is_same = [&](const Record& each) {
    return !canonical_less(each, record) && !canonical_less(record, each);
  };
  log.erase(std::remove_if(log.begin(), log.end(), is_same), log.end());
  return log;
}

inline std::vector<Record> and_also(std::vector<Record> log, const std::vector<Record>& more) {
  log.insert(log.end(), more.begin(), more.end());
  return log;
}

}  // namespace tessera::record::test
