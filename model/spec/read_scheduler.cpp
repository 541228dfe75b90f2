// SPDX-License-Identifier: Apache-2.0
// The keys of `scheduler` and `baseline`.
// Internal to model/spec.
#include <initializer_list>
#include <string_view>

#include "model/spec/policies.h"
#include "model/spec/policy_keys.h"
#include "model/spec/read_partitions.h"
#include "model/spec/read_turn.h"
#include "model/spec/readers.h"
#include "model/spec/scheduler_presets.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

void reject_keys(MappingReader& reader, std::initializer_list<std::string_view> keys, std::string_view why) {
  for (const std::string_view key : keys) {
    if (reader.has(key)) reader.reject(key, std::string(why));
  }
}

// `is_known`: the technique could be read; if not, nothing is said of what would go with it.
void read_flush(MappingReader& reader, SchedulerSpec& scheduler, bool is_known) {
  reader.optional("flush_fallback", scheduler.flush_fallback, Choice<FlushFallback>{},
                  "`flush`: what becomes of thread blocks that may not be dropped");
  reader.optional("max_flushes_per_tb", scheduler.max_flushes_per_tb, Number{1, kMaxFlushes},
                  "`flush`, `chimera`, `dual_kernel`: a thread block that was dropped so often is not dropped again");
  if (!is_known) return;
  const bool is_flush = scheduler.technique == TechniqueKind::kFlush;
  if (!is_flush) reject_keys(reader, {"flush_fallback"}, "only valid with technique: flush");
  if (is_flush || info(scheduler.technique).chooses_victims) return;
  reject_keys(reader, {"max_flushes_per_tb"}, "only valid with technique: flush, chimera or dual_kernel");
}

// Techniques that choose victims within a limit ([S16]).
void read_victims(MappingReader& reader, SchedulerSpec& scheduler, const SchedulerSpec& defaults, bool is_known) {
  if (scheduler.technique != defaults.technique) {  // each paper's own
    const bool is_dual = scheduler.technique == TechniqueKind::kDualKernel;
    scheduler.estimator = is_dual ? Estimator::kLeastSpread : Estimator::kFinishedMean;
  }
  reader.optional("latency_limit_us", scheduler.latency_limit, kTime,
                  "`chimera`, `dual_kernel`: from a kernel's arrival until its thread blocks have their places");
  reader.optional(
      "estimator", scheduler.estimator, Choice<Estimator>{},
      {"`chimera`, `dual_kernel`: cycles per instruction of a thread block that drains: the mean of those that have "
       "finished; that, or the mean of those that run on the SM, whichever varies less; or what it really takes is "
       "known. Left out: `finished_mean` for `chimera`, `least_spread` for `dual_kernel`",
       "by technique"});
  reader.optional("switch_pricing", scheduler.switch_pricing, Choice<SwitchPricing>{},
                  "`chimera`, `dual_kernel`: a context is expected to have its SM's bandwidth to itself, or to share "
                  "it with those that move with it, as it really does");
  reader.optional("enable_escalation", scheduler.enable_escalation, Boolean{},
                  "`chimera`, `dual_kernel`: a thread block that drains longer than was expected is saved, as late as "
                  "the limit allows");
  reader.optional("candidate_sets", scheduler.candidate_sets, Choice<CandidateSets>{},
                  "`chimera`, `dual_kernel`: candidate sets are made in the decision, two walks over the tables for "
                  "each SM that is taken, or behind the launch, which leaves one");
  reader.optional("chimera_mix", scheduler.chimera_mix, Choice<ChimeraMix>{},
                  "`chimera`: a way out for each thread block, or one for all of an SM");
  if (!is_known) return;
  if (scheduler.technique != TechniqueKind::kChimera) {
    reject_keys(reader, {"chimera_mix"}, "only valid with technique: chimera");
  }
  if (info(scheduler.technique).chooses_victims) return;
  reject_keys(reader, {"latency_limit_us", "estimator", "switch_pricing", "enable_escalation", "candidate_sets"},
              "only valid with technique: chimera or dual_kernel");
}

void read_order(MappingReader& reader, SchedulerSpec& scheduler, bool is_known) {
  reader.optional("order", scheduler.order, Choice<PartitionOrder>{},
                  "`static_partition`: who comes first in a partition, the earliest deadline or the highest priority");
  if (!is_known || info(scheduler.policy).order == PolicyOrder::kPartition) return;
  reject_keys(reader, {"order"}, "only valid with policy: static_partition");
}

// A preset brings its policy along, unless another one is named.
void read_board_preset(MappingReader& reader, SchedulerSpec& scheduler) {
  reader.optional("preset", scheduler.preset, Choice<SchedulerPreset>{},
                  "in the place of `policy`: `time_slice` with `turn: kept`, `switch_scope: gpu` and the slice of the "
                  "`board`, as NVIDIA's GPUs share time between contexts; keys that stand beside it go first");
  reader.read("board", reader.has("preset") ? Presence::kRequired : Presence::kOptional, scheduler.board,
              Choice<Board>{},
              "of the preset, which needs it: slices of 2,097.152 us (measured on H200 and H100: 2,048 units of 1.024 "
              "us), 2,000 us (the shortest that `nvidia-smi` offers) and 1,000 us (Tegra's driver)");
  if (reader.has("preset")) scheduler.policy = PolicyKind::kTimeSlice;
  if (reader.has("board") && !reader.has("preset")) reader.reject("board", "only valid with a preset");
}

