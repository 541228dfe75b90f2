// SPDX-License-Identifier: Apache-2.0
// Pairs the records of each run.
#include "campaign/silicon/run_times.h"

#include <algorithm>

#include "model/spec/spec.h"

namespace tessera::campaign {

using record::Kind;

double us_of(Cycle cycles, const Clock& clock) {
  return static_cast<double>(cycles) * 1e6 / static_cast<double>(clock.hertz());
}

std::vector<double> RunTimes::latencies() const {
  std::vector<double> all;
  for (std::size_t i = 0; i < ended.size(); ++i) all.push_back(ended[i] - begun[i]);
  std::sort(all.begin(), all.end());
  return all;
}

double RunTimes::longest() const {
  const std::vector<double> all = latencies();
  return all.empty() ? 0 : all.back();
}

double RunTimes::per_second() const {
  if (ended.empty()) return 0;
  const double first = *std::min_element(begun.begin(), begun.end());
  const double last = *std::max_element(ended.begin(), ended.end());
  return 1e6 * static_cast<double>(ended.size()) / (last - first);
}

RunTimesSink::RunTimesSink(const spec::Spec& spec)
    : clock_(spec.gpu.clock_hz), begun_(spec.processes.size()), processes_(spec.processes.size()) {
  for (const spec::ProcessSpec& process : spec.processes) is_released_.push_back(process.releases.has_value());
}

void RunTimesSink::consume(const record::Record& record) {
  if (record.kind == Kind::kRunReleased || (record.kind == Kind::kRunStarted && !is_released_[record.process])) {
    begun_[record.process][record.run] = record.cycle;
  } else if (record.kind == Kind::kRunEnded) {
    const auto found = begun_[record.process].find(record.run);
    RunTimes& times = processes_[record.process];
    times.begun.push_back(us_of(found->second, clock_));
    times.ended.push_back(us_of(record.cycle, clock_));
    begun_[record.process].erase(found);
  }
}

}  // namespace tessera::campaign
