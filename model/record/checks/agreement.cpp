// SPDX-License-Identifier: Apache-2.0
// Pairs the kernels of two logs, compares their turnarounds, and looks for events inside decisions.
#include "model/record/checks/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "model/record/kind_info.h"

namespace tessera::record {
namespace {

constexpr Cycle kMinTolerance = 64;
constexpr Cycle kToleranceDivisor = 1000;

// --- One log ---------------------------------------------------------------------------------------------

struct LaunchTimes {
  std::uint16_t kernel = kNoIndex;
  std::uint32_t run = kNoNumber;
  Cycle arrived = 0;
  std::optional<Cycle> finished;
  std::uint64_t num_tbs = 0;  // that it reports when it finishes

  Cycle turnaround() const { return *finished - arrived; }
};

struct LogSummary {
  std::vector<std::vector<LaunchTimes>> launches;       // [process][n-th launch]
  std::map<Technique, std::vector<Cycle>> preemptions;  // when they were done
  Cycle end = 0;
};

// Numbers of launches are a log's own: kernels of two processes may arrive in another order in the other log.
class Summariser {
 public:
  LogSummary operator()(const std::vector<Record>& records) {
    for (const Record& record : records) visit(record);
    if (!records.empty()) summary_.end = records.back().cycle;
    return std::move(summary_);
  }

 private:
  void visit(const Record& record) {
    if (record.kind == Kind::kKernelArrived) {
      arrived(record);
    } else if (record.kind == Kind::kKernelFinished) {
      finished(record);
    } else if (record.kind == Kind::kPreemptionDone) {
      summary_.preemptions[record.technique].push_back(record.cycle);
    }
  }

  void arrived(const Record& record) {
    if (record.process >= summary_.launches.size()) summary_.launches.resize(record.process + 1U);
    std::vector<LaunchTimes>& launches = summary_.launches[record.process];
    nth_[record.launch] = launches.size();
    launches.push_back({record.kernel, record.run, record.cycle, std::nullopt, 0});
  }

  void finished(const Record& record) {
    const auto nth = nth_.find(record.launch);
    if (nth == nth_.end()) return;  // check_log's concern
    LaunchTimes& launch = summary_.launches[record.process][nth->second];
    launch.finished = record.cycle;
    launch.num_tbs = record.value;
  }

  LogSummary summary_;
  std::unordered_map<std::uint32_t, std::size_t> nth_;  // launch -> the how-manieth of its process
};

// Kernels of several streams may arrive in another order: within runs that both logs have whole, pair them by kernel.
void order_streams(std::vector<LaunchTimes>& tlm, std::vector<LaunchTimes>& clocked) {
  if (tlm.empty() || clocked.empty()) return;
  const std::uint32_t first_partial = std::min(tlm.back().run, clocked.back().run);
  const auto goes_before = [first_partial](const LaunchTimes& a, const LaunchTimes& b) {
    return a.run != b.run ? a.run < b.run : a.run < first_partial && a.kernel < b.kernel;
  };
  std::stable_sort(tlm.begin(), tlm.end(), goes_before);
  std::stable_sort(clocked.begin(), clocked.end(), goes_before);
}

// --- Events inside decisions -----------------------------------------------------------------------------

struct Decision {
  Cycle begin = 0;
  Cycle end = kNever;
};

struct InnerEvent {
  Record record;
  Decision decision;
};

// A decision may begin in the cycle in which the last one ends; its policy_invoked then comes before that one's
// policy_decided in the log.
std::vector<Decision> decisions_of(const std::vector<Record>& records) {
  std::vector<Decision> decisions;
  std::size_t num_ended = 0;
  for (const Record& record : records) {
    if (record.kind == Kind::kPolicyInvoked) decisions.push_back({record.cycle, kNever});
    const bool ends = record.kind == Kind::kPolicyDecided && num_ended < decisions.size();
    if (ends) decisions[num_ended++].end = record.cycle;
  }
  return decisions;
}

// A drain that is cancelled for an owner with nothing left to run releases the SM at once.
bool is_released_by_policy(const std::vector<Record>& records, std::size_t released) {
  for (std::size_t i = released; i < records.size() && records[i].cycle == records[released].cycle; ++i) {
    if (records[i].kind == Kind::kPreemptionRetargeted && records[i].sm == records[released].sm) return true;
  }
  return false;
}

// Does the record change the tables that the policy searches, other than by the policy's own doing?
bool is_from_outside(const std::vector<Record>& records, std::size_t i) {
  switch (records[i].kind) {
    case Kind::kTbFinished:
    case Kind::kRestoreDone:
    case Kind::kKernelFinished:
    case Kind::kKernelArrived:
    case Kind::kTbIssued:  // an SM is refilled, or its set-up is over
      return true;
    case Kind::kPreemptionDone:
      return records[i].cycles > 0;  // not within the request itself
    case Kind::kSmReleased:
      return !is_released_by_policy(records, i);
    default:
      return false;
  }
}

// Calls visit(InnerEvent) for each event inside a decision, until that returns false.
template <typename Visit>
void for_each_inner_event(const std::vector<Record>& records, const std::vector<Decision>& decisions, Visit visit) {
  std::size_t next = 0;  // the first decision that is not over
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Cycle now = records[i].cycle;
    while (next < decisions.size() && decisions[next].end < now) ++next;
    if (next == decisions.size()) return;
    if (decisions[next].begin >= now || !is_from_outside(records, i)) continue;
    if (!visit(InnerEvent{records[i], decisions[next]})) return;
  }
}

// A span of cycles in which a difference came about: from an arrival to what was late.
struct Span {
  Cycle from = 0;
  Cycle before = kNever;
};

class InnerEvents {
 public:
  explicit InnerEvents(const std::vector<Record>& records) : records_(records), decisions_(decisions_of(records)) {}

