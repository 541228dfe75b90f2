// SPDX-License-Identifier: Apache-2.0
// The dispatcher of SMs that kernels share (docs/concepts/shared_sms.md), on tiny machines: who is placed where, and
// when.
#include <algorithm>
#include <random>
#include <set>

#include "tests/tlm/core_bench.h"
#include "tests/tlm/loaded_machine.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kTurnaround = 7;

// A thread block a cycle; one that has ended leaves its place 7 cycles later.
spec::Spec shared(std::uint32_t num_sms, std::uint32_t num_processes, PolicyKind policy = PolicyKind::kNpq) {
  spec::Spec spec = tiny_machine(num_sms, num_processes);
  spec.scheduler.policy = policy;
  spec.scheduler.order = spec::PartitionOrder::kPriority;
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  spec.gpu.framework.sm_sharing = spec::SmSharing::kKernels;
  spec.gpu.framework.dispatcher = {{kMaxThreadsPerSm, spec.gpu.clock_hz, kTurnaround}};
  return spec;
}

// From its arrival until its first thread block runs.
Cycle first_start(const CoreBench& bench, Cycle arrival) { return arrival + bench.latencies().activation + 1; }

using Places = std::vector<std::pair<std::uint16_t, std::uint16_t>>;
Places places(const CoreBench& bench, std::uint32_t launch) {
  Places found;
  for (const Record& r : bench.records(Kind::kTbIssued)) {
    if (r.launch == launch) found.emplace_back(r.sm, r.slot);
  }
  return found;
}

// ---- places ------------------------------------------------------------------------------------------------------

TEST(TbDispatcher, GoesRoundTheSmsATbACycle) {
  CoreBench bench(shared(3, 1));
  const auto k = bench.launch(1, {0, 5, {1000}, 4});
  bench.run();
  const Cycle first = first_start(bench, 1);
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(first, first + 1, first + 2, first + 3, first + 4));
  EXPECT_EQ(places(bench, k), (Places{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}}));
}

TEST(TbDispatcher, PutsKernelsOfOneContextOnOneSm) {
  CoreBench bench(shared(1, 1));
  const auto a = bench.launch(1, {0, 2, {1000}, 4});
  const auto b = bench.launch(1, {0, 2, {1000}, 4});
  bench.run();
  EXPECT_EQ(places(bench, a), (Places{{0, 0}, {0, 1}}));
  EXPECT_EQ(places(bench, b), (Places{{0, 2}, {0, 3}}));
}

// A kernel of half of the threads, and one whose blocks take a quarter each: two of those fit beside it.
TEST(TbDispatcher, FillsAnSmUpToItsThreads) {
  CoreBench bench(shared(1, 1));
  const auto a = bench.launch(1, {0, 1, {1000}, 2});
  const auto b = bench.launch(1, {0, 3, {1000}, 4});
  bench.run();
  const Cycle first = first_start(bench, 1);
  EXPECT_EQ(bench.kernel(Kind::kTbIssued, b)[2], first + 1000 + kTurnaround) << "the place of the first kernel";
  EXPECT_EQ(bench.kernel(Kind::kTbIssued, a).size(), 1U);
}

TEST(TbDispatcher, APlaceStaysTakenForATurnaround) {
  CoreBench bench(shared(1, 1));
  const auto k = bench.launch(1, {0, 3, {100, 50, 50}, 1});
  bench.run();
  const Cycle first = first_start(bench, 1);
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k),
              ElementsAre(first, first + 100 + kTurnaround, first + 150 + 2 * kTurnaround));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, k), ElementsAre(first + 200 + 2 * kTurnaround))
      << "the last one's turnaround is not the kernel's";
}

// 2 in 3 cycles, the second of them half a cycle late.
TEST(TbDispatcher, PlacesFewerThanATbACycleToo) {
  spec::Spec spec = shared(4, 1);
  spec.gpu.framework.dispatcher.front().tb_issue_hz = 2'000'000;
  spec.gpu.clock_hz = 3'000'000;
  CoreBench bench(spec);
  const auto k = bench.launch(1, {0, 5, {1000}, 4});
  bench.run();
  const Cycle first = first_start(bench, 1);
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(first, first + 1, first + 3, first + 4, first + 6));
}

