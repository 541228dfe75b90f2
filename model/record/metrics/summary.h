// SPDX-License-Identifier: Apache-2.0
// Builds summary.json (docs/summary.schema.json) from the results of an experiment's runs.
// Metrics follow Eyerman and Eeckhout (docs/concepts/readings.md, Metrics); this is the only place where floating point
// is used.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/base/sm_set.h"
#include "model/record/metrics/metrics.h"

namespace tessera::record {

struct SummaryProcess {
  std::string name;
  std::string application;
  std::uint32_t priority = 0;
  bool is_background = false;
  ProcessResult alone;                  // alone on the machine; no runs: not known
  std::optional<Picoseconds> deadline;  // of its kernels; of its runs, where these are released
  bool has_releases = false;
  std::uint32_t partition = 0;  // index into SummaryInput::partitions, where there are any
};

struct SummaryPartition {
  std::string name;
  SmSet sms;
};

// What made the partitions, and the SMs that its sizes cost.
struct SummaryPreset {
  std::string name;
  std::uint32_t slice_sms = 0;  // mig, where instances are multiples of it
  bool is_mig = false;
  bool is_hypothetical = false;  // mig: of no GPU that is sold
  std::uint32_t rounding = 0;    // mig: SMs that no slice has; mps: that masks have beyond the percentages
};

struct SummaryInput {
  std::string tessera_version;
  std::string abstraction;                // "tlm", "rtl_model", "rtl"
  std::string engine;                     // of all runs, the baseline's and those alone: "serialised", "ideal"
  nlohmann::ordered_json spec;            // resolved, with the seed
  std::vector<SummaryProcess> processes;  // as in RunResult::processes
  std::uint64_t clock_hz = 0;
  std::uint32_t num_sms = 0;
  RunResult shared;
  std::optional<RunResult> baseline;         // the same workload under the baseline scheduler
  DriverFacts driver;                        // of `shared`; empty: it holds nothing back
  DriverFacts baseline_driver;               // likewise
  std::vector<SummaryPartition> partitions;  // static ones, as in RunResult::partitions
  std::optional<SummaryPreset> preset;
};

// Normalised turnaround time NTT = mean turnaround of the completed runs / mean turnaround alone.
// ANTT = mean NTT, STP = sum of 1 / NTT, fairness = smallest 1 / NTT / largest 1 / NTT; over foreground
// processes only, since nobody waits for a run of a background one. A process without a completed run made
// no progress: it counts 0 in STP and makes fairness 0; its NTT, and with it ANTT, is null. What cannot be
// known (no run alone, no process at all, fairness where nobody made progress) is null.
nlohmann::ordered_json make_summary(const SummaryInput& input);

}  // namespace tessera::record
