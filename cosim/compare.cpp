// SPDX-License-Identifier: Apache-2.0
// Field by field; names are made only for a difference.
#include "cosim/compare.h"

#include <algorithm>

#include "rtl_model/policy/policy_register.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::cosim {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

// Keeps the first difference of the fields that it is shown, and looks at no other after it.
class Comparison {
 public:
  explicit operator bool() const { return difference_.has_value(); }
  std::optional<Difference> take() { return std::move(difference_); }

  template <typename T>
  void field(const char* name, T left, T right) {
    if (left != right && !difference_) note(name, left, right);
  }
  // A field of row `i` of a table.
  template <typename T>
  void field(const char* table, std::size_t i, const char* name, T left, T right) {
    if (left != right && !difference_) note(row_name(table, i) + "." + name, left, right);
  }
  // Lists of numbers: the length first.
  template <typename T>
  void list(const char* name, const std::vector<T>& left, const std::vector<T>& right) {
    if (left == right || difference_) return;
    if (left.size() != right.size()) return note(std::string(name) + ".size", left.size(), right.size());
    const auto at = std::mismatch(left.begin(), left.end(), right.begin());
    note(row_name(name, static_cast<std::size_t>(at.first - left.begin())), *at.first, *at.second);
  }
  static std::string row_name(const std::string& table, std::size_t i) { return table + "[" + std::to_string(i) + "]"; }

 private:
  template <typename T>
  void note(std::string signal, T left, T right) {
    difference_ = {std::move(signal), static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(right)};
  }

  std::optional<Difference> difference_;
};

// Rows of a table, if there are as many in both.
template <typename Row, typename CompareRow>
void rows(Comparison& comparison, const char* table, const std::vector<Row>& left, const std::vector<Row>& right,
          CompareRow compare_row) {
  if (left.size() != right.size()) {
    const std::string name = std::string(table) + ".size";
    return comparison.field(name.c_str(), left.size(), right.size());
  }
  for (std::size_t i = 0; i < left.size() && !comparison; ++i) compare_row(i, left[i], right[i]);
}

// ---- pins ----------------------------------------------------------------------------------------------------

void compare(Comparison& comparison, const SmSet& left, const SmSet& right) {
  const SmSet different = left.without(right) | right.without(left);
  if (!different.any()) return;
  const std::uint32_t buffer = different.lowest();
  comparison.field(Comparison::row_name("buffer_free", buffer).c_str(), left.has(buffer), right.has(buffer));
}

void compare(Comparison& comparison, const SmControlPins& left, const SmControlPins& right) {
  comparison.field("sm_control.valid", left.valid, right.valid);
  if (!left.valid) return;
  comparison.field("sm_control.sm", left.sm, right.sm);
  comparison.field("sm_control.kind", left.kind, right.kind);
  if (left.kind != SmControlKind::kSetup) return;
  comparison.field("sm_control.context", left.context, right.context);
  comparison.field("sm_control.page_table", left.page_table, right.page_table);
  comparison.field("sm_control.descriptor", left.descriptor, right.descriptor);
  comparison.field("sm_control.tag", left.tag, right.tag);
}

void compare(Comparison& comparison, const DispatchPins& left, const DispatchPins& right) {
  comparison.field("dispatch.valid", left.valid, right.valid);
  if (!left.valid) return;
  comparison.field("dispatch.sm", left.sm, right.sm);
  comparison.field("dispatch.is_restore", left.is_restore, right.is_restore);
  comparison.field("dispatch.last", left.last, right.last);
  comparison.field("dispatch.tb", left.tb, right.tb);
  comparison.field("dispatch.stack_pointer", left.stack_pointer, right.stack_pointer);
}

void compare(Comparison& comparison, const KernelDonePins& left, const KernelDonePins& right) {
  comparison.field("kernel_done.valid", left.valid, right.valid);
  if (left.valid) comparison.field("kernel_done.descriptor", left.descriptor, right.descriptor);
}

void compare(Comparison& comparison, const UsagePins& left, const UsagePins& right) {
  comparison.field("usage.valid", left.valid, right.valid);
  if (!left.valid) return;
  comparison.field("usage.context", left.context, right.context);
  comparison.field("usage.freed", left.freed, right.freed);
}

