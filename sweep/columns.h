// SPDX-License-Identifier: Apache-2.0
// The columns of a sweep's tables, and a point's values in them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/spec/spec.h"

namespace tessera::sweep {

struct Plan;

enum class ColumnKind { kAxis, kMetric, kCost, kStatus };
const char* to_string(ColumnKind kind);

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::kMetric;
  std::string unit;
};

// In the order of points.csv, behind `index` and `key`.
std::vector<Column> columns_of(const Plan& plan);

// Metrics by column (model/spec/sweep/sweep_columns.h), from a summary; null where one does not apply.
nlohmann::ordered_json metrics_of(const nlohmann::ordered_json& summary, const spec::Spec& spec);

}  // namespace tessera::sweep
