// SPDX-License-Identifier: Apache-2.0
// SM cycles of processes, from nothing but a record log: whom each SM counts for, from record to record.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "model/record/record.h"
#include "model/spec/core_cycles.h"

namespace tessera::tlm_model::test {

// When a step counts that a record tells of (docs/hardware/timing.md 3.9, at ratio 1). Clocked: a cycle later, on the
// pins; and whom a move takes the SM from has lost it a visit before.
struct UsageDelays {
  Cycle to_pins = 0;
  Cycle loser_before = 0;
  Cycle behind_burst = 0;  // all SMs of an assign, from the record of the last of them on
};
inline constexpr Cycle kBurstToWrite = 2;
inline constexpr UsageDelays kOneJobUsage{0, 0, kBurstToWrite};
inline constexpr UsageDelays kClockedUsage{1, spec::kVisitCycles, kBurstToWrite};

// Before cycle `end`, by process.
class SmUsageOfLog {
 public:
  SmUsageOfLog(const std::vector<record::Record>& records, std::size_t num_processes, std::size_t num_sms, Cycle end,
               UsageDelays delays)
      : end_(end), delays_(delays), claims_(num_sms, record::kNoNumber), used_(num_processes, 0) {
    for (const record::Record& record : records) note(record);
    count_given();
    for (std::uint32_t& claim : claims_) move(claim, record::kNoNumber, end, end);
  }
  const std::vector<std::uint64_t>& used() const { return used_; }
  std::uint64_t num_moves() const { return num_moves_; }  // SMs that were taken from a kernel

 private:
  using Kind = record::Kind;

  void note(const record::Record& record) {
    const Cycle now = record.cycle + delays_.to_pins;
    if (now > given_at_ + 1) count_given();
    switch (record.kind) {
      case Kind::kKernelArrived:
        process_[record.launch] = record.process;
        return;
      case Kind::kSmSetUp:
        if (claims_[record.sm] != record::kNoNumber) return move(claims_[record.sm], record.launch, now, now);
        given_.emplace_back(record.sm, record.launch);
        given_at_ = now;
        return;
      case Kind::kPreemptionRequested:
      case Kind::kPreemptionRetargeted:
        ++num_moves_;
        return move(claims_[record.sm], static_cast<std::uint32_t>(record.value), now - delays_.loser_before, now);
      case Kind::kSmReleased:
        return move(claims_[record.sm], record::kNoNumber, now, now);
      case Kind::kKernelFinished:
        for (std::uint32_t& claim : claims_) {
          if (claim == record.launch) move(claim, record::kNoNumber, now, now);
        }
        return;
      default:
        return;
    }
  }
  // An assign gives an SM a cycle; they count together.
  void count_given() {
    const Cycle at = given_at_ + delays_.behind_burst;
    for (const auto& [sm, launch] : given_) move(claims_[sm], launch, at, at);
    given_.clear();
  }
  void move(std::uint32_t& claim, std::uint32_t launch, Cycle lost, Cycle taken) {
    if (claim == launch && lost == taken) return;
    if (claim != record::kNoNumber) used_[process_.at(claim)] += std::min(lost, end_);
    claim = launch;
    if (claim != record::kNoNumber) used_[process_.at(claim)] -= std::min(taken, end_);
  }

  Cycle end_;
  UsageDelays delays_;
  std::map<std::uint32_t, std::uint16_t> process_;  // by launch
  std::vector<std::uint32_t> claims_;               // by SM: the launch that it counts for
  std::vector<std::uint64_t> used_;                 // modulo 2^64 on the way
  std::uint64_t num_moves_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> given_;  // SM, launch, of the assign under way
  Cycle given_at_ = 0;                                          // the last of them
};

}  // namespace tessera::tlm_model::test
