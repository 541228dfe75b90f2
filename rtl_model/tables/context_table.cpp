// SPDX-License-Identifier: Apache-2.0
// Context table: its edge.
#include "rtl_model/tables/context_table.h"

namespace tessera::rtl_model {

ContextTable::ContextTable(const sc_core::sc_module_name& name, const Params& params) : ClockedModule(name) {
  Row row;
  row.page_table = Field64(Params::kPageTableWidth);
  row.budget = Field32(Params::kTokenWidth);
  row.kernels = Field32(bits_for_value(params.num_ksrs));
  row.held = Field32(params.sm_count_width());
  rows_q_.assign(params.num_contexts, row);
  for (std::uint32_t context = 0; context < params.num_contexts; ++context) {
    const std::optional<std::uint32_t>& budget = params.budgets[context];
    if (!budget) continue;
    rows_q_[context].has_budget = true;
    rows_q_[context].budget = *budget;
  }
  held_steps_.reserve(8);
  pool_writes_.reserve(2);
}

void ContextTable::seq() {
  is_written_ = false;
  if (page_table_write_.context != kNone) {
    rows_q_[page_table_write_.context].page_table = page_table_write_.value;
    page_table_write_.context = kNone;
  }
  // Down before up: an SM that changes hands within a context stays within N_SM.
  for (const bool is_up : {false, true}) {
    for (const Step& step : held_steps_) {
      if ((step.step > 0) == is_up) rows_q_[step.context].held.add(step.step);
    }
  }
  held_steps_.clear();
  if (left_ != kNone) rows_q_[left_].kernels.add(-1);
  if (entered_ != kNone) rows_q_[entered_].kernels.add(1);
  left_ = entered_ = kNone;
  if (clears_pool_tokens_) {
    for (Row& row : rows_q_) row.has_pool_token = false;
    clears_pool_tokens_ = false;
  }
  for (const Step& write : pool_writes_) rows_q_[write.context].has_pool_token = write.step != 0;
  pool_writes_.clear();
  if (budget_write_.context != kNone) {
    Row& row = rows_q_[budget_write_.context];
    row.has_budget = true;
    row.budget = budget_write_.value;
    row.has_pool_token = false;
    budget_write_.context = kNone;
  }
}

void ContextTable::list_signals(ISignalSink& signals) const {
  signals.enter("u_context_table");
  for (std::size_t i = 0; i < rows_q_.size(); ++i) {
    const Row& row = rows_q_[i];
    signals.signal(indexed("page_table_q", i), row.page_table.width(), [&row] { return row.page_table; });
    signals.signal(indexed("has_budget_q", i), 1, [&row] { return row.has_budget; });
    signals.signal(indexed("budget_q", i), row.budget.width(), [&row] { return row.budget; });
    signals.signal(indexed("kernels_q", i), row.kernels.width(), [&row] { return row.kernels; });
    signals.signal(indexed("held_q", i), row.held.width(), [&row] { return row.held; });
    signals.signal(indexed("has_pool_token_q", i), 1, [&row] { return row.has_pool_token; });
  }
  signals.leave();
}

}  // namespace tessera::rtl_model
