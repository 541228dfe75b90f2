// SPDX-License-Identifier: Apache-2.0
// Does the comparison of the models fail where a driver is not the one that was asked for? Faults are seeded on the
// clocked side, in random experiments with a driver that holds groups back.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "model/spec/spec.h"
#include "verification/agreement/agreement_run.h"
#include "verification/random/random_experiment.h"

namespace tessera::platform {
namespace {

using verification::AgreementResult;
using verification::compare_abstractions;
using verification::LogDepth;
using verification::random_experiment;
using verification::RandomDriver;
using verification::Verdict;

constexpr Picoseconds kLittle = 100'000;

// Whatever is reserved is half of it.
void halve_capacities(spec::Spec& spec) {
  for (spec::TimegraphEntry& entry : spec.driver.entries) entry.capacity /= 2;
  spec.driver.background_capacity /= 2;
}

void swap_disciplines(spec::Spec& spec) {
  for (spec::TimegraphEntry& entry : spec.driver.entries) {
    entry.dispatch = entry.dispatch == spec::GroupDispatch::kHt ? spec::GroupDispatch::kPrt : spec::GroupDispatch::kHt;
  }
}

// No line: everything is in the background.
void forget_lines(spec::Spec& spec) { spec.driver.entries.clear(); }

struct DriverFault {
  std::string name;
  std::function<void(spec::Spec&)> seed;
  std::size_t least_caught;  // of 12: in the others it makes no difference
};

void PrintTo(const DriverFault& fault, std::ostream* os) { *os << fault.name; }

class WrongDriver : public testing::TestWithParam<DriverFault> {};
INSTANTIATE_TEST_SUITE_P(
    Faults, WrongDriver,
    testing::Values(DriverFault{"none", [](spec::Spec&) {}, 0}, DriverFault{"capacities", halve_capacities, 6},
                    DriverFault{"disciplines", swap_disciplines, 1}, DriverFault{"lines", forget_lines, 6},
                    DriverFault{"completion", [](spec::Spec& s) { s.driver.completion += kLittle; }, 6},
                    DriverFault{"arrival", [](spec::Spec& s) { s.driver.arrival += kLittle; }, 6},
                    DriverFault{"interrupt", [](spec::Spec& s) { s.host.interrupt += kLittle; }, 4},
                    DriverFault{"launch", [](spec::Spec& s) { s.host.launch += kLittle; }, 6}),
    testing::PrintToStringParamName());

// What is not found made no difference.
TEST_P(WrongDriver, IsFoundWhereverItActsOtherwise) {
  std::vector<spec::Spec> specs;
  for (std::uint64_t seed = 1; specs.size() < 12; ++seed) {
    spec::Spec spec = random_experiment(seed, RandomDriver::kWith);
    if (!spec::keeps_turn(spec.scheduler)) specs.push_back(std::move(spec));
  }
  std::size_t num_caught = 0;
  for (const AgreementResult& result : compare_abstractions(
           specs, LogDepth::kWhole, 2, [] { return false; }, {}, GetParam().seed)) {
    const Verdict verdict = result.agreement.verdict;
    num_caught += verdict == Verdict::kUnexplained;
    EXPECT_TRUE(verdict == Verdict::kUnexplained || verdict == Verdict::kExact) << result.name;
  }
  EXPECT_GE(num_caught, GetParam().least_caught);
  if (GetParam().name == "none") {
    EXPECT_EQ(num_caught, 0U);
  }
}

}  // namespace
}  // namespace tessera::platform
