// SPDX-License-Identifier: Apache-2.0
// For each process its SMs as a staircase over time, and charges beside it.
#include "verification/agreement/measured_charges.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "model/record/numbers.h"
#include "model/spec/core_cycles.h"

namespace tessera::verification {

using record::Kind;
using record::Record;
namespace number = record::number;

namespace {

// The pins tell a step a cycle later, and who loses an SM has lost it a visit before (docs/hardware/timing.md 3.9).
constexpr Cycle kDoubtOfChange = spec::kVisitCycles + 1;

struct Change {
  Cycle cycle = 0;
  std::int64_t sms = 0;  // gained
};

class Staircases {
 public:
  explicit Staircases(const std::vector<Record>& records) {
    for (const Record& record : records) visit(record);
  }
  const std::vector<Change>& of(std::uint16_t process) { return changes_[process]; }

 private:
  void visit(const Record& record) {
    switch (record.kind) {
      case Kind::kKernelArrived:
        process_of_[record.launch] = record.process;
        return;
      case Kind::kSmSetUp:
        return give(record);
      case Kind::kPreemptionRequested:
      case Kind::kPreemptionRetargeted:
        return move(owner_of_[record.sm], beneficiary_of(record), record.cycle);
      case Kind::kSmReleased:
        return move(owner_of_[record.sm], std::nullopt, record.cycle);
      case Kind::kKernelFinished:
        for (auto& [sm, owner] : owner_of_) {
          if (owner == record.launch) move(owner, std::nullopt, record.cycle);
        }
        return;
      default:
        return;
    }
  }
  // SMs of one assign, a cycle each, count from the last of them on: the pins tell all of them together.
  void give(const Record& record) {
    std::vector<Change>& changes = changes_[process_of_[record.launch]];
    if (record.launch != burst_.launch || record.cycle > burst_.last + 1) burst_ = {record.launch, 0, changes.size()};
    for (std::size_t i = burst_.begin; i < changes.size(); ++i) changes[i].cycle = record.cycle;
    burst_.last = record.cycle;
    move(owner_of_[record.sm], record.launch, record.cycle);
  }
  // Nobody, where a context loses the SM with its turn.
  static std::optional<std::uint32_t> beneficiary_of(const Record& record) {
    const auto launch = static_cast<std::uint32_t>(number::reserved_for(record));
    return launch == record::kNoNumber ? std::nullopt : std::optional(launch);
  }
  void move(std::optional<std::uint32_t>& owner, std::optional<std::uint32_t> next, Cycle now) {
    if (owner == next) return;
    if (owner) changes_[process_of_[*owner]].push_back({now, -1});
    if (next) changes_[process_of_[*next]].push_back({now, 1});
    owner = next;
  }

  struct Burst {
    std::uint32_t launch = record::kNoNumber;
    Cycle last = 0;
    std::size_t begin = 0;  // of its changes
  };

  Burst burst_;
  std::unordered_map<std::uint32_t, std::uint16_t> process_of_;  // by launch
  std::map<std::uint16_t, std::optional<std::uint32_t>> owner_of_;
  std::map<std::uint16_t, std::vector<Change>> changes_;  // by process
};

class ChargesOfProcess {
 public:
  ChargesOfProcess(const std::vector<Change>& changes, std::uint32_t num_sms) : changes_(changes), num_sms_(num_sms) {}

  // In all, when the driver looks in this cycle.
  bool is_right(Cycle looks, Cycle charged) {
    for (; next_ < changes_.size() && changes_[next_].cycle <= looks; ++next_) {
      advance(changes_[next_].cycle);
      num_held_ += changes_[next_].sms;
    }
    advance(looks);
    const std::int64_t apart = used_ - static_cast<std::int64_t>(charged * num_sms_);
    const auto doubt = static_cast<std::int64_t>(kDoubtOfChange * next_);
    return apart >= -doubt && apart < static_cast<std::int64_t>(num_sms_) + doubt;
  }
  std::int64_t used() const { return used_ / static_cast<std::int64_t>(num_sms_); }

 private:
  void advance(Cycle to) {
    used_ += num_held_ * static_cast<std::int64_t>(to - now_);
    now_ = to;
  }

  const std::vector<Change>& changes_;
  std::uint32_t num_sms_;
  std::size_t next_ = 0;
  Cycle now_ = 0;
  std::int64_t num_held_ = 0;
  std::int64_t used_ = 0;
};

}  // namespace

std::vector<std::string> wrong_measured_charges(const std::vector<Record>& records, std::uint32_t num_sms) {
  Staircases staircases(records);
  std::map<std::uint16_t, std::vector<Record>> done;  // by process: the last of each cycle, with all charged so far
  for (const Record& record : records) {
    if (record.kind != Kind::kGroupDone) continue;
    std::vector<Record>& of_process = done[record.process];
    Record sum = record;
    if (!of_process.empty()) number::charged(sum) += number::charged(of_process.back());
    if (!of_process.empty() && of_process.back().cycle == record.cycle) of_process.pop_back();
    of_process.push_back(sum);
  }
  std::vector<std::string> lines;
  for (const auto& [process, looks] : done) {
    ChargesOfProcess charges(staircases.of(process), num_sms);
    const auto wrong = std::find_if(looks.begin(), looks.end(), [&charges = charges](const Record& look) {
      return !charges.is_right(look.cycle - 1, number::charged(look));
    });
    if (wrong == looks.end()) continue;
    lines.push_back(fmt::format("cycle {}: process {} is charged {} cycles up to its group {}, it used {}",
                                wrong->cycle, process, number::charged(*wrong), number::group(*wrong), charges.used()));
  }
  return lines;
}

}  // namespace tessera::verification
