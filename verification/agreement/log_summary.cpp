// SPDX-License-Identifier: Apache-2.0
// One pass over a log.
#include "verification/agreement/log_summary.h"

#include <algorithm>
#include <set>

#include "model/record/numbers.h"
#include "verification/agreement/logical_launches.h"

namespace tessera::verification {

using record::Kind;
using record::kNoIndex;
using record::kNoNumber;
using record::Record;
namespace number = record::number;

namespace {

// After its command was activated a buffer may be written, one buffer a cycle (docs/hardware/timing.md, 3.1).
constexpr Cycle kBufferFreeCycles = 2;

// Numbers of launches are a log's own: kernels of two processes may arrive in another order in the other log.
class Summariser {
 public:
  explicit Summariser(const std::vector<Record>& records) : logical_(records) {}

  LogSummary operator()(const std::vector<Record>& records) {
    for (const Record& record : records) visit(record);
    if (!records.empty()) summary_.end = records.back().cycle;
    return std::move(summary_);
  }

 private:
  void visit(const Record& record) {
    switch (record.kind) {
      case Kind::kKernelArrived:
        command_came(record);
        return arrived(record);
      case Kind::kGroupSubmitted:
        let_go_.insert(record.process);
        return;
      case Kind::kDmaStarted:
        return command_came(record);
      case Kind::kKernelFinished:
        return finished(record);
      case Kind::kPreemptionDone:
        summary_.preemptions[record.technique].push_back(record.cycle);
        if (LaunchTimes* launch = find(record); launch != nullptr) {
          launch->was_preempted = true;
          if (record.bytes > 0) launch->was_saved = true;
        }
        return;
      case Kind::kKernelActivated:
        last_activation_ = record.cycle;
        return;
      case Kind::kTbIssued:
        if (LaunchTimes* launch = find(record); launch != nullptr)
          launch->places.try_emplace(record.tb, TbPlace{record.sm, record.slot, record.cycle - launch->arrived});
        return;
      default:
        return;
    }
  }

  // Several of a process may come in one cycle, when it gets its turn.
  void command_came(const Record& record) {
    if (record.cycle != last_command_.cycle) before_ = last_command_.process;
    last_command_ = record;
  }

  void arrived(const Record& record) {
    if (record.process >= summary_.launches.size()) summary_.launches.resize(record.process + 1U);
    std::vector<LaunchTimes>& launches = summary_.launches[record.process];
    if (const std::uint32_t before = logical_.before(record.launch); before != kNoNumber) {
      where_[record.launch] = where_[before];
      return;
    }
    where_[record.launch] = {record.process, launches.size()};
    // A kernel that ends in this cycle makes room for this one.
    if (num_in_engine_++ == 0 && emptied_at_ != record.cycle) busy_since_ = record.cycle;
    LaunchTimes launch;
    launch.kernel = record.kernel;
    launch.run = record.run;
    launch.arrived = record.cycle;
    launch.busy_since = busy_since_;
    // An event-driven kernel waits for its token, and its end may be a kill.
    launch.is_event_driven = logical_.is_event_driven(record.launch);
    const bool waits_for_end = !launches.empty() && !launches.back().is_event_driven && !launch.is_event_driven;
    if (waits_for_end && launches.back().finished)
      launch.gap = {record.cycle - launches.back().arrived, record.cycle - *launches.back().finished};
    launch.waited_for_buffer = record.cycle - last_activation_ <= kBufferFreeCycles;
    launch.was_held = let_go_.erase(record.process) != 0;
    launch.follows_another = before_ != record.process;
    launches.push_back(std::move(launch));
  }

  void finished(const Record& record) {
    LaunchTimes* const launch = find(record);
    if (launch == nullptr) return;                     // check_log's concern
    if (logical_.is_suspended(record.launch)) return;  // it is still under way
    launch->finished = record.cycle;
    launch->num_tbs = number::tbs(record);
    if (--num_in_engine_ == 0) emptied_at_ = record.cycle;
  }

  LaunchTimes* find(const Record& record) {
    const auto where = where_.find(record.launch);
    return where == where_.end() ? nullptr : &summary_.launches[where->second.first][where->second.second];
  }

  LogicalLaunches logical_;
  LogSummary summary_;
  std::unordered_map<std::uint32_t, std::pair<std::uint16_t, std::size_t>> where_;  // launch -> process, how-manieth
  std::uint32_t num_in_engine_ = 0;
  Cycle busy_since_ = 0;
  Cycle last_activation_ = kNever;
  Cycle emptied_at_ = kNever;
  std::set<std::uint16_t> let_go_;   // processes whose group a driver has submitted, and no kernel of it has come
  Record last_command_;              // that came to an engine
  std::uint16_t before_ = kNoIndex;  // whose the last one of an earlier cycle was
};

}  // namespace

LogSummary summarise(const std::vector<Record>& records) { return Summariser(records)(records); }

void order_streams(std::vector<LaunchTimes>& tlm, std::vector<LaunchTimes>& clocked) {
  if (tlm.empty() || clocked.empty()) return;
  const std::uint32_t first_partial = std::min(tlm.back().run, clocked.back().run);
  const auto goes_before = [first_partial](const LaunchTimes& a, const LaunchTimes& b) {
    return a.run != b.run ? a.run < b.run : a.run < first_partial && a.kernel < b.kernel;
  };
  std::stable_sort(tlm.begin(), tlm.end(), goes_before);
  std::stable_sort(clocked.begin(), clocked.end(), goes_before);
}

}  // namespace tessera::verification
