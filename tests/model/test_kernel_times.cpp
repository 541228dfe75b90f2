// SPDX-License-Identifier: Apache-2.0
// Calibration at its ends: kernels too large to be scheduled TB by TB, and times below the overheads.
#include <gtest/gtest.h>

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

TEST(KernelTimes, ATimeBelowTheOverheadsLeavesTheShortestTbs) {
  EXPECT_EQ(tb_time(small_machine(), kernel_of(4, 1'000)).mean, 1U);
}

}  // namespace
}  // namespace tessera::workload
