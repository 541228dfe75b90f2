// SPDX-License-Identifier: Apache-2.0
// Task sets of [Z21] 7.1 on the simulated machine: partitions, or the whole GPU under one policy. Beyond the paper,
// which analyses and does not run.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/z21/late_job.h"
#include "model/realtime/machine_partitioning.h"
#include "model/spec/spec.h"
#include "model/spec/task_set_spec.h"

namespace tessera::campaign::z21 {

// Who takes longer, by the factors of the paper: nobody; tasks with another of their kind in their partition, which is
// the whole GPU where there are no partitions; or all that have another of their kind on the GPU, partitions or not.
// The last two: those that meet one, in their partition or anywhere, for the thread blocks that they issue meanwhile
// (docs/concepts/partitions.md, Contention); the analysis assumes what it always does.
enum class ContentionOf : std::uint8_t { kNobody, kPartition, kGpu, kMetInPartition, kMetOnGpu };

// Who gets the SMs. Partitions have EDF within, and one kernel at a time, as the analysis has it; the whole GPU leaves
// nothing idle that somebody wants.
struct Scheme {
  const char* name;
  bool has_partitions;  // by SMS/INA, with the contention that there is in a partition
  spec::PolicyKind policy;
  spec::TechniqueKind technique;
};

struct Conditions {
  ContentionOf contention = ContentionOf::kPartition;
  std::uint32_t granularity = 1;                // so many times as many thread blocks, as much shorter
  realtime::Nanoseconds time_unit = 1'000'000;  // of periods 50 .. 4000
  bool has_offsets = false;                     // first releases at random within a period, else together
  bool has_overheads = false;                   // the analysis of partitions counts the machine's own time
};

// What became of one set over a hyperperiod.
struct MachineOutcome {
  bool is_rejected = false;  // by the analysis: it was not run
  std::uint64_t jobs = 0;    // judged
  std::uint64_t missed = 0;
  double worst_of_deadline = 0;  // response over deadline, the worst of all tasks
  double worst_of_bound = 0;     // response over the analysis's bound, where there are partitions
  std::optional<LateJob> first_late{};
  Effort effort;
  std::vector<std::string> faults;

  bool is_refuted() const { return is_rejected || missed > 0; }  // else no miss was seen, which proves nothing
};
void to_json(nlohmann::json& json, const MachineOutcome& outcome);
void from_json(const nlohmann::json& json, MachineOutcome& outcome);

// Set `number` of a total utilisation, on the machine of the experiment.
spec::TaskSetSpec task_set(const spec::Spec& base, const Conditions& conditions, std::uint32_t num_tasks,
                           std::uint32_t utilisation, std::uint64_t number);

// The set under a scheme: partitioned, if need be, and run. `name` is that of its faults.
MachineOutcome outcome_of(const spec::TaskSetSpec& set, const Scheme& scheme, const Conditions& conditions,
                          const std::string& name, const std::function<bool()>& is_interrupted);

}  // namespace tessera::campaign::z21
