// SPDX-License-Identifier: Apache-2.0
#include "campaign/z21/late_job.h"

#include <algorithm>
#include <numeric>

#include "model/record/numbers.h"
#include "model/record/trace/sm_phase.h"
#include "model/spec/spec.h"

namespace tessera::campaign::z21 {
namespace {

using record::Kind;
using record::Record;
using record::SmPhase;

constexpr double kPicosecondsPerMillisecond = 1e9;

using Losses = std::array<Cycle, kLossNames.size()>;  // in SM cycles
Cycle& of(Losses& losses, Loss loss) { return losses[static_cast<std::size_t>(loss)]; }

// A job due no later than the late one, or that one.
struct UrgentJob {
  Cycle arrived = kNever;  // at the command buffer
  Cycle finished = kNever;
};

// Reads the log of a partition once its first job is late.
class Inquest {
 public:
  Inquest(const std::vector<Record>& log, Cycle set_up_cycles, const std::pair<std::uint16_t, std::uint32_t>& job,
          Cycle released, Cycle due, Cycle end)
      : log_(log), set_up_cycles_(set_up_cycles), released_(released), end_(end) {
    std::map<std::pair<std::uint16_t, std::uint32_t>, Cycle> due_of;
    for (const Record& record : log_) {
      const std::pair id(record.process, record.run);
      if (record.kind == Kind::kRunReleased) due_of[id] = record.cycle + record::number::deadline(record);
      if (record.kind == Kind::kKernelArrived && due_of[id] <= due) {
        urgent_[record.launch].arrived = record.cycle;
        if (id == job) own_ = record.launch;
      }
      const auto found = urgent_.find(record.launch);
      if (record.kind == Kind::kKernelFinished && found != urgent_.end()) found->second.finished = record.cycle;
    }
  }

  // In which urgent jobs are at the engine without a break, the late one among them.
  std::pair<Cycle, Cycle> busy() const {
    const auto own = urgent_.find(own_);
    if (own == urgent_.end()) return {end_, end_};
    std::vector<std::pair<Cycle, Cycle>> at_engine;
    for (const auto& [launch, job] : urgent_) at_engine.emplace_back(job.arrived, job.finished);
    std::sort(at_engine.begin(), at_engine.end());
    Cycle begin = at_engine.front().first;
    Cycle until = begin;
    for (const auto& [arrived, finished] : at_engine) {
      if (arrived > own->second.arrived) break;
      if (arrived > until) begin = arrived;
      until = std::max(until, finished);
    }
    return {begin, std::min(own->second.finished, end_)};
  }

  Losses losses() const {
    const auto [begin, until] = busy();
    Losses losses{};
    std::map<std::uint16_t, Sm> sms;
    Cycle changed = begin;  // the last time that somebody else became first, as far as that can be
    for (const Record& record : log_) {
      if (record.cycle > until) break;
      const bool is_urgent_change = record.kind == Kind::kKernelArrived || record.kind == Kind::kKernelFinished;
      if (is_urgent_change && is_urgent(record.launch)) changed = std::max(changed, record.cycle);
      if (record.sm == record::kNoIndex) continue;
      Sm& sm = sms[record.sm];
      if (is_taken(record)) waited(sm, std::max(changed, sm.since), record.cycle, losses);
      spent(sm, begin, record.cycle, losses);
      follow(sm, record);
    }
    for (auto& [index, sm] : sms) spent(sm, begin, until, losses);
    return losses;
  }

  Cycle paths() const {
    const auto [begin, until] = busy();
    return (begin > released_ ? begin - released_ : 0) + (end_ - until);
  }

 private:
  struct Sm {
    record::SmState state;
    std::uint32_t reserved_for = record::kNoNumber;
    Cycle since = 0;    // it is in its phase
    Cycle counted = 0;  // up to here
  };

  bool is_urgent(std::uint32_t launch) const { return urgent_.count(launch) > 0; }

  // An urgent job gets it, or has it reserved.
  bool is_taken(const Record& record) const {
    if (record.kind == Kind::kSmSetUp) return is_urgent(record.launch);
    return record.kind == Kind::kPreemptionRequested &&
           is_urgent(static_cast<std::uint32_t>(record::number::reserved_for(record)));
  }

  void waited(const Sm& sm, Cycle from, Cycle to, Losses& losses) const {
    const SmPhase phase = sm.state.phase();
    const bool is_running = phase == SmPhase::kRunning || phase == SmPhase::kSetUp;
    const bool is_of_another = is_running && !is_urgent(sm.state.launch());
    if ((phase == SmPhase::kIdle || is_of_another) && to > from) of(losses, Loss::kSearch) += to - from;
  }

