// SPDX-License-Identifier: Apache-2.0
#include "model/realtime/partitioning.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/realtime/demand.h"
#include "model/realtime/load.h"
#include "model/realtime/partition_sizes.h"

namespace tessera::realtime {
namespace {

// What is known of a pair of partitions.
struct PairFacts {
  bool is_size_known = false;
  bool has_failed = false;          // a merge of the two
  bool has_forbidden_pair = false;  // a task of one and a task of the other
  std::uint32_t size = kNoSize;     // of their union
};

// A partition on its way: numbers are never used again, so what is known of two partitions holds while both exist.
struct Candidate {
  std::uint32_t number = 0;
  Partition partition;
  Demand demand;
  Wide load = 0;
};

class Partitioner {
 public:
  Partitioner(const TaskSet& set, const PartitioningOptions& options)
      : set_(set),
        options_(options),
        sizes_(set.num_sms, options.preset),
        points_(set.tasks),
        num_numbers_(2 * set.tasks.size()),
        facts_(num_numbers_ * num_numbers_) {}

  Partitioning run();

 private:
  bool init_partitions();
  void fill_forbidden_list();
  bool is_enough() const;
  bool merge_once();

  std::vector<std::size_t> eligible(std::size_t first);
  std::vector<std::size_t> ranked(std::size_t first, std::vector<std::size_t> eligible);
  bool merge(std::size_t first, std::size_t second);
  PairFacts& facts(std::uint32_t a, std::uint32_t b) { return facts_[std::min(a, b) * num_numbers_ + std::max(a, b)]; }

  // The size of a union, worked out once; counted each time that the algorithm asks for it.
  std::uint32_t size_of_union(const Candidate& a, const Candidate& b);
  // Is a union of so many SMs at least less than the two apart?
  bool saves(std::uint32_t size, const Candidate& a, const Candidate& b) const;
  void sort_by_load();
  bool do_fit() const;

  const TaskSet& set_;
  PartitioningOptions options_;
  PartitionSizes sizes_;
  TestPoints points_;
  std::vector<Candidate> list_;  // par_list: by decreasing load at one SM
  std::uint32_t next_number_ = 0;
  std::size_t num_numbers_;       // of all partitions that there can be: tasks, and a merge less than tasks
  std::vector<PairFacts> facts_;  // by both numbers
  Partitioning result_;
};

// Algorithm 1.
Partitioning Partitioner::run() {
  if (!is_overloaded(set_) && init_partitions()) {
    if (options_.forbidden == Forbidden::kAct && !is_enough()) fill_forbidden_list();
    while (!is_enough() && merge_once()) {
    }
    result_.is_schedulable = do_fit();
    for (Candidate& candidate : list_) {
      result_.num_sms += candidate.partition.num_sms;
      result_.partitions.push_back(std::move(candidate.partition));
    }
  }
  return std::move(result_);
}

// Lemma 3, if that is where to stop.
bool Partitioner::is_enough() const { return options_.stop == Stop::kFits && do_fit(); }

// Lemma 2: a partition a task. False where one cannot meet its deadline on all SMs.
bool Partitioner::init_partitions() {
  for (std::uint32_t i = 0; i < set_.tasks.size(); ++i) {
    Demand demand(set_, points_, set_.tasks[i]);
    const std::uint32_t size = demand.smallest_size(sizes_.largest());
    if (size == kNoSize) return false;
    const Wide load = demand.load();
    list_.push_back({next_number_++, {{i}, sizes_.at_least(size), size}, std::move(demand), load});
  }
  sort_by_load();
  return true;
}

// 5.3, 7.2: all pairs of tasks that cannot be merged.
void Partitioner::fill_forbidden_list() {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    for (std::size_t j = i + 1; j < list_.size(); ++j) {
      const std::uint32_t size = size_of_union(list_[i], list_[j]);
      facts(list_[i].number, list_[j].number).has_forbidden_pair = !saves(size, list_[i], list_[j]);
    }
  }
}

// Algorithm 3, and the inner loop of Algorithm 1: false where there is nothing left to try; a failed merge is
// remembered.
bool Partitioner::merge_once() {
  for (std::size_t first = 0; first < list_.size(); ++first) {
    const std::vector<std::size_t> others = eligible(first);
    if (others.empty()) continue;
    for (const std::size_t second : ranked(first, others)) {
      if (merge(first, second)) break;
    }
    return true;
  }
  return false;
}

std::vector<std::size_t> Partitioner::eligible(std::size_t first) {
  std::vector<std::size_t> eligible;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    if (i == first) continue;
    const PairFacts& pair = facts(list_[first].number, list_[i].number);
    if (!pair.has_failed && !pair.has_forbidden_pair) eligible.push_back(i);
  }
  return eligible;
}

