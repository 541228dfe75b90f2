// SPDX-License-Identifier: Apache-2.0
// When the runs of each process began and ended: a run that is released begins with its release, another one with its
// start.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign {

struct RunTimes {  // of a process, in the order of their ends; us since the start of the simulation
  std::vector<double> begun;
  std::vector<double> ended;

  std::vector<double> latencies() const;  // sorted
  double longest() const;                 // latency; 0 without a run
  double per_second() const;              // runs between the first begin and the last end; 0 without a run
};

class RunTimesSink : public record::ISink {
 public:
  explicit RunTimesSink(const spec::Spec& spec);

  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override;
  const std::vector<RunTimes>& processes() const { return processes_; }  // as in Spec::processes

 private:
  const Clock clock_;
  std::vector<bool> is_released_;                                // by process
  std::vector<std::unordered_map<std::uint32_t, Cycle>> begun_;  // by process and run: those that are open
  std::vector<RunTimes> processes_;
};

// Cycles as us.
double us_of(Cycle cycles, const Clock& clock);

}  // namespace tessera::campaign
