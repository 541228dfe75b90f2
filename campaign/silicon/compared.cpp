// SPDX-License-Identifier: Apache-2.0
// The same statistics on both sides.
#include "campaign/silicon/compared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "campaign/silicon/arrivals.h"
#include "campaign/silicon/run_times.h"
#include "campaign/silicon/slices.h"
#include "campaign/silicon/suspensions.h"
#include "model/spec/spec.h"
#include "platform/experiment.h"
#include "platform/simulation.h"

namespace tessera::campaign {
namespace {

using spec::Measure;
using spec::RowKind;

double percent_of(const spec::Quantity& quantity) {
  return static_cast<double>(quantity.percentile) / spec::kPercentileUnit;
}

std::optional<double> percentile_of(std::vector<double> samples, const spec::Quantity& quantity) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  return stats::percentile(samples, percent_of(quantity));
}

std::optional<double> median_of(const std::vector<double>& samples) {
  return samples.empty() ? std::nullopt : std::optional<double>(stats::median(samples));
}

// ---- measured ----------------------------------------------------------------------------------------------------

// Requests by process, in the order in which the file names them first.
std::vector<RunTimes> measured_runs(const spec::RowSpec& row) {
  std::vector<RunTimes> all(row.processes.size());
  const auto texts = row.table.texts.find("process");
  const std::vector<double>& released = row.table.numbers.at("released_us");
  const std::vector<double>& finished = row.table.numbers.at("finished_us");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < released.size(); ++i) {
    const std::string name = texts == row.table.texts.end() ? "" : texts->second[i];
    const auto found = std::find(names.begin(), names.end(), name);
    const auto process = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    all.at(process).begun.push_back(released[i]);
    all.at(process).ended.push_back(finished[i]);
  }
  return all;
}

// Of one process, or of all where that has a meaning.
std::optional<double> of_runs(const std::vector<RunTimes>& runs, const spec::Quantity& quantity,
                              const std::optional<std::size_t>& process) {
  if (quantity.measure == Measure::kThroughput && !process) {
    return std::accumulate(runs.begin(), runs.end(), 0.0,
                           [](double sum, const RunTimes& one) { return sum + one.per_second(); });
  }
  const RunTimes& its = runs.at(process.value_or(0));
  if (its.ended.empty()) return std::nullopt;
  if (quantity.measure == Measure::kThroughput) return its.per_second();
  if (quantity.measure == Measure::kLargest) return its.longest();
  return percentile_of(its.latencies(), quantity);
}

// Of all pairs, those that both sides order alike; a pair that was measured equal is one of them.
double pairs_in_order(const std::vector<double>& measured, const std::vector<double>& ours) {
  int count = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool is_alike = (measured[i] < measured[j]) == (ours.at(i) < ours.at(j)) &&
                            (measured[i] > measured[j]) == (ours.at(i) > ours.at(j));
      count += is_alike || measured[i] == measured[j] ? 1 : 0;
    }
  }
  return count;
}

// The column of a table that a measure is computed from.
const char* role_of(Measure measure) {
  switch (measure) {
    case Measure::kFirstBlock:
      return "to_first_block_us";
    case Measure::kReturn:
      return "to_sync_us";
    case Measure::kPeriod:
      return "period_us";
    case Measure::kRun:
      return "run_first_sm_us";
    case Measure::kNobodyRuns:
      return "none_runs_first_sm_us";
    default:
      return "value_us";
  }
}

std::optional<double> measured_of(const spec::RowSpec& row, const Compared& compared) {
  const spec::Quantity& quantity = compared.quantity->quantity;
  if (compared.quantity->standing == spec::Standing::kKeptBack) return std::nullopt;
  if (compared.quantity->measured) return *compared.quantity->measured;
  if (row.kind == RowKind::kRequests) return of_runs(measured_runs(row), quantity, compared.process).value();
  if (row.kind == RowKind::kSuspensions) {
    return row.table.numbers.at(spec::column_of_percentile(quantity.percentile)).at(0);
  }
  const std::vector<double>& column = row.table.numbers.at(role_of(quantity.measure));
  if (row.kind == RowKind::kPercentiles) return column.at(*line_of_percentile(row.table, quantity.percentile));
  if (quantity.measure == Measure::kInOrder) return pairs_in_order(column, column);
  if (row.kind == RowKind::kResponses) return column.at(compared.process.value_or(0));
  return row.kind == RowKind::kSlices ? column.at(0) : percentile_of(column, quantity).value();
}

