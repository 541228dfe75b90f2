// SPDX-License-Identifier: Apache-2.0
// Information that a reader of a log needs besides the records: names of processes and kernels, the machine's size and
// clock, its host's cores, its driver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/record/driver/driver_facts.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::record {

struct Names {
  std::vector<std::string> processes;
  std::vector<std::vector<std::string>> kernels;  // [process][kernel]
  std::uint32_t num_sms = 0;
  std::uint32_t max_tbs_per_sm = 0;
  std::uint64_t clock_hz = 0;
  std::uint32_t num_cores = 0;  // of the host; 0: processes do not compete for them
  DriverFacts driver{};         // empty: does not hold groups back
};

Names make_names(const spec::Spec& spec);

// Which kernel a launch runs. Filled from kKernelArrived; 4 bytes per launch, since launch ids are dense.
class LaunchTable {
 public:
  struct Kernel {
    std::uint16_t process = kNoIndex;
    std::uint16_t kernel = kNoIndex;
  };

  void note_arrival(const Record& kernel_arrived);
  // All kNoIndex for a launch that has not arrived.
  Kernel find(std::uint32_t launch) const { return launch < launches_.size() ? launches_[launch] : Kernel{}; }

 private:
  std::vector<Kernel> launches_;
};

}  // namespace tessera::record
