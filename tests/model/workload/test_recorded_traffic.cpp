// SPDX-License-Identifier: Apache-2.0
// Kernels whose recorded time holds the latency of their own traffic (docs/concepts/loaded_memory.md).
#include <gtest/gtest.h>

#include "model/spec/spec.h"
#include "model/workload/recorded_traffic.h"

namespace tessera::workload {
namespace {

// Four SMs of one thread block each that can have 1,000 bytes on their way, 10 GB/s each, of a memory that has 20.
spec::Spec recorded(std::uint32_t num_tbs, std::uint32_t share_ppm) {
  spec::Spec spec;
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  spec.gpu.framework.tb_issue_cycles = spec::kIdealIssueCycles;
  spec.gpu.clock_hz = 1'000'000'000;
  spec.gpu.num_sms = 4;
  spec.gpu.max_tbs_per_sm = 1;
  spec.gpu.max_threads_per_sm = 1024;
  spec.gpu.registers_per_sm = 4096;
  spec.gpu.shared_memory_bytes = {16384};
  spec.channel_sharing = spec::ChannelSharing::kLoadedLatency;
  spec.gpu.memory_latency = spec::MemoryLatencySpec{};
  spec.gpu.memory_latency->unloaded = 100'000;
  spec.gpu.memory_latency->sm_bytes_per_s = 10'000'000'000;
  spec.gpu.memory_latency->curve = {{20'000'000'000, 1'000'000}};
  spec::ApplicationSpec& application = spec.applications.emplace_back();
  application.in_flight_share_ppm = share_ppm;
  spec::KernelSpec& kernel = application.kernels.emplace_back();
  kernel.num_tbs = num_tbs;
  kernel.regs_per_tb = 1024;
  kernel.threads_per_tb = 32;
  kernel.kernel_time = kPicosecondsPerSecond / 1000;
  return spec;
}

double microseconds_of_tb(const spec::Spec& spec) {
  return static_cast<double>(*spec.applications[0].kernels[0].tb_time) / 1e6;
}

// All four ask for 40 of 20 GB/s: answers come twice as late as to one alone.
TEST(RecordedTraffic, AWaveThatMemoryHalvesWorksForHalfOfItsTime) {
  const spec::Spec spec = with_recorded_traffic(recorded(4, 1'000'000));
  const spec::KernelSpec& kernel = spec.applications[0].kernels[0];
  EXPECT_NEAR(microseconds_of_tb(spec), 500, 1);
  EXPECT_TRUE(kernel.loads_all_along);
  EXPECT_EQ(kernel.bytes_in_flight_per_tb, 1000U);
  EXPECT_FALSE(kernel.kernel_time.has_value());
  EXPECT_FALSE(has_recorded_traffic(spec));
}

// A second wave of two, which memory answers at once: 2 + 1 parts of 1,000 us.
TEST(RecordedTraffic, ALastWaveOfFewIsAnsweredSooner) {
  EXPECT_NEAR(microseconds_of_tb(with_recorded_traffic(recorded(6, 1'000'000))), 1000.0 / 3, 1);
}

// 0.75 of 40 is 30: one and a half times as late.
TEST(RecordedTraffic, AShareIsOfWhatTheSmsCanHaveOnTheirWay) {
  const spec::Spec spec = with_recorded_traffic(recorded(4, 750'000));
  EXPECT_NEAR(microseconds_of_tb(spec), 1000 / 1.5, 1);
  EXPECT_EQ(spec.applications[0].kernels[0].bytes_in_flight_per_tb, 750U);
}

TEST(RecordedTraffic, AnApplicationWithoutAShareIsLeftAlone) {
  spec::Spec spec = recorded(4, 0);
  EXPECT_FALSE(has_recorded_traffic(spec));
  spec = with_recorded_traffic(spec);
  EXPECT_TRUE(spec.applications[0].kernels[0].kernel_time.has_value());
  EXPECT_FALSE(spec.applications[0].kernels[0].loads_all_along);
}

TEST(RecordedTraffic, TimesOfThreadBlocksAreNotToldBeforeItsLatencyIsTakenOut) {
  const spec::Spec spec = recorded(4, 500'000);
  EXPECT_THROW(KernelTimes{spec}, std::logic_error);
}

}  // namespace
}  // namespace tessera::workload
