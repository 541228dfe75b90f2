// SPDX-License-Identifier: Apache-2.0
// Figures as text: for programs, for spreadsheets, for people.
#include "campaign/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/number_text.h"
#include "model/record/trace/csv_cell.h"

namespace tessera::campaign {
namespace {

using Json = nlohmann::ordered_json;

Json mean_or_null(const std::optional<stats::Estimate>& estimate) {
  return estimate ? Json(estimate->mean) : Json(nullptr);
}

std::string rounded_mean(const std::optional<stats::Estimate>& estimate) {
  return estimate ? rounded(estimate->mean) : "-";
}

std::string interval(const Value& value) {
  const std::string text = value.ours.half_width > 0 ? "± " + rounded(value.ours.half_width) : "-";
  return value.is_noise() ? text + " (noise)" : text;
}

std::string markdown_row(const Value& value, bool has_halves) {
  std::string row = fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |", value.panel, value.series, value.cluster(),
                                rounded(value.paper), rounded(value.ours.mean),
                                value.ratio() ? fmt::format("{:.2f}", *value.ratio()) : "-", interval(value),
                                value.ours.number > 0 ? fmt::format("{}", value.ours.number) : "-");
  if (has_halves) row += fmt::format(" {} | {} |", rounded_mean(value.calibration), rounded_mean(value.held_out));
  return row + "\n";
}

// A row a value.
std::string table(const Figure& figure) {
  const bool has_halves = std::any_of(figure.values.begin(), figure.values.end(),
                                      [](const Value& value) { return value.held_out.has_value(); });
  std::string text =
      fmt::format("| panel | series | {} | paper | ours | ratio | 95 % | {} |", figure.cluster_head, figure.unit_head);
  text += has_halves ? " calibration | held out |\n" : "\n";
  text += "| --- | --- | --: | --: | --: | --: | --: | --: |";
  text += has_halves ? " --: | --: |\n" : "\n";
  for (const Value& value : figure.values) text += markdown_row(value, has_halves);
  return text;
}

using Row = std::pair<std::string, std::string>;  // series, category

std::string matrix_row(const Figure& figure, const Row& row, const std::vector<std::string>& panels) {
  std::string text = fmt::format("| {} |", row.first);
  if (!figure.meaning_heads.empty()) text += fmt::format(" {} |", row.second);
  for (const std::string& meaning : meaning_of(figure, row.second)) text += fmt::format(" {} |", meaning);
  for (const std::string& panel : panels) {
    const auto value = std::find_if(figure.values.begin(), figure.values.end(), [&](const Value& one) {
      return one.panel == panel && Row(one.series, one.category) == row;
    });
    if (value == figure.values.end()) {
      text += " - |";
      continue;
    }
    text += " " + rounded(value->ours.mean);
    if (figure.has_intervals && value->ours.half_width > 0) text += " ± " + rounded(value->ours.half_width);
    text += " |";
  }
  return text + "\n";
}

// What the paper prints, if it prints anything.
std::string paper_row(const Figure& figure, const std::vector<std::string>& panels) {
  std::string text = "| paper |";
  bool has_paper = false;
  for (const std::string& panel : panels) {
    const auto value =
        std::find_if(figure.values.begin(), figure.values.end(), [&](const Value& one) { return one.panel == panel; });
    text += fmt::format(" {} |", rounded(value->paper));
    has_paper = has_paper || value->paper.has_value();
  }
  return has_paper ? text + "\n" : "";
}

template <class Item>
void add_new(std::vector<Item>& items, Item item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(std::move(item));
}

// A row a series and category, after one of what the paper prints; a column a panel. All in the order of the values.
std::string matrix(const Figure& figure) {
  std::vector<Row> rows;
  std::vector<std::string> panels;
  for (const Value& value : figure.values) {
    add_new(rows, Row(value.series, value.category));
    add_new(panels, value.panel);
  }
  std::string head = "| |";
  std::string rule = "| --- |";
  std::vector<std::string> heads = figure.meaning_heads;
  if (!heads.empty()) heads.insert(heads.begin(), figure.x_label);
  heads.insert(heads.end(), panels.begin(), panels.end());
  for (const std::string& one : heads) {
    head += fmt::format(" {} |", one);
    rule += " --: |";
  }
  std::string text = head + "\n" + rule + "\n" + paper_row(figure, panels);
  for (const Row& row : rows) text += matrix_row(figure, row, panels);
  return text;
}

}  // namespace

std::string Value::cluster() const {
  if (!category.empty()) return category;
  return num_processes == 0 ? "" : std::to_string(num_processes);
}

std::optional<double> Value::ratio() const {
  if (!paper || *paper == 0) return std::nullopt;
  return ours.mean / *paper;
}