// Definition 3 names the best alone; Definition 4 sorts them all. Ties in the order of the list.
std::vector<std::size_t> Partitioner::ranked(std::size_t first, std::vector<std::size_t> eligible) {
  const Candidate& one = list_[first];
  if (options_.heuristic == Heuristic::kSms) {
    std::size_t best = eligible.front();
    std::uint32_t smallest = kNoSize;
    for (const std::size_t other : eligible) {
      const std::uint32_t size = size_of_union(one, list_[other]);
      if (size != kNoSize && (smallest == kNoSize || size < smallest)) std::tie(best, smallest) = std::tie(other, size);
    }
    return {best};
  }
  if (options_.heuristic == Heuristic::kBestFit) {
    std::map<std::size_t, Wide> loads;
    for (const std::size_t other : eligible) loads[other] = Demand::load_of_union(one.demand, list_[other].demand);
    std::stable_sort(eligible.begin(), eligible.end(),
                     [&](std::size_t a, std::size_t b) { return loads[a] > loads[b]; });
    return eligible;
  }
  struct Times {
    Wide scaled = 0;         // times the size
    std::uint32_t size = 0;  // none: behind all others
  };
  std::map<std::size_t, Times> times;
  for (const std::size_t other : eligible) {
    const std::uint32_t fewest = size_of_union(one, list_[other]);
    const std::uint32_t size = fewest == kNoSize ? kNoSize : sizes_.at_least(fewest);
    times[other] = {size == kNoSize ? 0 : Demand::times_of_union(one.demand, list_[other].demand, size), size};
  }
  std::stable_sort(eligible.begin(), eligible.end(), [&](std::size_t a, std::size_t b) {
    const Times& x = times[a];
    const Times& y = times[b];
    if (x.size == kNoSize || y.size == kNoSize) return x.size != kNoSize && y.size == kNoSize;
    return x.scaled * y.size < y.scaled * x.size;
  });
  return eligible;
}

// Definition 2.
bool Partitioner::merge(std::size_t first, std::size_t second) {
  Candidate& one = list_[first];
  Candidate& other = list_[second];
  const std::uint32_t size = size_of_union(one, other);
  if (!saves(size, one, other)) {
    facts(one.number, other.number).has_failed = true;
    return false;
  }
  const std::uint32_t number = next_number_++;
  for (const Candidate& third : list_) {
    facts(number, third.number).has_forbidden_pair =
        facts(one.number, third.number).has_forbidden_pair || facts(other.number, third.number).has_forbidden_pair;
  }
  one.number = number;
  one.demand.add(other.demand);
  one.load = one.demand.load();
  one.partition.num_sms = sizes_.at_least(size);
  one.partition.fewest_sms = size;
  one.partition.tasks.insert(one.partition.tasks.end(), other.partition.tasks.begin(), other.partition.tasks.end());
  std::sort(one.partition.tasks.begin(), one.partition.tasks.end());
  list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(second));
  sort_by_load();
  return true;
}

std::uint32_t Partitioner::size_of_union(const Candidate& a, const Candidate& b) {
  ++result_.merges_tried;
  result_.task_tests += a.demand.num_tasks() + b.demand.num_tasks();
  PairFacts& pair = facts(a.number, b.number);
  if (!pair.is_size_known) {
    const std::uint32_t from = std::max(a.partition.fewest_sms, b.partition.fewest_sms);
    pair.size = Demand::smallest_size_of_union(a.demand, b.demand, from, sizes_.largest());
  }
  pair.is_size_known = true;
  return pair.size;
}

bool Partitioner::saves(std::uint32_t size, const Candidate& a, const Candidate& b) const {
  if (size == kNoSize) return false;
  return sizes_.cost(sizes_.at_least(size)) < sizes_.cost(a.partition.num_sms) + sizes_.cost(b.partition.num_sms);
}

void Partitioner::sort_by_load() {
  std::stable_sort(list_.begin(), list_.end(), [](const Candidate& a, const Candidate& b) { return a.load > b.load; });
}

bool Partitioner::do_fit() const {
  std::vector<Partition> partitions;
  for (const Candidate& candidate : list_) partitions.push_back({{}, candidate.partition.num_sms});
  return sizes_.fit(partitions);
}

}  // namespace

Partitioning partition(const TaskSet& set, const PartitioningOptions& options) {
  return Partitioner(set, options).run();
}

}  // namespace tessera::realtime
