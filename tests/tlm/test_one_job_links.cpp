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

// The set-up is on the pins in 34, at the SM in 39, done in 70, at the network in 73: PICK 73, WRITE 79. Issue: PICK
// 80, BURST 86, at the SM in 91. The TB ends in 191, at the network in 194: PICK 194, BURST 200, at the SM in 205. The
// third ends in 419: PICK 422, WRITE 428.
TEST(OneJobLinks, ARefillTakesTheRoundTripLonger) {
  OneJobBench bench(fcfs({{3, 5}}));
  const auto k = bench.launch(1, {0, 3, {100}, 1});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(91, 205, 319));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, k), ElementsAre(428));
}

// Set-up done in 65, PICK 69, issue PICK 76, BURST 82. TB done in 182, PICK 186, BURST 192.
TEST(OneJobLinks, ALinkMayBeOneWay) {
  OneJobBench up(fcfs({{4, 0}}));
  up.launch(1, {0, 2, {100}, 1});
  up.run();
  EXPECT_THAT(up.sm(Kind::kTbIssued, 0), ElementsAre(82, 192));
  OneJobBench down(fcfs({{0, 4}}));
  down.launch(1, {0, 2, {100}, 1});
  down.run();
  EXPECT_THAT(down.sm(Kind::kTbIssued, 0), ElementsAre(86, 196));
}

// TB 0 and TB 1 are at the SM in 91 and 92, and end in 192. The link takes TB 0 in 192 and TB 1 in 193: PICK 195, BURST
// 201, at the SM in 206; PICK 203, BURST 209, at the SM in 214.
TEST(OneJobLinks, TbsThatEndTogetherLeaveOneACycle) {
  OneJobBench bench(fcfs({{3, 5}}));
  bench.launch(1, {0, 4, {101, 100, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(91, 92, 206, 214));
  EXPECT_THAT(slots_of(bench.records(Kind::kTbIssued)), ElementsAre(0, 1, 0, 1));
}

// TB 1, in slot 1, ends in 192: PICK 195, BURST 201, at the SM in 206. TB 0 ends in 201, and its slot is free from 202
// on: PICK 204, BURST 210, at the SM in 215.
TEST(OneJobLinks, ATbTakesTheSlotThatIsFreeWhenItArrives) {
  OneJobBench bench(fcfs({{3, 5}}));
  bench.launch(1, {0, 4, {110, 100, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(91, 92, 206, 215));
  EXPECT_THAT(slots_of(bench.records(Kind::kTbIssued)), ElementsAre(0, 1, 0, 1));
}

// TB 0 ends in 206, and the link takes it in that cycle, in which a TB arrives: it may have the slot. PICK 209, BURST
// 215.
TEST(OneJobLinks, ASlotThatIsJustBecomingFreeIsFree) {
  OneJobBench bench(fcfs({{3, 5}}));
  bench.launch(1, {0, 4, {115, 100, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(91, 92, 206, 220));
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
// WALK 16-17, JUDGE 21, assign PICK 22, BURST 26, WRITE 28. Set-up: PICK 29, WRITE 35, on the pins in 36, at the SM in
// 46, SM cycle 23, done in 54, core cycle 108, at the network in 114. PICK 114, WRITE 120, issue PICK 121, BURST 127,
// at the SM in 137: decided in 131, SM cycle 65, so that it starts in 68. It ends in 168, core cycle 336: PICK 342,
// BURST 348, at the SM in 358, decided in 352, SM cycle 176.
TEST(OneJobLinks, AreCountedInSmCycles) {
  spec::Spec spec = fcfs({{3, 5}});
  spec.scheduler.tbs_per_cycle = 2;
  spec.gpu.framework.tb_issue_cycles = 3;
  OneJobBench bench(spec);
  bench.launch(1, {0, 2, {100}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(68, 179));
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

// SM 0 is wired. Its set-up is on the pins in 35 and done in 66; its TBs: 79 to 89, PICK 89, BURST 95, to 105, PICK
// 105, WRITE 111: the kernel has finished, and SM 1, whose set-up has been on the pins in 42, is idle.
constexpr std::uint32_t kNumTbs = 2;

// SM 1 has its first set-up in 142, done in 173, at the network in 273. The second kernel's command comes in 200: BEGIN
// 201, SCAN 202-207, activate PICK 208, WRITE 212, BEGIN 213, JUDGE 218, assign PICK 219, which gives SM 0 in 223 and
// SM 1 in 224, none in 225, WRITE 226. Set-ups: PICK 227, on the pins in 234; PICK 234, on the pins in 241. SM 0:
// set-up done PICK 265, WRITE 271, issue PICK 272, BURST 278, WRITE 279. The first answer of SM 1: PICK 280, WRITE 286.
// SM 0's TB ends in 281: PICK 287, BURST 293. SM 1 is set up in 372, PICK 472, WRITE 478, issue PICK 479, BURST 485, at
// the SM in 585.
TEST(OneJobLinks, TheAnswerToASupersededSetUpCostsAJobAndDoesNothing) {
  OneJobBench bench(fcfs({{0, 0}, {100, 100}}));
  bench.launch(1, {0, kNumTbs, {10}, 1});
  const auto second = bench.launch(200, {0, 3, {3, 500, 5}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(25, 224));
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, second), ElementsAre(278, 293, 585));
}

// SM 1 has the set-ups of two kernels in 342 and 541, and answers come in 673 and 872. The second kernel's TBs run on
// SM 0 from 278 to 281 and, PICK 281, BURST 287, to 290, PICK 290, WRITE 296: it has finished, and SM 1 has two set-ups
// to answer. The third one's command comes in 400: activate WRITE 412, JUDGE 418, assign PICK 419, which gives SM 0 in
// 423 and no other in 424. SM 0's set-up is on the pins in 433, PICK 464, issue PICK 471, BURST 477. PICK 673, WRITE
// 679: invoked in 680, BEGIN 681, JUDGE 686, assign PICK 687, SM 1 in 691, WRITE 693, set-up PICK 694, on the pins in
// 701, at the SM in 1001, done in 1032. PICK 1332, WRITE 1338, issue PICK 1339, BURST 1345, at the SM in 1645.
TEST(OneJobLinks, AnSmThatOwesAnswersForAllTagsIsNotSeenAsIdleUntilOneComes) {
  OneJobBench bench(fcfs({{0, 0}, {300, 300}}));
  bench.launch(1, {0, kNumTbs, {10}, 1});
  bench.launch(200, {0, kNumTbs, {3}, 1});
  const auto third = bench.launch(400, {0, kNumTbs, {3000}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(25, 224, 691));
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, third), ElementsAre(477, 1645));
  const std::vector<Cycle> invoked = bench.cycles_of(Kind::kPolicyInvoked);
  EXPECT_EQ(std::count(invoked.begin(), invoked.end(), 680), 1);
}

// With another bit of the tag it is assigned at once, behind SM 0.
TEST(OneJobLinks, ALongerTagAllowsMoreSetUps) {
  OneJobBench bench(fcfs({{0, 0}, {300, 300}}, 2));
  bench.launch(1, {0, kNumTbs, {10}, 1});
  bench.launch(200, {0, kNumTbs, {3}, 1});
  bench.launch(400, {0, kNumTbs, {3000}, 1});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(25, 224, 424));
}

// ---- preemption ----------------------------------------------------------------------------------------------

// As in test_one_job_preemption.cpp: the high kernel reserves the SM in 331, and the trap is on the pins in 339.
struct TakenLinkedSm {
  explicit TakenLinkedSm(const Kernel& low_kernel) : bench(machine()) {
    low = bench.launch(1, low_kernel);
    high = bench.launch(301, {1, 1, {500}, 1, 1});
    bench.run();
    EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(331));
  }
  static spec::Spec machine() { return with_links(one_job_machine(1, 2, PolicyKind::kPpq), {{10, 20}}); }
  OneJobBench bench;
  std::uint32_t low = 0, high = 0;
};
// From the hand-over's WRITE on: 52 cycles, down, up and down.
constexpr Cycle kToFirstTbBehindLinks = 52 + 20 + 10 + 20;

// The low kernel's set-up is at the SM in 54, done in 85: PICK 95, WRITE 101, issue PICK 102, BURST 108, at the SM in
// 128. The trap is there in 359: f is 402, the save begins in 413 and ends in 429, its handle has left in 428.
// *preempted*: PICK 439, visit A WRITE 445, visit B WRITE 449.
TEST(OneJobLinks, ATrapCountsFromWhereItArrivesAndItsAnswerWhenItIsBack) {
  const TakenLinkedSm taken({0, 1, {1000}, 1, 0});
  const OneJobBench& bench = taken.bench;
  EXPECT_THAT(bench.tb(Kind::kTbIssued, taken.low, 0), ElementsAre(128));
  EXPECT_THAT(bench.sm(Kind::kSaveStarted, 0), ElementsAre(413));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(449));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(449 + kToFirstTbBehindLinks));
  // The high one ends in 1051, PICK 1061, finish WRITE 1067, assign BURST 1079 and WRITE 1081, as without links. The
  // handle is read 52 + 30 cycles later, in 1163, on the pins in 1164, at the SM in 1184.
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, taken.low), ElementsAre(24, 1079));
  EXPECT_THAT(bench.sm(Kind::kRestoreStarted, 0), ElementsAre(1184));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, taken.low, 0), ElementsAre(1200));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, taken.low, 0), ElementsAre(1200 + 1000 - (402 - 128)));
}

