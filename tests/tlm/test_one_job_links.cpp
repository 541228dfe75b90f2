// SPDX-License-Identifier: Apache-2.0
// Links between the core and the SMs, worked out by hand from docs/hardware/timing.md 3.11 and 7.5. Without them the
// same timelines are in test_one_job_timeline.cpp and test_one_job_preemption.cpp: what is on the pins in t is at the
// SM in t + down, and what the SM shows in t at the network in t + up.
#include "model/workload/kernel_alone.h"
#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;
using testing::IsEmpty;

struct Link {
  std::uint32_t up = 0, down = 0;
};

spec::Spec with_links(spec::Spec spec, const std::vector<Link>& links, std::uint32_t tag_bits = 1) {
  for (const Link& link : links) {
    spec.gpu.framework.link_cycles.up.push_back(link.up);
    spec.gpu.framework.link_cycles.down.push_back(link.down);
  }
  spec.gpu.framework.setup_tag_bits = tag_bits;
  return spec;
}

spec::Spec fcfs(const std::vector<Link>& links, std::uint32_t tag_bits = 1) {
  return with_links(one_job_machine(static_cast<std::uint32_t>(links.size()), 1, PolicyKind::kFcfs), links, tag_bits);
}

std::vector<std::uint16_t> slots_of(const std::vector<Record>& records) {
  std::vector<std::uint16_t> slots;
  for (const Record& record : records) slots.push_back(record.slot);
  return slots;
}

// ---- thread blocks come and go -------------------------------------------------------------------------------

// The set-up is on the pins in 35, at the SM in 40, done in 71, at the network in 74: PICK 74, WRITE 80. Issue: PICK
// 81, BURST 87, at the SM in 92. The TB ends in 192, at the network in 195: PICK 195, BURST 201, at the SM in 206. The
// third ends in 420: PICK 423, WRITE 429.
TEST(OneJobLinks, ARefillTakesTheRoundTripLonger) {
  OneJobBench bench(fcfs({{3, 5}}));
  const auto k = bench.launch(1, {0, 3, {100}, 1});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(92, 206, 320));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, k), ElementsAre(429));
}

// Set-up done in 66, PICK 70, issue PICK 77, BURST 83. TB done in 183, PICK 187, BURST 193.
TEST(OneJobLinks, ALinkMayBeOneWay) {
  OneJobBench up(fcfs({{4, 0}}));
  up.launch(1, {0, 2, {100}, 1});
  up.run();
  EXPECT_THAT(up.sm(Kind::kTbIssued, 0), ElementsAre(83, 193));
  OneJobBench down(fcfs({{0, 4}}));
  down.launch(1, {0, 2, {100}, 1});
  down.run();
  EXPECT_THAT(down.sm(Kind::kTbIssued, 0), ElementsAre(87, 197));
}

