// SPDX-License-Identifier: Apache-2.0
// Who is next when TimeGraph decides on the machine: priorities, also those that the GPU is told of, the foreground
// window, whom preemptive hardware lets join; and what decisions do not depend on.
#include "tests/platform/timegraph_machine.h"
#include "tests/tlm/sm_usage_of_log.h"

namespace tessera::platform::test {
namespace {

using testing::ElementsAre;

constexpr Cycle kGroupTb = 200'000;
constexpr Cycle kLongGroupTb = 2'000'000;
constexpr Cycle kNotLast = 50'000;  // after its work, so that the simulation does not end with a completion

// Everybody wants to run once while the first one does.
spec::ProcessSpec& add_waiter(spec::Spec& spec, Cycle start, Cycle tb = kGroupTb, std::uint32_t num_tbs = 1) {
  spec::ProcessSpec& process =
      add_process(spec, {kernel_of("k", num_tbs, tb)}, {launch(0), synchronise(), cpu(kNotLast)});
  process.start = start * kCyclePs;
  process.runs = 1;
  return process;
}

// ---- priorities --------------------------------------------------------------------------------------------------

TEST(TimegraphOrder, IsThatOfPrioritiesThenOfArrival) {
  spec::Spec spec = timegraph_platform();
  for (const auto& [start, priority] :
       {std::pair<Cycle, std::uint32_t>(0, 1), {1'000, 1}, {2'000, 3}, {3'000, 1}, {4'000, 2}}) {
    add_waiter(spec, start);
    add_entry(spec, GroupDispatch::kPrt, priority);
  }
  EXPECT_THAT(submitters(simulate_checked(spec)), ElementsAre(0, 2, 4, 1, 3));
}

TEST(TimegraphOrder, OfThoseThatArriveInOneCycleTheFirstProcessIsFirst) {
  spec::Spec spec = timegraph_platform();
  for (int i = 0; i < 4; ++i) {
    add_waiter(spec, 0);
    add_entry(spec, GroupDispatch::kPrt, 1);
  }
  EXPECT_THAT(submitters(simulate_checked(spec)), ElementsAre(0, 1, 2, 3));
}

// `process[1]` has the window first, then `process[2]`; all wait while the long group runs.
spec::Spec with_focus(std::vector<spec::Focus> focus) {
  spec::Spec spec = timegraph_platform();
  add_waiter(spec, 0, kLongGroupTb);
  add_entry(spec, GroupDispatch::kPrt, 8);
  for (const std::optional<std::uint32_t> priority : {kAutomatic, kAutomatic, std::optional(8U)}) {
    add_waiter(spec, 1'000 * spec.processes.size());
    add_entry(spec, GroupDispatch::kPrt, priority);
  }
  spec.driver.default_priority = 8;
  spec.driver.focus = std::move(focus);
  return spec;
}

TEST(TimegraphOrder, FollowsTheForegroundWindow) {
  EXPECT_THAT(submitters(simulate_checked(with_focus({}))), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(submitters(simulate_checked(with_focus({{0, 2}}))), ElementsAre(0, 2, 1, 3));
  // The window changes while they wait; and once more, but too late.
  const std::vector<spec::Focus> script = {{0, 1}, {kLongGroupTb / 2 * kCyclePs, 2}, {kLongGroupTb * 2 * kCyclePs, 1}};
  EXPECT_THAT(submitters(simulate_checked(with_focus(script))), ElementsAre(0, 2, 1, 3));
  // Who has a priority of its own gains nothing by it.
  EXPECT_THAT(submitters(simulate_checked(with_focus({{0, 3}}))), ElementsAre(0, 1, 2, 3));
}

// ---- preemptive hardware -----------------------------------------------------------------------------------------

constexpr std::uint64_t kNumSms = 4;

// A long group of low priority that fills the GPU, and an urgent one of two TBs; only the driver's lines tell so.
spec::Spec urgent_beside_long(spec::Joins joins) {
  spec::Spec spec = timegraph_platform(kNumSms);
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  spec.scheduler.access = spec::Access::kShared;
  add_waiter(spec, 0, kLongGroupTb, kNumSms);
  add_entry(spec, GroupDispatch::kPrt, 1, Reservation::kPosterior, 40 * kLongGroupTb, 100 * kLongGroupTb);
  add_waiter(spec, 500'000, kGroupTb, 2);
  add_entry(spec, GroupDispatch::kPrt, 5, Reservation::kPosterior, 40 * kLongGroupTb, 100 * kLongGroupTb);
  spec.driver.joins = joins;
  spec.driver.accounting = spec::Accounting::kMeasured;
  return spec;
}

TEST(TimegraphJoins, WithoutThemTheUrgentGroupWaitsWhateverTheHardwareCould) {
  const Log log = simulate_checked(urgent_beside_long(spec::Joins::kNone));
  EXPECT_GT(log.when(Kind::kKernelArrived, 1, 0), log.when(Kind::kKernelFinished, 0, 0));
  EXPECT_THAT(log.all(Kind::kPreemptionRequested), testing::IsEmpty());
}

TEST(TimegraphJoins, AnUrgentGroupIsSubmittedAtOnceAndPreempts) {
  const spec::Spec spec = urgent_beside_long(spec::Joins::kHigherPriority);
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.when(Kind::kKernelArrived, 1, 0), 500'000 + path.host.launch + path.arrival + path.host.to_arrival());
  EXPECT_LT(log.when(Kind::kKernelFinished, 1, 0), log.when(Kind::kKernelFinished, 0, 0));
  // The GPU could not have known of its priority but from the driver.
  EXPECT_THAT(log.all(Kind::kPreemptionRequested), testing::SizeIs(2));
}

// SM cycles of a process's kernels, from the log, as the hardware counts them.
Cycle use_of(const spec::Spec& spec, const Log& log, std::uint16_t process) {
  const tlm_model::test::SmUsageOfLog usage(log.records, spec.processes.size(), spec.gpu.num_sms, log.result.cycles,
                                            {});
  return usage.used().at(process);
}

TEST(TimegraphJoins, EachIsChargedItsOwnUseOnly) {
  const spec::Spec spec = urgent_beside_long(spec::Joins::kHigherPriority);
  const Log log = simulate_checked(spec);
  for (const std::uint16_t process : {0, 1}) {
    EXPECT_THAT(charges(log, process), ElementsAre(use_of(spec, log, process) / kNumSms)) << process;
  }
  EXPECT_LT(charges(log, 1).at(0), kGroupTb);
  EXPECT_GT(charges(log, 0).at(0), kLongGroupTb);
}

TEST(TimegraphAccounting, MeasuresHalfForAProcessWhoseKernelsFillHalfOfTheSms) {
  for (const auto accounting : {spec::Accounting::kAtCompletion, spec::Accounting::kMeasured}) {
    spec::Spec spec = timegraph_platform(kNumSms);
    add_process(spec, {kernel_of("half", 2, kGroupTb)}, {loop(3, {launch(0), synchronise()}), cpu(kNotLast)});
    add_entry(spec, GroupDispatch::kPrt, 1, Reservation::kPosterior, 10 * kGroupTb, 10 * kGroupTb);
    spec.driver.accounting = accounting;
    const GroupPath path(spec);
    const Log log = simulate_checked(spec);
    const std::vector<Cycle> charged = charges(log);
    ASSERT_EQ(charged.size(), 3U);
    if (accounting == spec::Accounting::kMeasured) {
      EXPECT_EQ(charged[0] + charged[1] + charged[2], use_of(spec, log, 0) / kNumSms);
      for (const Cycle each : charged) EXPECT_NEAR(each, kGroupTb / 2, path.kernel(0));
    } else {  // wall time, with the way to the GPU and back
      for (const Cycle each : charged) EXPECT_GE(each, path.if_at_arrival(kGroupTb));
    }
  }
}

// ---- ticks -------------------------------------------------------------------------------------------------------

TEST(TimegraphTicks, DecideAmongAllThatHaveArrivedSinceTheLast) {
  constexpr Cycle kTick = 500'000;
  spec::Spec spec = timegraph_platform();
  spec.driver.invocation = spec::Invocation::kTick;
  spec.driver.tick = kTick * kCyclePs;
  for (const std::uint32_t priority : {1, 2, 3}) {
    add_waiter(spec, 1'000 * spec.processes.size());
    add_entry(spec, GroupDispatch::kPrt, priority);
  }
  const Log log = simulate_checked(spec);
  EXPECT_THAT(submitters(log), ElementsAre(2, 1, 0));
  EXPECT_THAT(told(log, Kind::kGroupSubmitted), ElementsAre(kTick, 2 * kTick, 3 * kTick));
  EXPECT_THAT(told(log, Kind::kGroupDone), ElementsAre(2 * kTick, 3 * kTick, 4 * kTick));
}

// ---- what decisions do not depend on -----------------------------------------------------------------------------

// Several processes of several priorities, each with a reserve of its own or none, that never arrive close together.
spec::Spec all_prt(spec::PolicyKind policy) {
  spec::Spec spec = timegraph_platform();
  spec.scheduler.policy = policy;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  for (const std::uint32_t i : {0U, 1U, 2U, 3U}) {
    add_process(spec, {kernel_of("a", 1 + i, 300'000), kernel_of("b", 9, 70'000 + 40'000 * i)},
                {cpu(40'000 * i), loop(4, {launch(0), cpu(90'000), group({launch(1), launch(0)})}), synchronise(),
                 cpu(kNotLast)});
    const auto reservation = i == 1 ? Reservation::kPosterior : i == 2 ? Reservation::kApriori : Reservation::kNone;
    add_entry(spec, GroupDispatch::kPrt, i % 3, reservation, i == 1 || i == 2 ? 500'000 : 0,
              i == 1 || i == 2 ? 2'000'000 : 0);
  }
  return spec;
}

TEST(TimegraphOrder, OfPrtTasksIsTheSameUnderEveryPolicyOfTheGpu) {
  const auto order = groups(simulate_checked(all_prt(spec::PolicyKind::kFcfs)), Kind::kGroupSubmitted);
  EXPECT_GT(order.size(), 4U * 8);
  for (const auto policy : {spec::PolicyKind::kPpq, spec::PolicyKind::kDss}) {
    EXPECT_EQ(groups(simulate_checked(all_prt(policy)), Kind::kGroupSubmitted), order);
  }
}

std::vector<std::string> driver_records_before_the_first_completion(const Log& log) {
  std::vector<std::string> lines;
  for (const Record& record : log.records) {
    if (record.kind == Kind::kGroupDone) return lines;
    if (record::is_of_driver(record.kind)) lines.push_back(nlohmann::json(record).dump());
  }
  return lines;
}

TEST(TimegraphOrder, DoesNotForeseeDurations) {
  const auto lines_with = [](Cycle first, Cycle second) {
    spec::Spec spec = timegraph_platform();
    for (const Cycle tb : {first, second, first}) {
      add_process(spec, {kernel_of("k", 1, tb)}, {loop(3, {launch(0), cpu(10'000)})});
      add_entry(spec, GroupDispatch::kPrt, 1, Reservation::kApriori, 300'000, 1'000'000);
    }
    return driver_records_before_the_first_completion(simulate_checked(spec));
  };
  // Before any of these ends, so before any replenishment too.
  const std::vector<std::string> lines = lines_with(600'000, 900'000);
  EXPECT_GT(lines.size(), 3U);
  EXPECT_EQ(lines, lines_with(900'000, 600'000));
}

}  // namespace
}  // namespace tessera::platform::test
