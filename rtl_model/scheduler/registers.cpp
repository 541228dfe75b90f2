// SPDX-License-Identifier: Apache-2.0
// The core's registers by name.
#include "rtl_model/scheduler/tsr_scheduler.h"

namespace tessera::rtl_model {
namespace {

void list_search(ISignalSink& signals, const CoreParams& params, const Search& search) {
  signals.enter("u_search");
  signals.signal("state_q", 4, [&search] { return static_cast<std::uint64_t>(search.state()); });
  signals.signal("pending_q", 1, [&search] { return search.is_pending(); });
  signals.signal("tick_waits_q", 1, [&search] { return search.has_waiting_tick(); });
  signals.signal("turn_q", params.context_width(), [&search] { return search.trackers().turn(); });
  signals.signal("policy_q", params.policy_width(), [&search] { return search.policy().data(); });
  signals.leave();
}

void list_engine(ISignalSink& signals, const CoreParams& params, const JobEngine& engine) {
  signals.enter("u_engine");
  signals.signal("phase_q", 3, [&engine] { return static_cast<std::uint64_t>(engine.phase()); });
  signals.signal("job_q", 4, [&engine] { return static_cast<std::uint64_t>(engine.job()); });
  signals.signal("sm_q", params.sm_width(), [&engine] { return engine.sm(); });
  signals.signal("is_visit_b_q", 1, [&engine] { return engine.is_visit_b(); });
  if (params.has_refill_lane) return signals.leave();  // it issues
  signals.signal("last_issue_sm_q", params.sm_width(), [&engine] { return engine.last_issue_sm(); });
  signals.signal("issue_first_q", 1, [&engine] { return engine.issues_first(); });
  signals.leave();
}

void list_commands(ISignalSink& signals, const CoreParams& params, const CommandBuffers& buffers) {
  signals.enter("u_command_buffers");
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    const CommandBuffers::Row& row = buffers.row(i);
    signals.signal(indexed("valid_q", i), 1, [&buffers, i] { return buffers.is_valid(i); });
    signals.signal(indexed("context_q", i), row.context.width(), [&row] { return row.context; });
    signals.signal(indexed("priority_q", i), row.priority.width(), [&row] { return row.priority; });
    signals.signal(indexed("has_due_q", i), 1, [&row] { return row.has_due; });
    signals.signal(indexed("due_q", i), row.due.width(), [&row] { return row.due; });
    signals.signal(indexed("partition_q", i), row.partition.width(), [&row] { return row.partition; });
    signals.signal(indexed("num_tbs_q", i), row.num_tbs.width(), [&row] { return row.num_tbs; });
    signals.signal(indexed("tbs_per_sm_q", i), row.tbs_per_sm.width(), [&row] { return row.tbs_per_sm; });
    signals.signal(indexed("descriptor_q", i), row.descriptor.width(), [&row] { return row.descriptor; });
    signals.signal(indexed("age_q", i), params.buffer_width(),
                   [&buffers, i] { return i < buffers.num_waiting() ? buffers.by_age(i) : 0; });
  }
  signals.signal("count_q", params.buffer_width(), [&buffers] { return buffers.num_waiting(); });
  signals.signal("last_q", params.buffer_width(), [&buffers] { return buffers.last(); });
  signals.leave();
}

void list_contexts(ISignalSink& signals, const CoreParams& params, const Tables& tables) {
  signals.enter("u_context_table");
  for (std::uint32_t i = 0; i < params.num_contexts; ++i) {
    const ContextTable::Row& row = tables.contexts.row(i);
    signals.signal(indexed("kernels_q", i), row.kernels.width(), [&row] { return row.kernels; });
    signals.signal(indexed("has_budget_q", i), 1, [&row] { return row.has_budget; });
    signals.signal(indexed("dealt_q", i), 1, [&row] { return row.is_dealt; });
    signals.signal(indexed("budget_q", i), row.budget.width(), [&row] { return row.budget; });
    signals.signal(indexed("page_table_q", i), row.page_table.width(), [&row] { return row.page_table; });
  }
  signals.leave();
}

void list_counters(ISignalSink& signals, const Ksrt& ksrt, std::uint32_t i) {
  const auto counter = [&](const char* name, Field32 KsrRow::*field) {
    signals.signal(indexed(name, i), (ksrt.row(i).*field).width(), [&ksrt, i, field] { return ksrt.row(i).*field; });
  };
  counter("tbs_per_sm_q", &KsrRow::tbs_per_sm);
  counter("remaining_q", &KsrRow::remaining);
  counter("next_tb_q", &KsrRow::next_tb);
  counter("outstanding_q", &KsrRow::outstanding);
  counter("preempted_q", &KsrRow::preempted);
  counter("promised_q", &KsrRow::promised);
  counter("covered_q", &KsrRow::covered);
  counter("owned_q", &KsrRow::owned);
  counter("reserved_q", &KsrRow::reserved);
}

void list_kernels(ISignalSink& signals, const CoreParams& params, const Ksrt& ksrt) {
  signals.enter("u_ksrt");
  for (std::uint32_t i = 0; i < ksrt.size(); ++i) {
    list_counters(signals, ksrt, i);
    signals.signal(indexed("descriptor_q", i), ksrt.row(i).descriptor.width(),
                   [&ksrt, i] { return ksrt.row(i).descriptor; });
    const KernelTraits& traits = ksrt.traits(i);
    signals.signal(indexed("valid_q", i), 1, [&ksrt, i] { return ksrt.is_valid(i); });
    signals.signal(indexed("fresh_q", i), 1, [&ksrt, i] { return ksrt.is_fresh(i); });
    signals.signal(indexed("handles_q", i), 1, [&ksrt, i] { return ksrt.has_handles(i); });
    signals.signal(indexed("holds_q", i), 1, [&ksrt, i] { return ksrt.holds(i); });
    signals.signal(indexed("uncovered_q", i), 1, [&ksrt, i] { return ksrt.is_uncovered(i); });
    if (params.has_refill_lane) signals.signal(indexed("refills_q", i), 1, [&ksrt, i] { return ksrt.refills(i); });
    signals.signal(indexed("context_q", i), traits.context.width(), [&traits] { return traits.context; });
    signals.signal(indexed("priority_q", i), traits.priority.width(), [&traits] { return traits.priority; });
    signals.signal(indexed("due_q", i), traits.due.width(), [&traits] { return traits.due; });
    signals.signal(indexed("has_due_q", i), 1, [&traits] { return traits.has_due; });
    signals.signal(indexed("partition_q", i), traits.partition.width(), [&traits] { return traits.partition; });
  }
  signals.leave();
}

void list_queue(ISignalSink& signals, const CoreParams& params, const ActiveQueue& queue) {
  signals.enter("u_active_queue");
  signals.signal("count_q", params.ksr_width(), [&queue] { return queue.size(); });
  for (std::uint32_t i = 0; i < params.num_ksrs; ++i) {
    signals.signal(indexed("ksr_q", i), params.ksr_width(), [&queue, i] { return i < queue.size() ? queue.at(i) : 0; });
  }
  signals.leave();
}

void list_tokens(ISignalSink& signals, const CoreParams& params, const Tokens& tokens) {
  signals.enter("u_tokens");
  signals.signal("pool_q", params.sm_count_width(), [&tokens] { return tokens.pool(); });
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    signals.signal(indexed("left_q", i), CoreParams::kTokensLeftWidth, [&tokens, i] { return tokens.word(i); });
    signals.signal(indexed("has_pool_token_q", i), 1, [&tokens, i] { return tokens.has_pool_token(i); });
  }
  signals.leave();
}

