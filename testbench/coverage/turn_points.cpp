// SPDX-License-Identifier: Apache-2.0
// A kept turn: its states, who gets it next, and what becomes of slices (docs/hardware/timing.md 3.12, whose rules the
// comments number).
#include <array>
#include <string>

#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using rtl_model::ControlRegister;
using rtl_model::Turn;
using rtl_model::TurnCause;
using TurnState = Turn::State;

constexpr std::array kTurnStates = {"nobody", "owned", "leaving", "switching"};

std::size_t index_of(TurnState state) { return static_cast<std::size_t>(state); }

// Registers of a cycle, and what follows from them alone.
struct TurnView {
  TurnView() = default;
  explicit TurnView(const Turn& turn)
      : registers(turn.registers()),
        is_kept(turn.is_kept()),
        is_present(turn.present().has(registers.turn)),
        do_others_wait(turn.present().without(rtl_model::SmSet::of(registers.turn)).any()),
        is_queued(turn.is_queued()),
        is_next_present(turn.present().has(registers.next)) {}

  bool is_owned() const { return is_kept && registers.state == TurnState::kOwned; }

  Turn::Registers registers;
  bool is_kept = false;
  bool is_present = false;  // the owner
  bool do_others_wait = false;
  bool is_queued = false;  // the owner
  bool is_next_present = false;
};

class TurnPoints final : public ICoverGroup {
 public:
  explicit TurnPoints(Coverage& coverage)
      : coverage_(coverage),
        dry_(coverage.add("turn.dry", "an owner that has run dry passes its turn on")),
        dry_at_tick_(coverage.add("turn.dry_at_tick", "and a tick waits in the same cycle")),
        slice_over_(coverage.add("turn.slice_over", "a turn passes as its slice is over")),
        over_taken_(coverage.add("turn.over_taken", "a context comes to an owner whose slice was over")),
        unlisted_(coverage.add("turn.unlisted", "an owner is taken off the run list, for another one")),
        to_nobody_(coverage.add("turn.to_nobody", "an owner is taken off the run list, and nobody is there")),
        idle_tick_(coverage.add("turn.idle_tick", "the tick of an idle owner is forgotten")),
        idle_over_(coverage.add("turn.idle_over", "an owner goes idle whose slice was over")),
        renewed_(coverage.add("turn.renewed", "a slice is renewed, since commands wait behind what runs")),
        stays_over_(coverage.add("turn.stays_over", "a slice is over, and nobody takes the turn")),
        restarted_(coverage.add("turn.restarted", "a command comes to an owner whose slice was over")),
        deferred_(coverage.add("turn.deferred", "a tick waits until no SM changes hands")),
        fixed_early_(coverage.add("turn.fixed_early", "who is next is fixed before the turn passes")),
        fixed_holds_(coverage.add("turn.fixed_holds", "and gets it, though another one came first behind the owner")),
        fixed_late_(coverage.add("turn.fixed_late", "who is next is fixed as the turn passes")),
        next_queued_(coverage.add("turn.next_forgotten", "who is next is open again, as the owner has commands")),
        next_absent_(coverage.add("turn.next_absent", "who is next is not present any more")),
        round_(coverage.add("turn.kept_round", "a kept turn goes to a context with a lower number")),
        passes_running_(coverage.add("turn.passes_running", "something runs as the turn passes")),
        passes_idle_(coverage.add("turn.passes_idle", "nothing runs as the turn passes")),
        by_sm_(coverage.add("turn.scope_sm", "a turn passes with scope SM")),
        by_gpu_(coverage.add("turn.scope_gpu", "a turn passes with scope GPU")),
        no_switch_first_(coverage.add("turn.no_switch_first", "the first owner comes without a switch")),
        no_switch_same_(coverage.add("turn.no_switch_same", "the last owner comes back without a switch")),
        switch_from_nobody_(
            coverage.add("turn.switch_from_nobody", "another one than the last owner comes from nobody")),
        over_at_once_(coverage.add("turn.switch_over_at_once", "a switch is over in the first cycle that it may be")),
        over_too_soon_(coverage.add("turn.switch_over_too_soon", "the end of a switch in the cycle of its start")),
        tick_meets_pass_(coverage.add("turn.tick_meets_pass", "a tick in the cycle in which the turn passes")),
        tick_meets_clear_(coverage.add("turn.tick_meets_renewal", "a tick in the cycle in which one before it renews")),
        idle_found_(coverage.add("turn.finds_sms", "SMs are not idle as a turn comes from nobody")) {
    for (std::size_t i = 0; i < kTurnStates.size(); ++i) {
      const std::string state = kTurnStates[i];
      tick_in_[i] = coverage.add("turn.tick_" + state, "a slice tick while the turn is " + state);
      policy_in_[i] = coverage.add("turn.policy_" + state, "the policy is written while the turn is " + state);
      slice_end_in_[i] = coverage.add("turn.slice_end_" + state, "a slice end is written while the turn is " + state);
      listed_in_[i] = coverage.add("turn.unlists_" + state, "`turn` leaves the run list while the turn is " + state);
    }
  }

  void reset() override {
    before_ = {};
    tick_before_ = false;
  }

  void sample(const CycleView& now) override {
    if (!now.params.has_kept_turn) return;
    const TurnView view(now.core.turn());
    if (view.is_kept) sample_inputs(now, view);
    if (now.out.events.turn_passed) sample_pass(now, view);
    if (before_.is_owned() && view.is_owned()) sample_owner(view);
    if (before_.registers.state != TurnState::kSwitching && view.registers.state == TurnState::kSwitching)
      sample_switch(view);
    first_behind_ = now.core.turn().present().next_in_turn(view.registers.turn + 1);
    before_ = view;
    tick_before_ = now.in.slice_tick;
  }