void apply_board_preset(const MappingReader& reader, SchedulerSpec& scheduler) {
  if (!reader.has("preset") || !scheduler.board || !policy_keys::has_timer(scheduler)) return;
  scheduler.turn = Turn::kKept;
  scheduler.switch_scope = SwitchScope::kGpu;
  scheduler.time_slice = nvidia_slice_of(*scheduler.board);
}

}  // namespace

SchedulerSpec read_scheduler(MappingReader reader, Presence policy, const SchedulerSpec& defaults,
                             std::uint32_t num_sms, Cores cores, Spec* spec, Report& report) {
  SchedulerSpec scheduler = defaults;
  read_board_preset(reader, scheduler);
  if (reader.has("preset")) policy = Presence::kOptional;
  const bool is_policy_read = reader.read("policy", policy, scheduler.policy, ChoiceOn<PolicyKind>{cores},
                                          "who gets the SMs; may be left out with a `preset`");
  if (policy == Presence::kRequired) reader.note_alternatives("policy", {"preset"});
  const bool is_policy_known = is_policy_read || (policy == Presence::kOptional && !reader.has("policy"));
  apply_board_preset(reader, scheduler);
  const bool is_read =
      reader.optional("technique", scheduler.technique, ChoiceOn<TechniqueKind>{cores},
                      "how an SM is preempted: its contexts are saved, its thread blocks run to their end, or those "
                      "that can start again are dropped ([readings](../concepts/readings.md#flush)); `chimera`: each "
                      "leaves the cheapest way that is in time; `dual_kernel`: so do only those in the way of the next "
                      "thread blocks of the kernel that comes, and both kernels share the SM");
  const bool is_known = is_read || !reader.has("technique");
  read_flush(reader, scheduler, is_known);
  read_victims(reader, scheduler, defaults, is_known);
  reader.optional(
      "access", scheduler.access, Choice<Access>{},
      "`ppq`, `edf`, `static_partition`, `time_slice`: may others use SMs that the first in order leaves idle?");
  reader.optional("exclusive_scope", scheduler.exclusive_scope, Choice<ExclusiveScope>{},
                  "`ppq`, `edf`, `static_partition`, `exclusive`: reserve the SMs that are needed, or empty the "
                  "engine; `dual_kernel`: ask all SMs for places, and use those that come first");
  reader.optional("token_scope", scheduler.token_scope, Choice<TokenScope>{},
                  "`dss`: a budget of SMs for each kernel, or for each process");
  reader.optional("debt", scheduler.debt, Choice<Debt>{},
                  "`dss`: an idle SM goes to a kernel without tokens left: always; if the one with the fewest, of "
                  "those that hold SMs, has two fewer, or nobody holds one, or no other budget is in use; in the last "
                  "case only; never ([readings](../concepts/readings.md#dss-10))");
  reader.optional("remainder", scheduler.remainder, Choice<Remainder>{},
                  "`dss`: tokens beyond equal shares go to the next kernel when theirs finishes, or are given out once "
                  "([readings](../concepts/readings.md#dss-11))");
  read_order(reader, scheduler, is_policy_known);
  reader.optional("search_width", scheduler.search_width, Number{1, num_sms},
                  "rows that a policy search looks at in a step: kernels of the active queue, on the ideal engine SMs; "
                  "at most `num_sms`; clocked models have 1, 2 and 4");
  reader.optional("fill", scheduler.fill, Choice<Fill>{},
                  "one SM is filled before the next, or each gets a thread block in turn; `chimera`, `dual_kernel`: a "
                  "place on each before a second one");
  reader.optional("tbs_per_cycle", scheduler.tbs_per_cycle, Number{1, num_sms},
                  "thread blocks that the SM driver issues in an SM cycle; at most `num_sms`");
  reader.optional("time_slice_us", scheduler.time_slice, kPositiveTime, "`time_slice`: the quantum");
  read_turn(reader, scheduler, is_policy_known && is_known);
  reader.optional("linger_us", scheduler.linger, kTime,
                  "`ppq`: SMs that a kernel leaves are kept so long for launches of its priority or a higher one");
  PartitionRules rules{{}, spec == nullptr, num_sms};
  if (spec != nullptr && spec->gpu.mig) rules.mig = &*spec->gpu.mig;
  if (is_policy_known) rules.policy = scheduler.policy;
  Partitions partitions = read_partitions(reader, rules, report);
  if (spec != nullptr) {
    spec->partitions = std::move(partitions.list);
    spec->preset = partitions.preset;
  }
  reader.reject_unknown_keys();
  return scheduler;
}

}  // namespace tessera::spec
