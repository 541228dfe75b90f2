// SPDX-License-Identifier: Apache-2.0
// Budgets are given, stepped and returned.
#include "rtl_model/tables/tokens.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/policy/policy_register.h"

namespace tessera::rtl_model {

Tokens::Tokens(const CoreParams& params, ContextTable& contexts)
    : equal_share_(params.equal_share()),
      token_pool_(params.token_pool()),
      contexts_(contexts),
      left_q_(std::max(params.num_ksrs, params.num_contexts), 0),
      has_pool_token_q_(left_q_.size(), false),
      pool_q_(params.sm_count_width()),
      gives_once_(PolicyRegister::of(params.policy).gives_once) {
  pool_q_ = token_pool_;
}

// ---- jobs ----------------------------------------------------------------------------------------------------

// Others of its context leave the row as it is: they hold nothing yet.
void Tokens::activate(const Kernel& kernel, bool by_process) {
  const bool is_first = !by_process || contexts_.row(kernel.context).kernels == 0;
  if (!is_first) return;
  const std::uint32_t row = row_of(kernel.ksr, kernel.context, by_process);
  take_from_pool(row, kernel.context);
  change(row, true, budget(row, kernel.context));
}

void Tokens::deal(const Kernel& kernel, bool by_process) {
  const bool is_first = !by_process || !contexts_.row(kernel.context).is_dealt;
  const std::uint32_t row = row_of(kernel.ksr, kernel.context, by_process);
  const auto held = static_cast<std::int32_t>(kernel.held);
  contexts_.deal(kernel.context);
  if (!is_first) return change(row, false, -held);
  return_to_pool(row);
  take_from_pool(row, kernel.context);
  change(row, true, budget(row, kernel.context) - held);
}

// With token scope process the context's other kernels go on with what this one held.
void Tokens::finish(const Kernel& kernel, bool by_process) {
  const std::uint32_t row = row_of(kernel.ksr, kernel.context, by_process);
  if (by_process) change(row, false, static_cast<std::int32_t>(kernel.held));
  const bool is_last = contexts_.row(kernel.context).kernels == 1;
  if (by_process ? is_last && !gives_once_ : true) return_to_pool(row);
}

std::int32_t Tokens::budget(std::uint32_t row, std::uint32_t context) const {
  const ContextTable::Row& written = contexts_.row(context);
  if (written.has_budget) return static_cast<std::int32_t>(std::uint32_t{written.budget});
  return static_cast<std::int32_t>(equal_share_ + (has_pool_token_q_[row] ? 1 : 0));
}

// ---- the OS --------------------------------------------------------------------------------------------------

// With token scope kernel the deal of each KSR returns its token.
void Tokens::write_budget(std::uint32_t context, bool by_process) {
  if (by_process) return_to_pool(context);
}

void Tokens::write_policy(bool gives_once) {
  gives_once_ = gives_once;
  std::fill(has_pool_token_q_.begin(), has_pool_token_q_.end(), false);
  pool_q_ = token_pool_;
}

// ---- the pool, and what is left ------------------------------------------------------------------------------

void Tokens::take_from_pool(std::uint32_t row, std::uint32_t context) {
  if (contexts_.row(context).has_budget || pool_q_ == 0 || has_pool_token_q_[row]) return;
  pool_q_.add(-1);
  has_pool_token_q_[row] = true;
}

void Tokens::return_to_pool(std::uint32_t row) {
  if (!has_pool_token_q_[row]) return;
  if (!gives_once_) pool_q_.add(1);
  has_pool_token_q_[row] = false;
}

void Tokens::change(std::uint32_t row, bool is_set, std::int32_t value) { written_q_ = {row, is_set, value}; }

void Tokens::settle() {
  if (written_q_.row == kNone) return;
  std::int32_t& left = left_q_[written_q_.row];
  left = written_q_.is_set ? written_q_.value : left + written_q_.value;
  written_q_.row = kNone;
}

// Judged when it is read: a row that a policy write has made stale may be stepped before it is set.
void Tokens::overflow(std::int32_t left) {
  throw std::logic_error("rtl_model: " + std::to_string(left) + " tokens do not fit " +
                         std::to_string(CoreParams::kTokensLeftWidth) + " bits");
}

}  // namespace tessera::rtl_model
