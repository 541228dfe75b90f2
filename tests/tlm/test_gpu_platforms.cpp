// SPDX-License-Identifier: Apache-2.0
// The GPU in platforms unlike ours: memory that waits or annotates, simulations that run in slices.
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::tlm_model::test {
namespace {

class GpuPlatforms : public SystemCTest {};

using Pace = ExecutionEngine::Pace;

// Everything a record says, to compare logs.
std::vector<std::vector<std::uint64_t>> facts(const std::vector<Record>& records) {
  std::vector<std::vector<std::uint64_t>> all;
  for (const Record& r : records) {
    all.push_back({r.cycle, static_cast<std::uint64_t>(r.kind), static_cast<std::uint64_t>(r.technique), r.process,
                   r.kernel, r.sm, r.slot, r.launch, r.tb, r.run, r.bytes, r.cycles, r.value});
  }
  return all;
}

constexpr std::uint64_t kLoadPerQueue = 9;

// Work of every kind on every queue, while the first of it is being fetched.
void play_load(GpuBench& bench) {
  bench.set_up();
  for (std::uint32_t round = 0; round < kLoadPerQueue / 3; ++round) {
    for (std::uint32_t queue = 0; queue < 4; ++queue) {
      bench.submit(queue, small_kernel(2, 300 + 10 * queue, queue % 2));
      bench.submit(queue, copy_command(0x40000, 0x1000 * queue, 200, false));
      bench.submit(queue, GpuBench::fence_command());
      GpuBench::wait_cycles(3);
    }
  }
  for (std::uint32_t queue = 0; queue < 4; ++queue) bench.wait_for(queue, kLoadPerQueue);
}

class SlowMemoryTest : public SystemCTest, public testing::WithParamInterface<std::uint64_t> {};

// Two GPUs in one platform, too: they have nothing to do with each other.
TEST_P(SlowMemoryTest, NothingIsLostAndAMemoryThatWaitsIsOneThatAnnotates) {
  const sc_core::sc_time time = sc_core::sc_time::from_value(GetParam());
  GpuBench waiting("waiting", small_gpu(2, 2), Pace::kRunAhead, time, Timing::kWaits);
  GpuBench annotating("annotating", small_gpu(2, 2), Pace::kStepwise, time, Timing::kAnnotates);
  simulate([&] {
    sc_core::sc_process_handle other = sc_core::sc_spawn([&] { play_load(annotating); }, "other");
    play_load(waiting);
    if (!other.terminated()) sc_core::wait(other.terminated_event());
    sc_core::wait(time);  // an annotated fence is there before the GPU knows
    for (GpuBench* bench : {&waiting, &annotating}) {
      EXPECT_EQ(bench->read(reg::kError), 0U);
      EXPECT_EQ(bench->read(reg::kStatus), 0U);
    }
  });
  const Cycle end = GpuBench::now() + 1;
  waiting.finish(end);
  annotating.finish(end);
  EXPECT_EQ(waiting.records(Kind::kKernelFinished).size(), 4 * kLoadPerQueue / 3);
  EXPECT_EQ(waiting.records(Kind::kDmaEnded).size(), 4 * kLoadPerQueue / 3);
  EXPECT_EQ(facts(waiting.records()), facts(annotating.records()));
}

INSTANTIATE_TEST_SUITE_P(Picoseconds, SlowMemoryTest, testing::Values(0, 1, 500, 1'000, 37'500, 1'000'000));

TEST_F(GpuPlatforms, QueueEmptiedWhileItsCommandIsReadFetchesNothing) {
  const sc_core::sc_time time(1, sc_core::SC_US);
  GpuBench bench("bench", small_gpu(1, 1), Pace::kRunAhead, time, Timing::kWaits);
  simulate([&] {
    bench.set_up();
    bench.submit(0, GpuBench::fence_command());
    GpuBench::wait_cycles(bench.link().one_way() + 500);
    bench.write(GpuBench::queue(0, reg::kEntries), 0);
    bench.submit(1, GpuBench::fence_command());
    bench.wait_for(1, 1);
    EXPECT_EQ(bench.fence(0), 0U);
    EXPECT_EQ(bench.read(GpuBench::queue(0, reg::kHead)), 0U);
    EXPECT_EQ(bench.read(reg::kStatus), 0U);
  });
}

// A platform that simulates slice by slice says where each one ends, since that is no event.
TEST_F(GpuPlatforms, SetEndLetsTheHostActBetweenSlices) {
  const spec::Spec spec = small_gpu(2, 1);
  GpuBench bench("bench", spec);
  const Latencies latencies(spec);
  constexpr Cycle kDuration = 100'000;
  constexpr Cycle kSlice = 7'000;
  std::vector<Cycle> rung;
  for (std::uint32_t slice = 0; slice < 20; ++slice) {
    const Cycle end = (slice + 1) * kSlice;
    bench.gpu.execution_engine().set_end(end);
    if (slice == 0) bench.set_up();
    if (slice == 0 || slice == 3) {
      rung.push_back(GpuBench::now());
      bench.submit(slice, small_kernel(1, kDuration));
    }
    sc_core::sc_start(static_cast<double>(kSlice), sc_core::SC_NS);
    EXPECT_EQ(GpuBench::now(), end);
    EXPECT_LT(core_of(bench.gpu).array().now(), end);
  }
  bench.finish(GpuBench::now());
  const auto finished = bench.records(Kind::kKernelFinished);
  ASSERT_EQ(finished.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Cycle arrived = rung[i] + bench.fetch(2) + 1;
    EXPECT_EQ(finished[i].cycle, arrived + latencies.assign() + latencies.start() + kDuration);
  }
  EXPECT_EQ(bench.fence(0), 1U);
  EXPECT_EQ(bench.fence(3), 1U);
}

}  // namespace
}  // namespace tessera::tlm_model::test
