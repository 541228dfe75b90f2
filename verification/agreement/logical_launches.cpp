// SPDX-License-Identifier: Apache-2.0
// A host event loop launches one event-driven kernel at a time, until its loops are done or it is killed.
#include "verification/agreement/logical_launches.h"

#include "model/record/numbers.h"

namespace tessera::verification {

using record::Kind;
using record::kNoNumber;
using record::Record;
namespace number = record::number;

LogicalLaunches::LogicalLaunches(const std::vector<Record>& records) {
  std::unordered_set<std::uint16_t> killed;  // processes: the kernel under way, or the one that has just left
  for (const Record& record : records) {
    switch (record.kind) {
      case Kind::kKernelArrived:
        arrived(record);
        break;
      case Kind::kLoopResumed:
        event_driven_.insert(record.launch);
        break;
      case Kind::kLoopsLeft:
        event_driven_.insert(record.launch);
        last_left_[record.process] = launches_[record.launch];
        if (number::loops_left(record) > 0 && killed.count(record.process) == 0) suspended_.insert(record.launch);
        break;
      case Kind::kKernelKilled:  // the word may come when the kernel has left
        killed.insert(record.process);
        if (const auto left = last_left_.find(record.process); left != last_left_.end())
          suspended_.erase(left->second.number);
        break;
      case Kind::kTokenReleased:
        killed.erase(record.process);
        break;
      default:
        break;
    }
  }
}

void LogicalLaunches::arrived(const Record& record) {
  launches_[record.launch] = {record.launch, record.kernel, record.run};
  const auto left = last_left_.find(record.process);
  if (left == last_left_.end() || suspended_.count(left->second.number) == 0) return;
  if (left->second.kernel != record.kernel || left->second.run != record.run) return;
  before_[record.launch] = left->second.number;
  last_left_.erase(left);
}

std::uint32_t LogicalLaunches::before(std::uint32_t launch) const {
  const auto found = before_.find(launch);
  return found == before_.end() ? kNoNumber : found->second;
}

}  // namespace tessera::verification
