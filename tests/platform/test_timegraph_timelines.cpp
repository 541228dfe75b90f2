// SPDX-License-Identifier: Apache-2.0
// The two timelines that TimeGraph's core is held to (tests/model/command_scheduling/test_timegraph_timelines.cpp), on
// the whole machine: the same groups in the same order, with the machine's latencies in every start and in every
// budget.
#include "tests/platform/timegraph_machine.h"

namespace tessera::platform::test {
namespace {

using testing::ElementsAre;

constexpr Cycle kUnit = 100'000;  // of the timelines: ten times what a group's way takes

spec::HostStep launch_at_unit(Cycle unit, std::uint32_t kernel) { return launch_at(unit * kUnit, kernel); }
spec::HostStep cpu_units(Cycle units) { return cpu(units * kUnit); }

// ---- A: three tasks ----------------------------------------------------------------------------------------------

struct TaskTimeline : GroupPath {
  enum : std::uint16_t { kHp, kMp, kLp };

  TaskTimeline(GroupDispatch dispatch, bool has_third_of_mp)
      : GroupPath(timegraph_platform()), log(simulate_checked(experiment(dispatch, has_third_of_mp))) {}

  static spec::Spec experiment(GroupDispatch dispatch, bool has_third_of_mp) {
    spec::Spec spec = timegraph_platform();
    const auto add = [&](std::uint32_t priority, Cycle tb_units, std::vector<spec::HostStep> program) {
      program.push_back(synchronise());
      program.push_back(cpu_units(30));
      add_process(spec, {kernel_of("k", 1, tb_units * kUnit)}, std::move(program)).runs = 1;
      add_entry(spec, dispatch, priority);
    };
    add(3, 3, {launch_at_unit(2, 0), cpu_units(2), launch(0)});
    std::vector<spec::HostStep> of_mp = {launch(0), cpu_units(1), launch(0)};
    if (has_third_of_mp) of_mp.push_back(launch_at_unit(3, 0));
    add(2, 4, of_mp);
    add(1, 2, {launch_at_unit(6, 0)});
    return spec;
  }
  // The spans that groups are online, from decision to completion.
  Cycle submitted(std::size_t nth) const { return told(log, Kind::kGroupSubmitted).at(nth); }
  Cycle done(std::size_t nth) const { return told(log, Kind::kGroupDone).at(nth); }

