// SPDX-License-Identifier: Apache-2.0
// KSRT: its rows' widths and its edge.
#include "rtl_model/tables/ksrt.h"

namespace tessera::rtl_model {

Ksrt::Ksrt(const sc_core::sc_module_name& name, const Params& params)
    : ClockedModule(name), is_breadth_first_(params.is_breadth_first) {
  empty_.descriptor = Field64(Params::kDescriptorWidth);
  empty_.context = Field32(params.context_width());
  empty_.priority = Field32(Params::kPriorityWidth);
  empty_.tokens = Field32(Params::kTokenWidth);
  empty_.tbs_per_sm = Field32(params.tb_count_width());
  empty_.remaining = empty_.next_tb = Field32(params.tb_width);
  empty_.outstanding = empty_.preempted = empty_.promised = empty_.covered = Field32(params.slot_count_width());
  empty_.owned = empty_.reserved = Field32(params.sm_count_width());
  rows_q_.assign(params.num_ksrs, empty_);
}

std::uint32_t Ksrt::lowest_free() const {
  for (std::uint32_t i = 0; i < rows_q_.size(); ++i) {
    if (!rows_q_[i].valid) return i;
  }
  return kNone;
}

void Ksrt::step(const Step& step) {
  is_written_ = true;
  for (std::uint32_t i = 0; i < num_steps_; ++i) {
    Step& sum = steps_[i];
    if (sum.ksr != step.ksr) continue;
    sum.remaining += step.remaining;
    sum.outstanding += step.outstanding;
    sum.preempted += step.preempted;
    sum.promised += step.promised;
    sum.owned += step.owned;
    sum.reserved += step.reserved;
    sum.covered += step.covered;
    return;
  }
  steps_[num_steps_++] = step;
}

void Ksrt::set_tokens(std::uint32_t ksr, std::uint32_t tokens, bool has_pool_token) {
  is_written_ = true;
  tokens_ksr_ = ksr;
  tokens_ = tokens;
  tokens_from_pool_ = has_pool_token;
}

void Ksrt::set_context_priority(std::uint32_t context, std::uint32_t priority) {
  is_written_ = true;
  priority_write_ = {true, context, priority};
}

void Ksrt::set_context_tokens(std::uint32_t context, std::uint32_t tokens) {
  is_written_ = true;
  tokens_write_ = {true, context, tokens};
}

void Ksrt::apply(const Step& step) {
  KsrRow& row = rows_q_[step.ksr];
  const bool before = row.is_issuable();
  if (step.remaining != 0) {
    row.remaining.add(step.remaining);
    row.next_tb.add(-step.remaining);
  }
  const auto add = [](Field32& field, std::int32_t value) {
    if (value != 0) field.add(value);
  };
  add(row.outstanding, step.outstanding);
  add(row.preempted, step.preempted);
  add(row.promised, step.promised);
  add(row.owned, step.owned);
  add(row.reserved, step.reserved);
  add(row.covered, step.covered);
  has_flipped_ = has_flipped_ || row.is_issuable() != before;
}

void Ksrt::seq() {
  is_written_ = false;
  // 1. Counters.
  for (std::uint32_t i = 0; i < num_steps_; ++i) apply(steps_[i]);
  num_steps_ = 0;
  // 2. A budget.
  if (tokens_ksr_ != kNone) {
    rows_q_[tokens_ksr_].tokens = tokens_;
    rows_q_[tokens_ksr_].has_pool_token = tokens_from_pool_;
    tokens_ksr_ = kNone;
  }
  // 3. A kernel leaves, another one enters.
  if (freed_ != kNone) {
    rows_q_[freed_] = empty_;
    freed_ = kNone;
  }
  if (activated_ != kNone) {
    rows_q_[activated_] = activated_row_;
    activated_ = kNone;
  }
  // 4. The OS writes to all kernels of a context.
  if (priority_write_.valid || tokens_write_.valid) {
    for (KsrRow& row : rows_q_) {
      if (priority_write_.valid && row.context == priority_write_.context) row.priority = priority_write_.value;
      if (tokens_write_.valid && row.context == tokens_write_.context) {
        row.tokens = tokens_write_.value;
        row.has_pool_token = false;
      }
    }
    priority_write_.valid = tokens_write_.valid = false;
  }
}

void Ksrt::list_signals(ISignalSink& signals) const {
  signals.enter("u_ksrt");
  for (std::size_t i = 0; i < rows_q_.size(); ++i) {
    const KsrRow& row = rows_q_[i];
    signals.signal(indexed("valid_q", i), 1, [&row] { return row.valid; });
    signals.signal(indexed("has_pool_token_q", i), 1, [&row] { return row.has_pool_token; });
    signals.signal(indexed("descriptor_q", i), row.descriptor.width(), [&row] { return row.descriptor; });
    const auto field = [&](const char* name, const Field32& value) {
      signals.signal(indexed(name, i), value.width(), [&value] { return value; });
    };
    field("context_q", row.context);
    field("priority_q", row.priority);
    field("tokens_q", row.tokens);
    field("tbs_per_sm_q", row.tbs_per_sm);
    field("remaining_q", row.remaining);
    field("next_tb_q", row.next_tb);
    field("outstanding_q", row.outstanding);
    field("preempted_q", row.preempted);
    field("promised_q", row.promised);
    field("owned_q", row.owned);
    field("reserved_q", row.reserved);
    field("covered_q", row.covered);
  }
  signals.leave();
}

}  // namespace tessera::rtl_model
