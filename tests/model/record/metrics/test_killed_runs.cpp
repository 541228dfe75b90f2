// SPDX-License-Identifier: Apache-2.0
// Runs with a killed kernel ([G16]; docs/concepts/gloop.md): which they are, and what becomes of them in a summary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/record/metrics/summary_input.h"

namespace tessera::record {
namespace {

using test::at;

// One launch under the token, and the run's end. `killed_at`: relative to the kernel that leaves at 100; 0: never.
ProcessResult result_of(std::uint64_t loops_left, Cycle killed_at) {
  MetricsSink sink(1);
  sink.consume(at(1, Kind::kRunStarted).process(0).run(0));
  sink.consume(at(10, Kind::kTokenGranted).process(0).cycles(1));
  const Record left = at(100, Kind::kLoopsLeft).process(0).launched(0).value(loops_left);
  const Record killed = at(killed_at, Kind::kKernelKilled).process(0);
  if (killed_at > 0 && killed_at < 100) sink.consume(killed);
  sink.consume(left);
  if (killed_at > 100) sink.consume(killed);
  sink.consume(at(200, Kind::kTokenReleased).process(0).cycles(190));
  sink.consume(at(301, Kind::kRunEnded).process(0).run(0).cycles(300));
  sink.finish(400);
  return sink.result().processes.front();
}

TEST(KilledRuns, AreThoseWhoseKernelWasKilledAndHadLoopsLeft) {
  const ProcessResult killed = result_of(2, 50);
  EXPECT_EQ(killed.runs, 0U);
  EXPECT_EQ(killed.killed_runs, 1U);
  EXPECT_EQ(killed.turnaround_cycles, 0U);
}

TEST(KilledRuns, AreNotThoseThatWereDoneWhenTheWordCame) {
  for (const Cycle killed_at : {50, 150, 0}) {
    const ProcessResult done = result_of(0, killed_at);
    EXPECT_EQ(done.runs, 1U) << killed_at;
    EXPECT_EQ(done.killed_runs, 0U) << killed_at;
    EXPECT_EQ(done.turnaround_cycles, 300U) << killed_at;
  }
}

// The host gives up a kernel that has left with loops to do, if it was killed before the host heard so.
TEST(KilledRuns, AreThoseWhoseKernelLeftWhileTheWordWasOnItsWay) { EXPECT_EQ(result_of(2, 150).killed_runs, 1U); }

TEST(KilledRuns, GiveAProcessNoNttAndNoProgress) {
  SummaryInput input = test::two_processes();
  input.shared.processes[0].runs = 0;
  input.shared.processes[0].turnaround_cycles = 0;
  input.shared.processes[0].killed_runs = 3;
  input.shared.gloop.resize(2);
  input.shared.gloop[0].launches = 3;
  const nlohmann::ordered_json summary = make_summary(input);
  const auto& killed = summary.at("processes").at(0);
  EXPECT_EQ(killed.at("runs"), 0);
  EXPECT_EQ(killed.at("killed_runs"), 3);
  EXPECT_TRUE(killed.at("ntt").is_null());
  EXPECT_TRUE(killed.at("turnaround_us").is_null());
  EXPECT_FALSE(summary.at("processes").at(1).contains("killed_runs"));
  EXPECT_TRUE(summary.at("antt").is_null());
  EXPECT_DOUBLE_EQ(summary.at("stp").get<double>(), 4000.0 / 5000.0);  // of the other one
  EXPECT_EQ(summary.at("fairness"), 0);
}

}  // namespace
}  // namespace tessera::record
