// SPDX-License-Identifier: Apache-2.0
// One request of [S16], by hand; and many, on any number of workers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/papers.h"
#include "campaign/s16/probe.h"
#include "campaign/s16/study.h"
#include "model/spec/diagnostics.h"

namespace tessera::campaign::s16 {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Cycle kRunFor = 900;  // the victims, when the command comes
constexpr Cycle kLimit = 500;   // from then on
constexpr Cycle kSwitch = 500;  // of one context
constexpr std::uint32_t kWhole = 1'000'000;

// One SM, four victims of a quarter of it, which end after 1000, 1400, 1800 and 2200 cycles, one instruction each; two
// guests that take a half. Whoever decides knows how long they run. A cycle is a nanosecond, and nothing that is not
// named takes time.
class Timeline : public ::testing::Test {
 protected:
  Timeline() {
    spec::GpuSpec& gpu = spec_.gpu;
    gpu.clock_hz = 1'000'000'000;
    gpu.num_sms = 1;
    gpu.max_tbs_per_sm = 4;
    gpu.max_threads_per_sm = 64;
    gpu.registers_per_sm = 32768;
    gpu.shared_memory_bytes = {4096};
    gpu.memory_bandwidth_bytes_per_s = gpu.clock_hz * 4 * kVictimRegisters / kSwitch;
    gpu.framework.num_ksrs = 2;
    gpu.framework.search_entry_cycles = 0;
    gpu.framework.kernel_activation_cycles = 0;
    gpu.framework.sm_setup_cycles = 1;
    gpu.framework.engine = spec::Engine::kIdeal;
    gpu.framework.tb_issue_cycles = 1;
    gpu.framework.pipeline_drain_cycles = 0;
    gpu.framework.trap_entry_cycles = 0;
    spec_.processes.resize(2);
    spec_.scheduler.policy = spec::PolicyKind::kPpq;
    spec_.scheduler.estimator = spec::Estimator::kOracle;
    spec_.scheduler.switch_pricing = spec::SwitchPricing::kPerTb;
    spec_.scheduler.tbs_per_cycle = 4;
    limit(kLimit);
  }

  void limit(Cycle cycles) { spec_.scheduler.latency_limit = 1000 * (cycles + kDecision); }

  Probe preempt(spec::TechniqueKind technique, std::uint32_t idempotent_until_ppm = kWhole) {
    spec_.scheduler.technique = technique;
    ProbeInput input{spec_, launch(4, kVictimRegisters, 0), launch(2, 2 * kVictimRegisters, 1)};
    input.victim.idempotent_until_ppm = idempotent_until_ppm;
    input.victim.durations = workload::TbDurations(durations_);
    input.guest.durations = workload::TbDurations({kNever, 0}, 0);
    input.guest_arrives = kStart + kRunFor - kDecision;
    input.gives_up_after = 100'000;
    return run_probe(input);
  }

  // Until the last place is granted, the way from the arrival to the command left out.
  static Cycle wait(const Probe& probe) { return probe.waits.at(0) - kDecision; }

  static constexpr std::uint32_t kVictimRegisters = 8192;
  static constexpr Cycle kDecision = 1;  // from the arrival to the command
  static constexpr Cycle kStart = 3;     // of the victims: they arrive at 1, an SM is set up, they are issued

  spec::Spec spec_;

 private:
  static tlm_model::KernelLaunch launch(std::uint32_t num_tbs, std::uint32_t registers, std::uint32_t priority) {
    tlm_model::KernelLaunch launch;
    launch.num_tbs = num_tbs;
    launch.regs_per_tb = registers;
    launch.threads_per_tb = 16;
    launch.priority = priority;
    return launch;
  }

