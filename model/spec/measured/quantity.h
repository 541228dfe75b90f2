// SPDX-License-Identifier: Apache-2.0
// What is compared between silicon and model, by kind of row: `throughput`, `p95`, `first_block_p25`, ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::spec {

enum class RowKind {
  kRequests,
  kArrivals,
  kSlices,
  kPercentiles,
  kResponses,
  kSuspensions,
  kRates,
  kThreadBlocks,
  kStarts,
  kValues
};

enum class Measure {
  kThroughput,     // runs that ended, a second
  kLatency,        // percentile of a run's time, from its release
  kFirstBlock,     // percentile of the time from a call to the start of its first thread block
  kReturn,         // percentile of the time from a call to the end of the run
  kPeriod,         // from the start of one context's slice to that of the other's
  kRun,            // from a slice's first start of a thread block to the last stop
  kNobodyRuns,     // from there to the first start of the next slice
  kSuspension,     // percentile of the time from a suspension to nothing of the task on the GPU
  kLargest,        // longest time of a run, from its release
  kInOrder,        // pairs of processes of which the same one has the longer largest time on both sides
  kRate,           // thread blocks of a kernel a us
  kAtOnce,         // thread blocks that run at once, at most
  kEvenSms,        // SMs that have had a thread block before any has its third
  kTurnaround,     // percentile of the time from a thread block's end to the next start in its place
  kMedianStart,    // of a launch's thread blocks, the middle start, from the first one
  kLastStart,      // likewise the last
  kOthersBetween,  // thread blocks of other launches that start between a launch's first and last one
  kOthersSince,    // thread blocks of other launches that start between a launch's arrival and its last start
  kValue           // of summary.json
};

struct Quantity {
  Measure measure = Measure::kValue;
  std::uint32_t percentile = 0;  // in thousandths of a per cent; of measures that have one
  std::string name;              // as in the file
  std::string unit = "us";       // of a throughput: 1/s; of an order: pairs; of a value: what its file says
  std::string pointer = {};      // of a value: into summary.json (RFC 6901)
};

inline constexpr std::uint32_t kPercentileUnit = 1000;

// Empty where rows of the kind have no quantity of that name. Those of kValues have any name, those of kRates the
// kernels' names.
std::optional<Quantity> quantity_of(RowKind kind, std::string_view name);
Quantity rate_of(std::string_view kernel);
// The names, as messages list them; N stands for a percentile.
std::string quantity_names(RowKind kind);
// Those of a row that names none. Empty: it must name them, or (kRates) its experiment does.
std::vector<Quantity> usual_quantities(RowKind kind);

}  // namespace tessera::spec
