// SPDX-License-Identifier: Apache-2.0
// What a sweep measures at each point: the columns of its tables besides the axes.
#pragma once

#include <array>
#include <string_view>

namespace tessera::spec {

struct SweepColumn {
  std::string_view name;
  std::string_view unit;  // empty: a number or a ratio
};

// From summary.json; a column has no value where it does not apply (nothing was preempted, no baseline).
inline constexpr std::array kSweepMetrics{
    SweepColumn{"antt", ""},
    SweepColumn{"stp", ""},
    SweepColumn{"fairness", ""},
    SweepColumn{"sm_utilisation", ""},
    SweepColumn{"runs", ""},  // of the foreground process with the fewest
    SweepColumn{"simulated_us", "us"},
    SweepColumn{"tbs_completed", ""},
    SweepColumn{"preemptions", ""},
    SweepColumn{"preemption_mean_us", "us"},
    SweepColumn{"preemption_p99_us", "us"},
    SweepColumn{"preemption_max_us", "us"},
    SweepColumn{"bytes_saved", "bytes"},
    SweepColumn{"bytes_restored", "bytes"},
    SweepColumn{"decisions", ""},
    SweepColumn{"decision_mean_us", "us"},
    SweepColumn{"decision_max_us", "us"},
    SweepColumn{"baseline_antt", ""},
    SweepColumn{"baseline_stp", ""},
    SweepColumn{"baseline_fairness", ""},
};

// One column per process of the sweep, with the process's name after the dot: `ntt.batch_lbm`.
inline constexpr std::array kSweepProcessMetrics{
    SweepColumn{"ntt", ""},
    SweepColumn{"turnaround_us", "us"},
};

// The same for released runs (`frames` of the summary); no value for processes without releases.
inline constexpr std::array kSweepFrameMetrics{
    SweepColumn{"frame_rate_hz", "Hz"},   SweepColumn{"frames_missed", ""},     SweepColumn{"response_p50_us", "us"},
    SweepColumn{"response_p95_us", "us"}, SweepColumn{"response_p99_us", "us"},
};

// The same for processes with event-driven kernels: runs that were not completed because a kernel was killed.
inline constexpr std::array kSweepGloopMetrics{SweepColumn{"killed_runs", ""}};

// Whether `text` is a column of `columns` for a process, such as `ntt.batch_lbm` of kSweepProcessMetrics.
template <std::size_t N>
constexpr bool is_column_of_process(const std::array<SweepColumn, N>& columns, std::string_view text) {
  for (const SweepColumn& column : columns) {
    const std::size_t length = column.name.size();
    if (text.size() > length + 1 && text.substr(0, length) == column.name && text[length] == '.') return true;
  }
  return false;
}

// Hardware cost of a point: as given by `tessera storage` and, with `cost: synth`, by `tessera synth`.
inline constexpr std::array kSweepStorageCosts{
    SweepColumn{"sram_bytes", "bytes"},       // of RAM: PTBQs
    SweepColumn{"flip_flop_bytes", "bytes"},  // of all other tables and registers
};
inline constexpr std::array kSweepSynthCosts{
    SweepColumn{"gates_kge", "kGE"}, SweepColumn{"fmax_mhz", "MHz"},
    SweepColumn{"decision_cycles", "cycles"},  // mean core cycles under the point's policy
    SweepColumn{"decision_ns", "ns"},          // the same at Fmax
};

}  // namespace tessera::spec
