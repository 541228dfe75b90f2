// SPDX-License-Identifier: Apache-2.0
// Rows get their experiments, also under each ablation, and their tables. Every file is read once.
#include "model/spec/measured/load_measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/spec/file_kind.h"
#include "model/spec/measured/measured_table.h"
#include "model/spec/measured/measurement_names.h"
#include "model/spec/measured/read_measurements.h"
#include "model/spec/readers.h"
#include "model/spec/references.h"

namespace tessera::spec {
namespace {

class RowLoader {
 public:
  RowLoader(const std::filesystem::path& path, const MeasurementsFile& file, DocumentCache& cache, Report& report)
      : path_(path), file_(file), cache_(cache), report_(report) {}

  void load(const OpenRow& open, RowSpec& row) {
    const std::size_t before = report_.size();
    predict("", open, {}, row);
    if (report_.size() > before) return;
    for (const std::size_t i : open.ablations) predict(file_.ablations[i].name, open, file_.ablations[i].settings, row);
    if (open.experiment.kind == Node::Kind::kInvalid || row.predictions.empty()) return;
    find_processes(open, row);
    if (row.processes.size() == 1) find_kernels(open, row);
    if (open.file) read_table(open, row);
    if (report_.size() == before) check(open, row);
  }

 private:
  void predict(const std::string& ablation, const OpenRow& open, const std::vector<Override>& more, RowSpec& row) {
    if (open.experiment.kind == Node::Kind::kInvalid) return;
    Node root = open.experiment;
    std::filesystem::path place = path_;
    if (root.kind == Node::Kind::kScalar) {
      place = (path_.parent_path() / root.text).lexically_normal();
      const auto known = cache_.find(place.string());
      root = known != cache_.end() ? known->second
                                   : read_document(place, open.experiment.where, open.path / "experiment", report_);
      expect_kind(root, FileKind::kExperiment, open.experiment.where, open.path / "experiment", report_);
      if (root.kind == Node::Kind::kInvalid) return;
      cache_.emplace(place.string(), root);
    }
    std::vector<Override> settings = open.settings;
    for (const Override& change : more) set_over(settings, change);
    sort_overrides(settings);
    const Node tree = resolve_experiment(std::move(root), place, settings, report_, &cache_);
    row.predictions.push_back({ablation, read_experiment(tree, Cores::kTlm, UnreadKeys::kRefused, report_)});
  }

  // Those that the row names; else those that the experiment waits for.
  void find_processes(const OpenRow& open, RowSpec& row) {
    const std::vector<ProcessSpec>& all = row.predictions[0].spec.processes;
    for (std::uint32_t i = 0; i < all.size() && open.processes.empty(); ++i) {
      if (!all[i].is_background) row.processes.push_back(i);
    }
    for (const OpenName& name : open.processes) {
      if (const auto found = process_of(name, all)) row.processes.push_back(*found);
    }
    for (std::size_t i = 0; i < open.processes_of_quantities.size(); ++i) {
      const std::optional<OpenName>& name = open.processes_of_quantities[i];
      if (!name) continue;
      const auto found = process_of(*name, all);
      if (!found) continue;
      const auto place = std::find(row.processes.begin(), row.processes.end(), *found);
      if (place == row.processes.end()) {
        report_.add(name->where, name->key, "is no process of this row", name->text);
      } else {
        row.quantities[i].process = static_cast<std::size_t>(place - row.processes.begin());
      }
    }
  }

