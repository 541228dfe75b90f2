// SPDX-License-Identifier: Apache-2.0
// Static partitions in the experiment: how SMs are named, who is where, and each mistake once, where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;

constexpr const char* kPartitionedFile = "experiment.yaml";

constexpr const char* kTwoPartitions = "[{name: a, num_sms: 1}, {name: b, num_sms: 2}]";

// Two processes of three streams each, on four SMs.
class PartitionedFiles : public Files {
 public:
  explicit PartitionedFiles(const std::string& partitions = kTwoPartitions) {
    replace(kPartitionedFile, "policy: dss, technique: drain, token_scope: process, search_width: 2",
            "policy: static_partition, partitions: " + partitions);
    replace(kPartitionedFile, "priority: 3, tokens: 2", "partition: a, deadline_us: 500, priority: 3");
    replace(kPartitionedFile, "name: back,", "name: back, partition: b,");
    replace("parts/gpu.yaml", "sm_setup_cycles: 9", "num_ksrs: 6");
  }
};

TEST(SpecPartitions, CountedSmsFollowEachOtherFromTheFirst) {
  const Spec spec = PartitionedFiles().load();
  EXPECT_EQ(spec.scheduler.order, PartitionOrder::kEdf);
  ASSERT_EQ(spec.partitions.size(), 2U);
  EXPECT_THAT(spec.partitions[0].sms, ElementsAre(0));
  EXPECT_THAT(spec.partitions[1].sms, ElementsAre(1, 2));
  EXPECT_EQ(spec.processes[1].partition, 1U);
  EXPECT_THAT(partition_of_sms(spec), ElementsAre(0, 1, 1, 2)) << "SM 3 is in none";
}

TEST(SpecPartitions, SmsCanBeNamedOneByOne) {
  const Spec spec = PartitionedFiles("[{name: a, sms: [3, 0]}, {name: b, sms: [1]}]").load();
  EXPECT_THAT(spec.partitions[0].sms, ElementsAre(3, 0));
  EXPECT_THAT(partition_of_sms(spec), ElementsAre(0, 1, 2, 0));
}

TEST(SpecPartitions, AreReadBackFromResultsAsTheyWere) {
  const Spec spec = PartitionedFiles().load();
  const auto json = to_json(spec);
  EXPECT_EQ(json.at("scheduler").at("partitions").dump(), R"([{"name":"a","sms":[0]},{"name":"b","sms":[1,2]}])");
  EXPECT_EQ(json.at("workload").at("processes").at(1).at("partition"), "b");
  EXPECT_FALSE(to_json(Files().load()).at("scheduler").contains("order"));
}

// ---- mistakes ------------------------------------------------------------------------------------------------------

struct PartitionMistake {
  const char* name;
  const char* partitions;
  const char* key;
  const char* problem;
};
void PrintTo(const PartitionMistake& damage, std::ostream* out) { *out << damage.name; }

class SpecPartitionMistake : public testing::TestWithParam<PartitionMistake> {};

TEST_P(SpecPartitionMistake, IsReportedOnce) {
  EXPECT_THAT(PartitionedFiles(GetParam().partitions).mistakes(),
              ElementsAre(mistake(GetParam().key, GetParam().problem)));
}

constexpr PartitionMistake kPartitionMistakes[] = {
    {"None", "[]", "scheduler.partitions", "is empty"},
    {"NoName", "[{num_sms: 1}]", "scheduler.partitions.0.name", "is missing"},
    {"NoSize", "[{name: a}]", "scheduler.partitions.0.num_sms", "is missing"},
    {"TwoSizes", "[{name: a, num_sms: 1, sms: [1]}]", "scheduler.partitions.0.sms", "cannot be combined with num_sms"},
    {"NoSms", "[{name: a, num_sms: 0}]", "scheduler.partitions.0.num_sms", "out of range"},
    {"NoListedSms", "[{name: a, sms: []}]", "scheduler.partitions.0.sms", "is empty"},
    {"OneName", "[{name: a, num_sms: 1}, {name: a, num_sms: 1}]", "scheduler.partitions.1.name", "duplicate name"},
    {"MoreThanThereAre", "[{name: a, num_sms: 5}]", "scheduler.partitions.0.num_sms", "out of range"},
    {"MoreThanAreLeft", "[{name: a, num_sms: 3}, {name: b, num_sms: 2}]", "scheduler.partitions.1.num_sms",
     "more SMs than are left"},
    {"SmTwice", "[{name: a, sms: [1, 2, 1]}]", "scheduler.partitions.0.sms.2", "is named twice"},
    {"SmOutOfRange", "[{name: a, sms: [4]}]", "scheduler.partitions.0.sms.0", "out of range"},
    {"Overlap", "[{name: a, sms: [1]}, {name: b, sms: [2, 1]}]", "scheduler.partitions.1.sms.1",
     "is in partition 'a' already"},
    {"CountedOverlap", "[{name: a, sms: [1]}, {name: b, num_sms: 2}]", "scheduler.partitions.1.num_sms",
     "SM 1 is in partition 'a' already"},
    {"UnknownKey", "[{name: a, num_sm: 1, num_sms: 1}]", "scheduler.partitions.0.num_sm", "unknown key"},
};
INSTANTIATE_TEST_SUITE_P(All, SpecPartitionMistake, testing::ValuesIn(kPartitionMistakes),
                         [](const testing::TestParamInfo<PartitionMistake>& test) { return test.param.name; });