void list_tags(ISignalSink& signals, const CoreParams& params, const SetUpTags& tags, std::uint32_t sm) {
  if (!tags.are_there()) return;
  signals.signal(indexed("tag_q", sm), params.tag_width, [&tags, sm] { return tags.tag(sm); });
  signals.signal(indexed("unanswered_q", sm), params.tag_width + 1, [&tags, sm] { return tags.unanswered(sm); });
}

void list_sms(ISignalSink& signals, const CoreParams& params, const Tables& tables) {
  const Smst& smst = tables.smst;
  const Linger& linger = tables.linger;
  const auto index = [](std::uint32_t value, unsigned width) { return value & ~(~0U << width); };  // none: all ones
  signals.enter("u_smst");
  for (std::uint32_t i = 0; i < smst.size(); ++i) {
    const SmRow& row = smst.row(i);
    const unsigned width = params.ksr_width();
    signals.signal(indexed("state_q", i), 2, [&row] { return static_cast<std::uint64_t>(row.state); });
    signals.signal(indexed("ksr_q", i), width, [&row, index, width] { return index(row.ksr, width); });
    signals.signal(indexed("next_q", i), width, [&row, index, width] { return index(row.next, width); });
    signals.signal(indexed("running_q", i), row.running.width(), [&row] { return row.running; });
    signals.signal(indexed("kept_q", i), 1, [&linger, i] { return linger.kept().has(i); });
    signals.signal(indexed("partition_q", i), row.partition.width(), [&row] { return row.partition; });
    signals.signal(indexed("foreign_q", i), 1, [&smst, i] { return smst.maybe_foreign().has(i); });
    list_tags(signals, params, tables.set_up_tags, i);
    const auto flag = [&](const char* name, SmSet SmFlags::*set) {
      signals.signal(indexed(name, i), 1, [&smst, i, set] { return (smst.flags.*set).has(i); });
    };
    flag("set_up_pending_q", &SmFlags::set_up_pending);
    flag("active_q", &SmFlags::active);
    flag("trap_pending_q", &SmFlags::trap_pending);
    flag("trapped_q", &SmFlags::trapped);
    flag("restoring_q", &SmFlags::restoring);
    flag("full_q", &SmFlags::full);
    flag("drains_q", &SmFlags::drains);
    flag("issuable_q", &SmFlags::issuable);
    flag("no_room_q", &SmFlags::no_room);
    flag("served_q", &SmFlags::served);
  }
  signals.leave();
}

