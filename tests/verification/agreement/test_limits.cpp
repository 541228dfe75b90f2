// SPDX-License-Identifier: Apache-2.0
// What no event explains, however many there are.
#include "tests/verification/agreement/support.h"

namespace tessera::verification::agreement_test {
namespace {

Agreement with_findings(const LogFindings& tlm, const LogFindings& clocked) {
  return compare_logs(takes(kLong), takes(kLong), tlm, clocked);
}

TEST(Agreement, AWrongDecisionIsNeverExplained) {
  LogFindings findings;
  EXPECT_EQ(with_findings(findings, findings).verdict, Verdict::kExact);
  findings.decisions.faults = {"cycle 7: policy_decided: not what the policy decides"};
  EXPECT_EQ(with_findings(findings, {}).verdict, Verdict::kUnexplained);
  EXPECT_THAT(with_findings({}, findings).what_is_wrong, ElementsAre("clocked, " + findings.decisions.faults.front()));
}

TEST(Agreement, ALatencyMayDifferByTwoCyclesIfItIsSeenOftenEnough) {
  const auto verdict = [](std::uint64_t samples, Cycle clocked) {
    LogFindings tlm, other;
    tlm.latencies["set_up"] = {100, 64};
    other.latencies["set_up"] = {samples, clocked};
    return with_findings(tlm, other).verdict;
  };
  EXPECT_EQ(verdict(8, 66), Verdict::kExact);
  EXPECT_EQ(verdict(8, 67), Verdict::kUnexplained);
  EXPECT_EQ(verdict(8, 61), Verdict::kUnexplained);
  EXPECT_EQ(verdict(7, 67), Verdict::kExact);
}

TEST(Agreement, CommandsThatComeLaterAgainAndAgainAreWrong) {
  const auto log = [](Cycle gap, std::uint32_t count) {
    Log launches;
    for (std::uint32_t i = 0; i < count; ++i) launches = launches + log_of({i, 0, 100 + i * (kShort + gap), kShort});
    return launches;
  };
  EXPECT_EQ(compare_logs(log(700, 5), log(708, 5)).verdict, Verdict::kExact);
  EXPECT_EQ(compare_logs(log(700, 5), log(709, 5)).verdict, Verdict::kUnexplained);
  EXPECT_EQ(compare_logs(log(700, 4), log(770, 4)).verdict, Verdict::kExact);  // too few to tell
}

// Of two processes that take turns: each kernel comes so long after the other's end, and later after its own last one.
TEST(Agreement, CommandsThatWaitForTheirChannelsTurnMayComeLaterWhereTheyTakeTurns) {
  const auto log = [](Cycle gap) {
    Log launches;
    for (std::uint32_t i = 0; i < 12; ++i) {
      Kernel kernel{i, static_cast<std::uint16_t>(i % 2), 100 + i * (kShort + gap), kShort};
      launches = launches + log_of(kernel);
    }
    return launches;
  };
  LogFindings findings;
  EXPECT_EQ(compare_logs(log(700), log(800), findings, findings).verdict, Verdict::kUnexplained);
  findings.channels_take_turns = true;
  EXPECT_EQ(compare_logs(log(700), log(800), findings, findings).verdict, Verdict::kExact);
}

// A copy of the other process had the engines in between, or one of its own.
TEST(Agreement, CommandsThatFollowTheirOwnProcessesCopyHaveNotWaitedForATurn) {
  const auto log = [](Cycle gap, std::uint16_t copies_of) {
    Log launches;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const Kernel kernel{i, 0, 100 + i * (kShort + gap), kShort};
      launches = launches + log_of(kernel) + Log{at(kernel.arrives + 10, Kind::kDmaStarted).process(copies_of)};
    }
    return launches;
  };
  LogFindings findings;
  findings.channels_take_turns = true;
  EXPECT_EQ(compare_logs(log(700, 0), log(800, 0), findings, findings).verdict, Verdict::kUnexplained);
  EXPECT_EQ(compare_logs(log(700, 1), log(800, 1), findings, findings).verdict, Verdict::kExact);
}

TEST(Agreement, ExplanationsDoNotStretchTheMeanOfManyKernels) {
  const auto verdict = [](Cycle factor) {
    const auto log = [](Cycle turnaround) {
      Log launches;
      for (std::uint32_t i = 0; i < 64; ++i) {
        const Cycle at = (100'000 + turnaround) * (i + 1);
        launches = launches + log_of({i, 0, at, turnaround}) + decision(at + 10, at + 30) + tb_finishes_at(at + 20);
      }
      return launches;
    };
    return compare_logs(log(kShort), log(factor * kShort / 100)).verdict;
  };
  EXPECT_EQ(verdict(150), Verdict::kExplained);  // e to the power of 0.01 + 4 / 8 is 1.67
  EXPECT_EQ(verdict(170), Verdict::kUnexplained);
}

}  // namespace
}  // namespace tessera::verification::agreement_test
