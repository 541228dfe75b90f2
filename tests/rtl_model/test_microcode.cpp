// SPDX-License-Identifier: Apache-2.0
// Saves and restores by microcode (docs/hardware/timing.md 7.6): what warps and their shared memory cost, beside bytes.
#include <gmock/gmock.h>

#include "rtl_model/sm/microcode.h"
#include "tests/rtl_model/sm_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;

constexpr Picoseconds kNs = 1000;  // a cycle of the machine

spec::Spec with_microcode(Picoseconds per_warp, Picoseconds per_kib) {
  spec::Spec spec = machine(1);
  spec.gpu.framework.gpu_switch.model = spec::SaveModel::kMicrocode;
  spec::MicrocodeSpec& code = spec.gpu.framework.gpu_switch.microcode;
  code.save_per_warp = per_warp;
  code.save_per_kib = per_kib;
  code.restore_per_warp = 2 * per_warp;
  code.restore_per_kib = 2 * per_kib;
  code.bandwidth = spec.gpu.clock_hz * kBytesPerCycle / 2;
  return spec;
}

Launch launch_of(std::uint32_t threads, std::uint32_t smem_bytes) {
  Launch launch;
  launch.threads_per_tb = threads;
  launch.smem_bytes_per_tb = smem_bytes;
  return launch;
}

TEST(Microcode, CostsNothingWhereBandwidthDecides) {
  const spec::Spec spec = machine(1);
  EXPECT_EQ(Microcode(spec.gpu).save_cycles(4, launch_of(64, 4096)), 0U);
}

TEST(Microcode, CountsTheWarpsOfThreadBlocksThatMove) {
  const Microcode code(with_microcode(3 * kNs, 0).gpu);
  EXPECT_EQ(code.save_cycles(0, launch_of(64, 0)), 0U);
  EXPECT_EQ(code.save_cycles(1, launch_of(32, 0)), 3U);
  EXPECT_EQ(code.save_cycles(1, launch_of(33, 0)), 6U);
  EXPECT_EQ(code.save_cycles(5, launch_of(64, 0)), 30U);
  EXPECT_EQ(code.restore_cycles(5, launch_of(64, 0)), 60U);
}

// The more warps a thread block has, the sooner its shared memory is copied; thread blocks copy beside each other.
TEST(Microcode, DividesSharedMemoryAmongTheWarpsThatAreThere) {
  const Microcode code(with_microcode(0, 10 * kNs).gpu);
  EXPECT_EQ(code.save_cycles(1, launch_of(32, 8 * 1024)), 80U);
  EXPECT_EQ(code.save_cycles(1, launch_of(256, 8 * 1024)), 10U);
  EXPECT_EQ(code.save_cycles(4, launch_of(256, 8 * 1024)), 10U);
}

TEST(Microcode, RoundsTheSumUpToWholeCycles) {
  // 0.4 ns of a warp and 0.7 of half a KiB: 1.1; 0.6 of half a KiB: 1.0.
  EXPECT_EQ(Microcode(with_microcode(400, 1400).gpu).save_cycles(1, launch_of(32, 512)), 2U);
  EXPECT_EQ(Microcode(with_microcode(400, 1200).gpu).save_cycles(1, launch_of(32, 512)), 1U);
}

// In the machine: 256 bytes at 8 a cycle, and a warp of 5 cycles out and 10 in.
TEST(Microcode, ComesBeforeTheBytesOfASaveAndAfterThoseOfARestore) {
  SmBench bench(with_microcode(5 * kNs, 0));
  const std::uint64_t kernel = bench.kernel({500});
  bench.bring_up(kernel);
  bench.dispatch(0, 0);  // 51 .. 551
  bench.run_to(60);
  bench.trap(0);  // it stands still in 101, with 450 left; trap entry to 112
  bench.run_to(200);
  EXPECT_EQ(bench.watcher.save_start, 112U + 5);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(117 + 32));
  bench.set_up(0, kernel);
  bench.run_to(300);
  bench.restore(0, bench.handles.at(0), true);
  bench.run_to(900);
  EXPECT_EQ(bench.watcher.restore_start, 300U);
  EXPECT_EQ(bench.watcher.restore_cycles, 32U + 10);
  EXPECT_THAT(bench.taken(SmEventKind::kRestoreDone), ElementsAre(342));
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(342 + 450));
  EXPECT_FALSE(bench.watcher.has_mismatch);
}

}  // namespace
}  // namespace tessera::rtl_model::test
