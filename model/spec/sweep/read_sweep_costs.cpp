// SPDX-License-Identifier: Apache-2.0
// Keys that stand by themselves, whatever the axes are.
// Internal to model/spec.
#include "model/spec/sweep/read_sweep_costs.h"

#include "model/spec/sweep/sweep_names.h"

namespace tessera::spec {
namespace {

constexpr Number kMegabytes{0, 10'000'000};

}  // namespace

void read_costs(MappingReader& reader, SweepSpec& sweep) {
  reader.optional("cost", sweep.cost, Choice<SweepCost>{},
                  "bits of the core's memories and registers, or also its gates and clock");
  reader.optional(
      "decision_time", sweep.decision_time, Choice<DecisionTime>{},
      "of policy searches and activations: as the Spec has it, or as the point's synthesised core would take");
  reader.optional("core_policies", sweep.core_policies, Choice<CorePolicies>{},
                  "of the core that is synthesised: all of them, or that of the point");
  reader.optional("target_mhz", sweep.target_mhz, Number{1, 10'000}, "gates are sized for this clock");
  if (sweep.decision_time == DecisionTime::kMeasured && sweep.cost != SweepCost::kSynth) {
    reader.reject("decision_time", "is measured on a core that is not synthesised", "measured", "with cost: synth");
  }
}

void read_limits(MappingReader reader, SweepSpec& sweep) {
  reader.optional("time_s", sweep.limits.time_s, Number{1, 1'000'000}, "seconds");
  reader.optional("memory_mb", sweep.limits.memory_mb, kMegabytes, "megabytes of address space; 0: none");
  reader.reject_unknown_keys();
}

void read_slurm(MappingReader reader, SweepSpec& sweep) {
  SweepSlurm& slurm = sweep.slurm;
  reader.optional("partition", slurm.partition, Text{}, "left out: the cluster's own");
  reader.optional("time_limit_min", slurm.time_limit_min, Number{1, 1'000'000}, "of a task, in minutes");
  reader.optional("memory_mb", slurm.memory_mb, kMegabytes, "of a task, in megabytes; 0: as the cluster has it");
  reader.optional("points_per_task", slurm.points_per_task, Number{1, kMaxSweepPoints},
                  "points that a task of a job array runs, one after the other");
  reader.optional("max_tasks", slurm.max_tasks, Number{0, 100'000}, "at a time; 0: as many as the cluster lets run");
  reader.reject_unknown_keys();
}

}  // namespace tessera::spec
