// SPDX-License-Identifier: Apache-2.0
#include "model/realtime/demand.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tessera::realtime {
namespace {

constexpr std::size_t kWord = 64;  // bits
constexpr Wide kLargest = std::numeric_limits<std::int64_t>::max();
constexpr Wide kDensityParts = 1 << 20;

void add_up(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& more) {
  if (to.empty()) to.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) to[i] += more[i];
}

Wide divided_up(Wide a, Wide b) { return (a + b - 1) / b; }

}  // namespace

// ---- test points ---------------------------------------------------------------------------------------------------

TestPoints::TestPoints(const std::vector<Task>& tasks) {
  const Nanoseconds end = realtime::hyperperiod(tasks);
  Wide num_deadlines = 0;
  for (const Task& task : tasks) num_deadlines += end / task.period;
  if (end == 0 || num_deadlines > static_cast<Wide>(kMaxPoints)) {
    throw std::length_error("the hyperperiod has more deadlines than can be tested");
  }
  for (const Task& task : tasks) {
    for (Nanoseconds due = task.deadline; due <= end; due += task.period) times_.push_back(due);
  }
  times_.push_back(end);
  std::sort(times_.begin(), times_.end());
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
}

// ---- sums ----------------------------------------------------------------------------------------------------------

Demand::Demand(const TaskSet& set, const TestPoints& points, const Task& task)
    : set_(&set), points_(&points), sums_(points.size()), steps_((points.size() + kWord - 1) / kWord) {
  const auto kind = static_cast<std::size_t>(task.kind);
  const std::int64_t num_jobs = points.hyperperiod() / task.period;
  // 1. No sum is larger than that at the hyperperiod.
  const Nanoseconds longest = task.table.empty() ? 0 : *std::max_element(task.table.begin(), task.table.end());
  const Wide time = Wide{kTailParts} * (Wide{task.work} + longest) + task.tail_parts + task.blocking_parts;
  const Wide most = std::max({set.contention.factor[0], set.contention.factor[1], kFactorParts});
  magnitude_ = (time * most + kParts * task.overhead) * num_jobs;
  if (magnitude_ / kFactorParts > kLargest) throw std::length_error("times are too long to be added up");
  // 2. Over the hyperperiod, and of a single job.
  overhead_load_ = kParts * task.overhead * num_jobs;
  kinds_[kind] = {1, realtime::load(task, 1, points.hyperperiod()) - overhead_load_, task.work, task.tail_parts,
                  task.table};
  if (task.deadline > 0) {
    kinds_[kind].density_of_work = divided_up(kDensityParts * task.work, task.deadline);
    kinds_[kind].density_of_tail = divided_up(kDensityParts * task.tail_parts, Wide{kTailParts} * task.deadline);
  }
  // 3. At each point.
  if (!task.table.empty()) tables_[kind].resize(points.size() * set.num_sms);
  if (task.overhead > 0 || task.blocking_parts > 0) extras_.resize(points.size());
  std::int64_t jobs_before = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int64_t jobs = TestPoints::jobs_due(task, points.times()[i]);
    if (jobs > jobs_before) steps_[i / kWord] |= std::uint64_t{1} << i % kWord;
    jobs_before = jobs;
    if (!extras_.empty()) extras_[i].overhead = jobs * task.overhead;
    if (!extras_.empty() && jobs == 0) extras_[i].blocking[kind] = task.blocking_parts;
    if (task.table.empty()) {
      sums_[i].work[kind] = jobs * task.work;
      sums_[i].tail[kind] = jobs * task.tail_parts;
    } else {
      for (std::uint32_t m = 0; m < set.num_sms; ++m) tables_[kind][i * set.num_sms + m] = jobs * task.table.at(m);
    }
  }
}

