// SPDX-License-Identifier: Apache-2.0
// Ways of a token of the pool (docs/hardware/timing.md 4.3); the slice timer's turn (3.6).
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using Job = JobEngine::Job;
using rtl_model::ControlRegister;

class TokenPoints final : public ICoverGroup {
 public:
  explicit TokenPoints(Coverage& coverage)
      : coverage_(coverage),
        taken_by_kernel_(coverage.add("pool.taken_by_kernel", "a kernel that is activated takes a token")),
        taken_by_context_(coverage.add("pool.taken_by_context", "a context's first kernel takes a token")),
        dealt_to_kernel_(coverage.add("pool.dealt_to_kernel", "a deal gives a kernel a token")),
        dealt_to_context_(coverage.add("pool.dealt_to_context", "a deal gives a context a token")),
        returned_by_finish_(coverage.add("pool.returned_by_kernel", "a kernel that finishes returns its token")),
        returned_by_context_(coverage.add("pool.returned_by_context", "a context's last kernel returns its token")),
        kept_by_context_(
            coverage.add("pool.kept_by_context", "a kernel finishes; another of its context keeps the token")),
        returned_by_deal_(coverage.add("pool.returned_by_deal", "a deal after a tokens write takes a kernel's token")),
        returned_by_write_(coverage.add("pool.returned_by_write", "a tokens write takes a context's token")),
        write_meets_finish_(
            coverage.add("pool.write_meets_finish", "a tokens write as the same context's kernel finishes")),
        cleared_(coverage.add("pool.cleared", "a policy write takes all tokens")),
        empty_(coverage.add("pool.empty", "all tokens are taken")),
        budget_zero_(coverage.add("tokens.zero", "a context gets no tokens")),
        overdrawn_(coverage.add("tokens.overdrawn", "a kernel holds more SMs than it has tokens for")),
        tick_passes_(coverage.add("tick.passes", "a tick passes the turn")),
        tick_in_vain_(coverage.add("tick.in_vain", "a tick while an SM changes hands")),
        tick_other_policy_(coverage.add("tick.other_policy", "a tick under another policy")),
        tick_forgotten_(coverage.add("tick.forgotten", "a policy write forgets a tick that waits")),
        tick_meets_policy_(coverage.add("tick.meets_policy_write", "a tick in the cycle of a policy write")),
        turn_round_(coverage.add("turn.round", "the turn goes to context 0 again")) {}

  void reset() override {
    pool_before_ = kUnknown;
    turn_before_ = 0;
  }

  void sample(const CycleView& now) override {
    const rtl_model::Tokens& tokens = now.core.tables().tokens;
    const bool by_process = now.core.search().policy().by_process;
    const std::uint32_t pool = tokens.pool();
    if (pool_before_ != kUnknown) sample_pool(now, pool, by_process);
    coverage_.hit_if(empty_, pool == 0 && pool_before_ != kUnknown && pool_before_ > 0);
    sample_write(now, by_process);
    pool_before_ = pool;
    sample_tick(now);
  }

 private:
  static constexpr std::uint32_t kUnknown = ~0U;

  void sample_pool(const CycleView& now, std::uint32_t pool, bool by_process) {
    const bool is_taken = pool < pool_before_;
    const bool is_returned = pool > pool_before_;
    coverage_.hit_if(by_process ? taken_by_context_ : taken_by_kernel_, is_taken && now.out.events.activated);
    coverage_.hit_if(by_process ? dealt_to_context_ : dealt_to_kernel_, is_taken && now.ends(Job::kDeal));
    coverage_.hit_if(returned_by_deal_, is_returned && now.ends(Job::kDeal));
    coverage_.hit_if(by_process ? returned_by_context_ : returned_by_finish_, is_returned && now.out.kernel_done.valid);
    const bool wrote_tokens = now.in_before.control.valid && now.in_before.control.reg == ControlRegister::kTokens;
    coverage_.hit_if(returned_by_write_, is_returned && wrote_tokens && !now.out.kernel_done.valid);
    coverage_.hit_if(write_meets_finish_, is_returned && wrote_tokens && now.out.kernel_done.valid);
    coverage_.hit_if(kept_by_context_, by_process && !is_returned && now.out.kernel_done.valid && has_token_);
  }

  void sample_write(const CycleView& now, bool by_process) {
    const rtl_model::Tables& tables = now.core.tables();
    coverage_.hit_if(budget_zero_, now.takes(ControlRegister::kTokens) && (now.in.control.data & 511) == 0);
    coverage_.hit_if(cleared_, now.takes(ControlRegister::kPolicy) && has_token_);
    has_token_ = false;
    for (std::uint32_t row = 0; row < tables.tokens.size(); ++row) {
      has_token_ = has_token_ || tables.tokens.has_pool_token(row);
    }
    if (!now.out.events.moved || by_process || now.core.search().is_dealing()) return;
    const std::uint32_t ksr = now.out.events.ksr;
    coverage_.hit_if(overdrawn_, tables.ksrt.is_valid(ksr) && tables.tokens.word(ksr) >> 9 != 0);
  }

  void sample_tick(const CycleView& now) {
    const Search& search = now.core.search();
    const bool is_changing = now.core.tables().smst.is_changing_hands();
    const bool is_tick = now.in.slice_tick;
    coverage_.hit_if(tick_passes_, search.has_waiting_tick());
    coverage_.hit_if(tick_in_vain_, is_tick && search.passes_turns() && is_changing);
    coverage_.hit_if(tick_other_policy_, is_tick && !search.passes_turns());
    coverage_.hit_if(tick_forgotten_, search.has_waiting_tick() && now.takes(ControlRegister::kPolicy));
    coverage_.hit_if(tick_meets_policy_, is_tick && now.takes(ControlRegister::kPolicy));
    const std::uint32_t turn = search.trackers().turn();
    coverage_.hit_if(turn_round_, turn == 0 && turn_before_ == now.params.num_contexts - 1 && turn_before_ != 0);
    turn_before_ = turn;
  }

  Coverage& coverage_;
  Coverage::Id taken_by_kernel_, taken_by_context_, dealt_to_kernel_, dealt_to_context_, returned_by_finish_,
      returned_by_context_, kept_by_context_, returned_by_deal_, returned_by_write_, write_meets_finish_, cleared_,
      empty_, budget_zero_, overdrawn_, tick_passes_, tick_in_vain_, tick_other_policy_, tick_forgotten_,
      tick_meets_policy_, turn_round_;
  std::uint32_t pool_before_ = kUnknown, turn_before_ = 0;
  bool has_token_ = false;
};

}  // namespace

std::unique_ptr<ICoverGroup> token_points(Coverage& coverage) { return std::make_unique<TokenPoints>(coverage); }

}  // namespace tessera::testbench
