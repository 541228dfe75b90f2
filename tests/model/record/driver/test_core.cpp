// SPDX-License-Identifier: Apache-2.0
// What TimeGraph's core does on random tasks is what the ledger of its records takes for sound, and the budgets that
// records tell are the core's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "model/command_scheduling/timegraph.h"
#include "model/record/checks/driver/driver_ledger.h"
#include "model/record/driver/budget_replay.h"
#include "tests/model/record/driver/support.h"

namespace tessera::record {
namespace {

using namespace test;

struct RandomTasks {
  DriverFacts facts;
  Cycle tick = 0;  // 0: none
};

std::uint32_t roll(std::mt19937& random, std::uint32_t least, std::uint32_t most) {
  return least + random() % (most - least + 1);
}

RandomTasks random_tasks(std::mt19937& random) {
  RandomTasks tasks;
  DriverFacts& facts = tasks.facts;
  for (std::uint32_t i = roll(random, 1, 3); i > 0; --i) {
    const Cycle period = roll(random, 50, 300);
    facts.plan.reserves.push_back({"reserve", {roll(random, 5, 60), period, roll(random, 0, 40), random() % 2 == 0}});
  }
  const auto num_reserves = static_cast<std::uint32_t>(facts.plan.reserves.size());
  for (std::uint32_t i = roll(random, 2, 5); i > 0; --i) {
    const int reserve = static_cast<int>(roll(random, 0, num_reserves)) - 1;
    facts.plan.tasks.push_back(
        task(random() % 2 == 0 ? cs::Dispatch::kHt : cs::Dispatch::kPrt, roll(random, 0, 3), reserve));
    facts.plan.tasks.back().parameters.is_foreground_aware = random() % 2 == 0;
  }
  facts.keeps_order.assign(facts.plan.tasks.size(), true);
  facts.accounting = static_cast<cs::Accounting>(roll(random, 0, 2));
  facts.max_online = roll(random, 1, 4);
  facts.has_online_list_per_engine = random() % 4 == 0;
  facts.lets_higher_join = random() % 4 == 0;
  tasks.tick = random() % 3 == 0 ? roll(random, 5, 400) : 0;
  facts.has_ticks = tasks.tick > 0;
  return tasks;
}

// The core beside a GPU that does one group after the other, told of what happened in the same cycle, or at ticks.
class CoreBench : private cs::ITimeGraphObserver {
 public:
  CoreBench(const RandomTasks& tasks, std::mt19937& random)
      : facts_(tasks.facts), tick_(tasks.tick), random_(random), core_(parameters(), this) {
    for (const cs::PlannedReserve& reserve : facts_.plan.reserves) core_.add_reserve(reserve.parameters);
    for (const cs::PlannedTask& each : facts_.plan.tasks) core_.add_task(each.parameters);
    next_arrival_.resize(facts_.plan.tasks.size());
    for (Cycle& cycle : next_arrival_) cycle = roll(random_, 0, 30);
  }

  std::vector<Record> run(Cycle end) {
    for (now_ = 0; now_ < end; ++now_) {
      if (!gpu_.empty() && --gpu_.front().left == 0) {
        done_.push_back(gpu_.front());
        gpu_.pop_front();
      }
      if (tick_ == 0 || (now_ > 0 && now_ % tick_ == 0)) look();
    }
    return in_order(log_);
  }
  const cs::TimeGraph& core() const { return core_; }

 private:
  struct Group {
    cs::GroupId id = 0;
    Cycle length = 0;
    Cycle left = 0;
  };

  cs::TimeGraphParameters parameters() const {
    cs::TimeGraphParameters parameters;
    parameters.accounting = facts_.accounting;
    parameters.max_online = facts_.max_online;
    parameters.has_online_list_per_engine = facts_.has_online_list_per_engine;
    parameters.lets_higher_join = facts_.lets_higher_join;
    parameters.max_history_records = 3;
    return parameters;
  }

  void look() {
    if (random_() % 16 == 0) core_.set_foreground(cs::TaskId(random_() % next_arrival_.size()));
    std::sort(done_.begin(), done_.end(), [](const Group& a, const Group& b) { return a.id < b.id; });
    for (const Group& group : done_) core_.complete(now_, group.id, group.length / 2);
    done_.clear();
    core_.replenish(now_);
    for (std::size_t i = 0; i < next_arrival_.size(); ++i) {
      const auto id = cs::TaskId(i);
      if (core_.is_waiting(id) || next_arrival_[i] > now_) continue;
      core_.arrive(now_, id, {random_() % 4}, static_cast<std::uint8_t>(roll(random_, 1, 3)));
      next_arrival_[i] = now_ + roll(random_, 1, 60);
    }
    for (const cs::TimeGraph::Submission& each : core_.dispatch(now_)) {
      const Cycle length = roll(random_, 1, 50);
      gpu_.push_back({each.group, length, length});
    }
  }

