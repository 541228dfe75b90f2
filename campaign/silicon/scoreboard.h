// SPDX-License-Identifier: Apache-2.0
// What was measured on silicon beside what the model predicts, quantity by quantity, also under each ablation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "model/spec/measured/measurements_spec.h"
#include "stats/percentile.h"

namespace tessera::campaign {

struct Score {
  std::string quantity;  // "p95 of first": the process only where a row has several
  std::string unit;
  spec::Standing standing = spec::Standing::kPredicted;
  spec::ToleranceSpec tolerance;
  std::optional<double> measured;                     // empty: it is kept back
  std::optional<double> predicted;                    // empty: the simulation has no such run
  std::optional<stats::Interval> interval;            // where the percentile of so many predicted ones would come out
  std::vector<std::optional<double>> under_ablation;  // as ScoreRow::ablations

  std::optional<double> ratio(const std::optional<double>& prediction) const;  // to what was measured
  // By the tolerance or the interval; empty: nobody says how far off it may be.
  std::optional<bool> is_inside() const;
};

struct ScoreRow {
  const spec::RowSpec* row = nullptr;  // in the measurements
  std::vector<std::string> ablations;
  std::vector<Score> scores;
};

struct Scoreboard {
  const spec::MeasurementsSpec* measurements = nullptr;
  std::vector<ScoreRow> rows;
  Effort effort;
  std::vector<std::string> violations;
};

// Tells results of these rows from those of others: of their numbers, tolerances and experiments.
std::string content_hash(const spec::MeasurementsSpec& measurements, const std::vector<std::string>& names);

// The rows of these names, in the order of the file; none: all of them. The measurements outlive the result. Throws
// Interrupted, or std::runtime_error when a simulation fails.
Scoreboard score(const spec::MeasurementsSpec& measurements, const std::vector<std::string>& names,
                 const Options& options);

nlohmann::ordered_json scores_json(const Scoreboard& board);
std::string scores_csv(const Scoreboard& board);
std::string scores_markdown(const Scoreboard& board);  // the table, then what each row and constant is
std::string tolerance_text(const Score& score);        // "1 %", "5 % or 10 us"; empty: there is none

}  // namespace tessera::campaign
