// SPDX-License-Identifier: Apache-2.0
// The keys of `scheduler` and `baseline`.
// Internal to model/spec.
#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

// These are questions of flushing only.
void read_flush(MappingReader& reader, SchedulerSpec& scheduler) {
  reader.optional("flush_fallback", scheduler.flush_fallback, Choice<FlushFallback>{});
  reader.optional("max_flushes_per_tb", scheduler.max_flushes_per_tb, Number{1, kMaxFlushes});
  if (scheduler.technique == TechniqueKind::kFlush) return;
  for (const std::string_view key : {"flush_fallback", "max_flushes_per_tb"}) {
    if (reader.has(key)) reader.reject(key, "has no meaning without technique: flush");
  }
}

}  // namespace

SchedulerSpec read_scheduler(MappingReader reader, Presence policy, const SchedulerSpec& defaults,
                             std::uint32_t num_sms, Cores cores) {
  SchedulerSpec scheduler = defaults;
  reader.read("policy", policy, scheduler.policy, ChoiceOn<PolicyKind>{cores});
  reader.optional("technique", scheduler.technique, ChoiceOn<TechniqueKind>{cores});
  read_flush(reader, scheduler);
  reader.optional("access", scheduler.access, Choice<Access>{});
  reader.optional("exclusive_scope", scheduler.exclusive_scope, Choice<ExclusiveScope>{});
  reader.optional("token_scope", scheduler.token_scope, Choice<TokenScope>{});
  reader.optional("debt", scheduler.debt, Choice<Debt>{});
  reader.optional("remainder", scheduler.remainder, Choice<Remainder>{});
  reader.optional("search_width", scheduler.search_width, Number{1, num_sms});
  reader.optional("fill", scheduler.fill, Choice<Fill>{});
  reader.optional("tbs_per_cycle", scheduler.tbs_per_cycle, Number{1, num_sms});
  reader.optional("time_slice_us", scheduler.time_slice, kPositiveTime);
  reader.optional("linger_us", scheduler.linger, kTime);
  reader.reject_unknown_keys();
  return scheduler;
}

}  // namespace tessera::spec
