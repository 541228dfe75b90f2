// SPDX-License-Identifier: Apache-2.0
// Names and widths, table by table.
#include "rtl_model/observe/snapshot_signals.h"

#include <algorithm>

#include "rtl_model/base/field.h"

namespace tessera::rtl_model {
namespace {

// Declares the fields of row `i` of a table.
template <typename Row>
class RowSignals {
 public:
  RowSignals(ISignalSink& signals, const SnapshotSource& source, std::vector<Row> CoreSnapshot::*table, std::size_t i)
      : signals_(signals), source_(source), table_(table), i_(i) {}

  template <typename Value>
  void field(const char* name, unsigned width, Value Row::*member) {
    signals_.signal(indexed(name, i_), width, [source = source_, table = table_, i = i_, member] {
      return static_cast<std::uint64_t>((source().*table)[i].*member);
    });
  }

 private:
  ISignalSink& signals_;
  const SnapshotSource& source_;
  std::vector<Row> CoreSnapshot::*table_;
  std::size_t i_;
};

// The entries of a queue, and how many count.
void list_queue(ISignalSink& signals, const SnapshotSource& source, const char* name, std::uint32_t length,
                unsigned width, std::vector<std::uint32_t> CoreSnapshot::*queue) {
  signals.signal("count_q", bits_for_value(length), [source, queue] { return (source().*queue).size(); });
  for (std::uint32_t i = 0; i < length; ++i) {
    signals.signal(indexed(name, i), width, [source, queue, i]() -> std::uint64_t {
      const std::vector<std::uint32_t>& entries = source().*queue;
      return i < entries.size() ? entries[i] : 0;
    });
  }
}

void list_search(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  signals.enter("u_search");
  signals.signal("policy_q", params.policy_width(), [source] { return source().policy; });
  signals.leave();
}

void list_command_buffers(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  signals.enter("u_command_buffers");
  signals.signal("last_q", params.buffer_width(), [source] { return source().last_buffer; });
  for (std::uint32_t i = 0; i < params.num_command_buffers; ++i) {
    RowSignals<CommandSnapshot> row(signals, source, &CoreSnapshot::command_buffers, i);
    row.field("valid_q", 1, &CommandSnapshot::valid);
    row.field("context_q", params.context_width(), &CommandSnapshot::context);
    row.field("priority_q", Params::kPriorityWidth, &CommandSnapshot::priority);
    row.field("has_due_q", 1, &CommandSnapshot::has_due);
    row.field("due_q", Params::kDueWidth, &CommandSnapshot::due);
    row.field("partition_q", params.partition_width(), &CommandSnapshot::partition);
    row.field("num_tbs_q", params.tb_width, &CommandSnapshot::num_tbs);
    row.field("tbs_per_sm_q", params.tb_count_width(), &CommandSnapshot::tbs_per_sm);
    row.field("descriptor_q", Params::kDescriptorWidth, &CommandSnapshot::descriptor);
  }
  list_queue(signals, source, "age_q", params.num_command_buffers, params.buffer_width(), &CoreSnapshot::command_ages);
  signals.leave();
}

void list_ksrt(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  signals.enter("u_ksrt");
  for (std::uint32_t i = 0; i < params.num_ksrs; ++i) {
    RowSignals<KsrSnapshot> row(signals, source, &CoreSnapshot::ksrt, i);
    row.field("valid_q", 1, &KsrSnapshot::valid);
    row.field("descriptor_q", Params::kDescriptorWidth, &KsrSnapshot::descriptor);
    row.field("context_q", params.context_width(), &KsrSnapshot::context);
    row.field("priority_q", Params::kPriorityWidth, &KsrSnapshot::priority);
    row.field("tbs_per_sm_q", params.tb_count_width(), &KsrSnapshot::tbs_per_sm);
    row.field("remaining_q", params.tb_width, &KsrSnapshot::remaining);
    row.field("next_tb_q", params.tb_width, &KsrSnapshot::next_tb);
    row.field("outstanding_q", params.slot_count_width(), &KsrSnapshot::outstanding);
    row.field("preempted_q", params.slot_count_width(), &KsrSnapshot::preempted);
    row.field("promised_q", params.slot_count_width(), &KsrSnapshot::promised);
    if (params.has_kept_turn) row.field("saved_per_sm_q", params.tb_count_width(), &KsrSnapshot::saved_per_sm);
    row.field("owned_q", params.sm_count_width(), &KsrSnapshot::owned);
    row.field("reserved_q", params.sm_count_width(), &KsrSnapshot::reserved);
    row.field("covered_q", params.slot_count_width(), &KsrSnapshot::covered);
    row.field("has_due_q", 1, &KsrSnapshot::has_due);
    row.field("due_q", Params::kDueWidth, &KsrSnapshot::due);
    row.field("partition_q", params.partition_width(), &KsrSnapshot::partition);
  }
  signals.leave();
}

void list_smst(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  signals.enter("u_smst");
  for (std::uint32_t i = 0; i < params.num_sms; ++i) {
    RowSignals<SmSnapshot> row(signals, source, &CoreSnapshot::smst, i);
    row.field("state_q", 2, &SmSnapshot::state);
    row.field("ksr_q", params.ksr_width(), &SmSnapshot::ksr);
    row.field("next_q", params.ksr_width(), &SmSnapshot::next);
    row.field("running_q", params.tb_count_width(), &SmSnapshot::running);
    row.field("kept_q", 1, &SmSnapshot::is_kept);
    row.field("partition_q", params.partition_width(), &SmSnapshot::partition);
    row.field("foreign_q", 1, &SmSnapshot::is_foreign);
    if (params.tag_width == 0) continue;
    row.field("tag_q", params.tag_width, &SmSnapshot::tag);
    row.field("unanswered_q", params.tag_width + 1, &SmSnapshot::unanswered);
  }
  signals.leave();
  signals.enter("u_linger");
  signals.signal("lingers_q", 1, [source] { return source().lingers; });
  signals.signal("priority_q", Params::kPriorityWidth, [source] { return source().linger_priority; });
  signals.leave();
}

void list_partitions(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  signals.enter("u_partitions");
  for (std::uint32_t i = 0; i < params.num_sms; ++i) {
    signals.signal(indexed("dirty_q", i), 1, [source, i] { return source().partitions.dirty.has(i); });
  }
  signals.signal("survey_q", 1, [source] { return source().partitions.wants_survey; });
  signals.signal("mixed_q", 1, [source] { return source().partitions.are_mixed; });
  signals.leave();
}

void list_context_table(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  signals.enter("u_context_table");
  for (std::uint32_t i = 0; i < params.num_contexts; ++i) {
    RowSignals<ContextSnapshot> row(signals, source, &CoreSnapshot::contexts, i);
    row.field("page_table_q", Params::kPageTableWidth, &ContextSnapshot::page_table);
    row.field("has_budget_q", 1, &ContextSnapshot::has_budget);
    row.field("budget_q", Params::kBudgetWidth, &ContextSnapshot::budget);
    row.field("kernels_q", bits_for_value(params.num_ksrs), &ContextSnapshot::kernels);
    row.field("dealt_q", 1, &ContextSnapshot::is_dealt);
  }
  signals.leave();
}

void list_tokens(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  signals.enter("u_tokens");
  signals.signal("pool_q", params.sm_count_width(), [source] { return source().pool; });
  for (std::uint32_t i = 0; i < std::max(params.num_ksrs, params.num_contexts); ++i) {
    RowSignals<TokenSnapshot> row(signals, source, &CoreSnapshot::tokens, i);
    row.field("has_pool_token_q", 1, &TokenSnapshot::has_pool_token);
    row.field("left_q", Params::kTokensLeftWidth, &TokenSnapshot::left);  // signed
  }
  signals.leave();
}

void list_turn(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  const auto field = [&](const char* name, unsigned width, auto TurnSnapshot::*member) {
    signals.signal(name, width, [source, member] { return static_cast<std::uint64_t>(source().turn.*member); });
  };
  signals.enter("u_turn");
  field("state_q", 2, &TurnSnapshot::state);
  field("turn_q", params.context_width(), &TurnSnapshot::turn);
  field("next_q", params.context_width(), &TurnSnapshot::next);
  field("has_next_q", 1, &TurnSnapshot::has_next);
  field("tick_q", 1, &TurnSnapshot::tick);
  field("over_q", 1, &TurnSnapshot::over);
  field("runs_q", 1, &TurnSnapshot::runs);
  field("evicts_q", 1, &TurnSnapshot::evicts);
  field("loaded_q", 1, &TurnSnapshot::loaded);
  field("unlisted_q", 1, &TurnSnapshot::unlisted);
  for (std::uint32_t i = 0; i < params.num_contexts; ++i) {
    signals.signal(indexed("waiting_q", i), 1, [source, i] { return source().turn.waiting.has(i); });
    signals.signal(indexed("listed_q", i), 1, [source, i] { return source().turn.listed.has(i); });
    signals.signal(indexed("slice_end_q", i), 2, [source, i] { return source().contexts[i].slice_end; });
  }
  signals.leave();
}

}  // namespace

void list_registers(ISignalSink& signals, const Params& params, const SnapshotSource& source) {
  list_search(signals, params, source);
  list_command_buffers(signals, params, source);
  signals.enter("u_active_queue");
  list_queue(signals, source, "ksr_q", params.num_ksrs, params.ksr_width(), &CoreSnapshot::active_queue);
  signals.leave();
  list_ksrt(signals, params, source);
  list_smst(signals, params, source);
  list_partitions(signals, params, source);
  list_context_table(signals, params, source);
  list_tokens(signals, params, source);
  if (params.has_kept_turn) list_turn(signals, params, source);
}

}  // namespace tessera::rtl_model
