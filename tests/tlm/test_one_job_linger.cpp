// SPDX-License-Identifier: Apache-2.0
// Lingers of the engine that does one job at a time, worked out by hand from docs/hardware/timing.md 3.8: an SM that a
// kernel leaves is kept for launches of its priority and above.
#include <algorithm>

#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;

constexpr Cycle kLinger = 200;

constexpr std::uint32_t kHigh = 5;  // priority of process 1; that of process 0 is 0

// One SM.
spec::Spec lingering_machine(Cycle linger) {
  spec::Spec spec = one_job_machine(1, 2, spec::PolicyKind::kPpq);
  spec.scheduler.linger = linger * (kPicosecondsPerSecond / spec.gpu.clock_hz);
  return spec;
}

// The urgent kernel's TB starts in 78 and ends in 178, the kernel in the WRITE of that job, 184. Without a linger the
// policy is invoked in 185: BEGIN 186, JUDGE 191, assign: PICK 192, BURST 196, WRITE 198. With one, linger_start is on
// the pins in 185, and linger_over invokes the policy in 185 + linger.
TEST(OneJobLinger, AnSmThatWasLeftGoesToALowerPriorityWhenTheLingerIsOver) {
  for (const Cycle linger : {Cycle{0}, Cycle{40}, kLinger}) {
    OneJobBench bench(lingering_machine(linger));
    bench.launch(1, {1, 1, {100}, 1, kHigh});
    const auto low = bench.launch(100, {0, 1, {100}, 1});
    bench.run();
    EXPECT_THAT(bench.cycles_of(Kind::kSmSetUp), ElementsAre(24, 196 + linger));
    EXPECT_THAT(bench.kernel(Kind::kTbIssued, low), ElementsAre(250 + linger));
  }
}

// The second launch of process 1 comes in 250: BEGIN 251, SCAN 252-257, activate: PICK 258, WRITE 262; BEGIN 263, JUDGE
// 269, assign: PICK 270, BURST 274, WRITE 276. Its TB starts 52 cycles later, in 328, and ends in 428; the kernel in
// 434. From then on the linger goes anew, and process 0 has the SM 12 cycles after its end, as above.
TEST(OneJobLinger, TheNextLaunchOfThatPriorityFindsTheSm) {
  OneJobBench bench(lingering_machine(kLinger));
  bench.launch(1, {1, 1, {100}, 1, kHigh});
  bench.launch(100, {0, 1, {100}, 1});
  bench.launch(250, {1, 1, {100}, 1, kHigh});
  bench.run();
  EXPECT_THAT(bench.cycles_of(Kind::kSmSetUp), ElementsAre(24, 274, 434 + 12 + kLinger));
  EXPECT_THAT(bench.cycles_of(Kind::kPreemptionRequested), ElementsAre());
}

// Without the linger process 0 has the SM by then, and loses it again.
TEST(OneJobLinger, WithoutOneTheNextLaunchPreempts) {
  OneJobBench bench(lingering_machine(0));
  bench.launch(1, {1, 1, {100}, 1, kHigh});
  bench.launch(100, {0, 1, {1000}, 1});
  bench.launch(250, {1, 1, {100}, 1, kHigh});
  bench.run();
  EXPECT_EQ(bench.cycles_of(Kind::kPreemptionRequested).size(), 1U);
}

// A kernel of process 0 ends in 184, with a linger for everybody.
TEST(OneJobLinger, KeepsNothingFromAHigherPriority) {
  OneJobBench bench(lingering_machine(kLinger));
  bench.launch(1, {0, 1, {100}, 1});
  bench.launch(200, {1, 1, {100}, 1, kHigh});
  bench.run();
  EXPECT_THAT(bench.cycles_of(Kind::kSmSetUp), ElementsAre(24, 223));
}

// The linger of the first kernel is over in 385, and a command of process 0 comes in 373: BEGIN 374, activate: WRITE
// 385. What invokes the policy in the cycle before BEGIN is that BEGIN's (5.2): 386, JUDGE 392 finds that the SM is the
// second urgent kernel's, and nothing is left to do.
TEST(OneJobLinger, ThatIsOverInTheCycleBeforeASearchTakesNoOtherSearch) {
  OneJobBench bench(lingering_machine(kLinger));
  bench.launch(1, {1, 1, {100}, 1, kHigh});
  bench.launch(250, {1, 1, {1000}, 1, kHigh});
  bench.launch(373, {0, 1, {100}, 1});
  bench.run();
  const std::vector<Cycle> decided = bench.cycles_of(Kind::kPolicyDecided);
  EXPECT_EQ(*std::find_if(decided.begin(), decided.end(), [](Cycle cycle) { return cycle > 385; }), 392);
}

}  // namespace
}  // namespace tessera::tlm_model::test
