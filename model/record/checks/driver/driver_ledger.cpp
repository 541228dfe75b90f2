// SPDX-License-Identifier: Apache-2.0
// A cycle of the driver, step by step.
#include "model/record/checks/driver/driver_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/record/numbers.h"

namespace tessera::record::driver_check {

namespace cs = command_scheduling;

Ledger::Ledger(const DriverFacts& facts, Complain complain)
    : facts_(facts), complain_(std::move(complain)), state_(facts_), order_(state_, complain_) {}

void Ledger::visit(const Record& record) {
  if (!is_of_driver(record.kind)) return;
  if (!cycle_.empty() && cycle_.front().cycle != record.cycle) settle();
  cycle_.push_back(record);
}

void Ledger::finish() {
  if (!cycle_.empty()) settle();
  for (std::size_t i = 0; i < state_.reserves.size(); ++i) check_window(i);
}

void Ledger::settle() {
  for (ReserveState& reserve : state_.reserves) reserve.lowest = reserve.budget;
  take_completions();
  take_replenishments();
  take_arrivals();
  take_suspensions();
  take_submissions();
  order_.judge_idleness(cycle_.back());
  last_ = cycle_.back().cycle;
  cycle_.clear();
}

std::vector<Record> Ledger::of_kind(Kind kind) const {
  std::vector<Record> records;
  std::copy_if(cycle_.begin(), cycle_.end(), std::back_inserter(records),
               [kind](const Record& each) { return each.kind == kind; });
  // By group, or by reserve.
  std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.value < b.value; });
  return records;
}

bool Ledger::require(bool holds, Rule rule, const Record& record, const std::string& what) {
  if (!holds) complain_(rule, record, what);
  return holds;
}

// ---- completions -----------------------------------------------------------------------------------------------

void Ledger::take_completions() {
  for (const Record& record : of_kind(Kind::kGroupDone)) take_completion(record);
}

void Ledger::take_completion(const Record& record) {
  // 1. A group that is online, and the process's first.
  const auto is_own = [&](const OnlineGroup& each) { return each.process == record.process; };
  const auto group = std::find_if(state_.online.begin(), state_.online.end(), [&](const OnlineGroup& each) {
    return is_own(each) && each.group == number::group(record);
  });
  if (!require(group != state_.online.end(), Rule::kGroups, record,
               fmt::format("group {} is not online", number::group(record))))
    return;
  require(!facts_.keeps_order[record.process] || std::find_if(state_.online.begin(), group, is_own) == group,
          Rule::kGroups, record, fmt::format("group {} passes an earlier one of its process", number::group(record)));
  // 2. It is charged for the time in which it had the GPU.
  if (facts_.accounting != cs::Accounting::kMeasured) {
    const Cycle most = record.cycle - group->submitted;
    const Cycle wall = group->charged + take_time(*group, record.cycle);
    if (state_.has_one_list() && state_.knows_budgets()) {
      require(number::charged(record) == wall, Rule::kBudgets, record,
              fmt::format("charges {} cycles for group {}, it had the GPU for {}", number::charged(record),
                          number::group(record), wall));
    } else {
      require(number::charged(record) <= most, Rule::kBudgets, record,
              fmt::format("charges {} cycles for group {}, submitted {} ago", number::charged(record),
                          number::group(record), most));
    }
  }
  // 3. Its reserve pays what it has not paid yet.
  if (ReserveState* const reserve = state_.reserve_of(record.process)) {
    reserve->budget -= static_cast<std::int64_t>(number::charged(record)) - static_cast<std::int64_t>(group->charged);
    reserve->lowest = std::min(reserve->lowest, reserve->budget);
    reserve->window.done(number::group(record), number::charged(record));
    reserve->most_charged = std::max(reserve->most_charged, number::charged(record));
    reserve->is_predicted_exactly = reserve->is_predicted_exactly && group->predicted == number::charged(record);
  }
  state_.online.erase(group);
}

// Wall time of the one list that nobody has been charged for.
Cycle Ledger::take_time(const OnlineGroup& group, Cycle until) {
  const Cycle from = std::max(group.submitted, state_.counted_until);
  state_.counted_until = std::max(state_.counted_until, until);
  return until > from ? until - from : 0;
}

// ---- budgets ---------------------------------------------------------------------------------------------------

