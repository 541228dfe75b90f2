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
  reader.optional("flush_fallback", scheduler.flush_fallback, Choice<FlushFallback>{});
  reader.optional("max_flushes_per_tb", scheduler.max_flushes_per_tb, Number{1, kMaxFlushes});
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
  reader.optional("latency_limit_us", scheduler.latency_limit, kTime);
  reader.optional("estimator", scheduler.estimator, Choice<Estimator>{});
  reader.optional("switch_pricing", scheduler.switch_pricing, Choice<SwitchPricing>{});
  reader.optional("enable_escalation", scheduler.enable_escalation, Boolean{});
  reader.optional("candidate_sets", scheduler.candidate_sets, Choice<CandidateSets>{});
  reader.optional("chimera_mix", scheduler.chimera_mix, Choice<ChimeraMix>{});
  if (!is_known) return;
  if (scheduler.technique != TechniqueKind::kChimera) {
    reject_keys(reader, {"chimera_mix"}, "only valid with technique: chimera");
  }
  if (info(scheduler.technique).chooses_victims) return;
  reject_keys(reader, {"latency_limit_us", "estimator", "switch_pricing", "enable_escalation", "candidate_sets"},
              "only valid with technique: chimera or dual_kernel");
}

void read_order(MappingReader& reader, SchedulerSpec& scheduler, bool is_known) {
  reader.optional("order", scheduler.order, Choice<PartitionOrder>{});
  if (!is_known || info(scheduler.policy).order == PolicyOrder::kPartition) return;
  reject_keys(reader, {"order"}, "only valid with policy: static_partition");
}

// A preset brings its policy along, unless another one is named.
void read_board_preset(MappingReader& reader, SchedulerSpec& scheduler) {
  reader.optional("preset", scheduler.preset, Choice<SchedulerPreset>{});
  reader.read("board", reader.has("preset") ? Presence::kRequired : Presence::kOptional, scheduler.board,
              Choice<Board>{});
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
  const bool is_policy_read = reader.read("policy", policy, scheduler.policy, ChoiceOn<PolicyKind>{cores});
  const bool is_policy_known = is_policy_read || (policy == Presence::kOptional && !reader.has("policy"));
  apply_board_preset(reader, scheduler);
  const bool is_read = reader.optional("technique", scheduler.technique, ChoiceOn<TechniqueKind>{cores});
  const bool is_known = is_read || !reader.has("technique");
  read_flush(reader, scheduler, is_known);
  read_victims(reader, scheduler, defaults, is_known);
  reader.optional("access", scheduler.access, Choice<Access>{});
  reader.optional("exclusive_scope", scheduler.exclusive_scope, Choice<ExclusiveScope>{});
  reader.optional("token_scope", scheduler.token_scope, Choice<TokenScope>{});
  reader.optional("debt", scheduler.debt, Choice<Debt>{});
  reader.optional("remainder", scheduler.remainder, Choice<Remainder>{});
  read_order(reader, scheduler, is_policy_known);
  reader.optional("search_width", scheduler.search_width, Number{1, num_sms});
  reader.optional("fill", scheduler.fill, Choice<Fill>{});
  reader.optional("tbs_per_cycle", scheduler.tbs_per_cycle, Number{1, num_sms});
  reader.optional("time_slice_us", scheduler.time_slice, kPositiveTime);
  read_turn(reader, scheduler, is_policy_known && is_known);
  reader.optional("linger_us", scheduler.linger, kTime);
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