void compare(Comparison& comparison, const EventPins& left, const EventPins& right) {
  comparison.field("events.policy_invoked", left.policy_invoked, right.policy_invoked);
  comparison.field("events.policy_decided", left.policy_decided, right.policy_decided);
  comparison.field("events.withheld", left.withheld, right.withheld);
  comparison.field("events.activated", left.activated, right.activated);
  comparison.field("events.moved", left.moved, right.moved);
  comparison.field("events.cancelled", left.cancelled, right.cancelled);
  comparison.field("events.preempted", left.preempted, right.preempted);
  comparison.field("events.released", left.released, right.released);
  comparison.field("events.evicted", left.evicted, right.evicted);
  comparison.field("events.turn_passed", left.turn_passed, right.turn_passed);
  comparison.field("events.turn_began", left.turn_began, right.turn_began);
  if (left.turn_passed) comparison.field("events.turn_cause", left.turn_cause, right.turn_cause);
  if (left.activated) comparison.field("events.buffer", left.buffer, right.buffer);
  if (left.moved) comparison.field("events.move", left.move, right.move);
  if (left.moved || left.preempted || left.released) comparison.field("events.sm", left.sm, right.sm);
  const bool goes_on = left.preempted && !left.released;
  if (left.activated || left.moved || goes_on) comparison.field("events.ksr", left.ksr, right.ksr);
}

// ---- registers -----------------------------------------------------------------------------------------------

void compare(Comparison& comparison, std::size_t i, const CommandSnapshot& left, const CommandSnapshot& right) {
  const auto field = [&](const char* name, auto a, auto b) { comparison.field("command_buffers", i, name, a, b); };
  field("valid", left.valid, right.valid);
  if (!left.valid) return;
  field("context", left.context, right.context);
  field("priority", left.priority, right.priority);
  field("num_tbs", left.num_tbs, right.num_tbs);
  field("tbs_per_sm", left.tbs_per_sm, right.tbs_per_sm);
  field("descriptor", left.descriptor, right.descriptor);
  field("has_due", left.has_due, right.has_due);
  if (left.has_due) field("due", left.due, right.due);
  field("partition", left.partition, right.partition);
}

void compare(Comparison& comparison, std::size_t i, const KsrSnapshot& left, const KsrSnapshot& right) {
  const auto field = [&](const char* name, auto a, auto b) { comparison.field("KSRT", i, name, a, b); };
  field("valid", left.valid, right.valid);
  if (!left.valid) return;
  field("descriptor", left.descriptor, right.descriptor);
  field("context", left.context, right.context);
  field("priority", left.priority, right.priority);
  field("tbs_per_sm", left.tbs_per_sm, right.tbs_per_sm);
  field("remaining", left.remaining, right.remaining);
  field("next_tb", left.next_tb, right.next_tb);
  field("outstanding", left.outstanding, right.outstanding);
  field("preempted", left.preempted, right.preempted);
  field("promised", left.promised, right.promised);
  field("saved_per_sm", left.saved_per_sm, right.saved_per_sm);
  field("owned", left.owned, right.owned);
  field("reserved", left.reserved, right.reserved);
  field("covered", left.covered, right.covered);
  field("has_due", left.has_due, right.has_due);
  if (left.has_due) field("due", left.due, right.due);
  field("partition", left.partition, right.partition);
}

void compare(Comparison& comparison, std::size_t i, const SmSnapshot& left, const SmSnapshot& right) {
  const auto field = [&](const char* name, auto a, auto b) { comparison.field("SMST", i, name, a, b); };
  field("state", left.state, right.state);
  field("ksr", left.ksr, right.ksr);
  field("next", left.next, right.next);
  field("running", left.running, right.running);
  field("is_kept", left.is_kept, right.is_kept);
  field("tag", left.tag, right.tag);
  field("unanswered", left.unanswered, right.unanswered);
  field("partition", left.partition, right.partition);
  field("is_foreign", left.is_foreign, right.is_foreign);
}

void compare(Comparison& comparison, const PartitionsSnapshot& left, const PartitionsSnapshot& right) {
  for (std::uint32_t word = 0; word < SmSet::kMax / 64; ++word) {
    comparison.field("partitions", word, "dirty", left.dirty.word(word), right.dirty.word(word));
  }
  comparison.field("partitions.survey", left.wants_survey, right.wants_survey);
  comparison.field("partitions.mixed", left.are_mixed, right.are_mixed);
}

// A page table may be anything until it is written: it is looked at where it goes out.
void compare(Comparison& comparison, std::size_t i, const ContextSnapshot& left, const ContextSnapshot& right) {
  const auto field = [&](const char* name, auto a, auto b) { comparison.field("context_table", i, name, a, b); };
  field("has_budget", left.has_budget, right.has_budget);
  if (left.has_budget) field("budget", left.budget, right.budget);
  field("kernels", left.kernels, right.kernels);
  field("is_dealt", left.is_dealt, right.is_dealt);
  field("slice_end", left.slice_end, right.slice_end);
}