TEST(SpecPartitionMistakes, ThePolicyNeedsPartitions) {
  PartitionedFiles files;
  files.replace(kPartitionedFile, ", partitions: [{name: a, num_sms: 1}, {name: b, num_sms: 2}]", "");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("scheduler.partitions", "is missing")));
}

TEST(SpecPartitionMistakes, OtherPoliciesHaveNeitherPartitionsNorAnOrder) {
  Files files;
  files.replace(kPartitionedFile, "policy: dss,", "policy: dss, partitions: [{name: a, num_sms: 1}], order: edf,");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("scheduler.partitions", "static_partition"),
                                            mistake("scheduler.order", "static_partition")));
  EXPECT_THAT(Files().mistakes({"workload.processes.1.partition=a"}),
              ElementsAre(mistake("workload.processes.1.partition", "static_partition")));
}

TEST(SpecPartitionMistakes, EveryProcessIsInAPartitionThatThereIs) {
  PartitionedFiles files;
  files.replace(kPartitionedFile, "partition: b,", "");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("workload.processes.1.partition", "is missing")));
  EXPECT_THAT(PartitionedFiles().mistakes({"workload.processes.1.partition=c"}),
              ElementsAre(mistake("workload.processes.1.partition", "no partition has this name")));
}

TEST(SpecPartitionMistakes, AnOrderByDeadlinesNeedsOne) {
  PartitionedFiles files;
  files.replace(kPartitionedFile, "deadline_us: 500, ", "");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("scheduler.policy", "no process has one")));
  EXPECT_THAT(files.mistakes({"scheduler.order=edf"}), ElementsAre(mistake("scheduler.order", "no process has one")));
  EXPECT_THAT(files.mistakes({"scheduler.order=priority"}), ElementsAre());
}

TEST(SpecPartitionMistakes, ADeadlineIsNotAboveItsPeriod) {
  EXPECT_THAT(PartitionedFiles().mistakes({"workload.processes.0.period_us=400"}),
              ElementsAre(mistake("workload.processes.0.deadline_us", "is above its period")));
  EXPECT_THAT(PartitionedFiles().mistakes({"workload.processes.0.period_us=500"}), ElementsAre());
  EXPECT_THAT(Files().mistakes({"workload.processes.0.period_us=400", "workload.processes.0.deadline_us=500"}),
              ElementsAre())
      << "other policies let it be";
}

// Nobody waits for a table entry that a kernel of another partition has.
TEST(SpecPartitionMistakes, EveryStreamHasAKsrAndEveryProcessACommandBuffer) {
  EXPECT_THAT(PartitionedFiles().mistakes(), ElementsAre());
  EXPECT_THAT(PartitionedFiles().mistakes({"gpu.framework.num_ksrs=5"}),
              ElementsAre(mistake("gpu.framework.num_ksrs", "each stream of a process needs one")));
  EXPECT_THAT(PartitionedFiles().mistakes({"gpu.framework.num_command_buffers=1"}),
              ElementsAre(mistake("gpu.framework.num_command_buffers", "each process needs one")));
}

TEST(SpecPartitionMistakes, ABaselineHasThePartitionsOfTheScheduler) {
  EXPECT_THAT(PartitionedFiles().mistakes({"baseline.policy=fcfs"}), ElementsAre());
  EXPECT_THAT(PartitionedFiles().mistakes({"baseline.policy=static_partition", "baseline.order=priority"}),
              ElementsAre());
  EXPECT_THAT(Files().mistakes({"baseline.policy=static_partition"}),
              ElementsAre(mistake("baseline.policy", "the scheduler has no partitions")));
}

}  // namespace
}  // namespace tessera::spec