  std::optional<std::uint32_t> process_of(const OpenName& name, const std::vector<ProcessSpec>& all) {
    std::string names;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].name == name.text) return i;
      names += (names.empty() ? "" : ", ") + all[i].name;
    }
    report_.add(name.where, name.key, "the experiment has no process of this name", name.text, std::move(names));
    return std::nullopt;
  }

  void read_table(const OpenRow& open, RowSpec& row) {
    const TableReference reference{(path_.parent_path() / open.file->text).lexically_normal(), open.file->where,
                                   open.file->key, row.kind, open.columns};
    row.table = read_measured_table(reference, report_);
    if (has_entry(row.kind) && !row.table.numbers.empty()) pick_entry(open, row);
  }

  const std::vector<KernelSpec>& kernels_of(const RowSpec& row) const {
    const Spec& spec = row.predictions[0].spec;
    return spec.applications[spec.processes[row.processes[0]].application].kernels;
  }

  // The kernel that a row of starts is about, and those whose rates are compared.
  void find_kernels(const OpenRow& open, RowSpec& row) {
    const std::vector<KernelSpec>& kernels = kernels_of(row);
    const auto find = [&](const OpenName& name) -> std::optional<std::uint16_t> {
      std::string names;
      for (std::uint16_t i = 0; i < kernels.size(); ++i) {
        if (kernels[i].name == name.text) return i;
        names += (names.empty() ? "" : ", ") + kernels[i].name;
      }
      report_.add(name.where, name.key, "the process has no kernel of this name", name.text, std::move(names));
      return std::nullopt;
    };
    if (open.kernel) row.kernel = find(*open.kernel).value_or(0);
    if (row.kind != RowKind::kRates) return;
    for (const OpenName& name : open.quantities) find(name);
    for (const KernelSpec& kernel : kernels) {
      const auto is_named = [&](const OpenName& name) { return name.text == kernel.name; };
      if (!open.of_kernels || std::any_of(open.quantities.begin(), open.quantities.end(), is_named)) continue;
      row.quantities.push_back({rate_of(kernel.name), open.of_kernels->standing, open.of_kernels->tolerance, {}, {}});
    }
  }

  // The lines of a table that the row is about: one, or those of one name.
  void pick_entry(const OpenRow& open, RowSpec& row) {
    const std::vector<std::string>& names = row.table.texts["name"];
    if (!open.entry) {
      if (!is_one_line(row.kind) || row.table.numbers.begin()->second.size() == 1) return;
      report_.add(open.where, open.path / "entry", "is missing: the file has several lines", "", each_once(names));
      return;
    }
    const auto is_its = [&](const std::string& name) { return name == open.entry->text; };
    if (std::none_of(names.begin(), names.end(), is_its)) {
      report_.add(open.entry->where, open.entry->key, "the file has no line of this name", open.entry->text,
                  each_once(names));
      return;
    }
    for (auto& [role, numbers] : row.table.numbers) {
      std::vector<double> its;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (is_its(names.at(i))) its.push_back(numbers[i]);
      }
      numbers = std::move(its);
    }
  }

  static std::string each_once(const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const std::string& name : names) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  // What only table and experiment together tell.
  void check(const OpenRow& open, const RowSpec& row) {
    const Location& where = open.file ? open.file->where : open.where;
    const KeyPath& key = open.file ? open.file->key : open.path;
    const auto complain = [&](std::string problem, std::string value, std::string allowed) {
      report_.add(where, key, std::move(problem), std::move(value), std::move(allowed));
    };
    const std::size_t num_processes = row.processes.size();
    const bool is_of_one = row.kind == RowKind::kArrivals || row.kind == RowKind::kPercentiles ||
                           row.kind == RowKind::kSuspensions || row.kind == RowKind::kRates ||
                           row.kind == RowKind::kStarts;
    if (is_of_one && num_processes != 1) {
      report_.add(open.where, open.path / "processes", "must be one", std::to_string(num_processes),
                  "the one measured");
      return;
    }
    check_numbers(open, row);
    check_columns(open, row);
    if (row.table.numbers.empty()) return;
    if (row.kind == RowKind::kRequests) {
      const std::size_t measured = distinct(row.table.texts, "process");
      if (measured != num_processes) {
        complain("has another number of processes than the row", std::to_string(measured),
                 std::to_string(num_processes));
      }
    }
    if (row.kind == RowKind::kResponses && row.table.numbers.at("value_us").size() != num_processes) {
      complain("has another number of lines than the row has processes",
               std::to_string(row.table.numbers.at("value_us").size()), std::to_string(num_processes));
    }
    if (row.kind == RowKind::kPercentiles || row.kind == RowKind::kSuspensions) check_percentiles(open, row);
  }

  // A number of its own is one process's, or the sum of all.
  void check_numbers(const OpenRow& open, const RowSpec& row) {
    if (row.kind != RowKind::kRequests && row.kind != RowKind::kResponses) return;
    for (std::size_t i = 0; i < row.quantities.size(); ++i) {
      const QuantitySpec& quantity = row.quantities[i];
      const bool is_sum = quantity.quantity.measure == Measure::kThroughput;
      if (!quantity.measured || quantity.process || is_sum || row.processes.size() == 1) continue;
      report_.add(open.quantities[i].where, open.quantities[i].key, "has a number, and the row several processes",
                  open.quantities[i].text, "process beside it");
    }
  }

  // Tables of starts and of thread blocks have some columns, those of rates some lines.
  void check_columns(const OpenRow& open, const RowSpec& row) {
    if (!open.file) return;
    for (std::size_t i = 0; i < row.quantities.size(); ++i) {
      const QuantitySpec& spec = row.quantities[i];
      if (spec.measured || spec.standing == Standing::kKeptBack) continue;
      const bool is_named = i < open.quantities.size();
      const Location& where = is_named ? open.quantities[i].where : open.where;
      const KeyPath& key = is_named ? open.quantities[i].key : open.path;
      const std::string& name = spec.quantity.name;
      if (row.kind == RowKind::kRates) {
        const auto found = row.table.texts.find("name");
        const bool has_line = found != row.table.texts.end() &&
                              std::find(found->second.begin(), found->second.end(), name) != found->second.end();
        if (!has_line) report_.add(where, key, "the file has no line of this name", name);
      } else if (row.kind == RowKind::kThreadBlocks || row.kind == RowKind::kStarts) {
        const std::string column(column_of(spec.quantity.measure));
        const bool has_it = spec.quantity.measure != Measure::kAtOnce || row.table.numbers.count("start_us") > 0;
        if (!has_it || row.table.numbers.count(column) == 0) {
          report_.add(where, key, "the file has no column for it", name,
                      column.empty() ? "measured beside it" : column);
        }
      }
    }
  }

  static std::size_t distinct(const std::map<std::string, std::vector<std::string>>& texts, const char* role) {
    const auto found = texts.find(role);
    if (found == texts.end()) return 1;
    std::vector<std::string> names = found->second;
    std::sort(names.begin(), names.end());
    return static_cast<std::size_t>(std::unique(names.begin(), names.end()) - names.begin());
  }

  void check_percentiles(const OpenRow& open, const RowSpec& row) {
    for (std::size_t i = 0; i < row.quantities.size(); ++i) {
      const QuantitySpec& quantity = row.quantities[i];
      if (quantity.measured || has_percentile(row, quantity.quantity.percentile)) continue;
      report_.add(open.quantities[i].where, open.quantities[i].key, "the file has no such percentile",
                  open.quantities[i].text);
    }
  }

  static bool has_percentile(const RowSpec& row, std::uint32_t percentile) {
    if (row.kind == RowKind::kPercentiles) return line_of_percentile(row.table, percentile).has_value();
    return row.table.numbers.count(column_of_percentile(percentile)) > 0;
  }

  const std::filesystem::path& path_;
  const MeasurementsFile& file_;
  DocumentCache& cache_;
  Report& report_;
};

}  // namespace

MeasurementsSpec load_measurements(const Node& root, const std::filesystem::path& path, Report& report) {
  MeasurementsFile file = read_measurements(root, report);
  DocumentCache cache;
  RowLoader loader(path, file, cache, report);
  for (std::size_t i = 0; i < file.rows.size() && !report.is_long(); ++i) loader.load(file.rows[i], file.spec.rows[i]);
  return std::move(file.spec);
}

MeasurementsSpec load_measurements(const std::filesystem::path& path) {
  Report report;
  report.overrides_stand_in(path.string());
  Node root = read_document(path, {path.string(), 1, 1}, {}, report);
  expect_kind(root, FileKind::kMeasurements, {path.string(), 1, 1}, {}, report);
  MeasurementsSpec measurements = load_measurements(root, path, report);
  if (report.size() > 0) throw InputError(report.diagnostics());
  return measurements;
}

}  // namespace tessera::spec