// ---- predicted ---------------------------------------------------------------------------------------------------

// What listens to the simulation of a row.
struct Listeners {
  explicit Listeners(const spec::RowSpec& row, const spec::Spec& spec) {
    switch (row.kind) {
      case RowKind::kArrivals:
        arrivals = std::make_unique<ArrivalSink>(spec, static_cast<std::uint16_t>(row.processes.at(0)));
        break;
      case RowKind::kSlices:
        slices = std::make_unique<SliceSink>(spec);
        break;
      case RowKind::kSuspensions:
        suspensions = std::make_unique<SuspensionSink>(spec, static_cast<std::uint16_t>(row.processes.at(0)));
        break;
      default:
        runs = std::make_unique<RunTimesSink>(spec);
    }
  }

  std::vector<record::ISink*> all() const {
    std::vector<record::ISink*> sinks;
    if (arrivals) sinks.push_back(arrivals.get());
    if (slices) sinks.push_back(slices.get());
    if (suspensions) sinks.push_back(suspensions.get());
    if (runs) sinks.push_back(runs.get());
    return sinks;
  }

  std::unique_ptr<ArrivalSink> arrivals;
  std::unique_ptr<SliceSink> slices;
  std::unique_ptr<SuspensionSink> suspensions;
  std::unique_ptr<RunTimesSink> runs;
};

std::vector<double> arrivals_of(const Listeners& listeners, Measure measure) {
  return measure == Measure::kFirstBlock ? listeners.arrivals->to_first_block() : listeners.arrivals->to_end();
}

std::optional<double> order_of(const spec::RowSpec& row, const std::vector<RunTimes>& runs) {
  std::vector<double> longest;
  for (const RunTimes& its : runs) {
    if (its.ended.empty()) return std::nullopt;
    longest.push_back(its.longest());
  }
  return pairs_in_order(row.table.numbers.at(role_of(Measure::kInOrder)), longest);
}

std::optional<double> predicted_of(const spec::RowSpec& row, const Compared& compared, const Listeners& listeners) {
  const spec::Quantity& quantity = compared.quantity->quantity;
  switch (row.kind) {
    case RowKind::kArrivals:
      return percentile_of(arrivals_of(listeners, quantity.measure), quantity);
    case RowKind::kSlices:
      if (quantity.measure == Measure::kPeriod) return median_of(listeners.slices->periods());
      if (quantity.measure == Measure::kRun) return median_of(listeners.slices->runs());
      return median_of(listeners.slices->nobody_runs());
    case RowKind::kSuspensions:
      return percentile_of(listeners.suspensions->took(), quantity);
    default:
      break;
  }
  std::vector<RunTimes> runs;
  for (const std::uint32_t process : row.processes) runs.push_back(listeners.runs->processes().at(process));
  if (quantity.measure == Measure::kInOrder) return order_of(row, runs);
  return of_runs(runs, quantity, compared.process);
}

std::optional<stats::Interval> interval_of(const spec::RowSpec& row, const Compared& compared,
                                           const Listeners& listeners, std::uint64_t seed) {
  const std::size_t count = samples_of(row, compared);
  if (row.kind != RowKind::kArrivals || count == 0) return std::nullopt;
  std::vector<double> samples = arrivals_of(listeners, compared.quantity->quantity.measure);
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  return stats::drawn_interval(samples, percent_of(compared.quantity->quantity), count, seed);
}

std::vector<std::string> broken_invariants(const record::RunResult& result) {
  std::vector<std::string> faults;
  for (const auto& [invariant, verdict] : result.invariants) {
    if (verdict != "ok" && verdict != "not checked") faults.push_back(invariant + ": " + verdict);
  }
  return faults;
}