  void on_arrived(Cycle now, cs::TaskId id, cs::GroupId group, Cycle predicted) override {
    log_.push_back(arrived(now + 1, static_cast<std::uint16_t>(id), group, predicted));
  }
  void on_suspended(Cycle now, cs::TaskId id, cs::GroupId group) override {
    log_.push_back(suspended(now + 1, static_cast<std::uint16_t>(id), group));
  }
  void on_submitted(Cycle now, cs::TaskId id, cs::GroupId group, Cycle predicted) override {
    log_.push_back(submitted(now + 1, static_cast<std::uint16_t>(id), group, predicted));
  }
  void on_completed(Cycle now, cs::TaskId id, cs::GroupId group, Cycle charged) override {
    log_.push_back(done(now + 1, static_cast<std::uint16_t>(id), group, charged));
  }
  void on_replenished(Cycle now, cs::ReserveId reserve, std::int64_t budget) override {
    log_.push_back(replenished(now + 1, static_cast<std::uint64_t>(reserve), budget));
  }

  const DriverFacts& facts_;
  Cycle tick_;
  std::mt19937& random_;
  cs::TimeGraph core_;
  std::vector<Cycle> next_arrival_;
  std::deque<Group> gpu_;
  std::vector<Group> done_;
  std::vector<Record> log_;
  Cycle now_ = 0;
};

std::vector<std::string> complaints(const std::vector<Record>& log, const DriverFacts& facts) {
  std::vector<std::string> found;
  driver_check::Ledger ledger(
      facts, [&](driver_check::Rule, const Record&, const std::string& what) { found.push_back(what); });
  for (const Record& record : in_order(log)) ledger.visit(record);
  ledger.finish();
  return found;
}

TEST(DriverLedger, TakesWhatTheCoreDoesForSound) {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const RandomTasks tasks = random_tasks(random);
    const std::vector<Record> log = CoreBench(tasks, random).run(3000);
    ASSERT_THAT(complaints(log, tasks.facts), testing::IsEmpty()) << "of set " << i;
  }
}

TEST(DriverLedger, NoticesWhateverRecordIsMissing) {
  std::mt19937 random(11);
  int num_missed = 0;
  for (int i = 0; i < 200; ++i) {
    RandomTasks tasks = random_tasks(random);
    tasks.facts.accounting = cs::Accounting::kAtCompletion;
    std::vector<Record> log = CoreBench(tasks, random).run(3000);
    // One from the first half, so that something follows; who is suspended is told to people only.
    const auto is_suspension = [](const Record& each) { return each.kind == Kind::kGroupSuspended; };
    log.erase(std::remove_if(log.begin(), log.end(), is_suspension), log.end());
    log.erase(log.begin() + static_cast<std::ptrdiff_t>(random() % (log.size() / 2)));
    num_missed += complaints(log, tasks.facts).empty() ? 1 : 0;
  }
  EXPECT_EQ(num_missed, 0);
}

TEST(BudgetReplay, HasTheBudgetsOfTheCore) {
  std::mt19937 random(13);
  for (int i = 0; i < 200; ++i) {
    RandomTasks tasks = random_tasks(random);
    tasks.facts.accounting = i % 2 == 0 ? cs::Accounting::kAtCompletion : cs::Accounting::kContinuous;
    tasks.facts.has_online_list_per_engine = tasks.facts.lets_higher_join = false;
    tasks.tick = 0;
    CoreBench bench(tasks, random);
    std::vector<BudgetReplay> replays;
    for (const cs::PlannedReserve& reserve : tasks.facts.plan.reserves)
      replays.emplace_back(reserve.parameters, tasks.facts.accounting);
    for (const Record& record : bench.run(3000)) {
      if (record.kind == Kind::kBudgetReplenished) replays[record.value].replenished(record);
      if (record.kind != Kind::kGroupDone) continue;
      if (const auto reserve = tasks.facts.reserve_of(record.process)) replays[*reserve].done(record);
    }
    for (std::size_t id = 0; id < replays.size(); ++id)
      ASSERT_EQ(replays[id].budget(), bench.core().reserve(cs::ReserveId(id)).budget()) << "of set " << i;
  }
}

}  // namespace
}  // namespace tessera::record