  std::vector<Cycle> durations_{1000, 1400, 1800, 2200};
};

TEST_F(Timeline, DualKernelGrantsEachPositionWhenItsOwnVictimsHaveGone) {
  const Probe probe = preempt(spec::TechniqueKind::kDualKernel);
  EXPECT_EQ(wait(probe), 500U);  // the first two drain until 1400; the other two are flushed
  EXPECT_EQ(probe.wasted, 1800U);
  EXPECT_EQ(probe.executed, 3600U);
  EXPECT_THAT(probe.exits, ElementsAre(2, 2, 0));
  EXPECT_EQ(probe.places, 2U);
  EXPECT_EQ(probe.late, 0U);
  EXPECT_EQ(probe.late_sms(kLimit + 1), 0U);
  EXPECT_EQ(probe.late_sms(kLimit), 1U);
  EXPECT_THAT(probe.faults, IsEmpty());
}

TEST_F(Timeline, WhatGuestsHoldMeanwhileCountsAsUsed) {
  const Probe probe = preempt(spec::TechniqueKind::kDualKernel);
  // A cycle until the command; one in which the first guest's place is set up; all is used until the first victim ends,
  // and its quarter is empty until the second does.
  EXPECT_EQ(probe.registers_there, 501U * 32768);
  EXPECT_EQ(probe.registers_held, 32768U + 16384U + 99 * 32768U + 400 * 24576U);
  EXPECT_EQ(probe.registers_before, 32768U);
}

TEST_F(Timeline, ChimeraGrantsTheSmWhenAllHaveGone) {
  const Probe probe = preempt(spec::TechniqueKind::kChimera);
  EXPECT_EQ(wait(probe), 500U);
  EXPECT_EQ(probe.wasted, 1800U);
  EXPECT_THAT(probe.exits, ElementsAre(2, 2, 0));
}

TEST_F(Timeline, FlushWastesWhatWasExecuted) {
  const Probe probe = preempt(spec::TechniqueKind::kFlush);
  EXPECT_EQ(wait(probe), 0U);
  EXPECT_EQ(probe.wasted, 3600U);
  EXPECT_EQ(probe.executed, 3600U);
  EXPECT_THAT(probe.exits, ElementsAre(0, 4, 0));
}

TEST_F(Timeline, DrainWastesNothingAndTakesAsLongAsTheLast) {
  const Probe probe = preempt(spec::TechniqueKind::kDrain);
  EXPECT_EQ(wait(probe), 1300U);
  EXPECT_EQ(probe.wasted, 0U);
  EXPECT_THAT(probe.exits, ElementsAre(4, 0, 0));
}

TEST_F(Timeline, ASwitchWastesItsTimeTwice) {
  const Probe probe = preempt(spec::TechniqueKind::kContextSwitch);
  EXPECT_EQ(wait(probe), 4 * kSwitch);
  EXPECT_EQ(probe.wasted, 4 * 2 * 4 * kSwitch);
  EXPECT_THAT(probe.exits, ElementsAre(0, 0, 4));
}

TEST_F(Timeline, PastTheirPointTheyAreSwitchedAtTheirOwnPrice) {
  const Probe probe = preempt(spec::TechniqueKind::kDualKernel, 400'000);
  EXPECT_EQ(wait(probe), 500U);
  EXPECT_EQ(probe.wasted, 2000U);
  EXPECT_EQ(probe.late, 0U);
}

TEST_F(Timeline, OnTheRealChannelOneContextWaitsForTheOther) {
  spec_.scheduler.switch_pricing = spec::SwitchPricing::kChannel;
  const Probe probe = preempt(spec::TechniqueKind::kDualKernel, 400'000);
  EXPECT_EQ(wait(probe), 1000U);
  EXPECT_EQ(probe.wasted, 4000U);
  EXPECT_EQ(probe.late, 1U);
}

TEST_F(Timeline, ACycleLessAndTheSecondIsFlushedToo) {
  limit(kLimit - 1);
  const Probe probe = preempt(spec::TechniqueKind::kDualKernel);
  EXPECT_EQ(wait(probe), 100U);
  EXPECT_EQ(probe.wasted, 2700U);
}

TEST_F(Timeline, AnOracleIsNeverWrong) {
  const Probe probe = preempt(spec::TechniqueKind::kDualKernel);
  EXPECT_EQ(probe.drained, 2U);
  EXPECT_EQ(probe.drain_cycles, 100U + 500U);
  EXPECT_EQ(probe.errors, 0U);
}

// ---- many requests -------------------------------------------------------------------------------------------------

spec::Spec probe_base() { return load_paper(TESSERA_SOURCE_DIR "/configs/papers/s16.yaml"); }

std::vector<Sample> run(std::uint32_t probes, unsigned num_workers, const std::vector<Setting>& settings,
                        const spec::Spec& base = probe_base()) {
  const StudyPtr study = make_study(base, probes);
  std::vector<Sample> samples;
  for (const Setting& setting : settings) samples.push_back({study, setting, {}});
  Options options;
  options.num_workers = num_workers;
  options.is_interrupted = [] { return false; };
  Effort effort;
  std::vector<std::string> violations;
  run_samples(samples, options, effort, violations);
  EXPECT_THAT(violations, IsEmpty());
  return samples;
}

std::vector<Sample> samples(std::uint32_t probes, unsigned num_workers) {
  std::vector<Setting> settings;
  for (const spec::TechniqueKind technique :
       {spec::TechniqueKind::kChimera, spec::TechniqueKind::kDualKernel, spec::TechniqueKind::kFlush}) {
    Setting setting;
    setting.technique = technique;
    setting.limit = 2'000'000;
    settings.push_back(setting);
  }
  return run(probes, num_workers, settings);
}

TEST(S16Probes, AreTheSameOnAnyNumberOfWorkers) {
  const std::vector<Sample> one = samples(2, 1);
  const std::vector<Sample> two = samples(2, 2);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(nlohmann::json(one[i].probes), nlohmann::json(two[i].probes));
}

TEST(S16Probes, AskTheNineteenKernelsOfTwelveBenchmarks) {
  const StudyPtr study = make_study(probe_base(), 1);
  EXPECT_EQ(study->victims.size(), 19U);
  EXPECT_EQ(study->benchmarks().size(), 12U);
  double weights = 0;
  for (const Victim& victim : study->victims) weights += victim.weight;
  EXPECT_NEAR(weights, 12, 1e-9);
}

// Any context is saved within 3.8 us, and the ends of all thread blocks are known: all SMs are asked at once, with the
// whole limit before them. The number of places that a shared SM still promises must be right for that.
TEST(S16Probes, AnOracleIsNeverLateWhereEveryContextCanBeSavedInTime) {
  Setting setting;
  setting.technique = spec::TechniqueKind::kDualKernel;
  setting.estimator = spec::Estimator::kOracle;
  setting.limit = 5'000'000;
  const std::vector<Sample> all = run(8, 2, {setting});
  EXPECT_EQ(average(all[0], late_sms(probe_base().gpu, setting.limit)).mean, 0);
}

// One wave of equal thread blocks takes 5 us and its set-up alone, and never less beside a kernel that is preempted.
TEST(S16Probes, WaitForTheEndOfAGuestThatEnds) {
  Setting setting;
  setting.technique = spec::TechniqueKind::kDualKernel;
  setting.limit = 2'000'000;
  setting.guest_ends = true;
  const std::vector<Sample> all = run(4, 2, {setting});
  const Clock clock(probe_base().gpu.clock_hz);
  for (const std::vector<Probe>& probes : all[0].probes) {
    for (const Probe& probe : probes) {
      EXPECT_GE(probe.guest_alone, clock.cycles_in(5'000'000));
      EXPECT_LT(probe.guest_alone, clock.cycles_in(6'500'000));
      EXPECT_GE(probe.guest_took, probe.guest_alone);
      EXPECT_NE(probe.guest_took, kNever);
    }
  }
}

TEST(S16Probes, OfAGuestWithAQuotaGetSoManyPlacesOnEachSm) {
  const spec::Spec base =
      load_paper(TESSERA_SOURCE_DIR "/configs/papers/s16.yaml",
                 {"workload.processes.12.application=../applications/rodinia/s16_guest_4_an_sm.yaml"});
  Setting setting;
  setting.technique = spec::TechniqueKind::kDualKernel;
  setting.limit = 5'000'000;
  const std::vector<Sample> all = run(2, 2, {setting}, base);
  std::uint64_t most = 0;
  for (const std::vector<Probe>& probes : all[0].probes) {
    for (const Probe& probe : probes) {
      EXPECT_LE(probe.places, 4 * probe.waits.size());
      most = std::max(most, probe.places);
    }
  }
  EXPECT_EQ(most, 60U);
}

// Chimera empties as many SMs as the guest has thread blocks, up to all; ten of them hold it.
TEST(S16Probes, CountNoSmThatIsAskedInVain) {
  const spec::Spec base = load_paper(
      TESSERA_SOURCE_DIR "/configs/papers/s16.yaml",
      {"workload.processes.12.application=../applications/rodinia/s16_guest_60.yaml", "scheduler.fill=breadth_first"});
  Setting setting;
  setting.technique = spec::TechniqueKind::kChimera;
  setting.limit = 5'000'000;
  const std::vector<Sample> all = run(2, 2, {setting}, base);
  for (const std::vector<Probe>& probes : all[0].probes) {
    for (const Probe& probe : probes) EXPECT_EQ(std::count(probe.waits.begin(), probe.waits.end(), kNever), 0);
  }
}

TEST(S16Probes, ArriveOverTheWholeTimeOfAKernel) {
  const std::vector<Sample> all = samples(4, 2);
  // The last quarter, too: some launch of those that fill the machine several times is asked when it is half empty.
  std::uint64_t fewest = ~std::uint64_t{0};
  for (const auto& probes : all[0].probes)
    for (const Probe& probe : probes) fewest = std::min(fewest, probe.registers_before);
  EXPECT_LT(fewest, all[0].probes[0][0].registers_all / 2);
}

// ---- figures -------------------------------------------------------------------------------------------------------

Reproduction reproduced(const std::string& target, unsigned num_workers) {
  Request request;
  request.target = target;
  request.load = [](const std::vector<std::string>& overrides) {
    return load_paper(TESSERA_SOURCE_DIR "/configs/papers/s16.yaml", overrides);
  };
  request.num_workloads = 1;
  request.options.num_workers = num_workers;
  request.options.is_interrupted = [] { return false; };
  return reproduce(request);
}

TEST(S16Figures, HaveTheSameBytesOnAnyNumberOfWorkers) {
  const Reproduction one = reproduced("s16-fig4_5", 1);
  const Reproduction two = reproduced("s16-fig4_5", 2);
  ASSERT_EQ(one.figures.size(), 4U);
  for (std::size_t i = 0; i < one.figures.size(); ++i)
    EXPECT_EQ(figure_markdown(one.figures[i]), figure_markdown(two.figures[i]));
  EXPECT_THAT(one.violations, IsEmpty());
  EXPECT_EQ(one.effort.simulations, 48U * 19 * 3);  // schemes, limits, pricings, and by the request; kernels; requests
}

// A claim is what its numbers say, whatever the paper says.
TEST(S16Figures, ClaimsFollowTheirValues) {
  const Reproduction reproduction = reproduced("s16-fig4_5", 2);
  const Figure& late = reproduction.figures[0];
  const auto of = [&](const char* series, const char* limit) {
    for (const Value& value : late.values) {
      if (value.panel == "per_tb" && value.series == series && value.category == limit) return value.ours.mean;
    }
    throw std::out_of_range(series);
  };
  bool is_no_more = true;
  for (const char* limit : {"2 us", "3 us", "4 us", "5 us"})
    is_no_more = is_no_more && of("dual_kernel", limit) <= of("chimera", limit);
  EXPECT_EQ(late.orderings.front().claim, "per_tb: dual_kernel violates no more than chimera");
  EXPECT_EQ(late.orderings.front().holds, is_no_more);
}

}  // namespace
}  // namespace tessera::campaign::s16
