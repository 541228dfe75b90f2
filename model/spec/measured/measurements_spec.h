// SPDX-License-Identifier: Apache-2.0
// What was measured on silicon, and the experiments that predict it: the input of `tessera measured`
// (docs/guide/measured.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/spec/measured/quantity.h"
#include "model/spec/spec.h"

namespace tessera::spec {

// A number in the experiments that was not derived: fitted on a file of measurements, or taken from somewhere else.
struct ConstantSpec {
  std::string name;
  std::string key;         // of the experiment or its GPU
  std::string value;       // with its unit
  std::string fitted_on;   // empty: it was not
  std::string taken_from;  // empty: it was fitted
  std::string reason;

  bool is_fitted() const { return !fitted_on.empty(); }
};

// Of what is compared: constants were chosen on it, or not; or there is no number yet, or whoever has it keeps it back,
// so that the prediction stands before the comparison.
enum class Standing { kFitted, kPredicted, kKeptBack };

// How far a prediction may be off: by the larger of both. Neither: nobody says.
struct ToleranceSpec {
  std::optional<double> percent;  // of what was measured
  std::optional<double> us;       // of quantities in us
};

struct QuantitySpec {
  Quantity quantity;
  Standing standing = Standing::kPredicted;
  ToleranceSpec tolerance;
  std::optional<double> measured;      // empty: in the row's file, or kept back
  std::optional<std::size_t> process;  // index into RowSpec::processes; empty: of all of them
};

// The columns of a row's file that its kind has, by role (measured_table.h): times in us, and names.
struct MeasuredTable {
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::vector<std::string>> texts;
};

// An experiment that a row simulates: its own, then one an ablation.
struct PredictionSpec {
  std::string ablation;  // empty: the row's own
  Spec spec;
};

struct RowSpec {
  std::string name;
  std::string title;
  std::string source;
  RowKind kind = RowKind::kRequests;
  std::vector<std::uint32_t> processes;  // of the experiment, in the order of what was measured
  std::uint16_t kernel = 0;              // of starts: of the one process's application
  MeasuredTable table;                   // empty: all quantities have their numbers
  std::vector<QuantitySpec> quantities;
  std::vector<std::uint32_t> constants;  // that it hangs on: indices into MeasurementsSpec::constants
  std::vector<PredictionSpec> predictions;
};

struct MeasurementsSpec {
  std::string name;
  std::string title;
  std::vector<ConstantSpec> constants;
  std::vector<RowSpec> rows;

  // How many constants that it hangs on were fitted.
  std::size_t degrees_of_freedom(const RowSpec& row) const;
};

// The line of a table of percentiles; a column without a number above 1 has shares of one. Empty: it has none.
std::optional<std::size_t> line_of_percentile(const MeasuredTable& table, std::uint32_t percentile);

// The column that such a percentile has in a table of suspensions: p50_us, ... It may not be there.
std::string column_of_percentile(std::uint32_t percentile);

// The column that a measure is computed from, but those of runs and suspensions; empty: a number of its own only.
std::string_view column_of(Measure measure);

// The file, the experiments of its rows and their tables; paths are relative to it. Mistakes in the input only throw
// InputError.
MeasurementsSpec load_measurements(const std::filesystem::path& path);

}  // namespace tessera::spec
