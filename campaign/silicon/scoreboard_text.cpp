// SPDX-License-Identifier: Apache-2.0
// A scoreboard for programs, for spreadsheets, for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/number_text.h"
#include "campaign/silicon/scoreboard.h"
#include "model/record/trace/csv_cell.h"
#include "model/spec/measured/measurement_names.h"

namespace tessera::campaign {
namespace {

using Json = nlohmann::ordered_json;

std::string rounded_ratio(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.3f}", *ratio) : "-"; }

const char* word(const std::optional<bool>& is_so) { return !is_so ? "" : *is_so ? "yes" : "no"; }

Json constants_json(const spec::MeasurementsSpec& measurements) {
  Json json = Json::array();
  for (const spec::ConstantSpec& constant : measurements.constants) {
    json.push_back({{"name", constant.name},
                    {"key", constant.key},
                    {"value", constant.value},
                    {constant.is_fitted() ? "fitted_on" : "taken_from",
                     constant.is_fitted() ? constant.fitted_on : constant.taken_from},
                    {"reason", constant.reason}});
  }
  return json;
}

std::vector<std::string> constants_of(const spec::MeasurementsSpec& measurements, const spec::RowSpec& row) {
  std::vector<std::string> names;
  for (const std::uint32_t i : row.constants) names.push_back(measurements.constants.at(i).name);
  return names;
}

Json score_json(const ScoreRow& row, const Score& score) {
  Json json{{"quantity", score.quantity},
            {"unit", score.unit},
            {"measured", number_or_null(score.measured)},
            {"predicted", number_or_null(score.predicted)},
            {"ratio", number_or_null(score.ratio(score.predicted))},
            {"inside", score.is_inside() ? Json(*score.is_inside()) : Json(nullptr)},
            {"is", spec::to_string(score.standing)},
            {"tolerance_percent", number_or_null(score.tolerance.percent)},
            {"tolerance_us", number_or_null(score.tolerance.us)}};
  if (score.interval) json["interval"] = {score.interval->low, score.interval->high};
  json["ablations"] = Json::object();
  for (std::size_t i = 0; i < row.ablations.size(); ++i) {
    json["ablations"][row.ablations[i]] = number_or_null(score.under_ablation.at(i));
  }
  return json;
}

// Of all rows, each once.
std::vector<std::string> ablations_of(const Scoreboard& board) {
  std::vector<std::string> all;
  for (const ScoreRow& row : board.rows) {
    for (const std::string& name : row.ablations) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
  }
  return all;
}

// Empty where the row has no such ablation, or nothing came of it.
std::optional<double> under(const std::string& ablation, const ScoreRow& row, const Score& score) {
  const auto found = std::find(row.ablations.begin(), row.ablations.end(), ablation);
  if (found == row.ablations.end()) return std::nullopt;
  return score.under_ablation.at(static_cast<std::size_t>(found - row.ablations.begin()));
}

std::string inside_text(const Score& score) {
  const std::optional<bool> is_inside = score.is_inside();
  if (!is_inside) return "-";
  const std::string tolerance = tolerance_text(score);
  const std::string drawn = score.interval ? "drawn" : "";
  return fmt::format("{} ({}{}{})", word(is_inside), tolerance, tolerance.empty() || drawn.empty() ? "" : ", ", drawn);
}

std::string table(const Scoreboard& board) {
  const std::vector<std::string> ablations = ablations_of(board);
  std::string text = "| row | quantity | unit | measured | predicted | ratio | inside | is | degrees of freedom |";
  std::string rule = "| --- | --- | --- | --: | --: | --: | --- | --- | --: |";
  for (const std::string& name : ablations) {
    text += fmt::format(" {} |", name);
    rule += " --: |";
  }
  text += "\n" + rule + "\n";
  for (const ScoreRow& row : board.rows) {
    const std::size_t degrees = board.measurements->degrees_of_freedom(*row.row);
    for (const Score& score : row.scores) {
      text +=
          fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |", row.row->name, score.quantity, score.unit,
                      rounded(score.measured), rounded(score.predicted), rounded_ratio(score.ratio(score.predicted)),
                      inside_text(score), spec::to_string(score.standing), degrees);
      for (const std::string& name : ablations) {
        text += fmt::format(" {} |", rounded_ratio(score.ratio(under(name, row, score))));
      }
      text += "\n";
    }
  }
  return text;
}

std::string rows_text(const Scoreboard& board) {
  std::string text;
  for (const ScoreRow& row : board.rows) {
    const std::vector<std::string> constants = constants_of(*board.measurements, *row.row);
    text += fmt::format("- `{}`: {}. Measured: {}. Constants: {}\n", row.row->name, row.row->title, row.row->source,
                        constants.empty() ? "none" : fmt::format("{}", fmt::join(constants, ", ")));
  }
  return text;
}

std::string constants_text(const Scoreboard& board) {
  const auto is_used = [&board](std::uint32_t i) {
    return std::any_of(board.rows.begin(), board.rows.end(), [i](const ScoreRow& row) {
      return std::count(row.row->constants.begin(), row.row->constants.end(), i) > 0;
    });
  };
  std::string text;
  for (std::uint32_t i = 0; i < board.measurements->constants.size(); ++i) {
    if (!is_used(i)) continue;
    const spec::ConstantSpec& constant = board.measurements->constants[i];
    text +=
        fmt::format("- {}: {}{} ({} {}): {}\n", constant.name, constant.key.empty() ? "" : "`" + constant.key + "` ",
                    constant.value, constant.is_fitted() ? "fitted on" : "taken from",
                    constant.is_fitted() ? constant.fitted_on : constant.taken_from, constant.reason);
  }
  return text;
}

}  // namespace

