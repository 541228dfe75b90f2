// SPDX-License-Identifier: Apache-2.0
// How many thread blocks fit an SM, what limits them, and what their context weighs.
// Limits are chosen so that each resource in turn is the tight one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "model/spec/application_spec.h"
#include "model/spec/gpu_spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {
namespace {

constexpr std::uint32_t kRegisters = 65536;
constexpr std::uint32_t kThreads = 2048;
constexpr std::uint32_t kSlots = 16;

spec::GpuSpec make_gpu() {
  spec::GpuSpec gpu;
  gpu.num_sms = 13;
  gpu.max_tbs_per_sm = kSlots;
  gpu.max_threads_per_sm = kThreads;
  gpu.registers_per_sm = kRegisters;
  gpu.shared_memory_bytes = {16384, 32768, 49152};
  gpu.memory_bandwidth_bytes_per_s = 208'000'000'000;
  return gpu;
}

spec::KernelSpec make_kernel(std::uint32_t regs, std::uint32_t smem, std::uint32_t threads) {
  spec::KernelSpec kernel;
  kernel.regs_per_tb = regs;
  kernel.smem_bytes_per_tb = smem;
  kernel.threads_per_tb = threads;
  return kernel;
}

TEST(Limiter, HasTheNameThatMessagesUse) {
  EXPECT_EQ(to_string(Limiter::kRegisters), "registers");
  EXPECT_EQ(to_string(Limiter::kSharedMemory), "shared_memory");
  EXPECT_EQ(to_string(Limiter::kThreads), "threads");
  EXPECT_EQ(to_string(Limiter::kSlots), "slots");
  EXPECT_EQ(to_string(Limiter::kQuota), "max_tbs_per_sm");
}

TEST(Occupancy, TightestResourceLimitsAndIsNamed) {
  struct Case {
    spec::KernelSpec kernel;
    std::uint32_t tbs;
    Limiter limiter;
  };
  const Case cases[] = {
      {make_kernel(kRegisters / 3, 0, 32), 3, Limiter::kRegisters},
      {make_kernel(32, 16384 / 5, 32), 5, Limiter::kSharedMemory},
      {make_kernel(32, 64, kThreads / 7), 7, Limiter::kThreads},
      {make_kernel(32, 64, 32), kSlots, Limiter::kSlots},
  };
  for (const Case& c : cases) {
    const Occupancy result = occupancy(make_gpu(), c.kernel);
    EXPECT_EQ(result.tbs_per_sm, c.tbs) << to_string(c.limiter);
    EXPECT_EQ(result.limiter, c.limiter);
  }
}

TEST(Occupancy, QuotaOfAKernelLimitsItBelowWhatFitsAndNeverAbove) {
  spec::KernelSpec kernel = make_kernel(kRegisters / 4, 0, 32);
  kernel.max_tbs_per_sm = 3;
  EXPECT_EQ(occupancy(make_gpu(), kernel).tbs_per_sm, 3u);
  EXPECT_EQ(occupancy(make_gpu(), kernel).limiter, Limiter::kQuota);
  kernel.max_tbs_per_sm = 5;
  EXPECT_EQ(occupancy(make_gpu(), kernel).tbs_per_sm, 4u);
  EXPECT_EQ(occupancy(make_gpu(), kernel).limiter, Limiter::kRegisters);
}

TEST(Occupancy, OneRegisterTooManyCostsAThreadBlock) {
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(kRegisters / 4, 0, 32)).tbs_per_sm, 4u);
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(kRegisters / 4 + 1, 0, 32)).tbs_per_sm, 3u);
}

TEST(Occupancy, TieGoesToTheFirstResourceInTheOrderOfLimiter) {
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(kRegisters / 4, 16384 / 4, kThreads / 4)).limiter, Limiter::kRegisters);
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(32, 16384 / 4, kThreads / 4)).limiter, Limiter::kSharedMemory);
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(32, 0, kThreads / kSlots)).limiter, Limiter::kThreads);
}

TEST(Occupancy, ResourceThatIsNotUsedNeverLimits) {
  const Occupancy result = occupancy(make_gpu(), make_kernel(0, 0, 1));
  EXPECT_EQ(result.tbs_per_sm, kSlots);
  EXPECT_EQ(result.limiter, Limiter::kSlots);
}

TEST(Occupancy, SmallestSharedMemoryConfigurationThatHoldsOneThreadBlockIsTaken) {
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(32, 0, 32)).shared_memory_config_bytes, 16384u);
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(32, 16384, 32)).shared_memory_config_bytes, 16384u);
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(32, 16385, 32)).shared_memory_config_bytes, 32768u);
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(32, 49152, 32)).shared_memory_config_bytes, 49152u);
}

TEST(Occupancy, LargerConfigurationIsNotTakenToFitMoreThreadBlocks) {
  // [T14] Table 2: 13312 B hold once in 16 KB, though 48 KB would hold three.
  EXPECT_EQ(occupancy(make_gpu(), make_kernel(32, 13312, 32)).tbs_per_sm, 1u);
}

