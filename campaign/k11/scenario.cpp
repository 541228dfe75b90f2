// SPDX-License-Identifier: Apache-2.0
// A scenario ends by time, not by runs: who is starved shows as a low rate.
#include "campaign/k11/scenario.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "platform/simulation.h"

namespace tessera::campaign::k11 {

// On their way between processes.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TaskOutcome, frames, released, missed, groups, gpu_s, predicted_s, error_s,
                                   predicted_groups, well_predicted)

static void to_json(nlohmann::json& json, const Outcome& o) { json = {o.tasks, o.time_s, o.effort, o.faults}; }

static void from_json(const nlohmann::json& json, Outcome& o) {
  std::size_t i = 0;
  const auto next = [&](auto& field) { json.at(i++).get_to(field); };
  next(o.tasks);
  next(o.time_s);
  next(o.effort);
  next(o.faults);
}

namespace {

constexpr double kWarmUp = 0.1;
constexpr std::size_t kManyFrames = 20;                          // then the rate is read between the first and the last
constexpr Picoseconds kPerWorkload = kPicosecondsPerSecond / 5;  // 4 s by default
constexpr std::uint32_t kEndless = 1'000'000;

Picoseconds us_of(double us) { return static_cast<Picoseconds>(std::llround(us * 1e6)); }

spec::TimegraphEntry entry_of(const Task& task, const std::string& name) {
  spec::TimegraphEntry entry;
  entry.name = name;
  entry.dispatch = task.dispatch;
  entry.reservation = task.budget.kind;
  entry.shared_reserve = task.budget.shared;
  entry.priority = task.priority;
  entry.capacity = us_of(task.budget.capacity_us);
  entry.period = us_of(task.budget.period_us);
  return entry;
}

class RunEnds : public record::ISink {
 public:
  explicit RunEnds(std::size_t num_processes, double hz) : ends_(num_processes), hz_(hz) {}
  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override {
    if (record.kind == record::Kind::kRunEnded) {
      ends_.at(record.process).push_back(static_cast<double>(record.cycle) / hz_);
    }
  }
  std::vector<double>& of(std::size_t process) { return ends_.at(process); }

 private:
  std::vector<std::vector<double>> ends_;
  double hz_;
};

Outcome outcome_of(const spec::Spec& spec, const record::RunResult& result, RunEnds& ends) {
  const auto hz = static_cast<double>(spec.gpu.clock_hz);
  Outcome outcome;
  outcome.time_s = static_cast<double>(result.cycles) / hz;
  for (std::size_t i = 0; i < spec.processes.size(); ++i) {
    TaskOutcome& task = outcome.tasks.emplace_back();
    task.frames = std::move(ends.of(i));
    task.released = result.processes[i].frames.released;
    task.missed = result.processes[i].frames.missed;
    if (result.driver.is_empty()) continue;
    const record::DriverProcessResult& driver = result.driver.processes.at(i);
    task.groups = driver.groups;
    task.gpu_s = static_cast<double>(driver.gpu_cycles) / hz;
    task.predicted_s = static_cast<double>(driver.predicted_charged) / hz;
    task.error_s = static_cast<double>(driver.prediction_error) / hz;
    task.predicted_groups = driver.predicted_groups;
    task.well_predicted = driver.well_predicted;
  }
  outcome.effort = effort_of(result, spec);
  return outcome;
}

nlohmann::json simulate(const spec::Spec& spec, const std::string& name, const std::function<bool()>& is_interrupted) {
  if (is_interrupted()) return Outcome{};
  RunEnds ends(spec.processes.size(), static_cast<double>(spec.gpu.clock_hz));
  const record::RunResult result = platform::simulate(spec, {&ends}, is_interrupted);
  Outcome outcome = outcome_of(spec, result, ends);
  for (const auto& [invariant, verdict] : result.invariants) {
    if (verdict != "ok" && verdict != "not checked") {
      outcome.faults.push_back(name + ": " + invariant + ": " + verdict);
    }
  }
  return outcome;
}

}  // namespace

double Outcome::rate(std::size_t task) const {
  if (task >= tasks.size()) return 0;
  const std::vector<double>& ends = tasks[task].frames;
  const double from = kWarmUp * time_s;
  const auto first = std::upper_bound(ends.begin(), ends.end(), from);
  const auto number = static_cast<std::size_t>(ends.end() - first);
  if (number < kManyFrames) return time_s > 0 ? static_cast<double>(number) / (time_s - from) : 0;
  return static_cast<double>(number - 1) / (ends.back() - *first);
}

std::vector<double> Outcome::rates(std::size_t task, double stretch_s) const {
  std::vector<double> rates(static_cast<std::size_t>(time_s / stretch_s));
  if (task >= tasks.size()) return rates;
  for (const double end : tasks[task].frames) {
    const auto stretch = static_cast<std::size_t>(end / stretch_s);
    if (stretch < rates.size()) rates[stretch] += 1 / stretch_s;
  }
  return rates;
}

spec::Spec spec_of(const spec::Spec& base, const Scenario& scenario, Picoseconds time) {
  spec::Spec spec = base;
  spec.processes.clear();
  spec.stop.min_runs = kEndless;
  spec.stop.max_time = time;
  spec.driver.kind = scenario.has_timegraph ? spec::DriverKind::kTimegraph : spec::DriverKind::kPassThrough;
  spec.driver.entries.clear();
  for (const Task& task : scenario.tasks) {
    const auto its = std::find_if(base.processes.begin(), base.processes.end(),
                                  [&](const spec::ProcessSpec& process) { return process.name == task.application; });
    if (its == base.processes.end()) throw std::out_of_range("no process " + task.application);
    spec::ProcessSpec& process = spec.processes.emplace_back(*its);
    if (!task.name.empty()) process.name = task.name;
    process.priority = task.priority;
    if (scenario.has_timegraph) spec.driver.entries.push_back(entry_of(task, process.name));
  }
  if (scenario.change) scenario.change(spec);
  return spec;
}

Batch::Batch(const Request& request) : request_(&request), time_(kPerWorkload * request.num_workloads) {}

const Outcome& Batch::of(const Scenario& scenario) {
  const auto found = scenarios_.find(scenario.name);
  if (found != scenarios_.end()) return found->second.second;
  if (has_run_) throw std::logic_error("not planned: " + scenario.name);
  request_->load(scenario.overrides);  // what is wrong with it is told before anything runs
  Outcome empty;
  empty.tasks.resize(scenario.tasks.size());
  return scenarios_.emplace(scenario.name, std::pair(scenario, std::move(empty))).first->second.second;
}

void Batch::run(Reproduction& to) {
  has_run_ = true;
  std::vector<std::function<nlohmann::json()>> work;
  for (auto& [name, scenario] : scenarios_) {
    work.emplace_back([this, &name = name, &scenario = scenario.first] {
      return simulate(spec_of(request_->load(scenario.overrides), scenario, time_), name,
                      request_->options.is_interrupted);
    });
  }
  const std::vector<nlohmann::json> answers = answers_of(work, request_->options);
  std::size_t i = 0;
  for (auto& [name, scenario] : scenarios_) {
    Outcome& outcome = scenario.second;
    outcome = answers[i++].get<Outcome>();
    to.effort.add(outcome.effort);
    to.violations.insert(to.violations.end(), outcome.faults.begin(), outcome.faults.end());
  }
}

}  // namespace tessera::campaign::k11
