// SPDX-License-Identifier: Apache-2.0
// Preemption of one SM, cycle by cycle: in every phase it can be in, by both techniques, for whom it was reserved.
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto kContextSwitch = TechniqueKind::kContextSwitch;
constexpr auto kDrain = TechniqueKind::kDrain;

// Priorities settle who preempts whom: process 0 is low, 1 higher, 2 highest.
spec::Spec ppq_machine(std::uint32_t num_sms, TechniqueKind technique) {
  spec::Spec spec = tiny_machine(num_sms, 3);
  spec.scheduler.policy = PolicyKind::kPpq;
  spec.scheduler.technique = technique;
  return spec;
}

Kernel low(std::uint32_t num_tbs, std::vector<Cycle> durations, std::uint32_t tbs_per_sm = 1) {
  return {0, num_tbs, std::move(durations), tbs_per_sm, 0};
}
Kernel high(std::uint32_t num_tbs, Cycle duration) { return {1, num_tbs, {duration}, 1, 1}; }
Kernel highest(std::uint32_t num_tbs, Cycle duration) { return {2, num_tbs, {duration}, 1, 2}; }

// When a kernel that arrives in `arrival` reserves its first SM.
Cycle reserves(const Latencies& t, Cycle arrival) { return arrival + t.activation + t.search; }

// ---- what is saved -------------------------------------------------------------------------------------------

TEST(CorePreemption, AnSmInSetUpHandsOverAtItsEndWithoutSaving) {
  for (const TechniqueKind technique : {kContextSwitch, kDrain}) {
    CoreBench bench(ppq_machine(1, technique));
    const Latencies& t = bench.latencies();
    const Cycle assigned = 1 + t.assign();
    const Cycle reserved = assigned + t.setup - 1;
    const auto victim = bench.launch(1, low(2, {1000}));
    const auto winner = bench.launch(arrival_to_reserve_in(t, reserved), high(1, 500));
    bench.run();
    const Cycle end = assigned + t.setup + t.start() + 500;
    EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserved));
    EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(assigned + t.setup));
    EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].cycles, 1U);
    EXPECT_THAT(bench.records(Kind::kSaveStarted), IsEmpty());
    EXPECT_THAT(bench.kernel(Kind::kKernelFinished, winner), ElementsAre(end));
    EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 0), ElementsAre(end + t.search + t.start()));
  }
}

// A cycle later the set-up is over and the first TB on its way: the trap lets it start, and then drains the pipeline.
TEST(CorePreemption, ATrapWaitsForTheTbThatWasJustSent) {
  CoreBench bench(ppq_machine(1, kContextSwitch));
  const Latencies& t = bench.latencies();
  const Kernel kernel = low(1, {1000});
  const Cycle issued = 1 + t.assign() + t.start();
  const Cycle reserved = issued - 1;
  const auto victim = bench.launch(1, kernel);
  bench.launch(arrival_to_reserve_in(t, reserved), high(1, 500));
  bench.run();
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 0), ElementsAre(issued));
  EXPECT_THAT(bench.tb(Kind::kTbSaved, victim, 0), ElementsAre(issued + t.freeze + t.trap + kernel.move()));
}

TEST(CorePreemption, TbsThatFinishWhileThePipelineDrainsAreNotSaved) {
  CoreBench bench(ppq_machine(1, kContextSwitch));
  const Latencies& t = bench.latencies();
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle arrival = 301;
  const Cycle frozen = reserves(t, arrival) + t.freeze;
  // TB 0 (slot 0, issued in `start`) ends in the very cycle of the freeze, TB 1 would end in the next one.
  const Kernel kernel = low(3, {frozen - start, frozen + 1 - (start + 1), 70}, 2);
  const auto victim = bench.launch(1, kernel);
  const auto winner = bench.launch(arrival, high(1, 500));
  bench.run();
  const Cycle saved = frozen + t.trap + kernel.move(1);
  const Cycle winner_end = saved + t.start() + 500;
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 0), ElementsAre(frozen));
  EXPECT_THAT(bench.tb(Kind::kTbSaved, victim, 0), IsEmpty());
  EXPECT_THAT(bench.tb(Kind::kTbSaved, victim, 1), ElementsAre(saved));
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].bytes, kernel.context_bytes());
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, winner), ElementsAre(winner_end));
  // It comes back before the TB that was never issued, and runs for the cycle that was left.
  const Cycle restored = winner_end + t.search + t.start() + kernel.move(1);
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 1), ElementsAre(restored));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 1), ElementsAre(restored + 1));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 2), ElementsAre(restored + t.issue));
}

