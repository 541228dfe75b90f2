// SPDX-License-Identifier: Apache-2.0
// Whose launches are on their way, as the engine is told of it under a kept turn (docs/hardware/timing.md 7.6).
#include <algorithm>
#include <vector>

#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"
#include "tests/tlm/waiting_bench.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Command wait_on_queue(std::uint32_t queue, std::uint64_t commands, std::uint64_t context) {
  Command command;
  command.opcode = Opcode::kWait;
  command.flags = kInterruptWhenDone;
  command.context = context;
  command.source = queue;
  command.bytes = commands;
  return command;
}

class GpuWaiting : public SystemCTest {
 protected:
  void finish(GpuBench& bench) { bench.finish(GpuBench::now() + 1); }
};

TEST_F(GpuWaiting, LaunchesInARowWaitFromTheDoorbellUntilTheLastOneIsSent) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    for (int i = 0; i < 3; ++i) bench.submit(0, small_kernel(1, 2'000));
    bench.wait_for(0, 3);
    finish(bench);
    const std::vector<Cycle> sent = launched(bench);
    ASSERT_EQ(sent.size(), 3U);
    EXPECT_THAT(told(bench), ElementsAre(Told{rung, 0, true}, Told{sent[2], 0, false}));
    EXPECT_TRUE(std::holds_alternative<TurnInput>(bench.sent().back().what)) << "the launch is sent first";
  });
}

TEST_F(GpuWaiting, AHostThatWaitsForEachKernelIsDryAfterEach) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    std::vector<Told> expected;
    for (std::uint64_t i = 0; i < 2; ++i) {
      expected.push_back({GpuBench::now() + bench.link().one_way(), 1, true});
      expected.push_back({GpuBench::now() + bench.fetch(2), 1, false});
      bench.submit(0, small_kernel(1, 2'000, 1));
      bench.wait_for(0, i + 1);
    }
    finish(bench);
    EXPECT_EQ(told(bench), expected);
  });
}

