// SPDX-License-Identifier: Apache-2.0
// TimeGraph on the whole machine, cycle by cycle from the Spec: the bubble between groups, chains without one, ticks,
// groups of several commands and what tells of their completion.
#include "tests/platform/timegraph_machine.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;
using testing::ElementsAre;

constexpr Cycle kTb = 40'000;
constexpr Cycle kAfterwards = 100;  // so that the simulation does not end with the last completion
constexpr std::uint64_t kTgBytes = 30'000;

spec::Spec in_a_row(GroupDispatch dispatch, std::uint32_t count, Cycle tb = kTb) {
  spec::Spec spec = timegraph_platform();
  add_process(spec, {kernel_of("k", 1, tb)}, {loop(count, {launch(0)}), synchronise(), cpu(kAfterwards)});
  add_entry(spec, dispatch, 1);
  return spec;
}

// ---- timeline C ------------------------------------------------------------------------------------------------

TEST(TimegraphMachine, BetweenGroupsOfAPrtTaskLieInterruptHandlerAndDoorbell) {
  const spec::Spec spec = in_a_row(GroupDispatch::kPrt, 4);
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  ASSERT_EQ(arrived.size(), 4U);
  EXPECT_EQ(arrived[0], path.host.launch + path.arrival + path.host.to_arrival());
  const Cycle bubble = path.host.to_process() + path.completion + path.host.to_arrival();
  EXPECT_EQ(bubble, 7242U + path.completion);  // as the readings have it
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(arrived[i], finished[i - 1] + bubble) << i;
}

TEST(TimegraphMachine, ADriverThatTakesNoTimeDecidesStillACycleLater) {
  spec::Spec spec = in_a_row(GroupDispatch::kPrt, 2);
  spec.driver.arrival = 0;
  spec.driver.completion = 0;
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  EXPECT_EQ(arrived.at(0), path.host.launch + 1 + path.host.to_arrival());
  EXPECT_EQ(arrived.at(1), log.cycles(Kind::kKernelFinished).at(0) + 7242 + 1);
}

// The fence of the group in front, then the next kernel: two looks of the dispatcher.
TEST(TimegraphMachine, BetweenGroupsOfAnHtTaskLieTwoLooksOfTheDispatcher) {
  const spec::Spec spec = in_a_row(GroupDispatch::kHt, 4);
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  ASSERT_EQ(arrived.size(), 4U);
  EXPECT_EQ(2 * host.dispatch + 1, 35U);  // as the readings have it
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(arrived[i], finished[i - 1] + 2 * host.dispatch + 1) << i;
}

TEST(TimegraphMachine, ANotifierThatIsAFlagSavesOneOfTheLooks) {
  spec::Spec spec = in_a_row(GroupDispatch::kHt, 4);
  spec.driver.notifier = spec::Notifier::kFlag;
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  ASSERT_EQ(arrived.size(), 4U);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(arrived[i], finished[i - 1] + host.dispatch + 1) << i;
  // The driver hears of the first one that look earlier too.
  EXPECT_EQ(told(log, Kind::kGroupDone).at(0), finished[0] + host.link + host.interrupt);
}