  void spent(Sm& sm, Cycle begin, Cycle to, Losses& losses) const {
    const Cycle from = std::max(begin, sm.counted);
    sm.counted = to;
    if (to <= from) return;
    const bool is_for_urgent = is_urgent(sm.reserved_for);
    const bool is_of_urgent = is_urgent(sm.state.launch());
    switch (sm.state.phase()) {
      case SmPhase::kDraining:
        if (is_for_urgent && !is_of_urgent) of(losses, Loss::kBlocking) += to - from;
        break;
      case SmPhase::kReserved:
      case SmPhase::kSaving:
        if (is_for_urgent) of(losses, Loss::kSwitching) += to - from;
        break;
      case SmPhase::kSetUp:  // and, as far as records without thread blocks tell, running
        if (is_of_urgent) of(losses, Loss::kSwitching) += set_up_before(sm, to) - set_up_before(sm, from);
        break;
      case SmPhase::kRestoring:
        if (is_of_urgent) of(losses, Loss::kSwitching) += to - from;
        break;
      default:
        break;
    }
  }

  Cycle set_up_before(const Sm& sm, Cycle now) const { return std::min(now - std::min(now, sm.since), set_up_cycles_); }

  static void follow(Sm& sm, const Record& record) {
    const SmPhase before = sm.state.phase();
    const std::uint32_t owner = sm.state.launch();
    sm.state.apply(record);
    if (record.kind == Kind::kPreemptionRequested || record.kind == Kind::kPreemptionRetargeted) {
      sm.reserved_for = static_cast<std::uint32_t>(record::number::reserved_for(record));
    }
    if (sm.state.phase() != before || sm.state.launch() != owner) sm.since = record.cycle;
  }

  const std::vector<Record>& log_;
  Cycle set_up_cycles_;
  Cycle released_;
  Cycle end_;
  std::uint32_t own_ = record::kNoNumber;      // launch of the late job
  std::map<std::uint32_t, UrgentJob> urgent_;  // by launch
};

}  // namespace

double LateJob::lost() const { return std::accumulate(lost_ms.begin(), lost_ms.end(), 0.0); }

std::string LateJob::cause() const {
  if (busy_ms <= 0) return "";
  if (lost() < response_ms - deadline_ms) return "its own demand";
  return kLossNames.at(static_cast<std::size_t>(std::max_element(lost_ms.begin(), lost_ms.end()) - lost_ms.begin()));
}

FirstLate::FirstLate(const spec::Spec& spec)
    : spec_(&spec), partitions_(spec.gpu.num_sms), logs_(spec.partitions.size()), num_open_(spec.partitions.size(), 0) {
  for (std::size_t i = 0; i < spec.partitions.size(); ++i) {
    for (const std::uint32_t sm : spec.partitions[i].sms) partitions_.at(sm) = i;
  }
}

std::optional<std::size_t> FirstLate::partition_of(const Record& record) const {
  if (logs_.empty()) return {};
  if (record.sm != record::kNoIndex) return partitions_.at(record.sm);
  if (record.process != record::kNoIndex) return spec_->processes.at(record.process).partition;
  return {};
}

void FirstLate::consume(const Record& record) {
  if (late_) return;
  const std::optional<std::size_t> partition = partition_of(record);
  if (partition) logs_[*partition].push_back(record);
  if (record.kind == Kind::kRunReleased) {
    open_[{record.process, record.run}] = {record.cycle, record::number::deadline(record)};
    if (partition) ++num_open_[*partition];
  }
  if (record.kind == Kind::kRunEnded) end_of_run(record);
}

void FirstLate::end_of_run(const Record& record) {
  const auto found = open_.find({record.process, record.run});
  if (found == open_.end()) return;  // check_log's concern
  if (record.cycle - found->second.released > found->second.deadline) {
    tell(found->first, found->second, record.cycle, true);
    return;
  }
  open_.erase(found);
  const std::optional<std::size_t> partition = partition_of(record);
  if (partition && --num_open_[*partition] == 0) logs_[*partition].clear();
}

void FirstLate::finish(Cycle end) {
  const auto due = [](const auto& job) { return job.second.released + job.second.deadline; };
  const auto first =
      std::min_element(open_.begin(), open_.end(), [&](const auto& a, const auto& b) { return due(a) < due(b); });
  if (!late_ && first != open_.end() && end > due(*first)) tell(first->first, first->second, end, false);
}

void FirstLate::tell(const JobId& job, const Open& open, Cycle end, bool has_ended) {
  const Clock clock(spec_->gpu.clock_hz);
  const auto ms = [&](Cycle cycles) { return static_cast<double>(clock.time_of(cycles)) / kPicosecondsPerMillisecond; };
  const spec::ProcessSpec& process = spec_->processes.at(job.first);
  LateJob& late = late_.emplace();
  late.task = process.name;
  late.run = job.second;
  late.has_ended = has_ended;
  late.response_ms = ms(end - open.released);
  late.deadline_ms = static_cast<double>(*process.deadline) / kPicosecondsPerMillisecond;
  if (logs_.empty()) return;
  const Inquest inquest(logs_[process.partition], spec_->gpu.framework.sm_setup_cycles, job, open.released,
                        open.released + open.deadline, end);
  late.busy_ms = ms(end - std::min(open.released, inquest.busy().first));
  Losses losses = inquest.losses();
  for (Cycle& loss : losses) loss /= spec_->partitions[process.partition].sms.size();
  of(losses, Loss::kPaths) = inquest.paths();
  std::transform(losses.begin(), losses.end(), late.lost_ms.begin(), ms);
}

}  // namespace tessera::campaign::z21
