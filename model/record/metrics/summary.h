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
  ProcessResult alone;                  // alone on the machine; zero runs: not known
  std::optional<Picoseconds> deadline;  // of its kernels; of its runs if these are released
  bool has_releases = false;
  std::uint32_t partition = 0;  // index into SummaryInput::partitions, if there are any
};

struct SummaryPartition {
  std::string name;
  SmSet sms;
};

// The preset from which the partitions were made, and the SMs lost or gained by its sizes.
struct SummaryPreset {
  std::string name;
  std::uint32_t slice_sms = 0;  // mig, if instances are multiples of it
  bool is_mig = false;
  bool is_hypothetical = false;  // mig: not the sizes of an existing GPU
  std::uint32_t rounding = 0;    // mig: SMs in no slice; mps: SMs that masks have beyond the percentages
};

struct SummaryInput {
  std::string tessera_version;
  std::string abstraction;                // "tlm", "rtl_model", "rtl"
  std::string engine;                     // of all runs, including the baseline and those alone: "serialised", "ideal"
  nlohmann::ordered_json spec;            // resolved, with the seed
  std::vector<SummaryProcess> processes;  // as in RunResult::processes
  std::uint64_t clock_hz = 0;
  std::uint32_t num_sms = 0;
  RunResult shared;
  std::optional<RunResult> baseline;         // the same workload under the baseline scheduler
  DriverFacts driver;                        // of `shared`; empty: does not hold groups back
  DriverFacts baseline_driver;               // likewise
  std::vector<SummaryPartition> partitions;  // static partitions, as in RunResult::partitions
  std::optional<SummaryPreset> preset;
};

// Normalised turnaround time NTT = mean turnaround of the completed runs / mean turnaround alone.
// ANTT = mean NTT, STP = sum of 1 / NTT, fairness = smallest 1 / NTT / largest 1 / NTT; over foreground processes only,
// since the simulation does not wait for runs of background ones. A process without a completed run made no progress:
// it counts as 0 in STP and makes fairness 0; its NTT, and with it ANTT, is null. Unknown values (no run alone, no
// process at all, fairness if no process made progress) are null.
nlohmann::ordered_json make_summary(const SummaryInput& input);

}  // namespace tessera::record