// All that is due before this cycle, in order of time, those of one time in the order of the reserves.
void Ledger::take_replenishments() {
  // 1. Those of one reserve and cycle rise: budgets are sorted like the records.
  std::vector<std::vector<Record>> told(state_.reserves.size());
  std::vector<Record> records = of_kind(Kind::kBudgetReplenished);
  std::stable_sort(records.begin(), records.end(),
                   [](const Record& a, const Record& b) { return budget_of(a) > budget_of(b); });
  for (const Record& record : records) {
    if (require(number::reserve(record) < told.size(), Rule::kBudgets, record,
                fmt::format("there is no reserve {}", number::reserve(record))))
      told[number::reserve(record)].push_back(record);
  }
  // 2. What is due.
  const Cycle now = cycle_.front().cycle;
  const auto is_earlier = [](const ReserveState& a, const ReserveState& b) { return a.due < b.due; };
  for (;;) {
    const auto next = std::min_element(state_.reserves.begin(), state_.reserves.end(), is_earlier);
    if (next == state_.reserves.end() || next->due >= now) break;
    const auto i = static_cast<std::size_t>(next - state_.reserves.begin());
    replenish(i, told[i].empty() ? nullptr : &told[i].back());
    if (!told[i].empty()) told[i].pop_back();
  }
  // 3. What is not.
  for (const std::vector<Record>& early : told) {
    for (const Record& record : early) {
      complain_(Rule::kBudgets, record,
                fmt::format("reserve {} is not due before cycle {}", number::reserve(record),
                            state_.reserves[number::reserve(record)].due));
    }
  }
}

// e' = min(max(C, x), e + C), x: what the reserve's first waiter is predicted to cost; the log tells it only roughly.
void Ledger::replenish(std::size_t reserve, const Record* record) {
  ReserveState& state = state_.reserves[reserve];
  const cs::ReserveParameters& parameters = facts_.plan.reserves[reserve].parameters;
  const auto capacity = static_cast<std::int64_t>(parameters.capacity);
  // 1. What has run so far is charged, if that does not wait for the completion.
  const Cycle due = std::exchange(state.due, state.due + parameters.period);
  if (facts_.accounting == cs::Accounting::kContinuous) {
    state.budget -= static_cast<std::int64_t>(charge_running(reserve, due + 1));
  }
  const std::int64_t most = state.budget + capacity;
  const std::int64_t least = std::min(capacity, most);
  if (!require(record != nullptr, Rule::kBudgets, cycle_.front(),
               fmt::format("reserve {} is not replenished, due at cycle {}", reserve, due))) {
    state.budget = least;
    return;
  }
  require(facts_.has_ticks || record->cycle == due + 1, Rule::kBudgets, *record,
          fmt::format("reserve {} was due at cycle {}", reserve, due));
  // 2. The budget.
  const std::int64_t budget = budget_of(*record);
  const bool saves_up = parameters.enforces_apriori && state_.head(reserve);
  if (state_.knows_budgets()) {
    require(saves_up ? budget >= least && budget <= most : budget == least, Rule::kBudgets, *record,
            fmt::format("reserve {} has {} cycles, it should be {}{}", reserve, budget, least,
                        saves_up ? fmt::format(" to {}", most) : ""));
  }
  state.budget = budget;
  state.lowest = std::min(state.lowest, budget);
}

// The group that has the GPU, if the reserve pays for it.
Cycle Ledger::charge_running(std::size_t reserve, Cycle until) {
  if (state_.online.empty() || !state_.knows_budgets()) return 0;
  OnlineGroup& running = state_.online.front();
  if (facts_.reserve_of(running.process) != reserve) return 0;
  const Cycle time = take_time(running, until);
  running.charged += time;
  return time;
}

// Charges of groups that are submitted within a period: the budget at its beginning, what is granted in it, and what
// the last ones take beyond that. Ticks may let two grants come within one period.
void Ledger::check_window(std::size_t reserve) {
  ReserveState& state = state_.reserves[reserve];
  state.window.finish();
  const cs::ReserveParameters& parameters = facts_.plan.reserves[reserve].parameters;
  if (facts_.has_ticks || (parameters.enforces_apriori && !state.is_predicted_exactly)) return;
  const std::uint64_t beside = state.most_beside * state.most_charged;
  const std::uint64_t start = std::max(parameters.capacity, parameters.enforces_apriori ? state.most_predicted : 0);
  const std::uint64_t last = parameters.enforces_apriori ? 0 : state.most_charged - (state.most_charged > 0 ? 1 : 0);
  const std::uint64_t bound = start + parameters.capacity + last + beside;
  if (state.window.worst() <= bound) return;
  Record nothing;
  nothing.kind = Kind::kBudgetReplenished;
  nothing.cycle = last_;
  complain_(Rule::kBudgets, nothing,
            fmt::format("groups submitted within a period of reserve {} are charged {} cycles, at most {} can be",
                        reserve, state.window.worst(), bound));
}

