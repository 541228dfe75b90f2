// SPDX-License-Identifier: Apache-2.0
// Keys of SMs that kernels share: what YAML says, what does not go with them, what JSON keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/issue_rate.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kShares = "gpu.framework.sm_sharing=kernels";
constexpr const char* kIdealEngine = "gpu.framework.engine=ideal";

class SharingFiles : public Files {
 public:
  explicit SharingFiles(const std::string& scheduler = "{policy: npq}",
                        const std::string& baseline = "{policy: fcfs}") {
    replace("experiment.yaml", "{policy: fcfs}", baseline);
    replace("experiment.yaml", "{policy: dss, technique: drain, token_scope: process, search_width: 2}", scheduler);
    replace("experiment.yaml", ", tokens: 2", "");
  }
};

TEST(SpecSmSharing, AnSmIsOfOneKernelUnlessTheFileSaysOtherwise) {
  const Spec spec = SharingFiles().load();
  EXPECT_FALSE(spec.gpu.framework.shares_sms());
  EXPECT_FALSE(to_json(spec)["gpu"]["framework"].contains("sm_sharing"));
}

TEST(SpecSmSharing, KeysAreRead) {
  const Spec spec = SharingFiles().load(
      {kShares, kIdealEngine, "gpu.framework.beside_others_cycles=17",
       "gpu.framework.dispatcher=[{max_threads: 256, tb_issue_mhz: 1.5, turnaround_cycles: 4}, {max_threads: 1024, "
       "tb_issue_mhz: 1, turnaround_cycles: 9}]"});
  const FrameworkSpec& framework = spec.gpu.framework;
  ASSERT_EQ(framework.dispatcher.size(), 2U);
  EXPECT_EQ(framework.dispatch_class(256).turnaround_cycles, 4U);
  EXPECT_EQ(framework.dispatch_class(257).turnaround_cycles, 9U);
  EXPECT_EQ(framework.dispatch_class(4096).turnaround_cycles, 9U) << "the last one is for larger ones too";
  EXPECT_EQ(framework.dispatcher[0].tb_issue_hz, 1'500'000U);
  EXPECT_EQ(framework.beside_others_cycles, 17U);
  EXPECT_EQ(spec.scheduler.fill, Fill::kBreadthFirst);
  EXPECT_EQ(to_json(spec)["gpu"]["framework"]["dispatcher"][1]["max_threads"], 1024);
}

TEST(SpecSmSharing, WithoutAListTheMachinesKeysAreOfAllSizes) {
  const Spec spec = SharingFiles().load({kShares, kIdealEngine, "gpu.framework.tb_issue_cycles=11"});
  ASSERT_EQ(spec.gpu.framework.dispatcher.size(), 1U);
  EXPECT_EQ(spec.gpu.framework.dispatcher[0].turnaround_cycles, 11U);
  EXPECT_EQ(spec.gpu.framework.dispatcher[0].tb_issue_hz, spec.gpu.clock_hz) << "one a cycle";
}

TEST(SpecSmSharing, ThereAre128KernelsUnlessTheFileSaysOtherwise) {
  EXPECT_EQ(SharingFiles().load({kShares, kIdealEngine}).gpu.framework.num_ksrs, kSharedKsrs);
}

TEST(SpecSmSharing, APartOfACycleCountsForAllSizes) {
  GpuSpec gpu;
  gpu.clock_hz = 1980;
  gpu.framework.dispatcher = {{512, 1660, 1}, {1024, 1470, 1}};
  EXPECT_EQ(parts_of_a_cycle(gpu), 83U * 49) << "99 / 83 and 66 / 49 of a cycle";
}

// ---- what does not go with them ----------------------------------------------------------------------------------

TEST(SpecSmSharing, SizesAscend) {
  EXPECT_THAT(SharingFiles().mistakes({kShares, kIdealEngine,
                                       "gpu.framework.dispatcher=[{max_threads: 64, tb_issue_mhz: 1, "
                                       "turnaround_cycles: 1}, {max_threads: 64, tb_issue_mhz: 1, turnaround_cycles: "
                                       "1}]"}),
              ElementsAre(mistake("gpu.framework.dispatcher.1", "has no more threads than the one before it")));
}

TEST(SpecSmSharing, TheSerialisedEngineDoesNotHaveIt) {
  EXPECT_THAT(SharingFiles().mistakes({kShares}),
              ElementsAre(mistake("gpu.framework.sm_sharing", "the serialised engine has SMs of one kernel")));
}

TEST(SpecSmSharing, PoliciesThatTakeSmsKeepSmsOfTheirOwn) {
  for (const char* const policy : {"ppq", "dss", "edf"}) {
    EXPECT_THAT(SharingFiles("{policy: " + std::string(policy) + "}").mistakes({kShares, kIdealEngine}),
                testing::Contains(mistake("scheduler.policy",
                                          "takes SMs away, and with framework.sm_sharing: kernels nobody has one of "
                                          "his own")));
  }
}

TEST(SpecSmSharing, ASliceIsOfTheWholeGpu) {
  EXPECT_THAT(
      SharingFiles("{policy: time_slice, time_slice_us: 1000}").mistakes({kShares, kIdealEngine}),
      ElementsAre(mistake("scheduler.policy", "with framework.sm_sharing: kernels a slice is of the whole GPU")));
  EXPECT_THAT(SharingFiles("{policy: time_slice, time_slice_us: 1000, turn: kept, switch_scope: gpu}")
                  .mistakes({kShares, kIdealEngine}),
              IsEmpty());
}

TEST(SpecSmSharing, ThreadBlocksAreSpread) {
  EXPECT_THAT(SharingFiles("{policy: npq, fill: depth_first}").mistakes({kShares, kIdealEngine}),
              ElementsAre(mistake("scheduler.fill",
                                  "with framework.sm_sharing: kernels thread blocks are spread over the SMs")));
}

TEST(SpecSmSharing, TheRateIsTheDispatchers) {
  EXPECT_THAT(
      SharingFiles("{policy: npq, tbs_per_cycle: 2}").mistakes({kShares, kIdealEngine}),
      ElementsAre(mistake("scheduler.tbs_per_cycle", "is said by framework.dispatcher, with sm_sharing: kernels")));
}

TEST(SpecSmSharing, PrioritiesAreThoseOfTheCard) {
  const SharingFiles files;
  EXPECT_THAT(files.mistakes({kShares, kIdealEngine, "gpu.stream_priorities=3"}),
              ElementsAre(mistake("workload.processes.0.priority", "is none that GPU 'tiny' has for streams")));
  EXPECT_THAT(files.mistakes({kShares, kIdealEngine, "gpu.stream_priorities=4"}), IsEmpty());
  EXPECT_THAT(files.mistakes({"gpu.stream_priorities=3",
                              "workload.processes.0.application.streams=[{name: urgent, priority: 3}]"}),
              testing::Contains(mistake("workload.processes.0.application.streams.0.priority",
                                        "is none that GPU 'tiny' has for streams")));
}

TEST(SpecSmSharing, NoClockedCoreHasIt) {
  const SharingFiles files;
  try {
    load_experiment(files.path("experiment.yaml"), {kShares, kIdealEngine}, Cores::kBoth);
    FAIL() << "it was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.diagnostics(), testing::Contains(mistake("gpu.framework.sm_sharing",
                                                               "the core of this abstraction has SMs of one kernel")));
  }
}

}  // namespace
}  // namespace tessera::spec
