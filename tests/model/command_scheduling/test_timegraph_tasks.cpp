// SPDX-License-Identifier: Apache-2.0
// What TimeGraph makes of its specification: whose line holds for a process, which reserves there are, and whom
// admission sends into the background.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/command_scheduling/task_table.h"
#include "model/spec/spec.h"

namespace tessera::command_scheduling {
namespace {

using testing::ElementsAre;

constexpr Picoseconds kMicrosecond = 1'000'000;
constexpr Cycle kCyclesPerUs = 1000;

// Processes of one application each of two, "game" and "bomb": game_0, game_1, .., bomb_0, ..; at 1 GHz.
spec::Spec spec_of(std::uint32_t num_games, std::uint32_t num_bombs) {
  spec::Spec spec;
  spec.gpu.clock_hz = 1'000'000'000;
  spec.driver.kind = spec::DriverKind::kTimegraph;
  for (const char* const name : {"game", "bomb"}) {
    spec::ApplicationSpec application;
    application.name = name;
    spec.applications.push_back(application);
  }
  for (std::uint32_t i = 0; i < num_games + num_bombs; ++i) {
    spec::ProcessSpec process;
    process.application = i < num_games ? 0 : 1;
    process.name = i < num_games ? "game_" + std::to_string(i) : "bomb_" + std::to_string(i - num_games);
    spec.processes.push_back(process);
  }
  return spec;
}

spec::TimegraphEntry entry(const std::string& name, spec::Reservation reservation, std::uint64_t capacity_us,
                           std::uint64_t period_us, const std::string& shared = "") {
  spec::TimegraphEntry entry;
  entry.name = name;
  entry.reservation = reservation;
  entry.shared_reserve = shared;
  entry.priority = 5;
  entry.capacity = capacity_us * kMicrosecond;
  entry.period = period_us * kMicrosecond;
  return entry;
}

std::vector<std::string> names_of(const TaskTable& table) {
  std::vector<std::string> names;
  for (const PlannedReserve& reserve : table.reserves) names.push_back(reserve.name);
  return names;
}

TEST(TimeGraphTasks, AProcesssOwnLineGoesBeforeItsApplications) {
  spec::Spec spec = spec_of(2, 0);
  spec.driver.entries = {entry("game", spec::Reservation::kNone, 0, 0),
                         entry("game_1", spec::Reservation::kNone, 0, 0)};
  spec.driver.entries[1].priority = 9;
  spec.driver.entries[1].dispatch = spec::GroupDispatch::kHt;
  const TaskTable table = make_task_table(spec);
  EXPECT_EQ(table.tasks[0].parameters.priority, 5U);
  EXPECT_EQ(table.tasks[0].parameters.dispatch, Dispatch::kPrt);
  EXPECT_EQ(table.tasks[1].parameters.priority, 9U);
  EXPECT_EQ(table.tasks[1].parameters.dispatch, Dispatch::kHt);
  EXPECT_TRUE(table.reserves.empty());
}

TEST(TimeGraphTasks, ALineOfAnApplicationGivesEachOfItsProcessesAReserveOfItsOwn) {
  spec::Spec spec = spec_of(0, 2);
  spec.driver.entries = {entry("bomb", spec::Reservation::kApriori, 500, 25'000)};
  spec.processes[1].start = 7 * kMicrosecond;
  const TaskTable table = make_task_table(spec);
  EXPECT_THAT(names_of(table), ElementsAre("bomb_0", "bomb_1"));
  EXPECT_EQ(table.reserves[1].parameters.capacity, 500 * kCyclesPerUs);
  EXPECT_EQ(table.reserves[1].parameters.period, 25'000 * kCyclesPerUs);
  EXPECT_EQ(table.reserves[1].parameters.phase, 7 * kCyclesPerUs);
  EXPECT_TRUE(table.reserves[1].parameters.enforces_apriori);
}

TEST(TimeGraphTasks, ASharedReserveIsOneAndIsAdmittedOnce) {
  spec::Spec spec = spec_of(0, 3);
  spec.driver.limit_percent = 10;
  spec.driver.entries = {entry("bomb", spec::Reservation::kPosterior, 2500, 25'000, "bombs")};
  const TaskTable table = make_task_table(spec);
  ASSERT_EQ(table.reserves.size(), 1U);
  for (const PlannedTask& task : table.tasks) {
    EXPECT_EQ(task.parameters.reserve, ReserveId{0});
    EXPECT_FALSE(task.was_refused);
  }
}

TEST(TimeGraphTasks, WhoIsNotAdmittedIsServedByTheBackgroundWithTheLowestPriority) {
  spec::Spec spec = spec_of(0, 6);
  spec.driver.limit_percent = 50;
  spec.driver.entries = {entry("bomb", spec::Reservation::kPosterior, 1, 10)};
  const TaskTable table = make_task_table(spec);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_FALSE(table.tasks[i].was_refused);
  EXPECT_TRUE(table.tasks[5].was_refused);
  EXPECT_EQ(table.tasks[5].parameters.priority, 0U);
  EXPECT_THAT(names_of(table), ElementsAre("bomb_0", "bomb_1", "bomb_2", "bomb_3", "bomb_4", "background"));
  EXPECT_EQ(table.tasks[5].parameters.reserve, ReserveId{5});
}

TEST(TimeGraphTasks, ChannelsAreOpenedInTheOrderOfTheirStarts) {
  spec::Spec spec = spec_of(0, 2);
  spec.driver.limit_percent = 10;
  spec.driver.entries = {entry("bomb", spec::Reservation::kPosterior, 1, 10)};
  spec.processes[0].start = kMicrosecond;
  const TaskTable table = make_task_table(spec);
  EXPECT_TRUE(table.tasks[0].was_refused);
  EXPECT_FALSE(table.tasks[1].was_refused);
}

TEST(TimeGraphTasks, WhoHasNoLineIsInTheBackground) {
  spec::Spec spec = spec_of(2, 0);
  spec.driver.background_capacity = 3 * kMicrosecond;
  spec.driver.background_period = 4 * kMicrosecond;
  const TaskTable table = make_task_table(spec);
  ASSERT_THAT(names_of(table), ElementsAre("background"));
  EXPECT_EQ(table.reserves[0].parameters.capacity, 3 * kCyclesPerUs);
  EXPECT_EQ(table.reserves[0].parameters.period, 4 * kCyclesPerUs);
  EXPECT_FALSE(table.reserves[0].parameters.enforces_apriori);
  for (const PlannedTask& task : table.tasks) EXPECT_EQ(task.parameters.priority, 0U);
}

TEST(TimeGraphTasks, AProcessMayBeNamedAsAReserveIs) {
  spec::Spec spec = spec_of(3, 0);
  spec.processes[0].name = "background";
  spec.processes[1].name = "@pool";
  spec.driver.limit_percent = 20;
  spec.driver.entries = {entry("background", spec::Reservation::kPosterior, 1, 10),
                         entry("@pool", spec::Reservation::kPosterior, 1, 10)};
  const TaskTable table = make_task_table(spec);
  EXPECT_EQ(table.tasks[0].parameters.reserve, ReserveId{0});
  EXPECT_EQ(table.tasks[1].parameters.reserve, ReserveId{1});
  EXPECT_EQ(table.tasks[2].parameters.reserve, ReserveId{2});
}

TEST(TimeGraphTasks, AStarIsTheDefaultPriorityAndKnowsTheForeground) {
  spec::Spec spec = spec_of(1, 0);
  spec.driver.default_priority = 7;
  spec.driver.entries = {entry("game", spec::Reservation::kNone, 0, 0)};
  spec.driver.entries[0].priority = std::nullopt;
  const TaskTable table = make_task_table(spec);
  EXPECT_EQ(table.tasks[0].parameters.priority, 7U);
  EXPECT_TRUE(table.tasks[0].parameters.is_foreground_aware);
}

}  // namespace
}  // namespace tessera::command_scheduling
