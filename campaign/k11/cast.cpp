// SPDX-License-Identifier: Apache-2.0
// Tasks, scenarios and their names.
#include "campaign/k11/cast.h"

#include <fmt/format.h>

#include "model/spec/names.h"

namespace tessera::campaign::k11 {
namespace {

std::string budget_text(const Budget& budget) {
  if (budget.kind == spec::Reservation::kNone) return "";
  return fmt::format(" {}{} {}/{}", budget.kind == spec::Reservation::kPosterior ? "PE" : "AE",
                     budget.shared.empty() ? "" : "@" + budget.shared, budget.capacity_us, budget.period_us);
}

// What the driver does not see is of no account without it.
std::string task_text(const Task& task, bool has_timegraph) {
  const std::string& name = task.name.empty() ? task.application : task.name;
  if (!has_timegraph) return name;
  return fmt::format("{} {} {}{}", name, task.dispatch == spec::GroupDispatch::kHt ? "HT" : "PRT", task.priority,
                     budget_text(task.budget));
}

Scenario named_scenario(const std::string& driver, std::vector<Task> tasks, bool has_timegraph) {
  Scenario scenario;
  scenario.name = driver;
  for (const Task& task : tasks) {
    scenario.name += (&task == tasks.data() ? ": " : ", ") + task_text(task, has_timegraph);
  }
  scenario.tasks = std::move(tasks);
  scenario.has_timegraph = has_timegraph;
  return scenario;
}

}  // namespace

Budget pe(double capacity_us, double period_us) { return {spec::Reservation::kPosterior, capacity_us, period_us}; }
Budget ae(double capacity_us, double period_us) { return {spec::Reservation::kApriori, capacity_us, period_us}; }
Budget shared(Budget budget) {
  budget.shared = "shared";
  return budget;
}

Task game(const std::string& name, spec::GroupDispatch dispatch) { return {name, kHighPriority, dispatch}; }
Task x_server(spec::GroupDispatch dispatch) { return {kXServer, kXPriority, dispatch}; }
Task widget(std::uint32_t priority, Budget budget) {
  return {kEngine, priority, spec::GroupDispatch::kPrt, std::move(budget)};
}
Task bomb(Budget budget) { return {kBomb, kLowPriority, spec::GroupDispatch::kPrt, std::move(budget)}; }

std::vector<Task> bombs(std::size_t number, const Budget& budget) {
  std::vector<Task> all;
  for (std::size_t i = 1; i <= number; ++i) {
    all.push_back(bomb(budget));
    all.back().name = fmt::format("{}-{}", kBomb, i);
  }
  return all;
}

std::vector<Task> with(std::vector<Task> tasks, const std::vector<Task>& more) {
  tasks.insert(tasks.end(), more.begin(), more.end());
  return tasks;
}

Scenario vanilla(std::vector<Task> tasks) { return named_scenario("vanilla", std::move(tasks), false); }
Scenario timegraph(std::vector<Task> tasks) { return named_scenario("timegraph", std::move(tasks), true); }

Figure bars(const std::string& name, const std::string& title, const std::string& cluster_head,
            const std::string& y_label) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.drawing = Drawing::kBars;
  figure.cluster_head = cluster_head;
  figure.y_label = y_label;
  return figure;
}

}  // namespace tessera::campaign::k11
