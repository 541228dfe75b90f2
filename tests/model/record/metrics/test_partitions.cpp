// SPDX-License-Identifier: Apache-2.0
// Static partitions in the results: what is counted for whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/record/metrics/summary_input.h"

namespace tessera::record {
namespace {

using test::at;
using testing::HasSubstr;
using testing::IsEmpty;

// SM 0 is partition 0, SM 1 partition 1, SM 2 in none; process 0 is in partition 0, process 1 in partition 1.
const PartitionFacts kTwoPartitions{{SmSet::of(0), SmSet::of(1)}, {0, 1}};

TEST(PartitionResults, CountSmsAndProcessesOfTheirOwn) {
  MetricsSink sink(2, {}, 0, {}, {}, kTwoPartitions);
  test::feed(
      sink,
      {at(5, Kind::kPreemptionDone).on(1).launched(0), at(10, Kind::kSmBusy).on(0).launched(0).cycles(7),
       at(10, Kind::kSmBusy).on(1).launched(1).cycles(3), at(10, Kind::kKernelFinished).launched(1).kernel(1, 0)},
      20);
  const std::vector<PartitionResult>& partitions = sink.result().partitions;
  ASSERT_EQ(partitions.size(), 2U);
  EXPECT_EQ(partitions[0].busy_sm_cycles, 7U);
  EXPECT_EQ(partitions[0].kernels, 0U);
  EXPECT_EQ(partitions[0].preemptions, 0U);
  EXPECT_EQ(partitions[1].busy_sm_cycles, 3U);
  EXPECT_EQ(partitions[1].kernels, 1U);
  EXPECT_EQ(partitions[1].preemptions, 1U);
}

SummaryInput partitioned_results() {
  SummaryInput input = test::two_processes();  // two cycles are a microsecond
  input.num_sms = 4;
  input.partitions = {{"control", SmSet::of(0)}, {"rest", SmSet::of(1) | SmSet::of(2)}};
  input.processes[1].partition = 1;
  input.processes[0].deadline = 10'000'000;
  input.shared.cycles = 1000;
  input.shared.partitions = {{250, 4, 0}, {1000, 5, 6}};
  return input;
}

TEST(PartitionResults, OfAProcessWithReleasesJobsAreItsRuns) {
  SummaryInput input = partitioned_results();
  input.processes[0].has_releases = true;
  FrameResult& frames = input.shared.processes[0].frames;
  frames.released = 9;
  frames.judged = 8;
  frames.missed = 3;
  frames.worst = 30;
  const auto summary = make_summary(input);
  EXPECT_EQ(summary["tasks"].dump(),
            R"([{"process":"interactive","partition":"control","jobs":8,"missed":3,"deadline_us":10.0,)"
            R"("worst_response_us":15.0,"response_to_deadline":1.5}])");
  EXPECT_EQ(summary["partitions"][0].dump(),
            R"({"name":"control","num_sms":1,"busy_share":0.25,"kernels":4,"preemptions":0,"missed":3,"sms":[0]})");
  EXPECT_EQ(summary["partitions"][1].dump(),
            R"({"name":"rest","num_sms":2,"busy_share":0.5,"kernels":5,"preemptions":6,"missed":0,"sms":[1,2]})");
  EXPECT_EQ(summary["sms_in_no_partition"], 1);
}

TEST(PartitionResults, AnSmOfTwoMasksCountsForBoth) {
  MetricsSink sink(2, {}, 0, {}, {}, {{SmSet::of(0) | SmSet::of(1), SmSet::of(1)}, {0, 1}});
  test::feed(sink,
             {at(5, Kind::kPreemptionDone).on(1).launched(0), at(10, Kind::kSmBusy).on(0).launched(0).cycles(7),
              at(10, Kind::kSmBusy).on(1).launched(1).cycles(3)},
             20);
  const std::vector<PartitionResult>& partitions = sink.result().partitions;
  EXPECT_EQ(partitions[0].busy_sm_cycles, 10U);
  EXPECT_EQ(partitions[1].busy_sm_cycles, 3U);
  EXPECT_EQ(partitions[0].preemptions, 1U);
  EXPECT_EQ(partitions[1].preemptions, 1U);
}

TEST(PartitionResults, TellWhichSmsAreInSeveralMasksAndWhatRoundingCosts) {
  SummaryInput input = partitioned_results();
  EXPECT_FALSE(make_summary(input).contains("shared_sms"));
  EXPECT_FALSE(make_summary(input).contains("partition_preset"));
  input.partitions[0].sms = SmSet::of(0) | SmSet::of(2);
  input.preset = {"mps", 0, false, false, 3};
  EXPECT_EQ(make_summary(input)["sms_in_no_partition"], 1);
  EXPECT_EQ(make_summary(input)["shared_sms"].dump(), "[2]");
  EXPECT_EQ(make_summary(input)["partition_preset"].dump(), R"({"name":"mps","sms_added_by_rounding":3})");
  input.preset = {"mig", 14, true, false, 10};
  EXPECT_EQ(make_summary(input)["partition_preset"].dump(),
            R"({"name":"mig","slice_sms":14,"sms_lost_to_rounding":10})");
  input.preset = {"mig", 0, true, true, 0};
  EXPECT_EQ(make_summary(input)["partition_preset"].dump(),
            R"({"name":"mig","hypothetical":true,"sms_lost_to_rounding":0})");
}

TEST(PartitionResults, OfAnotherProcessWithADeadlineJobsAreItsKernels) {
  SummaryInput input = partitioned_results();
  input.shared.processes[0].deadline_kernels = 5;
  input.shared.processes[0].deadline_misses = 2;
  input.shared.processes[0].worst_response_cycles = 24;
  const auto task = make_summary(input)["tasks"][0];
  EXPECT_EQ(task["jobs"], 5);
  EXPECT_EQ(task["missed"], 2);
  EXPECT_EQ(task["response_to_deadline"], 1.2);
}

TEST(PartitionResults, ABaselineWithoutPartitionsHasTasksOnly) {
  SummaryInput input = partitioned_results();
  input.baseline = input.shared;
  input.baseline->partitions.clear();
  const auto summary = make_summary(input);
  EXPECT_TRUE(summary["baseline"].contains("tasks"));
  EXPECT_FALSE(summary["baseline"].contains("partitions"));
  EXPECT_FALSE(make_summary(test::two_processes()).contains("tasks"));
}

}  // namespace
}  // namespace tessera::record