  bool any() const { return find({0, kNever}).has_value(); }

  // The first one in the span, else the last one before it: what is nearest to the beginning explains most.
  std::optional<InnerEvent> find(const Span& span) const {
    std::optional<InnerEvent> found;
    for_each_inner_event(records_, decisions_, [&](const InnerEvent& event) {
      if (event.record.cycle < span.before) found = event;
      return event.record.cycle < span.from;
    });
    return found;
  }

 private:
  const std::vector<Record>& records_;
  std::vector<Decision> decisions_;
};

// "tb_finished sm 0 launch 3 tb 5"
std::string describe(const Record& record) {
  const KindInfo& info = kind_info(record.kind);
  std::string text(info.name);
  if (info.has(kFieldProcess)) text += fmt::format(" process {}", record.process);
  if (info.has(kFieldKernel)) text += fmt::format(" kernel {}", record.kernel);
  if (info.has(kFieldRun)) text += fmt::format(" run {}", record.run);
  if (info.has(kFieldSm)) text += fmt::format(" sm {}", record.sm);
  if (info.has(kFieldLaunch)) text += fmt::format(" launch {}", record.launch);
  if (info.has(kFieldTb)) text += fmt::format(" tb {}", record.tb);
  return text;
}

std::string describe(const char* log, const InnerEvent& event) {
  const Decision& decision = event.decision;
  const std::string end = decision.end == kNever ? "the end of the log" : fmt::format("{}", decision.end);
  return fmt::format("{}, cycle {}: {} during the decision from {} to {}", log, event.record.cycle,
                     describe(event.record), decision.begin, end);
}

// --- Two logs --------------------------------------------------------------------------------------------

// Beyond the tolerance, and where in the logs it may have come from.
struct Difference {
  Cycle arrived = 0;
  Span tlm;
  Span clocked;
  std::string text;
};

const char* log_name(bool is_tlm) { return is_tlm ? "tlm" : "clocked"; }

Cycle distance(Cycle a, Cycle b) { return a < b ? b - a : a - b; }

// The less, the better an event explains what came about in a span: in it, then before it, near its beginning.
std::pair<int, Cycle> nearness(const std::optional<InnerEvent>& event, const Span& span) {
  if (!event) return {2, kNever};
  return {event->record.cycle >= span.from ? 0 : 1, distance(event->record.cycle, span.from)};
}

// The n-th launch of a process.
struct LaunchRef {
  std::uint16_t process = kNoIndex;
  std::size_t nth = 0;
};

std::string describe(const LaunchRef& ref, const LaunchTimes& launch) {
  return fmt::format("process {} launch {} (kernel {}, run {})", ref.process, ref.nth, launch.kernel, launch.run);
}

class Comparison {
 public:
  Comparison(const std::vector<Record>& tlm, const std::vector<Record>& clocked)
      : tlm_(Summariser()(tlm)), clocked_(Summariser()(clocked)), tlm_events_(tlm), clocked_events_(clocked) {}

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
  bool may_be_equal(const std::vector<Cycle>& tlm, const std::vector<Cycle>& clocked) const;

