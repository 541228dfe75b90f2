// SPDX-License-Identifier: Apache-2.0
// A kernel that never ends: draining waits for it for ever, a context switch takes its SMs ([T14] 2.4).
#include "model/spec/loader.h"
#include "platform/experiment.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

nlohmann::ordered_json summary_of(const spec::Spec& spec) {
  ExperimentOptions options;
  options.num_workers = 2;
  options.is_interrupted = never_interrupted;
  const ExperimentResult result = run_experiment(spec, options);
  EXPECT_THAT(result.violations, testing::IsEmpty());
  EXPECT_FALSE(result.was_interrupted);
  return result.summary;
}

TEST(PersistentKernel, StarvesOthersUnderDrainAndNotUnderContextSwitch) {
  const auto summary = summary_of(spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/persistent.yaml", {}));
  const auto& processes = summary.at("processes");
  const auto& drained = summary.at("baseline").at("processes");
  ASSERT_EQ(processes.size(), 3U);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    EXPECT_EQ(drained[i].at("runs"), 0) << drained[i].at("name");
    EXPECT_TRUE(drained[i].at("ntt").is_null()) << drained[i].at("name");
    if (processes[i].at("background") == true) continue;
    EXPECT_GE(processes[i].at("runs").get<int>(), 1) << processes[i].at("name");
    EXPECT_GE(processes[i].at("ntt").get<double>(), 1.0) << processes[i].at("name");
  }
  EXPECT_EQ(processes[0].at("runs"), 0);  // the server
  EXPECT_TRUE(processes[0].at("alone_us").is_null());
  EXPECT_TRUE(summary.at("baseline").at("antt").is_null());
  EXPECT_EQ(summary.at("baseline").at("stp"), 0.0);
  EXPECT_GE(summary.at("antt").get<double>(), 1.0);
  EXPECT_EQ(summary.at("stop_reason"), "min_runs");
  EXPECT_GT(summary.at("preemptions").at("by_technique").at("context_switch").at("count").get<int>(), 0);
}

TEST(PersistentKernel, GetsItsSmsBackWhenTheOthersAreDone) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  spec::KernelSpec server = kernel_of("server", spec.gpu.num_sms, 1);
  server.is_persistent = true;
  server.tb_time.reset();
  add_process(spec, {server}, {launch(0)}).is_background = true;
  spec::ProcessSpec& guest =
      add_process(spec, {kernel_of("guest", 1, 20'000)}, {launch(0), synchronise(), cpu(50'000)});
  guest.priority = 1;
  guest.start = 100'000 * kCyclePs;
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.result.processes.at(1).runs, 1U);
  const std::vector<Cycle> restored = log.cycles(Kind::kTbRestored);
  ASSERT_EQ(restored.size(), 1U);  // the guest took one SM, and one TB lost it
  EXPECT_GT(restored[0], log.when(Kind::kKernelFinished, 1, 0));
  EXPECT_LT(restored[0], log.cycles(Kind::kRunEnded, 1).at(0));
  EXPECT_EQ(log.all(Kind::kTbFinished).size(), 1U);  // the guest's
}

}  // namespace
}  // namespace tessera::platform::test
