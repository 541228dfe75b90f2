// SPDX-License-Identifier: Apache-2.0
// The finished points of a sweep as a table, and what is drawn and told from it: means over seeds.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "stats/estimate.h"
#include "sweep/columns.h"
#include "sweep/folder.h"
#include "sweep/plan.h"

namespace tessera::sweep {

struct Row {
  std::size_t index = 0;
  std::string key;
  std::vector<std::string> labels;  // of each axis
  std::optional<std::uint64_t> seed;
  std::string engine;
  std::string status;
  std::string reason;
  nlohmann::ordered_json values;     // by column; a number, or null
  nlohmann::ordered_json processes;  // as in summary.json

  bool is_done() const { return status == "done"; }
  std::optional<double> value(const std::string& column) const;
};

struct Table {
  const Plan* plan = nullptr;
  std::vector<Column> columns;
  std::vector<Row> rows;  // of finished points, by index

  std::size_t num_failed() const;
};

// A point but for its seed: the replicates together.
struct Design {
  std::vector<std::string> labels;
  std::map<std::string, stats::Estimate> values;  // by column, of those that are done

  const stats::Estimate* find(const std::string& column) const;  // null: nobody has it
};

Table read_table(const Plan& plan, const Folder& folder);

std::string points_csv(const Table& table);

// In the order of their first points.
std::vector<Design> designs_of(const Table& table);

}  // namespace tessera::sweep