TEST(TbDispatcher, LargerTbsHaveARateAndATurnaroundOfTheirOwn) {
  spec::Spec spec = shared(1, 1);
  spec.gpu.framework.dispatcher = {{16, spec.gpu.clock_hz, kTurnaround}, {64, spec.gpu.clock_hz / 5, 20}};
  CoreBench bench(spec);
  const auto large = bench.launch(1, {0, 3, {100, 200, 10}, 2});  // of 32 threads
  bench.run();
  const Cycle first = first_start(bench, 1);
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, large), ElementsAre(first, first + 5, first + 100 + 20));
}

// ---- the line ----------------------------------------------------------------------------------------------------

TEST(TbDispatcher, TheNextKernelsTbsStartWhenTheEarlierOneHasNoneLeftToPlace) {
  CoreBench bench(shared(2, 1));
  const auto a = bench.launch(1, {0, 6, {100}, 2});
  const auto b = bench.launch(1, {0, 4, {100}, 2});
  bench.run();
  EXPECT_LT(bench.kernel(Kind::kTbIssued, a).back(), bench.kernel(Kind::kTbIssued, b).front());
  EXPECT_LT(bench.kernel(Kind::kTbIssued, b).front(), first_of(bench.kernel(Kind::kKernelFinished, a)))
      << "beside its last ones";
}

// It needs one SM, which is taken: nobody below it is placed on the other one either, until it is.
TEST(TbDispatcher, NobodyOvertakesAMoreUrgentKernelThatFindsNoRoom) {
  CoreBench bench(shared(2, 2, PolicyKind::kStaticPartition));
  bench.forget_partitions();
  const auto low = bench.launch(1, {0, 8, {100, 300, 100, 100, 100, 100, 100, 100}, 2, 0});
  const auto high = bench.launch(50, {1, 1, {500}, 1, 5});
  bench.run();
  const Cycle arrived = first_of(bench.kernel(Kind::kKernelActivated, high));
  const Cycle placed = first_of(bench.kernel(Kind::kTbIssued, high));
  EXPECT_GT(placed, arrived + kTurnaround);
  for (const Cycle at : bench.kernel(Kind::kTbIssued, low)) EXPECT_FALSE(at > arrived && at < placed) << at;
}

TEST(TbDispatcher, WithFcfsAPriorityIsWorthNothing) {
  CoreBench bench(shared(1, 1, PolicyKind::kFcfs));
  const auto low = bench.launch(1, {0, 4, {100}, 1, 0});
  const auto high = bench.launch(50, {0, 1, {100}, 1, 5});
  bench.run();
  EXPECT_LT(bench.kernel(Kind::kTbIssued, low).back(), bench.kernel(Kind::kTbIssued, high).front());
}

TEST(TbDispatcher, APriorityThatTheOsWritesReordersTheLine) {
  CoreBench bench(shared(1, 2, PolicyKind::kStaticPartition));
  bench.forget_partitions();
  const auto a = bench.launch(1, {0, 4, {100}, 1, 3});
  const auto b = bench.launch(2, {1, 1, {100}, 1, 1});
  bench.set_priority(150, 1, 9);
  bench.run();
  EXPECT_LT(bench.kernel(Kind::kTbIssued, b).front(), bench.kernel(Kind::kTbIssued, a)[2]);
  EXPECT_GT(bench.kernel(Kind::kTbIssued, b).front(), bench.kernel(Kind::kTbIssued, a)[1]);
}

TEST(TbDispatcher, NothingThatRunsIsTakenOff) {
  CoreBench bench(shared(1, 2, PolicyKind::kStaticPartition));
  bench.forget_partitions();
  bench.launch(1, {0, 1, {1000}, 1, 0});
  const auto high = bench.launch(50, {1, 1, {10}, 1, 9});
  bench.run();
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, high), ElementsAre(first_start(bench, 1) + 1000 + kTurnaround));
}

TEST(TbDispatcher, HasAsManyKernelsAsThereAreKsrs) {
  spec::Spec spec = shared(2, 1);
  spec.gpu.framework.num_ksrs = 3;
  CoreBench bench(spec);
  for (int i = 0; i < 5; ++i) bench.launch(1, {0, 1, {500}, 4});
  bench.run();
  std::vector<Cycle> activated;
  for (const Record& r : bench.records(Kind::kKernelActivated)) activated.push_back(r.cycle);
  const Cycle first_end = bench.records(Kind::kKernelFinished).front().cycle;
  EXPECT_EQ(std::count_if(activated.begin(), activated.end(), [&](Cycle at) { return at < first_end; }), 3);
}

