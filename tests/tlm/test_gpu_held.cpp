// SPDX-License-Identifier: Apache-2.0
// A context that the host holds: what has not left its queue waits there, what has goes on, and none of it counts as
// waiting for a turn (docs/hardware/register_map.md, held contexts).
#include <vector>

#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"
#include "tests/tlm/waiting_bench.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr std::uint64_t held_register(std::uint32_t context) { return reg::kHeld + 8 * std::uint64_t{context}; }
constexpr std::uint64_t kHolds = 1;

class GpuHeld : public SystemCTest {
 protected:
  void finish(GpuBench& bench) { bench.finish(GpuBench::now() + 1); }
};

TEST_F(GpuHeld, TheKernelThatRunsGoesOnAndTheNextOneWaitsForTheRelease) {
  GpuBench bench("bench", small_gpu(2, 2));
  simulate([&] {
    bench.set_up();
    for (int i = 0; i < 2; ++i) bench.submit(0, small_kernel(1, 2'000));
    GpuBench::wait_cycles(bench.fetch(2) + 100);
    EXPECT_EQ(bench.read(held_register(0)), reg::kHeldAtWork);
    bench.write(held_register(0), 1);
    EXPECT_EQ(bench.read(held_register(0)) & kHolds, 0U) << "on its way";
    GpuBench::wait_cycles(bench.link().one_way());
    EXPECT_EQ(bench.read(held_register(0)), kHolds | reg::kHeldAtWork);
    bench.wait_for(0, 1);
    EXPECT_EQ(bench.read(held_register(0)), kHolds);
    GpuBench::wait_cycles(10'000);
    EXPECT_THAT(launched(bench), SizeIs(1));
    const Cycle released = GpuBench::now() + bench.link().one_way();
    bench.write(held_register(0), 0);
    bench.wait_for(0, 2);
    finish(bench);
    EXPECT_EQ(launched(bench).back(), released);
  });
}

TEST_F(GpuHeld, OtherContextsAndFencesAreNotConcerned) {
  GpuBench bench("bench", small_gpu(2, 2));
  simulate([&] {
    bench.set_up();
    bench.write(held_register(0), 1);
    GpuBench::wait_cycles(bench.link().one_way());
    bench.submit(0, GpuBench::fence_command());
    bench.submit(0, small_kernel(1, 2'000));
    bench.submit(1, small_kernel(1, 2'000, 1));
    bench.wait_for(0, 1);
    bench.wait_for(1, 1);
    EXPECT_EQ(bench.fence(0), 1U);
    bench.write(held_register(0), 0);
    bench.wait_for(0, 2);
    finish(bench);
  });
}

TEST_F(GpuHeld, ThereIsOneForEachContextAndItsOtherBitsAreNotWritten) {
  GpuBench bench("bench", small_gpu(2, 2));
  simulate([&] {
    bench.set_up();
    bench.write(held_register(1), ~std::uint64_t{0});
    bench.write(held_register(2), 1);
    GpuBench::wait_cycles(bench.link().one_way() + 1);
    EXPECT_EQ(bench.read(held_register(0)), 0U);
    EXPECT_EQ(bench.read(held_register(1)), kHolds);
    EXPECT_EQ(bench.read(held_register(2)), 0U);
    finish(bench);
  });
}

TEST_F(GpuHeld, WhatIsHeldDoesNotWaitForATurn) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    for (int i = 0; i < 12; ++i) bench.submit(0, small_kernel(1, 2'000));  // more than are fetched ahead
    GpuBench::wait_cycles(1'000);
    const Cycle held = GpuBench::now() + bench.link().one_way();
    bench.write(held_register(0), 1);
    GpuBench::wait_cycles(20'000);
    const Cycle released = GpuBench::now() + bench.link().one_way();
    bench.write(held_register(0), 0);
    bench.wait_for(0, 12);
    finish(bench);
    EXPECT_THAT(settled(told(bench)), ElementsAre(Told{rung, 0, true}, Told{held, 0, false}, Told{released, 0, true},
                                                  Told{launched(bench).back(), 0, false}));
  });
}

}  // namespace
}  // namespace tessera::tlm_model::test