TEST(CorePreemption, AnSmWhoseTbsAllFinishWhileThePipelineDrainsSavesNothing) {
  CoreBench bench(ppq_machine(1, kContextSwitch));
  const Latencies& t = bench.latencies();
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle arrival = 301;
  const Cycle end = reserves(t, arrival) + 10;
  const auto victim = bench.launch(1, low(2, {end - start}));
  bench.launch(arrival, high(1, 500));
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(end));
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].bytes, 0U);
  EXPECT_THAT(bench.records(Kind::kSaveStarted), IsEmpty());
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 1), SizeIs(1));  // once, after the other kernel
}

TEST(CorePreemption, AllTbsOfAnSmAreSavedTogetherAndRestoredTogether) {
  CoreBench bench(ppq_machine(1, kContextSwitch));
  const Latencies& t = bench.latencies();
  const Kernel kernel = low(2, {1000}, 2);
  const auto victim = bench.launch(1, kernel);
  const auto winner = bench.launch(301, high(1, 500));
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle frozen = reserves(t, 301) + t.freeze;
  const Cycle saved = frozen + t.trap + kernel.move(2);
  const Cycle winner_end = saved + t.start() + 500;
  // The driver sends the two handles in two cycles; then both contexts come in.
  const Cycle restored = winner_end + t.search + t.start() + 1 + kernel.move(2);
  EXPECT_THAT(bench.sm(Kind::kTbSaved, 0), ElementsAre(saved, saved));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, winner), ElementsAre(winner_end));
  EXPECT_THAT(bench.sm(Kind::kTbRestored, 0), ElementsAre(restored, restored));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 0), ElementsAre(restored + 1000 - (frozen - start)));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 1), ElementsAre(restored + 1000 - (frozen - (start + 1))));
}

TEST(CorePreemption, SavedTbsGoToFreeSlotsOfTheVictimsOtherSms) {
  CoreBench bench(ppq_machine(2, kContextSwitch));
  const Latencies& t = bench.latencies();
  const Kernel kernel = low(3, {1000}, 2);  // SM 0 holds TBs 0 and 1, SM 1 TB 2 and a free slot
  const auto victim = bench.launch(1, kernel);
  bench.launch(301, high(1, 5000));
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle frozen = reserves(t, 301) + t.freeze;
  const Cycle saved = frozen + t.trap + kernel.move(2);
  const Cycle restored = saved + t.issue + kernel.move(1);
  EXPECT_THAT(bench.sm(Kind::kTbSaved, 0), ElementsAre(saved, saved));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 0), ElementsAre(restored));
  EXPECT_EQ(bench.records(Kind::kTbRestored)[0].sm, 1);
  EXPECT_EQ(bench.records(Kind::kTbRestored)[0].slot, 1);
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 0), ElementsAre(restored + 1000 - (frozen - start)));
  // TB 2 runs on during that restore; the slot it leaves takes the other handle.
  const Cycle third_end = start + t.search + 1000;
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 2), ElementsAre(third_end));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 1), ElementsAre(third_end + t.issue + kernel.move(1)));
}

TEST(CorePreemption, NewTbsWaitUntilThePtbqIsEmpty) {
  CoreBench bench(ppq_machine(2, kContextSwitch));
  const Latencies& t = bench.latencies();
  const Kernel kernel = low(6, {9000, 9000, 1000, 2000, 50, 50}, 2);  // SM 0 holds TBs 0 and 1, SM 1 TBs 2 and 3
  const auto victim = bench.launch(1, kernel);
  bench.launch(301, high(1, 20'000));
  bench.run();
  // SM 1's slots become free one after the other; each takes a handle, and only the next ones a new TB.
  const Cycle start = 1 + t.assign() + t.start() + t.search;
  const Cycle restored = start + 1000 + t.issue + kernel.move();
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 2), ElementsAre(start + 1000));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 0), ElementsAre(restored));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 1), ElementsAre(start + 1 + 2000 + t.issue + kernel.move()));
  const Cycle frozen = reserves(t, 301) + t.freeze;
  const Cycle first_end = restored + 9000 - (frozen - (1 + t.assign() + t.start()));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 4), ElementsAre(first_end + t.issue));
}