TEST(TimegraphMachine, UnderTicksEveryGroupOfAPrtTaskWaitsForTheNext) {
  constexpr Cycle kTick = 1'000'000;  // 1 ms
  spec::Spec spec = in_a_row(GroupDispatch::kPrt, 30, 20'000);
  spec.driver.invocation = spec::Invocation::kTick;
  spec.driver.tick = kTick * kCyclePs;
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> submitted = told(log, Kind::kGroupSubmitted);
  ASSERT_EQ(submitted.size(), 30U);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(submitted[i], (i + 1) * kTick);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  EXPECT_EQ(arrived.back(), 30 * kTick + path.completion + path.host.to_arrival());
  // The tick behind the last one sees its completion: 30 ms of waiting for 0.6 ms of work.
  EXPECT_EQ(told(log, Kind::kGroupDone).back(), 31 * kTick);
}

// ---- groups of several commands --------------------------------------------------------------------------------

std::vector<spec::HostStep> work_of_a_group() {
  return {copy_async(CopyDirection::kToGpu, kTgBytes), loop(3, {launch(0)}),
          copy_async(CopyDirection::kToHost, kTgBytes)};
}

TEST(TimegraphMachine, AGroupOfSeveralCommandsIsSubmittedOnceAndToldOfOnce) {
  spec::Spec spec = timegraph_platform();
  add_process(spec, {kernel_of("k", 1, kTb)},
              {group(work_of_a_group()), group(work_of_a_group()), synchronise(), cpu(kAfterwards)});
  add_entry(spec, GroupDispatch::kPrt, 1);
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  EXPECT_THAT(groups(log, Kind::kGroupArrived), ElementsAre(GroupOf(0, 0), GroupOf(0, 1)));
  EXPECT_THAT(groups(log, Kind::kGroupDone), ElementsAre(GroupOf(0, 0), GroupOf(0, 1)));
  // Nothing moves before the last call of the group; then one command follows the other.
  const Cycle written = 2 * path.host.copy + 3 * path.host.launch;
  EXPECT_EQ(told(log, Kind::kGroupArrived).at(0), written);
  const std::vector<Cycle> dma = log.cycles(Kind::kDmaStarted);
  ASSERT_EQ(dma.size(), 4U);
  EXPECT_EQ(dma[0], written + path.arrival + path.host.to_transfer());
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  for (const std::size_t i : {1, 2, 4, 5}) EXPECT_EQ(arrived.at(i), finished.at(i - 1) + path.host.dispatch + 1);
  // It is charged as a whole.
  const Cycle done = log.cycles(Kind::kDmaEnded).at(1) + path.host.to_process();
  EXPECT_EQ(told(log, Kind::kGroupDone).at(0), done);
  EXPECT_EQ(charges(log).at(0), done - written);
  EXPECT_EQ(dma[2], done + path.completion + path.host.to_transfer());
}

void set_notify(std::vector<spec::HostStep>& steps, bool notifies) {
  for (spec::HostStep& step : steps) {
    if (auto* const launch = std::get_if<spec::Launch>(&step)) launch->notifies = notifies;
    if (auto* const loop = std::get_if<spec::Loop>(&step)) set_notify(loop->body, notifies);
  }
}

// [K11] 4.2: "user-space programs may also use the NOTIFY command". Such an interrupt comes in the middle of a group,
// and the number behind it is not the group's.
TEST(TimegraphMachine, AnInterruptOfTheProgramsOwnTellsOfNoGroup) {
  const auto done = [](bool notifies) {
    spec::Spec spec = timegraph_platform();
    std::vector<spec::HostStep> work = work_of_a_group();
    set_notify(work, notifies);
    add_process(spec, {kernel_of("k", 1, kTb)}, {group(work), group(work), synchronise(), cpu(kAfterwards)});
    add_entry(spec, GroupDispatch::kPrt, 1);
    const Log log = simulate_checked(spec);
    EXPECT_EQ(log.cycles(Kind::kKernelFinished).size(), 6U);
    return told(log, Kind::kGroupDone);
  };
  EXPECT_EQ(done(true).size(), 2U);
  EXPECT_EQ(done(true), done(false));
}

TEST(TimegraphMachine, OneInterruptTellsOfSeveralGroups) {
  spec::Spec spec = in_a_row(GroupDispatch::kHt, 5, 100);
  spec.host.launch = 10 * kCyclePs;  // all five are there before the first is done
  spec.driver.arrival = 0;
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  ASSERT_EQ(finished.size(), 5U);
  ASSERT_LT(finished.back() - finished.front(), path.host.interrupt);
  const Cycle done = finished.front() + path.host.to_process();
  EXPECT_THAT(told(log, Kind::kGroupDone), ElementsAre(done, done, done, done, done));
  // The time is counted once.
  const Cycle submitted = told(log, Kind::kGroupSubmitted).front();
  EXPECT_EQ(submitted, path.host.launch);
  EXPECT_THAT(charges(log), ElementsAre(done - submitted, 0, 0, 0, 0));
}

// ---- rings -----------------------------------------------------------------------------------------------------

TEST(TimegraphMachine, MoreGroupsThanARingHasEntriesRunOneAfterTheOther) {
  for (const GroupDispatch dispatch : {GroupDispatch::kPrt, GroupDispatch::kHt}) {
    spec::Spec spec = in_a_row(dispatch, 1'500, 1'000);
    spec.host.launch = 10 * kCyclePs;
    const Log log = simulate_checked(spec);
    EXPECT_EQ(log.all(Kind::kGroupDone).size(), 1'500U);
    EXPECT_EQ(log.all(Kind::kRunEnded).size(), 1U);
  }
}

TEST(TimegraphMachine, GroupsOfHalfARingEachFollowEachOther) {
  spec::Spec spec = timegraph_platform();
  spec.host.launch = 10 * kCyclePs;
  const auto half = static_cast<std::uint32_t>(spec::kMaxGroupCommands);
  add_process(spec, {kernel_of("k", 1, 1'000)},
              {loop(4, {group({loop(half, {launch(0)})})}), synchronise(), cpu(kAfterwards)});
  add_entry(spec, GroupDispatch::kHt, 1);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.all(Kind::kGroupDone).size(), 4U);
  EXPECT_EQ(log.all(Kind::kKernelFinished).size(), 4 * spec::kMaxGroupCommands);
}

TEST(TimegraphMachine, NoMoreGroupsAreOnTheGpuThanMaxOnline) {
  spec::Spec spec = in_a_row(GroupDispatch::kHt, 40, 100'000);
  spec.driver.max_online = 3;
  const Log log = simulate_checked(spec);
  std::size_t online = 0;
  std::size_t most = 0;
  for (const Record& record : log.records) {
    if (record.kind == Kind::kGroupSubmitted) most = std::max(most, ++online);
    if (record.kind == Kind::kGroupDone) --online;
  }
  EXPECT_EQ(most, 3U);
}

// Waits that are written into a ring and wait themselves for a group to take them along must not fill it.
TEST(TimegraphMachine, MoreWaitsForAnEventThanARingHasEntriesAreNoObstacle) {
  spec::Spec spec = timegraph_platform();
  spec.host.launch = 10 * kCyclePs;
  add_process(spec, {kernel_of("long", 1, 10'000'000)},
              {launch(0), record_event(0, 0), loop(3'000, {wait_for_event(0, 1)}), launch(0, 1)});
  spec.applications.back().events = {"e"};
  spec.stop.max_time = 50'000'000 * kCyclePs;
  add_entry(spec, GroupDispatch::kHt, 1);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.all(Kind::kKernelFinished).size(), 2U);
}

}  // namespace
}  // namespace tessera::platform::test
