// SPDX-License-Identifier: Apache-2.0
// What a row's file says of its quantities.
#include "campaign/silicon/compared.h"

#include <algorithm>

#include "campaign/silicon/run_times.h"
#include "campaign/silicon/statistics.h"
#include "campaign/silicon/thread_blocks.h"
#include "model/spec/spec.h"

namespace tessera::campaign {
namespace {

using spec::Measure;
using spec::RowKind;

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

// Of the lines of a table that have the quantity's name.
std::optional<double> measured_rate(const spec::RowSpec& row, const spec::Quantity& quantity) {
  const std::vector<std::string>& names = row.table.texts.at("name");
  const std::vector<double>& rates = row.table.numbers.at("rate");
  std::vector<double> its;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == quantity.name) its.push_back(rates[i]);
  }
  return median_of(its);
}

std::optional<double> measured_of(const spec::RowSpec& row, const Compared& compared) {
  const spec::Quantity& quantity = compared.quantity->quantity;
  if (compared.quantity->standing == spec::Standing::kKeptBack) return std::nullopt;
  if (compared.quantity->measured) return *compared.quantity->measured;
  if (row.kind == RowKind::kRequests) return of_runs(measured_runs(row), quantity, compared.process).value();
  if (row.kind == RowKind::kSuspensions) {
    return row.table.numbers.at(spec::column_of_percentile(quantity.percentile)).at(0);
  }
  if (row.kind == RowKind::kRates) return measured_rate(row, quantity);
  const std::vector<double>& column = row.table.numbers.at(std::string(spec::column_of(quantity.measure)));
  if (row.kind == RowKind::kPercentiles) return column.at(*line_of_percentile(row.table, quantity.percentile));
  if (quantity.measure == Measure::kInOrder) return pairs_in_order(column, column);
  if (row.kind == RowKind::kResponses) return column.at(compared.process.value_or(0));
  if (quantity.measure == Measure::kAtOnce) return most_at_once(row.table.numbers.at("start_us"), column);
  if (quantity.measure == Measure::kEvenSms) return even_sms(column);
  if (row.kind == RowKind::kStarts) return mean_of(column);
  return row.kind == RowKind::kSlices ? column.at(0) : percentile_of(column, quantity).value();
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
  return row.table.numbers.at(std::string(spec::column_of(compared.quantity->quantity.measure))).size();
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

}  // namespace tessera::campaign
