// SPDX-License-Identifier: Apache-2.0
// A worker leaves the file of its point itself; whoever waits for it does so where it died.
#include "sweep/runner.h"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "platform/worker_pool.h"
#include "sweep/alone_results.h"
#include "sweep/columns.h"

namespace tessera::sweep {
namespace {

using Json = nlohmann::ordered_json;

Json point_head(const Plan& plan, const PlannedPoint& planned) {
  Json json{{"key", planned.key}, {"index", planned.point.index}, {"axes", plan.axes_of(planned.point)}};
  json["seed"] = planned.point.seed ? Json(*planned.point.seed) : Json(nullptr);
  json["engine"] = planned.engine;
  return json;
}

Json cost_json(const PlannedPoint& planned, const spec::Spec& spec, const std::vector<CoreCost>& costs) {
  Json json = storage_cost(spec);
  if (!costs.empty()) json.update(Json(nlohmann::json(costs.at(planned.core))));
  return json;
}

std::string first_of(const std::vector<std::string>& violations) {
  return violations.front() +
         (violations.size() > 1 ? " (and " + std::to_string(violations.size() - 1) + " more)" : std::string());
}

// In the worker: {"seconds", "status"}, or null where it was interrupted. Its file is written afterwards: a disk takes
// longer for that than some simulations.
platform::Work run_point(const Plan& plan, const PlannedPoint& planned, const Folder& folder,
                         const RunnerOptions& options) {
  AloneResults alone(folder, plan.program);
  platform::ExperimentOptions experiment;
  experiment.alone_results = &alone;
  experiment.simulates_here = true;
  experiment.draws_timeline = false;
  experiment.is_interrupted = options.is_interrupted;
  const spec::Spec specified = plan.sweep.resolve(planned.point);
  const bool is_measured = plan.spec().decision_time == spec::DecisionTime::kMeasured && !options.costs.empty();
  const spec::Spec spec = is_measured ? with_measured_decisions(specified, options.costs.at(planned.core)) : specified;
  const platform::ExperimentResult result = options.simulate(spec, experiment, planned.key);
  if (result.was_interrupted) return {};
  const bool is_good = result.violations.empty();
  Json json = point_head(plan, planned);
  json["status"] = is_good ? "done" : "failed";
  json["reason"] = is_good ? "" : first_of(result.violations);
  json["metrics"] = is_good ? metrics_of(result.summary, spec) : Json::object();
  json["cost"] = cost_json(planned, specified, options.costs);
  json["processes"] = is_good ? result.summary.at("processes") : Json::array();
  double seconds = 0;
  for (const platform::SimulationTiming& timing : result.timing) seconds += timing.seconds;
  nlohmann::json answer{{"status", json["status"]}, {"seconds", seconds}};
  return {std::move(answer), [&folder, json, key = planned.key] { folder.write_point(key, json); }};
}

}  // namespace

Json failed_point(const Plan& plan, const PlannedPoint& planned, const std::string& reason) {
  Json json = point_head(plan, planned);
  json["status"] = "failed";
  json["reason"] = reason;
  json["metrics"] = json["cost"] = Json::object();
  json["processes"] = Json::array();
  return json;
}

std::vector<PlannedPoint> open_points(const Plan& plan, const Folder& folder, bool retries) {
  std::vector<PlannedPoint> open;
  std::set<std::string> seen;
  for (const PlannedPoint& planned : plan.points) {
    if (!seen.insert(planned.key).second) continue;
    const auto known = folder.point(planned.key);
    const bool is_finished = known && !(retries && known->at("status") == "failed");
    if (!is_finished) open.push_back(planned);
  }
  return open;
}

void renumber_points(const Plan& plan, const Folder& folder) {
  std::set<std::string> seen;
  for (const PlannedPoint& planned : plan.points) {
    auto point = seen.insert(planned.key).second ? folder.point(planned.key) : std::nullopt;
    if (!point) continue;
    Json axes = plan.axes_of(planned.point);
    if (point->value("index", Json()) == planned.point.index && point->value("axes", Json()) == axes) continue;
    (*point)["index"] = planned.point.index;
    (*point)["axes"] = std::move(axes);
    folder.write_point(planned.key, *point);
  }
}

Tally run_points(const Plan& plan, const std::vector<PlannedPoint>& points, const Folder& folder,
                 const RunnerOptions& options) {
  std::vector<PlannedPoint> order = points;
  std::mt19937 random(static_cast<std::mt19937::result_type>(::getpid()));  // two that share the work begin elsewhere
  std::shuffle(order.begin(), order.end(), random);
  const std::set<std::string> known = [&] {  // that are to be run again
    const std::vector<std::string> keys = folder.keys();
    return std::set<std::string>(keys.begin(), keys.end());
  }();
  Tally tally;
  const auto task = [&](std::size_t i) -> platform::Work {
    const auto found = folder.has_point(order[i].key) ? folder.point(order[i].key) : std::nullopt;
    const bool is_done_meanwhile = found && (known.count(order[i].key) == 0 || found->at("status") == "done");
    if (is_done_meanwhile || options.is_interrupted()) return {};
    return run_point(plan, order[i], folder, options);
  };
  const auto on_end = [&](std::size_t i, const platform::Ending& ending) {
    std::string status = ending.result.is_object() ? ending.result.value("status", "") : "";
    if (ending.result.is_object()) tally.simulated_s += ending.result.value("seconds", 0.0);
    const auto found = ending.error.empty() ? std::nullopt : folder.point(order[i].key);
    const bool has_another_done_it = found && found->at("status") == "done";
    if (!ending.error.empty() && !has_another_done_it && !options.is_interrupted()) {
      folder.write_point(order[i].key, failed_point(plan, order[i], ending.error));
      status = "failed";
    }
    tally.failed += status == "failed" ? 1 : 0;
    options.on_progress(++tally.done, order.size());
  };
  constexpr std::uint64_t kMegabyte = 1'000'000;
  const spec::SweepLimits& limits = plan.spec().limits;
  platform::run_each(order.size(), task, options.num_workers,
                     {static_cast<double>(limits.time_s), limits.memory_mb * kMegabyte}, on_end,
                     options.is_interrupted);
  tally.was_interrupted = options.is_interrupted();
  return tally;
}

}  // namespace tessera::sweep
