// SPDX-License-Identifier: Apache-2.0
// Where no call is recorded, how long a copy held up the host follows from what is copied and how. Without that, work
// of other streams would run ahead of the copy of its input as soon as the copy takes longer than recorded.
#include <fmt/format.h>

#include <algorithm>

#include "importer/workload.h"

namespace tessera::importer {
namespace {

class CopyOrder {
 public:
  CopyOrder(const Profile& profile, Workload& workload) : profile_(profile), workload_(workload) {}

  void run() {
    std::size_t num_held = 0;
    for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
      Operation& operation = workload_.operations[i];
      const GpuActivity& copy = activity(i);
      if (operation.has_call || !(copy.holds_host || copy.follows_all)) {
        last_ = i;
        continue;
      }
      if (copy.follows_all) wait_for_other_streams(i);
      last_ = i;
      if (!copy.holds_host || is_followed_meanwhile(i)) continue;
      hold_host(i);
      ++num_held;
    }
    if (num_held == 0) return;
    workload_.notes.push_back(
        fmt::format("{} copies without a call hold up the host until they end, by what is copied and how", num_held));
  }

 private:
  const GpuActivity& activity(std::uint32_t i) const { return profile_.activities[workload_.operations[i].activity]; }

  // Unless all of it is in the copy's own stream, or was waited for.
  void wait_for_other_streams(std::uint32_t i) {
    const auto other = [&](const Operation& each) { return each.stream != workload_.operations[i].stream; };
    const auto from = workload_.operations.begin() + waited_until_;
    if (std::none_of(from, workload_.operations.begin() + i, other)) return;
    add_wait(i, last_, workload_.operations[i].call_start);
  }

  // A host that called for something meanwhile was not held up.
  bool is_followed_meanwhile(std::uint32_t i) const {
    if (!profile_.has_times || i + 1 == workload_.operations.size()) return false;
    return activity(i + 1).start + kTolerance < activity(i).end();
  }

  void hold_host(std::uint32_t i) {
    Operation& operation = workload_.operations[i];
    operation.call_end = std::max(operation.call_end, activity(i).end());
    if (activity(i).is_copy_with_host()) {
      operation.blocks_host = true;
    } else if (i + 1 < workload_.operations.size()) {  // it is a kernel here, which no host waits for by itself
      add_wait(i + 1, i, workload_.operations[i + 1].call_start);
    }
  }

  void add_wait(std::uint32_t before, std::uint32_t awaited, Nanoseconds time) {
    HostWait wait;
    wait.start = wait.end = time;
    wait.before = before;
    wait.is_for_device = true;
    wait.awaited = awaited;
    workload_.waits.push_back(wait);
    waited_until_ = before;
  }

  const Profile& profile_;
  Workload& workload_;
  std::uint32_t last_ = 0;          // operation
  std::uint32_t waited_until_ = 0;  // all operations before this one are waited for
};

}  // namespace

void order_copies_without_calls(const Profile& profile, Workload& workload) { CopyOrder(profile, workload).run(); }

}  // namespace tessera::importer
