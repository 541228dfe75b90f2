// SPDX-License-Identifier: Apache-2.0
// What a reserve bounds: the charges of the groups that are submitted within any window. For PRT tasks on one list,
// where a group is charged before the next is submitted; and what it does not bound. Durations decide nothing early.
#include <algorithm>
#include <tuple>

#include "tests/model/command_scheduling/timegraph_by_hand.h"
#include "tests/model/command_scheduling/timegraph_random.h"
#include "tests/model/command_scheduling/timegraph_windows.h"

namespace tessera::command_scheduling::test {
namespace {

using Group = TimeGraphBench::Group;

// PRT tasks that all have a reserve; a key has one duration, so that a hit predicts exactly.
struct BoundedTaskSet : RandomTaskSet {
  explicit BoundedTaskSet(std::mt19937_64& random) : RandomTaskSet(random) {
    if (parameters.accounting == Accounting::kMeasured) parameters.accounting = Accounting::kContinuous;
    parameters.has_online_list_per_engine = parameters.lets_higher_join = false;
    parameters.max_history_records = 100;
    if (reserves.empty()) reserves.push_back({10, 30, 0, true});
    for (std::size_t task = 0; task < tasks.size(); ++task) {
      tasks[task].dispatch = Dispatch::kPrt;
      tasks[task].reserve = ReserveId(below(reserves.size()));
      scripts[task] = repeat(task, scripts[task]);
    }
  }
  Script repeat(std::size_t task, const Script& once) {
    Script script;
    for (std::uint64_t n = 2 + below(2); n > 0; --n) {
      for (const Step& step : once) {
        script.push_back(step);
        script.back().key = {task, step.duration};
        if (script.back().from == Step::From::kTime) script.back().from = Step::From::kReturn;
      }
    }
    return script;
  }
};

std::vector<Group> groups_of(const TimeGraphBench& bench, const BoundedTaskSet& set, ReserveId reserve) {
  std::vector<Group> groups;
  for (const Group& group : bench.groups()) {
    if (set.tasks[static_cast<std::size_t>(group.task)].reserve == reserve) groups.push_back(group);
  }
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.submitted < b.submitted; });
  return groups;
}

void expect_bounds(const TimeGraphBench& bench, const BoundedTaskSet& set, ReserveId id) {
  const ReserveParameters& reserve = set.reserves[static_cast<std::size_t>(id)];
  std::vector<Group> groups = groups_of(bench, set, id);
  Cycle longest = 0, costliest = 0;
  for (const Group& group : groups) {
    longest = std::max(longest, group.charged);
    costliest = std::max(costliest, group.predicted);
  }
  if (!reserve.enforces_apriori) {
    expect_in_all_windows(groups, reserve.period, [&](Cycle sum, Cycle num_periods) {
      return sum < (1 + num_periods) * reserve.capacity + longest;
    });
    return;
  }
  // Those that came before a completion of their kind were predicted by another kind's cost.
  const auto is_inexact = [](const Group& group) { return group.predicted != group.charged; };
  groups.erase(std::remove_if(groups.begin(), groups.end(), is_inexact), groups.end());
  expect_in_all_windows(groups, reserve.period, [&](Cycle sum, Cycle num_periods) {
    return sum <= std::max(reserve.capacity, costliest) + num_periods * reserve.capacity;
  });
}

TEST(TimeGraphBounds, OfPosteriorAndAprioriEnforcementHoldInEveryWindow) {
  std::mt19937_64 random(12);
  std::size_t num_exact = 0, num_groups = 0;
  for (int n = 0; n < 20'000 && !HasFatalFailure(); ++n) {
    const BoundedTaskSet set(random);
    TimeGraphBench bench(set.parameters, set.interrupt_delay);
    for (const ReserveParameters& reserve : set.reserves) bench.add_reserve(reserve);
    for (std::size_t task = 0; task < set.tasks.size(); ++task) bench.add_task(set.tasks[task], set.scripts[task]);
    bench.run();
    for (std::size_t id = 0; id < set.reserves.size(); ++id) expect_bounds(bench, set, ReserveId(id));
    num_groups += bench.groups().size();
    for (const Group& group : bench.groups()) num_exact += group.predicted == group.charged;
  }
  EXPECT_GT(num_exact * 5, num_groups);  // enough of them for the second claim to say something
}

