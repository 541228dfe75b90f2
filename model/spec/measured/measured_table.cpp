// SPDX-License-Identifier: Apache-2.0
// CSV -> columns of numbers and names.
// Internal to model/spec.
#include "model/spec/measured/measured_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "model/base/csv_line.h"
#include "model/base/input_file.h"
#include "model/spec/document.h"
#include "model/spec/file_limit.h"

namespace tessera::spec {
namespace {

using Holds = ColumnRole::Holds;

struct Column {
  const ColumnRole* role;
  std::string name;
  std::vector<std::size_t> cells;  // of the line; several make up a name
  double unit_us;
};

constexpr char kJoins = '+';  // between columns, in the name of a name's column

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == kJoins) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

double unit_us(const ColumnRole& role, std::string_view name) {
  if (role.holds != Holds::kTimes) return 1;
  for (const auto& [end, unit] : {std::pair("_ns", 1e-3), std::pair("_us", 1.0), std::pair("_ms", 1e3)}) {
    if (ends_with(name, end)) return unit;
  }
  return ends_with(name, "_s") ? 1e6 : 1;
}

std::optional<double> measured_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && std::isfinite(value) && value >= 0 ? std::optional<double>(value) : std::nullopt;
}

class TableReader {
 public:
  TableReader(const TableReference& reference, Report& report)
      : reference_(reference), at_{reference.path.string(), 1, 1}, report_(report) {}

  MeasuredTable read(const std::string& text) {
    std::size_t num_rows = 0;
    for (std::size_t start = 0; start < text.size() && !report_.is_long(); ++at_.line) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      std::string_view line = std::string_view(text).substr(start, end - start);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      start = end + 1;
      if (at_.line == 1) {
        if (!read_header(line)) return {};
      } else if (!line.empty()) {
        read_line(line);
        ++num_rows;
      }
    }
    if (num_rows == 0) report_.add({reference_.path.string(), 1, 1}, {}, "holds no measurement", "", "a line each");
    return std::move(table_);
  }

 private:
  bool read_header(std::string_view line) {
    const std::vector<std::string> names = csv_texts(line);
    num_cells_ = names.size();
    bool is_good = true;
    for (const ColumnRole& role : column_roles()) {
      if (!has_column(reference_.kind, role)) continue;
      const auto renamed = reference_.columns.find(std::string(role.role));
      std::string name = renamed == reference_.columns.end() ? std::string(role.role) : renamed->second;
      const bool is_name = role.holds == Holds::kNames;
      const bool is_needed = !role.may_lack || renamed != reference_.columns.end();
      std::vector<std::size_t> cells;
      for (const std::string& part : is_name ? parts_of(name) : std::vector<std::string>{name}) {
        const auto found = std::find(names.begin(), names.end(), part);
        if (found != names.end()) {
          cells.push_back(static_cast<std::size_t>(found - names.begin()));
          continue;
        }
        cells.clear();
        if (!is_needed) break;
        report_.add(at_, key_of(part), "the file has no such column", "", fmt::format("{}", fmt::join(names, ", ")));
        is_good = false;
        break;
      }
      if (cells.empty()) continue;
      const double unit = unit_us(role, name);
      columns_.push_back({&role, std::move(name), std::move(cells), unit});
    }
    return is_good;
  }

  void read_line(std::string_view line) {
    split_csv(line, cells_);
    if (cells_.size() != num_cells_) {
      report_.add(at_, {}, "has another number of cells than the header", std::to_string(cells_.size()),
                  std::to_string(num_cells_));
      return;
    }
    for (const Column& column : columns_) {
      const CsvCell& cell = cells_[column.cells[0]];
      const std::string role(column.role->role);
      if (column.role->holds == Holds::kNames) {
        table_.texts[role].push_back(name_in(column));
      } else if (const std::optional<double> number = measured_in(cell.text)) {
        table_.numbers[role].push_back(*number * column.unit_us);
      } else {
        report_.add({at_.file, at_.line, static_cast<int>(cell.column)}, key_of(column.name),
                    "must be a number, not negative", cell.text.empty() ? "nothing" : std::string(cell.text));
      }
    }
  }

  std::string name_in(const Column& column) const {
    std::string name = unquoted(cells_[column.cells[0]].text);
    for (std::size_t i = 1; i < column.cells.size(); ++i) name += "-" + unquoted(cells_[column.cells[i]].text);
    return name;
  }

  static KeyPath key_of(const std::string& name) { return {name, name}; }

  const TableReference& reference_;
  Location at_;
  Report& report_;
  std::size_t num_cells_ = 0;
  std::vector<Column> columns_;
  std::vector<CsvCell> cells_;
  MeasuredTable table_;
};

}  // namespace