// A number of the summary of an experiment as `tessera run` has it.
Predicted predict_values(const std::vector<Compared>& all, const spec::Spec& spec,
                         const std::function<bool()>& is_interrupted) {
  platform::ExperimentOptions options;
  options.draws_timeline = false;
  options.is_interrupted = is_interrupted;
  const platform::ExperimentResult result = platform::run_experiment(spec, options);
  Predicted predicted;
  predicted.effort.simulations = result.timing.size();
  predicted.faults = result.violations;
  for (const Compared& compared : all) {
    const nlohmann::ordered_json::json_pointer at(compared.quantity->quantity.pointer);
    const bool is_there = result.summary.contains(at) && result.summary.at(at).is_number();
    predicted.values.push_back(is_there ? std::optional<double>(result.summary.at(at).get<double>()) : std::nullopt);
    predicted.intervals.emplace_back();
  }
  return predicted;
}

}  // namespace

std::vector<Compared> compared_of(const spec::RowSpec& row) {
  std::vector<Compared> all;
  const std::size_t num_processes = row.processes.size();
  const auto add = [&](const spec::QuantitySpec& quantity, std::optional<std::size_t> process) {
    Compared one{&quantity, process, quantity.quantity.name, {}};
    if (process && num_processes > 1) {
      one.name += " of " + row.predictions.at(0).spec.processes.at(row.processes[*process]).name;
    }
    one.measured = measured_of(row, one);
    all.push_back(std::move(one));
  };
  const bool is_of_processes = row.kind == RowKind::kRequests || row.kind == RowKind::kResponses;
  for (const spec::QuantitySpec& quantity : row.quantities) {
    if (quantity.quantity.measure == Measure::kInOrder) {
      if (num_processes > 1 && !row.table.numbers.empty()) add(quantity, {});  // none of what is kept back
      continue;
    }
    const bool is_sum = quantity.quantity.measure == Measure::kThroughput && !quantity.process;
    if (quantity.process || !is_of_processes) {
      add(quantity, quantity.process);
      continue;
    }
    if (is_sum) add(quantity, {});
    if (is_sum && (quantity.measured || num_processes == 1)) continue;
    for (std::size_t i = 0; i < num_processes; ++i) add(quantity, i);
  }
  return all;
}

std::size_t samples_of(const spec::RowSpec& row, const Compared& compared) {
  const bool has_table = !compared.quantity->measured && compared.measured;
  if (!has_table || row.kind != RowKind::kArrivals) return 0;
  return row.table.numbers.at(role_of(compared.quantity->quantity.measure)).size();
}

void to_json(nlohmann::json& json, const Predicted& predicted) {
  nlohmann::json values = nlohmann::json::array();
  for (const auto& value : predicted.values) values.push_back(value ? nlohmann::json(*value) : nlohmann::json());
  nlohmann::json intervals = nlohmann::json::array();
  for (const auto& one : predicted.intervals) {
    intervals.push_back(one ? nlohmann::json({one->low, one->high}) : nlohmann::json());
  }
  json = {{"values", values}, {"intervals", intervals}, {"effort", predicted.effort}, {"faults", predicted.faults}};
}

void from_json(const nlohmann::json& json, Predicted& predicted) {
  predicted = {};
  for (const auto& value : json.at("values")) {
    predicted.values.push_back(value.is_null() ? std::nullopt : std::optional<double>(value.get<double>()));
  }
  for (const auto& one : json.at("intervals")) {
    predicted.intervals.push_back(
        one.is_null() ? std::nullopt
                      : std::optional(stats::Interval{one.at(0).get<double>(), one.at(1).get<double>()}));
  }
  json.at("effort").get_to(predicted.effort);
  json.at("faults").get_to(predicted.faults);
}

Predicted predict(const spec::RowSpec& row, const spec::Spec& spec, const std::function<bool()>& is_interrupted) {
  const std::vector<Compared> all = compared_of(row);
  if (row.kind == RowKind::kValues) return predict_values(all, spec, is_interrupted);
  const Listeners listeners(row, spec);
  const record::RunResult result = platform::simulate(spec, listeners.all(), is_interrupted);
  Predicted predicted;
  predicted.effort = effort_of(result, spec);
  predicted.faults = broken_invariants(result);
  for (const Compared& compared : all) {
    predicted.values.push_back(predicted_of(row, compared, listeners));
    predicted.intervals.push_back(interval_of(row, compared, listeners, spec.seed));
  }
  return predicted;
}

}  // namespace tessera::campaign
