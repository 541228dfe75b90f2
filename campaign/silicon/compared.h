// SPDX-License-Identifier: Apache-2.0
// The numbers of a row: what its file says of each quantity, and what a simulation does.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "model/spec/measured/measurements_spec.h"
#include "stats/percentile.h"

namespace tessera::campaign {

// A quantity of a row, of one process where the row has several and the quantity is not their sum.
struct Compared {
  const spec::QuantitySpec* quantity = nullptr;
  std::optional<std::size_t> process;  // index into RowSpec::processes
  std::string name;
  std::optional<double> measured;  // empty: it is kept back
};

// In the order of the row's quantities.
std::vector<Compared> compared_of(const spec::RowSpec& row);

// How many samples stand behind a measured percentile; 0: its number is given.
std::size_t samples_of(const spec::RowSpec& row, const Compared& compared);

struct Predicted {
  std::vector<std::optional<double>> values;              // as compared_of()
  std::vector<std::optional<stats::Interval>> intervals;  // likewise; of arrivals
  Effort effort;
  std::vector<std::string> faults;
};
void to_json(nlohmann::json& json, const Predicted& predicted);
void from_json(const nlohmann::json& json, Predicted& predicted);

// Simulates in this process.
Predicted predict(const spec::RowSpec& row, const spec::Spec& spec, const std::function<bool()>& is_interrupted);

}  // namespace tessera::campaign