 private:
  void sample_inputs(const CycleView& now, const TurnView& view) {
    const std::size_t at = index_of(view.registers.state);
    coverage_.hit_if(tick_in_[at], now.in.slice_tick);
    coverage_.hit_if(policy_in_[at], now.takes(ControlRegister::kPolicy));
    coverage_.hit_if(slice_end_in_[at], now.takes(ControlRegister::kSliceEnd));
    const bool was_listed = now.core.turn().listed().has(view.registers.turn);
    coverage_.hit_if(listed_in_[at], was_listed && !now.in.listed.has(view.registers.turn));
    const bool starts = view.registers.is_first && view.registers.switches;
    coverage_.hit_if(over_too_soon_, starts && now.in.switch_over);
    const bool was_start = before_.registers.is_first && before_.registers.switches;
    coverage_.hit_if(over_at_once_, was_start && at == index_of(TurnState::kSwitching) && now.in.switch_over);
    const bool is_found = view.registers.state == TurnState::kNobody && now.core.turn().present().any();
    coverage_.hit_if(idle_found_, is_found && !now.core.tables().smst.are_all_idle());
  }

  // 2. to 6., by what was so in the cycle before.
  void sample_pass(const CycleView& now, const TurnView& view) {
    const Turn::Registers& was = before_.registers;
    const TurnCause cause = now.out.events.turn_cause;
    coverage_.hit_if(dry_, cause == TurnCause::kDry);
    coverage_.hit_if(dry_at_tick_, cause == TurnCause::kDry && was.tick);
    coverage_.hit_if(slice_over_, cause == TurnCause::kSliceOver && was.tick);
    coverage_.hit_if(over_taken_, cause == TurnCause::kSliceOver && was.over && !was.tick);
    coverage_.hit_if(unlisted_, cause == TurnCause::kUnlisted && before_.do_others_wait);
    coverage_.hit_if(to_nobody_, cause == TurnCause::kUnlisted && !before_.do_others_wait);
    coverage_.hit_if(passes_running_, view.registers.runs);
    coverage_.hit_if(passes_idle_, !view.registers.runs);
    coverage_.hit_if(tick_meets_pass_, tick_before_);
    coverage_.hit(now.core.search().policy().evicts ? by_gpu_ : by_sm_);
    if (!before_.do_others_wait) return;
    const std::uint32_t next =
        view.registers.state == TurnState::kSwitching ? view.registers.turn : view.registers.next;
    const bool was_fixed = was.has_next && was.next == next && !before_.is_queued;
    coverage_.hit_if(fixed_holds_, was_fixed && first_behind_ != next);
    coverage_.hit_if(fixed_late_, !was.has_next);
    coverage_.hit_if(round_, next < was.turn);
  }

  // 3. to 5., of an owner that keeps its turn.
  void sample_owner(const TurnView& view) {
    const Turn::Registers& was = before_.registers;
    const Turn::Registers& is = view.registers;
    const bool was_idle = !before_.is_present;
    coverage_.hit_if(idle_tick_, was_idle && was.tick && !is.tick);
    coverage_.hit_if(idle_over_, was_idle && was.over && !is.over);
    const bool is_queued = !was_idle && before_.is_queued;
    coverage_.hit_if(renewed_, is_queued && was.tick && !was.over && !is.tick);
    coverage_.hit_if(restarted_, is_queued && was.over && !is.over);
    coverage_.hit_if(stays_over_, is.over && !was.over);
    coverage_.hit_if(deferred_, was.tick && is.tick && !was_idle && !tick_before_);
    coverage_.hit_if(tick_meets_clear_, is_queued && was.tick && is.tick && tick_before_);
    coverage_.hit_if(fixed_early_, is.has_next && !was.has_next);
    coverage_.hit_if(next_queued_, was.has_next && !is.has_next && before_.is_queued);
    coverage_.hit_if(next_absent_, was.has_next && !is.has_next && !before_.is_next_present && !before_.is_queued);
  }

  // 10.
  void sample_switch(const TurnView& view) {
    const Turn::Registers& was = before_.registers;
    const bool is_from_nobody = was.state == TurnState::kNobody || (was.state == TurnState::kLeaving && !was.passed);
    coverage_.hit_if(no_switch_first_, !view.registers.loaded);
    coverage_.hit_if(no_switch_same_, view.registers.loaded && !view.registers.switches);
    coverage_.hit_if(switch_from_nobody_, is_from_nobody && view.registers.switches);
  }

  Coverage& coverage_;
  Coverage::Id dry_, dry_at_tick_, slice_over_, over_taken_, unlisted_, to_nobody_, idle_tick_, idle_over_, renewed_,
      stays_over_, restarted_, deferred_, fixed_early_, fixed_holds_, fixed_late_, next_queued_, next_absent_, round_,
      passes_running_, passes_idle_, by_sm_, by_gpu_, no_switch_first_, no_switch_same_, switch_from_nobody_,
      over_at_once_, over_too_soon_, tick_meets_pass_, tick_meets_clear_, idle_found_;
  std::array<Coverage::Id, kTurnStates.size()> tick_in_{}, policy_in_{}, slice_end_in_{}, listed_in_{};
  TurnView before_;
  bool tick_before_ = false;
  std::uint32_t first_behind_ = 0;  // present context behind the owner
};

}  // namespace

std::unique_ptr<ICoverGroup> turn_points(Coverage& coverage) { return std::make_unique<TurnPoints>(coverage); }

}  // namespace tessera::testbench