void list_linger(ISignalSink& signals, const Linger& linger) {
  signals.enter("u_linger");
  signals.signal("lingers_q", 1, [&linger] { return linger.is_on(); });
  signals.signal("priority_q", CoreParams::kPriorityWidth, [&linger] { return linger.priority(); });
  signals.leave();
}

void list_partitions(ISignalSink& signals, const CoreParams& params, const Partitions& partitions) {
  signals.enter("u_partitions");
  for (std::uint32_t i = 0; i < params.num_sms; ++i) {
    signals.signal(indexed("dirty_q", i), 1, [&partitions, i] { return partitions.dirty().has(i); });
  }
  signals.signal("survey_q", 1, [&partitions] { return partitions.wants_survey(); });
  signals.signal("mixed_q", 1, [&partitions] { return partitions.are_mixed(); });
  signals.signal("surveys_q", 1, [&partitions] { return partitions.is_survey(); });
  signals.signal("last_q", params.partition_width(), [&partitions] { return partitions.last(); });
  signals.leave();
}

void list_turn(ISignalSink& signals, const CoreParams& params, const Turn& turn) {
  const Turn::Registers& registers = turn.registers();
  const auto field = [&](const char* name, unsigned width, auto Turn::Registers::*member) {
    signals.signal(name, width, [&registers, member] { return static_cast<std::uint64_t>(registers.*member); });
  };
  signals.enter("u_turn");
  field("state_q", 2, &Turn::Registers::state);
  field("turn_q", params.context_width(), &Turn::Registers::turn);
  field("next_q", params.context_width(), &Turn::Registers::next);
  field("has_next_q", 1, &Turn::Registers::has_next);
  field("tick_q", 1, &Turn::Registers::tick);
  field("over_q", 1, &Turn::Registers::over);
  field("runs_q", 1, &Turn::Registers::runs);
  field("evicts_q", 1, &Turn::Registers::evicts);
  field("loaded_q", 1, &Turn::Registers::loaded);
  field("unlisted_q", 1, &Turn::Registers::unlisted);
  for (std::uint32_t i = 0; i < params.num_contexts; ++i) {
    signals.signal(indexed("waiting_q", i), 1, [&turn, i] { return turn.waiting().has(i); });
    signals.signal(indexed("listed_q", i), 1, [&turn, i] { return turn.listed().has(i); });
    signals.signal(indexed("slice_end_q", i), 2, [&turn, i] { return static_cast<std::uint64_t>(turn.slice_end(i)); });
  }
  signals.leave();
}

}  // namespace

void TsrScheduler::list_signals(ISignalSink& signals) const {
  list_search(signals, params_, u_search_);
  list_engine(signals, params_, u_engine_);
  if (u_lane_) u_lane_->list_signals(signals);
  list_commands(signals, params_, tables_.command_buffers);
  list_contexts(signals, params_, tables_);
  list_queue(signals, params_, tables_.active_queue);
  list_kernels(signals, params_, tables_.ksrt);
  list_tokens(signals, params_, tables_.tokens);
  list_sms(signals, params_, tables_);
  list_linger(signals, tables_.linger);
  list_partitions(signals, params_, tables_.partitions);
  if (params_.has_kept_turn) list_turn(signals, params_, u_turn_);
}

}  // namespace tessera::rtl_model
