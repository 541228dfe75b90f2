// SPDX-License-Identifier: Apache-2.0
// Every experiment of every row is a task of the worker pool.
#include "campaign/silicon/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "campaign/number_text.h"
#include "campaign/silicon/compared.h"
#include "model/spec/spec_json.h"

namespace tessera::campaign {
namespace {

bool is_wanted(const spec::RowSpec& row, const std::vector<std::string>& names) {
  return names.empty() || std::find(names.begin(), names.end(), row.name) != names.end();
}

ScoreRow empty_row(const spec::RowSpec& row) {
  ScoreRow scores{&row, {}, {}};
  for (const spec::PredictionSpec& prediction : row.predictions) {
    if (!prediction.ablation.empty()) scores.ablations.push_back(prediction.ablation);
  }
  for (const Compared& compared : compared_of(row)) {
    const spec::QuantitySpec& quantity = *compared.quantity;
    Score& score = scores.scores.emplace_back();
    score.quantity = compared.name;
    score.unit = quantity.quantity.unit;
    score.standing = quantity.standing;
    score.tolerance = quantity.tolerance;
    score.measured = compared.measured;
  }
  return scores;
}

void put(const Predicted& predicted, bool is_ablation, ScoreRow& row) {
  for (std::size_t i = 0; i < row.scores.size(); ++i) {
    if (is_ablation) {
      row.scores[i].under_ablation.push_back(predicted.values.at(i));
    } else {
      row.scores[i].predicted = predicted.values.at(i);
      row.scores[i].interval = predicted.intervals.at(i);
    }
  }
}

// What is wrong with a prediction as the model has it; under an ablation runs may not end at all.
std::vector<std::string> faults_in(const Predicted& predicted, const ScoreRow& row, const std::string& ablation) {
  std::vector<std::string> faults;
  const std::string name = row.row->name + (ablation.empty() ? "" : " (" + ablation + ")");
  for (const std::string& fault : predicted.faults) faults.push_back(name + ": " + fault);
  if (!ablation.empty()) return faults;
  for (std::size_t i = 0; i < row.scores.size(); ++i) {
    if (!predicted.values[i]) faults.push_back(name + ": the simulation has no " + row.scores[i].quantity);
  }
  return faults;
}

}  // namespace

std::optional<double> Score::ratio(const std::optional<double>& prediction) const {
  if (!prediction || measured.value_or(0) == 0) return std::nullopt;
  return *prediction / *measured;
}

std::optional<bool> Score::is_inside() const {
  if (!measured || (!tolerance.percent && !tolerance.us && !interval)) return std::nullopt;
  if (!predicted) return false;
  const double off = std::abs(*predicted - *measured);
  return off <= tolerance.percent.value_or(0) / 100 * *measured || (tolerance.us && off <= *tolerance.us) ||
         (interval && interval->holds(*measured));
}

std::string content_hash(const spec::MeasurementsSpec& measurements, const std::vector<std::string>& names) {
  std::string text;
  for (const spec::RowSpec& row : measurements.rows) {
    if (!is_wanted(row, names)) continue;
    text += row.name + "\n";
    for (const Score& score : empty_row(row).scores) {
      text += fmt::format("{} {} {}\n", score.quantity, csv_number(score.measured), tolerance_text(score));
    }
    for (const spec::PredictionSpec& prediction : row.predictions) {
      text += prediction.ablation + " " + spec::content_hash(prediction.spec) + "\n";
    }
  }
  return spec::text_hash(text);
}

Scoreboard score(const spec::MeasurementsSpec& measurements, const std::vector<std::string>& names,
                 const Options& options) {
  Scoreboard board;
  board.measurements = &measurements;
  struct Task {
    std::size_t row;  // of the board
    const spec::PredictionSpec* prediction;
  };
  std::vector<Task> tasks;
  std::vector<std::function<nlohmann::json()>> work;
  for (const spec::RowSpec& row : measurements.rows) {
    if (!is_wanted(row, names)) continue;
    for (const spec::PredictionSpec& prediction : row.predictions) {
      tasks.push_back({board.rows.size(), &prediction});
      work.emplace_back([&row, &prediction, &options]() -> nlohmann::json {
        return predict(row, prediction.spec, options.is_interrupted);
      });
    }
    board.rows.push_back(empty_row(row));
  }
  const std::vector<nlohmann::json> answers = answers_of(work, options);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto predicted = answers[i].get<Predicted>();
    ScoreRow& row = board.rows[tasks[i].row];
    const std::string& ablation = tasks[i].prediction->ablation;
    put(predicted, !ablation.empty(), row);
    board.effort.add(predicted.effort);
    for (std::string& fault : faults_in(predicted, row, ablation)) board.violations.push_back(std::move(fault));
  }
  return board;
}

}  // namespace tessera::campaign
