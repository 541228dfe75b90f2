// SPDX-License-Identifier: Apache-2.0
// From the summary of a run to numbers with names.
#include "sweep/columns.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "model/spec/sweep/sweep_columns.h"
#include "sweep/plan.h"

namespace tessera::sweep {
namespace {

using Json = nlohmann::ordered_json;

Json microseconds(const Json& cycles, const spec::Spec& spec) {
  if (cycles.is_null()) return nullptr;
  return cycles.get<double>() * 1e6 / static_cast<double>(spec.gpu.clock_hz);
}

// Over all techniques: latencies in cycles, and bytes. One that was never used has no latencies.
struct Preemptions {
  explicit Preemptions(const Json& by_technique) {
    for (const auto& [name, technique] : by_technique.items()) {
      saved += technique.at("bytes_saved").get<std::uint64_t>();
      restored += technique.at("bytes_restored").get<std::uint64_t>();
      const auto number = technique.at("count").get<std::uint64_t>();
      if (number == 0) continue;
      const Json& latency = technique.at("latency_cycles");
      sum += latency.at("mean").get<double>() * static_cast<double>(number);
      count += number;
      p99 = std::max(p99, latency.at("p99").get<double>());  // a bound where several techniques were used
      max = std::max(max, latency.at("max").get<double>());
    }
  }

  std::uint64_t saved = 0, restored = 0, count = 0;
  double sum = 0, p99 = 0, max = 0;
};

void add_preemptions(Json& metrics, const Json& summary, const spec::Spec& spec) {
  const Preemptions all(summary.at("preemptions").at("by_technique"));
  const auto latency = [&](double cycles) { return all.count == 0 ? Json(nullptr) : microseconds(cycles, spec); };
  metrics["preemptions"] = all.count;
  metrics["preemption_mean_us"] = latency(all.sum / static_cast<double>(std::max<std::uint64_t>(1, all.count)));
  metrics["preemption_p99_us"] = latency(all.p99);
  metrics["preemption_max_us"] = latency(all.max);
  metrics["bytes_saved"] = all.saved;
  metrics["bytes_restored"] = all.restored;
}

void add_frames(Json& metrics, const Json& process) {
  const Json& frames = process.at("frames");
  const Json& response = frames.at("response_us");
  const Json values[] = {frames.at("rate_hz"), frames.at("missed"), response.at("p50"), response.at("p95"),
                         response.at("p99")};  // as kSweepFrameMetrics
  static_assert(std::size(values) == spec::kSweepFrameMetrics.size());
  for (std::size_t i = 0; i < std::size(values); ++i) {
    metrics[std::string(spec::kSweepFrameMetrics[i].name) + "." + process.at("name").get<std::string>()] = values[i];
  }
}

void add_processes(Json& metrics, const Json& summary) {
  for (const spec::SweepColumn& column : spec::kSweepProcessMetrics) {
    for (const Json& process : summary.at("processes")) {
      metrics[std::string(column.name) + "." + process.at("name").get<std::string>()] =
          process.at(std::string(column.name));
    }
  }
  for (const Json& process : summary.at("processes")) {
    if (process.contains("frames")) add_frames(metrics, process);
    if (process.contains("killed_runs")) {
      metrics["killed_runs." + process.at("name").get<std::string>()] = process.at("killed_runs");
    }
  }
}

std::uint64_t fewest_runs(const Json& summary) {
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (const Json& process : summary.at("processes")) {
    if (!process.at("background").get<bool>()) fewest = std::min(fewest, process.at("runs").get<std::uint64_t>());
  }
  return fewest;
}

template <std::size_t N>
void append(std::vector<Column>& columns, const std::array<spec::SweepColumn, N>& more, ColumnKind kind,
            const std::string& behind = "") {
  for (const spec::SweepColumn& column : more) {
    columns.push_back({std::string(column.name) + behind, kind, std::string(column.unit)});
  }
}

}  // namespace

const char* to_string(ColumnKind kind) {
  const char* const names[] = {"axis", "metric", "cost", "status"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Column> columns_of(const Plan& plan) {
  std::vector<Column> columns;
  for (const spec::SweepAxis& axis : plan.spec().axes) columns.push_back({axis.name, ColumnKind::kAxis, ""});
  for (const char* name : {"seed", "engine", "status", "reason"}) {
    const auto is_axis = [name](const spec::SweepAxis& axis) { return axis.name == name; };  // over the engine
    if (std::none_of(plan.spec().axes.begin(), plan.spec().axes.end(), is_axis)) {
      columns.push_back({name, ColumnKind::kStatus, ""});
    }
  }
  append(columns, spec::kSweepMetrics, ColumnKind::kMetric);
  for (const spec::SweepColumn& column : spec::kSweepProcessMetrics) {
    for (const std::string& process : plan.processes) {
      columns.push_back({std::string(column.name) + "." + process, ColumnKind::kMetric, std::string(column.unit)});
    }
  }
  for (const std::string& process : plan.released) {
    append(columns, spec::kSweepFrameMetrics, ColumnKind::kMetric, "." + process);
  }
  for (const std::string& process : plan.event_driven) {
    append(columns, spec::kSweepGloopMetrics, ColumnKind::kMetric, "." + process);
  }
  append(columns, spec::kSweepStorageCosts, ColumnKind::kCost);
  if (plan.spec().cost == spec::SweepCost::kSynth) append(columns, spec::kSweepSynthCosts, ColumnKind::kCost);
  return columns;
}

Json metrics_of(const Json& summary, const spec::Spec& spec) {
  Json metrics;
  for (const char* name : {"antt", "stp", "fairness", "sm_utilisation"}) metrics[name] = summary.at(name);
  metrics["runs"] = fewest_runs(summary);
  metrics["simulated_us"] = microseconds(summary.at("simulated_cycles"), spec);
  metrics["tbs_completed"] = summary.at("tbs_completed");
  add_preemptions(metrics, summary, spec);
  const Json& policy = summary.at("policy");
  metrics["decisions"] = policy.at("invocations");
  metrics["decision_mean_us"] = microseconds(policy.at("decision_cycles").at("mean"), spec);
  metrics["decision_max_us"] = microseconds(policy.at("decision_cycles").at("max"), spec);
  const Json& baseline = summary.at("baseline");
  for (const char* name : {"antt", "stp", "fairness"}) {
    metrics[std::string("baseline_") + name] = baseline.is_null() ? Json(nullptr) : baseline.at(name);
  }
  add_processes(metrics, summary);
  return metrics;
}

}  // namespace tessera::sweep