bool Value::is_noise() const {
  const bool is_zero = ours.mean == 0 && ours.half_width == 0;  // in all of them: a small share, but no accident
  return ours.number == 1 || (ours.number > 1 && ours.half_width >= std::abs(ours.mean) && !is_zero);
}

Value value_of(std::string panel, std::string series, std::string category, double ours, std::optional<double> paper) {
  Value value;
  value.panel = std::move(panel);
  value.series = std::move(series);
  value.category = std::move(category);
  value.paper = paper;
  value.ours.mean = ours;
  return value;
}

std::vector<std::string> meaning_of(const Figure& figure, const std::string& category) {
  for (const Meaning& meaning : figure.meanings) {
    if (meaning.category == category) return meaning.texts;
  }
  return std::vector<std::string>(figure.meaning_heads.size());
}

Json values_json(const Figure& figure) {
  Json json = Json::array();
  for (const Value& value : figure.values) {
    json.push_back({{"figure", figure.name},
                    {"panel", value.panel},
                    {"series", value.series},
                    {"processes", value.num_processes == 0 ? Json(nullptr) : Json(value.num_processes)},
                    {"category", value.category.empty() ? Json(nullptr) : Json(value.category)},
                    {"paper", number_or_null(value.paper)},
                    {"ours", value.ours.mean},
                    {"ci95", value.ours.half_width},
                    {"ratio", number_or_null(value.ratio())},
                    {"workloads", value.ours.number},
                    {"calibration", mean_or_null(value.calibration)},
                    {"held_out", mean_or_null(value.held_out)}});
    if (value.is_noise()) json.back()["noise"] = true;
    const std::vector<std::string> texts = meaning_of(figure, value.category);
    for (std::size_t i = 0; i < texts.size(); ++i) json.back()[figure.meaning_heads[i]] = texts[i];
  }
  return json;
}

Json orderings_json(const Figure& figure) {
  Json json = Json::array();
  for (const Ordering& ordering : figure.orderings) {
    json.push_back({{"figure", figure.name},
                    {"claim", ordering.claim},
                    {"holds", ordering.holds},
                    {"evidence", ordering.evidence}});
  }
  return json;
}

std::string values_csv(const Figure& figure) {
  std::string csv = "figure,panel,series,processes or category";
  for (const std::string& head : figure.meaning_heads) csv += "," + record::csv_cell(head);
  csv += ",paper,ours,ci95,ratio,workloads,calibration,held_out\n";
  const auto mean = [](const std::optional<stats::Estimate>& estimate) {
    return csv_number(estimate ? std::optional<double>(estimate->mean) : std::nullopt);
  };
  for (const Value& value : figure.values) {
    csv += fmt::format("{},{},{},{}", figure.name, record::csv_cell(value.panel), record::csv_cell(value.series),
                       record::csv_cell(value.cluster()));
    for (const std::string& text : meaning_of(figure, value.category)) csv += "," + record::csv_cell(text);
    csv += fmt::format(",{},{},{},{},{},{},{}\n", csv_number(value.paper), value.ours.mean, value.ours.half_width,
                       csv_number(value.ratio()), value.ours.number, mean(value.calibration), mean(value.held_out));
  }
  return csv;
}

std::string curves_csv(const Figure& figure) {
  if (figure.curves.empty()) return {};
  std::string csv = "figure,panel,series,x,y\n";
  for (const Curve& curve : figure.curves) {
    for (const Point& point : curve.points) {
      csv += fmt::format("{},{},{},{},{}\n", figure.name, record::csv_cell(curve.panel), record::csv_cell(curve.series),
                         point.x, point.y);
    }
  }
  return csv;
}

std::string figure_markdown(const Figure& figure) {
  std::string text = fmt::format("## {}: {}\n\n", figure.name, figure.title);
  if (!figure.own_table.empty()) {
    text += figure.own_table + "\n";
  } else if (!figure.values.empty()) {
    text += (figure.is_matrix ? matrix(figure) : table(figure)) + "\n";
  }
  const bool has_list = figure.own_table.empty() && !figure.orderings.empty();
  for (std::size_t i = 0; has_list && i < figure.orderings.size(); ++i) {
    const Ordering& ordering = figure.orderings[i];
    text += fmt::format("- {}: {} ({})\n", ordering.holds ? "holds" : "**does not hold**", ordering.claim,
                        ordering.evidence);
  }
  if (has_list) text += "\n";
  if (!figure.is_matrix &&
      std::any_of(figure.values.begin(), figure.values.end(), [](const Value& value) { return value.is_noise(); })) {
    const bool has_workloads = figure.unit_head == "workloads";
    text += has_workloads
                ? "Noise: the interval reaches 0, or one workload alone has the value. More workloads tell it "
                  "(--full).\n\n"
                : "Noise: the interval reaches 0.\n\n";
  }
  for (const std::string& note : figure.notes) text += note + "\n\n";
  return text;
}

}  // namespace tessera::campaign