void Demand::add(const Demand& other) {
  magnitude_ += other.magnitude_;
  if (magnitude_ / kFactorParts > kLargest) throw std::length_error("times are too long to be added up");
  overhead_load_ += other.overhead_load_;
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
    OfKind& to = kinds_[kind];
    const OfKind& more = other.kinds_[kind];
    to.num_tasks += more.num_tasks;
    to.load += more.load;
    to.sum_work += more.sum_work;
    to.sum_tail += more.sum_tail;
    to.density_of_work += more.density_of_work;
    to.density_of_tail += more.density_of_tail;
    add_up(to.sum_table, more.sum_table);
    add_up(tables_[kind], other.tables_[kind]);
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i] |= other.steps_[i];
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
      sums_[i].work[kind] += other.sums_[i].work[kind];
      sums_[i].tail[kind] += other.sums_[i].tail[kind];
    }
  }
  if (extras_.empty()) extras_.resize(other.extras_.size());
  for (std::size_t i = 0; i < other.extras_.size(); ++i) {
    extras_[i].overhead += other.extras_[i].overhead;
    for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
      extras_[i].blocking[kind] = std::max(extras_[i].blocking[kind], other.extras_[i].blocking[kind]);
    }
  }
}

template <typename Int>
inline Demand::Line<Int> Demand::line(std::size_t point, const Demand* other,
                                      const std::array<std::int64_t, kNumKinds>& factors) const {
  Line<Int> line;
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
    Int work = sums_[point].work[kind];
    Int tail = sums_[point].tail[kind];
    if (other != nullptr) {
      work += other->sums_[point].work[kind];
      tail += other->sums_[point].tail[kind];
    }
    line.constant += work * (kTailParts * factors[kind]);
    line.per_sm += tail * factors[kind];
  }
  if (!extras_.empty() || (other != nullptr && !other->extras_.empty())) {
    const bool is_any_due = line.constant > 0 || table_sum(point, 1, factors) > 0 ||
                            (other != nullptr && other->table_sum(point, 1, factors) > 0);
    if (is_any_due) line.per_sm += extra<Int>(point, other, factors);
  }
  return line;
}

// Where nothing is due nobody is kept waiting.
template <typename Int>
Int Demand::extra(std::size_t point, const Demand* other, const std::array<std::int64_t, kNumKinds>& factors) const {
  Int overhead = 0;
  Int blocking = 0;
  for (const Demand* demand : {this, other}) {
    if (demand == nullptr || demand->extras_.empty()) continue;
    const Extra& extra = demand->extras_[point];
    overhead += Int{extra.overhead} * static_cast<Int>(kParts);
    for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
      blocking = std::max(blocking, Int{extra.blocking[kind]} * factors[kind]);
    }
  }
  return overhead + blocking;
}

Wide Demand::table_sum(std::size_t point, std::uint32_t num_sms,
                       const std::array<std::int64_t, kNumKinds>& factors) const {
  Wide sum = 0;
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
    if (tables_[kind].empty()) continue;
    sum += Wide{tables_[kind][point * set_->num_sms + num_sms - 1]} * kTailParts * factors[kind];
  }
  return sum;
}

// ---- a partition, or two as one ------------------------------------------------------------------------------------

std::int64_t Demand::Union::factor(std::size_t kind) const {
  const std::uint32_t number = a->kinds_[kind].num_tasks + (b == nullptr ? 0 : b->kinds_[kind].num_tasks);
  return a->set_->contention.of(static_cast<TaskKind>(kind), number > 1);
}

Wide Demand::Union::load() const {
  Wide sum = a->overhead_load_ + (b == nullptr ? 0 : b->overhead_load_);
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
    sum += (a->kinds_[kind].load + (b == nullptr ? 0 : b->kinds_[kind].load)) * factor(kind);
  }
  return sum;
}

Wide Demand::Union::times(std::uint32_t num_sms) const {
  Wide sum = 0;
  for (const Demand* demand : {a, b}) {
    if (demand == nullptr) continue;
    for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
      const OfKind& of = demand->kinds_[kind];
      const Wide table = of.sum_table.empty() ? 0 : of.sum_table[num_sms - 1];
      sum += (Wide{of.sum_work} * kTailParts + (Wide{of.sum_tail} + table * kTailParts) * num_sms) * factor(kind);
    }
  }
  return sum;
}

