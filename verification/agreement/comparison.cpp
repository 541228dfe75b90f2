// SPDX-License-Identifier: Apache-2.0
// Kernel by kernel, and what it comes to.
#include "verification/agreement/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verification/agreement/gaps.h"

namespace tessera::verification {

std::string Comparison::describe(const LaunchRef& ref, const LaunchTimes& launch) {
  return fmt::format("process {} launch {} (kernel {}, run {})", ref.process, ref.nth, launch.kernel, launch.run);
}

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

}  // namespace tessera::verification
