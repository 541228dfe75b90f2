// SPDX-License-Identifier: Apache-2.0
// What the tests of the full-log check share: the machine of the records' tests, and what is said of a log of it.
#pragma once

#include <string>
#include <vector>

#include "tests/model/record/support.h"
#include "verification/log_check/log_checker.h"

namespace tessera::verification::test {

using namespace record::test;

// Two SMs of two slots; process 0 has a kernel of three TBs, process 1 one of two.
inline LogFacts small_machine() {
  const auto kernel = [](std::uint32_t num_tbs) {
    return KernelFacts{num_tbs, kSmallRegisters, kSmallSharedMemory, 32, kSmallContext, 2, 256};
  };
  return {2, 2, 1024, 64, {{kernel(3)}, {kernel(2)}}};
}

inline LogFacts machine_with(const record::DriverFacts& driver) {
  LogFacts facts = small_machine();
  facts.kernels.resize(driver.plan.tasks.size());
  facts.driver = driver;
  return facts;
}

// What the full-log check says of these records, in whatever order they come.
inline std::vector<std::string> violations(const std::vector<record::Record>& log,
                                           const LogFacts& facts = small_machine()) {
  return check_log(in_order(log), facts).violations;
}

}  // namespace tessera::verification::test