// Products of 64 bits are enough.
bool Demand::Union::is_narrow(std::uint32_t num_sms) const {
  const Wide sum = a->magnitude_ + (b == nullptr ? 0 : b->magnitude_);
  return (sum + kParts * a->points_->hyperperiod()) * (num_sms + 1) < kLargest;
}

template <typename Holds>
inline bool Demand::Union::at_all_steps(Holds holds) const {
  for (std::size_t word = 0; word < a->steps_.size(); ++word) {
    std::uint64_t bits = a->steps_[word] | (b == nullptr ? 0 : b->steps_[word]);
    for (; bits != 0; bits &= bits - 1) {
      if (!holds(word * kWord + static_cast<std::size_t>(__builtin_ctzll(bits)))) return false;
    }
  }
  return true;
}

template <typename Int>
bool Demand::Union::fits_in(std::uint32_t num_sms) const {
  const std::array<std::int64_t, kNumKinds> factors{factor(0), factor(1)};
  return at_all_steps([&](std::size_t i) {
    const Line<Int> line = a->line<Int>(i, b, factors);
    Wide tables = a->table_sum(i, num_sms, factors);
    if (b != nullptr) tables += b->table_sum(i, num_sms, factors);
    const Int demand = line.constant + (line.per_sm + static_cast<Int>(tables)) * num_sms;
    return demand <= static_cast<Int>(kParts) * a->points_->times()[i] * num_sms;
  });
}

bool Demand::Union::fits(std::uint32_t num_sms) const {
  return is_narrow(num_sms) ? fits_in<std::int64_t>(num_sms) : fits_in<Wide>(num_sms);
}

// The sum of C(m) / D is at most 1: no more is ever due than there is time.
bool Demand::Union::is_sparse(std::uint32_t num_sms) const {
  Wide sum = 0;
  for (const Demand* demand : {a, b}) {
    if (demand == nullptr) continue;
    if (!demand->extras_.empty()) return false;
    for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
      const OfKind& of = demand->kinds_[kind];
      sum += (of.density_of_work + of.density_of_tail * num_sms) * factor(kind);
    }
  }
  return sum <= kDensityParts * kFactorParts * num_sms;
}

// constant + per_sm m <= kParts t m at every point.
template <typename Int>
std::uint32_t Demand::Union::closed_form(std::uint32_t from, std::uint32_t limit) const {
  const std::array<std::int64_t, kNumKinds> factors{factor(0), factor(1)};
  Int size = from;
  const bool is_found = at_all_steps([&](std::size_t i) {
    const Line<Int> line = a->line<Int>(i, b, factors);
    const Int room = static_cast<Int>(kParts) * a->points_->times()[i] - line.per_sm;
    if (size * room >= line.constant) return true;
    if (room <= 0) return false;
    size = (line.constant + room - 1) / room;
    return size <= static_cast<Int>(limit);
  });
  return is_found && from <= limit ? static_cast<std::uint32_t>(size) : kNoSize;
}

std::uint32_t Demand::Union::smallest_size(std::uint32_t from, std::uint32_t limit) const {
  if (a->has_table() || (b != nullptr && b->has_table())) return smallest_size_by_search(from, limit);
  if (from <= limit && is_sparse(from)) return from;
  return is_narrow(limit) ? closed_form<std::int64_t>(from, limit) : closed_form<Wide>(from, limit);
}

std::uint32_t Demand::Union::smallest_size_by_search(std::uint32_t from, std::uint32_t limit) const {
  for (std::uint32_t size = from; size <= limit; ++size) {
    if (fits(size)) return size;
  }
  return kNoSize;
}

// ---- several tasks -------------------------------------------------------------------------------------------------

Demand demand_of(const TaskSet& set, const TestPoints& points, const std::vector<std::uint32_t>& tasks) {
  Demand demand(set, points, set.tasks.at(tasks.at(0)));
  for (std::size_t i = 1; i < tasks.size(); ++i) demand.add(Demand(set, points, set.tasks.at(tasks[i])));
  return demand;
}

}  // namespace tessera::realtime
