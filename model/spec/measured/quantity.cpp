// SPDX-License-Identifier: Apache-2.0
// A table of measures, each of one kind of row.
#include "model/spec/measured/quantity.h"

#include <array>

#include "model/spec/decimal.h"

namespace tessera::spec {
namespace {

struct Known {
  RowKind kind;
  Measure measure;
  std::string_view name;  // what stands before N, if it is a percentile
  bool is_percentile;
  std::string_view unit;
  std::array<std::uint32_t, 4> usual;  // percentiles in per cent; 0: no further one
};
constexpr Known kKnown[] = {
    {RowKind::kRequests, Measure::kThroughput, "throughput", false, "1/s", {}},
    {RowKind::kRequests, Measure::kLatency, "p", true, "us", {50, 95, 99}},
    {RowKind::kArrivals, Measure::kFirstBlock, "first_block_p", true, "us", {25, 50, 75, 95}},
    {RowKind::kArrivals, Measure::kReturn, "return_p", true, "us", {25, 50, 75, 95}},
    {RowKind::kSlices, Measure::kPeriod, "period", false, "us", {}},
    {RowKind::kSlices, Measure::kRun, "run", false, "us", {}},
    {RowKind::kSlices, Measure::kNobodyRuns, "nobody_runs", false, "us", {}},
    {RowKind::kPercentiles, Measure::kLatency, "p", true, "us", {50, 95, 99}},
    {RowKind::kSuspensions, Measure::kSuspension, "p", true, "us", {50, 95, 99}},
    {RowKind::kResponses, Measure::kLargest, "largest", false, "us", {}},
    {RowKind::kResponses, Measure::kInOrder, "in_order", false, "pairs", {}},
    {RowKind::kThreadBlocks, Measure::kAtOnce, "at_once", false, "TBs", {}},
    {RowKind::kThreadBlocks, Measure::kEvenSms, "even_sms", false, "SMs", {}},
    {RowKind::kThreadBlocks, Measure::kTurnaround, "turnaround_p", true, "us", {}},
    {RowKind::kStarts, Measure::kMedianStart, "median_start", false, "us", {}},
    {RowKind::kStarts, Measure::kLastStart, "last_start", false, "us", {}},
    {RowKind::kStarts, Measure::kOthersBetween, "others_between", false, "TBs", {}},
    {RowKind::kStarts, Measure::kOthersSince, "others_since_arrival", false, "TBs", {}},
};

constexpr int kPercentileDigits = 3;

Quantity made(const Known& known, std::string name, std::uint32_t percentile) {
  return {known.measure, percentile, std::move(name), std::string(known.unit)};
}

}  // namespace

Quantity rate_of(std::string_view kernel) { return {Measure::kRate, 0, std::string(kernel), "TBs/us"}; }

std::optional<Quantity> quantity_of(RowKind kind, std::string_view name) {
  if (kind == RowKind::kValues) return Quantity{Measure::kValue, 0, std::string(name), ""};
  if (kind == RowKind::kRates) return rate_of(name);
  for (const Known& known : kKnown) {
    if (known.kind != kind || name.substr(0, known.name.size()) != known.name) continue;
    const std::string_view rest = name.substr(known.name.size());
    if (!known.is_percentile) {
      if (rest.empty()) return made(known, std::string(name), 0);
      continue;
    }
    const DecimalResult percentile = parse_decimal(rest, kPercentileDigits);
    if (percentile.status != DecimalStatus::kOk || percentile.value > 100 * kPercentileUnit) continue;
    return made(known, std::string(name), static_cast<std::uint32_t>(percentile.value));
  }
  return std::nullopt;
}

std::string quantity_names(RowKind kind) {
  std::string names;
  for (const Known& known : kKnown) {
    if (known.kind != kind) continue;
    names += (names.empty() ? "" : ", ") + std::string(known.name) + (known.is_percentile ? "N" : "");
  }
  return names;
}

std::vector<Quantity> usual_quantities(RowKind kind) {
  std::vector<Quantity> quantities;
  if (kind == RowKind::kThreadBlocks || kind == RowKind::kStarts) return quantities;  // a table has some of them
  for (const Known& known : kKnown) {
    if (known.kind != kind) continue;
    if (!known.is_percentile) quantities.push_back(made(known, std::string(known.name), 0));
    for (const std::uint32_t percent : known.usual) {
      if (percent == 0) continue;
      quantities.push_back(made(known, std::string(known.name) + std::to_string(percent), percent * kPercentileUnit));
    }
  }
  return quantities;
}

}  // namespace tessera::spec
