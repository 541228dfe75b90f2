// SPDX-License-Identifier: Apache-2.0
// Where a quantity stands in its table.
#include "model/spec/measured/measurements_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tessera::spec {

std::optional<std::size_t> line_of_percentile(const MeasuredTable& table, std::uint32_t percentile) {
  const std::vector<double>& all = table.numbers.at("percentile");
  const bool are_shares = std::all_of(all.begin(), all.end(), [](double one) { return one <= 1; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double percent = are_shares ? 100 * all[i] : all[i];
    if (std::abs(percent * kPercentileUnit - percentile) < 0.5) return i;
  }
  return std::nullopt;
}

std::string_view column_of(Measure measure) {
  switch (measure) {
    case Measure::kFirstBlock:
      return "to_first_block_us";
    case Measure::kReturn:
      return "to_sync_us";
    case Measure::kPeriod:
      return "period_us";
    case Measure::kRun:
      return "run_first_sm_us";
    case Measure::kNobodyRuns:
      return "none_runs_first_sm_us";
    case Measure::kRate:
      return "rate";
    case Measure::kAtOnce:
      return "end_us";  // and start_us
    case Measure::kEvenSms:
      return "sm";
    case Measure::kMedianStart:
      return "median_us";
    case Measure::kLastStart:
      return "last_us";
    case Measure::kOthersBetween:
      return "others";
    case Measure::kTurnaround:
    case Measure::kOthersSince:
      return "";
    default:
      return "value_us";
  }
}

std::string column_of_percentile(std::uint32_t percentile) {
  return fmt::format("p{:g}_us", static_cast<double>(percentile) / kPercentileUnit);
}

std::size_t MeasurementsSpec::degrees_of_freedom(const RowSpec& row) const {
  return static_cast<std::size_t>(std::count_if(row.constants.begin(), row.constants.end(),
                                                [this](std::uint32_t i) { return constants.at(i).is_fitted(); }));
}

}  // namespace tessera::spec
