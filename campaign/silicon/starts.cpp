// SPDX-License-Identifier: Apache-2.0
// The middle start of an even number is the later one of the two, as the probe has it.
#include "campaign/silicon/starts.h"

#include <algorithm>

#include "campaign/silicon/run_times.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

using record::Kind;

StartSink::StartSink(const spec::Spec& spec, std::uint16_t process, std::uint16_t kernel)
    : clock_(spec.gpu.clock_hz), process_(process), kernel_(kernel) {}

void StartSink::consume(const record::Record& record) {
  switch (record.kind) {
    case Kind::kKernelActivated:
      if (record.process == process_ && record.kernel == kernel_) launches_[record.launch].arrived = record.cycle;
      return;
    case Kind::kTbIssued: {
      if (launches_.empty()) return;
      const auto found = launches_.find(record.launch);
      (found == launches_.end() ? others_ : found->second.starts).push_back(record.cycle);
      return;
    }
    case Kind::kKernelFinished: {
      const auto found = launches_.find(record.launch);
      if (found == launches_.end()) return;
      finish(found->second);
      launches_.erase(found);
      if (launches_.empty()) others_.clear();
      return;
    }
    default:
      return;
  }
}

void StartSink::finish(const Launch& launch) {
  const std::vector<Cycle>& starts = launch.starts;  // ascending
  const Cycle first = starts.front(), last = starts.back();
  medians_.push_back(us_of(starts[starts.size() / 2] - first, clock_));
  lasts_.push_back(us_of(last - first, clock_));
  const auto others_from = [&](Cycle begin) {
    return static_cast<double>(
        std::count_if(others_.begin(), others_.end(), [&](Cycle start) { return start > begin && start < last; }));
  };
  others_between_.push_back(others_from(first));
  others_since_.push_back(others_from(launch.arrived));
}

}  // namespace tessera::campaign
