// SPDX-License-Identifier: Apache-2.0
// What a simulation says of a row's quantities: the same statistics of its records.
#include <algorithm>
#include <initializer_list>
#include <memory>

#include "campaign/silicon/arrivals.h"
#include "campaign/silicon/compared.h"
#include "campaign/silicon/kernel_rates.h"
#include "campaign/silicon/run_times.h"
#include "campaign/silicon/slices.h"
#include "campaign/silicon/starts.h"
#include "campaign/silicon/statistics.h"
#include "campaign/silicon/suspensions.h"
#include "campaign/silicon/thread_blocks.h"
#include "model/spec/spec.h"
#include "platform/experiment.h"
#include "platform/simulation.h"

namespace tessera::campaign {
namespace {

using spec::Measure;
using spec::RowKind;

// What listens to the simulation of a row.
struct Listeners {
  explicit Listeners(const spec::RowSpec& row, const spec::Spec& spec) {
    const auto its_process = static_cast<std::uint16_t>(row.processes.at(0));
    switch (row.kind) {
      case RowKind::kArrivals:
        arrivals = std::make_unique<ArrivalSink>(spec, its_process);
        break;
      case RowKind::kSlices:
        slices = std::make_unique<SliceSink>(spec);
        break;
      case RowKind::kSuspensions:
        suspensions = std::make_unique<SuspensionSink>(spec, its_process);
        break;
      case RowKind::kRates:
        rates = std::make_unique<KernelRateSink>(spec, its_process);
        break;
      case RowKind::kThreadBlocks:
        thread_blocks = std::make_unique<ThreadBlockSink>(spec, row.processes);
        break;
      case RowKind::kStarts:
        starts = std::make_unique<StartSink>(spec, its_process, row.kernel);
        break;
      default:
        runs = std::make_unique<RunTimesSink>(spec);
    }
  }

  std::vector<record::ISink*> all() const {
    std::vector<record::ISink*> sinks;
    for (record::ISink* const sink :
         std::initializer_list<record::ISink*>{arrivals.get(), slices.get(), suspensions.get(), rates.get(),
                                               thread_blocks.get(), starts.get(), runs.get()}) {
      if (sink) sinks.push_back(sink);
    }
    return sinks;
  }

  std::unique_ptr<ArrivalSink> arrivals;
  std::unique_ptr<SliceSink> slices;
  std::unique_ptr<SuspensionSink> suspensions;
  std::unique_ptr<KernelRateSink> rates;
  std::unique_ptr<ThreadBlockSink> thread_blocks;
  std::unique_ptr<StartSink> starts;
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
  return pairs_in_order(row.table.numbers.at(std::string(spec::column_of(Measure::kInOrder))), longest);
}

std::optional<double> rate_of(const spec::RowSpec& row, const spec::Quantity& quantity, const KernelRateSink& rates) {
  const spec::Spec& spec = row.predictions.at(0).spec;
  const std::vector<spec::KernelSpec>& kernels =
      spec.applications.at(spec.processes.at(row.processes.at(0)).application).kernels;
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const spec::KernelSpec& kernel) { return kernel.name == quantity.name; });
  return median_of(rates.rates_of(static_cast<std::size_t>(found - kernels.begin())));
}

std::optional<double> of_thread_blocks(const ThreadBlockSink& tbs, const spec::Quantity& quantity) {
  if (quantity.measure == Measure::kTurnaround) return percentile_of(tbs.turnarounds(), quantity);
  if (tbs.sms().empty()) return std::nullopt;
  return quantity.measure == Measure::kAtOnce ? most_at_once(tbs.starts(), tbs.ends()) : even_sms(tbs.sms());
}

std::optional<double> of_starts(const StartSink& starts, Measure measure) {
  switch (measure) {
    case Measure::kMedianStart:
      return mean_of(starts.medians());
    case Measure::kLastStart:
      return mean_of(starts.lasts());
    case Measure::kOthersBetween:
      return mean_of(starts.others_between());
    default:
      return mean_of(starts.others_since());
  }
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
    case RowKind::kRates:
      return rate_of(row, quantity, *listeners.rates);
    case RowKind::kThreadBlocks:
      return of_thread_blocks(*listeners.thread_blocks, quantity);
    case RowKind::kStarts:
      return of_starts(*listeners.starts, quantity.measure);
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
