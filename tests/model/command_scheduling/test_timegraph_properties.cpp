// SPDX-License-Identifier: Apache-2.0
// Random task sets with parameters of all kinds: every decision of TimeGraph is the one that the rules ask for, every
// budget adds up, everything ends ([K11] invariants of docs/concepts/readings.md).
#include <random>

#include "tests/model/command_scheduling/timegraph_oracle.h"
#include "tests/model/command_scheduling/timegraph_random.h"

namespace tessera::command_scheduling::test {
namespace {

constexpr int kNumTaskSets = 100'000;

void run_watched(RandomTaskSet& set) {
  TimeGraphBench bench(set.parameters, set.interrupt_delay);
  for (const ReserveParameters& reserve : set.reserves) bench.add_reserve(reserve);
  for (std::size_t n = 0; n < set.tasks.size(); ++n) bench.add_task(set.tasks[n], set.scripts[n]);
  TimeGraphOracle oracle(set.parameters, set.tasks, set.reserves, bench);
  bench.watch = &oracle;
  bench.after_step = [&](Cycle) {
    oracle.check_after_step();
    if (!set.is(4)) return;
    const auto focus = set.any_task_or_none();
    bench.core().set_foreground(focus);
    oracle.set_foreground(focus);
  };
  bench.run();
  oracle.check_at_end();
}

TEST(TimeGraphProperties, EveryDecisionIsTheOneThatTheRulesAskFor) {
  std::mt19937_64 random(11);
  for (int n = 0; n < kNumTaskSets; ++n) {
    RandomTaskSet set(random);
    ASSERT_NO_THROW(run_watched(set)) << "task set " << n;
  }
}

}  // namespace
}  // namespace tessera::command_scheduling::test