  Log log;
};

TEST(TimegraphTimelineA, PrtDecidesAfterEveryGroup) {
  const TaskTimeline t(GroupDispatch::kPrt, false);
  EXPECT_THAT(submitters(t.log), ElementsAre(t.kMp, t.kHp, t.kHp, t.kMp, t.kLp));
  EXPECT_EQ(t.submitted(0), t.host.launch);
  EXPECT_EQ(t.done(0), t.submitted(0) + t.if_at_arrival(4 * kUnit));
  // Whoever is next waits already: it is submitted where the completion is seen.
  for (const auto& [nth, units] : {std::pair(1, 3), {2, 3}, {3, 4}, {4, 2}}) {
    EXPECT_EQ(t.submitted(nth), t.done(nth - 1)) << nth;
    EXPECT_EQ(t.done(nth), t.submitted(nth) + t.if_at_handler(units * kUnit)) << nth;
  }
}

// From one kernel to the next of a chain that lies in the ring.
Cycle to_next(const TaskTimeline& t, Cycle tb) { return t.kernel(tb) + 2 * t.host.dispatch + 1; }

TEST(TimegraphTimelineA, HtGoesOnWithoutABubble) {
  const TaskTimeline t(GroupDispatch::kHt, false);
  EXPECT_THAT(submitters(t.log), ElementsAre(t.kMp, t.kMp, t.kHp, t.kHp, t.kLp));
  // MP's second arrives a unit after its first call returned, and joins.
  EXPECT_EQ(t.submitted(1), t.submitted(0) + t.arrival + kUnit + t.host.launch);
  EXPECT_EQ(t.done(0), t.submitted(0) + t.if_at_arrival(4 * kUnit));
  EXPECT_EQ(t.done(1), t.done(0) + to_next(t, 4 * kUnit));
  // The interrupt of its first wakes nobody: HP is submitted when all of the chain is done.
  EXPECT_EQ(t.submitted(2), t.done(1));
  EXPECT_EQ(t.submitted(3), t.submitted(2) + t.completion + 2 * kUnit + t.host.launch);
  EXPECT_EQ(t.done(2), t.submitted(2) + t.if_at_handler(3 * kUnit));
  EXPECT_EQ(t.done(3), t.done(2) + to_next(t, 3 * kUnit));
  EXPECT_EQ(t.submitted(4), t.done(3));
}

TEST(TimegraphTimelineA, HtEndsItsChainForAMoreUrgentTask) {
  const TaskTimeline t(GroupDispatch::kHt, true);
  EXPECT_THAT(submitters(t.log), ElementsAre(t.kMp, t.kMp, t.kHp, t.kHp, t.kMp, t.kLp));
  EXPECT_LT(told(t.log, Kind::kGroupArrived, t.kMp).at(2), t.done(0));  // it could have joined
  EXPECT_EQ(t.submitted(2), t.done(1));
  EXPECT_EQ(t.submitted(4), t.done(3));
  EXPECT_EQ(t.submitted(5), t.done(4));
}

// ---- B: one task with 40 every 100 -------------------------------------------------------------------------------

constexpr Cycle kCapacity = 40 * kUnit;
constexpr Cycle kReplenished = 100 * kUnit;
enum KernelOfB : std::uint32_t { k20, k50, k5, k38 };

// The four groups from `start` on, in units since the run started.
std::vector<spec::HostStep> four_groups(Cycle start) {
  return {launch_at_unit(start, k20),
          launch_at_unit(start + 30, k50),
          synchronise(),
          cpu_units(10),
          launch(k5),
          cpu_units(3),
          launch(k38),
          synchronise()};
}

spec::Spec with_reserve(Reservation reservation, std::vector<spec::HostStep> program, Cycle second = 50) {
  spec::Spec spec = timegraph_platform();
  spec.driver.arrival = spec.driver.completion;  // a group costs the same wherever it is submitted
  add_process(spec,
              {kernel_of("20", 1, 20 * kUnit), kernel_of("50", 1, second * kUnit), kernel_of("5", 1, 5 * kUnit),
               kernel_of("38", 1, 38 * kUnit)},
              std::move(program));
  add_entry(spec, GroupDispatch::kPrt, 1, reservation, kCapacity, kReplenished);
  return spec;
}

std::int64_t balance(Cycle grants, std::initializer_list<Cycle> spent) {
  auto left = static_cast<std::int64_t>(grants);
  for (const Cycle each : spent) left -= static_cast<std::int64_t>(each);
  return left;
}

TEST(TimegraphTimelineB, PosteriorEnforcementOverrunsAndPaysLater) {
  std::vector<spec::HostStep> program = four_groups(0);
  program.push_back(cpu_units(200));
  const spec::Spec spec = with_reserve(Reservation::kPosterior, program);
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  const auto cost = [&](Cycle units) { return path.if_at_handler(units * kUnit); };
  EXPECT_THAT(charges(log), ElementsAre(cost(20), cost(50), cost(5), cost(38)));
  const std::vector<Cycle> submitted = told(log, Kind::kGroupSubmitted);
  const std::vector<Cycle> arrived = told(log, Kind::kGroupArrived);
  ASSERT_EQ(submitted.size(), 4U);
  EXPECT_EQ(submitted[0], path.host.launch);
  EXPECT_EQ(submitted[1], 30 * kUnit + path.host.launch);
  // The third finds a debt and waits for its budget, the fourth for the third.
  EXPECT_EQ(arrived[2], submitted[1] + cost(50) + 10 * kUnit + path.host.launch);
  EXPECT_THAT(log.all(Kind::kGroupSuspended), testing::SizeIs(1));
  EXPECT_EQ(submitted[2], kReplenished);
  EXPECT_EQ(arrived[3], kReplenished + path.completion + 3 * kUnit + path.host.launch);
  EXPECT_EQ(submitted[3], kReplenished + cost(5));
  const std::int64_t at_100 = balance(2 * kCapacity, {cost(20), cost(50)});
  const std::int64_t at_200 = at_100 + balance(kCapacity, {cost(5), cost(38)});
  EXPECT_GT(at_100, 0);
  EXPECT_GT(at_200, 0);
  EXPECT_LT(at_200, 10 * static_cast<std::int64_t>(kUnit));
  const std::vector<std::int64_t> seen = budgets(log);
  ASSERT_GE(seen.size(), 3U);
  EXPECT_THAT((std::vector<std::int64_t>(seen.begin(), seen.begin() + 3)), ElementsAre(at_100, at_200, kCapacity));
}

// Each group has been there before; a reserve in debt replenishes in between.
constexpr Cycle kWarm = 800;
std::vector<spec::HostStep> warmed_up(std::vector<spec::HostStep> then) {
  std::vector<spec::HostStep> program = {launch_at_unit(0, k5), launch_at_unit(200, k20), launch_at_unit(400, k38),
                                         launch_at_unit(600, k50)};
  program.insert(program.end(), then.begin(), then.end());
  return program;
}

TEST(TimegraphTimelineB, AprioriEnforcementWaitsUntilTheCostIsAfforded) {
  std::vector<spec::HostStep> program = warmed_up(four_groups(kWarm));
  program.push_back(cpu_units(100));
  const spec::Spec spec = with_reserve(Reservation::kApriori, program);
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  const auto cost = [&](Cycle units) { return path.if_at_handler(units * kUnit); };
  const std::vector<Record> submitted = log.all(Kind::kGroupSubmitted);
  ASSERT_EQ(submitted.size(), 8U);
  for (const auto& [nth, units] : {std::pair<std::size_t, Cycle>(4, 20), {5, 50}, {6, 5}, {7, 38}}) {
    EXPECT_EQ(submitted[nth].cycles, cost(units)) << "prediction of " << nth;
    EXPECT_EQ(charges(log).at(nth), cost(units)) << nth;
  }
  const std::vector<Cycle> at = told(log, Kind::kGroupSubmitted);
  EXPECT_EQ(at[4], kWarm * kUnit + path.host.launch);
  EXPECT_EQ(at[5], (kWarm + 100) * kUnit);
  EXPECT_EQ(at[6], (kWarm + 200) * kUnit);
  EXPECT_EQ(at[7], (kWarm + 300) * kUnit);
  const std::vector<std::int64_t> seen = budgets(log);
  const auto budget_at = [&](Cycle unit) { return seen.at((kWarm + unit) / 100 - 1); };
  EXPECT_EQ(budget_at(0), balance(kCapacity, {}));
  EXPECT_EQ(budget_at(100), balance(cost(50), {}));  // x, which e + C exceeds
  EXPECT_EQ(budget_at(200), balance(kCapacity, {}));
  EXPECT_EQ(budget_at(300), balance(kCapacity, {}));
}

TEST(TimegraphTimelineB, ACostlyGroupSavesUpOverSeveralPeriods) {
  std::vector<spec::HostStep> program =
      warmed_up({launch_at_unit(kWarm + 100, k20), launch_at_unit(kWarm + 130, k50), synchronise(), cpu_units(1)});
  const spec::Spec spec = with_reserve(Reservation::kApriori, program, 75);
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  const auto cost = [&](Cycle units) { return path.if_at_handler(units * kUnit); };
  const std::vector<Cycle> at = told(log, Kind::kGroupSubmitted);
  ASSERT_EQ(at.size(), 6U);
  EXPECT_EQ(at[5], (kWarm + 300) * kUnit);
  const std::vector<std::int64_t> seen = budgets(log);
  EXPECT_EQ(seen.at(kWarm / 100 + 1), balance(2 * kCapacity, {cost(20)}));
  EXPECT_EQ(seen.at(kWarm / 100 + 2), balance(cost(75), {}));
}

// Whose kernels are of one shape costs what the last ones did: predictions outlive a run.
TEST(TimegraphTimelineB, PredictionsOutliveARun) {
  spec::Spec spec = with_reserve(Reservation::kApriori, {launch(k5), synchronise(), cpu_units(100)});
  spec.stop.min_runs = 3;
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  std::vector<Cycle> predicted;
  for (const Record& record : log.all(Kind::kGroupSubmitted)) predicted.push_back(record.cycles);
  EXPECT_THAT(predicted, ElementsAre(0, path.if_at_arrival(5 * kUnit), path.if_at_arrival(5 * kUnit)));
}

// ---- a group of 250, more than two periods -----------------------------------------------------------------------

Log long_then_short(spec::Accounting accounting) {
  std::vector<spec::HostStep> program = {launch(k50), launch_at_unit(251, k5), synchronise(), cpu_units(1)};
  spec::Spec spec = with_reserve(Reservation::kPosterior, program, 250);
  spec.driver.accounting = accounting;
  return simulate_checked(spec);
}

TEST(TimegraphTimelineB, ALongGroupForfeitsReplenishmentsUnlessItIsChargedContinuously) {
  const Log at_completion = long_then_short(spec::Accounting::kAtCompletion);
  const Log continuous = long_then_short(spec::Accounting::kContinuous);
  EXPECT_EQ(told(at_completion, Kind::kGroupSubmitted).at(1), 800 * kUnit);
  EXPECT_EQ(told(continuous, Kind::kGroupSubmitted).at(1), 600 * kUnit);
  const GroupPath path(with_reserve(Reservation::kPosterior, {}, 250));
  const Cycle cost = path.if_at_arrival(250 * kUnit);
  EXPECT_EQ(charges(at_completion).at(0), cost);
  EXPECT_EQ(charges(continuous).at(0), cost);
  EXPECT_EQ(budgets(at_completion).at(2), balance(2 * kCapacity, {cost}));
  EXPECT_EQ(budgets(continuous).at(2), balance(4 * kCapacity, {cost}));
}

}  // namespace
}  // namespace tessera::platform::test