// ---- partitions --------------------------------------------------------------------------------------------------

spec::Spec halves() {
  spec::Spec spec = shared(4, 2, PolicyKind::kStaticPartition);
  spec.partitions = {{"left", {0, 1}}, {"right", {2, 3}}};
  spec.processes[1].partition = 1;
  return spec;
}

TEST(TbDispatcher, APartitionsKernelsStayOnItsSms) {
  CoreBench bench(halves());
  const auto right = bench.launch(10, {1, 6, {100}, 2});
  bench.run();
  for (const auto& [sm, slot] : places(bench, right)) EXPECT_GE(sm, 2) << slot;
}

TEST(TbDispatcher, AKernelThatWaitsForItsOwnSmsHoldsUpNobodyElsewhere) {
  CoreBench bench(halves());
  bench.launch(10, {0, 6, {1000}, 1, 9});
  const auto right = bench.launch(60, {1, 2, {100}, 1, 0});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, right), ElementsAre(first_start(bench, 60), first_start(bench, 60) + 1));
}

// ---- slices of the whole GPU -------------------------------------------------------------------------------------

spec::Spec sliced(std::uint32_t num_sms) {
  spec::Spec spec = shared(num_sms, 2, PolicyKind::kTimeSlice);
  spec.scheduler.turn = spec::Turn::kKept;
  spec.scheduler.switch_scope = spec::SwitchScope::kGpu;
  spec.scheduler.time_slice = 1'000'000;  // 1000 cycles
  spec.gpu.framework.gpu_switch.preempted = 200'000;
  spec.gpu.framework.gpu_switch.dry = 150'000;
  return spec;
}

TEST(TbDispatcher, ASliceTakesAllKernelsOfItsContextOffAndBringsThemBackToTheirSlots) {
  CoreBench bench(sliced(2));
  const auto a = bench.launch(1, {0, 2, {1500}, 4});
  const auto b = bench.launch(20, {0, 2, {1700}, 4});
  const auto other = bench.launch(40, {1, 4, {300}, 4});
  bench.run();
  std::set<std::uint32_t> saved;
  for (const Record& r : bench.records(Kind::kTbSaved)) saved.insert(r.launch);
  EXPECT_EQ(saved, (std::set<std::uint32_t>{a, b}));
  EXPECT_EQ(bench.records(Kind::kTbSaved).size(), bench.records(Kind::kTbRestored).size());
  EXPECT_LT(bench.kernel(Kind::kTbSaved, b).back(), bench.kernel(Kind::kTbIssued, other).front());
  EXPECT_LT(bench.kernel(Kind::kTbFinished, other).back(), bench.kernel(Kind::kTbRestored, a).front());
}

TEST(TbDispatcher, WithDrainASliceEndsWhenItsThreadBlocksDo) {
  spec::Spec spec = sliced(1);
  spec.scheduler.technique = spec::TechniqueKind::kDrain;
  CoreBench bench(spec);
  const auto a = bench.launch(1, {0, 4, {700}, 1});
  const auto other = bench.launch(1, {1, 1, {100}, 1});
  bench.run();
  EXPECT_THAT(bench.records(Kind::kTbSaved), IsEmpty());
  const std::vector<Cycle> ends = bench.kernel(Kind::kTbFinished, a);
  const Cycle start = bench.kernel(Kind::kTbIssued, other).front();
  EXPECT_GT(start, ends[1]);
  EXPECT_LT(start, bench.kernel(Kind::kTbIssued, a)[2]);
}

// ---- memory that kernels share -----------------------------------------------------------------------------------

// Two thread blocks of two kernels on one SM, each with bytes for 1000 cycles of all that the SM can ask for.
TEST(TbDispatcher, KernelsOnOneSmShareWhatItHasOnItsWay) {
  CoreBench bench(with_loaded_memory(shared(1, 1), memory_with_roof(1000)));
  Kernel reads{0, 1, {10}, 4};
  reads.dram_bytes_per_tb = 10'000;  // 10 a cycle
  reads.bytes_in_flight_per_tb = kSmBytes;
  const auto a = bench.launch(1, reads);
  const auto b = bench.launch(1, reads);
  bench.run();
  const Cycle start_a = bench.kernel(Kind::kTbIssued, a).front();
  const Cycle start_b = bench.kernel(Kind::kTbIssued, b).front();
  const Cycle alone = start_b - start_a;
  EXPECT_NEAR(static_cast<double>(bench.kernel(Kind::kTbFinished, a).front() - start_b),
              static_cast<double>(2 * (1000 - alone)), 4)
      << "at half the rate from the cycle on in which the second one comes";
}

