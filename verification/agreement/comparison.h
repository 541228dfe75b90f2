// SPDX-License-Identifier: Apache-2.0
// Pairs the kernels of two logs, compares their turnarounds, and asks for what explains a difference. Internal to the
// agreement.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "verification/agreement/agreement.h"
#include "verification/agreement/driver_story.h"
#include "verification/agreement/explanation.h"
#include "verification/agreement/log_summary.h"

namespace tessera::verification {

class Comparison {
 public:
  Comparison(const std::vector<record::Record>& tlm, const std::vector<record::Record>& clocked,
             const LogFindings& of_tlm, const LogFindings& of_clocked)
      : tlm_records_(tlm),
        clocked_records_(clocked),
        of_tlm_(of_tlm),
        of_clocked_(of_clocked),
        tlm_(summarise(tlm)),
        clocked_(summarise(clocked)),
        explanations_(InnerEvents(tlm, of_tlm.inner_ticks), InnerEvents(clocked, of_clocked.inner_ticks), tlm_,
                      clocked_),
        tlm_driver_(tlm),
        clocked_driver_(clocked) {}

  Agreement operator()();

 private:
  void compare_process(std::uint16_t process);
  bool is_same_kernel(const LaunchRef& ref, const LaunchTimes& tlm, const LaunchTimes& clocked);
  void compare_launches(const LaunchRef& ref, const LaunchTimes& tlm, const LaunchTimes& clocked);
  void compare_turnarounds(const LaunchRef& ref, const LaunchTimes& tlm, const LaunchTimes& clocked);
  void compare_with_open(const LaunchRef& ref, const LaunchTimes& tlm, const LaunchTimes& clocked);
  void compare_arrivals();
  void should_have_arrived(const LaunchRef& ref, const LaunchTimes& launch, bool is_in_tlm);
  void compare_preemptions();
  bool are_decisions_right() const;
  bool may_be_equal(const std::vector<Cycle>& tlm, const std::vector<Cycle>& clocked) const;

  void compare_means();
  void compare_drivers_decisions();
  void judge();

  // Beyond the tolerance: is it explained?
  // `or_else`: what may explain it where no event does.
  void note(const Late& late, const std::string& text, const std::string& or_else = {});
  void note_first(Cycle arrived, const std::string& text, const std::string& explanation);
  Verdict verdict() const;

  Cycle drift() const;
  static const char* log_name(bool is_tlm) { return is_tlm ? "tlm" : "clocked"; }
  static Cycle apart(Cycle a, Cycle b) { return a < b ? b - a : a - b; }
  static std::string describe(const LaunchRef& ref, const LaunchTimes& launch);
  static Span life(const LaunchTimes& launch) {
    return {launch.busy_since, launch.arrived, launch.finished.value_or(kNever)};
  }

  const std::vector<record::Record>& tlm_records_;
  const std::vector<record::Record>& clocked_records_;
  const LogFindings& of_tlm_;
  const LogFindings& of_clocked_;
  LogSummary tlm_;
  LogSummary clocked_;
  Explanations explanations_;
  DriverStory tlm_driver_;
  DriverStory clocked_driver_;

  Agreement result_;
  bool is_another_story_ = false;     // another kernel, or another number of TBs
  std::set<std::uint16_t> unpaired_;  // processes with another kernel
  std::uint64_t num_unexplained_ = 0;
  std::pair<bool, Cycle> rank_of_first_;  // of the difference that is shown: is it explained, when did it arrive
  Cycle sum_of_distances_ = 0;
  double sum_of_logs_ = 0;
};

}  // namespace tessera::verification
