// SPDX-License-Identifier: Apache-2.0
// Pairs the kernels of two logs, compares their turnarounds, and asks for what explains a difference.
#include "verification/agreement/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "verification/agreement/driver_decisions.h"
#include "verification/agreement/driver_inputs.h"
#include "verification/agreement/driver_latencies.h"
#include "verification/agreement/explanation.h"
#include "verification/agreement/gaps.h"
#include "verification/agreement/log_summary.h"
#include "verification/agreement/measured_charges.h"

namespace tessera::verification {

using record::Record;

namespace {

constexpr Cycle kMinTolerance = 64;
constexpr Cycle kToleranceDivisor = 1000;
// Of the steps, so many may be what no state of the tables gives: a walk sees each row when it
// passes, so that a decision may rest on rows of different moments.
std::uint64_t overtaken_limit(const DecisionReport& report) { return 2 + report.steps / 20; }
// With no more than these the number of preemptions needs no limit: it follows from steps that are right. Some
// experiments keep one of two rhythms, and repeat in each turn the one step that no moment's tables give.
std::uint64_t overtaken_as_an_exception(const DecisionReport& report) { return report.steps / 250; }

// Chance averages out: what an explanation may do to the mean of many kernels, and to the number of preemptions, falls
// with the square root of their number. Of 2,000 random experiments the worst use 2.8 of the 4 and 8 of the 12.
double mean_ratio_limit(std::uint64_t kernels) { return 0.01 + 4 / std::sqrt(static_cast<double>(kernels)); }
double preemption_limit(std::size_t count) { return 8 + 12 * std::sqrt(static_cast<double>(count)); }

const char* log_name(bool is_tlm) { return is_tlm ? "tlm" : "clocked"; }

Cycle apart(Cycle a, Cycle b) { return a < b ? b - a : a - b; }

std::string describe(const LaunchRef& ref, const LaunchTimes& launch) {
  return fmt::format("process {} launch {} (kernel {}, run {})", ref.process, ref.nth, launch.kernel, launch.run);
}

class Comparison {
 public:
  Comparison(const std::vector<Record>& tlm, const std::vector<Record>& clocked, const LogFindings& of_tlm,
             const LogFindings& of_clocked)
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
  static Span life(const LaunchTimes& launch) {
    return {launch.busy_since, launch.arrived, launch.finished.value_or(kNever)};
  }