// CUDA's calculator: 65,536 registers, warps of 1,280 each, 5 warps a thread block. In four parts of 16,384 registers
// are 12 warps each, 48 in all: 9 thread blocks; in two parts 25 each: 10; in one 51: 10.
TEST(Occupancy, RegistersAreGivenToAMultipleOfTheWarpsThatTheGpuSays) {
  spec::GpuSpec gpu = make_gpu();
  ASSERT_EQ(gpu.registers_per_sm, 65536U);
  const spec::KernelSpec kernel = make_kernel(5 * 1280, 0, 5 * 32);
  for (const auto& [warps, tbs] : {std::pair(1U, 10U), {2U, 10U}, {4U, 9U}}) {
    gpu.register_allocation_warps = warps;
    EXPECT_EQ(occupancy(gpu, kernel).tbs_per_sm, tbs) << warps;
    EXPECT_EQ(occupancy(gpu, kernel).limiter, Limiter::kRegisters) << warps;
  }
}

TEST(Occupancy, MostResidentTakesTheSmallestSizeThatLetsMostThreadBlocksIn) {
  spec::GpuSpec gpu = make_gpu();
  gpu.shared_memory_choice = spec::SharedMemoryChoice::kMostResident;
  // 13,312 B: once in 16 KB, twice in 32 KB, three times in 48 KB.
  EXPECT_EQ(occupancy(gpu, make_kernel(32, 13312, 32)).tbs_per_sm, 3U);
  EXPECT_EQ(occupancy(gpu, make_kernel(32, 13312, 32)).shared_memory_config_bytes, 49152U);
  // Threads let two in: 32 KB are enough.
  EXPECT_EQ(occupancy(gpu, make_kernel(32, 13312, kThreads / 2)).tbs_per_sm, 2U);
  EXPECT_EQ(occupancy(gpu, make_kernel(32, 13312, kThreads / 2)).shared_memory_config_bytes, 32768U);
  EXPECT_EQ(occupancy(gpu, make_kernel(32, 0, 32)).shared_memory_config_bytes, 16384U);
  EXPECT_EQ(occupancy(gpu, make_kernel(32, 49153, 32)).tbs_per_sm, 0U);
}

TEST(Occupancy, KernelThatFitsNoSmSaysWhy) {
  struct Case {
    spec::KernelSpec kernel;
    Limiter limiter;
  };
  const Case cases[] = {
      {make_kernel(kRegisters + 1, 0, 32), Limiter::kRegisters},
      {make_kernel(32, 49153, 32), Limiter::kSharedMemory},
      {make_kernel(32, 0, kThreads + 1), Limiter::kThreads},
  };
  for (const Case& c : cases) {
    const Occupancy result = occupancy(make_gpu(), c.kernel);
    EXPECT_EQ(result.tbs_per_sm, 0u) << to_string(c.limiter);
    EXPECT_EQ(result.limiter, c.limiter);
  }
}

TEST(Context, IsFourBytesARegisterAndTheSharedMemory) {
  EXPECT_EQ(context_bytes_per_tb(make_kernel(1000, 24, 32)), 4024u);
}

TEST(Context, FullSmTakesItsShareOfTheBandwidthToSave) {
  // Registers and shared memory of one SM at 1/13 of 208 GB/s, which is 16 bytes a nanosecond.
  const std::uint64_t bytes = 4u * kRegisters + 49152u;
  EXPECT_EQ(projected_save_time(make_gpu(), make_kernel(kRegisters, 49152, 32)), bytes * 1000 / 16);
  EXPECT_EQ(resource_share_ppm(make_gpu(), make_kernel(kRegisters, 49152, 32)), 1'000'000u);
}

TEST(Context, KernelThatFitsNoSmHasNothingToSave) {
  EXPECT_EQ(projected_save_time(make_gpu(), make_kernel(kRegisters + 1, 0, 32)), 0u);
  EXPECT_EQ(resource_share_ppm(make_gpu(), make_kernel(kRegisters + 1, 0, 32)), 0u);
}

RC_GTEST_PROP(Occupancy, NoSizeOfSharedMemoryLetsMoreThreadBlocksInThanTheMostResident, ()) {
  spec::GpuSpec gpu = make_gpu();
  const spec::KernelSpec kernel =
      make_kernel(*rc::gen::inRange(0u, kRegisters / 2), *rc::gen::inRange(1u, 49153u), *rc::gen::inRange(1u, 2049u));
  gpu.shared_memory_choice = spec::SharedMemoryChoice::kMostResident;
  const Occupancy most = occupancy(gpu, kernel);
  for (const std::uint32_t size : std::vector<std::uint32_t>(gpu.shared_memory_bytes)) {
    gpu.shared_memory_bytes = {size};
    const Occupancy other = occupancy(gpu, kernel);
    RC_ASSERT(other.tbs_per_sm <= most.tbs_per_sm);
    RC_ASSERT(other.tbs_per_sm < most.tbs_per_sm || size >= most.shared_memory_config_bytes);
  }
}

RC_GTEST_PROP(Occupancy, FillsTheSmWithoutExceedingAnyResource, ()) {
  const spec::GpuSpec gpu = make_gpu();
  const spec::KernelSpec kernel =
      make_kernel(*rc::gen::inRange(0u, kRegisters + 2), *rc::gen::inRange(0u, 49154u), *rc::gen::inRange(1u, 2050u));
  const Occupancy result = occupancy(gpu, kernel);
  const auto fits = [&](std::uint64_t tbs) {
    return tbs * kernel.regs_per_tb <= kRegisters && tbs * kernel.threads_per_tb <= kThreads && tbs <= kSlots &&
           tbs * kernel.smem_bytes_per_tb <= result.shared_memory_config_bytes;
  };
  RC_ASSERT(fits(result.tbs_per_sm));
  RC_ASSERT(!fits(result.tbs_per_sm + 1u));
}

}  // namespace
}  // namespace tessera::workload