// The TB ends in 349, while the trap is on its way: PICK 359, visit A WRITE 365, visit B WRITE 369, set-up PICK 370,
// WRITE 376, on the pins in 377. The SM, empty, answers the trap in 360, at the network in 370: PICK 378, since there
// is a command on the pins in 377; it does nothing.
TEST(OneJobLinks, ATrapThatCrossesTheLastTbIsAnsweredForNothing) {
  const TakenLinkedSm taken({0, 2, {349 - 128, 50}, 1, 0});
  const OneJobBench& bench = taken.bench;
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(369));
  EXPECT_THAT(bench.records(Kind::kSaveStarted), IsEmpty());
  EXPECT_THAT(bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(369 + kToFirstTbBehindLinks));
}

// It ends in 379, after the trap has come: the link takes it in 379, and *preempted* in 380. PICK 389, visit B WRITE
// 399.
TEST(OneJobLinks, ATbThatEndsBeforeItWouldStandStillLeavesNothingToSave) {
  const TakenLinkedSm taken({0, 2, {379 - 128, 50}, 1, 0});
  EXPECT_THAT(taken.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(399));
  EXPECT_THAT(taken.bench.records(Kind::kSaveStarted), IsEmpty());
  EXPECT_THAT(taken.bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(399 + kToFirstTbBehindLinks));
}

}  // namespace
}  // namespace tessera::tlm_model::test