// SM 1 becomes idle while SM 0 saves, when nobody needs it: the policy looks again when the save is complete.
TEST(CorePreemption, ThePolicyRunsWhenASaveCompletes) {
  spec::Spec spec = ppq_machine(2, kContextSwitch);
  spec.scheduler.access = spec::Access::kShared;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  Kernel kernel = low(1, {5000});
  kernel.regs_per_tb = 4096;
  const Cycle save_started = reserves(t, 301) + t.freeze + t.trap;
  const Cycle saved = save_started + kernel.move();
  const Cycle second_end = save_started + 100;
  const auto victim = bench.launch(1, kernel);
  const auto second = bench.launch(101, high(1, second_end - (101 + t.assign() + t.start())));
  bench.launch(301, highest(1, 20'000));
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(second_end));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(saved));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 0), ElementsAre(saved + t.search + t.start() + kernel.move()));
}

TEST(CorePreemption, ATrapDuringARestoreWaitsForItsEnd) {
  CoreBench bench(ppq_machine(1, kContextSwitch));
  const Latencies& t = bench.latencies();
  Kernel kernel = low(1, {1000});
  kernel.regs_per_tb = 4096;  // a long restore
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle frozen = reserves(t, 301) + t.freeze;
  const Cycle saved = frozen + t.trap + kernel.move();
  const Cycle first_end = saved + t.start() + 200;
  const Cycle restore_start = first_end + t.search + t.start();
  const Cycle restored = restore_start + kernel.move();
  const Cycle reserved = restore_start + 10;
  const auto victim = bench.launch(1, kernel);
  bench.launch(301, high(1, 200));
  const auto third = bench.launch(arrival_to_reserve_in(t, reserved), highest(1, 300));
  bench.run();
  const Cycle saved_again = restored + t.freeze + t.trap + kernel.move();
  const Cycle third_end = saved_again + t.start() + 300;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserves(t, 301), reserved));
  EXPECT_THAT(bench.tb(Kind::kTbSaved, victim, 0), ElementsAre(saved, saved_again));
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[1].cycles, saved_again - reserved);
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, third), ElementsAre(third_end));
  // Between the two it ran while its pipeline drained.
  const Cycle restored_again = third_end + t.search + t.start() + kernel.move();
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 0), ElementsAre(restored, restored_again));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, victim),
              ElementsAre(restored_again + 1000 - (frozen - start) - t.freeze));
}

TEST(CorePreemption, AnSmThatRestoresIsDrainedAfterwards) {
  spec::Spec spec = ppq_machine(1, kContextSwitch);
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  Kernel kernel = low(2, {1000});
  kernel.regs_per_tb = 4096;
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle frozen = reserves(t, 301) + t.freeze;
  const Cycle first_end = frozen + t.trap + kernel.move() + t.start() + 200;
  const Cycle restore_start = first_end + t.search + t.start();
  const Cycle resumed_end = restore_start + kernel.move() + 1000 - (frozen - start);
  const auto victim = bench.launch(1, kernel);
  bench.launch(301, high(1, 200));
  spec.scheduler.technique = kDrain;
  bench.set_policy(first_end, spec.scheduler);
  bench.launch(restore_start + 10, highest(1, 300));
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(frozen + t.trap + kernel.move(), resumed_end));
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[1].technique, record::Technique::kDrain);
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 0), ElementsAre(resumed_end));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 1), ElementsAre(resumed_end + t.start() + 300 + t.search + t.start()));
}

TEST(CorePreemption, ADrainEndsWithTheLastTbAndRefillsNothing) {
  CoreBench bench(ppq_machine(1, kDrain));
  const Latencies& t = bench.latencies();
  const auto victim = bench.launch(1, low(3, {400, 600, 50}, 2));
  const auto winner = bench.launch(101, high(1, 200));
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle drained = start + 1 + 600;
  const Cycle winner_end = drained + t.start() + 200;
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 0), ElementsAre(start + 400));
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserves(t, 101)));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(drained));
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].bytes, 0U);
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].cycles, drained - reserves(t, 101));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, winner), ElementsAre(winner_end));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 2), ElementsAre(winner_end + t.search + t.start()));
}

// ---- for whom ------------------------------------------------------------------------------------------------

