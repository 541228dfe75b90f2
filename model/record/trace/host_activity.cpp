// SPDX-License-Identifier: Apache-2.0
#include "model/record/trace/host_activity.h"

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::record {
namespace {

std::size_t direction_of(const Record& transfer) { return number::is_to_host(transfer) == 0 ? 0 : 1; }

}  // namespace

void HostActivity::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kKernelArrived:
      return kernel_arrived(record);
    case Kind::kKernelActivated:
      if (const auto found = launches_.find(record.launch); found != launches_.end())
        listener_.kernel_activated(found->second, record.launch, record.cycle);
      return;
    case Kind::kKernelFinished:
      return kernel_ended(record.launch, record.cycle);
    case Kind::kPolicyDecided:
      return policy_decided(record);
    case Kind::kDmaStarted:
      transfers_[direction_of(record)].push_back({record.cycle, record.process});
      return;
    case Kind::kDmaEnded:
      return transfer_ended(direction_of(record), record.cycle);
    case Kind::kRunStarted:
      processes_.at(record.process).runs.emplace(record.run, record.cycle);
      return;
    case Kind::kRunEnded:
      return run_ended(record.process, record.run, record.cycle);
    default:
      return;
  }
}

void HostActivity::kernel_arrived(const Record& record) {
  std::vector<bool>& lanes = processes_.at(record.process).busy_lanes;
  const auto free = std::find(lanes.begin(), lanes.end(), false);
  const KernelLane lane{record.process, static_cast<std::size_t>(free - lanes.begin())};
  if (free == lanes.end()) lanes.push_back(false);
  lanes[lane.lane] = true;
  launches_[record.launch] = lane;
  listener_.kernel_arrived(lane, record);
}

void HostActivity::kernel_ended(std::uint32_t launch, Cycle cycle) {
  const auto found = launches_.find(launch);
  if (found == launches_.end()) return;
  const KernelLane lane = found->second;
  processes_[lane.process].busy_lanes[lane.lane] = false;
  launches_.erase(found);
  listener_.kernel_ended(lane, launch, cycle);
}

void HostActivity::run_ended(std::uint16_t process, std::uint32_t run, Cycle cycle) {
  std::map<std::uint32_t, Cycle>& runs = processes_.at(process).runs;
  const auto started = runs.find(run);
  if (started == runs.end()) return;
  listener_.run_ended(process, run, started->second, cycle);
  runs.erase(started);
}

void HostActivity::transfer_ended(std::size_t direction, Cycle cycle) {
  std::deque<Transfer>& transfers = transfers_[direction];
  if (transfers.empty()) return;
  listener_.transfer_ended(direction, transfers.front().process, transfers.front().begin, cycle);
  transfers.pop_front();
}

void HostActivity::policy_decided(const Record& record) {
  const Cycle invoked = record.cycle - std::min(record.cycle, record.cycles);
  listener_.decided(std::max(invoked, last_decision_), record.cycle);
  last_decision_ = record.cycle;
}

void HostActivity::finish(Cycle end) {
  while (!launches_.empty()) kernel_ended(launches_.begin()->first, end);
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    while (!processes_[i].runs.empty()) {
      run_ended(static_cast<std::uint16_t>(i), processes_[i].runs.begin()->first, end);
    }
  }
  for (std::size_t direction = 0; direction < transfers_.size(); ++direction) {
    while (!transfers_[direction].empty()) transfer_ended(direction, end);
  }
}

}  // namespace tessera::record