// TB 0 and TB 1 are at the SM in 92 and 93, and end in 193. The link takes TB 0 in 193 and TB 1 in 194: PICK 196, BURST
// 202, at the SM in 207; PICK 204, BURST 210, at the SM in 215.
TEST(OneJobLinks, TbsThatEndTogetherLeaveOneACycle) {
  OneJobBench bench(fcfs({{3, 5}}));
  bench.launch(1, {0, 4, {101, 100, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(92, 93, 207, 215));
  EXPECT_THAT(slots_of(bench.records(Kind::kTbIssued)), ElementsAre(0, 1, 0, 1));
}

// TB 1, in slot 1, ends in 193: PICK 196, BURST 202, at the SM in 207. TB 0 ends in 202, and its slot is free from 203
// on: PICK 205, BURST 211, at the SM in 216.
TEST(OneJobLinks, ATbTakesTheSlotThatIsFreeWhenItArrives) {
  OneJobBench bench(fcfs({{3, 5}}));
  bench.launch(1, {0, 4, {110, 100, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(92, 93, 207, 216));
  EXPECT_THAT(slots_of(bench.records(Kind::kTbIssued)), ElementsAre(0, 1, 0, 1));
}

// TB 0 ends in 207, and the link takes it in that cycle, in which a TB arrives: it may have the slot. PICK 210, BURST
// 216.
TEST(OneJobLinks, ASlotThatIsJustBecomingFreeIsFree) {
  OneJobBench bench(fcfs({{3, 5}}));
  bench.launch(1, {0, 4, {115, 100, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(92, 93, 207, 221));
  EXPECT_THAT(slots_of(bench.records(Kind::kTbIssued)), ElementsAre(0, 1, 0, 1));
}

// SM 0 as above: issue PICK 81, WRITE 88. SM 1: set-up on the pins in 49, at the SM in 56, done in 87: PICK 89, WRITE
// 95, issue PICK 96, BURST 102, at the SM in 109.
TEST(OneJobLinks, EachSmHasItsOwn) {
  OneJobBench bench(fcfs({{3, 5}, {2, 7}}));
  bench.launch(1, {0, 2, {100}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(92));
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 1), ElementsAre(109));
}

// Two core cycles in an SM cycle. Command 2, BEGIN 3, activate offered from 3 + 10 - 5, PICK 10, WRITE 14. BEGIN 15,
// WALK 16-19, JUDGE 23, assign PICK 24, WRITE 30. Set-up: PICK 31, WRITE 37, on the pins in 38, at the SM in 48, SM
// cycle 24, done in 55, core cycle 110, at the network in 116. PICK 116, WRITE 122, issue PICK 123, BURST 129, at the
// SM in 139: decided in 133, SM cycle 66, so that it starts in 69. It ends in 169, core cycle 338: PICK 344, BURST 350,
// at the SM in 360, decided in 354, SM cycle 177.
TEST(OneJobLinks, AreCountedInSmCycles) {
  spec::Spec spec = fcfs({{3, 5}});
  spec.scheduler.tbs_per_cycle = 2;
  spec.gpu.framework.tb_issue_cycles = 3;
  OneJobBench bench(spec);
  bench.launch(1, {0, 2, {100}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(69, 180));
}

// What a kernel takes alone, up to the cycle in which the network shows its last TB, is off by as much as without
// links: jobs of the engine that the list schedule leaves out.
TEST(OneJobLinks, AreInTheTimeThatAKernelIsFittedTo) {
  const auto error = [](const std::vector<Link>& links) {
    spec::Spec spec = fcfs(links);
    spec::KernelSpec kernel;
    kernel.num_tbs = 8;
    kernel.regs_per_tb = 64;
    kernel.threads_per_tb = kMaxThreadsPerSm;
    OneJobBench bench(spec);
    bench.launch(1, {0, 8, {1000}, 1});
    bench.run();
    const Cycle taken = bench.cycles_of(Kind::kTbFinished).back() + links[0].up - 1;
    return static_cast<std::int64_t>(taken) -
           static_cast<std::int64_t>(workload::KernelAlone(spec, kernel).cycles({1000, 0}));
  };
  const std::int64_t without = error({{0, 0}, {0, 0}});
  EXPECT_LE(std::abs(without), 16);
  EXPECT_EQ(error({{3, 5}, {3, 5}}), without);
  EXPECT_EQ(error({{40, 25}, {40, 25}}), without);
}

// ---- set-ups and their answers -------------------------------------------------------------------------------

// SM 0 is wired. Its set-up is done in 66; its TBs: 79 to 89, PICK 89, BURST 95, to 105, PICK 105, WRITE 111: the
// kernel has finished, and SM 1, whose set-up has been on the pins in 49, is idle.
constexpr std::uint32_t kNumTbs = 2;

// SM 1 has its first set-up in 149, done in 180, at the network in 280. The second kernel's command comes in 200: BEGIN
// 201, SCAN 202-207, activate PICK 208, WRITE 212, BEGIN 213, JUDGE 219, assign SM 0 PICK 220, WRITE 226, set-up PICK
// 227, WRITE 233, on the pins in 234. BEGIN 227, JUDGE 233, assign SM 1 PICK 234, WRITE 240, set-up PICK 241, WRITE
// 247, on the pins in 248. SM 0: set-up done PICK 265, WRITE 271, issue PICK 272, BURST 278, WRITE 279. The first
// answer of SM 1: PICK 280, WRITE 286. SM 0's TB ends in 281: PICK 287, BURST 293. SM 1 is set up in 379, PICK 479,
// WRITE 485, issue PICK 486, BURST 492, at the SM in 592.
TEST(OneJobLinks, TheAnswerToASupersededSetUpCostsAJobAndDoesNothing) {
  OneJobBench bench(fcfs({{0, 0}, {100, 100}}));
  bench.launch(1, {0, kNumTbs, {10}, 1});
  const auto second = bench.launch(200, {0, 3, {3, 500, 5}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(41, 240));
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, second), ElementsAre(278, 293, 592));
}

// SM 1 has the set-ups of two kernels in 349 and 548, and answers come in 680 and 879. The second kernel's TBs run on
// SM 0 from 278 to 281 and, PICK 281, BURST 287, to 290, PICK 290, WRITE 296: it has finished, and SM 1 has two set-ups
// to answer. The third one's command comes in 400: activate WRITE 412, JUDGE 419, assign SM 0 WRITE 426, BEGIN 427, and
// JUDGE 433 sees no idle SM. PICK 680, WRITE 686: invoked in 687, BEGIN 688, JUDGE 694, assign PICK 695, WRITE 701,
// set-up PICK 702, WRITE 708, on the pins in 709, at the SM in 1009, done in 1040. PICK 1340, WRITE 1346, issue PICK
// 1347, BURST 1353, at the SM in 1653.
TEST(OneJobLinks, AnSmThatOwesAnswersForAllTagsIsNotSeenAsIdleUntilOneComes) {
  OneJobBench bench(fcfs({{0, 0}, {300, 300}}));
  bench.launch(1, {0, kNumTbs, {10}, 1});
  bench.launch(200, {0, kNumTbs, {3}, 1});
  const auto third = bench.launch(400, {0, kNumTbs, {3000}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(41, 240, 701));
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, third), ElementsAre(478, 1653));
  const std::vector<Cycle> invoked = bench.cycles_of(Kind::kPolicyInvoked);
  EXPECT_EQ(std::count(invoked.begin(), invoked.end(), 687), 1);
}

// With another bit of the tag it is assigned at once: BEGIN 427, JUDGE 433, PICK 434, WRITE 440.
TEST(OneJobLinks, ALongerTagAllowsMoreSetUps) {
  OneJobBench bench(fcfs({{0, 0}, {300, 300}}, 2));
  bench.launch(1, {0, kNumTbs, {10}, 1});
  bench.launch(200, {0, kNumTbs, {3}, 1});
  bench.launch(400, {0, kNumTbs, {3000}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(41, 240, 440));
}

// ---- preemption ----------------------------------------------------------------------------------------------

// As in test_one_job_preemption.cpp: the high kernel reserves the SM in 337, and the trap is on the pins in 345.
struct TakenLinkedSm {
  explicit TakenLinkedSm(const Kernel& low_kernel) : bench(machine()) {
    low = bench.launch(1, low_kernel);
    high = bench.launch(301, {1, 1, {500}, 1, 1});
    bench.run();
    EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(337));
  }
  static spec::Spec machine() { return with_links(one_job_machine(1, 2, PolicyKind::kPpq), {{10, 20}}); }
  OneJobBench bench;
  std::uint32_t low = 0, high = 0;
};
// From the hand-over's WRITE on: 52 cycles, down, up and down.
constexpr Cycle kToFirstTbBehindLinks = 52 + 20 + 10 + 20;

// The low kernel's set-up is at the SM in 55, done in 86: PICK 96, WRITE 102, issue PICK 103, BURST 109, at the SM in
// 129. The trap is there in 365: f is 408, the save begins in 419 and ends in 435, its handle has left in 434.
// *preempted*: PICK 445, visit A WRITE 451, visit B WRITE 455.
TEST(OneJobLinks, ATrapCountsFromWhereItArrivesAndItsAnswerWhenItIsBack) {
  const TakenLinkedSm taken({0, 1, {1000}, 1, 0});
  const OneJobBench& bench = taken.bench;
  EXPECT_THAT(bench.tb(Kind::kTbIssued, taken.low, 0), ElementsAre(129));
  EXPECT_THAT(bench.sm(Kind::kSaveStarted, 0), ElementsAre(419));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(455));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(455 + kToFirstTbBehindLinks));
  // The high one ends in 1057, PICK 1067, finish WRITE 1073, assign WRITE 1088, 15 cycles later, as without links. The
  // handle is read 52 + 30 cycles later, in 1170, on the pins in 1171, at the SM in 1191.
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, taken.low), ElementsAre(27, 1088));
  EXPECT_THAT(bench.sm(Kind::kRestoreStarted, 0), ElementsAre(1191));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, taken.low, 0), ElementsAre(1207));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, taken.low, 0), ElementsAre(1207 + 1000 - (408 - 129)));
}