TEST(CorePreemption, AReservedSmGoesToTheKernelItWasRetargetedTo) {
  for (const TechniqueKind technique : {kContextSwitch, kDrain}) {
    CoreBench bench(ppq_machine(1, technique));
    const Latencies& t = bench.latencies();
    Kernel kernel = low(2, {5000});
    kernel.regs_per_tb = 4096;
    const auto victim = bench.launch(1, kernel);
    const auto second = bench.launch(301, high(1, 200));
    const auto third = bench.launch(401, highest(1, 300));  // while the SM saves, or drains
    bench.run();
    const Cycle free =
        technique == kDrain ? 1 + t.assign() + t.start() + 5000 : reserves(t, 301) + t.freeze + t.trap + kernel.move();
    const Cycle third_end = free + t.start() + 300;
    const Cycle second_end = third_end + t.search + t.start() + 200;
    EXPECT_THAT(bench.sm(Kind::kPreemptionRetargeted, 0), ElementsAre(reserves(t, 401)));
    EXPECT_EQ(bench.records(Kind::kPreemptionRetargeted)[0].value, third);
    EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(free));
    EXPECT_THAT(bench.kernel(Kind::kKernelFinished, third), ElementsAre(third_end));
    EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(second_end));
    EXPECT_THAT(bench.kernel(Kind::kSmSetUp, victim), ElementsAre(1 + t.assign(), second_end + t.search));
  }
}

TEST(CorePreemption, ADrainingSmThatReturnsToItsOwnerResumesWithoutSetUp) {
  CoreBench bench(ppq_machine(1, kDrain));
  const Latencies& t = bench.latencies();
  const auto victim = bench.launch(1, low(3, {400, 1000, 50}, 2));
  const auto other = bench.launch(101, high(1, 200));
  const Cycle written = 601;  // TB 0 has left its slot
  bench.set_priority(written, 0, 5);
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle returned = written + t.search;
  const Cycle end = start + 1 + 1000;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRetargeted, 0), ElementsAre(returned));
  EXPECT_EQ(bench.records(Kind::kPreemptionRetargeted)[0].value, victim);
  EXPECT_THAT(bench.records(Kind::kPreemptionDone), IsEmpty());
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 2), ElementsAre(returned + t.issue));
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, victim), ElementsAre(1 + t.assign()));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, victim), ElementsAre(end));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, other), ElementsAre(end + t.search + t.start() + 200));
}

TEST(CorePreemption, ASavingSmThatReturnsToItsOwnerCompletesItsSaveFirst) {
  CoreBench bench(ppq_machine(1, kContextSwitch));
  const Latencies& t = bench.latencies();
  Kernel kernel = low(2, {1000});
  kernel.regs_per_tb = 4096;
  const auto victim = bench.launch(1, kernel);
  bench.launch(301, high(1, 200));
  const Cycle written = reserves(t, 301) + t.freeze + t.trap + 100;
  bench.set_priority(written, 0, 5);
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle frozen = reserves(t, 301) + t.freeze;
  const Cycle saved = frozen + t.trap + kernel.move();
  const Cycle restored = saved + t.start() + kernel.move();
  EXPECT_THAT(bench.sm(Kind::kPreemptionRetargeted, 0), ElementsAre(written + t.search));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(saved));
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, victim), ElementsAre(1 + t.assign(), saved));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 0), ElementsAre(restored));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, victim),
              ElementsAre(restored + 1000 - (frozen - start) + t.issue + 1000));
}

TEST(CorePreemption, ASmWhoseNextKernelHasFinishedGoesIdleAndThePolicyRuns) {
  CoreBench bench(ppq_machine(2, kDrain));
  const Latencies& t = bench.latencies();
  const auto victim = bench.launch(1, low(4, {500, 3000, 4000, 50}));  // SM 0: TB 0, SM 1: TB 1
  const auto winner = bench.launch(101, high(2, 300));
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  // Both SMs are reserved; SM 0 is free first and runs both TBs of the winner before SM 1 is free.
  const Cycle winner_end = start + 500 + t.start() + 300 + t.issue + 300;
  const Cycle second_free = start + 1 + 3000;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 1), ElementsAre(reserves(t, 101) + t.search));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, winner), ElementsAre(winner_end));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 2), ElementsAre(winner_end + t.search + t.start()));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 1), ElementsAre(second_free));
  EXPECT_EQ(first_of(bench.sm(Kind::kSmReleased, 1)), second_free);
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 3), ElementsAre(second_free + t.search + t.start()));
}

// ---- persistent kernels ([T14] 2.4) ----------------------------------------------------------------------------

TEST(CorePersistentKernel, StarvesEveryoneUnderDrain) {
  CoreBench bench(ppq_machine(1, kDrain));
  const Latencies& t = bench.latencies();
  bench.launch(1, low(1, {kNever}));
  const auto starved = bench.launch(301, high(1, 200));
  bench.run_and_stop(10'000'000);
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserves(t, 301)));
  EXPECT_THAT(bench.records(Kind::kPreemptionDone), IsEmpty());
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, starved), IsEmpty());
  EXPECT_THAT(bench.records(Kind::kKernelLeft), SizeIs(2));
}

