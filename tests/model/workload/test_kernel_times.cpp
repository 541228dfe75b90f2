// SPDX-License-Identifier: Apache-2.0
// Calibration at its ends: kernels too large to be scheduled TB by TB, and times below the overheads.
#include <gtest/gtest.h>

#include <utility>

#include "model/spec/spec.h"
#include "model/workload/kernel_times.h"

namespace tessera::workload {
namespace {

// One SM of 4 slots at 1 GHz, so that a cycle is 1000 ps.
spec::Spec small_machine() {
  spec::Spec spec;
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  spec.gpu.framework.tb_issue_cycles = spec::kIdealIssueCycles;
  spec.gpu.clock_hz = 1'000'000'000;
  spec.gpu.num_sms = 1;
  spec.gpu.max_tbs_per_sm = 4;
  spec.gpu.max_threads_per_sm = 1024;
  spec.gpu.registers_per_sm = 4096;
  spec.gpu.shared_memory_bytes = {16384};
  return spec;
}

spec::KernelSpec kernel_of(std::uint32_t num_tbs, Picoseconds kernel_time) {
  spec::KernelSpec kernel;
  kernel.num_tbs = num_tbs;
  kernel.regs_per_tb = 1024;
  kernel.threads_per_tb = 32;
  kernel.kernel_time = kernel_time;
  kernel.tb_time_spread_ppm = 300'000;
  return kernel;
}

TEST(KernelTimes, AHugeKernelIsCalibratedByItsRate) {
  const std::uint32_t num_tbs = 2'000'000'000;
  const Picoseconds kernel_time = 500 * kPicosecondsPerSecond;  // 5e11 cycles for 5e8 TBs a slot
  const TbTime time = tb_time(small_machine(), kernel_of(num_tbs, kernel_time));
  EXPECT_NEAR(static_cast<double>(time.mean), 1000, 10);
}

// All 512 TBs run at once and the last one decides: the greatest of nine values uniform in 1 +- 0.5 is 1.4 in the mean.
TEST(KernelTimes, WhatNeighboursHaveInCommonIsPartOfTheKernelsTime) {
  spec::Spec spec = small_machine();
  spec.gpu.num_sms = spec.scheduler.search_width = 128;                    // ready one cycle after the other
  spec::KernelSpec kernel = kernel_of(512, kPicosecondsPerSecond / 1000);  // 1e6 cycles
  kernel.tb_time_spread_ppm = 0;
  EXPECT_NEAR(static_cast<double>(tb_time(spec, kernel).mean), 1e6, 1e4);
  kernel.neighbour_cpi_spread_ppm = 500'000;
  EXPECT_NEAR(1.4 * static_cast<double>(tb_time(spec, kernel).mean), 1e6, 1.5e4);
}

// Kernels of seconds each, 64 of them: whoever stops the program does not wait for their times.
TEST(KernelTimes, AnInterruptionIsHeardBetweenTheStepsOfAFit) {
  spec::Spec spec = small_machine();
  spec.applications.resize(1);
  spec.applications[0].kernels.assign(64, kernel_of(200'000, kPicosecondsPerSecond));
  int asked = 0;
  const KernelTimes times(spec, [&] { return ++asked > 3; });
  EXPECT_GT(asked, 3);
  EXPECT_LT(asked, 64 + 64) << "the first kernel's steps, then once a kernel: no step of another one is taken";
  EXPECT_EQ(times.of(0, 63).mean, 1U);
}

// ---- fits that are kept ----------------------------------------------------------------------------------------

spec::Spec eight_sms() {
  spec::Spec spec = small_machine();
  spec.gpu.num_sms = spec.scheduler.search_width = 8;
  return spec;
}

// How often a fit of the kernel asks whether it is interrupted, as it does before each of its steps: never where the
// time is known.
int questions_of(const spec::Spec& spec, const spec::KernelSpec& kernel) {
  int asked = 0;
  tb_time(spec, kernel, [&asked] { return ++asked < 0; });
  return asked;
}

TEST(KernelFits, AnApplicationIsFittedOnceInTwoExperimentsOfAProcess) {
  spec::Spec first = eight_sms();
  first.applications.resize(1);
  first.applications[0].kernels = {kernel_of(100, 7'100'000), kernel_of(200, 7'200'000)};
  spec::Spec second = first;
  second.name = "another";
  second.seed = 17;
  second.scheduler.policy = spec::PolicyKind::kDss;
  second.applications[0].name = "under another name";
  const auto questions = [](const spec::Spec& spec) {
    int asked = 0;
    const KernelTimes times(spec, [&asked] { return ++asked < 0; });
    return std::pair(asked, times.of(0, 1).mean);
  };
  const auto [asked_first, mean_first] = questions(first);
  const auto [asked_second, mean_second] = questions(second);
  EXPECT_GT(asked_first, 2);
  EXPECT_EQ(asked_second, 2) << "once a kernel, before each: none is fitted";
  EXPECT_EQ(mean_first, mean_second);
}

TEST(KernelFits, AnotherMachineOrKernelIsFittedAgain) {
  const spec::Spec spec = eight_sms();
  const spec::KernelSpec kernel = kernel_of(300, 7'300'000);
  EXPECT_GT(questions_of(spec, kernel), 0);
  EXPECT_EQ(questions_of(spec, kernel), 0);
  using Change = void (*)(spec::Spec&, spec::KernelSpec&);
  const std::pair<const char*, Change> changes[] = {
      {"number of SMs", [](spec::Spec& spec, spec::KernelSpec&) { spec.gpu.num_sms = 7; }},
      {"clock", [](spec::Spec& spec, spec::KernelSpec&) { spec.gpu.clock_hz *= 2; }},
      {"occupancy", [](spec::Spec& spec, spec::KernelSpec&) { spec.gpu.max_tbs_per_sm = 2; }},
      {"setting up", [](spec::Spec& spec, spec::KernelSpec&) { ++spec.gpu.framework.sm_setup_cycles; }},
      {"issue", [](spec::Spec& spec, spec::KernelSpec&) { ++spec.gpu.framework.tb_issue_cycles; }},
      {"links up", [](spec::Spec& spec, spec::KernelSpec&) { spec.gpu.framework.link_cycles.up.assign(8, 1); }},
      {"links down", [](spec::Spec& spec, spec::KernelSpec&) { spec.gpu.framework.link_cycles.down.assign(8, 1); }},
      {"activation", [](spec::Spec& spec, spec::KernelSpec&) { ++spec.gpu.framework.kernel_activation_cycles; }},
      {"engine", [](spec::Spec& spec, spec::KernelSpec&) { spec.gpu.framework.engine = spec::Engine::kSerialised; }},
      {"search width", [](spec::Spec& spec, spec::KernelSpec&) { spec.scheduler.search_width = 1; }},
      {"fill", [](spec::Spec& spec, spec::KernelSpec&) { spec.scheduler.fill = spec::Fill::kBreadthFirst; }},
      {"rate", [](spec::Spec& spec, spec::KernelSpec&) { spec.scheduler.tbs_per_cycle = 2; }},
      {"rate of the machine", [](spec::Spec& spec, spec::KernelSpec&) { spec.gpu.framework.tb_issue_hz = 1'000'000; }},
      {"thread blocks", [](spec::Spec&, spec::KernelSpec& kernel) { ++kernel.num_tbs; }},
      {"time", [](spec::Spec&, spec::KernelSpec& kernel) { *kernel.kernel_time += 1'000; }},
      {"spread", [](spec::Spec&, spec::KernelSpec& kernel) { ++kernel.tb_time_spread_ppm; }},
      {"neighbours", [](spec::Spec&, spec::KernelSpec& kernel) { kernel.neighbour_cpi_spread_ppm = 1; }},
  };
  for (const auto& [what, change] : changes) {
    spec::Spec other = spec;
    spec::KernelSpec other_kernel = kernel;
    change(other, other_kernel);
    EXPECT_GT(questions_of(other, other_kernel), 0) << what;
  }
  EXPECT_EQ(questions_of(spec, kernel), 0);
}

TEST(KernelFits, AnInterruptedFitIsNotKept) {
  const spec::KernelSpec kernel = kernel_of(400, 7'400'000);
  tb_time(eight_sms(), kernel, [] { return true; });
  EXPECT_GT(questions_of(eight_sms(), kernel), 0);
}

TEST(KernelTimes, ATimeBelowTheOverheadsLeavesTheShortestTbs) {
  EXPECT_EQ(tb_time(small_machine(), kernel_of(4, 1'000)).mean, 1U);
}

}  // namespace
}  // namespace tessera::workload