// The TB ends in 350, while the trap is on its way: PICK 360, visit A WRITE 366, visit B WRITE 370, set-up PICK 371,
// WRITE 377, on the pins in 378. The SM, empty, answers the trap in 366, at the network in 376: PICK 379, since there
// is a command on the pins in 378; it does nothing.
TEST(OneJobLinks, ATrapThatCrossesTheLastTbIsAnsweredForNothing) {
  const TakenLinkedSm taken({0, 2, {350 - 129, 50}, 1, 0});
  const OneJobBench& bench = taken.bench;
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(370));
  EXPECT_THAT(bench.records(Kind::kSaveStarted), IsEmpty());
  EXPECT_THAT(bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(370 + kToFirstTbBehindLinks));
}

// It ends in 380, after the trap has come: the link takes it in 380, and *preempted* in 381. PICK 390, visit B WRITE
// 400.
TEST(OneJobLinks, ATbThatEndsBeforeItWouldStandStillLeavesNothingToSave) {
  const TakenLinkedSm taken({0, 2, {380 - 129, 50}, 1, 0});
  EXPECT_THAT(taken.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(400));
  EXPECT_THAT(taken.bench.records(Kind::kSaveStarted), IsEmpty());
  EXPECT_THAT(taken.bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(400 + kToFirstTbBehindLinks));
}

}  // namespace
}  // namespace tessera::tlm_model::test