// ---- arrivals and submissions ----------------------------------------------------------------------------------

void Ledger::take_arrivals() {
  for (const Record& record : of_kind(Kind::kGroupArrived)) {
    require(number::group(record) == state_.num_arrived, Rule::kGroups, record,
            fmt::format("group {} arrives, the next one is {}", number::group(record), state_.num_arrived));
    state_.num_arrived = std::max(state_.num_arrived, number::group(record) + 1);
    std::optional<Waiter>& waiter = state_.waiting[record.process];
    require(!waiter, Rule::kGroups, record, fmt::format("group {} of its process waits", waiter ? waiter->group : 0));
    waiter = Waiter{number::group(record), number::predicted(record), false};
  }
}

void Ledger::take_suspensions() {
  for (const Record& record : of_kind(Kind::kGroupSuspended)) {
    std::optional<Waiter>& waiter = state_.waiting[record.process];
    if (!require(waiter && waiter->group == number::group(record), Rule::kGroups, record,
                 fmt::format("group {} does not wait", number::group(record)))) {
      continue;
    }
    waiter->was_suspended = true;
    const ReserveState* const reserve = state_.reserve_of(record.process);
    if (!require(reserve != nullptr, Rule::kBudgets, record, "its process has no reserve")) continue;
    const bool is_short = reserve->lowest <= 0 || state_.is_apriori(record.process) || !state_.knows_budgets();
    require(is_short, Rule::kBudgets, record, fmt::format("its budget is {}", reserve->budget));
  }
}

void Ledger::take_submissions() {
  // 1. Those that can be.
  std::vector<Record> submitted = of_kind(Kind::kGroupSubmitted);
  submitted.erase(
      std::remove_if(submitted.begin(), submitted.end(), [this](const Record& each) { return !can_submit(each); }),
      submitted.end());
  order_.judge_turns(submitted);
  // 2. They go online. More urgent ones may join the others, and may be ready only when these have been submitted.
  std::stable_sort(submitted.begin(), submitted.end(), [this](const Record& a, const Record& b) {
    return state_.task(a.process).priority < state_.task(b.process).priority;
  });
  for (const Record& record : submitted) {
    if (ReserveState* const reserve = state_.reserve_of(record.process)) {
      const auto pays = facts_.reserve_of(record.process);
      const auto beside = static_cast<std::size_t>(
          std::count_if(state_.online.begin(), state_.online.end(),
                        [&](const OnlineGroup& each) { return facts_.reserve_of(each.process) == pays; }));
      reserve->most_beside = std::max(reserve->most_beside, beside);
      reserve->most_predicted = std::max(reserve->most_predicted, number::predicted(record));
      reserve->window.submitted(number::group(record), record.cycle);
    }
    state_.waiting[record.process].reset();
    state_.online.push_back({number::group(record), record.process, record.cycle, number::predicted(record), 0});
    order_.judge_company(record);
  }
}

bool Ledger::can_submit(const Record& record) {
  const std::optional<Waiter>& waiter = state_.waiting[record.process];
  if (!require(waiter && waiter->group == number::group(record), Rule::kGroups, record,
               fmt::format("group {} does not wait", number::group(record)))) {
    return false;
  }
  const ReserveState* const reserve = state_.reserve_of(record.process);
  if (reserve == nullptr || !state_.knows_budgets()) return true;
  const auto cost = static_cast<std::int64_t>(state_.is_apriori(record.process) ? number::predicted(record) : 0);
  require(reserve->budget > 0 && reserve->budget >= cost, Rule::kBudgets, record,
          fmt::format("group {} may cost {}, its budget is {}", number::group(record), cost, reserve->budget));
  return true;
}

}  // namespace tessera::record::driver_check
