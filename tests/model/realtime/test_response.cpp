// SPDX-License-Identifier: Apache-2.0
// Bounds of response times against EDF itself: never exceeded, whatever the offsets are, and reached.
#include <gtest/gtest.h>

#include "model/realtime/demand.h"
#include "model/realtime/response.h"
#include "tests/model/realtime/oracle.h"

namespace tessera::realtime::test {
namespace {

std::vector<std::uint32_t> all_of(const TaskSet& set) {
  std::vector<std::uint32_t> all(set.tasks.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// Tasks of whole times on one SM, without contention and tails.
TaskSet whole_tasks(const std::vector<std::array<Nanoseconds, 3>>& times_periods_deadlines) {
  TaskSet set;
  set.num_sms = 1;
  set.contention.factor = {kFactorParts, kFactorParts};
  for (const auto& [time, period, deadline] : times_periods_deadlines) {
    Task task;
    task.work = time;
    task.period = period;
    task.deadline = deadline;
    set.tasks.push_back(task);
  }
  return set;
}

// The worst response of each task over all whole offsets below the periods, if it goes last of equal deadlines.
std::vector<Wide> worst_over_offsets(const TaskSet& set) {
  std::vector<SimulatedTask> tasks;
  for (const Task& task : set.tasks) tasks.push_back({task.work, task.period, task.deadline, 0});
  const Wide end = 3 * Wide(oracle_hyperperiod(set.tasks));
  std::vector<Wide> worst(tasks.size());
  for (bool is_last = false; !is_last;) {
    for (std::size_t i = 0; i < worst.size(); ++i) {
      worst[i] = std::max(worst[i], simulate_edf(tasks, end, i).worst_response[i]);
    }
    std::size_t digit = 0;  // offsets count up
    while (digit < tasks.size() && ++tasks[digit].offset == tasks[digit].period) tasks[digit++].offset = 0;
    is_last = digit == tasks.size();
  }
  return worst;
}

TEST(RealtimeResponse, BoundIsTheWorstOverAllOffsets) {
  for (const auto& tasks : std::vector<std::vector<std::array<Nanoseconds, 3>>>{
           {{2, 6, 4}},
           {{2, 4, 3}, {3, 8, 6}},
           {{1, 4, 4}, {3, 6, 5}},
           {{2, 5, 4}, {3, 7, 7}},
           {{1, 4, 3}, {1, 5, 5}, {2, 6, 6}},
           {{1, 3, 2}, {1, 4, 4}, {2, 6, 5}},
           {{2, 6, 3}, {2, 4, 2}},  // fully used, and misses a deadline
           {{4, 8, 4}, {2, 8, 2}},
       }) {
    const TaskSet set = whole_tasks(tasks);
    const std::vector<Wide> worst = worst_over_offsets(set);
    const auto bounds = response_bounds(set, all_of(set), 1);
    ASSERT_EQ(bounds.size(), tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      ASSERT_TRUE(bounds[i]);
      EXPECT_EQ(*bounds[i], static_cast<Nanoseconds>(worst[i]))
          << "task " << i << " of the set that begins with " << tasks.front()[0] << "/" << tasks.front()[1];
    }
  }
}

TEST(RealtimeResponse, BoundIsNeverExceededUnderRandomOffsets) {
  std::mt19937_64 random(31);
  const std::vector<Nanoseconds> periods{20, 40, 50, 80, 100};
  std::uint32_t reached = 0;
  std::uint32_t compared = 0;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    TaskSet set;
    const auto number = static_cast<std::size_t>(1 + random() % 4);
    set.num_sms = 1 + static_cast<std::uint32_t>(random() % 4);
    set.tasks = random_tasks(random, number, 1.2 * set.num_sms / static_cast<double>(number), periods);
    const Wide unit = Wide(kOraclePartsPerUnit) * set.num_sms;
    const Nanoseconds hyperperiod = oracle_hyperperiod(set.tasks);
    Wide used = 0;
    const std::vector<Wide> times = oracle_times(set.tasks, set.num_sms);
    for (std::size_t k = 0; k < number; ++k) used += times[k] * (hyperperiod / set.tasks[k].period);
    const auto bounds = response_bounds(set, all_of(set), set.num_sms);
    const bool is_overloaded = used > hyperperiod * unit;
    for (int round = 0; round < 3; ++round) {
      std::vector<Nanoseconds> offsets(number, 0);  // together, and at random
      for (Nanoseconds& offset : offsets) {
        if (round > 0) offset = random_between(random, 0, 99);
      }
      const std::vector<SimulatedTask> tasks = on_sms(set.tasks, set.num_sms, offsets);
      for (std::size_t k = 0; k < number; ++k) {
        ASSERT_EQ(bounds[k].has_value(), !is_overloaded) << i;
        if (is_overloaded) continue;
        const Wide response = simulate_edf(tasks, 3 * hyperperiod * unit, k).worst_response[k];
        const auto worst = static_cast<Nanoseconds>((response + unit - 1) / unit);
        ASSERT_LE(worst, *bounds[k]) << "set " << i << ", task " << k;
        reached += worst == *bounds[k];
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 5000U);
  EXPECT_GT(reached, compared / 4);
}

// Drain: a thread block that is on keeps others waiting. Who is accepted with that misses nothing, and stays within its
// bound.
TEST(RealtimeResponse, BoundHoldsWhereThreadBlocksAreNotPreempted) {
  std::mt19937_64 random(32);
  const std::vector<Nanoseconds> periods{20, 40, 50, 80, 100};
  std::uint32_t accepted = 0;
  std::uint32_t delayed = 0;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    TaskSet set;
    const auto number = static_cast<std::size_t>(2 + random() % 3);
    set.num_sms = 1 + static_cast<std::uint32_t>(random() % 4);
    set.tasks = random_tasks(random, number, 0.8 * set.num_sms / static_cast<double>(number), periods);
    std::vector<Nanoseconds> offsets(number, 0);
    for (std::size_t k = 0; k < number; ++k) {
      set.tasks[k].blocking_parts = set.tasks[k].work * kTailParts / set.num_sms / random_between(random, 2, 10);
      offsets[k] = random_between(random, 0, 99);
    }
    const auto bounds = response_bounds(set, all_of(set), set.num_sms);
    if (!bounds.front()) continue;
    const TestPoints points(set.tasks);
    Demand demand(set, points, set.tasks.front());
    for (std::size_t k = 1; k < number; ++k) demand.add(Demand(set, points, set.tasks[k]));
    const bool is_accepted = demand.fits(set.num_sms);
    accepted += is_accepted;
    std::vector<SimulatedTask> tasks = on_sms(set.tasks, set.num_sms, offsets);
    const Wide unit = Wide(kOraclePartsPerUnit) * set.num_sms;
    const Wide end = 3 * oracle_hyperperiod(set.tasks) * unit;
    for (std::size_t k = 0; k < number; ++k) {
      const std::int64_t factor = set.contention.of(set.tasks[k].kind, oracle_has_conflict(set.tasks, k));
      tasks[k].chunk = Wide(set.tasks[k].blocking_parts) * factor * set.num_sms;
    }
    for (std::size_t k = 0; k < number; ++k) {
      const EdfResult result = simulate_edf(tasks, end, k);
      ASSERT_LE(result.worst_response[k], *bounds[k] * unit) << "set " << i << ", task " << k;
      ASSERT_FALSE(is_accepted && result.has_miss) << i;
      delayed += result.has_miss;
    }
  }
  EXPECT_GT(accepted, 200U);
  EXPECT_GT(delayed, 200U);
}

TEST(RealtimeResponse, OfTasksThatMeetTheirDeadlinesIsWithinThem) {
  const TaskSet set = whole_tasks({{2, 4, 3}, {2, 8, 6}});
  const auto bounds = response_bounds(set, all_of(set), 1);
  EXPECT_LE(*bounds[0], 3);
  EXPECT_LE(*bounds[1], 6);
}

}  // namespace
}  // namespace tessera::realtime::test
