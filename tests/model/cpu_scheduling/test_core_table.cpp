// SPDX-License-Identifier: Apache-2.0
// Who has which core: fixed priorities, first come first served among equals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "model/cpu_scheduling/core_table.h"

namespace tessera::cpu_scheduling {
namespace {

constexpr TaskId kA{0}, kB{1}, kC{2};
constexpr CoreId kCore0{0}, kCore1{1}, kCore2{2};

void add(CoreTable& table, TaskId task) {
  table.add(task);
  table.place();
}

void remove(CoreTable& table, TaskId task) {
  table.remove(task);
  table.place();
}

TEST(CoreTable, AMoreUrgentTaskTakesTheCoreAndGivesItBack) {
  CoreTable table(1, {{1, {kCore0}}, {2, {kCore0}}});
  add(table, kA);
  add(table, kB);
  EXPECT_EQ(table.core_of(kA), std::nullopt);
  EXPECT_EQ(table.core_of(kB), kCore0);
  EXPECT_TRUE(table.wants_core(kA));
  remove(table, kB);
  EXPECT_EQ(table.core_of(kA), kCore0);
}

TEST(CoreTable, EqualsKeepTheirCoreAndAreServedInTurn) {
  CoreTable table(1, {{5, {kCore0}}, {5, {kCore0}}, {5, {kCore0}}});
  add(table, kC);
  add(table, kB);
  add(table, kA);
  EXPECT_EQ(table.core_of(kC), kCore0);
  remove(table, kC);
  EXPECT_EQ(table.core_of(kB), kCore0);
  add(table, kC);
  remove(table, kB);
  EXPECT_EQ(table.core_of(kA), kCore0) << "it has waited for longer than the first";
}

TEST(CoreTable, WhoWasPreemptedGoesAheadOfItsEqualsThatWaited) {
  CoreTable table(1, {{5, {kCore0}}, {5, {kCore0}}, {9, {kCore0}}});
  add(table, kB);
  add(table, kA);
  add(table, kC);
  remove(table, kC);
  EXPECT_EQ(table.core_of(kB), kCore0);
}

TEST(CoreTable, AFreeCoreIsTakenBeforeThatOfAnother) {
  CoreTable table(2, {{1, {kCore0}}, {2, {kCore0, kCore1}}});
  add(table, kA);
  add(table, kB);
  EXPECT_EQ(table.core_of(kA), kCore0);
  EXPECT_EQ(table.core_of(kB), kCore1);
}

TEST(CoreTable, OfSeveralFreeCoresATaskTakesItsLast) {
  CoreTable table(2, {{1, {kCore0}}, {1, {kCore0, kCore1}}});
  add(table, kA);
  add(table, kB);
  remove(table, kA);
  remove(table, kB);
  add(table, kB);
  EXPECT_EQ(table.core_of(kB), kCore1);
}

TEST(CoreTable, TheLeastUrgentTaskLosesItsCore) {
  CoreTable table(2, {{3, {kCore0}}, {2, {kCore1}}, {4, {kCore0, kCore1}}});
  add(table, kA);
  add(table, kB);
  add(table, kC);
  EXPECT_EQ(table.core_of(kA), kCore0);
  EXPECT_EQ(table.core_of(kC), kCore1);
  EXPECT_EQ(table.core_of(kB), std::nullopt);
}

// A loses core 0 to C, which may run only there, and takes core 1 from B.
TEST(CoreTable, WhoLosesItsCoreMayTakeAnother) {
  CoreTable table(2, {{5, {kCore0, kCore1}}, {1, {kCore1}}, {9, {kCore0}}});
  add(table, kA);
  add(table, kB);
  add(table, kC);
  EXPECT_EQ(table.core_of(kC), kCore0);
  EXPECT_EQ(table.core_of(kA), kCore1);
  EXPECT_EQ(table.core_of(kB), std::nullopt);
}

TEST(CoreTable, RefusesATaskWithoutACoreOrWithOneThatDoesNotExist) {
  EXPECT_THROW(CoreTable(2, {{1, {}}}), std::invalid_argument);
  EXPECT_THROW(CoreTable(2, {{1, {kCore2}}}), std::invalid_argument);
}

// Whatever comes and goes: nobody waits for a core that is free or has a less urgent task, and equals do not overtake
// each other where they may use the same cores.
TEST(CoreTable, LeavesNobodyWaitingForACoreThatItMayHave) {
  std::mt19937_64 random(51);
  for (int round = 0; round < 200; ++round) {
    const auto num_cores = static_cast<std::uint32_t>(1 + random() % 4);
    std::vector<Task> tasks(1 + random() % 8);
    for (Task& task : tasks) {
      task.priority = static_cast<std::uint32_t>(random() % 4);
      for (std::uint32_t core = 0; core < num_cores; ++core) {
        if (random() % 2 == 0 || (core + 1 == num_cores && task.cores.empty())) task.cores.push_back(CoreId(core));
      }
    }
    CoreTable table(num_cores, tasks);
    for (int step = 0; step < 200; ++step) {
      const TaskId task{static_cast<std::uint32_t>(random() % tasks.size())};
      table.wants_core(task) ? table.remove(task) : table.add(task);
      if (random() % 3 == 0) continue;  // several at a time
      table.place();
      std::vector<int> priority_at(num_cores, -1);
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        const std::optional<CoreId> core = table.core_of(TaskId(static_cast<std::uint32_t>(i)));
        if (!core) continue;
        ASSERT_TRUE(std::count(tasks[i].cores.begin(), tasks[i].cores.end(), *core));
        int& priority = priority_at[static_cast<std::size_t>(*core)];
        ASSERT_EQ(priority, -1) << "two on a core";
        priority = static_cast<int>(tasks[i].priority);
      }
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        const TaskId waiting{static_cast<std::uint32_t>(i)};
        if (!table.wants_core(waiting) || table.core_of(waiting)) continue;
        for (const CoreId core : tasks[i].cores) {
          ASSERT_GE(priority_at[static_cast<std::size_t>(core)], static_cast<int>(tasks[i].priority));
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::cpu_scheduling