// ---- any kernels -------------------------------------------------------------------------------------------------

// Every bench checks that places are free and that each thread block runs once.
TEST(TbDispatcher, NobodyOvertakesWhoeverWaits) {
  std::mt19937 draws(2014);
  const auto draw = [&](std::uint32_t from, std::uint32_t to) {
    return std::uniform_int_distribution<std::uint32_t>(from, to)(draws);
  };
  std::uint64_t num_pairs = 0;
  for (int run = 0; run < 40; ++run) {
    spec::Spec spec = shared(draw(1, 5), 1);
    spec.gpu.framework.num_ksrs = 8;  // all: launches keep their numbers
    spec.gpu.framework.dispatcher = {{16, spec.gpu.clock_hz / draw(1, 3), draw(1, 20)},
                                     {64, spec.gpu.clock_hz / draw(1, 5), draw(1, 40)}};
    CoreBench bench(spec);
    std::vector<std::uint32_t> priorities;
    Cycle arrival = 1;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t sizes[] = {1, 2, 4};
      priorities.push_back(draw(0, 3));
      bench.launch(arrival, {0, draw(1, 30), {draw(1, 300)}, sizes[draw(0, 2)], priorities.back()});
      arrival += 20 + draw(0, 400);  // one at a time in the command buffer
    }
    bench.run();
    for (std::uint32_t high = 0; high < priorities.size(); ++high) {
      const Cycle active = first_of(bench.kernel(Kind::kKernelActivated, high));
      const Cycle placed = bench.kernel(Kind::kTbIssued, high).back();
      for (std::uint32_t low = 0; low < priorities.size(); ++low) {
        const bool is_below = priorities[low] < priorities[high] || (priorities[low] == priorities[high] && low > high);
        if (!is_below) continue;
        for (const Cycle at : bench.kernel(Kind::kTbIssued, low)) {
          EXPECT_FALSE(at > active && at < placed)
              << "run " << run << ": " << low << " before " << high << " in " << at;
          ++num_pairs;
        }
      }
    }
  }
  EXPECT_GT(num_pairs, 1000U);
}

// ---- what it was used for ----------------------------------------------------------------------------------------

TEST(TbDispatcher, SlotsThatNoKernelWantsAreWithoutDemand) {
  CoreBench bench(shared(1, 1));
  bench.launch(1, {0, 1, {100}, 4});
  bench.run_and_stop(1000);
  const std::vector<Record> slots = bench.records(Kind::kSmSlots);
  ASSERT_EQ(slots.size(), 1U);
  EXPECT_EQ(slots[0].slot, 4) << "all that the SM has";
  EXPECT_EQ(slots[0].cycles, 100U);
  const Cycle waited = 1;  // a cycle in line
  EXPECT_EQ(slots[0].value, 4 * 1000 - 100 - 4 * waited);
}

TEST(TbDispatcher, TellsHowMuchOfAnSmEachKernelHolds) {
  CoreBench bench(shared(1, 1));
  const auto k = bench.launch(1, {0, 3, {100}, 2});
  bench.run();
  const Cycle first = first_start(bench, 1);
  std::vector<std::pair<Cycle, std::uint64_t>> held;
  for (const Record& r : bench.records(Kind::kSmHeld)) {
    EXPECT_EQ(r.launch, k);
    EXPECT_EQ(r.bytes, r.value * 500'000) << "half of its threads each";
    held.emplace_back(r.cycle, r.value);
  }
  using Held = std::pair<Cycle, std::uint64_t>;
  EXPECT_THAT(held, ElementsAre(Held(first, 1), Held(first + 1, 2), Held(first + 101 + kTurnaround, 1),
                                Held(first + 200 + 2 * kTurnaround, 0)))
      << "the third takes the place of the first in the cycle in which it is free";
}

}  // namespace
}  // namespace tessera::tlm_model::test