  void note_difference(Difference difference);
  void explain();
  Verdict verdict() const;

  Cycle drift() const;
  Span life(const LaunchTimes& launch) const { return {launch.arrived, launch.finished.value_or(kNever)}; }

  LogSummary tlm_;
  LogSummary clocked_;
  InnerEvents tlm_events_;
  InnerEvents clocked_events_;

  Agreement result_;
  bool is_another_story_ = false;     // another kernel, or another number of TBs
  std::set<std::uint16_t> unpaired_;  // processes with another kernel
  std::optional<Difference> first_;
  Cycle sum_of_differences_ = 0;
};

Agreement Comparison::operator()() {
  // 1. Kernel by kernel.
  const std::size_t num_processes = std::max(tlm_.launches.size(), clocked_.launches.size());
  tlm_.launches.resize(num_processes);
  clocked_.launches.resize(num_processes);
  for (std::size_t process = 0; process < num_processes; ++process) {
    order_streams(tlm_.launches[process], clocked_.launches[process]);
    compare_process(static_cast<std::uint16_t>(process));
  }
  // 2. What is judged by how far the logs as a whole have drifted apart.
  compare_arrivals();
  compare_preemptions();
  // 3. Why.
  result_.event_in_decision = tlm_events_.any() || clocked_events_.any();
  explain();
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
  const Cycle difference = distance(tlm.turnaround(), clocked.turnaround());
  const Cycle tolerance = turnaround_tolerance(clocked.turnaround());
  ++result_.kernels;
  if (difference == 0) ++result_.exact_kernels;
  ++(difference <= tolerance ? result_.kernels_within : result_.kernels_beyond);
  result_.max_difference = std::max(result_.max_difference, difference);
  sum_of_differences_ += difference;
  if (difference <= tolerance) return;
  note_difference({tlm.arrived, life(tlm), life(clocked),
                   fmt::format("{}: kernel_finished at cycle {} in tlm, {} in clocked, after {} and {}: {} apart, {} "
                               "allowed",
                               describe(ref, tlm), *tlm.finished, *clocked.finished, tlm.turnaround(),
                               clocked.turnaround(), difference, tolerance)});
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
  note_difference({tlm.arrived, life(tlm), life(clocked), text});
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
  // Whatever kept it from arriving came before.
  const Span until_arrival{launch.arrived, launch.arrived};
  note_difference({launch.arrived, until_arrival, until_arrival, text});
}

// How far one log may lie behind the other.
Cycle Comparison::drift() const { return sum_of_differences_ + turnaround_tolerance(std::min(tlm_.end, clocked_.end)); }

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
    // A count has no place in the log: a kernel's difference says more, if there is one.
    note_difference({kNever, {}, {}, text});
  }
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

void Comparison::note_difference(Difference difference) {
  if (!first_ || difference.arrived < first_->arrived) first_ = std::move(difference);
}

void Comparison::explain() {
  if (!first_) return;
  result_.first_difference = first_->text;
  const std::optional<InnerEvent> tlm = tlm_events_.find(first_->tlm);
  const std::optional<InnerEvent> clocked = clocked_events_.find(first_->clocked);
  if (!tlm && !clocked) return;
  const bool is_tlm = nearness(tlm, first_->tlm) <= nearness(clocked, first_->clocked);
  result_.explanation = is_tlm ? describe("tlm", *tlm) : describe("clocked", *clocked);
}

Verdict Comparison::verdict() const {
  if (is_another_story_) return Verdict::kUnexplained;
  if (first_) return result_.explanation.empty() ? Verdict::kUnexplained : Verdict::kExplained;
  const bool same_preemptions = std::all_of(result_.preemptions.begin(), result_.preemptions.end(),
                                            [](const auto& p) { return p.second.tlm == p.second.clocked; });
  const bool is_exact = result_.exact_kernels == result_.kernels && same_preemptions;
  return is_exact ? Verdict::kExact : Verdict::kWithinTolerance;
}

}  // namespace

Cycle turnaround_tolerance(Cycle turnaround) { return std::max(kMinTolerance, turnaround / kToleranceDivisor); }

Agreement compare_logs(const std::vector<Record>& tlm, const std::vector<Record>& clocked) {
  return Comparison(tlm, clocked)();
}

}  // namespace tessera::record