// C = 10: a chain is submitted before anything of it is charged, so a reserve bounds it only through max_online.
TEST(TimeGraphBounds, OfAnHtChainAreThoseOfMaxOnline) {
  for (const bool is_apriori : {false, true}) {
    TimeGraphParameters parameters;
    parameters.max_online = 3;
    TimeGraphBench bench(parameters);
    bench.warm_up({{{10}, 10}});
    const ReserveId reserve = bench.add_reserve({10, 1000, 0, is_apriori});
    bench.add_task({Dispatch::kHt, 0, false, reserve}, Script(4, after_return(1, 10)));
    bench.run(999);
    EXPECT_EQ(bench.core().reserve(reserve).charged(), 30u);
  }
}

// Two engines, two groups of one reserve at once, of which neither has been charged.
TEST(TimeGraphBounds, OfListsOfEnginesCountAGroupAnEngine) {
  TimeGraphParameters parameters;
  parameters.has_online_list_per_engine = true;
  TimeGraphByHand h(parameters);
  const ReserveId reserve = h.core.add_reserve({1, 1000});
  const TaskId computes = h.core.add_task({Dispatch::kPrt, 0, false, reserve});
  const TaskId copies = h.core.add_task({Dispatch::kPrt, 0, false, reserve});
  h.arrive(0, computes);
  EXPECT_THAT(h.arrive(0, copies, kCopyEngine), ::testing::ElementsAre(copies));
}

// ---- what is not known decides nothing --------------------------------------------------------------------------

struct DecisionLog : ITimeGraphObserver {
  using Line = std::tuple<char, Cycle, int, std::int64_t>;
  void on_arrived(Cycle now, TaskId task, GroupId group, Cycle) override { add('a', now, task, group); }
  void on_suspended(Cycle now, TaskId task, GroupId group) override { add('w', now, task, group); }
  void on_submitted(Cycle now, TaskId task, GroupId group, Cycle) override { add('s', now, task, group); }
  void on_completed(Cycle now, TaskId, GroupId, Cycle) override { first_completion = std::min(first_completion, now); }
  void on_replenished(Cycle now, ReserveId reserve, std::int64_t budget) override {
    lines.emplace_back('r', now, static_cast<int>(reserve), budget);
  }
  void add(char what, Cycle now, TaskId task, GroupId group) {
    lines.emplace_back(what, now, static_cast<int>(task), static_cast<std::int64_t>(group));
  }
  std::vector<Line> before(Cycle end) const {
    std::vector<Line> kept;
    for (const Line& line : lines) {
      if (std::get<1>(line) < end) kept.push_back(line);
    }
    return kept;
  }
  std::vector<Line> lines;
  Cycle first_completion = kNever;
};

DecisionLog decisions(const RandomTaskSet& set) {
  DecisionLog log;
  TimeGraphBench bench(set.parameters, set.interrupt_delay);
  bench.watch = &log;
  for (const ReserveParameters& reserve : set.reserves) bench.add_reserve(reserve);
  for (std::size_t task = 0; task < set.tasks.size(); ++task) bench.add_task(set.tasks[task], set.scripts[task]);
  bench.run();
  return log;
}

TEST(TimeGraphProperties, DurationsUnderEqualKeysChangeNoDecisionBeforeTheFirstCompletion) {
  std::mt19937_64 random(13);
  for (int n = 0; n < 10'000; ++n) {
    RandomTaskSet set(random);
    const DecisionLog one = decisions(set);
    // The same groups, each as long as another was.
    std::vector<Cycle> durations;
    for (const Script& script : set.scripts) {
      for (const Step& step : script) durations.push_back(step.duration);
    }
    std::shuffle(durations.begin(), durations.end(), random);
    for (Script& script : set.scripts) {
      for (Step& step : script) {
        step.duration = durations.back();
        durations.pop_back();
      }
    }
    const DecisionLog other = decisions(set);
    const Cycle end = std::min(one.first_completion, other.first_completion);
    ASSERT_EQ(one.before(end), other.before(end)) << "task set " << n;
  }
}

}  // namespace
}  // namespace tessera::command_scheduling::test
