// SPDX-License-Identifier: Apache-2.0
// What is judged by how far the logs as a whole have drifted apart, and what was found while they were written.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verification/agreement/comparison.h"
#include "verification/agreement/driver_decisions.h"
#include "verification/agreement/driver_inputs.h"
#include "verification/agreement/driver_latencies.h"
#include "verification/agreement/measured_charges.h"

namespace tessera::verification {
namespace {

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

}  // namespace

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

}  // namespace tessera::verification