const std::vector<ColumnRole>& column_roles() {
  static const std::vector<ColumnRole> all{
      {"process", "`requests`: whose request it is", {RowKind::kRequests}, Holds::kNames, true},
      {"released_us", "`requests`", {RowKind::kRequests}},
      {"finished_us", "`requests`", {RowKind::kRequests}},
      {"to_first_block_us", "`arrivals`: from the call", {RowKind::kArrivals}},
      {"to_sync_us", "`arrivals`: from the call to the return of a wait", {RowKind::kArrivals}},
      {"name",
       "`slices`, `suspensions`, `rates`, `thread_blocks`, `starts`: of the line; `a+b` puts it together of columns "
       "`a` and `b`, with a dash between them",
       {RowKind::kSlices, RowKind::kSuspensions, RowKind::kRates, RowKind::kThreadBlocks, RowKind::kStarts},
       Holds::kNames,
       true},
      {"period_us", "`slices`", {RowKind::kSlices}},
      {"run_first_sm_us", "`slices`", {RowKind::kSlices}},
      {"none_runs_first_sm_us", "`slices`", {RowKind::kSlices}},
      {"p50_us", "`suspensions`", {RowKind::kSuspensions}},
      {"p95_us", "`suspensions`", {RowKind::kSuspensions}},
      {"p99_us", "`suspensions`", {RowKind::kSuspensions}},
      {"percentile",
       "`percentiles`: per cent, or shares where none is above 1",
       {RowKind::kPercentiles},
       Holds::kNumbers},
      {"task", "`responses`: of the line", {RowKind::kResponses}, Holds::kNames, true},
      {"value_us", "`percentiles`, `responses`", {RowKind::kPercentiles, RowKind::kResponses}},
      {"rate", "`rates`: thread blocks a us", {RowKind::kRates}, Holds::kNumbers},
      {"sm", "`thread_blocks`: where it ran", {RowKind::kThreadBlocks}, Holds::kNumbers, true},
      {"start_us", "`thread_blocks`", {RowKind::kThreadBlocks}, Holds::kTimes, true},
      {"end_us", "`thread_blocks`", {RowKind::kThreadBlocks}, Holds::kTimes, true},
      {"median_us", "`starts`: of a launch's thread blocks the middle start, after the first one", {RowKind::kStarts}},
      {"last_us", "`starts`: likewise the last one", {RowKind::kStarts}},
      {"others",
       "`starts`: thread blocks of other launches that started meanwhile",
       {RowKind::kStarts},
       Holds::kNumbers,
       true},
  };
  return all;
}

bool has_column(RowKind kind, const ColumnRole& role) {
  return std::find(role.kinds.begin(), role.kinds.end(), kind) != role.kinds.end();
}

bool is_one_line(RowKind kind) { return kind == RowKind::kSlices || kind == RowKind::kSuspensions; }

bool has_entry(RowKind kind) { return is_one_line(kind) || kind == RowKind::kThreadBlocks || kind == RowKind::kStarts; }

MeasuredTable read_measured_table(const TableReference& reference, Report& report) {
  std::string problem;
  const std::optional<std::string> text = read_input_file(reference.path, kMaxFileBytes, problem);
  if (!text) {
    report.add(reference.where, reference.key, std::move(problem), reference.path.string());
    return {};
  }
  if (reject_foreign_bytes(*text, {reference.path.string(), 1, 1}, report)) return {};
  return TableReader(reference, report).read(*text);
}

}  // namespace tessera::spec
