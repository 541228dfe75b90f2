// SPDX-License-Identifier: Apache-2.0
// What the tests of the agreement share: short logs of a kernel or two, of decisions and of what falls inside them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/model/record/support.h"
#include "verification/agreement/agreement.h"

namespace tessera::verification::agreement_test {

using namespace record;
using record::test::at;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Log = std::vector<Record>;

// Long enough for the relative tolerance to be the larger one.
inline constexpr Cycle kLong = 1'000'000;
inline constexpr Cycle kShort = 1'000;

inline Log sorted(Log log) {
  std::sort(log.begin(), log.end(), canonical_less);
  return log;
}

inline Log operator+(Log log, const Log& more) {
  log.insert(log.end(), more.begin(), more.end());
  return sorted(log);
}

struct Kernel {
  std::uint32_t launch = 0;
  std::uint16_t process = 0;
  Cycle arrives = 100;
  Cycle takes = kLong;
  std::uint16_t kernel = 0;
  std::uint32_t run = 0;
  std::uint64_t num_tbs = 8;
};

inline Record arrival(const Kernel& k) {
  return at(k.arrives, Kind::kKernelArrived).launched(k.launch).kernel(k.process, k.kernel).run(k.run);
}

inline Log log_of(const Kernel& k) {
  return {
      arrival(k),
      at(k.arrives + k.takes, Kind::kKernelFinished).launched(k.launch).kernel(k.process, k.kernel).value(k.num_tbs)};
}

// A kernel that arrives at cycle 100 in a launch of its own, and finishes so much later.
inline Log takes(Cycle turnaround) {
  Kernel kernel;
  kernel.takes = turnaround;
  return log_of(kernel);
}

inline Log decision(Cycle from, Cycle to) {
  return {at(from, Kind::kPolicyInvoked), at(to, Kind::kPolicyDecided).cycles(to - from)};
}

inline Log ends_at(Cycle cycle) { return {at(cycle, Kind::kRunEnded).process(0).run(0)}; }

inline Log tb_finishes_at(Cycle cycle) { return {at(cycle, Kind::kTbFinished).on(2, 1).launched(0).tb(5)}; }

inline Log preemption_at(Cycle cycle, Technique technique = Technique::kDrain) {
  return {at(cycle, Kind::kPreemptionDone).on(1).launched(0).cycles(10).by(technique)};
}

// A kernel that takes twice as long clocked, and these records in the clocked log.
inline Agreement with_difference(const Log& more) { return compare_logs(takes(kShort), takes(2 * kShort) + more); }

}  // namespace tessera::verification::agreement_test