TEST(CorePersistentKernel, GivesWayToAContextSwitchAndComesBack) {
  CoreBench bench(ppq_machine(1, kContextSwitch));
  const Latencies& t = bench.latencies();
  const Kernel kernel = low(1, {kNever});
  const auto persistent = bench.launch(1, kernel);
  const auto winner = bench.launch(301, high(1, 200));
  bench.run_and_stop(10'000'000);
  const Cycle winner_end = reserves(t, 301) + t.freeze + t.trap + kernel.move() + t.start() + 200;
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, winner), ElementsAre(winner_end));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, persistent, 0),
              ElementsAre(winner_end + t.search + t.start() + kernel.move()));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, persistent), IsEmpty());
}

// ---- the memory channel ----------------------------------------------------------------------------------------

// SM 1 is reserved a search after SM 0, so the two saves overlap.
struct TwoSaves {
  explicit TwoSaves(spec::ChannelSharing sharing, std::uint32_t num_high_tbs) : bench(with(sharing)) {
    bench.launch(1, kernel);
    bench.launch(301, high(num_high_tbs, 200));
    bench.run();
    const Latencies& t = bench.latencies();
    first_start = reserves(t, 301) + t.freeze + t.trap;
    second_start = first_start + t.search;
  }
  static spec::Spec with(spec::ChannelSharing sharing) {
    spec::Spec spec = ppq_machine(2, kContextSwitch);
    spec.channel_sharing = sharing;
    return spec;
  }
  Kernel kernel{0, 2, {1000}, 1, 0, 256};  // 1024 bytes
  CoreBench bench;
  Cycle first_start = 0, second_start = 0;
};

TEST(CoreMemoryChannel, StaticSharingGivesEachSmItsShareUsedOrNot) {
  const TwoSaves lone(spec::ChannelSharing::kStatic, 1);
  EXPECT_THAT(lone.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(lone.first_start + 1024 / kBytesPerCycle));
  EXPECT_THAT(lone.bench.sm(Kind::kPreemptionDone, 1), IsEmpty());
  const TwoSaves both(spec::ChannelSharing::kStatic, 2);
  EXPECT_THAT(both.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(both.first_start + 1024 / kBytesPerCycle));
  EXPECT_THAT(both.bench.sm(Kind::kPreemptionDone, 1), ElementsAre(both.second_start + 1024 / kBytesPerCycle));
}

TEST(CoreMemoryChannel, FairSharingGivesALoneSaveAllTheBandwidth) {
  const TwoSaves lone(spec::ChannelSharing::kFair, 1);
  EXPECT_THAT(lone.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(lone.first_start + 1024 / (2 * kBytesPerCycle)));
}

TEST(CoreMemoryChannel, FairSharingDividesTheBandwidthWhileTwoSave) {
  const TwoSaves both(spec::ChannelSharing::kFair, 2);
  // Alone until the second starts, then half of the bandwidth each; the second has the rest to itself.
  const std::uint64_t lone_bytes = (both.second_start - both.first_start) * 2 * kBytesPerCycle;
  const Cycle first_end = both.second_start + (1024 - lone_bytes) / kBytesPerCycle;
  const Cycle second_end = first_end + lone_bytes / (2 * kBytesPerCycle);
  EXPECT_THAT(both.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(first_end));
  EXPECT_THAT(both.bench.sm(Kind::kPreemptionDone, 1), ElementsAre(second_end));
}

// Three equal transfers that start together end together, in the cycle that the bytes and the bandwidth give.
TEST(CoreMemoryChannel, FairSharesAreExactForThree) {
  spec::Spec spec = ppq_machine(3, kContextSwitch);
  spec.channel_sharing = spec::ChannelSharing::kFair;
  spec.gpu.framework.search_entry_cycles = 0;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  Kernel kernel = low(3, {1000});
  kernel.regs_per_tb = 256;
  bench.launch(1, kernel);
  bench.launch(301, high(3, 200));
  bench.run();
  const Cycle end = 301 + t.activation + t.freeze + t.trap + kernel.move();
  for (const std::uint16_t sm : {0, 1, 2}) EXPECT_THAT(bench.sm(Kind::kPreemptionDone, sm), ElementsAre(end));
}

}  // namespace
}  // namespace tessera::tlm_model::test
