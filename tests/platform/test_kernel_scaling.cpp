// SPDX-License-Identifier: Apache-2.0
// C(m) of a kernel alone, against waves of thread blocks.
#include <gtest/gtest.h>

#include "model/realtime/task_kernels.h"
#include "model/spec/core_cycles.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "model/spec/task_set_spec.h"
#include "platform/kernel_scaling.h"

namespace tessera::platform {
namespace {

constexpr Picoseconds kTbTime = 1'000'000'000;  // 1 ms
constexpr std::uint32_t kNumTbs = 100;
constexpr std::uint32_t kTbsPerSm = 4;

class KernelScaling : public testing::Test {
 protected:
  KernelScaling() {
    spec::TaskSetSpec set;
    set.gpu = spec::load_gpu(TESSERA_SOURCE_DIR "/configs/gpus/k20c.yaml");
    machine_ = realtime::machine_of(set, spec::TechniqueKind::kContextSwitch);
    kernel_.name = "k";
    kernel_.num_tbs = kNumTbs;
    kernel_.regs_per_tb = set.gpu.registers_per_sm / kTbsPerSm;
    kernel_.threads_per_tb = 64;
    kernel_.tb_time = kTbTime;
  }
  std::vector<realtime::Nanoseconds> measure(FrameworkTime framework) {
    return measure_scaling(machine_, {kernel_}, framework, 2, [] { return false; }).at(0);
  }
  static realtime::Nanoseconds waves(std::size_t num_sms) {
    const std::size_t slots = kTbsPerSm * num_sms;
    return static_cast<realtime::Nanoseconds>((kNumTbs + slots - 1) / slots * (kTbTime / 1000));
  }

  spec::Spec machine_;
  spec::KernelSpec kernel_;
};

TEST_F(KernelScaling, IsWholeWavesOnEachNumberOfSms) {
  const auto times = measure(FrameworkTime::kLeftOut);
  ASSERT_EQ(times.size(), machine_.gpu.num_sms);
  const Clock clock(machine_.gpu.clock_hz);
  for (std::size_t m = 1; m <= times.size(); ++m) {
    EXPECT_GE(times[m - 1], waves(m)) << m;
    // An SM a cycle, and a thread block a cycle.
    const Cycle cycles = 8 * m + 2 * kNumTbs;
    EXPECT_LE(times[m - 1], waves(m) + static_cast<realtime::Nanoseconds>(clock.time_of(cycles) / 1000)) << m;
  }
}

TEST_F(KernelScaling, TheFrameworksTimeIsASearchForEachSm) {
  const auto without = measure(FrameworkTime::kLeftOut);
  const auto with = measure(FrameworkTime::kIncluded);
  const Clock clock(machine_.gpu.clock_hz);
  for (std::size_t m = 1; m <= with.size(); ++m) {
    const Cycle least = spec::activation_core_cycles(machine_) + machine_.gpu.framework.sm_setup_cycles;
    EXPECT_GE(with[m - 1], waves(m) + static_cast<realtime::Nanoseconds>(clock.time_of(least) / 1000)) << m;
    EXPECT_GT(with[m - 1], without[m - 1]) << m;
  }
}

TEST_F(KernelScaling, SpreadsCountAtTheirLongest) {
  const auto even = measure(FrameworkTime::kLeftOut);
  kernel_.tb_time_spread_ppm = 250'000;
  const auto uneven = measure(FrameworkTime::kLeftOut);
  for (std::size_t m = 0; m < even.size(); ++m) EXPECT_GE(uneven[m], even[m] * 5 / 4 - even[m] / 1000) << m;
}

TEST_F(KernelScaling, KernelsThatAreAlikeAreMeasuredOnce) {
  spec::KernelSpec twin = kernel_;
  twin.name = "twin";
  std::size_t total = 0;
  const auto tables = measure_scaling(
      machine_, {kernel_, twin}, FrameworkTime::kLeftOut, 2, [] { return false; },
      [&total](std::size_t, std::size_t of) { total = of; });
  EXPECT_EQ(total, machine_.gpu.num_sms);
  EXPECT_EQ(tables.at(0), tables.at(1));
}

}  // namespace
}  // namespace tessera::platform
