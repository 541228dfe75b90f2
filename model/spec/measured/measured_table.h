// SPDX-License-Identifier: Apache-2.0
// A file of measurements: CSV with a header. Which columns a kind of row reads, and in which unit.
// Internal to model/spec.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/spec/measured/measurements_spec.h"
#include "model/spec/report.h"

namespace tessera::spec {

struct ColumnRole {
  std::string_view role;  // what the column is called unless the row says otherwise
  Meaning meaning;
  std::vector<RowKind> kinds;
  enum class Holds { kTimes, kNumbers, kNames } holds = Holds::kTimes;
  bool may_lack = false;  // a file need not have it
};
const std::vector<ColumnRole>& column_roles();
bool has_column(RowKind kind, const ColumnRole& role);
bool has_entry(RowKind kind);  // a row of it is one line of its table, or several of one name
bool is_one_line(RowKind kind);

// Where a row's measurements are, and who refers to them.
struct TableReference {
  std::filesystem::path path;
  Location where;
  KeyPath key;
  RowKind kind = RowKind::kRequests;
  std::map<std::string, std::string> columns;  // by role, where the column is called otherwise
};

// Columns that end in _ns, _ms or _s are in that unit, others in us. Names may be put together of several columns,
// `a+b` becomes `1-2`. Mistakes are reported at their line.
MeasuredTable read_measured_table(const TableReference& reference, Report& report);

}  // namespace tessera::spec
