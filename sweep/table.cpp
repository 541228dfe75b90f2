// SPDX-License-Identifier: Apache-2.0
// Index and axes come from the plan, everything else from the points' files: the same bytes whoever ran them.
#include "sweep/table.h"

#include <algorithm>

#include "model/record/trace/csv_cell.h"
#include "model/spec/json_text.h"

namespace tessera::sweep {
namespace {

using Json = nlohmann::ordered_json;

std::string cell_of(const Json& value) { return value.is_null() ? "" : spec::json_text(value); }

std::string status_cell(const Row& row, const std::string& column) {
  if (column == "seed") return row.seed ? std::to_string(*row.seed) : std::string();
  return column == "engine" ? row.engine : column == "status" ? row.status : row.reason;
}

Row row_of(const Plan& plan, const PlannedPoint& planned, const Json& point) {
  Row row{planned.point.index,
          planned.key,
          plan.labels_of(planned.point),
          planned.point.seed,
          planned.engine,
          point.at("status"),
          point.value("reason", ""),
          point.value("metrics", Json::object()),
          point.value("processes", Json::array())};
  row.values.update(point.value("cost", Json::object()));
  return row;
}

}  // namespace

std::optional<double> Row::value(const std::string& column) const {
  const auto found = values.find(column);
  return found != values.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::size_t Table::num_failed() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.is_done(); }));
}

const stats::Estimate* Design::find(const std::string& column) const {
  const auto found = values.find(column);
  return found == values.end() ? nullptr : &found->second;
}

Table read_table(const Plan& plan, const Folder& folder) {
  Table table{&plan, columns_of(plan), {}};
  for (const PlannedPoint& planned : plan.points) {
    const auto point = folder.point(planned.key);
    if (point) table.rows.push_back(row_of(plan, planned, *point));
  }
  return table;
}

std::string points_csv(const Table& table) {
  std::string csv = "index,key";
  for (const Column& column : table.columns) csv += "," + record::csv_cell(column.name);
  csv += "\n";
  for (const Row& row : table.rows) {
    csv += std::to_string(row.index) + "," + row.key;
    for (const std::string& label : row.labels) csv += "," + record::csv_cell(label);
    for (const Column& column : table.columns) {
      const bool is_value = column.kind == ColumnKind::kMetric || column.kind == ColumnKind::kCost;
      if (column.kind == ColumnKind::kStatus) csv += "," + record::csv_cell(status_cell(row, column.name));
      if (is_value) csv += "," + cell_of(row.values.value(column.name, Json()));
    }
    csv += "\n";
  }
  return csv;
}

std::vector<Design> designs_of(const Table& table) {
  std::vector<Design> designs;
  std::map<std::vector<std::string>, std::vector<const Row*>> rows_of;
  std::vector<std::vector<std::string>> order;
  for (const Row& row : table.rows) {
    auto& rows = rows_of[row.labels];
    if (rows.empty()) order.push_back(row.labels);
    rows.push_back(&row);
  }
  for (const std::vector<std::string>& labels : order) {
    Design& design = designs.emplace_back(Design{labels, {}});
    std::map<std::string, std::vector<stats::Observation>> observations;
    for (const Row* row : rows_of[labels]) {
      for (const auto& [name, value] : row->values.items()) {
        if (value.is_number()) observations[name].push_back({0, value.get<double>(), 1});
      }
    }
    for (const auto& [name, all] : observations) design.values[name] = stats::estimate(all);
  }
  return designs;
}

}  // namespace tessera::sweep