TEST_F(GpuWaiting, ALaunchBehindACopyWaitsOnceTheCopyIsDone) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    bench.submit(0, small_kernel(1, 2'000));
    bench.submit(0, copy_command(0, 0, 4'000, false));
    bench.submit(0, small_kernel(1, 2'000));
    bench.wait_for(0, 3);
    finish(bench);
    const std::vector<Cycle> sent = launched(bench);
    const Cycle copied = bench.records(Kind::kDmaEnded).at(0).cycle;
    EXPECT_THAT(told(bench), ElementsAre(Told{rung, 0, true}, Told{sent.at(0), 0, false}, Told{copied, 0, true},
                                         Told{sent.at(1), 0, false}));
    EXPECT_EQ(sent.at(1), copied + bench.dispatch());
  });
}

TEST_F(GpuWaiting, ALaunchBehindAWaitWaitsOnceTheWaitIsOver) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    bench.submit(0, small_kernel(1, 9'000, 0));
    bench.submit(1, wait_on_queue(0, 1, 1));
    bench.submit(1, small_kernel(1, 2'000, 1));
    bench.wait_for(1, 2);
    finish(bench);
    const std::vector<Cycle> sent = launched(bench);
    const Cycle over = bench.records(Kind::kKernelFinished).at(0).cycle;
    std::vector<Told> of_waiter = told(bench);
    of_waiter.erase(std::remove_if(of_waiter.begin(), of_waiter.end(), [](const Told& t) { return t.context == 0; }),
                    of_waiter.end());
    EXPECT_THAT(of_waiter, ElementsAre(Told{over, 1, true}, Told{sent.at(1), 1, false}));
  });
}

TEST_F(GpuWaiting, FencesDoNotCountAndHideNothing) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    bench.submit(1, GpuBench::fence_command());
    bench.wait_for(1, 1);
    EXPECT_THAT(told(bench), IsEmpty());
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    bench.submit(0, GpuBench::fence_command());
    bench.submit(0, small_kernel(1, 2'000));
    bench.submit(0, GpuBench::fence_command());
    bench.submit(0, small_kernel(1, 2'000));
    bench.submit(0, GpuBench::fence_command());
    bench.wait_for(0, 5);
    finish(bench);
    EXPECT_THAT(told(bench), ElementsAre(Told{rung, 0, true}, Told{launched(bench).at(1), 0, false}));
  });
}

TEST_F(GpuWaiting, TwoQueuesOfAContextWaitAsOne) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    bench.submit(0, small_kernel(1, 2'000));
    GpuBench::wait_cycles(bench.fetch(2) - 1);  // the first is about to be sent
    bench.submit(2, small_kernel(1, 2'000));
    bench.wait_for(0, 1);
    bench.wait_for(2, 1);
    finish(bench);
    const std::vector<Cycle> sent = launched(bench);
    // A link's latency lies between the first one's launch and the second one's doorbell.
    EXPECT_THAT(told(bench),
                ElementsAre(Told{rung, 0, true}, Told{sent.at(0), 0, false},
                            Told{sent.at(0) - 1 + bench.link().one_way(), 0, true}, Told{sent.at(1), 0, false}));
  });
}

TEST_F(GpuWaiting, OfTwoQueuesOfAContextTheLastOneToBeSentCounts) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    bench.submit(0, small_kernel(1, 2'000));
    GpuBench::wait_cycles(10);
    bench.submit(2, small_kernel(1, 2'000));
    bench.wait_for(0, 1);
    bench.wait_for(2, 1);
    finish(bench);
    EXPECT_THAT(told(bench), ElementsAre(Told{rung, 0, true}, Told{launched(bench).at(1), 0, false}));
  });
}

TEST_F(GpuWaiting, AQueueThatCrossesContextsShowsWhoIsNext) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    bench.submit(0, small_kernel(1, 2'000, 0));
    bench.submit(0, small_kernel(1, 2'000, 1));
    bench.wait_for(0, 2);
    finish(bench);
    const std::vector<Cycle> sent = launched(bench);
    EXPECT_THAT(settled(told(bench)), ElementsAre(Told{rung, 0, true}, Told{sent.at(0), 1, true},
                                                  Told{sent.at(0), 0, false}, Told{sent.at(1), 1, false}));
  });
}

// ---- what has not been fetched -----------------------------------------------------------------------------------

TEST_F(GpuWaiting, CommandsThatAreNotFetchedCountFromTheirDoorbellOn) {
  GpuBench bench("bench", kept_turns(), ExecutionEngine::Pace::kRunAhead, sc_core::sc_time(60, sc_core::SC_NS));
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    for (int i = 0; i < 12; ++i) bench.submit(0, small_kernel(1, 700));
    bench.wait_for(0, 12);
    finish(bench);
    EXPECT_THAT(told(bench), ElementsAre(Told{rung, 0, true}, Told{launched(bench).at(11), 0, false}));
  });
}

TEST_F(GpuWaiting, ARingThatIsNotFetchedFromCountsUntilItIsEmptied) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    bench.write(reg::kControl, 0);
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    bench.submit(0, GpuBench::fence_command());
    bench.submit(0, small_kernel(1, 700, 1));
    GpuBench::wait_cycles(1'000);
    bench.write(GpuBench::queue(0, reg::kEntries), GpuBench::kRingEntries);
    finish(bench);
    EXPECT_THAT(told(bench), ElementsAre(Told{rung, 1, true}, Told{GpuBench::now(), 1, false}));
  });
}

TEST_F(GpuWaiting, UnfetchedCommandsOfSeveralContextsCountForTheLast) {
  GpuBench bench("bench", kept_turns(3));
  simulate([&] {
    bench.set_up();
    bench.write(reg::kControl, 0);
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    bench.submit(0, small_kernel(1, 700, 1));
    bench.submit(0, small_kernel(1, 700, 2));
    GpuBench::wait_cycles(1'000);
    EXPECT_THAT(settled(told(bench)), ElementsAre(Told{rung, 2, true}));
    bench.write(GpuBench::queue(0, reg::kEntries), 0);  // who waits for ever has slices for ever
    finish(bench);
  });
}

// ---- who is told -------------------------------------------------------------------------------------------------

TEST_F(GpuWaiting, NobodyIsToldUnderATurnThatIsPassed) {
  spec::Spec spec = kept_turns();
  spec.scheduler.turn = spec::Turn::kPassed;
  GpuBench bench("bench", spec);
  simulate([&] {
    bench.set_up();
    bench.submit(0, small_kernel(1, 2'000));
    bench.wait_for(0, 1);
    finish(bench);
    EXPECT_THAT(told(bench), IsEmpty());
  });
}

TEST_F(GpuWaiting, APolicyThatKeepsTurnsIsToldOfWhatWaitsAlready) {
  GpuBench bench("bench", small_gpu(1, 2));
  simulate([&] {
    bench.set_up();
    bench.submit(0, small_kernel(1, 9'000, 1));
    bench.submit(0, small_kernel(1, 2'000, 1));
    GpuBench::wait_cycles(5'000);
    EXPECT_THAT(told(bench), IsEmpty());
    const Cycle written = GpuBench::now();
    const std::uint64_t kept = std::uint64_t{1} << reg::PolicyFields::kTurnShift;
    bench.write(reg::kPolicy, spec::info(spec::PolicyKind::kTimeSlice).code | kept);
    EXPECT_EQ(bench.read(reg::kPolicy), spec::info(spec::PolicyKind::kTimeSlice).code | kept);
    bench.wait_for(0, 2);
    finish(bench);
    EXPECT_THAT(told(bench), ElementsAre(Told{written, 1, true}, Told{launched(bench).at(1), 1, false}));
  });
}

TEST_F(GpuWaiting, SliceEndsAndTheRunListArriveALatencyAfterTheirWrites) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const std::size_t before = bench.sent().size();
    const Cycle arrives = GpuBench::now() + bench.link().one_way();
    bench.write(reg::kSliceEnd + 8, static_cast<std::uint64_t>(spec::SliceEnd::kWait));
    bench.write(reg::kListed + 8, 0);
    EXPECT_EQ(bench.read(reg::kSliceEnd + 8), 2U);
    EXPECT_EQ(bench.read(reg::kListed + 8), 0U);
    ASSERT_EQ(bench.sent().size(), before + 2);
    const auto& ends = std::get<SetSliceEnd>(std::get<RegisterWrite>(bench.sent()[before].what));
    EXPECT_EQ(bench.sent()[before].stamp, arrives);
    EXPECT_EQ(ends.context, ContextId{1});
    EXPECT_EQ(ends.slice_end, spec::SliceEnd::kWait);
    const auto& listed = std::get<SetListed>(std::get<TurnInput>(bench.sent()[before + 1].what));
    EXPECT_EQ(bench.sent()[before + 1].stamp, arrives);
    EXPECT_EQ(listed.context, ContextId{1});
    EXPECT_FALSE(listed.is_listed);
    bench.write(reg::kListed + 8, 1);
    finish(bench);
  });
}

}  // namespace
}  // namespace tessera::tlm_model::test