std::string tolerance_text(const Score& score) {
  const auto& [percent, us] = score.tolerance;
  std::string text = percent ? fmt::format("{:g} %", *percent) : "";
  if (us) text += fmt::format("{}{:g} us", text.empty() ? "" : " or ", *us);
  return text;
}

Json scores_json(const Scoreboard& board) {
  const spec::MeasurementsSpec& measurements = *board.measurements;
  Json json{{"constants", constants_json(measurements)}, {"rows", Json::array()}};
  for (const ScoreRow& row : board.rows) {
    Json scores = Json::array();
    for (const Score& score : row.scores) scores.push_back(score_json(row, score));
    json["rows"].push_back({{"name", row.row->name},
                            {"title", row.row->title},
                            {"source", row.row->source},
                            {"kind", spec::to_string(row.row->kind)},
                            {"constants", constants_of(measurements, *row.row)},
                            {"degrees_of_freedom", measurements.degrees_of_freedom(*row.row)},
                            {"quantities", std::move(scores)}});
  }
  return json;
}

std::string scores_csv(const Scoreboard& board) {
  const std::vector<std::string> ablations = ablations_of(board);
  std::string csv = "row,quantity,unit,measured,predicted,ratio,inside,is,tolerance,low,high,degrees_of_freedom";
  for (const std::string& name : ablations) csv += "," + record::csv_cell(name);
  csv += "\n";
  for (const ScoreRow& row : board.rows) {
    for (const Score& score : row.scores) {
      csv += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{}", row.row->name, record::csv_cell(score.quantity),
          record::csv_cell(score.unit), csv_number(score.measured), csv_number(score.predicted),
          csv_number(score.ratio(score.predicted)), word(score.is_inside()), spec::to_string(score.standing),
          tolerance_text(score), score.interval ? csv_number(score.interval->low) : "",
          score.interval ? csv_number(score.interval->high) : "", board.measurements->degrees_of_freedom(*row.row));
      for (const std::string& name : ablations) csv += "," + csv_number(under(name, row, score));
      csv += "\n";
    }
  }
  return csv;
}

std::string scores_markdown(const Scoreboard& board) {
  std::string text = table(board);
  if (!ablations_of(board).empty()) text += "\nThe last columns are ratios too, with one rule taken out each.\n";
  text += "\n" + rows_text(board);
  const std::string constants = constants_text(board);
  return constants.empty() ? text : text + "\nConstants:\n\n" + constants;
}

}  // namespace tessera::campaign
