// SPDX-License-Identifier: Apache-2.0
// Flushing by the engine that does one job at a time: in the core's own time it is a trap, until the SM answers.
#include <algorithm>

#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

spec::Spec preempting_machine(spec::TechniqueKind technique) {
  spec::Spec spec = one_job_machine(1, 2, spec::PolicyKind::kPpq);
  spec.scheduler.technique = technique;
  return spec;
}

// Two TBs of 5000 cycles, and one with priority after 900.
struct TwoKernels {
  TwoKernels(spec::TechniqueKind technique, std::uint32_t idempotent_until_ppm)
      : bench(preempting_machine(technique)),
        victim(bench.launch(1, {0, 2, {5000}, 2, 0, 64, 0, idempotent_until_ppm})),
        winner(bench.launch(900, {1, 1, {500}, 1, 1})) {
    bench.run();
  }
  OneJobBench bench;
  std::uint32_t victim, winner;
};

// The engine's trap waits for the pipeline to drain (43 cycles), and then finds nothing to save if there is nothing.
TEST(OneJobFlush, TheSmAnswersInTheCycleAfterTheCommand) {
  const TwoKernels switched(spec::TechniqueKind::kContextSwitch, 0);
  const TwoKernels flushed(spec::TechniqueKind::kFlush, 1'000'000);
  const Cycle requested = switched.bench.cycles_of(Kind::kPreemptionRequested).front();
  EXPECT_THAT(flushed.bench.cycles_of(Kind::kPreemptionRequested), ElementsAre(requested));
  // The save starts when the pipeline is drained and the trap taken, counted from the command's cycle.
  const Latencies t(preempting_machine(spec::TechniqueKind::kFlush));
  const Cycle command = switched.bench.cycles_of(Kind::kSaveStarted).front() - t.freeze - t.trap;
  EXPECT_THAT(flushed.bench.cycles_of(Kind::kSmFlushed), ElementsAre(command + 1));
  EXPECT_EQ(flushed.bench.records(Kind::kSmFlushed)[0].value, 2U);
  // Both handles leave, a cycle each. From the SM's answer to the next owner the core takes as long as ever.
  const auto answer_to_set_up = [](const TwoKernels& run, Cycle answer) {
    return run.bench.kernel(Kind::kSmSetUp, run.winner).front() - answer;
  };
  const Cycle saved = switched.bench.cycles_of(Kind::kSaveStarted).front() + Kernel{}.move(2);
  EXPECT_EQ(answer_to_set_up(flushed, command + 1 + 2 + 1), answer_to_set_up(switched, saved));
}

TEST(OneJobFlush, DroppedTbsRunFromNothingOnceAndWholly) {
  const TwoKernels run(spec::TechniqueKind::kFlush, 1'000'000);
  EXPECT_THAT(run.bench.cycles_of(Kind::kRestoreStarted), IsEmpty());
  for (std::uint32_t tb = 0; tb < 2; ++tb) {
    const std::vector<Cycle> restarted = run.bench.tb(Kind::kTbRestarted, run.victim, tb);
    ASSERT_THAT(restarted, SizeIs(1));
    EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, tb), ElementsAre(restarted[0] + 5000));
  }
  // The handles lie in memory one after the other: a cycle each.
  EXPECT_EQ(run.bench.tb(Kind::kTbRestarted, run.victim, 1)[0], run.bench.tb(Kind::kTbRestarted, run.victim, 0)[0] + 1);
}

// Nothing to flush: context switch to the cycle, whatever it is called.
TEST(OneJobFlush, WithoutIdempotentTbsItIsAContextSwitch) {
  const TwoKernels switched(spec::TechniqueKind::kContextSwitch, 0);
  const TwoKernels flushed(spec::TechniqueKind::kFlush, 0);
  for (int kind = 0; kind < record::kNumKinds; ++kind) {
    EXPECT_EQ(flushed.bench.cycles_of(Kind(kind)), switched.bench.cycles_of(Kind(kind)));
  }
}

}  // namespace
}  // namespace tessera::tlm_model::test
