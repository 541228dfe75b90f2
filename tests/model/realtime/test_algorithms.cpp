// SPDX-License-Identifier: Apache-2.0
// [Z21] Algorithms 1 to 3 written down once more, plainly: every union is sized by the definition, nothing is kept. The
// partitions must be the same.
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "model/realtime/partitioning.h"
#include "tests/model/realtime/oracle.h"

namespace tessera::realtime::test {
namespace {

using Tasks = std::set<std::uint32_t>;

class PlainPartitioner {
 public:
  PlainPartitioner(const TaskSet& set, bool is_sms, bool is_act) : set_(set), is_sms_(is_sms) {
    for (std::uint32_t i = 0; i < set.tasks.size(); ++i) list_.push_back({i});
    for (std::uint32_t i = 0; is_act && i < set.tasks.size(); ++i) {
      for (std::uint32_t j = i + 1; j < set.tasks.size(); ++j) {
        if (!saves_an_sm({i}, {j})) forbidden_tasks_.insert({i, j});
      }
    }
    while (step()) {
    }
  }

  std::set<Tasks> partitions() const { return {list_.begin(), list_.end()}; }
  std::uint32_t num_sms() const {
    std::uint32_t sum = 0;
    for (const Tasks& tasks : list_) sum += *size(tasks);
    return sum;
  }

 private:
  std::vector<Task> tasks_of(const Tasks& tasks) const {
    std::vector<Task> those;
    for (const std::uint32_t i : tasks) those.push_back(set_.tasks[i]);
    return those;
  }
  std::optional<std::uint32_t> size(const Tasks& tasks) const {
    for (std::uint32_t m = 1; m <= set_.num_sms; ++m) {
      if (oracle_fits(tasks_of(tasks), m)) return m;
    }
    return {};
  }
  double load(const Tasks& tasks) const {
    const std::vector<Task> those = tasks_of(tasks);
    const std::vector<Wide> times = oracle_times(those, 1);
    double sum = 0;
    for (std::size_t i = 0; i < those.size(); ++i) {
      sum += static_cast<double>(times[i]) / static_cast<double>(those[i].period);
    }
    return sum;
  }
  static Tasks both(const Tasks& a, const Tasks& b) {
    Tasks all = a;
    all.insert(b.begin(), b.end());
    return all;
  }
  bool saves_an_sm(const Tasks& a, const Tasks& b) const {
    const std::optional<std::uint32_t> together = size(both(a, b));
    return together && *together < *size(a) + *size(b);
  }
  bool is_forbidden(const Tasks& a, const Tasks& b) const {
    if (failed_.count({a, b}) > 0 || failed_.count({b, a}) > 0) return true;
    for (const auto& [i, j] : forbidden_tasks_) {
      if ((a.count(i) > 0 && b.count(j) > 0) || (a.count(j) > 0 && b.count(i) > 0)) return true;
    }
    return false;
  }
  // The first partition that has others to merge with tries them. False: none has.
  bool step() {
    std::stable_sort(list_.begin(), list_.end(), [&](const Tasks& a, const Tasks& b) { return load(a) > load(b); });
    for (const Tasks& first : list_) {
      std::vector<Tasks> others;
      for (const Tasks& other : list_) {
        if (other != first && !is_forbidden(first, other)) others.push_back(other);
      }
      if (others.empty()) continue;
      rank(first, others);
      try_in_order(Tasks(first), others);
      return true;
    }
    return false;
  }
  void rank(const Tasks& first, std::vector<Tasks>& others) const {
    const auto is_before = [&](const Tasks& a, const Tasks& b) {
      if (!is_sms_) return load(both(first, a)) > load(both(first, b));
      return size(both(first, a)).value_or(set_.num_sms + 1) < size(both(first, b)).value_or(set_.num_sms + 1);
    };
    std::stable_sort(others.begin(), others.end(), is_before);
    if (is_sms_) others.resize(1);
  }
  void try_in_order(const Tasks& first, const std::vector<Tasks>& others) {
    for (const Tasks& other : others) {
      if (!saves_an_sm(first, other)) {
        failed_.insert({first, other});
        continue;
      }
      list_.erase(std::find(list_.begin(), list_.end(), other));
      *std::find(list_.begin(), list_.end(), first) = both(first, other);
      return;
    }
  }

  const TaskSet& set_;
  bool is_sms_;
  std::vector<Tasks> list_;
  std::set<std::pair<Tasks, Tasks>> failed_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> forbidden_tasks_;
};

TEST(RealtimeAlgorithms, GiveThePartitionsOfAPlainVersion) {
  std::mt19937_64 random(41);
  std::uint32_t merged = 0;
  std::uint32_t compared = 0;
  for (int i = 0; i < 60; ++i) {
    TaskSet set;
    set.num_sms = 20;
    set.tasks = random_tasks(random, 4 + random() % 4, i % 2 == 0 ? 0.6 : 2.5, {50, 80, 100, 200, 400});
    for (Task& task : set.tasks) {  // loads of which no two are alike
      task.work = task.work * 1000 + static_cast<std::int64_t>(random() % 1000);
      task.tail_parts = paper_tail_parts(task.kind, task.work);
      task.period *= 1000;
      task.deadline *= 1000;
    }
    for (const Heuristic heuristic : {Heuristic::kSms, Heuristic::kBestFit}) {
      for (const Forbidden forbidden : {Forbidden::kIna, Forbidden::kAct}) {
        const Partitioning ours = partition(set, {heuristic, forbidden, Stop::kFixpoint});
        if (ours.partitions.empty()) continue;  // overloaded
        const PlainPartitioner plain(set, heuristic == Heuristic::kSms, forbidden == Forbidden::kAct);
        std::set<Tasks> partitions;
        for (const Partition& one : ours.partitions) partitions.insert({one.tasks.begin(), one.tasks.end()});
        ASSERT_EQ(partitions, plain.partitions()) << "set " << i;
        ASSERT_EQ(ours.num_sms, plain.num_sms()) << "set " << i;
        merged += partitions.size() < set.tasks.size();
        ++compared;
      }
    }
  }
  EXPECT_GT(merged, compared / 2);
  EXPECT_GT(compared, 150U);
}

}  // namespace
}  // namespace tessera::realtime::test