void compare(Comparison& comparison, const TurnSnapshot& left, const TurnSnapshot& right, bool is_kept) {
  constexpr std::uint32_t kLeaving = 2;
  comparison.field("turn.state", left.state, right.state);
  if (is_kept) comparison.field("turn.turn", left.turn, right.turn);
  comparison.field("turn.has_next", left.has_next, right.has_next);
  comparison.field("turn.tick", left.tick, right.tick);
  comparison.field("turn.over", left.over, right.over);
  comparison.field("turn.runs", left.runs, right.runs);
  comparison.field("turn.evicts", left.evicts, right.evicts);
  comparison.field("turn.loaded", left.loaded, right.loaded);
  if (left.state == kLeaving) comparison.field("turn.unlisted", left.unlisted, right.unlisted);
  const bool goes_to_one = left.state == kLeaving && !left.unlisted;
  if (goes_to_one || left.has_next) comparison.field("turn.next", left.next, right.next);
  for (std::uint32_t word = 0; word < SmSet::kMax / 64; ++word) {
    comparison.field("turn", word, "waiting", left.waiting.word(word), right.waiting.word(word));
    comparison.field("turn", word, "listed", left.listed.word(word), right.listed.word(word));
  }
}

// A row that is nobody's, or that a policy write has made stale, may hold anything.
void compare_tokens(Comparison& comparison, const CoreSnapshot& left, const CoreSnapshot& right) {
  const bool by_process = rtl_model::PolicyRegister::of(left.policy).by_process;
  const bool are_settled = left.are_tokens_settled && right.are_tokens_settled;
  rows(comparison, "tokens", left.tokens, right.tokens,
       [&](std::size_t i, const TokenSnapshot& a, const TokenSnapshot& b) {
         const bool is_in_use = by_process ? i < left.contexts.size() && left.contexts[i].kernels != 0
                                           : i < left.ksrt.size() && left.ksrt[i].valid;
         comparison.field("tokens", i, "has_pool_token", a.has_pool_token, b.has_pool_token);
         if (is_in_use && are_settled) comparison.field("tokens", i, "left", a.left, b.left);
       });
}

}  // namespace

std::optional<Difference> first_difference(const SchedulerOutputs& left, const SchedulerOutputs& right) {
  Comparison comparison;
  compare(comparison, left.buffer_free, right.buffer_free);
  comparison.field("control_ready", left.control_ready, right.control_ready);
  comparison.field("slice_timer_enable", left.slice_timer_enable, right.slice_timer_enable);
  comparison.field("linger_start", left.linger_start, right.linger_start);
  comparison.field("turn", left.turn, right.turn);
  comparison.field("switch_start", left.switch_start, right.switch_start);
  if (left.switch_start) comparison.field("switch_runs", left.switch_runs, right.switch_runs);
  comparison.field("sm_event_ready", left.sm_event_ready, right.sm_event_ready);
  compare(comparison, left.sm_control, right.sm_control);
  compare(comparison, left.dispatch, right.dispatch);
  compare(comparison, left.kernel_done, right.kernel_done);
  compare(comparison, left.usage, right.usage);
  compare(comparison, left.events, right.events);
  comparison.field("idle", left.idle, right.idle);
  return comparison.take();
}

std::optional<Difference> first_difference(const CoreSnapshot& left, const CoreSnapshot& right) {
  Comparison comparison;
  const auto row = [&](std::size_t i, const auto& a, const auto& b) { compare(comparison, i, a, b); };
  rows(comparison, "command_buffers", left.command_buffers, right.command_buffers, row);
  comparison.list("command_buffers.age", left.command_ages, right.command_ages);
  comparison.field("command_buffers.last", left.last_buffer, right.last_buffer);
  comparison.list("active_queue", left.active_queue, right.active_queue);
  rows(comparison, "KSRT", left.ksrt, right.ksrt, row);
  rows(comparison, "SMST", left.smst, right.smst, row);
  comparison.field("linger", left.lingers, right.lingers);
  if (left.lingers) comparison.field("linger.priority", left.linger_priority, right.linger_priority);
  compare(comparison, left.partitions, right.partitions);
  const bool is_kept = rtl_model::policy_row(rtl_model::PolicyRegister::of(left.policy)).has(rtl_model::kKeepsTurn);
  compare(comparison, left.turn, right.turn, is_kept);
  rows(comparison, "context_table", left.contexts, right.contexts, row);
  rows(comparison, "PTBQ", left.ptbq, right.ptbq, [&](std::size_t i, const auto& a, const auto& b) {
    if (a != b) comparison.list(Comparison::row_name("PTBQ", i).c_str(), a, b);
  });
  compare_tokens(comparison, left, right);
  comparison.field("search.pool", left.pool, right.pool);
  comparison.field("search.policy", left.policy, right.policy);
  comparison.field("search.is_policy_at_rest", left.is_policy_at_rest, right.is_policy_at_rest);
  return comparison.take();
}

}  // namespace tessera::cosim