  const std::vector<Record>& tlm_records_;
  const std::vector<Record>& clocked_records_;
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

Agreement Comparison::operator()() {
  // 1. Kernel by kernel.
  const std::size_t num_processes = std::max(tlm_.launches.size(), clocked_.launches.size());
  tlm_.launches.resize(num_processes);
  clocked_.launches.resize(num_processes);
  for (std::size_t process = 0; process < num_processes; ++process) {
    order_streams(tlm_.launches[process], clocked_.launches[process]);
  }
  for (std::size_t process = 0; process < num_processes; ++process) {
    compare_process(static_cast<std::uint16_t>(process));
  }
  // 2. What is judged by how far the logs as a whole have drifted apart.
  compare_drivers_decisions();
  compare_arrivals();
  compare_preemptions();
  compare_means();
  // 3. What no event may change.
  const bool channels_take_turns = of_tlm_.channels_take_turns || of_clocked_.channels_take_turns;
  if (const std::string gap = compare_gaps(tlm_, clocked_, unpaired_, channels_take_turns); !gap.empty())
    result_.what_is_wrong.push_back(gap);
  judge();
  result_.event_in_decision = explanations_.any_event();
  result_.verdict = verdict();
  return std::move(result_);
}

void Comparison::compare_process(std::uint16_t process) {
  const std::vector<LaunchTimes>& tlm = tlm_.launches[process];
  const std::vector<LaunchTimes>& clocked = clocked_.launches[process];
  const std::size_t num_common = std::min(tlm.size(), clocked.size());
  for (std::size_t nth = 0; nth < num_common; ++nth) {
    const LaunchRef ref{process, nth};
    if (!is_same_kernel(ref, tlm[nth], clocked[nth])) return;  // those behind it cannot be paired
    compare_launches(ref, tlm[nth], clocked[nth]);
  }
}

bool Comparison::is_same_kernel(const LaunchRef& ref, const LaunchTimes& tlm, const LaunchTimes& clocked) {
  if (tlm.kernel == clocked.kernel && tlm.run == clocked.run) return true;
  is_another_story_ = true;
  unpaired_.insert(ref.process);
  result_.what_differs.push_back(
      fmt::format("process {} launch {}: kernel {} of run {} in tlm, {} of run {} in clocked", ref.process, ref.nth,
                  tlm.kernel, tlm.run, clocked.kernel, clocked.run));
  return false;
}

void Comparison::compare_launches(const LaunchRef& ref, const LaunchTimes& tlm, const LaunchTimes& clocked) {
  if (tlm.finished && clocked.finished) {
    compare_turnarounds(ref, tlm, clocked);
  } else if (tlm.finished || clocked.finished) {
    compare_with_open(ref, tlm, clocked);
  }
}

void Comparison::compare_turnarounds(const LaunchRef& ref, const LaunchTimes& tlm, const LaunchTimes& clocked) {
  // 1. The same TBs.
  if (tlm.num_tbs != clocked.num_tbs) {
    is_another_story_ = true;
    result_.what_differs.push_back(
        fmt::format("{}: {} TBs in tlm, {} in clocked", describe(ref, tlm), tlm.num_tbs, clocked.num_tbs));
  }
  // 2. In the same time.
  const Cycle difference = apart(tlm.turnaround(), clocked.turnaround());
  const Cycle tolerance = turnaround_tolerance(clocked.turnaround());
  ++result_.kernels;
  if (difference == 0) ++result_.exact_kernels;
  result_.max_difference = std::max(result_.max_difference, difference);
  sum_of_distances_ += difference;
  sum_of_logs_ += std::log(static_cast<double>(std::max<Cycle>(1, clocked.turnaround())) /
                           static_cast<double>(std::max<Cycle>(1, tlm.turnaround())));
  if (difference <= tolerance) {
    ++result_.kernels_within;
    result_.sum_of_differences +=
        static_cast<std::int64_t>(clocked.turnaround()) - static_cast<std::int64_t>(tlm.turnaround());
    result_.sum_of_turnarounds += clocked.turnaround();
    return;
  }
  ++result_.kernels_beyond;
  note({ref, life(tlm), life(clocked)},
       fmt::format("{}: kernel_finished at cycle {} in tlm, {} in clocked, after {} and {}: {} apart, {} allowed",
                   describe(ref, tlm), *tlm.finished, *clocked.finished, tlm.turnaround(), clocked.turnaround(),
                   difference, tolerance));
}

// It is not known how long the open one will take, only how long it has taken.
void Comparison::compare_with_open(const LaunchRef& ref, const LaunchTimes& tlm, const LaunchTimes& clocked) {
  const bool is_open_in_tlm = !tlm.finished.has_value();
  const Cycle so_far = is_open_in_tlm ? tlm_.end - tlm.arrived : clocked_.end - clocked.arrived;
  const Cycle turnaround = is_open_in_tlm ? clocked.turnaround() : tlm.turnaround();
  const Cycle tolerance = turnaround_tolerance(is_open_in_tlm ? turnaround : so_far);
  if (so_far <= turnaround + tolerance) return;
  const std::string text = fmt::format("{}: kernel_finished after {} in {}, not yet after {} in {}", describe(ref, tlm),
                                       turnaround, log_name(!is_open_in_tlm), so_far, log_name(is_open_in_tlm));
  result_.what_differs.push_back(text);
  note({ref, life(tlm), life(clocked)}, text);
}

// The first launch of each process that has arrived in one log only.
void Comparison::compare_arrivals() {
  for (std::size_t i = 0; i < tlm_.launches.size(); ++i) {
    const auto process = static_cast<std::uint16_t>(i);
    const std::vector<LaunchTimes>& tlm = tlm_.launches[i];
    const std::vector<LaunchTimes>& clocked = clocked_.launches[i];
    if (tlm.size() == clocked.size() || unpaired_.count(process) != 0) continue;
    const bool is_in_tlm = tlm.size() > clocked.size();
    const std::size_t nth = std::min(tlm.size(), clocked.size());
    should_have_arrived({process, nth}, is_in_tlm ? tlm[nth] : clocked[nth], is_in_tlm);
  }
}

void Comparison::should_have_arrived(const LaunchRef& ref, const LaunchTimes& launch, bool is_in_tlm) {
  const Cycle other_end = is_in_tlm ? clocked_.end : tlm_.end;
  if (launch.arrived + drift() >= other_end) return;
  const std::string text =
      fmt::format("{}: kernel_arrived at cycle {} in {}, not until {} in {}", describe(ref, launch), launch.arrived,
                  log_name(is_in_tlm), other_end, log_name(!is_in_tlm));
  result_.what_differs.push_back(text);
  // Whatever kept it from arriving came before, and may have done so long ago: the host's commands follow each other.
  const Span until_arrival{0, launch.arrived, launch.arrived};
  note({ref, until_arrival, until_arrival}, text, of_groups_left(tlm_driver_, clocked_driver_, ref.process));
}

// How far one log may lie behind the other.
Cycle Comparison::drift() const { return sum_of_distances_ + turnaround_tolerance(std::min(tlm_.end, clocked_.end)); }

void Comparison::compare_preemptions() {
  for (const auto& [technique, cycles] : tlm_.preemptions) clocked_.preemptions[technique];
  for (const auto& [technique, clocked] : clocked_.preemptions) {
    const std::vector<Cycle>& tlm = tlm_.preemptions[technique];
    const std::string name(to_string(technique));
    result_.preemptions[name] = {tlm.size(), clocked.size()};
    if (may_be_equal(tlm, clocked)) continue;
    const std::string text =
        fmt::format("preemptions by {}: {} in tlm, {} in clocked", name, tlm.size(), clocked.size());
    result_.what_differs.push_back(text);
    // A count has no place in the log: a kernel's difference says more, if there is one. Where decisions were
    // judged, and are right, so is their number.
    if (!are_decisions_right() &&
        static_cast<double>(apart(tlm.size(), clocked.size())) > preemption_limit(std::max(tlm.size(), clocked.size())))
      result_.what_is_wrong.push_back(text + ": no explanation goes so far");
    std::string why = explanations_.of_span({}, {});
    if (why.empty()) why = result_.driver.explanation;
    if (result_.kernels_beyond == 0 && why.empty()) ++num_unexplained_;
    note_first(kNever, text, why);
  }
}

bool Comparison::are_decisions_right() const {
  const auto is_right = [](const DecisionReport& report) {
    return report.steps > 0 && report.overtaken <= overtaken_as_an_exception(report) && report.num_faults == 0;
  };
  return is_right(of_tlm_.decisions) && is_right(of_clocked_.decisions);
}

// The last ones in a log may come too late for the other.
bool Comparison::may_be_equal(const std::vector<Cycle>& tlm, const std::vector<Cycle>& clocked) const {
  const Cycle end = std::min(tlm_.end, clocked_.end);
  const Cycle certain = end - std::min(end, drift());
  const auto count = [certain](const std::vector<Cycle>& cycles) {
    return static_cast<std::size_t>(std::lower_bound(cycles.begin(), cycles.end(), certain) - cycles.begin());
  };
  return count(tlm) <= clocked.size() && count(clocked) <= tlm.size();
}

void Comparison::compare_means() {
  if (result_.kernels == 0) return;
  const double log_of_mean = sum_of_logs_ / static_cast<double>(result_.kernels);
  result_.mean_ratio = std::exp(log_of_mean);
  const double limit = mean_ratio_limit(result_.kernels);
  if (result_.kernels_beyond == 0 || std::abs(log_of_mean) <= limit) return;
  result_.what_is_wrong.push_back(fmt::format("kernels take {:.3f} times as long in clocked, {:.3f} are allowed for {}",
                                              result_.mean_ratio, std::exp(limit), result_.kernels));
}

// Without a driver that holds groups back there is nothing to compare.
void Comparison::compare_drivers_decisions() {
  result_.driver = compare_drivers(tlm_driver_, clocked_driver_);
  const DriverInputs inputs(tlm_driver_, clocked_driver_, tlm_, clocked_, explanations_, of_tlm_.driver);
  std::vector<std::string>& wrong = result_.what_is_wrong;
  for (const std::string& line : inputs.unexplained()) wrong.push_back(line);
  for (const std::string& line :
       compare_driver_latencies({tlm_driver_, tlm_}, {clocked_driver_, clocked_}, of_tlm_.driver.tick != 0))
    wrong.push_back(line);
  for (const bool is_tlm : {true, false}) {
    const std::uint32_t num_sms = (is_tlm ? of_tlm_ : of_clocked_).driver.measured_sms;
    if (num_sms == 0) continue;
    for (const std::string& line : wrong_measured_charges(is_tlm ? tlm_records_ : clocked_records_, num_sms))
      wrong.push_back(fmt::format("{}, {}", log_name(is_tlm), line));
  }
  if (!result_.driver.differs) return;
  if (!result_.driver.is_explained) ++num_unexplained_;
  note_first(kNever, result_.driver.first_difference, result_.driver.explanation);
}

void Comparison::judge() {
  std::vector<std::string>& wrong = result_.what_is_wrong;
  for (const std::string& line : compare_latencies(of_tlm_.latencies, of_clocked_.latencies)) wrong.push_back(line);
  for (const bool is_tlm : {true, false}) {
    const DecisionReport& report = is_tlm ? of_tlm_.decisions : of_clocked_.decisions;
    (is_tlm ? result_.tlm_decisions : result_.clocked_decisions) = report;
    for (const std::string& fault : report.faults) wrong.push_back(fmt::format("{}, {}", log_name(is_tlm), fault));
    const std::vector<std::string>& of_driver = (is_tlm ? of_tlm_ : of_clocked_).driver.faults;
    for (const std::string& fault : of_driver) wrong.push_back(fmt::format("{}, {}", log_name(is_tlm), fault));
    const std::uint64_t limit = overtaken_limit(report);
    if (report.overtaken > limit) {
      wrong.push_back(fmt::format("{}: {} of {} steps are not what the policy decides, {} may be so", log_name(is_tlm),
                                  report.overtaken, report.steps, limit));
    }
  }
}

void Comparison::note(const Late& late, const std::string& text, const std::string& or_else) {
  std::string why = explanations_.of(late);
  if (why.empty()) why = or_else;
  if (why.empty()) {
    ++num_unexplained_;
    ++result_.kernels_unexplained;
  }
  note_first(late.tlm.from, text, why);
}

// One without an explanation says more than one that has it; else the earliest is shown.
void Comparison::note_first(Cycle arrived, const std::string& text, const std::string& explanation) {
  const std::pair<bool, Cycle> rank{!explanation.empty(), arrived};
  if (!result_.first_difference.empty() && rank >= rank_of_first_) return;
  rank_of_first_ = rank;
  result_.first_difference = text;
  result_.explanation = explanation;
}

Verdict Comparison::verdict() const {
  if (is_another_story_ || num_unexplained_ > 0 || !result_.what_is_wrong.empty()) return Verdict::kUnexplained;
  if (!result_.first_difference.empty()) return Verdict::kExplained;
  const bool same_preemptions = std::all_of(result_.preemptions.begin(), result_.preemptions.end(),
                                            [](const auto& p) { return p.second.tlm == p.second.clocked; });
  const bool is_exact = result_.exact_kernels == result_.kernels && same_preemptions;
  return is_exact ? Verdict::kExact : Verdict::kWithinTolerance;
}

}  // namespace

Cycle turnaround_tolerance(Cycle turnaround) { return std::max(kMinTolerance, turnaround / kToleranceDivisor); }

Agreement compare_logs(const std::vector<Record>& tlm, const std::vector<Record>& clocked, const LogFindings& of_tlm,
                       const LogFindings& of_clocked) {
  return Comparison(tlm, clocked, of_tlm, of_clocked)();
}

}  // namespace tessera::verification
