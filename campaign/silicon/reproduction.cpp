// SPDX-License-Identifier: Apache-2.0
// A file's rows are simulated together, whatever targets they belong to.
#include "campaign/silicon/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::campaign::silicon {
namespace {

constexpr const char* kWhole = "silicon";
constexpr const char* kConfig = "silicon/h200/two.yaml";

Part part(const char* name, const char* description, const char* file, const char* rows) {
  return {{name, description, {}, Keys{}}, file, rows};
}

bool is_of(const Part& part, const std::string& row) {
  const std::string name = part.rows;
  return row == name || row.rfind(name + "-", 0) == 0;
}

void add_score(const ScoreRow& row, const Score& score, Figure& figure) {
  const std::string& name = row.row->name;
  if (score.predicted) {
    figure.values.push_back(value_of(name, "model", score.quantity, *score.predicted, score.measured));
  }
  for (std::size_t i = 0; i < row.ablations.size(); ++i) {
    const std::optional<double>& ours = score.under_ablation.at(i);
    if (ours) figure.values.push_back(value_of(name, row.ablations[i], score.quantity, *ours, score.measured));
  }
  const std::optional<bool> is_inside = score.is_inside();
  if (!is_inside) return;
  const std::string tolerance = tolerance_text(score);
  std::string evidence = fmt::format("{:.6g} and {:.6g} {}", *score.measured, score.predicted.value_or(0), score.unit);
  if (score.interval) evidence += fmt::format("; drawn: {:.6g} to {:.6g}", score.interval->low, score.interval->high);
  figure.orderings.push_back({fmt::format("{}: {} is predicted within {}", name, score.quantity,
                                          tolerance.empty() ? "what chance explains" : tolerance),
                              *is_inside, std::move(evidence)});
}

Scoreboard of_rows(const Scoreboard& board, const std::vector<std::string>& names) {
  Scoreboard some{board.measurements, {}, {}, {}};
  for (const ScoreRow& row : board.rows) {
    if (std::find(names.begin(), names.end(), row.row->name) != names.end()) some.rows.push_back(row);
  }
  return some;
}

Reproduction reproduce(const Request& request) {
  Reproduction reproduction;
  std::map<std::string, std::vector<const Part*>> by_file;
  for (const Part* const part : wanted_of(parts(), request, kWhole)) by_file[part->file].push_back(part);
  std::map<const Part*, Figure> figures;
  for (const auto& [file, wanted] : by_file) {
    const auto measurements = spec::load_measurements(request.config.parent_path().parent_path() / file);
    std::vector<std::string> names;
    for (const Part* const part : wanted) {
      for (std::string& name : rows_of(*part, measurements)) names.push_back(std::move(name));
    }
    const Scoreboard board = score(measurements, names, request.options);
    reproduction.effort.add(board.effort);
    reproduction.violations.insert(reproduction.violations.end(), board.violations.begin(), board.violations.end());
    for (const Part* const part : wanted) {
      figures.emplace(part, figure_of(*part, of_rows(board, rows_of(*part, measurements))));
    }
  }
  for (const Part& part : parts()) {
    const auto found = figures.find(&part);
    if (found != figures.end()) reproduction.figures.push_back(std::move(found->second));
  }
  return reproduction;
}

}  // namespace

const std::vector<Part>& parts() {
  static const std::vector<Part> all{
      part("silicon-alone", "H200: requests of 60 kernels, alone", "h200.yaml", "alone"),
      part("silicon-two", "H200: two processes with requests of 60 kernels", "h200.yaml", "two"),
      part("silicon-single", "H200: two processes that wait for every kernel", "h200.yaml", "single"),
      part("silicon-arrival", "H200: a small kernel arrives beside another context", "h200.yaml", "arrival"),
      part("silicon-mix", "H200: mixes of requests, whose figures are kept back", "h200.yaml", "mix"),
      part("silicon-network", "H200: three networks alone, from their profiles", "h200.yaml", "network"),
      part("silicon-slices", "H200: slices and switches over what is resident", "h200.yaml", "slices"),
      part("silicon-memory", "H200: reads on 1 to 132 SMs, and two kernels that read", "h200.yaml", "memory"),
      part("silicon-dispatch", "H200: how fast one dispatcher places thread blocks", "h200.yaml", "dispatch"),
      part("silicon-placement", "H200: where thread blocks go, and how many run at once", "h200.yaml", "placement"),
      part("silicon-priority", "H200: a kernel of higher priority, or of the same, arrives", "h200.yaml", "priority"),
      part("silicon-mps", "H200: networks in pairs under MPS, and alone on a share of the SMs", "h200.yaml", "mps"),
      part("silicon-h100", "H100: the same mixes, from the H200's constants", "h100.yaml", "h100"),
      part("silicon-gv100", "GV100: two processes with ResNet-152, as the GPU shares", "gv100.yaml", "native"),
      part("silicon-xsched", "GV100: two processes with ResNet-152 under XSched", "gv100.yaml", "xsched"),
      part("silicon-suspend", "GV100: suspensions by XSched, over the length of kernels", "gv100_suspend.yaml",
           "level"),
      part("silicon-xavier", "Xavier NX: a task set, NVIDIA's driver and GCAPS's", "xavier_nx.yaml", "tasks"),
  };
  return all;
}

std::vector<std::string> rows_of(const Part& part, const spec::MeasurementsSpec& measurements) {
  std::vector<std::string> names;
  for (const spec::RowSpec& row : measurements.rows) {
    if (is_of(part, row.name)) names.push_back(row.name);
  }
  return names;
}

Figure figure_of(const Part& part, const Scoreboard& board) {
  Figure figure;
  figure.name = part.target.name;
  figure.title = part.target.description;
  figure.own_table = scores_markdown(board);
  figure.cluster_head = "quantity";
  for (const ScoreRow& row : board.rows) {
    for (const Score& score : row.scores) add_score(row, score, figure);
  }
  return figure;
}

Paper paper() { return {kConfig, kWhole, targets_of(kWhole, parts()), {}, reproduce}; }

}  // namespace tessera::campaign::silicon
